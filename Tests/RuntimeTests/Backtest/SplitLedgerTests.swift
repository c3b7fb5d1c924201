import Accounting
import Catalog
import MarketState
import Model
import Primitives
import Reporting
import Risk
import Signals
import Simulation
import TestSupport
import Testing
import TradingEngine

@testable import Runtime

/// Buys at one bar and asks once, at a later one, to be out.
private struct OnceInAndOut: Strategy {
    static let declaration = StrategyDeclaration(name: "once", summary: "in once, out once")

    let entry: Int
    let exit: Int
    let side: Side
    let terms: OrderTerms
    let protection: Protection?
    private var bars = 0

    init(_ setup: StrategySetup) { self.init(entry: 0, exit: 1) }
    init(
        entry: Int, exit: Int, side: Side = .buy, terms: OrderTerms = .market,
        protection: Protection? = nil
    ) {
        (self.entry, self.exit, self.side, self.terms) = (entry, exit, side, terms)
        self.protection = protection
    }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        if bars == entry {
            context.enter(side, bar.instrument, protectedBy: protection, because: "in")
        }
        if bars == exit { context.exit(bar.instrument, using: terms, because: "out") }
        bars += 1
    }
}

/// A second ledger, of a test's own: whole shares and cash in exact fractions of a price unit times a share.
private struct OwnLedger {
    /// Shares; negative is short.
    private(set) var shares: Int64 = 0
    /// In dollars; what a fraction of a share was paid is not a whole number of anything.
    private(set) var cash: Double

    mutating func trade(_ fill: FillRecord) {
        let count = fill.execution.quantity.units / Quantity.unitsPerOne
        let price = Double(fill.execution.price.units) / 1e8
        shares += fill.execution.side == .buy ? count : -count
        cash -= (fill.execution.side == .buy ? 1 : -1) * Double(count) * price
        cash -= Double(fill.commission.units) / 1e6
    }

    /// New shares for old ones; what is left of a share is paid at the close before.
    mutating func split(_ new: Int64, for old: Int64, at close: Price) {
        let product = shares * new
        let whole = product / old
        let remainder = Double(product - whole * old) / Double(old)
        cash += remainder * Double(close.units) / 1e8 * Double(old) / Double(new)
        shares = whole
    }
}

/// What splits do to orders and positions over whole runs, held to a ledger of the tests' own.
@Suite struct SplitLedgerTests {
    private static let instrument = InstrumentID(index: 0)

    /// Daily bars from 2024-01-02 on, sessions of New York, at so many cents.
    private static func days(_ cents: [Int64], volumes: [Int64]) -> BarSeries {
        var rows: [BarRow] = []
        var day = Day(year: 2024, month: 1, day: 1) ?? Day(number: 0)
        for (cents, volume) in zip(cents, volumes) {
            let session = SessionCalendar.newYork.nextSession(after: day)
            day = session.day
            rows.append(
                BarRow(
                    start: session.open, open: Price(cents: cents), high: Price(cents: cents),
                    low: Price(cents: cents), close: Price(cents: cents),
                    volume: Quantity(shares: volume)))
        }
        return BarSeries(
            symbol: "TEST", barSize: .minutes(390), rows: rows,
            file: SourceFile(path: "TEST", bytes: 0, modified: 0, inode: 0))
    }

    private static func split(_ ratio: SplitRatio, before row: BarRow) -> TimedAction {
        TimedAction(
            at: row.start,
            action: CorporateAction(
                instrument: instrument, exDay: SessionCalendar.newYork.day(of: row.start),
                kind: .split(ratio)))
    }

    private static func trial(_ series: BarSeries, _ strategy: OnceInAndOut) -> Trial {
        var trial = Trial([series], strategy)
        trial.venue = VenueRules(calendar: .newYork)
        return trial
    }

    // MARK: The eve of a split

