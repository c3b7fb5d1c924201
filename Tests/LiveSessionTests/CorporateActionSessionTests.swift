import Accounting
import Configuration
import Foundation
import GatewayTestSupport
import MarketState
import Model
import Orders
import Primitives
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// X4, X5, C-26: what companies do overnight, with and without the user's file.
@Suite struct CorporateActionSessionTests {
    /// A Monday, 15:00 in New York.
    private static let monday = Timestamp(seconds: 1_709_582_400)

    /// One position with a stop and no exits but those.
    private static let protected = SessionRig.protected
        .replacing("exit_threshold: -0.001", with: "exit_threshold: -0.5")
        .replacing("price_pct: 1}", with: "price_pct: 30}")
        .replacing("price_pct: 1.5", with: "price_pct: 60")

    private static func file(_ lines: String...) throws -> String {
        let path = NSTemporaryDirectory() + "martlet-actions-\(UUID().uuidString).csv"
        try (["day,symbol,kind,value"] + lines).joined(separator: "\n")
            .write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private static func configuration(_ actions: String?) -> String {
        guard let actions else { return protected }
        return protected.replacing(
            "bar_size: 1m", with: "bar_size: 1m, corporate_actions: \(actions)")
    }

    /// A session with protected positions, in the evening of its first day.
    private func evening(_ actions: String?) throws -> SessionRig {
        let rig = try SessionRig(
            Self.configuration(actions), at: Self.monday, keepsHistory: true)
        try rig.pass(until: "a protected position", limit: .minutes(55)) {
            guard let symbol = try? rig.heldName() else { return false }
            return (try? stop(symbol, in: rig)) ?? nil != nil
        }
        try rig.pass(
            to: rig.settings.backtest.calendar.close(on: Self.day) + .minutes(30),
            inStepsOf: Self.nightStep)
        return rig
    }

    private static let day = SessionCalendar.newYork.day(of: monday)

    /// How often a session is looked at while it waits for the next day.
    private static let nightStep = Duration.seconds(2)

    /// Ten minutes into the next day: brokers take splits in at night.
    private func midnight(_ rig: SessionRig) throws {
        try rig.pass(
            to: rig.settings.backtest.calendar.dayEnd(of: Self.day) + .minutes(10),
            inStepsOf: Self.nightStep)
    }

    private func nextMorning(_ rig: SessionRig, _ minutes: Int = 5) throws {
        let calendar = rig.settings.backtest.calendar
        let open = calendar.open(on: Self.day.advanced(by: 1))
        try rig.pass(to: open - .minutes(1), inStepsOf: Self.nightStep)
        try rig.pass(to: open + .minutes(Int64(minutes)))
    }

    /// The stop that works for a symbol at the gateway.
    private func stop(_ symbol: String, in rig: SessionRig) throws -> SessionRig.GatewayOrder? {
        try rig.gatewayOrders().last {
            $0.symbol == symbol && $0.isOurs && $0.type == "STP" && $0.isWorking
        }
    }

    /// Splits 4:1 and 1:10 overnight that the user's file names: position and stop are converted, nothing is latched,
    /// the stop at the old price does not fire, whether the broker cancels it or leaves it as it was.
    @Test(arguments: [(4, 1), (1, 10)], [true, false])
    func aSplitOfTheFileIsTakenIn(ratio: (new: Int, old: Int), keepsOrders: Bool) throws {
        let lines = ["AAPL", "AMZN", "MSFT", "SPY"].map {
            "\(Self.day.advanced(by: 1)),\($0),split,\(ratio.new):\(ratio.old)"
        }
        let path = try Self.file(lines[0], lines[1], lines[2], lines[3])
        defer { try? FileManager.default.removeItem(atPath: path) }
        let rig = try evening(path)
        let held = try Dictionary(
            uniqueKeysWithValues: rig.settings.trading.symbols.map { ($0, try rig.held($0)) })
        let batch = rig.history.batches.count
        try midnight(rig)
        for symbol in rig.settings.trading.symbols {
            try rig.gateway.fault(
                #"{"do":"split","symbol":"\#(symbol)","new":\#(ratio.new),"old":\#(ratio.old),"keep-orders":\#(keepsOrders)}"#
            )
        }
        try rig.gateway.fault(#"{"do":"restart","seconds":60}"#)
        try nextMorning(rig)
        #expect(try rig.decided(from: batch) { $0.topic == .latched }.isEmpty)
        for (symbol, former) in held where former > .zero {
            let shares = former.units / Quantity.unitsPerOne
            let whole = shares * Int64(ratio.new) / Int64(ratio.old)
            #expect(try rig.held(symbol) == Quantity(shares: whole), "\(symbol)")
            #expect(try stop(symbol, in: rig)?.remaining == Quantity(shares: whole), "\(symbol)")
        }
        // No stop has fired.
        let sold = try rig.gatewayOrders().filter { $0.type == "STP" && $0.filled > .zero }
        #expect(sold.isEmpty)
    }

    /// The same without the file: entries in the symbol wait, its orders at old prices are taken from the market, and
    /// when the user confirms the split, the stop is at the new price.
    @Test(arguments: [(4, 1), (1, 10)], [true, false])
    func anUnnamedSplitWaitsForTheUser(ratio: (new: Int, old: Int), keepsOrders: Bool) throws {
        let rig = try evening(nil)
        let symbol = try rig.heldName()
        let former = try rig.held(symbol).units / Quantity.unitsPerOne
        // The closes of the days before were taken in at the start; those of a day after a split show it.
        let batch = rig.history.batches.count
        try midnight(rig)
        try rig.gateway.fault(
            #"{"do":"split","symbol":"\#(symbol)","new":\#(ratio.new),"old":\#(ratio.old),"keep-orders":\#(keepsOrders)}"#
        )
        try rig.gateway.fault(#"{"do":"restart","seconds":60}"#)
        try nextMorning(rig, 3)
        let latches = try rig.decided(symbol, from: batch) { $0 == .latched(.closeDiffers) }
        #expect(latches.count == 1)
        #expect(latches.allSatisfy { $0.kind.severity == .critical })
        #expect(try rig.gatewayOrders().filter { $0.type == "STP" && $0.filled > .zero }.isEmpty)
        #expect(try stop(symbol, in: rig) == nil)
        #expect(try rig.submitted(symbol, .entry, from: batch).isEmpty)
        // The position without its stop is an alarm.
        #expect(try rig.decided(symbol, from: batch) { $0 == .protectionMissing }.isEmpty == false)
        let snapped = try #require(
            SplitRatio(
                snapping: Quantity(
                    units: Quantity.unitsPerOne * Int64(ratio.new) / Int64(ratio.old))))
        try rig.instruct(.confirmSplit(rig.instrument(symbol), snapped))
        try rig.pass(.seconds(40))
        let whole = former * Int64(ratio.new) / Int64(ratio.old)
        #expect(try rig.held(symbol) == Quantity(shares: whole))
        #expect(try stop(symbol, in: rig)?.remaining == Quantity(shares: whole))
        let protection = try rig.decided(symbol, from: batch) {
            $0 == .protectionMissing || $0 == .protectionRestored
        }
        #expect(protection.last?.kind == .protectionRestored)
    }

    /// X5: a dividend that the file names is booked on its day and expected; its payment is no news.
    @Test func aDividendOfTheFileIsBookedAndItsPaymentExplained() throws {
        let symbols = ["AAPL", "AMZN", "MSFT", "SPY"]
        let lines = symbols.map { "\(Self.day.advanced(by: 1)),\($0),dividend,0.50" }
        let path = try Self.file(lines[0], lines[1], lines[2], lines[3])
        defer { try? FileManager.default.removeItem(atPath: path) }
        let rig = try evening(path)
        let symbol = try rig.heldName()
        let shares = try rig.held(symbol)
        let others = try symbols.filter { try $0 != symbol && rig.held($0) != .zero }
        let income = { rig.driver.withEngine { $0.portfolio.profit.income.rounded() } }
        #expect(income() == .zero)
        let batch = rig.history.batches.count
        try nextMorning(rig, 1)
        let due = Money(units: (shares.units / Quantity.unitsPerOne) * 500_000)
        if others.isEmpty { #expect(income() == due) }
        try rig.gateway.fault(#"{"do":"dividend","symbol":"\#(symbol)","per-share":0.5}"#)
        try rig.pass(.minutes(12))
        let moved = try rig.decided(from: batch) { $0.topic == .accountCashMoved }
        #expect(moved.map(\.kind) == [.accountCashMoved(.dividend)])
        #expect(try rig.decided(from: batch) { $0.topic == .latched }.isEmpty)
    }

    /// Without the file its payment is cash that the user is asked about; strategies' books do not move.
    @Test func anUnnamedDividendIsAskedAbout() throws {
        let rig = try evening(nil)
        let symbol = try rig.heldName()
        let shares = try rig.held(symbol)
        let batch = rig.history.batches.count
        try rig.gateway.fault(#"{"do":"dividend","symbol":"\#(symbol)","per-share":0.77}"#)
        try rig.pass(.minutes(12))
        let moved = try rig.decided(from: batch) { $0.topic == .accountCashMoved }
        #expect(moved.count == 1)
        #expect(
            moved.first?.figures[.value]?.amount
                == shares.units / Quantity.unitsPerOne * 770_000)
        #expect(rig.driver.withEngine { $0.portfolio.profit.income.rounded() } == .zero)
    }

    /// A file with a line that is no action is refused with the line.
    @Test(arguments: [
        "2020-08-31,AAPL,split,x", "2020-08-31,AAPL,split,0:1", "2020-13-01,AAPL,split,4:1",
        "2020-08-31,AAPL,merger,4:1", "2020-08-31,AAPL,dividend,-1", "2020-08-31,,split,4:1",
        "2020-08-31,AAPL,split",
    ])
    func aLineThatIsNoActionIsRefused(line: String) {
        #expect(throws: RunFailure.self) {
            _ = try SessionActions.rows("day,symbol,kind,value\n\(line)\n", of: "actions.csv")
        }
    }

    /// Ratios as pairs and as decimal numbers, blank lines and remarks.
    @Test func aFileIsRead() throws {
        let rows = try SessionActions.rows(
            "day,symbol,kind,value\n# splits\n2020-08-31,AAPL,split,4:1\r\n\n2021-08-02,GE,split,0.125\n2020-08-07,AAPL,dividend,0.82\n",
            of: "actions.csv")
        #expect(rows.map { $0.symbol } == ["AAPL", "GE", "AAPL"])
        #expect(
            rows.map { $0.day }
                == ["2020-08-31", "2021-08-02", "2020-08-07"].compactMap { Day($0) })
        let four = try #require(SplitRatio(snapping: Quantity(shares: 4)))
        let eighth = try #require(SplitRatio(snapping: Quantity(units: 12_500_000)))
        #expect(
            rows.map { $0.kind } == [
                .split(four), .split(eighth), .dividend(perShare: Price(units: 82_000_000)),
            ])
    }
}
