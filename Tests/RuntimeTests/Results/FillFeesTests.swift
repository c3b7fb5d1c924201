import Catalog
import Model
import Primitives
import Reporting
import Signals
import Simulation
import Testing

@testable import Runtime

/// Intents a random position at every bar.
private struct Restless: Strategy {
    static let declaration = StrategyDeclaration(name: "restless", summary: "trades at random")
    private var random: SeededGenerator

    init(_ setup: StrategySetup) { random = SeededGenerator(seed: 0) }
    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        let shares = Int64.random(in: 0...3_000, using: &random)
        context.setTarget(Quantity(shares: shares), of: bar.instrument, because: "chance")
    }
}

@Suite struct FillFeesTests {
    private static let schedules: [CommissionSchedule] = [
        .ibkrFixed, .ibkrTiered, .percent(Percent(units: 5_000), minimum: Money(cents: 30)), .none,
    ]

    /// Property: to the cent, fill by fill, also where orders fill in parts and side by side.
    @Test(arguments: schedules, 0..<12 as Range<UInt64>)
    func partsAddUpToWhatWasBooked(schedule: CommissionSchedule, seed: UInt64) throws {
        var trial = Trial(
            [.walk(seed, 300, symbol: "A"), .walk(seed + 100, 300, symbol: "B")],
            Restless(seed: seed))
        for index in trial.series.indices {
            for row in trial.series[index].rows.indices {
                trial.series[index].rows[row].volume = Quantity(shares: 4_000)
            }
        }
        trial.venue.commission = schedule
        trial.venue.participation = Percent(10)
        let record = try trial.run()
        let fees = FillFees.all(of: record, under: schedule)
        #expect(fees.count == record.fills.count)
        #expect(fees.map(\.total) == record.fills.map(\.commission))
        for parts in fees {
            #expect(
                [parts.broker, parts.clearing, parts.sec, parts.taf].allSatisfy { $0 >= .zero })
        }
        // 400 of a bar: the orders do fill in parts.
        #expect(record.fills.count > record.orders.count)
        let totals = FeeTotals(of: record, fees)
        #expect(totals.all.total == record.fills.reduce(.zero) { $0 + $1.commission })
        #expect((totals.all.clearing > .zero) == (schedule == .ibkrTiered))
        #expect((totals.all.sec > .zero) == schedule.passesOnRegulatoryFees)
    }

    /// 1,000 shares bought and sold at 100.00 in January 2024. SEC: 8.00 a million of 100,000. TAF: 1,000
    /// · 0.000166. Fixed: 1,000 · 0.005. Tiered: 1,000 · 0.0035, and 1,000 · 0.0002 for clearing.
    @Test(
        arguments: [
            (.ibkrFixed, [5_00, 0, 80, 17], [5_00, 0, 0, 0]),
            (.ibkrTiered, [3_50, 20, 80, 17], [3_50, 20, 0, 0]),
        ] as [(CommissionSchedule, [Int64], [Int64])])
    func partsOfASaleAndOfAPurchase(
        schedule: CommissionSchedule, sale: [Int64], purchase: [Int64]
    ) throws {
        func fees(_ cents: [Int64]) -> FillFees {
            FillFees(
                broker: Money(cents: cents[0]), clearing: Money(cents: cents[1]),
                sec: Money(cents: cents[2]), taf: Money(cents: cents[3]))
        }
        var breakdown = FeeBreakdown(schedule)
        func parts(_ side: Side, order: Int64) -> FillFees {
            let execution = Execution(
                id: ExecutionID(base: order), instrument: InstrumentID(index: 0), side: side,
                quantity: Quantity(shares: 1_000), price: Price(cents: 100_00),
                time: Timestamp(seconds: 1_704_205_800))
            let parts = breakdown.parts(
                of: execution, in: OrderID(number: order), multiplier: 1)
            return FillFees(
                broker: parts.broker, clearing: parts.clearing, sec: parts.sec, taf: parts.taf)
        }
        #expect(parts(.buy, order: 1) == fees(purchase))
        #expect(parts(.sell, order: 2) == fees(sale))
    }

    /// Two orders of 150 and 250 shares in turns: each has its own minimum of 1.00, then 0.005 a share,
    /// of which the second order's comes to 1.25.
    @Test func ordersThatFillInTurnsKeepTheirOwnMinimum() {
        var breakdown = FeeBreakdown(.ibkrFixed)
        let fills: [(order: Int64, shares: Int64)] = [(1, 50), (2, 100), (1, 100), (2, 150)]
        let fees = fills.enumerated().map { index, fill in
            let execution = Execution(
                id: ExecutionID(base: Int64(index)), instrument: InstrumentID(index: 0), side: .buy,
                quantity: Quantity(shares: fill.shares), price: Price(cents: 100_00),
                time: Timestamp(seconds: 1_704_205_800))
            return breakdown.parts(of: execution, in: OrderID(number: fill.order), multiplier: 1)
                .total
        }
        #expect(fees == [1_00, 1_00, 0, 25].map(Money.init(cents:)))
    }

    @Test func yearsAreThoseOfNewYork() {
        var record = RunRecord.ofFills(at: [
            // The last evening of 2023 in New York is in 2024 elsewhere.
            Timestamp(seconds: 1_704_070_800), Timestamp(seconds: 1_704_205_800),
        ])
        record.strategies = ["one"]
        let fees = [FillFees(broker: Money(cents: 1)), FillFees(broker: Money(cents: 2))]
        let totals = FeeTotals(of: record, fees)
        #expect(totals.years.map(\.year) == [2023, 2024])
        #expect(totals.years.map(\.fees.broker) == [Money(cents: 1), Money(cents: 2)])
        #expect(totals.all.broker == Money(cents: 3))
    }
}

extension RunRecord {
    /// A run of which only when it traded is of interest.
    fileprivate static func ofFills(at times: [Timestamp]) -> RunRecord {
        RunRecord(
            instruments: [Instrument(id: InstrumentID(index: 0), symbol: "A")], strategies: [],
            reasons: [""], currency: "USD", startingCapital: .zero,
            fills: times.enumerated().map { index, time in
                FillRecord(
                    execution: Execution(
                        id: ExecutionID(base: Int64(index)), instrument: InstrumentID(index: 0),
                        side: .buy, quantity: Quantity(shares: 1), price: .zero, time: time),
                    order: OrderID(number: 1), strategy: StrategyID(index: 0), commission: .zero,
                    reason: .none)
            },
            orders: [], equity: [], finalEquity: .zero, openPositions: [], maxDrawdown: nil,
            barCount: 0, from: times[0], to: times[0], refusals: [], warnings: [], stateHash: 0)
    }
}
