import Primitives
import TWSProtocol

/// What a subscription delivers.
public enum Signal<Element: Sendable>: Sendable {
    /// Data.
    case data(Element)
    /// A word from the gateway; data go on.
    case notice(Notice)
    /// Data may be missing between the elements before and behind.
    case gap(Gap)
}

extension Signal: Equatable where Element: Equatable {}

/// Why data may be missing.
public enum Gap: Hashable, Sendable {
    /// The connection was lost.
    case disconnected
    /// The gateway lost the broker and forgot its subscriptions (1101).
    case dataLost
    /// The farm was broken.
    case farm(String)
    /// The gateway ended the subscription; it was made anew.
    case terminated(Notice)
    /// The reader was too slow: so many elements, gaps and notices among them, made room for newer ones.
    case overrun(Int)
}

/// Data of one request as they come, over reconnects: the subscription is made anew by itself, with a
/// `gap` where data may be missing. Ends at the gateway when its reader is cancelled, or with `cancel`.
///
/// One reader. A sequence that throws has ended.
public struct Subscription<Datum: Sendable>: AsyncSequence, Sendable {
    /// What the reader gets.
    public typealias Element = Signal<Datum>

    let mailbox: Mailbox<Signal<Datum>>
    /// Held by the sequence and its reader: the last one to go ends the subscription.
    let lifetime: SubscriptionLifetime

    /// Ends the subscription, here and at the gateway.
    public func cancel() { lifetime.end() }

    /// The reader.
    public func makeAsyncIterator() -> Iterator {
        Iterator(mailbox: mailbox, lifetime: lifetime)
    }

    /// Reads a subscription.
    public struct Iterator: AsyncIteratorProtocol {
        let mailbox: Mailbox<Signal<Datum>>
        let lifetime: SubscriptionLifetime

        /// The next signal; `nil` when the subscription or the reading task was cancelled.
        ///
        /// - Throws: `ClientError` when the gateway refused it or the client was closed.
        public mutating func next() async throws -> Signal<Datum>? {
            do {
                let signal = try await mailbox.next()
                if signal == nil { lifetime.end() }
                return signal
            } catch {
                lifetime.end()
                throw error
            }
        }
    }
}

/// Ends a subscription when nobody can read it any more.
final class SubscriptionLifetime: Sendable {
    private let ending: @Sendable () -> Void

    init(_ ending: @escaping @Sendable () -> Void) { self.ending = ending }

    deinit { ending() }

    func end() { ending() }
}
