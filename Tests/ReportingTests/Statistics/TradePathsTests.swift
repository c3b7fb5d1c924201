import Accounting
import Model
import Primitives
import Reporting
import Testing

@Suite struct TradePathsTests {
    // MARK: Excursions

    /// Ten shares at 100: the low of 95 takes 50, the high of 108 gives 80.
    @Test func longTradesSufferLowsAndEnjoyHighs() throws {
        let path = try only(
            [.buy(10, at: 100, minute: 0), .sell(10, at: 102, minute: 3)],
            [.bar(0, 100, 95...101), .bar(1, 100, 99...108), .bar(2, 100, 100...103)])
        #expect(path.lowest == Money(cents: -50_00))
        #expect(path.highest == Money(cents: 80_00))
    }

    @Test func shortTradesSufferHighsAndEnjoyLows() throws {
        let path = try only(
            [.sell(10, at: 100, minute: 0), .buy(10, at: 102, minute: 3)],
            [.bar(0, 100, 95...101), .bar(1, 100, 99...108)])
        #expect(path.lowest == Money(cents: -80_00))
        #expect(path.highest == Money(cents: 50_00))
    }

    /// A loss at once and nothing else: the exit's own price is the worst, the entry the best.
    @Test func fillsCountWithoutBars() throws {
        let path = try only([.buy(10, at: 100, minute: 0), .sell(10, at: 99, minute: 1)], [])
        #expect(path.lowest == Money(cents: -10_00))
        #expect(path.highest == .zero)
    }

    /// The bars of minutes 0 and 3 are not whole between the fills of 00:30 and 03:30.
    @Test func onlyWholeBarsBetweenFillsCount() throws {
        let path = try only(
            [.buy(10, at: 100, second: 30), .sell(10, at: 100, second: 210)],
            [.bar(0, 100, 50...200), .bar(1, 100, 99...102), .bar(3, 100, 40...300)])
        #expect(path.lowest == Money(cents: -10_00))
        #expect(path.highest == Money(cents: 20_00))
    }

    /// Bars and fills of another instrument and strategy are not mixed in.
    @Test func instrumentsAndStrategiesAreApart() {
        var record = RunRecord.uneventful
        record.fills = [
            .sample(.buy, 1, atCents: 100_00), .sample(.buy, 1, atCents: 10_00, instrument: 1),
            .sample(.buy, 1, atCents: 101_00, strategy: 1),
            .sample(.sell, 1, atCents: 10_00, minute: 1, instrument: 1),
            .sample(.sell, 1, atCents: 100_00, minute: 1),
            .sample(.sell, 1, atCents: 100_00, minute: 1, strategy: 1),
        ]
        let paths = TradePaths(of: record, in: PriceTable([.bar(0, 100, 90...105)])).closed
        // The option's fills alone; 90 - 100 and 105 - 100; 90 - 101 and 105 - 101.
        #expect(paths.map(\.lowest) == [.zero, Money(cents: -10_00), Money(cents: -11_00)])
        #expect(paths.map(\.highest) == [.zero, Money(cents: 5_00), Money(cents: 4_00)])
    }

