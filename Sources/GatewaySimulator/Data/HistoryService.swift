import MarketSimulation
import Primitives
import TWSProtocol

/// Requests for the past, of all clients: those that wait for their answer, and those that are kept up to
/// date.
package struct HistoryService: Sendable {
    /// Requests without their answer.
    var waiting = SubscriptionList<WaitingHistory>()
    /// Histories that are kept up to date.
    var live = SubscriptionList<LiveHistory>()

    /// A service with no requests.
    package init() {}

    /// Requests that are open.
    package var openCount: Int { waiting.count + live.count }

    /// Whether a request of that name is open.
    func contains(_ key: SubscriptionKey) -> Bool { waiting.contains(key) || live.contains(key) }

    /// The requests whose answers are due, oldest first.
    mutating func takeDue(at now: Timestamp) -> [(key: SubscriptionKey, request: WaitingHistory)] {
        waiting.keys.compactMap { key in
            guard let request = waiting[key], request.due <= now else { return nil }
            return waiting.remove(key).map { (key, $0) }
        }
    }

    /// Ends all of a client's requests.
    ///
    /// - Returns: the instruments that are to be followed once less, one for each kept-up-to-date history.
    mutating func forget(_ connection: ConnectionID) -> [InstrumentID] {
        _ = waiting.removeAll(of: connection)
        return live.removeAll(of: connection).map(\.listed.id)
    }
}

/// A request for the past that waits for its answer.
struct WaitingHistory: Sendable {
    /// Whose it is.
    let client: Client
    /// Whose history.
    let listed: ListedContract
    /// What is asked.
    let question: Question
    /// When it is answered.
    let due: Timestamp

    /// What can be asked of the past.
    enum Question: Sendable {
        /// Bars, or sessions.
        case bars(ReqHistoricalData)
        /// Since when there is history.
        case head(ReqHeadTimestamp)
        /// Prices and what was traded at them.
        case histogram(ReqHistogramData)
        /// Ticks.
        case ticks(ReqHistoricalTicks)
    }
}

/// A history that is kept up to date.
struct LiveHistory: Sendable {
    /// Whose it is.
    let client: Client
    /// Whose history.
    let listed: ListedContract
    /// What was asked.
    let request: ReqHistoricalData
    /// What the bars are made of.
    let kind: BarKind
    /// When it is published next.
    var due: Timestamp
    /// The last bar the client has; `nil` where it has none.
    var last: HistoryBar?
    /// Whether it was cut off without a word.
    var isDead = false
}
