import Accounting
import Catalog
import Configuration
import Foundation
import GatewayTestSupport
import MarketState
import Model
import Primitives
import Reporting
import Simulation
import TWSProtocol
import Testing
import TradingEngine

@testable import GatewaySimulator
@testable import Runtime

/// Sessions whose strategies see a bar a day.
@Suite struct DailySessionTests {
    /// A momentum strategy over daily bars that is shown every close and trades at the next open, in sizes that an
    /// opening's first trade fills.
    private static let rotation = """
        account: {type: margin, starting_capital: 10000}
        trading: {mode: sim, symbols: [AAPL, MSFT, AMZN, SPY], bar_size: 1d}
        strategies:
          - use: cross_sectional_momentum
            parameters: {lookback: 10, top: 2, invested_pct: 90, rebalance: bars, every: 2}
        backtest: {slippage: {model: none}, participation_pct: 0}
        """

    private static let calendar = SessionCalendar.newYork

    /// Days on which a session runs, from the open of the first to the night behind the last.
    private static func run(sessions: Int, seed: UInt64) throws -> (rig: SessionRig, days: [Day]) {
        let first = try #require(Day(year: 2024, month: 3, day: 5))
        let rig = try SessionRig(
            rotation, at: calendar.open(on: first), seed: seed, keepsHistory: true)
        var days = [first]
        while days.count < sessions {
            days.append(calendar.day(of: calendar.nextSession(after: days[days.count - 1]).open))
        }
        let end = calendar.close(on: days[days.count - 1]) + .minutes(60)
        try rig.pass(end - rig.now, inStepsOf: .minutes(1))
        return (rig, days)
    }

    /// EVT-01: over many sessions, with a holiday and a change of clocks among them, a session decides, orders and
    /// trades as a backtest of the same bars. `SOAK_SESSIONS` sets how many.
    @Test func aSessionOfDailyBarsDecidesAsABacktestDoes() throws {
        let requested = ProcessInfo.processInfo.environment["SOAK_SESSIONS"].flatMap { Int($0) }
        let (rig, days) = try Self.run(sessions: requested ?? 4, seed: 1)
        let session = try Parity.outcome(of: rig)
        #expect(session.bars.count == days.count * 4)
        #expect(Set(session.bars.map(\.end)) == Set(days.map { Self.calendar.close(on: $0) }))
        #expect(session.fills.count * 4 >= days.count * 3)
        let backtest = try Self.backtest(rig, session.bars)
        expectEqual(session.decisions, backtest.decisions)
        expectEqual(session.orders, backtest.orders)
        // Bars do not say which symbol's auction came first: fills are compared order by order.
        expectEqual(Self.byOrder(session.fills), Self.byOrder(backtest.fills))
        #expect(session.cash == backtest.cash)
        try rig.expectVerifiedJournal("days")
        try rig.expectEqualLedgers()
    }

    /// Fills by the number of their orders, each order's in the order in which they came.
    private static func byOrder(_ fills: [Parity.Fill]) -> [Parity.Fill] {
        fills.enumerated().sorted {
            ($0.element.order.number, $0.offset) < ($1.element.order.number, $1.offset)
        }.map(\.element)
    }

    /// The backtest of the bars that a session was shown.
    private static func backtest(_ rig: SessionRig, _ bars: [Bar]) throws -> Parity.Outcome {
        let symbols = rig.settings.trading.symbols
        let instruments = symbols.enumerated().map { index, symbol in
            Instrument(id: InstrumentID(index: index), symbol: symbol)
        }
        let series = symbols.enumerated().map { index, symbol in
            BarSeries(
                symbol: symbol, barSize: calendar.sessionLength,
                rows: bars.filter { $0.instrument == InstrumentID(index: index) }.map { bar in
                    BarRow(
                        start: bar.start, open: bar.open, high: bar.high, low: bar.low,
                        close: bar.close, volume: bar.volume)
                }, file: SourceFile(path: symbol, bytes: 0, modified: 0, inode: 0))
        }
        let data = DataSet(series: series, basis: .raw, stamp: .start, calendar: calendar)
        let setup = BacktestSetup(
            engine: try SessionStart.setup(rig.settings, instruments).engine,
            venue: VenueRules(rig.settings), latencies: .none, seed: 1)
        var backtest = Backtest(
            setup, MarketFeed(BarFeed(data, instruments: instruments.map(\.id))))
        let warmup = rig.history.batches.flatMap(\.events).compactMap {
            if case .history(let bar) = $0.kind { bar } else { nil }
        }
        try backtest.run(history: warmup)
        return Parity.outcome(of: &backtest)
    }

