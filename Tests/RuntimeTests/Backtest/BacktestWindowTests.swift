import Catalog
import Configuration
import MarketState
import Model
import Primitives
import Reporting
import Signals
import Simulation
import Testing
import TradingEngine

@testable import Runtime

/// Enters and exits when bars end at certain times.
private struct Clockwork: Strategy {
    static let declaration = StrategyDeclaration(name: "clockwork", summary: "trades by the clock")
    private var entry = Timestamp.distantPast
    private var exit = Timestamp.distantPast
    private var terms = OrderTerms.market

    init(_ setup: StrategySetup) {}

    init(entry: Timestamp, exit: Timestamp = .distantPast, using terms: OrderTerms = .market) {
        self.entry = entry
        self.exit = exit
        self.terms = terms
    }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        if bar.end == entry { context.enter(.buy, bar.instrument, using: terms, because: "entry") }
        if bar.end == exit { context.exit(bar.instrument, because: "exit") }
    }
}

/// Execution windows and working times from decision to fill. Times are New York's.
@Suite struct BacktestWindowTests {
    /// The instant of a reading in July 2024.
    private static func july(_ day: Int, _ hour: Int64, _ minute: Int64 = 0) throws -> Timestamp {
        NewYork.timestamp(
            on: try #require(Day(year: 2024, month: 7, day: day)),
            at: .minutes(hour * 60 + minute))
    }

    /// Half-hour bars of 2 July (13 of them), the 3rd (7: it closes at 13:00) and the 5th (13). Bar k
    /// opens at 100.00 + 0.10 k and closes 0.04 above.
    private static func halfHours() throws -> BarSeries {
        var starts: [Timestamp] = []
        for (day, count) in [(2, 13 as Int64), (3, 7), (5, 13)] {
            let open = try july(day, 9, 30)
            starts += (0..<count).map { open + .minutes(30 * $0) }
        }
        let rows = starts.enumerated().map { index, start in
            let open = Int64(100_00 + 10 * index)
            return BarRow(
                start: start, open: Price(cents: open), high: Price(cents: open + 5),
                low: Price(cents: open - 1), close: Price(cents: open + 4),
                volume: Quantity(shares: 1_000_000))
        }
        return BarSeries(
            symbol: "TEST", barSize: .minutes(30), rows: rows,
            file: SourceFile(path: "TEST", bytes: 0, modified: 0, inode: 0))
    }

    private static func run(
        _ window: ExecutionWindow, _ strategy: Clockwork
    ) throws -> RunRecord {
        var trial = Trial([try halfHours()], strategy)
        trial.venue = VenueRules(calendar: .newYork)
        trial.execution.window = window
        return try trial.run()
    }

