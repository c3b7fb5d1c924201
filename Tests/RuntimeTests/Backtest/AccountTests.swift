import Accounting
import Catalog
import Configuration
import MarketState
import Model
import Primitives
import Reporting
import Risk
import Signals
import Simulation
import Strategies
import Testing
import TradingEngine

@testable import Runtime

/// Buys whenever it has nothing, and sells whenever it has something.
private struct Restless: Strategy {
    static let declaration = StrategyDeclaration(name: "restless", summary: "never stays")

    init(_ setup: StrategySetup) {}
    init() {}

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        let holding = context.holding(of: bar.instrument)
        if holding.quantity > .zero {
            context.exit(bar.instrument, because: "has something")
        } else if holding.working == .zero {
            context.enter(.buy, bar.instrument, because: "has nothing")
        }
    }
}

/// Buys at its first bar, and from a later one on wants more.
private struct Holder: Strategy {
    static let declaration = StrategyDeclaration(name: "holder", summary: "wants more")
    private let patience: Int
    private var bars = 0

    init(_ setup: StrategySetup) { self.init() }
    init(buysMoreAfter bars: Int = .max) { patience = bars }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        bars += 1
        if bars == 1 { context.enter(.buy, bar.instrument, because: "first bar") }
        if bars > patience {
            context.setTarget(Quantity(shares: 200), of: bar.instrument, because: "more")
        }
    }
}

/// What the account's kind and its limits do to a run, and what the run says about it.
@Suite struct AccountTests {
    private func trial(_ closes: [Int64], barSize: Duration) -> Trial {
        var trial = Trial([.closes(closes, barSize: barSize)], Restless())
        trial.capital = Money(cents: 10_000_00)
        trial.sizing = .percentOfEquity(Percent(95))
        trial.limits = RiskLimits(overLimit: .reject)
        return trial
    }

