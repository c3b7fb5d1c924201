import GatewaySimulator
import Model
import Primitives
import TWSProtocol
import Testing

/// What happens at the broker without a client's doing, and what goes wrong on purpose.
@Suite struct OrderManagerFaultTests {
    private func limit(_ cents: Int64) -> Order { .test(.buy, 100, .limit, limit: cents) }

    @Test func fillsWhileTheBrokerIsLostAreReportedOnceItIsBack() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, limit(99_00))
        rig.place(2, limit(98_00))
        _ = rig.received()
        rig.orderManager.loseUpstream()
        rig.quote(98_98, 99_00)
        rig.place(3, .test(.buy, 100, .market))
        rig.cancel(2)
        #expect(rig.received().isEmpty)
        #expect(rig.account.fills.count == 1)
        // Questions are answered by what the gateway knew.
        rig.orderManager.listAllOpenOrders(for: rig.client(1))
        #expect(
            rig.received() == [
                "#1: open 1 Submitted", "#1: status 1 Submitted 0+100 @0",
                "#1: open 2 Submitted", "#1: status 2 Submitted 0+100 @0", "#1: open end",
            ])
        rig.orderManager.listExecutions(ReqExecutions(), for: rig.client(1))
        #expect(rig.received() == ["#1: exec end 0"])
        rig.orderManager.restoreUpstream()
        #expect(
            rig.received() == [
                "1: exec 1 BOT 100 @99 cum 100",
                "1: open 1 Filled", "1: status 1 Filled 100+0 @99", "1: cost 1",
                "1: status 2 PendingCancel 0+100 @0",
            ])
        rig.pass()
        let received = rig.received()
        #expect(received.contains("1: status 2 Cancelled 0+100 @0"))
        #expect(received.contains("1: status 3 Filled 100+0 @99"))
    }

    @Test func modificationWhileTheBrokerIsLostMayBecomeASecondOrder() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, limit(99_00))
        rig.orderManager.duplicateModifications(true)
        rig.orderManager.loseUpstream()
        rig.place(1, limit(98_00))
        rig.orderManager.restoreUpstream()
        rig.pass()
        #expect(rig.orderManager.ledger.orders.map(\.status) == ["Submitted", "Submitted"])
        #expect(Set(rig.orderManager.ledger.orders.map(\.permID)).count == 2)
        rig.cancel(1)
        #expect(rig.orderManager.ledger.orders.map(\.status) == ["Cancelled", "Cancelled"])
    }

    @Test func numbersBelowTheNextValidOneAreRefused() {
        let rig = OrderManagerRig()
        #expect(rig.orderManager.nextValidID(for: 1) == 1)
        rig.orderManager.setNextValidID(7, for: 1)
        rig.place(6, limit(99_00))
        #expect(rig.received() == ["#1: code 6 103"])
    }

    @Test func sharesToBorrowAreSoughtFirst() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.orderManager.setHardToBorrow(rig.id("AAPL"), true)
        rig.place(1, .test(.sell, 100, .market))
        #expect(
            rig.received() == [
                "1: open 1 PreSubmitted", "1: status 1 PreSubmitted 0+100 @0 locate",
                "1!: code 1 404",
            ])
        rig.orderManager.setHardToBorrow(rig.id("AAPL"), false)
        #expect(rig.received().first == "1: exec 1 SLD 100 @100 cum 100")
    }

    @Test func brokerMayFillACancelledOrder() throws {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, limit(99_00))
        rig.cancel(1)
        _ = rig.received()
        let id = PermID(rawValue: try #require(rig.orderManager.ledger.orders.first).permID)
        try rig.orderManager.execute(id, Quantity(shares: 40), at: Price(cents: 99_00))
        #expect(
            rig.received() == [
                "1: exec 1 BOT 40 @99 cum 40", "1: open 1 Cancelled",
                "1: status 1 Cancelled 40+60 @99", "1: cost 1",
            ])
        #expect(throws: OrderManagerFault.self) {
            try rig.orderManager.execute(id, Quantity(shares: 61), at: Price(cents: 99_00))
        }
    }

    @Test func brokerMayCancel() throws {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, limit(99_00))
        let id = PermID(rawValue: try #require(rig.orderManager.ledger.orders.first).permID)
        try rig.orderManager.cancelAtBroker(id, reason: "Split")
        #expect(rig.received().contains("1: status 1 Cancelled 0+100 @0"))
        guard case .error(let error)? = rig.notes.last?.message else {
            Issue.record("no error")
            return
        }
        #expect(error.errorString == "Order Canceled - reason:Split")
    }

    @Test func correctedAndBustedFillsComeAgainWithAHigherRevision() throws {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 100, .market))
        _ = rig.received()
        let first = try #require(rig.orderManager.ledger.orders.first?.executions.first)
        #expect(first.id.hasSuffix(".01.01"))
        try rig.orderManager.correct(first.id, price: Price(cents: 100_01))
        #expect(
            rig.received() == [
                "1: exec 1 BOT 100 @100.01 cum 100", "1: cost 1",
                "1: open 1 Filled for 1", "1: status 1 Filled 100+0 @100.01",
            ])
        try rig.orderManager.correct(first.id, quantity: .zero)
        #expect(rig.received().first == "1: exec 1 BOT 0 @100.01 cum 0")
        #expect(rig.account.fills.map(\.execution.revision) == [1, 2, 3])
        #expect(rig.account.fills.map(\.isCorrection) == [false, true, true])
        #expect(rig.orderManager.ledger.orders.first?.executions.map(\.quantity) == ["0"])
        #expect(throws: OrderManagerFault.self) { try rig.orderManager.correct("0000.1.1.01") }
    }

    @Test func ordersByHandAreClientZerosOnceTheyAreBound() throws {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        try rig.orderManager.enter(.stock("AAPL"), .test(.buy, 100, .limit, limit: 99_00))
        rig.pass()
        #expect(
            rig.received() == [
                "0: open 0 PreSubmitted", "0: status 0 PreSubmitted 0+100 @0",
                "0: open 0 Submitted", "0: status 0 Submitted 0+100 @0",
            ])
        rig.orderManager.bindManualOrders(true, for: rig.client(3))
        #expect(rig.received() == ["#3: code -1 327"])
        rig.orderManager.listOpenOrders(for: rig.client(0))
        #expect(
            rig.received() == [
                "0!: bound 0 -1", "#0: open -1 Submitted", "#0: status -1 Submitted 0+100 @0",
                "#0: open end",
            ])
        rig.cancel(-1, from: 0)
        #expect(rig.received().contains("0: status -1 Cancelled 0+100 @0"))
    }

    @Test func restartLosesWhatWasNotTransmitted() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, limit(99_00))
        rig.place(2, .test(.buy, 100, .market) { $0.transmit = false })
        rig.orderManager.restart()
        rig.place(3, .test(.sell, 100, .stop, aux: 98_00) { $0.parentId = 2 })
        #expect(rig.received().last == "#1: code 3 201")
        #expect(rig.orderManager.ledger.orders.map(\.status) == ["Submitted", "ApiCancelled"])
    }

    @Test func othersTradeInTheAccount() throws {
        let rig = OrderManagerRig()
        try rig.orderManager.trade(
            .stock("AAPL"), .test(.buy, 100, .market), at: Price(cents: 100_00), for: 9)
        #expect(rig.received().contains("9: exec 1 BOT 100 @100 cum 100"))
        #expect(rig.orderManager.nextValidID(for: 9) == 2)
        #expect(rig.account.positions[rig.id("AAPL")] == Quantity(shares: 100))
    }
}