    @Test func decisionInTheSessionTradesAtTheNextOpen() throws {
        let record = try Self.run(
            .open, Clockwork(entry: Self.july(2, 10), exit: Self.july(3, 13)))
        // Bar 13 opens at 101.30, bar 20 at 102.00.
        #expect(
            record.fills.map(\.execution.price) == [Price(cents: 101_30), Price(cents: 102_00)])
        #expect(
            record.fills.map(\.execution.time) == [
                try Self.july(3, 9, 30), try Self.july(5, 9, 30),
            ])
        // The first waited for the session's end, the second left at once.
        #expect(
            record.orders.map(\.submitted) == [try Self.july(2, 16), try Self.july(3, 13)])
    }

    @Test func decisionsTradeAtTheCloseAnEarlyOneToo() throws {
        let record = try Self.run(
            .close, Clockwork(entry: Self.july(3, 10), exit: Self.july(5, 15, 30)))
        // Bar 19 closes at 101.94, bar 32 at 103.24.
        #expect(
            record.fills.map(\.execution.price) == [Price(cents: 101_94), Price(cents: 103_24)])
        #expect(
            record.fills.map(\.execution.time) == [try Self.july(3, 13), try Self.july(5, 16)])
    }

    @Test func decisionsTradeHalfAnHourAfterTheOpen() throws {
        let record = try Self.run(
            .afterOpen(.minutes(30)), Clockwork(entry: Self.july(3, 13), exit: Self.july(5, 11)))
        // Bar 21 opens at 102.10. There is no session behind the last for the exit.
        #expect(record.fills.map(\.execution.price) == [Price(cents: 102_10)])
        #expect(record.fills.map(\.execution.time) == [try Self.july(5, 10)])
        #expect(
            record.warnings == ["1 intents were still held for their execution window at the end"])
    }

    /// 25 minutes after the open no half hour begins: the next one's open is the first price known.
    @Test func windowWithinABarTradesAtTheNextOpen() throws {
        let record = try Self.run(.afterOpen(.minutes(25)), Clockwork(entry: Self.july(2, 16)))
        #expect(record.orders.map(\.submitted) == [try Self.july(3, 9, 55)])
        #expect(record.fills.map(\.execution.time) == [try Self.july(3, 10)])
        #expect(record.fills.map(\.execution.price) == [Price(cents: 101_40)])
    }

    /// Of 1,000 shares in a daily bar a tenth is to be had: what the auction leaves ends with it, as
    /// what is left of a day's order ends with the day.
    @Test func dailyBarsTradeInTheAuctionAsAtTheOpen() throws {
        let days = try [2, 3, 5, 8].map { day in
            BarRow(
                start: try Self.july(day, 9, 30), open: Price(cents: Int64(100_00 + day)),
                high: Price(cents: 101_00), low: Price(cents: 99_00), close: Price(cents: 100_50),
                volume: Quantity(shares: 1_000))
        }
        let series = BarSeries(
            symbol: "TEST", barSize: .minutes(390), rows: days,
            file: SourceFile(path: "TEST", bytes: 0, modified: 0, inode: 0))
        var trial = Trial(
            [series], Clockwork(entry: try Self.july(2, 16), exit: try Self.july(5, 16)))
        trial.venue = VenueRules(calendar: .newYork)
        trial.venue.participation = Percent(5)
        let market = try trial.run()
        trial.execution.window = .open
        let auction = try trial.run()
        #expect(market.fills.map(\.execution) == auction.fills.map(\.execution))
        #expect(
            auction.fills.map(\.execution.price) == [Price(cents: 100_03), Price(cents: 100_08)])
        #expect(auction.fills.map(\.execution.quantity) == [50, 50].map(Quantity.init(shares:)))
        #expect(auction.orders.map(\.ticket.request.type) == [.marketOnOpen, .marketOnOpen])
    }

    // MARK: Working times

    /// Minutes that close at 100.00, 101.00 and 102.00, each opening at the close before. The first
    /// order is a limit at 100.00, the market then; within the second minute the price falls to 99.97.
    private static func limited(_ action: WorkingTimeLimit.Action?) throws -> RunRecord {
        let start = Timestamp(seconds: 1_704_205_800)
        var trial = Trial(
            [.closes([100_00, 101_00, 102_00, 103_00])],
            Clockwork(entry: start + .minutes(1), using: .limit(Price(cents: 100_00))))
        trial.execution.timeLimit = action.map { WorkingTimeLimit(.seconds(30), then: $0) }
        return try trial.run()
    }

    @Test func orderWithoutALimitMeetsTheWholeBar() throws {
        #expect(try Self.limited(nil).fills.map(\.execution.price) == [Price(cents: 100_00)])
    }

    /// What comes in a bar after its open is not known to come within 30 seconds.
    @Test func overdueOrderIsCancelledWithinTheBar() throws {
        let record = try Self.limited(.cancel)
        #expect(record.fills.isEmpty)
        #expect(record.orders.map(\.finishedAt) == [Timestamp(seconds: 1_704_205_800 + 90)])
    }

    @Test func overdueOrderGoesToTheMarket() throws {
        let record = try Self.limited(.escalate)
        #expect(
            record.orders.map(\.ticket.request.type) == [.limit(Price(cents: 100_00)), .market])
        #expect(record.fills.map(\.execution.price) == [Price(cents: 101_00)])
        #expect(record.fills.map(\.execution.time) == [Timestamp(seconds: 1_704_205_800 + 120)])
    }

    /// Sent at 60, 90 and 120 seconds; the price of 100.00 is known until 120, then 101.00.
    @Test func overdueOrderIsSentAtNewPrices() throws {
        let record = try Self.limited(.reprice(timesMax: 2))
        #expect(
            record.orders.map(\.ticket.request.type.limitPrice) == [
                Price(cents: 100_00), Price(cents: 100_00), Price(cents: 101_00),
            ])
        #expect(record.fills.isEmpty)
    }

    /// The order is sent at 60 seconds and comes a millisecond later, when the bar has begun that falls
    /// to 99.97. The next one does not.
    @Test func orderThatArrivesWithinABarMeetsNothingOfIt() throws {
        let start = Timestamp(seconds: 1_704_205_800)
        var trial = Trial(
            [.closes([100_00, 101_00, 102_00, 103_00])],
            Clockwork(entry: start + .minutes(1), using: .limit(Price(cents: 100_00))))
        trial.latencies.order = .fixed(.milliseconds(1))
        #expect(try trial.run().fills.isEmpty)
    }

    // MARK: From the settings

    private static func plan(_ assignments: [String], barSize: Duration) throws -> ExecutionPlan {
        let settings = try MinimalSettings.settings(assignments)
        var series = try halfHours()
        series = BarSeries(
            symbol: series.symbol, barSize: barSize, rows: series.rows, file: series.file)
        return try ExecutionPlan(
            settings,
            .bars(
                DataSet(
                    series: [series], basis: .raw, stamp: .start,
                    calendar: settings.backtest.calendar)))
    }

    @Test func windowFollowsTheBarsUnlessItIsConfigured() throws {
        let day = SessionCalendar.newYork.sessionLength
        #expect(try Self.plan([], barSize: day).rules.window == .open)
        #expect(try Self.plan([], barSize: .days(1)).rules.window == .open)
        #expect(try Self.plan([], barSize: .hours(1)).rules.window == .now)
        #expect(try Self.plan(["backtest.calendar=always"], barSize: .days(1)).rules.window == .now)
        #expect(try Self.plan(["execution.window=now"], barSize: day).rules.window == .now)
        #expect(
            try Self.plan(["execution.window=close"], barSize: .hours(1)).rules.window == .close)
    }

    @Test func rulesAreTheSettings() throws {
        let rules = try Self.plan(
            [
                "execution.open_cutoff_seconds=60", "execution.close_cutoff_seconds=0",
                "execution.outside_rth=true", "execution.order_timeout_seconds=5",
                "execution.on_timeout=escalate", "execution.maintenance=['09:05-09:10']",
            ], barSize: .hours(1)
        ).rules
        #expect(rules.openingCutoff == .minutes(1))
        #expect(rules.closingCutoff == .zero)
        #expect(rules.outsideRTH)
        #expect(rules.timeLimit == WorkingTimeLimit(.seconds(5), then: .escalate))
        #expect(rules.maintenance == [DailyInterval(from: .minutes(545), to: .minutes(550))])
        let left = try Self.plan(["execution.on_timeout=leave"], barSize: .hours(1)).rules
        #expect(left.timeLimit == nil)
    }

    @Test func windowThatBarsDoNotShowIsRefusedOrReported() throws {
        let window = "execution.window=open+45 min"
        #expect(throws: RunFailure.self) { try Self.plan([window], barSize: .minutes(390)) }
        #expect(try Self.plan([window], barSize: .minutes(15)).warnings.isEmpty)
        #expect(
            try Self.plan([window], barSize: .minutes(30)).warnings == [
                "1 symbols have no bar that begins with the execution window: their orders wait for "
                    + "the open of the next bar"
            ])
    }
}
