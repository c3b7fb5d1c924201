import GatewaySimulator
import MarketState
import Model
import Primitives
import TWSClient
import TWSProtocol

/// What a session subscribes to, and what it alarms its user of.
extension ChaosAudit {
    /// How long an instrument may have several streams, or none that lives, while the session trades: what is silent
    /// for half a minute is asked for anew.
    private static let streamlessMax = Duration.seconds(60)
    /// From how many requests within ten minutes on a stream may have to wait: the broker takes 60.
    private static let requestsMax = 40

    /// Looks at the streams that the gateway has.
    ///
    /// - Parameter areExpected: true while the session is ready and has asked for bars.
    mutating func lookAtStreams(
        _ session: SimulatedSession, _ driver: SessionDriver, areExpected: Bool
    ) {
        // While the market is closed a stream may be silent.
        guard areExpected, calendar.session(containing: session.now) != nil else {
            return streamless.removeAll()
        }
        let streams = session.gateway.act { $0.barStreams }
        var counts: [String: Gateway.StreamCount] = [:]
        for (symbol, count) in streams { counts[ChaosLedger.symbol(symbol)] = count }
        let untraded = driver.untraded.map(\.symbol)
        for (index, symbol) in session.symbols.enumerated() where !untraded.contains(symbol) {
            let instrument = InstrumentID(index: index)
            let count = counts[symbol] ?? Gateway.StreamCount()
            guard count.total != 1 || count.live != 1 else {
                streamless[instrument] = nil
                continue
            }
            let since = streamless[instrument] ?? session.now
            streamless[instrument] = since
            guard session.now - since > Self.streamlessMax else { continue }
            streamless[instrument] = session.now
            // The gateway may refuse the data, of which the user knows, or the request waits for its turn.
            let mayWait = alarms.dataless.contains(instrument) || Self.areManyAsked(session)
            if count.total < 2, mayWait { continue }
            note(
                .streams,
                "\(session.now): \(symbol) has \(count.total) streams of bars, \(count.live) that live"
            )
        }
    }

    private static func areManyAsked(_ session: SimulatedSession) -> Bool {
        let now = session.gateway.clock.now
        let requests = session.gateway.received.reversed().prefix { now - $0.time < .minutes(10) }
        let count = requests.count {
            $0.message.kind == .reqRealTimeBars || $0.message.kind == .reqHistoricalData
        }
        return count >= requestsMax
    }

    /// Judges the alarms of a session in which nothing has gone wrong yet. What a strategy has lost is no fault.
    mutating func checkCalm(_ session: SimulatedSession) {
        for decision in alarms.critical where !decision.kind.followsFromLosses {
            let alarm = SessionAlarm(decision, symbols: session.symbols)
            note(.calm, alarm?.description ?? "\(decision.at): \(decision.kind)")
        }
    }
}

extension Decision.Kind {
    /// True if the strategy's results alone can lead to it.
    fileprivate var followsFromLosses: Bool {
        switch self {
        case .halted(let cause):
            cause == .dailyLoss || cause == .drawdown || cause == .marginCall
                || cause == .brokerMargin
        case .strategyStopped: true
        default: false
        }
    }
}
