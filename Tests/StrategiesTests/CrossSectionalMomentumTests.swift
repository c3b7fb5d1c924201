import MarketState
import Model
import Primitives
import Signals
import TestSupport
import Testing

@testable import Strategies

@Suite struct CrossSectionalMomentumTests {
    /// One bar back, the best two, at every timestamp, every difference.
    private static let eager: [String: ParameterValue] = [
        "lookback": .integer(1), "top": .integer(2), "rebalance": .choice("bars"),
        "every": .integer(1), "band_pct": .number(0), "min_trade_usd": .integer(0),
    ]

    private func rehearse(
        _ values: [String: ParameterValue], instruments: Int = 4,
        calendar: SessionCalendar = .always
    ) throws -> Rehearsal {
        Rehearsal(
            try bundled(
                CrossSectionalMomentum.self, Self.eager.merging(values) { $1 },
                instruments: instruments),
            instruments: stocks(instruments), calendar: calendar)
    }

    /// The bars of one instant from closes in cents; `nil` for none.
    private func slice(_ slot: Int, _ closes: [Int64?]) -> [Bar] {
        closes.enumerated().compactMap { index, close in
            close.map { Make.bar(slot, open: $0, close: $0, instrument: index) }
        }
    }

    private func holds(_ intents: some Sequence<Rehearsal.RecordedIntent>) -> [String] {
        intents.map { intent in
            guard case .target(let quantity) = intent.goal else { return "not a target" }
            return "S\(intent.instrument.index) \(quantity)"
        }
    }

    /// Equity 100,000, so 50,000 each of two.
    @Test func holdsTheBestWithEqualWeightsInWholeShares() throws {
        var rehearsal = try rehearse([:])
        rehearsal.show(slice(0, [100_00, 100_00, 100_00, 100_00]))
        #expect(rehearsal.intents.isEmpty)
        // +1 %, +3 %, −1 %, +2 %: 50,000 / 103 = 485.4, 50,000 / 102 = 490.2.
        rehearsal.show(slice(1, [101_00, 103_00, 99_00, 102_00]))
        #expect(holds(rehearsal.intents) == ["S1 485", "S3 490"])
        // Now S0 and S2 rose: the others are sold before these are bought.
        let count = rehearsal.intents.count
        rehearsal.show(slice(2, [110_00, 103_00, 110_00, 102_00]))
        #expect(holds(rehearsal.intents.dropFirst(count)) == ["S1 0", "S3 0", "S0 454", "S2 454"])
    }

    /// +1 %, +3 %, +1 %, +2 %: of the two equal ones the first by symbol is the better.
    @Test func scoresOfAllAreNotedAndTiesGoBySymbol() throws {
        var rehearsal = try rehearse([:])
        rehearsal.show(slice(0, [100_00, 100_00, 100_00, 100_00]))
        #expect(rehearsal.notes.isEmpty)
        rehearsal.show(slice(1, [101_00, 103_00, 101_00, 102_00]))
        #expect(rehearsal.notes.map(\.instrument.index) == [1, 3, 0, 2])
        #expect(rehearsal.notes.map(\.rank) == [1, 2, 3, 4])
        let scores = rehearsal.notes.map { ($0.score * 1_000).rounded() }
        #expect(scores == [30, 20, 10, 10])
        // What is held is what the ranks say.
        #expect(holds(rehearsal.intents) == ["S1 485", "S3 490"])
    }

    /// The first time the buy of S2 finds no room: nothing of it is held or ordered afterwards.
    @Test func buysWithoutHeadroomAreAskedForAgainAfterTheSells() throws {
        var rehearsal = try rehearse(["every": .integer(9)], instruments: 3)
        rehearsal.show(slice(0, [100_00, 100_00, 100_00]))
        rehearsal.setHeld(500, of: 0)
        rehearsal.show(slice(1, [99_00, 101_00, 102_00]))
        #expect(holds(rehearsal.intents) == ["S0 0", "S1 495", "S2 490"])
        rehearsal.setHeld(0, of: 2)
        rehearsal.setHeld(500, working: -500, of: 0)
        rehearsal.show(slice(2, [99_00, 101_00, 102_00]))
        #expect(rehearsal.intents.count == 3)
        rehearsal.setHeld(0, of: 0)
        rehearsal.show(slice(3, [99_00, 101_00, 102_00]))
        #expect(holds(rehearsal.intents.dropFirst(3)) == ["S2 490"])
        rehearsal.setHeld(0, of: 2)
        rehearsal.show(slice(4, [99_00, 101_00, 102_00]))
        #expect(rehearsal.intents.count == 4)
    }

    @Test func equalReturnsGoBySymbol() throws {
        var rehearsal = try rehearse([:])
        rehearsal.show(slice(0, [100_00, 100_00, 200_00, 50_00]))
        rehearsal.show(slice(1, [99_00, 102_00, 204_00, 51_00]))
        #expect(holds(rehearsal.intents) == ["S1 490", "S2 245"])
    }

    @Test func investedPartIsSharedByTheBest() throws {
        var rehearsal = try rehearse(["invested_pct": .number(18)])
        rehearsal.show(slice(0, [100_00, 100_00, 100_00, 100_00]))
        // 9,000 each.
        rehearsal.show(slice(1, [101_00, 103_00, 99_00, 102_00]))
        #expect(holds(rehearsal.intents) == ["S1 87", "S3 88"])
    }

    @Test func differencesWithinTheBandAreLeftAlone() throws {
        var rehearsal = try rehearse(["band_pct": .number(20)])
        rehearsal.show(slice(0, [100_00, 100_00]))
        rehearsal.setHeld(420, of: 0)
        rehearsal.setHeld(400, of: 1)
        // The target is 500 of each: 80 are 16 % of it, 100 are 20 %.
        rehearsal.show(slice(1, [100_00, 100_00]))
        #expect(rehearsal.intents.isEmpty)
        rehearsal.setHeld(399, of: 1)
        rehearsal.show(slice(2, [100_00, 100_00]))
        #expect(holds(rehearsal.intents) == ["S1 500"])
    }