    /// Days from 2024-01-02 14:30 UTC, a Tuesday, weekends too. Bought on the 3rd, sold on the 4th: settled
    /// on Monday the 8th, bought again then, sold on the 9th. In between it asks in vain: on the 5th, 6th,
    /// 7th, and on the 10th.
    @Test func aCashAccountWaitsForItsMoney() throws {
        var trial = trial(Array(repeating: 100_00, count: 8), barSize: .days(1))
        let borrowing = try trial.run()
        #expect(borrowing.fills.count == 7)
        #expect(borrowing.refusals.isEmpty)
        trial.account = { $0.settlement = SettlementCalendar() }
        let waiting = try trial.run()
        #expect(
            waiting.fills.map { $0.execution.time.day.description } == [
                "2024-01-03", "2024-01-04", "2024-01-08", "2024-01-09",
            ])
        #expect(
            waiting.refusals == [RefusalCount(reason: "not enough settled cash", count: 4)])
        #expect(waiting.warnings.isEmpty)
    }

    /// 99 of 100 shares at 100.00, half a percent of cash buffer, and fills 2 percent higher: 98 too much.
    @Test func overdraftsAreWarnedOf() throws {
        var trial = trial([100_00, 100_00, 100_00], barSize: .days(1))
        trial.sizing = .percentOfEquity(Percent(99))
        trial.venue.slippage = .basisPoints(Percent(2))
        trial.account = {
            $0.settlement = SettlementCalendar()
            $0.cashBuffer = CashBuffer(Percent(units: 500_000))
        }
        let record = try trial.run()
        #expect(
            record.warnings == [
                """
                1 x settled cash below zero: purchases cost more than \
                account.cash_buffer_pct sets aside
                """
            ])
    }

    /// 95 shares at 100.00: 10 % of 10,000 are lost at 89.47, and stay lost.
    @Test func aRunThatIsHaltedReportsIt() throws {
        var trial = trial([100_00, 100_00, 89_48, 89_47, 120_00, 120_00], barSize: .minutes(1))
        trial.strategies = [Holder(buysMoreAfter: 4)]
        trial.account = { $0.losses.drawdownPercent = Percent(10) }
        let record = try trial.run()
        #expect(record.haltCauses == ["drawdown"])
        // 95 · 10.53 = 1,000.35.
        #expect(
            record.breaches == [
                BreachRecord(
                    at: Timestamp(seconds: 1_704_205_800) + .minutes(4), cause: "drawdown",
                    figures: .percent(limit: Percent(10), value: Percent(units: 10_003_500)))
            ])
        #expect(record.orders.count == 1)
        #expect(record.refusals == [RefusalCount(reason: "halted: drawdown", count: 2)])
    }

    /// The same, with positions closed at the next open.
    @Test func aRunThatIsFlattenedEndsFlat() throws {
        var trial = trial([100_00, 100_00, 89_47, 80_00, 80_00], barSize: .minutes(1))
        trial.strategies = [Holder()]
        trial.account = {
            $0.losses.drawdownPercent = Percent(10)
            $0.losses.response = .flatten
        }
        let record = try trial.run()
        #expect(record.openPositions.isEmpty)
        #expect(
            record.fills.map(\.execution.price) == [Price(cents: 100_00), Price(cents: 89_47)])
        #expect(record.reasons[Int(record.fills[1].reason.index)] == "drawdown")
    }

    /// 150 shares at 100.00, 5,000 borrowed; at 40.00 equity is 1,000 and 1,500 are needed: 500 / 10 = 50
    /// shares go at the next open.
    @Test func aMarginCallSellsAtTheNextOpen() throws {
        var trial = trial([100_00, 100_00, 40_00, 40_00, 40_00], barSize: .minutes(1))
        trial.strategies = [Holder()]
        trial.sizing = .fixedShares(Quantity(shares: 150))
        trial.account = { $0.margin = .unitedStates }
        let record = try trial.run()
        #expect(
            record.fills.map(\.execution.signedQuantity) == [
                Quantity(shares: 150), Quantity(shares: -50),
            ])
        #expect(record.fills[1].execution.price == Price(cents: 40_00))
        #expect(record.breaches.map(\.cause) == ["maintenance margin"])
        #expect(record.haltCauses == ["maintenance margin"])
    }

    // MARK: From settings

    private func plan(_ set: String...) throws -> EngineSetup {
        let settings = try MinimalSettings.settings(set)
        let data = DataSet(
            series: [.closes([100_00, 100_00])], basis: .raw, stamp: .start, calendar: .newYork)
        return try BacktestPlan(settings, .bars(data)).setup.engine
    }

    @Test func settingsMakeACashAccount() throws {
        let cash = try plan("account.type=cash", "account.cash_buffer_pct=2.5")
        #expect(cash.settlement == SettlementCalendar())
        #expect(cash.cashBuffer == CashBuffer(Percent(units: 2_500_000)))
        #expect(cash.margin == nil && cash.limits?.initialMargin == nil)
        #expect(try plan().settlement == nil)
    }

    @Test func settingsLimitLosses() throws {
        let losses = try plan("risk.max_daily_loss_pct=2", "risk.on_breach=flatten").losses
        #expect(losses.dailyPercent == Percent(2))
        #expect(losses.response == .flatten)
        #expect(try plan("risk.limits=off").losses.areNone)
    }

    /// Where nothing can be borrowed, or anything may, nothing is watched.
    @Test func marginIsAskedForWhereItMatters() throws {
        #expect(try plan().margin == nil)
        #expect(try plan("risk.limits=off", "risk.allow_short=true").margin == nil)
        let leveraged = try plan("risk.max_leverage=2", "account.initial_margin_pct=60")
        let terms = MarginTerms(
            initial: Percent(60), maintenanceLong: Percent(25), maintenanceShort: Percent(30))
        #expect(leveraged.margin == terms)
        #expect(leveraged.limits?.initialMargin == Percent(60))
        #expect(try plan("risk.allow_short=true").margin == .unitedStates)
        #expect(try plan("account.maintenance_margin_pct=150").margin != nil)
    }

    @Test func debitsCostInterest() throws {
        #expect(try plan("account.debit_interest_pct=6").debitInterest == Percent(6))
    }
}
