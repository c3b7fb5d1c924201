import Catalog
import Model
import Primitives
import Reporting
import Signals
import Testing

/// Buys the cheaper one of its two instruments once.
private struct Pairs: Strategy {
    static let declaration = StrategyDeclaration(name: "pairs", summary: "buys the cheaper of two")

    private let own: [InstrumentID]
    /// By the ids of the run's instruments.
    private var closes: [Price?]

    init(_ setup: StrategySetup) {
        own = setup.instruments.map(\.id)
        closes = Array(repeating: nil, count: setup.universe.count)
    }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        #expect(own.contains(bar.instrument), "a bar of another strategy's instrument")
        closes[Int(bar.instrument.index)] = bar.close
        guard let first = closes[Int(own[0].index)], let second = closes[Int(own[1].index)],
            own.allSatisfy({ context.holding(of: $0).quantity == .zero })
        else { return }
        context.enter(.buy, first < second ? own[0] : own[1], because: "cheaper")
    }
}

/// A strategy's own instruments are distinct from those of the run.
@Suite struct OwnInstrumentsTests {
    /// Two pairs of four symbols. The second pair's ids, 2 and 3, are beyond the number of its own instruments.
    @Test func twoInstancesOfAPairTradeEachItsOwn() throws {
        let names = ["A", "B", "C", "D"]
        let universe = names.enumerated().map {
            Instrument(id: InstrumentID(index: $0), symbol: $1)
        }
        let shown = [Array(universe[0..<2]), Array(universe[2..<4])]
        let strategies = shown.map {
            Pairs(
                StrategySetup(
                    instruments: $0, universe: universe,
                    parameters: Parameters(defaultsOf: Pairs.declaration.parameters)))
        }
        // B is cheaper than A, C cheaper than D.
        let series = zip(names, [50_00, 40_00, 20_00, 30_00] as [Int64]).map { name, price in
            BarSeries.closes(Array(repeating: price, count: 6), symbol: name)
        }
        var trial = Trial(series, strategies[0], strategies[1])
        trial.shown = shown.map { $0.map(\.id) }
        let record = try trial.run()
        let traded = record.orders.map {
            [$0.ticket.request.strategy.index, $0.ticket.request.instrument.index].map(Int.init)
        }
        #expect(traded == [[0, 1], [1, 2]])
        #expect(record.orders.allSatisfy { $0.filled == Quantity(shares: 100) })
    }
}
