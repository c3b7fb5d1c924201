import Model
import Orders
package import Primitives
import Reporting
import Risk
import TradingEngine

/// How a session stands at its end, for whoever judges whether it may simply be started again.
package struct SessionSnapshot: Hashable, Sendable {
    /// What it was at, in a few words: `trading`.
    package let step: String
    /// Why entries are halted, gravest cause first; empty while they are not.
    package let halts: [String]
    /// The symbols that take no entries until the user has looked.
    package let latched: [String]
    /// The numbers of the orders of which it is not known what became of them.
    package let unknownOrders: [Int64]
    /// The symbols of which executions are missing that the broker lists no more: until the user books them, cash and
    /// profit are provisional.
    package let provisional: [String]
    /// How many messages an executed order took on the session day, as Interactive Brokers counts; `nil` without orders.
    package let orderEfficiency: Double?
    /// The strategies with slow calls.
    package let slowStrategies: [SlowStrategy]

    /// A strategy of which calls took long.
    package struct SlowStrategy: Hashable, Sendable {
        /// Its name.
        package let name: String
        /// How many calls took more than 50 milliseconds.
        package let count: Int
        /// How long the longest took, by this machine's clock.
        package let longest: Duration
    }
    /// The state of the link to the broker: `READY`.
    package let link: String
    /// The condition of the line to the gateway, by its silence: `healthy`.
    package let line: String
    /// How old the newest data of each symbol are.
    package let dataAges: [DataAge.OfSymbol]

    /// How the session of a driver stands.
    ///
    /// - Parameter symbols: the session's, in the order of their instruments.
    init(of driver: SessionDriver, symbols: [String], at now: Timestamp) {
        let status = driver.status(at: now)
        step = status.step.words
        link = status.link.name
        line = "\(status.line)"
        dataAges = driver.dataAges(at: now).map {
            DataAge.OfSymbol(symbol: $0.symbol, age: $0.age)
        }
        let known = driver.withEngine { engine in
            (
                halts: engine.gate.haltCauses.map(\.word),
                latched: symbols.indices.filter {
                    engine.gate.isLatched(InstrumentID(index: $0))
                }.map { symbols[$0] },
                unknown: engine.orders.allLive.filter { order in
                    switch engine.orders.record(of: order)?.state {
                    case .unknown, .unacknowledged, .executionsMissing: true
                    case .working, .filled, .overfilled, .cancelled, .rejected, .notSent, .closed,
                        nil:
                        false
                    }
                }.map(\.number),
                provisional: engine.provisionalInstruments.map { Int($0.index) }
                    .filter { symbols.indices.contains($0) }.map { symbols[$0] }
            )
        }
        halts = known?.halts ?? []
        latched = known?.latched ?? []
        unknownOrders = known?.unknown ?? []
        provisional = known?.provisional ?? []
        orderEfficiency = driver.efficiency.ratio
        slowStrategies = driver.slowCalls.map {
            SlowStrategy(name: $0.name, count: $0.calls.count, longest: $0.calls.longest)
        }
    }
}

/// How old the newest data of an instrument are; `nil` for what is not asked for, or has not come.
package struct DataAge: Hashable, Sendable {
    /// Bars of five seconds.
    package let bars: Duration?
    /// Quotes.
    package let quotes: Duration?
    /// Trades.
    package let trades: Duration?

    /// The age under a symbol.
    package struct OfSymbol: Hashable, Sendable {
        /// The symbol.
        package let symbol: String
        /// How old its data are.
        package let age: DataAge
    }
}

extension BrokerLinkState {
    /// The name used in logs, pages and documents: `DATA_DEGRADED`.
    var name: String { DecisionWords.word(String(describing: self)) }
}

extension SessionDriver.Step {
    /// The step in a few words.
    var words: String {
        switch self {
        case .connecting: "connecting"
        case .qualifying(let missing): "looking up \(missing) contracts"
        case .synchronising: "reading orders and positions"
        case .warmingUp: "reading past bars"
        case .trading: "trading"
        }
    }
}
