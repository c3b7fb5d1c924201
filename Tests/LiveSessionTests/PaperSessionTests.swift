import ClientTestSupport
import GatewaySimulator
import GatewayTestSupport
import Model
import Orders
import Primitives
import TWSClient
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// CON-04, ORD-08, AIS-16, AIS-17: sessions in mode paper.
@Suite struct PaperSessionTests {
    private static func paper(_ configuration: String) -> String {
        configuration.replacing("mode: sim", with: "mode: paper")
    }

    /// C-13, X1, X2, X3: an account in which others hold, order, trade, change and cancel all the while. Books hold what
    /// our own orders have filled, what others own is not touched, what is held stays protected, and a crash changes
    /// nothing of that.
    @Test func foreignActivityLeavesAPaperSessionsBooksAlone() throws {
        let rig = try SessionRig(Self.paper(SessionRig.protected), keepsHistory: true)
        try rig.gateway.fault(#"{"do":"trade","symbol":"SPY","side":"buy","quantity":50}"#)
        for client in ["", #","client":99"#] {
            try rig.gateway.fault(
                #"{"do":"order","symbol":"SPY","side":"buy","quantity":5,"limit":1\#(client)}"#)
        }
        try rig.pass(until: "protection that works") { !rig.working(.protection).isEmpty }
        try rig.pass(.seconds(30))
        #expect(try rig.foreign("SPY") == Quantity(shares: 50))
        // A stop is moved, a position is sold in part, and orders are cancelled: all of it by hand.
        let stop = try #require(
            rig.working(.protection).first { rig.request(of: $0)?.type.stopPrice != nil })
        let moved = try #require(rig.request(of: stop)?.type.stopPrice) - Price(cents: 250)
        let instrument = try #require(rig.request(of: stop)?.instrument)
        let symbol = rig.symbols[Int(instrument.index)]
        try rig.gateway.fault(
            #"{"do":"amend","orders":"each","symbol":"\#(symbol)","stop":\#(moved)}"#)
        try rig.pass(.seconds(5))
        #expect(rig.request(of: stop)?.type == .stop(moved))
        try rig.gateway.fault(#"{"do":"trade","symbol":"\#(symbol)","side":"sell","quantity":1}"#)
        try rig.pass(.seconds(5))
        #expect(try !rig.decided(symbol) { $0.topic == .latched }.isEmpty)
        try rig.gateway.fault(#"{"do":"cancel","orders":"last"}"#)
        try rig.pass(.minutes(1))
        try rig.gateway.play("foreign-trader", seed: 3)
        try rig.pass(.minutes(8))
        try rig.crash()
        try rig.pass(.minutes(8))
        _ = rig.gateway.control("{\"do\":\"stop\"}")
        try rig.pass(until: "nothing unknown", limit: .minutes(5)) { rig.unknownCount == 0 }
        try expectOwnFillsOnly(rig)
        #expect(rig.gateway.violations.isEmpty)
        try rig.expectNothingDoubled()
        try rig.expectVerifiedJournal("paper-with-foreign-activity")
    }

    private func expectOwnFillsOnly(_ rig: SessionRig) throws {
        let orders = try rig.gatewayOrders()
        let theirs = orders.filter { !$0.isOurs }
        #expect(theirs.count >= 3)
        #expect(theirs.allSatisfy { $0.cancels == "0" })
        #expect(orders.contains { $0.isOurs && $0.filled > .zero })
        for symbol in rig.symbols {
            let ours = orders.filter { $0.isOurs && $0.symbol == symbol }.reduce(Quantity.zero) {
                $0 + ($1.isBuy ? $1.filled : -$1.filled)
            }
            #expect(try rig.held(symbol) == ours, "\(symbol)")
        }
    }

    /// CON-04: a login with an account that is no paper account ends the session before anything is ordered, whichever
    /// account is traded; a simulator is no exception.
    @Test(
        arguments: ["sim", "paper"], [["U1234567"], ["DU1234567", "U7654321"], ["DU1234567"]])
    func aLoginThatIsNotForPaperIsRefused(mode: String, accounts: [String]) throws {
        let configuration = SessionRig.rotation.replacing("mode: sim", with: "mode: \(mode)")
        let rig = try SessionRig(configuration) {
            $0.accounts = accounts.map { AccountID($0) }
        }
        let isPaper = accounts == ["DU1234567"]
        var refusal: RunFailure?
        do {
            try rig.pass(until: "orders") { rig.driver.orderCount > 0 }
        } catch let failure as RunFailure {
            refusal = failure
        }
        #expect(refusal.map(\.exitCode) == (isPaper ? nil : .notPermitted))
        if let refusal { #expect("\(refusal)".contains("no paper account")) }
        #expect(rig.gateway.received(.placeOrder).isEmpty == !isPaper)
    }

    // MARK: The broker's algorithm

    private func placed(_ rig: SessionRig) -> [PlaceOrder] {
        rig.gateway.received(.placeOrder).compactMap {
            if case .placeOrder(let order) = $0 { order } else { nil }
        }
    }

    /// ORD-08: what came at the gateway: entries and exits at the market are the algorithm's, with its priority; stops
    /// and targets, which it does not take, are plain orders.
    @Test(arguments: [true, false])
    func ordersAtTheMarketAreTheAlgorithms(isUsed: Bool) throws {
        let rig = try SessionRig(
            Self.paper(SessionRig.protected) + (isUsed ? "" : "\nexecution: {use_adaptive: false}"),
            keepsHistory: true)
        try rig.pass(.minutes(30))
        let orders = placed(rig).map(\.order)
        let fitting = orders.filter { $0.orderType == .market && $0.action == .buy }
        let others = orders.filter { $0.orderType != .market || $0.action != .buy }
        #expect(!fitting.isEmpty && others.contains { $0.orderType == .stop })
        for order in fitting {
            #expect(order.algoStrategy == (isUsed ? "Adaptive" : ""))
            #expect(
                order.algoParams == (isUsed ? [TagValue("adaptivePriority", "Normal")] : []))
        }
        #expect(others.allSatisfy { $0.algoStrategy.isEmpty })
        #expect(rig.driver.fillCount > 0)
        try rig.expectEqualLedgers()
    }

    /// CON-18: another user logs in at the gateway while a session runs: it ends with the reason, and reads nothing of the
    /// other accounts as word of its own orders.
    @Test func anotherLoginEndsASession() throws {
        let rig = try SessionRig(Self.paper(SessionRig.rotation), keepsHistory: true)
        try rig.pass(.minutes(12))
        func login(_ accounts: [AccountID]) throws {
            var message = ManagedAccounts()
            message.accountsList = accounts
            try rig.driver.take(
                [.gateway(.message(.managedAccounts(message), leftover: 0))], at: rig.now)
        }
        try login(["DU7654321", "DU1234567"])
        for accounts: [AccountID] in [["U1234567"], ["DU7654321"], ["DU1234567", "U7654321"]] {
            #expect {
                try login(accounts)
            } throws: { error in
                (error as? RunFailure)?.exitCode == .notPermitted
            }
        }
    }

    /// ORD-08: refusals of the algorithm are no refusals of what the strategy wants: they do not stop it.
    @Test func refusedAlgorithmsStopNoStrategy() throws {
        let rig = try SessionRig(Self.paper(SessionRig.rotation), keepsHistory: true)
        try rig.gateway.fault(
            #"{"do":"refuse","kinds":["placeOrder"],"code":442,"times":6}"#)
        try rig.pass(.hours(2))
        #expect(rig.decisions.count { $0.kind.topic == .orderRejected } == 6)
        #expect(!rig.decisions.contains { $0.kind.topic == .strategyStopped })
        #expect(rig.driver.fillCount > 0)
    }

    /// ORD-08: the broker refuses the algorithm in a symbol: that order is rejected with a warning, and the symbol's next
    /// ones are plain; others' stay the algorithm's.
    @Test func aSymbolWithoutTheAlgorithmGetsPlainOrders() throws {
        let rig = try SessionRig(Self.paper(SessionRig.rotation), keepsHistory: true)
        try rig.gateway.fault(
            #"{"do":"refuse","kinds":["placeOrder"],"code":442,"times":1}"#)
        try rig.pass(until: "a rejection") {
            rig.decisions.contains { $0.kind.topic == .orderRejected }
        }
        let rejected = try #require(rig.decisions.first { $0.kind.topic == .orderRejected })
        #expect(rejected.kind.severity == .warning)
        #expect(rejected.figures[.value]?.amount == 442)
        let symbol = rig.symbols[Int(try #require(rejected.subject.instrument).index)]
        try rig.pass(.hours(2))
        let own = placed(rig).filter { $0.contract.symbol == symbol }
        #expect(own.first?.order.algoStrategy == "Adaptive")
        #expect(own.count > 1 && own.dropFirst().allSatisfy { $0.order.algoStrategy.isEmpty })
        let others = placed(rig).filter {
            $0.contract.symbol != symbol && $0.order.action == .buy
        }
        #expect(!others.isEmpty && others.allSatisfy { $0.order.algoStrategy == "Adaptive" })
        try rig.expectEqualLedgers()
    }
}
