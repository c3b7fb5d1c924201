import Accounting
import Model
import Primitives
import Reporting
import Testing

@Suite struct RoundTripsTests {
    private let instruments = RunRecord.uneventful.instruments

    @Test func buyingAndSellingIsALongTrade() throws {
        let trades = RoundTrips(
            of: [
                .sample(.buy, 100, atCents: 10_00, commission: Money(cents: 1_00), reason: 1),
                .sample(
                    .sell, 100, atCents: 11_50, minute: 90, commission: Money(cents: 1_00),
                    reason: 2),
            ], in: instruments)

        let trade = try #require(trades.closed.first)
        #expect(trades.closed.count == 1 && trades.open.isEmpty)
        #expect(trade.side == .buy)
        #expect(trade.quantity == Quantity(shares: 100))
        #expect(trade.entryPrice == Price(cents: 10_00))
        #expect(trade.exitPrice == Price(cents: 11_50))
        // 100 · (11.50 - 10.00) = 150, less 2 · 1.00.
        #expect(trade.grossProfit == Money(cents: 150_00))
        #expect(trade.commission == Money(cents: 2_00))
        #expect(trade.netProfit == Money(cents: 148_00))
        // 148 / 1000.
        #expect(trade.returnOnEntry == 0.148)
        #expect(trade.entryTime == opening)
        #expect(trade.exitTime == opening + .minutes(90))
        #expect(trade.duration == .minutes(90))
        #expect(trade.fillCount == 2)
        #expect(trade.entryReason == TextID(index: 1))
        #expect(trade.exitReason == TextID(index: 2))
    }

    @Test func sellingFirstIsAShortTrade() throws {
        let trades = RoundTrips(
            of: [
                .sample(.sell, 10, atCents: 50_00), .sample(.buy, 10, atCents: 45_00, minute: 1),
            ], in: instruments)

        let trade = try #require(trades.closed.first)
        #expect(trade.side == .sell)
        #expect(trade.entryPrice == Price(cents: 50_00))
        #expect(trade.exitPrice == Price(cents: 45_00))
        // 10 · (50 - 45) = 50, on 500.
        #expect(trade.netProfit == Money(cents: 50_00))
        #expect(trade.returnOnEntry == 0.1)
    }

    @Test func enlargingAndReducingStaysOneTrade() throws {
        let trades = RoundTrips(
            of: [
                .sample(.buy, 100, atCents: 10_00), .sample(.buy, 100, atCents: 11_00),
                .sample(.sell, 50, atCents: 12_00), .sample(.sell, 150, atCents: 13_00),
            ], in: instruments)

        let trade = try #require(trades.closed.first)
        #expect(trades.closed.count == 1)
        #expect(trade.quantity == Quantity(shares: 200))
        // (1000 + 1100) / 200 and (600 + 1950) / 200.
        #expect(trade.entryPrice == Price(cents: 10_50))
        #expect(trade.exitPrice == Price(cents: 12_75))
        #expect(trade.grossProfit == Money(cents: 450_00))
        #expect(trade.fillCount == 4)
    }

    @Test func quantityIsTheMostThatWasHeldAtOnce() throws {
        let trades = RoundTrips(
            of: [
                .sample(.buy, 100, atCents: 10_00), .sample(.sell, 60, atCents: 10_00),
                .sample(.buy, 30, atCents: 10_00), .sample(.sell, 70, atCents: 10_00),
            ], in: instruments)
        // 100, 40, 70, 0.
        #expect(trades.closed.map { $0.quantity } == [Quantity(shares: 100)])
    }