    @Test func smallTradesAreLeftOutButNotTheLastSale() throws {
        var rehearsal = try rehearse(["min_trade_usd": .integer(200)], instruments: 3)
        rehearsal.show(slice(0, [100_00, 100_00, 100_00]))
        rehearsal.setHeld(499, of: 0)
        rehearsal.setHeld(498, of: 1)
        rehearsal.setHeld(1, of: 2)
        // One share of S0 is worth 100, two of S1 200; of S2 nothing is to stay.
        rehearsal.show(slice(1, [100_00, 100_00, 99_00]))
        #expect(holds(rehearsal.intents) == ["S2 0", "S1 500"])
    }

    /// 1,000 shares at 100 are to be bought or sold, 100,000 in all; allowed are 40,000.
    @Test func tradesShrinkToTheTurnover() throws {
        var rehearsal = try rehearse(["max_turnover_pct": .number(40)], instruments: 3)
        rehearsal.show(slice(0, [100_00, 100_00, 100_00]))
        rehearsal.setHeld(500, of: 0)
        rehearsal.setHeld(500, of: 1)
        rehearsal.show(slice(1, [100_00, 99_99, 100_01]))
        // 500 of S1 at 99.99 and 499 of S2 at 100.01 are worth 99,899.99; 40,000 are 0.4004.
        #expect(holds(rehearsal.intents) == ["S1 300", "S2 199"])
    }

    @Test func whatHasNoBarsInTheSessionKeepsItsPlace() throws {
        var rehearsal = try rehearse([:], instruments: 3)
        let day = 24 * 60
        rehearsal.show(slice(0, [100_00, 100_00, 100_00]))
        rehearsal.setHeld(10, of: 0)
        // S0 is held and silent from here: one place is left, for S2.
        rehearsal.show(slice(day, [nil, 101_00, 102_00]))
        #expect(holds(rehearsal.intents) == ["S2 490"])
    }

    @Test func rebalancesEverySoManySlicesFromTheFirstPossibleOn() throws {
        var rehearsal = try rehearse(
            ["lookback": .integer(3), "every": .integer(4), "top": .integer(1)], instruments: 2)
        for index in 0..<20 {
            // The two take turns at being the better one.
            let (first, second) = index % 8 < 4 ? (100_00, 120_00) : (120_00, 100_00)
            rehearsal.show(slice(index, [Int64(first), Int64(second)]))
        }
        let positions = Set(
            rehearsal.intents.map { ($0.at - Make.open).nanoseconds / 60_000_000_000 - 1 })
        #expect(positions == [3, 7, 11, 15, 19])
    }

    /// At 0.00000001 a share, 50,000 would buy more than can be held; at no price nothing can be told.
    @Test func whatCannotBeSizedIsLeftAlone() throws {
        var rehearsal = try rehearse([:], instruments: 2)
        func bars(_ slot: Int) -> [Bar] {
            [Price(units: 1), .zero].enumerated().map { index, price in
                Bar(
                    instrument: InstrumentID(index: index), start: Make.time(60 * Int64(slot)),
                    barSize: .minutes(1), open: price, high: price, low: price, close: price,
                    volume: .zero)
            }
        }
        rehearsal.setHeld(5, of: 0)
        rehearsal.show(bars(0))
        rehearsal.show(bars(1))
        #expect(rehearsal.intents.isEmpty)
    }

    @Test func withoutEquityAllIsSold() throws {
        var rehearsal = try rehearse([:], instruments: 2)
        rehearsal.setEquity(Money(cents: -5))
        rehearsal.show(slice(0, [100_00, 100_00]))
        rehearsal.setHeld(5, of: 1)
        rehearsal.show(slice(1, [101_00, 102_00]))
        #expect(holds(rehearsal.intents) == ["S1 0"])
    }

    @Test func defaultsAreWeeklyTheBestFive() throws {
        let parameters = Parameters(defaultsOf: CrossSectionalMomentum.declaration.parameters)
        #expect(
            parameters.all.map { "\($0.declaration.name) \($0.value)" } == [
                "lookback 126", "top 5", "invested_pct 100.0", "threshold -1.0",
                "rebalance weekly", "every 21", "band_pct 20.0", "min_trade_usd 200",
                "max_turnover_pct 300.0",
            ])
        #expect(try bundled(CrossSectionalMomentum.self).warmupBars == 127)
    }

    /// Never more is bought and sold than the turnover allows, whatever the prices.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func turnoverIsNeverAboveItsLimit(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let percent = chance.number(in: 1...150)
        var rehearsal = try rehearse(
            ["max_turnover_pct": .number(Double(percent))], instruments: 6)
        var held = Array(repeating: 0 as Int64, count: 6)
        for index in held.indices {
            held[index] = chance.number(in: 0...400)
            rehearsal.setHeld(held[index], of: index)
        }
        rehearsal.show(slice(0, (0..<6).map { _ in chance.number(in: 1_00...500_00) }))
        let closes = (0..<6).map { _ in chance.number(in: 1_00...500_00) }
        rehearsal.show(slice(1, closes))
        var traded: Int64 = 0
        for intent in rehearsal.intents {
            guard case .target(let target) = intent.goal else { continue }
            let index = Int(intent.instrument.index)
            let shares = target.units / Quantity.unitsPerOne - held[index]
            traded += abs(shares) * closes[index]
        }
        // Equity is 100,000.00, in cents.
        #expect(traded <= 100_000 * percent)
    }
}
