import Model
import Orders
package import Primitives
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
                halts: engine.gate.haltCauses.map { "\($0.name)" },
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
                }.map(\.number)
            )
        }
        halts = known?.halts ?? []
        latched = known?.latched ?? []
        unknownOrders = known?.unknown ?? []
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
    /// The name used in logs, pages and documents.
    var name: String {
        switch self {
        case .down: "DOWN"
        case .handshake: "HANDSHAKE"
        case .sync: "SYNC"
        case .ready: "READY"
        case .upstreamLost: "UPSTREAM_LOST"
        case .dataDegraded: "DATA_DEGRADED"
        case .drain: "DRAIN"
        case .locked: "LOCKED"
        }
    }
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
