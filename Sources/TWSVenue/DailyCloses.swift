package import Model
import Primitives
package import TWSProtocol

/// Closes of past days from the broker's history: the requests that ask for them, and the closes in the answers.
package struct DailyCloses: Sendable {
    private let contracts: [TradedContract]
    private var nextRequest = Self.firstRequest
    private var open: [RequestID: Question] = [:]

    private struct Question: Sendable {
        let instrument: InstrumentID
        var closes: [DailyClose] = []
    }

    /// The first number of its requests: behind those of the bars.
    private static let firstRequest: Int32 = 1 << 30 + 1 << 28 + 1 << 27
    /// How many days of the past are asked for.
    private static let duration = HistoryDuration.months(1)

    /// No requests.
    package init(_ contracts: [TradedContract]) { self.contracts = contracts }

    /// True while answers are awaited.
    package var areAwaited: Bool { !open.isEmpty }

    /// The requests for the closes of all instruments.
    package mutating func questions() -> [ClientMessage] {
        contracts.map { entry in
            var message = ReqHistoricalData()
            message.reqId = RequestID(rawValue: nextRequest)
            message.contract = entry.contract
            message.barSizeSetting = .oneDay
            message.durationStr = Self.duration
            message.useRTH = true
            message.whatToShow = .trades
            message.formatDate = .epoch
            nextRequest += 1
            open[message.reqId] = Question(instrument: entry.instrument)
            return .reqHistoricalData(message)
        }
    }

    /// Forgets all requests: they were of another connection.
    package mutating func forget() { open.removeAll() }

    /// Takes in an event of the session.
    ///
    /// - Returns: the closes of an instrument, oldest first, and the request that is over; `nil` for an event of others.
    package mutating func take(
        _ event: SessionEvent
    ) -> (closes: [DailyClose], finished: RequestID?)? {
        guard case .message(let message, _) = event else { return nil }
        switch message {
        case .historicalData(let message):
            guard open[message.reqId] != nil else { return nil }
            for bar in message.bars { add(bar, to: message.reqId) }
            // Newer versions send an end of its own.
            return message.end == .none ? ([], nil) : finish(message.reqId)
        case .historicalDataEnd(let message): return finish(message.reqId)
        case .error(let message):
            guard let id = message.id, open.removeValue(forKey: RequestID(rawValue: id)) != nil
            else { return nil }
            return ([], RequestID(rawValue: id))
        default: return nil
        }
    }

    private mutating func add(_ bar: HistoricalBar, to request: RequestID) {
        guard case .day(let day) = bar.date, let close = bar.close.roundedPrice, close > .zero,
            let instrument = open[request]?.instrument
        else { return }
        open[request]?.closes.append(DailyClose(instrument: instrument, day: day, close: close))
    }

    private mutating func finish(
        _ request: RequestID
    ) -> (closes: [DailyClose], finished: RequestID?)? {
        guard let question = open.removeValue(forKey: request) else { return nil }
        return (question.closes.sorted { $0.day < $1.day }, request)
    }
}
