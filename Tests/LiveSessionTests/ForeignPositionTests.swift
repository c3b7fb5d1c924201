import Accounting
import Configuration
import GatewayTestSupport
import Model
import Orders
import Primitives
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// PRT-11, X1, X2, C-13: positions, orders and trades in the account that are not ours, under each policy.
@Suite struct ForeignPositionTests {
    private func configuration(_ policy: ForeignPolicy) -> String {
        SessionRig.rotation.replacing(
            "starting_capital: 100000",
            with: "starting_capital: 100000, foreign_positions: \(policy.rawValue)")
    }

    /// A session in an account in which somebody has bought before.
    private func session(_ policy: ForeignPolicy) throws -> SessionRig {
        let rig = try SessionRig(configuration(policy), keepsHistory: true)
        for symbol in ["AAPL", "MSFT"] {
            try rig.gateway.fault(
                #"{"do":"trade","symbol":"\#(symbol)","side":"buy","quantity":50}"#)
        }
        return rig
    }

    /// The default: shown, counted, never touched, and its symbol gets no entries until the user adopts it.
    @Test func ignoredPositionsAreShownAndTheirSymbolsGetNoEntries() throws {
        let rig = try session(.ignore)
        try rig.pass(.minutes(40))
        for symbol in ["AAPL", "MSFT"] {
            #expect(try rig.foreign(symbol) == Quantity(shares: 50))
            #expect(try rig.held(symbol) == .zero)
            #expect(try rig.submitted(symbol).isEmpty)
            #expect(
                try rig.decided(symbol) { $0.severity >= .warning }.isEmpty == false)
            #expect(try rig.gatewayPosition(symbol) == Quantity(shares: 50))
        }
        // The rest is traded, with our own money.
        #expect(try rig.submitted(nil, .entry).isEmpty == false)
        let cash = try #require(rig.driver.withEngine { $0.portfolio.cash.rounded() })
        #expect(cash > .zero)
        let batch = rig.history.batches.count
        try rig.instruct(.adopt(rig.instrument("AAPL")))
        try rig.instruct(.adopt(rig.instrument("MSFT")))
        try rig.pass(.minutes(60))
        #expect(try rig.submitted("AAPL", .entry, from: batch).isEmpty == false)
        #expect(try rig.gatewayPosition("AAPL") - rig.held("AAPL") == Quantity(shares: 50))
    }

    /// Entries go on beside what is adopted; strategies own their own alone.
    @Test func adoptedPositionsDoNotKeepEntriesBack() throws {
        let rig = try session(.adopt)
        try rig.pass(.minutes(60))
        let entries = try rig.submitted("AAPL", .entry) + rig.submitted("MSFT", .entry)
        #expect(!entries.isEmpty)
        for symbol in ["AAPL", "MSFT"] {
            #expect(try rig.foreign(symbol) == Quantity(shares: 50))
            #expect(try rig.gatewayPosition(symbol) - rig.held(symbol) == Quantity(shares: 50))
        }
    }

    /// Everything waits for the user.
    @Test func aForeignPositionHaltsWhereThatIsConfigured() throws {
        let rig = try session(.halt)
        try rig.pass(.minutes(30))
        #expect(try rig.submitted().isEmpty)
        #expect(try rig.decided { $0 == .halted(.foreignActivity) }.count == 1)
        try rig.instruct(.resume(.foreignActivity))
        try rig.pass(.minutes(30))
        #expect(try rig.submitted("SPY", .entry).count + rig.submitted("AMZN", .entry).count > 0)
        #expect(try rig.submitted("AAPL").isEmpty)
    }