    @Test func crossingZeroClosesOneTradeAndOpensTheNext() throws {
        let trades = RoundTrips(
            of: [
                .sample(.buy, 100, atCents: 10_00),
                .sample(.sell, 250, atCents: 12_00, minute: 1, commission: Money(cents: 2_50)),
                .sample(.buy, 150, atCents: 11_00, minute: 2),
            ], in: instruments)

        #expect(trades.closed.map { $0.side } == [.buy, .sell])
        #expect(
            trades.closed.map { $0.quantity } == [Quantity(shares: 100), Quantity(shares: 150)])
        // 100 · 2 and 150 · 1.
        #expect(
            trades.closed.map { $0.grossProfit } == [Money(cents: 200_00), Money(cents: 150_00)])
        // 2.50 · 100/250 and 2.50 · 150/250.
        #expect(trades.closed.map { $0.commission } == [Money(cents: 1_00), Money(cents: 1_50)])
        #expect(trades.closed.map { $0.entryTime } == [opening, opening + .minutes(1)])
        #expect(trades.closed.map { $0.fillCount } == [2, 2])
    }

    @Test(arguments: [7, -7] as [Int64])
    func whatCannotBeDividedOfACommissionStaysWithTheClosedTrade(units: Int64) throws {
        let trades = RoundTrips(
            of: [
                .sample(.buy, 1, atCents: 10_00),
                .sample(.sell, 3, atCents: 10_00, commission: Money(units: units)),
            ], in: instruments)
        // 7 · 2/3 = 4.67: 4 for the new trade, 3 for the closed one.
        #expect(trades.closed.map { $0.commission } == [Money(units: units / 7 * 3)])
        #expect(trades.open.map { $0.commission } == [Money(units: units / 7 * 4)])
    }

    @Test func aContractsMultiplierCounts() throws {
        let trades = RoundTrips(
            of: [
                .sample(.buy, 2, atCents: 1_50, instrument: 1),
                .sample(.sell, 2, atCents: 2_00, instrument: 1),
            ], in: instruments)
        let trade = try #require(trades.closed.first)
        // 2 · 0.50 · 100 = 100, on 2 · 1.50 · 100 = 300.
        #expect(trade.grossProfit == Money(cents: 100_00))
        #expect(trade.returnOnEntry == 100.0 / 300.0)
        #expect(trade.entryPrice == Price(cents: 1_50))
    }

    /// 1 and 2 average to 1.5, 2 and 3 to 2.5: both round to 2.
    @Test(arguments: [1, 2] as [Int64])
    func averagePricesRoundHalfToEven(units: Int64) throws {
        let trades = RoundTrips(
            of: [
                .sample(.buy, Quantity(shares: 1), at: Price(units: units)),
                .sample(.buy, Quantity(shares: 1), at: Price(units: units + 1)),
                .sample(.sell, Quantity(shares: 2), at: Price(units: 0)),
            ], in: instruments)
        #expect(trades.closed.map { $0.entryPrice } == [Price(units: 2)])
    }

    @Test func strategiesAndInstrumentsAreKeptApart() {
        let trades = RoundTrips(
            of: [
                .sample(.buy, 10, atCents: 10_00, strategy: 0),
                .sample(.sell, 10, atCents: 11_00, strategy: 1),
                .sample(.buy, 10, atCents: 11_00, instrument: 1, strategy: 1),
            ], in: instruments)
        #expect(trades.closed.isEmpty)
        #expect(trades.open.map { $0.side } == [.buy, .sell, .buy])
        #expect(trades.open.map { $0.strategy.index } == [0, 1, 1])
    }

    @Test func executionsThatWereTakenBackAreLeftOut() {
        let trades = RoundTrips(of: [.sample(.buy, 0, atCents: 10_00)], in: instruments)
        #expect(trades.closed.isEmpty && trades.open.isEmpty)
    }

    /// 10 bought at 20.00 are 25 of 5 for 2, sold at 9.00.
    @Test func aSplitChangesSharesAndNoCosts() throws {
        var record = RunRecord.uneventful
        record.actions = [try split(5, 2, on: "2024-01-03", price: 20_00)]
        record.fills = [
            .sample(.buy, 10, atCents: 20_00), .sample(.sell, 25, atCents: 9_00, minute: 3_000),
        ]
        let trades = RoundTrips(of: record)
        let trade = try #require(trades.closed.first)
        #expect(trades.closed.count == 1 && trades.open.isEmpty)
        #expect(trade.quantity == Quantity(shares: 25))
        #expect(trade.entryPrice == Price(cents: 8_00) && trade.exitPrice == Price(cents: 9_00))
        #expect(trade.grossProfit == Money(cents: 25_00))
    }

    /// 25 sold short at 2.00 are 2.5 of 1 for 10: half a share costs 10.00, two are bought at 18.00.
    @Test func aFractionOfAShareIsPaidInCash() throws {
        var record = RunRecord.uneventful
        record.actions = [try split(1, 10, on: "2024-01-03", price: 2_00)]
        record.fills = [
            .sample(.sell, 25, atCents: 2_00), .sample(.buy, 2, atCents: 18_00, minute: 3_000),
        ]
        let trade = try #require(RoundTrips(of: record).closed.first)
        #expect(trade.grossProfit == Money(cents: 50_00 - 10_00 - 36_00))
        // 46.00 for 2.5 shares.
        #expect(trade.exitPrice == Price(cents: 18_40))
    }

    /// 5 of 1 for 10 are half a share: the trade ends with the split, and its path too.
    @Test func aSplitThatLeavesNoShareEndsTheTrade() throws {
        var record = RunRecord.uneventful
        record.actions = [try split(1, 10, on: "2024-01-03", price: 3_00)]
        record.fills = [
            .sample(.buy, 5, atCents: 2_00), .sample(.buy, 1, atCents: 30_00, minute: 3_000),
        ]
        let trades = RoundTrips(of: record)
        let trade = try #require(trades.closed.first)
        #expect(trade.grossProfit == Money(cents: 5_00) && trade.exitReason == .none)
        #expect(trade.exitTime == NewYork.timestamp(on: On.third, at: .zero))
        #expect(trades.open.map(\.held) == [Quantity(shares: 1)])
        let paths = TradePaths(of: record, in: Unknown())
        #expect(paths.closed.count == 1)
        #expect(paths.closed.first?.highest == Money(cents: 5_00))
    }

    private enum On {
        static let third = Day("2024-01-03") ?? Day(number: 0)
    }

    private struct Unknown: PriceHistory {
        func range(
            of instrument: InstrumentID, from start: Timestamp, to end: Timestamp
        ) -> PriceRange? { nil }

        func open(of instrument: InstrumentID, at start: Timestamp) -> Price? { nil }
    }

    /// `new` shares of AAPL for `old`, the last of which was worth so many cents.
    private func split(
        _ new: Int64, _ old: Int64, on day: String, price: Int64
    ) throws -> BookedAction {
        let quantity = Quantity(units: new * Quantity.unitsPerOne / old)
        let action = CorporateAction(
            instrument: InstrumentID(index: 0), exDay: try #require(Day(day)),
            kind: .split(try #require(SplitRatio(snapping: quantity))))
        return BookedAction(action, price: Price(cents: price))
    }

    @Test func aTradeThatCostNothingHasNoReturn() throws {
        let trades = RoundTrips(
            of: [.sample(.buy, 1, atCents: 0), .sample(.sell, 1, atCents: 5)], in: instruments)
        let trade = try #require(trades.closed.first)
        #expect(trade.netProfit == Money(cents: 5))
        #expect(trade.returnOnEntry == nil)
    }

    /// Property: trades' results are the change of equity, to the last of 16 decimals, and every
    /// printed row adds up.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func resultsOfAllTradesAreTheChangeOfEquity(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let marks = [Price(units: 1_234_567_891), Price(units: -98_765_432_109)]
        var equity = ExactMoney.zero
        let fills = (0..<400 as Range<Int64>).map { minute in
            let fill = FillRecord.random(minute: minute, from: &random)
            // Bought at the price and marked at the mark.
            let index = Int(fill.execution.instrument.index)
            let gain = marks[index] - fill.execution.price
            equity += gain * fill.execution.signedQuantity * instruments[index].multiplier
            equity -= ExactMoney(fill.commission)
            return fill
        }

        let trades = RoundTrips(of: fills, in: instruments)
        var sum = ExactMoney.zero
        for trade in trades.closed { sum += trade.exactNet }
        for trade in trades.open {
            sum += trade.exactNet(markedAt: marks[Int(trade.instrument.index)])
        }
        #expect(sum == equity)
        #expect(trades.closed.allSatisfy { $0.grossProfit - $0.commission == $0.netProfit })
        #expect(!trades.closed.isEmpty)
    }
}

extension FillRecord {
    /// Small multiples of a share or of a fraction of one, so that positions often return to zero
    /// or cross it. Some are of nothing: executions that were taken back, commission and all.
    fileprivate static func random(
        minute: Int64, from random: inout SeededGenerator
    ) -> FillRecord {
        let instrument = Int(random.next() % 2)
        let scale: Int64 = instrument == 0 ? Quantity.unitsPerOne : 12_345_678
        let lots = Int64(random.next() % 4)
        let commission = lots == 0 ? 0 : Int64(random.next() % 3_000_000) - 500_000
        return .sample(
            random.next() % 2 == 0 ? .buy : .sell, Quantity(units: lots * scale),
            at: Price(units: Int64(random.next() % 40_000_000_000) - 2_000_000_000),
            minute: minute, commission: Money(units: commission), instrument: instrument,
            strategy: Int(random.next() % 2))
    }
}
