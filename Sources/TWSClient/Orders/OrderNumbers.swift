import Synchronization
import TWSProtocol

/// Keeps the highest order number ever given, so that a restart gives none twice.
public protocol OrderNumberStore: Sendable {
    /// The highest number kept; `nil` where none ever was.
    ///
    /// - Throws: when there is one that cannot be read: numbers must then not be given.
    func load() throws -> Int32?
    /// Keeps `mark`, durably, before it returns.
    func save(_ mark: Int32) throws
}

/// Keeps the number in memory: for programs that place no orders, and tests.
public struct VolatileOrderNumbers: OrderNumberStore {
    /// Remembers nothing.
    public init() {}
    /// Always `nil`.
    public func load() -> Int32? { nil }
    /// Does nothing.
    public func save(_ mark: Int32) {}
}

/// Gives order numbers: upwards only, each once, whole blocks at a time. A number counts as used from
/// the moment it is given, before anything is written to a socket.
final class OrderNumbers: Sendable {
    private let store: any OrderNumberStore
    private let state = Mutex(State())

    private struct State {
        /// The highest number used or known to be used.
        var mark: Int32 = 0
        var isLoaded = false
        var isReceived = false
    }

    init(store: any OrderNumberStore) { self.store = store }

    /// The gateway's next valid number: may raise ours, never lower it.
    func raise(to next: APIOrderID) {
        state.withLock { state in
            state.isReceived = true
            if next.rawValue > 0 { state.mark = max(state.mark, next.rawValue - 1) }
        }
    }

    /// The first of `count` numbers in a row, none given before or to be given again.
    ///
    /// - Parameter count: at least 1.
    /// - Throws: `ClientError.orderNumbers` when the mark cannot be read or kept; no number is given
    ///   then.
    func block(of count: Int) throws -> APIOrderID {
        precondition(count >= 1, "a block has numbers")
        return try state.withLock { state throws(ClientError) in
            guard state.isReceived else {
                throw .orderNumbers("the gateway has not said yet which are free")
            }
            do {
                if !state.isLoaded {
                    state.mark = max(state.mark, try store.load() ?? 0)
                    state.isLoaded = true
                }
                let mark = state.mark
                // Above begin the numbers of requests: what the gateway reports about one must not be taken
                // for a word about the other.
                guard let last = Int32(exactly: Int64(mark) + Int64(count)),
                    last < Router.firstRequest
                else {
                    throw ClientError.orderNumbers(
                        "they are used up: reset the order id sequence in the gateway's settings")
                }
                try store.save(last)
                state.mark = last
                return APIOrderID(rawValue: mark + 1)
            } catch let error as ClientError {
                throw error
            } catch {
                throw .orderNumbers("\(error)")
            }
        }
    }
}
