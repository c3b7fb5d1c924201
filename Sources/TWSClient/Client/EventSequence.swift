/// Events from now on, one reader. Ends when the client is closed, the sequence is released or the
/// reading task is cancelled.
public struct EventSequence<Element: Sendable>: AsyncSequence, Sendable {
    let mailbox: Mailbox<Element>
    let lifetime: SubscriptionLifetime

    init(mailbox: Mailbox<Element>, ending: @escaping @Sendable () -> Void) {
        self.mailbox = mailbox
        lifetime = SubscriptionLifetime(ending)
    }

    /// The reader.
    public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox, lifetime: lifetime) }

    /// Reads events.
    public struct Iterator: AsyncIteratorProtocol {
        let mailbox: Mailbox<Element>
        let lifetime: SubscriptionLifetime

        /// The next event; `nil` at the end.
        ///
        /// - Throws: `ClientError.overflow` when too many waited unread.
        public mutating func next() async throws -> Element? { try await mailbox.next() }
    }
}
