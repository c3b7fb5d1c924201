import Primitives
import Synchronization
import TWSClient
import TWSProtocol

/// What came in for a session and waits for its owner, in the order in which it came.
///
/// Market data are bounded: when more of them wait than wanted, only the newest of each subscription stay. What is about
/// orders, executions, lists, the account and the link is never left out.
final class SessionInbox: Sendable {
    /// Something that came in.
    enum Item: Sendable {
        /// For the session.
        case input(LiveSession.Input)
        /// The user wants it to end.
        case stop
    }

    /// What was taken out.
    struct Batch: Sendable {
        /// In the order in which it came.
        var items: [Item] = []
        /// When the first of it came in; `nil` for an empty batch.
        var oldest: Timestamp?
        /// How many messages of market data were left out since the batch before.
        var shed = 0
    }

    private struct Entry: Sendable {
        let item: Item
        let at: Timestamp
    }

    private struct State {
        var entries: [Entry] = []
        /// How many of them are market data.
        var dataCount = 0
        /// With how many the oldest are left out.
        var limit: Int
        var shed = 0
    }

    private let limit: Int
    private let state: Mutex<State>

    /// An empty inbox.
    ///
    /// - Parameter limit: how many messages of market data wait at most, unless there are more subscriptions.
    init(limit: Int) {
        self.limit = limit
        state = Mutex(State(limit: limit))
    }

    /// Takes items in, from any thread.
    ///
    /// - Parameter time: by the machine's clock.
    func put(_ items: [Item], at time: Timestamp) {
        guard !items.isEmpty else { return }
        state.withLock { state in
            for item in items {
                state.entries.append(Entry(item: item, at: time))
                if item.subscription != nil { state.dataCount += 1 }
                if state.dataCount > state.limit { shed(&state) }
            }
        }
    }

    /// Leaves out all market data but the newest of each subscription.
    private func shed(_ state: inout State) {
        var newest: Set<Subscription> = []
        var kept: [Entry] = []
        for entry in state.entries.reversed() {
            if let subscription = entry.item.subscription,
                !newest.insert(subscription).inserted
            {
                state.shed += 1
            } else {
                kept.append(entry)
            }
        }
        kept.reverse()
        state.entries = kept
        state.dataCount = newest.count
        // With as many subscriptions as that, each message would be a reason to look through all.
        state.limit = max(limit, 2 * newest.count)
    }

    /// How many items wait.
    var count: Int { state.withLock { $0.entries.count } }

    /// Takes all items out.
    func take() -> Batch {
        state.withLock { state in
            let batch = Batch(
                items: state.entries.map(\.item), oldest: state.entries.first?.at,
                shed: state.shed)
            state.entries.removeAll(keepingCapacity: state.entries.count <= 2 * limit)
            state.dataCount = 0
            state.shed = 0
            return batch
        }
    }
}

/// A stream of market data of which only the newest message counts.
private struct Subscription: Hashable {
    let request: RequestID
    /// Which of the request's figures; several come under one number.
    let figure: Int32
}

extension SessionInbox.Item {
    /// The stream that it is of; `nil` for what is never left out.
    fileprivate var subscription: Subscription? {
        guard case .input(.gateway(.message(let message, _))) = self else { return nil }
        switch message {
        case .realTimeBar(let message): return Subscription(request: message.reqId, figure: -1)
        case .historicalDataUpdate(let message):
            return Subscription(request: message.reqId, figure: -2)
        case .tickByTick(let message): return Subscription(request: message.reqId, figure: -3)
        case .tickPrice(let message):
            return Subscription(request: message.reqId, figure: message.tickType.code)
        case .tickSize(let message):
            return Subscription(request: message.reqId, figure: message.tickType.code)
        case .tickString(let message):
            return Subscription(request: message.reqId, figure: message.tickType.code)
        case .tickGeneric(let message):
            return Subscription(request: message.reqId, figure: message.tickType.code)
        default: return nil
        }
    }
}
