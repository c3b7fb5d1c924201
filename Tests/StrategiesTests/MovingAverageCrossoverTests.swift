import MarketState
import Model
import Primitives
import Signals
import Strategies
import TestSupport
import Testing

@Suite struct MovingAverageCrossoverTests {
    private static let first = InstrumentID(index: 0)

    private func strategy(_ values: [(String, ParameterValue)], instruments: Int = 1) throws
        -> MovingAverageCrossover
    {
        var parameters = Parameters(defaultsOf: MovingAverageCrossover.declaration.parameters)
        for (name, value) in values { try parameters.set(name, to: value) }
        let all = (0..<instruments).map {
            Instrument(id: InstrumentID(index: $0), symbol: "S\($0)")
        }
        return try MovingAverageCrossover(StrategySetup(instruments: all, parameters: parameters))
    }

    /// What the strategy wants after each close, in cents, when `held` says what it holds then.
    private func intents(
        _ strategy: MovingAverageCrossover, closes: [Int64], held: (Int) -> Int64
    ) -> [Intent.Goal?] {
        var strategy = strategy
        var context = StrategyContext(instruments: Make.instruments("AAA"), strategyCount: 1)
        return closes.enumerated().map { index, close in
            context.requests.removeAll()
            context.setHolding(
                StrategyContext.Holding(quantity: Quantity(shares: held(index))), of: Self.first,
                for: StrategyID(index: 0))
            strategy.barClosed(Make.bar(index, open: close, close: close), &context)
            guard context.requests.count <= 1 else { return .cancelEntries }  // never wanted
            guard !context.requests.isEmpty, case .intent(let intent, _) = context.requests[0]
            else {
                return nil
            }
            return intent.goal
        }
    }

    // MARK: Parameters

    @Test func defaultsAreTenAndThirtySimple() {
        let parameters = Parameters(defaultsOf: MovingAverageCrossover.declaration.parameters)
        #expect(parameters.all.map(\.declaration.name) == ["fast", "slow", "average"])
        #expect(parameters.all.map(\.value) == [.integer(10), .integer(30), .choice("sma")])
        #expect(MovingAverageCrossover.declaration.name == "ma_crossover")
    }

    @Test(arguments: [(30, 30), (31, 30), (10, 2)])
    func fastMustBeBelowSlow(fast: Int, slow: Int) {
        #expect(throws: ParameterError.conflict("fast (\(fast)) must be below slow (\(slow))")) {
            try strategy([("fast", .integer(fast)), ("slow", .integer(slow))])
        }
    }

    @Test func shortestLengthsAreOneAndTwo() throws {
        #expect(try strategy([("fast", .integer(1)), ("slow", .integer(2))]).warmupBars == 2)
        #expect(throws: ParameterError.self) { try strategy([("fast", .integer(0))]) }
        #expect(throws: ParameterError.self) { try strategy([("slow", .integer(5_001))]) }
        #expect(throws: ParameterError.self) { try strategy([("average", .choice("wma"))]) }
    }

    // MARK: Decisions

    /// Averages of 2 and 3 closes:
    ///
    /// | close | 10 | 10 | 10 | 13 | 13 | 7  | 7  | 10    |
    /// | fast  |    | 10 | 10 | 11.5 | 13 | 10 | 7 | 8.5  |
    /// | slow  |    |    | 10 | 11 | 12 | 11 | 9  | 8     |
    @Test func buysAboveSellsBelowAndKeepsStillWhenEqual() throws {
        let crossover = try strategy([("fast", .integer(2)), ("slow", .integer(3))])
        let closes: [Int64] = [10, 10, 10, 13, 13, 7, 7, 10]
        let flat = intents(crossover, closes: closes) { _ in 0 }
        #expect(
            flat == [nil, nil, nil, .enter(.buy), .enter(.buy), nil, nil, .enter(.buy)])
        let long = intents(crossover, closes: closes) { _ in 100 }
        #expect(long == [nil, nil, nil, nil, nil, .exit, .exit, nil])
    }

    @Test func equalAveragesChangeNothingWhateverIsHeld() throws {
        // 1/3 and 1/10 have no exact binary form: sums of 10 and 30 equal cents must tie all the same.
        let crossover = try strategy([])
        let closes = Array(repeating: 100_01 as Int64, count: 60)
        for held in [0, 100] as [Int64] {
            #expect(intents(crossover, closes: closes) { _ in held }.allSatisfy { $0 == nil })
        }
    }

    /// Weight 2/3 from the mean of two: 10, 10 | 13: 12, 7: 8.666…; slow weight 1/2 from the mean of
    /// three: 11, 9.
    @Test func exponentialAveragesDecideWhenChosen() throws {
        let crossover = try strategy([
            ("fast", .integer(2)), ("slow", .integer(3)), ("average", .choice("ema")),
        ])
        let closes: [Int64] = [10, 10, 13, 7]
        #expect(intents(crossover, closes: closes) { _ in 0 } == [nil, nil, .enter(.buy), nil])
        #expect(intents(crossover, closes: closes) { _ in 5 } == [nil, nil, nil, .exit])
    }

    @Test func instrumentsHaveAveragesOfTheirOwn() throws {
        var crossover = try strategy(
            [("fast", .integer(1)), ("slow", .integer(2))], instruments: 2)
        var context = StrategyContext(instruments: Make.instruments("AAA", "BBB"), strategyCount: 1)
        // The first rises from 10 to 11, the second falls from 50 to 49.
        for (index, prices) in [(0, (10, 50)), (1, (11, 49))] as [(Int, (Int64, Int64))] {
            crossover.barClosed(Make.bar(index, open: prices.0, close: prices.0), &context)
            crossover.barClosed(
                Make.bar(index, open: prices.1, close: prices.1, instrument: 1), &context)
        }
        guard context.requests.count == 1, case .intent(let intent, _) = context.requests[0] else {
            Issue.record("one wish, for the first instrument")
            return
        }
        #expect(intent.instrument == Self.first)
        #expect(intent.goal == .enter(.buy))
    }

    // MARK: The bundle

    @Test func bundledNamesAreUniqueAndDefaultsAreAllowed() throws {
        let declarations = BundledStrategies.all.map { $0.declaration }
        #expect(Set(declarations.map(\.name)).count == declarations.count)
        for declaration in declarations {
            for parameter in declaration.parameters {
                #expect(parameter.allows(parameter.defaultValue), "\(declaration.name)")
                #expect(!parameter.summary.isEmpty)
            }
            #expect(Set(declaration.parameters.map(\.name)).count == declaration.parameters.count)
        }
    }

    @Test func bundledStrategiesStartWithTheirDefaults() throws {
        for type in BundledStrategies.all {
            let parameters = Parameters(defaultsOf: type.declaration.parameters)
            let setup = StrategySetup(
                instruments: Make.instruments("AAA", "BBB"), parameters: parameters)
            #expect(try type.init(setup).warmupBars >= 0)
        }
    }
}