    /// A bar is asked for until two answers agree; what is decided then is in time for the next opening auction.
    @Test func aDayIsDecidedWhenItsBarsAreFinal() throws {
        let (rig, days) = try Self.run(sessions: 1, seed: 2)
        let close = Self.calendar.close(on: days[0])
        let shown = rig.history.batches.flatMap(\.events).filter {
            if case .bar = $0.kind { true } else { false }
        }
        #expect(shown.count == 4)
        #expect(shown.allSatisfy { $0.at >= close + DailyBars.interval + DailyBars.interval })
        #expect(shown.allSatisfy { $0.at < close + .minutes(30) })
        let asked = rig.gateway.received(.reqHistoricalData).count
        // Once for the past, once for its closes, and twice for the day, of each symbol.
        #expect(asked == 16)
        let orders = rig.gateway.received(.placeOrder)
        #expect(!orders.isEmpty)
        for message in orders {
            guard case .placeOrder(let order) = message else { continue }
            #expect(order.order.tif == .atTheOpening)
        }
    }

    /// A session that was not there at the close decides in the evening, and one that was there does not decide twice.
    @Test func aCloseIsDecidedAboutOnceWheneverTheSessionStarts() throws {
        let (rig, days) = try Self.run(sessions: 1, seed: 3)
        let close = Self.calendar.close(on: days[0])
        let sent = rig.gateway.received(.placeOrder).count
        #expect(sent > 0)
        try rig.crash()
        try rig.pass(.hours(2), inStepsOf: .minutes(1))
        #expect(rig.gateway.received(.placeOrder).count == sent)

        let late = try SessionRig(Self.rotation, at: close + .hours(4), seed: 3, keepsHistory: true)
        try late.pass(.minutes(5), inStepsOf: .seconds(10))
        let bars = late.history.batches.flatMap(\.events).compactMap {
            if case .bar(let bar) = $0.kind { bar } else { nil }
        }
        #expect(bars.map(\.end) == Array(repeating: close, count: 4))
        #expect(!late.gateway.received(.placeOrder).isEmpty)
    }

    /// A gateway that is away from the close until the market is open again: the bars are history, nothing is ordered.
    @Test func aCloseThatIsMissedIsHistory() throws {
        let first = try #require(Day(year: 2024, month: 3, day: 5))
        let rig = try SessionRig(
            Self.rotation, at: Self.calendar.open(on: first), keepsHistory: true)
        try rig.pass(.hours(6), inStepsOf: .minutes(1))
        try rig.gateway.fault(#"{"do":"restart","seconds":72000}"#)
        try rig.pass(.hours(20) + .minutes(10), inStepsOf: .minutes(1))
        try rig.pass(.hours(2), inStepsOf: .minutes(1))
        let close = Self.calendar.close(on: first)
        let shown = rig.history.batches.flatMap(\.events).filter { event in
            switch event.kind {
            case .bar(let bar), .history(let bar): bar.end == close
            default: false
            }
        }
        #expect(shown.count == 4)
        for event in shown {
            guard case .history = event.kind else {
                Issue.record("\(event) is decided about behind the open")
                continue
            }
        }
        #expect(rig.gateway.received(.placeOrder).isEmpty)
    }
}