    /// X2, AIS-16: a trade by hand in what we hold is an alarm within five seconds, whatever the policy, and nothing is
    /// sent to mend it (AIS-12).
    @Test(arguments: ForeignPolicy.allCases, ["", #","client":99"#])
    func aPositionChangedByHandIsABreak(policy: ForeignPolicy, client: String) throws {
        let rig = try SessionRig(configuration(policy), keepsHistory: true)
        try rig.pass(until: "a position") { (try? rig.heldName()) != nil }
        try rig.pass(.seconds(45))
        let symbol = try rig.heldName()
        let ours = try rig.held(symbol)
        let (batch, traded) = (rig.history.batches.count, rig.now)
        let sent = rig.gateway.received(.placeOrder).count
        try rig.gateway.fault(
            #"{"do":"trade","symbol":"\#(symbol)","side":"sell","quantity":7\#(client)}"#)
        try rig.pass(.seconds(5))
        let latched = try rig.decided(symbol, from: batch) { $0.topic == .latched }
        #expect(latched.first.map { $0.at - traded <= .seconds(5) } == true)
        #expect(try rig.held(symbol) == ours)
        #expect(rig.gateway.received(.placeOrder).count == sent)
        let halts = try rig.decided(from: batch) { $0 == .halted(.foreignActivity) }
        #expect(halts.count == (policy == .halt ? 1 : 0))
        // The alarm is not repeated with every comparison.
        try rig.pass(.minutes(4))
        #expect(try rig.decided(symbol, from: batch) { $0.topic == .latched }.count <= 2)
    }

    /// X1, AIS-17: an order by hand is shown and counted, and neither changed nor cancelled; each is one of its own.
    @Test(arguments: ForeignPolicy.allCases)
    func ordersByHandAreNeverTouched(policy: ForeignPolicy) throws {
        let rig = try SessionRig(configuration(policy), keepsHistory: true)
        for (number, client) in ["", #","client":99"#, ""].enumerated() {
            try rig.gateway.fault(
                #"{"do":"order","symbol":"SPY","side":"buy","quantity":5,"limit":\#(number + 1)\#(client)}"#
            )
        }
        try rig.pass(.minutes(20))
        let spy = try rig.instrument("SPY")
        let open = try #require(rig.driver.withEngine { $0.orders.openForeign(in: spy) })
        #expect(open.buys == Quantity(shares: 15))
        #expect(try rig.decided { $0 == .finding(.foreignOrder) }.count == 3)
        let theirs = try rig.gatewayOrders().filter { !$0.isOurs }
        #expect(theirs.count == 3)
        #expect(theirs.allSatisfy { $0.isWorking && $0.cancels == "0" })
        let entries = try rig.submitted("SPY", .entry)
        if policy != .adopt { #expect(entries.isEmpty) }
        if policy == .halt { #expect(try rig.submitted().isEmpty) }
    }

    /// C-13, `foreign-trader`: strategies' books hold what our own orders have filled, and nothing else.
    @Test(arguments: ForeignPolicy.allCases, 1...2)
    func booksHoldOwnFillsOnly(policy: ForeignPolicy, seed: Int) throws {
        let rig = try SessionRig(
            configuration(policy), seed: UInt64(seed), keepsHistory: true)
        try rig.pass(until: "a position") { (try? rig.heldName()) != nil }
        try rig.gateway.play("foreign-trader", seed: UInt64(seed))
        try rig.pass(.minutes(20))
        try rig.pass(until: "nothing unknown", limit: .minutes(5)) { rig.unknownCount == 0 }
        let orders = try rig.gatewayOrders()
        for symbol in rig.settings.trading.symbols {
            let ours = orders.filter { $0.isOurs && $0.symbol == symbol }.reduce(Quantity.zero) {
                $0 + ($1.isBuy ? $1.filled : -$1.filled)
            }
            #expect(try rig.held(symbol) == ours, "\(symbol)")
            // What others' orders have filled without a word is a break where we hold something.
            let isLatched = try !rig.decided(symbol) { $0.topic == .latched }.isEmpty
            let isExplained =
                try rig.held(symbol) + rig.foreign(symbol) == rig.gatewayPosition(symbol)
            #expect(isExplained || isLatched, "\(symbol)")
        }
        #expect(orders.filter { !$0.isOurs }.allSatisfy { $0.cancels == "0" })
        try rig.expectNothingDoubled()
    }

    /// E7: a combination that is traded by hand: its legs are others' positions, each once, and its own line is none, even
    /// under the number of a leg; our positions stay as they are.
    @Test func aCombinationCountsByItsLegs() throws {
        let rig = try SessionRig(
            SessionRig.rotation.replacing("top: 2", with: "top: 1"), keepsHistory: true)
        try rig.pass(until: "a position") { (try? rig.heldName()) != nil }
        try rig.pass(.seconds(45))
        // Of the stocks that are not held.
        let legs = try #require(
            [("AAPL", 265_598), ("SPY", 756_733)].first { try rig.held($0.0) == .zero })
        let held = try rig.settings.trading.symbols.map { try rig.held($0) }
        let fills = rig.driver.fillCount
        // What the gateway says itself of the leg is replaced by what a combination's would be.
        try rig.gateway.fault(#"{"do":"swallow","kinds":["execDetails"],"seconds":1}"#)
        try rig.gateway.fault(
            #"{"do":"trade","symbol":"\#(legs.0)","side":"buy","quantity":50,"price":100}"#)
        var leg = ExecDetails()
        leg.contract.symbol = legs.0
        leg.contract.secType = .stock
        leg.contract.conId = ContractID(rawValue: Int32(legs.1))
        leg.execId = "0000e0d5.6512e1b1.02.01.01"
        leg.time = .epoch(rig.now.nanoseconds / 1_000_000_000)
        leg.account = AccountID("DU1234567")
        leg.side = .bought
        leg.shares = 50
        leg.price = 100
        leg.permId = 4711
        var line = leg
        line.contract.secType = .combo
        line.execId = "0000e0d5.6512e1b1.01.01"
        var corrected = leg
        corrected.execId = "0000e0d5.6512e1b1.02.01.02"
        for message in [line, leg, line, leg, corrected] {
            try rig.driver.take(
                [.gateway(.message(.execDetails(message), leftover: 0))], at: rig.now)
            rig.driver.commit(at: rig.now)
        }
        #expect(try rig.foreign(legs.0) == Quantity(shares: 50))
        try rig.pass(.seconds(30))
        #expect(try rig.foreign(legs.0) == rig.gatewayPosition(legs.0))
        #expect(try rig.settings.trading.symbols.map { try rig.held($0) } == held)
        // The leg was reported three times, and counts once; the line never.
        #expect(rig.driver.fillCount == fills + 3)
    }

    /// C-12, O17: a journal that knows nothing of what the account holds: it is the base, and our fills add to it.
    @Test func aNewJournalTakesTheAccountAsItFindsIt() throws {
        let rig = try session(.adopt)
        try rig.pass(.minutes(2))
        try rig.crash()
        try rig.pass(.minutes(30))
        for symbol in rig.settings.trading.symbols {
            #expect(
                try rig.held(symbol) + rig.foreign(symbol) == rig.gatewayPosition(symbol),
                "\(symbol)")
        }
    }
}