    /// Asked at the close of the third day to be out, at the market or in an auction; three new shares for one at
    /// 30.00 before the fourth: 300 are sold at 10.00, by the same order, in the session it was for.
    @Test(arguments: [OrderTerms.market, .marketNow, .marketOnOpen, .marketOnClose])
    func anExitOnTheEveOfASplitIsDoneInNewShares(terms: OrderTerms) throws {
        let series = Self.days(
            [30_00, 30_00, 30_00, 10_00, 10_00], volumes: Array(repeating: 1_000_000, count: 5))
        for window in [ExecutionWindow.now, .open, .close] {
            var trial = Self.trial(series, OnceInAndOut(entry: 0, exit: 2, terms: terms))
            trial.execution.window = window
            trial.actions = [
                Self.split(
                    try #require(SplitRatio(snapping: Quantity(shares: 3))), before: series.rows[3])
            ]
            let record = try trial.run()
            #expect(record.fills.count == 2)
            let out = try #require(record.fills.last?.execution)
            #expect(out.quantity == Quantity(shares: 300))
            #expect(out.price == Price(cents: 10_00))
            #expect(SessionCalendar.newYork.day(of: out.time).description == "2024-01-05")
            #expect(record.orders.count == 2)
            #expect(record.openPositions.isEmpty)
        }
    }

    /// Days without sessions, so that each begins when the one before ends, and messages that take hours: a command
    /// on its way to the venue arrives in new shares; an answer and a bar on their way arrive before the split.
    @Test(arguments: [(0, 2, 0), (0, 0, 30), (2, 0, 0), (2, 2, 2)])
    func messagesOnTheirWayOverASplitAreOfTheRightShares(
        data: Int64, order: Int64, answer: Int64
    ) throws {
        var series = Self.days(
            Array(repeating: 30_00, count: 4) + Array(repeating: 10_00, count: 5),
            volumes: Array(repeating: 1_000_000, count: 9))
        series.barSize = .hours(24)
        for index in series.rows.indices {
            let day = (Day(year: 2024, month: 1, day: 2) ?? Day(number: 0)).advanced(by: index)
            let row = series.rows[index]
            series.rows[index] = BarRow(
                start: NewYork.timestamp(on: day, at: .zero), open: row.open,
                high: row.high, low: row.low, close: row.close, volume: row.volume)
        }
        var trial = Trial([series], OnceInAndOut(entry: 0, exit: 3))
        trial.latencies = Latencies(
            marketData: .fixed(.hours(data)), order: .fixed(.hours(order)),
            acknowledgement: .fixed(.hours(answer)))
        // The exit leaves with the bar that ends where the split takes effect.
        trial.actions = [
            Self.split(
                try #require(SplitRatio(snapping: Quantity(shares: 3))), before: series.rows[4])
        ]
        let record = try trial.run()
        let quantities = record.fills.map(\.execution.quantity)
        #expect(quantities == [Quantity(shares: 100), Quantity(shares: 300)])
        #expect(record.fills.last?.execution.price == Price(cents: 10_00))
        #expect(record.openPositions.isEmpty)
        #expect(record.orders.count == 2)
    }

    /// A stop at 27.00 is one at 2.70 of ten new shares for one, and sells all of them there.
    @Test func aStopOverASplitIsOfNewShares() throws {
        let series = Self.days(
            [30_00, 30_00, 3_00, 3_00, 2_60, 2_60],
            volumes: Array(repeating: 1_000_000, count: 6))
        var trial = Self.trial(
            series,
            OnceInAndOut(
                entry: 0, exit: .max,
                protection: Protection(stop: .away(.percent(Percent(10))))))
        trial.actions = [
            Self.split(
                try #require(SplitRatio(snapping: Quantity(shares: 10))), before: series.rows[2])
        ]
        let record = try trial.run()
        let out = try #require(record.fills.last?.execution)
        #expect(out.quantity == Quantity(shares: 1_000))
        // The open gapped over it.
        #expect(out.price == Price(cents: 2_60))
        #expect(record.orders.count == 2)
    }

    /// Ten million shares would become a hundred thousand million.
    @Test func aSplitThatIsTooLargeForTheLedgerIsReported() throws {
        let series = Self.days(
            [10_000_00, 10_000_00, 1_00, 1_00], volumes: Array(repeating: 1_000_000_000, count: 4))
        var trial = Self.trial(series, OnceInAndOut(entry: 0, exit: .max))
        trial.sizing = .fixedShares(Quantity(shares: 10_000_000))
        trial.actions = [
            Self.split(
                try #require(SplitRatio(snapping: Quantity(shares: 10_000))),
                before: series.rows[2])
        ]
        let warnings = try trial.run().warnings
        let isReported =
            warnings.first?.hasPrefix("TEST: the split 10000:1 of 2024-01-04 was not booked")
            == true
        #expect(isReported)
    }

    /// A tenth of the last volume goes, and the data ends.
    @Test func anExitThatIsNotDoneAtTheEndIsReported() throws {
        let series = Self.days(
            [30_00, 30_00, 30_00, 30_00, 30_00], volumes: [1_000, 1_000, 1_000, 100, 0])
        var trial = Self.trial(series, OnceInAndOut(entry: 0, exit: 2))
        trial.venue.participation = Percent(10)
        let record = try trial.run()
        #expect(record.openPositions.map(\.quantity) == [Quantity(shares: 90)])
        #expect(
            record.warnings == [
                "TEST: an exit was not done at the end, 90 shares were still held"
            ])
    }

    // MARK: Any ratio

    /// Ratios that a split can have: many for one, one for many, and some of small numbers.
    private static func ratio(_ chance: inout SeededGenerator) -> (new: Int64, old: Int64) {
        switch chance.number(in: 0...3) {
        case 0: (chance.number(in: 2...10_000), 1)
        case 1: (1, chance.number(in: 2...10_000))
        case 2: chance.one(of: [(3, 2), (2, 3), (5, 4), (7, 5), (21, 20), (10, 9), (1, 50)])
        default: (chance.number(in: 2...20), 1)
        }
    }

    /// Property: whatever is split, filled in parts or not at all, positions and equity are those of another
    /// ledger, nothing is ever sold that is not held, and a strategy that asks once to be out is out as soon as
    /// there was volume enough.
    @Test(arguments: 0..<2_000 as Range<UInt64>)
    func runsWithSplitsOfAnyRatioAgreeWithAnotherLedger(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed &+ 77_000)
        let count = 12
        let (new, old) = Self.ratio(&chance)
        let slot = Int(chance.number(in: 2...7))
        // Round numbers on either side of the split, none below a cent.
        let before = old > new ? 5_00 : 10 * new / old * chance.number(in: 100...200)
        let after = max(1, before * old / new)
        var cents: [Int64] = []
        var volumes: [Int64] = []
        for index in 0..<count {
            let base = index < slot ? before : after
            cents.append(max(1, base + base * chance.number(in: -20...20) / 1_000))
            let isDry = chance.chance(percent: 25)
            // Old and new shares trade for as much money.
            let volume = index < slot ? 3_000 : max(1, 3_000 * new / old)
            volumes.append(isDry ? 0 : volume * chance.number(in: 1...4))
        }
        for index in (count - 3)..<count { volumes[index] = 1_000_000_000 }
        let series = Self.days(cents, volumes: volumes)
        let exit = Int(chance.number(in: 1...8))
        let strategy = OnceInAndOut(
            entry: 0, exit: exit, side: chance.one(of: [.buy, .buy, .sell]),
            terms: chance.one(of: [.market, .marketNow, .market]),
            protection: chance.one(of: [
                nil, nil, Protection(stop: .away(.percent(Percent(60)))),
            ]))
        var trial = Self.trial(series, strategy)
        trial.sizing = .fixedShares(Quantity(shares: chance.number(in: 1...3_000)))
        trial.venue.participation = chance.one(of: [nil, Percent(10), Percent(25)])
        trial.venue.commission = chance.one(of: [.none, .ibkrFixed])
        trial.execution.window = chance.one(of: [.now, .open, .close])
        let decimal = Quantity(units: (new * Quantity.unitsPerOne * 2 / old + 1) / 2)
        let ratio = try #require(SplitRatio(snapping: decimal))
        trial.actions = [Self.split(ratio, before: series.rows[slot])]
        trial.account = { $0.calendar = .newYork }
        let record = try trial.run()

        var ledger = OwnLedger(cash: 1_000_000)
        var isSplit = false
        let sessionStart = series.rows[slot].start
        for fill in record.fills {
            if !isSplit, fill.execution.time >= sessionStart {
                ledger.split(ratio.new, for: ratio.old, at: series.rows[slot - 1].close)
                isSplit = true
            }
            let held = ledger.shares
            ledger.trade(fill)
            let isReducing = fill.execution.side != strategy.side
            if isReducing {
                #expect(ledger.shares.magnitude < held.magnitude, "\(seed): exits open nothing")
                #expect(ledger.shares == 0 || (ledger.shares > 0) == (held > 0))
            }
        }
        if !isSplit {
            ledger.split(ratio.new, for: ratio.old, at: series.rows[slot - 1].close)
        }
        let held = record.openPositions.first?.quantity.units ?? 0
        #expect(ledger.shares == held / Quantity.unitsPerOne)
        let last = Double(series.rows[count - 1].close.units) / 1e8
        let equity = ledger.cash + Double(ledger.shares) * last
        let booked = Double(record.finalEquity.units) / 1e6
        #expect(abs(equity - booked) < 1e-6 * max(1, abs(equity)) + 1e-4, "\(seed)")
        // There was volume for all of it in the last three sessions, and each exit had a session of its own.
        #expect(held == 0, "\(seed): asked once, out")
    }
}
