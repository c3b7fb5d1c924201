import Model
import Orders
import Primitives
import Signals
import Testing
import TradingEngine

@testable import Runtime

/// Buys what it does not hold every few bars, and leaves a timer for everything that it is notified of: the timer's number
/// says what it was. A timer changes nothing.
struct NotifiedStrategy: Strategy {
    private var bars: [Int]
    private let every: Int
    private let below: Double

    private static let everyParameter = Parameter.integer(
        "every", in: 1...1_000, default: 2, unit: "bars", "how many bars lie between two tries")
    private static let belowParameter = Parameter.number(
        "below_pct", in: 0...90, default: 0, unit: "percent",
        "how far the limit lies below the close; 0 is the market")

    static let declaration = StrategyDeclaration(
        name: "test_notified", summary: "buys, and leaves what it is notified of",
        parameters: [everyParameter.declaration, belowParameter.declaration])

    init(_ setup: StrategySetup) {
        bars = Array(repeating: 0, count: setup.universe.count)
        every = setup.parameters[Self.everyParameter]
        below = setup.parameters[Self.belowParameter]
    }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        let index = Int(bar.instrument.index)
        bars[index] += 1
        let holding = context.holding(of: bar.instrument)
        guard bars[index] % every == 0, holding.quantity == .zero, !holding.isEntering else {
            return
        }
        guard below > 0 else {
            return context.enter(.buy, bar.instrument, because: "it does not hold any")
        }
        // In whole cents.
        let cents = Int64(Double(bar.close.units) * (1 - below / 100) / 1_000_000)
        context.enter(
            .buy, bar.instrument, using: .limit(Price(cents: cents)),
            because: "it does not hold any")
    }

    mutating func orderEnded(_ end: OrderEnd, _ context: inout StrategyContext) {
        guard end.purpose == .entry else { return }
        let notice: Notice =
            switch end.outcome {
            case .rejected(let cause): .rejected(cause)
            case .cancelled(let cause): .cancelled(cause)
            case .notSent(let cause): .notSent(cause)
            case .notAtBroker: .notAtBroker
            }
        context.setTimer(notice.number, at: context.now)
    }

    mutating func changedOutside(_ change: OutsideChange, _ context: inout StrategyContext) {
        let notice: Notice =
            switch change.kind {
            case .position(let quantity): .position(shares: quantity.units / Quantity.unitsPerOne)
            case .order(let order): .order(order)
            }
        context.setTimer(notice.number, at: context.now)
    }

    /// Something that the strategy was notified of, as a timer's number.
    enum Notice: Hashable {
        case rejected(RejectCause)
        case cancelled(CancelCause)
        case notSent(NotSentCause)
        case notAtBroker
        case position(shares: Int64)
        case order(OrderID)

        private static let unit = 10_000_000
        private static let middle: Int64 = 5_000_000

        var number: Int {
            switch self {
            case .rejected(let cause): Self.unit + Int(cause.rawValue)
            case .cancelled(let cause): 2 * Self.unit + Int(cause.rawValue)
            case .notSent(let cause): 3 * Self.unit + Int(cause.rawValue)
            case .notAtBroker: 4 * Self.unit
            case .position(let shares): 5 * Self.unit + Int(Self.middle + shares)
            case .order(let order): 6 * Self.unit + Int(order.number)
            }
        }

        init?(number: Int) {
            let remainder = number % Self.unit
            switch number / Self.unit {
            case 1:
                guard let cause = RejectCause(rawValue: UInt8(remainder)) else { return nil }
                self = .rejected(cause)
            case 2:
                guard let cause = CancelCause(rawValue: UInt8(remainder)) else { return nil }
                self = .cancelled(cause)
            case 3:
                guard let cause = NotSentCause(rawValue: UInt8(remainder)) else { return nil }
                self = .notSent(cause)
            case 4: self = .notAtBroker
            case 5: self = .position(shares: Int64(remainder) - Self.middle)
            case 6: self = .order(OrderID(number: Int64(remainder)))
            default: return nil
            }
        }
    }

    /// A configuration of it.
    ///
    /// - Parameters:
    ///   - parameters: its own, as YAML.
    ///   - more: further keys of the strategy.
    static func configuration(
        _ parameters: String = "every: 2", symbols: String = "AAPL", more: String = ""
    ) -> String {
        """
        account: {type: margin, starting_capital: 100000}
        trading: {mode: sim, symbols: [\(symbols)], bar_size: 1m}
        strategies:
          - use: test_notified
            parameters: {\(parameters)}
            sizing: {method: percent_of_equity, equity_pct: 15}
        \(more)
        """
    }

    /// What gives its position a stop at the broker.
    static let stop = "    stop: {method: percent, price_pct: 3}"

    /// Calls `body` with a session of it.
    static func session(
        _ configuration: String = NotifiedStrategy.configuration(),
        _ body: (SessionRig) throws -> Void
    ) throws {
        try StrategyCatalog.$local.withValue([NotifiedStrategy.self]) {
            try body(try SessionRig(configuration, keepsHistory: true))
        }
    }
}

extension SessionRig {
    /// What a strategy was notified of from a batch on.
    func notices(from batch: Int = 0, of strategy: Int = 0) -> [NotifiedStrategy.Notice] {
        history.batches[batch...].flatMap(\.commands).compactMap { recorded in
            guard case .setTimer(let id, _) = recorded.command,
                id.strategy == StrategyID(index: strategy)
            else { return nil }
            return NotifiedStrategy.Notice(number: Int(id.number))
        }
    }

    /// Lets time pass until the session holds something of its first symbol, and its stop works where it has one.
    func passUntilHeld(protected isProtected: Bool = false) throws {
        try pass(until: "a position") {
            held(0) > .zero && (!isProtected || !working(.protection).isEmpty)
        }
        try pass(.seconds(20))
    }

    /// The terms of an order of ours.
    func request(of order: OrderID) -> OrderRequest? {
        driver.withEngine { $0.orders.request(of: order) } ?? nil
    }
}