    /// 10 bought at 100 lose 50 at 95; behind the split, 20 gain 80 at 54.
    @Test func sharesOfASplitAreValuedAtThePricesOfTheirDay() throws {
        var record = RunRecord.uneventful
        let split = CorporateAction(
            instrument: InstrumentID(index: 0), exDay: try #require(Day("2024-01-03")),
            kind: .split(try #require(SplitRatio(snapping: Quantity(shares: 2)))))
        record.actions = [BookedAction(split, price: Price(cents: 100_00))]
        record.fills = [
            .sample(.buy, 10, atCents: 100_00), .sample(.sell, 20, atCents: 50_00, minute: 1_500),
        ]
        let path = PriceTable([.bar(0, 100, 95...104), .bar(1_440, 50, 48...54)])
        let paths = TradePaths(of: record, in: path).closed
        #expect(paths.map(\.lowest) == [Money(cents: -50_00)])
        #expect(paths.map(\.highest) == [Money(cents: 80_00)])
    }

    @Test func contractsHaveAMultiplier() throws {
        var record = RunRecord.uneventful
        record.fills = [
            .sample(.buy, 2, atCents: 5_00, instrument: 1),
            .sample(.sell, 2, atCents: 4_00, minute: 1, instrument: 1),
        ]
        #expect(
            TradePaths(of: record, in: PriceTable([])).closed.map(\.lowest) == [
                Money(cents: -200_00)
            ])
    }

    /// 1,900 paid for 20 shares, of which ten are sold at 95: worth 20 · 85 at the lowest, and
    /// 10 · 95 + 10 · 104 at the highest.
    @Test func addedAndReducedPositionsAreValuedAsHeld() throws {
        let path = try only(
            [
                .buy(10, at: 100, minute: 0), .buy(10, at: 90, minute: 1),
                .sell(10, at: 95, minute: 2), .sell(10, at: 103, minute: 3),
            ],
            [.bar(0, 100, 90...100), .bar(1, 90, 85...96), .bar(2, 95, 94...104)])
        #expect(path.lowest == Money(cents: -200_00))
        #expect(path.highest == Money(cents: 90_00))
    }

    /// Long 10 at 100; 15 sold at 98 close it and open 5 short, bought back at 97. The bar before
    /// belongs to the first trade, the one behind to the second.
    @Test func aFillThatCrossesZeroDividesPaths() {
        let paths = paths(
            [
                .buy(10, at: 100, minute: 0), .sell(15, at: 98, minute: 1),
                .buy(5, at: 97, minute: 2),
            ],
            [.bar(0, 100, 97...101), .bar(1, 98, 90...99)])
        #expect(paths.map(\.lowest) == [Money(cents: -30_00), Money(cents: -5_00)])
        #expect(paths.map(\.highest) == [Money(cents: 10_00), Money(cents: 40_00)])
    }

    @Test func openTradesHaveNoPathYet() {
        #expect(paths([.buy(10, at: 100, minute: 0)], [.bar(0, 100, 90...110)]).isEmpty)
    }

    // MARK: The bar of the exit

    /// A stop at 95 fills in the bar that falls to 90, told at its end: the position saw 95. That bar's
    /// high of 103 may have come first.
    @Test func aStopEndsTheFallOfItsBar() throws {
        let path = try only(
            [
                .buy(10, at: 100, minute: 0),
                .sell(10, at: 95, minute: 2, .stop(Price(cents: 95_00))),
            ],
            [.bar(0, 100, 98...101), .bar(1, 100, 90...103)])
        #expect(path.lowest == Money(cents: -50_00))
        #expect(path.highest == Money(cents: 30_00))
    }

    /// Before the stop was there, or raised, the price had been lower.
    @Test func aStopDoesNotUndoEarlierBars() throws {
        let path = try only(
            [
                .buy(10, at: 100, minute: 0),
                .sell(10, at: 95, minute: 2, .stop(Price(cents: 95_00))),
            ],
            [.bar(0, 100, 93...101), .bar(1, 100, 90...103)])
        #expect(path.lowest == Money(cents: -70_00))
    }

    /// Gapped over at the open of the next bar, which begins when the last one ends: that one counts.
    @Test func aStopThatWasGappedOverHadItsLastBarWhole() throws {
        let path = try only(
            [
                .buy(10, at: 100, minute: 0),
                .sell(10, at: 91, minute: 1, .stop(Price(cents: 95_00))),
            ],
            [.bar(0, 100, 96...101), .bar(1, 91, 80...92)])
        #expect(path.lowest == Money(cents: -90_00))
        #expect(path.highest == Money(cents: 10_00))
    }

    @Test func aLimitEndsTheRiseOfItsBar() throws {
        let limit = OrderType.limit(Price(cents: 110_00))
        let path = try only(
            [.buy(10, at: 100, minute: 0), .sell(10, at: 110, minute: 1, limit)],
            [.bar(0, 100, 97...115)])
        #expect(path.lowest == Money(cents: -30_00))
        #expect(path.highest == Money(cents: 100_00))
    }

    @Test func exitsOfShortTradesCutTheOtherWay() throws {
        let stop = OrderType.stop(Price(cents: 105_00))
        let stopped = try only(
            [.sell(10, at: 100, minute: 0), .buy(10, at: 105, minute: 1, stop)],
            [.bar(0, 100, 98...120)])
        #expect(stopped.lowest == Money(cents: -50_00))
        #expect(stopped.highest == Money(cents: 20_00))
        let limit = OrderType.limit(Price(cents: 90_00))
        let taken = try only(
            [.sell(10, at: 100, minute: 0), .buy(10, at: 90, minute: 1, limit)],
            [.bar(0, 100, 80...102)])
        #expect(taken.lowest == Money(cents: -20_00))
        #expect(taken.highest == Money(cents: 100_00))
    }

    /// An order at the market fills at the open of the next bar: the last one was held to its end.
    @Test func aMarketExitHasItsLastBarWhole() throws {
        let path = try only(
            [.buy(10, at: 100, minute: 0), .sell(10, at: 96, minute: 1)],
            [.bar(0, 100, 90...110), .bar(1, 96, 1...999)])
        #expect(path.lowest == Money(cents: -100_00))
        #expect(path.highest == Money(cents: 100_00))
    }

    /// A limit that enlarges the position does not end the fall for what is held already.
    @Test func entriesCutNothing() throws {
        let limit = OrderType.limit(Price(cents: 95_00))
        let path = try only(
            [
                .buy(10, at: 100, minute: 0), .buy(10, at: 95, minute: 1, limit),
                .sell(20, at: 100, minute: 2),
            ], [.bar(0, 100, 92...101)])
        #expect(path.lowest == Money(cents: -80_00))
    }

    // MARK: Slippage

    /// Ten bought 0.05 above the open, five sold 0.10 below the stop, five at 0.50 better than the
    /// limit: 0.50 + 0.50 - 2.50.
    @Test func slippageIsMeasuredAgainstOpenStopAndLimit() throws {
        let path = try only(
            [
                .buy(10, atCents: 100_05, minute: 0),
                .sell(5, atCents: 94_90, minute: 1, .stop(Price(cents: 95_00))),
                .sell(5, atCents: 96_50, minute: 2, .limit(Price(cents: 96_00))),
            ], [.bar(0, 100, 94...101)])
        #expect(path.slippage == Money(cents: -1_50))
    }

    /// Fifteen sold 0.20 below the open: ten of them, and five, with the 0.10 a share of the buys.
    @Test func slippageOfAFillThatCrossesZeroIsDivided() {
        let paths = paths(
            [
                .buy(10, atCents: 100_10, minute: 0), .sell(15, atCents: 97_80, minute: 1),
                .buy(5, atCents: 97_10, minute: 2),
            ], [.bar(0, 100, 98...101), .bar(1, 98, 97...98), .bar(2, 97, 97...97)])
        #expect(paths.map(\.slippage) == [Money(cents: 3_00), Money(cents: 1_50)])
    }

    @Test func slippageWithoutAReferencePriceIsUnknown() throws {
        let path = try only(
            [.buy(10, at: 100, minute: 0), .sell(10, at: 101, minute: 1)],
            [.bar(0, 100, 99...101)])
        #expect(path.slippage == nil)
    }

    // MARK: Properties

    /// Every trade has a path, and its gross profit lies within.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func grossProfitLiesBetweenTheExcursions(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var record = RunRecord.uneventful
        var bars: [PriceTable.Bar] = []
        for minute in 0..<60 {
            let low = Int64.random(in: 1...100, using: &generator)
            let high = low + Int64.random(in: 0...20, using: &generator)
            bars.append(.bar(Int64(minute), low, low...high))
            guard Bool.random(using: &generator) else { continue }
            let number = Int64(record.orders.count + 1)
            let price = Price(cents: low * 100)
            let type = [OrderType.market, .limit(price), .stop(price)]
                .randomElement(using: &generator)
            let side = Bool.random(using: &generator) ? Side.buy : .sell
            record.orders.append(.numbered(number, type: type ?? .market, side: side))
            record.fills.append(
                .of(
                    order: number, side, Int64.random(in: 1...5, using: &generator),
                    atCents: Int64.random(in: 1...12_000, using: &generator),
                    minute: Int64(minute), instrument: Int.random(in: 0...1, using: &generator)))
        }
        let trades = RoundTrips(of: record).closed
        let paths = TradePaths(of: record, in: PriceTable(bars)).closed
        #expect(paths.count == trades.count)
        for (trade, path) in zip(trades, paths) {
            let (lowest, highest) = (path.lowest ?? .zero, path.highest ?? .zero)
            #expect(lowest <= min(.zero, trade.grossProfit))
            #expect(highest >= max(.zero, trade.grossProfit))
        }
    }

