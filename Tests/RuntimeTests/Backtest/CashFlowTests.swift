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

/// Buys 100 shares at its first bar and keeps them.
private struct Keeper: Strategy {
    static let declaration = StrategyDeclaration(name: "keeper", summary: "buys and keeps")

    init(_ setup: StrategySetup) {}
    init() {}

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        context.enter(.buy, bar.instrument, because: "there is a bar")
    }
}

@Suite struct CashFlowTests {
    private func flow(_ day: String, _ cents: Int64) throws -> CashFlowSettings {
        CashFlowSettings(day: try #require(Day(day)), amount: Money(cents: cents))
    }

    /// 10,000.00, and a bar a day from 2024-01-02 on.
    private func trial(_ closes: [Int64], _ flows: [CashFlowSettings]) -> Trial {
        var trial = Trial([.closes(closes, barSize: .days(1))], Keeper())
        trial.capital = Money(cents: 10_000_00)
        trial.cashFlows = flows
        return trial
    }

    /// 100 shares for 100.00 each on the 3rd are worth 11,000 at the end of the 4th. 11,000 come on the
    /// 5th. On the 6th the shares fall to 99.00: 22,000 become 20,900. 10,900 go on the 7th, and the
    /// shares rise to 108.90: 10,000 become 10,990.
    @Test func returnsAndDrawdownsDoNotSeePayments() throws {
        let record = try trial(
            [100_00, 100_00, 110_00, 110_00, 99_00, 108_90],
            [flow("2024-01-05", 11_000_00), flow("2024-01-07", -10_900_00)]
        ).run()
        #expect(record.finalEquity == Money(cents: 10_990_00))
        #expect(
            record.cashFlows.map(\.equityBefore) == [11_000_00, 20_900_00].map(Money.init(cents:)))
        let summary = PerformanceSummary(of: record, trades: RoundTrips(of: record))
        // 1.1 · 0.95 · 1.099.
        #expect(record.growth == ExactMoney(Money(units: 1_148_455)))
        #expect(abs((summary.totalReturn ?? 0) - 0.148455) < 1e-12)
        #expect(abs((summary.returns.totalReturn ?? 0) - 0.148455) < 1e-12)
        #expect(summary.netCashFlow == Money(cents: 100_00))
        #expect(summary.periods.worstDay?.day == Day("2024-01-06"))
        // From 22,000 to 20,900, not from 11,000.
        #expect(abs((record.maxDrawdown?.fraction ?? 0) - 0.05) < 1e-12)
    }

    /// The session of the 5th begins with its first bar; whatever comes then is there for its orders.
    @Test func paymentsComeAtTheFirstTimestampOfTheirSession() throws {
        let record = try trial([100_00, 100_00, 110_00, 110_00], [flow("2024-01-05", 50_00)]).run()
        let paid = try #require(record.cashFlows.first)
        #expect(paid.day == Day("2024-01-05"))
        #expect(paid.at == Timestamp(seconds: 1_704_465_000))
        #expect(record.equity.map(\.cash) == [10_000_00, 0, 0, 50_00].map(Money.init(cents:)))
    }

    /// The 6th and 7th are a weekend; the 5th is a Friday.
    @Test func aDayWithoutSessionPaysAtTheNext() throws {
        let friday = Timestamp(seconds: 1_704_465_000)
        var series = BarSeries.closes([100_00, 100_00, 100_00], barSize: .hours(1))
        series.rows[0].start = friday
        series.rows[1].start = friday + .days(3)
        series.rows[2].start = friday + .days(4)
        var trial = Trial([series], Keeper())
        trial.venue.calendar = .newYork
        trial.cashFlows = [try flow("2024-01-06", 1_00), try flow("2024-01-07", 2_00)]
        let record = try trial.run()
        #expect(record.cashFlows.map(\.day) == [Day("2024-01-08"), Day("2024-01-08")])
        #expect(record.cashFlows.map(\.amount) == [Money(cents: 1_00), Money(cents: 2_00)])
    }

    @Test func paymentsBeforeTheDataComeFirstAndThoseBehindItAreReported() throws {
        let record = try trial(
            [100_00, 100_00], [flow("2023-12-30", 5_00), flow("2024-02-01", 7_00)]
        ).run()
        #expect(record.cashFlows.map(\.amount) == [Money(cents: 5_00)])
        #expect(record.finalEquity == Money(cents: 10_005_00))
        #expect(
            record.warnings == [
                "1 payments from 2024-02-01 on did not happen: the data ended before"
            ])
    }

    /// All 10,000.00 are in shares. What goes all the same is borrowed.
    @Test func aWithdrawalBeyondTheCashOfAMarginAccountIsNamedADebt() throws {
        let record = try trial(
            [100_00, 100_00, 100_00, 100_00], [flow("2024-01-04", -500_00)]
        ).run()
        #expect(record.equity.last?.cash == Money(cents: -500_00))
        #expect(
            record.warnings == [
                "withdrawal of 500.00 on 2024-01-04 was more than the cash of 0.00: the rest is owed"
            ])
    }

    /// 12,000.00, 10,000 of them in shares: 3,000 are not there, 1,500 are.
    @Test func aWithdrawalBeyondTheCashOfACashAccountIsNotMade() throws {
        var trial = trial(
            [100_00, 100_00, 100_00, 100_00],
            [try flow("2024-01-04", -3_000_00), try flow("2024-01-05", -1_500_00)])
        trial.capital = Money(cents: 12_000_00)
        trial.account = { $0.settlement = SettlementCalendar() }
        let record = try trial.run()
        #expect(record.cashFlows.map(\.amount) == [Money(cents: -1_500_00)])
        #expect(record.equity.last?.cash == Money(cents: 500_00))
        #expect(
            record.warnings == [
                "withdrawal of 3000.00 on 2024-01-04 not made: the settled cash was 2000.00"
            ])
    }

    /// Property: what sessions' returns come to is what the ledger's own links say.
    @Test(arguments: 0..<30 as Range<UInt64>)
    func sessionReturnsCompoundToTheBooksReturn(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var price: Int64 = 100_00
        let closes = (0..<40).map { _ in
            price = max(10_00, price + Int64.random(in: -400...400, using: &random))
            return price
        }
        let first = try #require(Day("2024-01-02"))
        let flows = (0..<6).map { _ in
            CashFlowSettings(
                day: first.advanced(by: Int.random(in: 0...39, using: &random)),
                amount: Money(cents: Int64.random(in: -900_00...5_000_00, using: &random)))
        }.sorted { $0.day < $1.day }
        var trial = trial(closes, flows)
        trial.capital = Money(cents: 20_000_00)
        let record = try trial.run()
        #expect(record.cashFlows.count == 6)
        let summary = PerformanceSummary(of: record, trades: RoundTrips(of: record))
        let (own, portfolio) = (summary.returns.totalReturn, summary.totalReturn)
        #expect(abs(try #require(own) - #require(portfolio)) < 1e-9)
        let paid = try #require(summary.netCashFlow)
        #expect(record.finalEquity - record.startingCapital != paid)
    }
}
