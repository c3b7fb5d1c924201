import MarketState
import Model
import Primitives
import Runtime
import Signals

/// Strategies that tests of sessions bring along: each asks for one thing.
enum SessionStrategies {
    /// Calls `body` with these strategies in the catalog of the present task.
    static func available(_ body: () throws -> Void) rethrows {
        try StrategyCatalog.$local.withValue(
            [LimitBuyer.self, ShortSeller.self, HistoryReader.self, RogueStrategy.self],
            operation: body)
    }
}

/// A strategy that enters when it holds nothing, ten seconds behind a bar: a test can prepare the market for its order.
protocol LateEntrant: Strategy {
    /// Asks for an entry in an instrument of which nothing is held and no entry works.
    func enter(_ instrument: InstrumentID, _ context: inout StrategyContext)
}

extension LateEntrant {
    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        context.setTimer(Int(bar.instrument.index), at: context.now + .seconds(10))
    }

    mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {
        let instrument = InstrumentID(index: number)
        let holding = context.holding(of: instrument)
        guard holding.quantity == .zero, !holding.isEntering else { return }
        enter(instrument, &context)
    }
}

/// Buys at a limit a percent through the market.
struct LimitBuyer: LateEntrant {
    static let declaration = StrategyDeclaration(
        name: "limit_buyer", summary: "buys at a limit through the market")

    init(_ setup: StrategySetup) {}

    func enter(_ instrument: InstrumentID, _ context: inout StrategyContext) {
        guard let price = context.market.latestPrice(of: instrument) else { return }
        context.enter(
            .buy, instrument, using: .limit(Price(units: price.units + price.units / 100)),
            because: "a test")
    }
}

/// Sells short at the market.
struct ShortSeller: LateEntrant {
    static let declaration = StrategyDeclaration(
        name: "short_seller", summary: "sells short at the market")

    init(_ setup: StrategySetup) {}

    func enter(_ instrument: InstrumentID, _ context: inout StrategyContext) {
        context.enter(.sell, instrument, because: "a test")
    }
}

/// Keeps what it is told of past bars.
struct HistoryReader: Strategy {
    static let declaration = StrategyDeclaration(
        name: "history_reader", summary: "keeps what it is told of past bars")

    /// What it was told, in order.
    private(set) var coverage: [HistoryCoverage] = []

    init(_ setup: StrategySetup) {}

    var warmupBars: Int { 7 }

    mutating func historyCompleted(
        _ coverage: HistoryCoverage, _ context: inout StrategyContext
    ) {
        self.coverage.append(coverage)
    }
}

/// Asks for one share more fifty times at each bar, without an end.
struct RogueStrategy: Strategy {
    static let declaration = StrategyDeclaration(
        name: "rogue", summary: "sends as many orders as it can")

    private var asked: Int64 = 0

    init(_ setup: StrategySetup) {}

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        for _ in 0..<50 {
            asked += 1
            context.setTarget(
                Quantity(shares: asked), of: bar.instrument, because: "more and more")
        }
    }
}