    // MARK: Help

    private func only(_ fills: [Fill], _ bars: [PriceTable.Bar]) throws -> TradePath {
        let paths = paths(fills, bars)
        try #require(paths.count == 1)
        return paths[0]
    }

    private func paths(_ fills: [Fill], _ bars: [PriceTable.Bar]) -> [TradePath] {
        var record = RunRecord.uneventful
        for (index, fill) in fills.enumerated() {
            let number = Int64(index + 1)
            record.orders.append(.numbered(number, type: fill.type, side: fill.side))
            record.fills.append(
                FillRecord(
                    execution: Execution(
                        id: ExecutionID(base: number), instrument: InstrumentID(index: 0),
                        side: fill.side, quantity: Quantity(shares: fill.shares),
                        price: Price(cents: fill.cents), time: opening + .seconds(fill.second)),
                    order: OrderID(number: number), strategy: StrategyID(index: 0),
                    commission: .zero, reason: .none))
        }
        return TradePaths(of: record, in: PriceTable(bars)).closed
    }
}

/// A fill in short.
private struct Fill {
    let side: Side
    let shares: Int64
    let cents: Int64
    let second: Int64
    var type = OrderType.market

    static func buy(_ shares: Int64, at price: Int64, second: Int64) -> Fill {
        Fill(side: .buy, shares: shares, cents: price * 100, second: second)
    }

