import Accounting
import ClientTestSupport
import Configuration
import GatewayTestSupport
import Model
import Orders
import Primitives
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// Rule 7, X5, X6, X7, E8, PRT-04, PRT-05: money and losses of the account that are not the program's doing.
@Suite struct AccountMovementTests {
    private func session(_ configuration: String = SessionRig.protected) throws -> SessionRig {
        let rig = try SessionRig(configuration, keepsHistory: true)
        // The account has more than the program may use.
        try rig.gateway.fault(#"{"do":"cash","amount":900000}"#)
        try rig.pass(until: "a position") { (try? rig.heldName()) != nil }
        return rig
    }

    private func equity(_ rig: SessionRig) throws -> Money {
        try #require(rig.driver.withEngine { $0.portfolio.equity.rounded() })
    }

    private func moved(_ rig: SessionRig, from batch: Int) throws -> [Decision] {
        try rig.decided(from: batch) { $0.topic == .accountCashMoved }
    }

    /// Payments in and out, fees: asked about once, with the amount; ours only once they are named.
    @Test(arguments: [(5_000, true), (-20_000, true), (-4.5, false)])
    func cashThatMovesIsAskedAbout(amount: Double, isTransfer: Bool) throws {
        let rig = try session()
        try rig.pass(.minutes(4))
        let batch = rig.history.batches.count
        let contributed = try #require(rig.driver.withEngine { $0.portfolio.contributed })
        try rig.gateway.fault(#"{"do":"cash","amount":\#(amount)}"#)
        try rig.pass(until: "a question", limit: .minutes(40)) {
            try !moved(rig, from: batch).isEmpty
        }
        let asked = try #require(try moved(rig, from: batch).first)
        #expect(asked.figures[.value]?.amount == Int64(amount * 1_000_000))
        #expect(asked.kind == .accountCashMoved(isTransfer ? .transfer : .fee))
        #expect((asked.kind.severity == .warning) == isTransfer)
        #expect(rig.driver.withEngine { $0.portfolio.contributed } == contributed)
        guard isTransfer else { return }
        let movement = CashMovement(.transfer, Money(units: Int64(amount * 1_000_000)))
        let before = try equity(rig)
        try rig.instruct(.cash(movement))
        #expect(try equity(rig) == before + movement.amount)
        // The high-water mark and the day's start move along: no loss is seen in it.
        try rig.pass(.minutes(10))
        #expect(try moved(rig, from: batch).count == 1)
        #expect(try rig.decided { $0.topic == .halted }.isEmpty)
    }

    /// An hour of trading in which nothing but trades happens: nothing is asked, and every figure agrees.
    @Test(arguments: 1...2)
    func tradesExplainThemselves(seed: Int) throws {
        let rig = try SessionRig(SessionRig.protected, seed: UInt64(seed), keepsHistory: true)
        try rig.gateway.fault(#"{"do":"cash","amount":900000}"#)
        try rig.pass(.minutes(75))
        #expect(rig.driver.fillCount > 2)
        #expect(try moved(rig, from: 0).isEmpty)
        #expect(try rig.decided { $0.topic == .accountDiffers }.isEmpty)
        let reported = rig.history.batches.flatMap(\.events).reduce(into: Set<AccountValue.Key>()) {
            if case .accountValue(let value) = $1.kind { $0.insert(value.key) }
        }
        #expect(
            reported.isSuperset(of: [
                .ownCurrencyCash, .netLiquidation, .unrealizedProfit, .realizedProfit,
            ]))
    }

    /// A payment while the program was away is found at the next start.
    @Test func cashThatMovedMeanwhileIsFound() throws {
        let rig = try session()
        try rig.pass(.minutes(4))
        let batch = rig.history.batches.count
        try rig.crash { try rig.gateway.fault(#"{"do":"cash","amount":3000}"#) }
        try rig.pass(until: "a question", limit: .minutes(40)) {
            try !moved(rig, from: batch).isEmpty
        }
        #expect(try moved(rig, from: batch).first?.figures[.value]?.amount == 3_000_000_000)
    }

    /// X7: the broker is about to liquidate: no entries, and what reduces still leaves.
    @Test func withoutMarginNothingIsEntered() throws {
        let rig = try SessionRig(SessionRig.protected, keepsHistory: true)
        try rig.pass(until: "a position") { (try? rig.heldName()) != nil }
        try rig.pass(.seconds(30))
        try rig.gateway.fault(#"{"do":"cash","amount":-98000}"#)
        try rig.pass(until: "a halt", limit: .minutes(10)) {
            try !rig.decided { $0 == .halted(.brokerMargin) }.isEmpty
        }
        let halted = rig.history.batches.count
        try rig.pass(.minutes(3))
        #expect(try rig.submitted(nil, .entry, from: halted).isEmpty)
        try rig.instruct(.flatten(.all))
        try rig.pass(until: "no position", limit: .minutes(2)) {
            try rig.settings.trading.symbols.allSatisfy { try rig.held($0) == .zero }
        }
        // With the positions closed the margin is there again.
        try rig.pass(until: "an end of the halt", limit: .minutes(1)) {
            try !rig.decided(from: halted) { $0 == .resumed(.brokerMargin) }.isEmpty
        }
    }

    /// X6: what is held cannot be traded any more: the user is called, and nothing is tried over and over.
    @Test func aSymbolThatCannotBeTradedIsNotTriedForever() throws {
        let rig = try session()
        try rig.pass(.seconds(30))
        let symbol = try rig.heldName()
        let batch = rig.history.batches.count
        try rig.gateway.fault(
            #"{"do":"refuse","kinds":["placeOrder"],"code":200,"text":"No security definition has been found for the request"}"#
        )
        try rig.gateway.fault(#"{"do":"cancel","orders":"each"}"#)
        try rig.pass(.minutes(20))
        let called = try rig.decided(symbol, from: batch) {
            $0 == .latched(.protectionFailed) || $0 == .protectionMissing
        }
        #expect(!called.isEmpty)
        #expect(try rig.submitted(symbol, .protection, from: batch).count <= 6)
        let flagged = try rig.decided(symbol, from: batch) {
            $0 == .conditionBegan(.contractUnknown)
        }
        #expect(flagged.count == 1)
    }

    /// E8: a stop fills while the program is away, and a day passes: the broker's list of executions has begun anew. The
    /// symbol waits for the user, and nothing is sent in it.
    @Test func anExecutionOfAnotherDayWaitsForTheUser() throws {
        let rig = try SessionRig(
            SessionRig.protected, at: Timestamp(seconds: 1_709_582_400), keepsHistory: true)
        try rig.pass(until: "a stop", limit: .minutes(55)) {
            try rig.gatewayOrders().contains { $0.type == "STP" && $0.isWorking }
        }
        try rig.pass(.seconds(20))
        let symbol = try #require(
            try rig.gatewayOrders().last { $0.type == "STP" && $0.isWorking }?.symbol)
        let held = try rig.held(symbol)
        let batch = rig.history.batches.count
        try rig.crash {
            // Of a stop and a target one fills: the gateway refuses to fill the other.
            _ = rig.gateway.control(#"{"do":"fill","orders":"each"}"#)
            for _ in 0..<(20 * 60 * 2) {
                rig.gateway.clock.advance(by: .seconds(30))
                _ = rig.gateway.clock.run()
            }
        }
        try rig.pass(.minutes(5))
        let called = try rig.decided(symbol, from: batch) { $0.severity == .critical }
        #expect(!called.isEmpty)
        #expect(try rig.submitted(symbol, .entry, from: batch).isEmpty)
        #expect(held > .zero)
    }

    /// O14: orders of ours that somebody else has cancelled: a warning, and a halt where that is configured.
    @Test(arguments: ForeignPolicy.allCases)
    func aCancelOfAnotherIsReported(policy: ForeignPolicy) throws {
        let rig = try session(
            SessionRig.protected.replacing(
                "starting_capital: 100000",
                with: "starting_capital: 100000, foreign_positions: \(policy.rawValue)"))
        try rig.pass(.seconds(30))
        let batch = rig.history.batches.count
        try rig.gateway.fault(#"{"do":"cancel","orders":"each"}"#)
        try rig.pass(.seconds(5))
        #expect(try !rig.decided(from: batch) { $0 == .finding(.cancelledOutside) }.isEmpty)
        let halts = try rig.decided(from: batch) { $0 == .halted(.foreignActivity) }
        #expect(halts.count == (policy == .halt ? 1 : 0))
    }

    /// Entries spend what the program may use and what is there: nothing is borrowed silently, whatever else the account
    /// has, in a cash account and in one that could borrow.
    @Test(arguments: ["cash", "margin"], 1...2)
    func nothingIsBorrowedSilently(type: String, seed: Int) throws {
        let rig = try SessionRig(
            SessionRig.rotation.replacing("type: margin", with: "type: \(type)")
                .replacing("invested_pct: 90", with: "invested_pct: 99"),
            seed: UInt64(seed), keepsHistory: true)
        try rig.pass(.minutes(45))
        #expect(rig.driver.fillCount > 3)
        var least = Money(cents: 10_000_000)
        for batch in rig.history.batches {
            for event in batch.events {
                guard case .accountValue(let value) = event.kind, value.key == .ownCurrencyCash
                else { continue }
                least = min(least, value.amount)
            }
        }
        #expect(least >= .zero, "\(least)")
    }
}