    static func sell(_ shares: Int64, at price: Int64, second: Int64) -> Fill {
        Fill(side: .sell, shares: shares, cents: price * 100, second: second)
    }

    static func buy(
        _ shares: Int64, at price: Int64, minute: Int64, _ type: OrderType = .market
    ) -> Fill { buy(shares, atCents: price * 100, minute: minute, type) }

    static func sell(
        _ shares: Int64, at price: Int64, minute: Int64, _ type: OrderType = .market
    ) -> Fill { sell(shares, atCents: price * 100, minute: minute, type) }

    static func buy(
        _ shares: Int64, atCents cents: Int64, minute: Int64, _ type: OrderType = .market
    ) -> Fill {
        Fill(side: .buy, shares: shares, cents: cents, second: minute * 60, type: type)
    }

    static func sell(
        _ shares: Int64, atCents cents: Int64, minute: Int64, _ type: OrderType = .market
    ) -> Fill {
        Fill(side: .sell, shares: shares, cents: cents, second: minute * 60, type: type)
    }
}

/// One-minute bars of the first instrument.
private struct PriceTable: PriceHistory {
    private let bars: [Bar]

    struct Bar {
        let start: Timestamp
        let open: Price
        let range: PriceRange

        /// Prices are in whole units.
        static func bar(_ minute: Int64, _ open: Int64, _ range: ClosedRange<Int64>) -> Bar {
            Bar(
                start: opening + .minutes(minute), open: Price(cents: open * 100),
                range: PriceRange(
                    low: Price(cents: range.lowerBound * 100),
                    high: Price(cents: range.upperBound * 100)))
        }
    }

    init(_ bars: [Bar]) { self.bars = bars }

    mutating func range(
        of instrument: InstrumentID, from start: Timestamp, to end: Timestamp
    ) -> PriceRange? {
        guard instrument == InstrumentID(index: 0) else { return nil }
        let whole = bars.filter { $0.start >= start && $0.start + .minutes(1) <= end }
        guard let low = whole.map(\.range.low).min(), let high = whole.map(\.range.high).max()
        else { return nil }
        return PriceRange(low: low, high: high)
    }

    mutating func open(of instrument: InstrumentID, at start: Timestamp) -> Price? {
        guard instrument == InstrumentID(index: 0) else { return nil }
        return bars.first { $0.start == start }?.open
    }
}
