import GatewaySimulator
import Model
import Primitives
import TWSProtocol
import Testing

/// What happens at the broker without a client's doing, and what goes wrong on purpose.
@Suite struct DeskFaultTests {
    private func limit(_ cents: Int64) -> Order { .test(.buy, 100, .limit, limit: cents) }

    @Test func fillsWhileTheBrokerIsLostAreToldOnceItIsBack() {
        let rig = DeskRig()
        rig.quote(100_00, 100_02)
        rig.place(1, limit(99_00))
        rig.place(2, limit(98_00))
        _ = rig.heard()
        rig.desk.loseUpstream()
        rig.quote(98_98, 99_00)
        rig.place(3, .test(.buy, 100, .market))
        rig.cancel(2)
        #expect(rig.heard().isEmpty)
        #expect(rig.account.fills.count == 1)
        // Questions are answered by what the gateway knew.
        rig.desk.listAllOpenOrders(for: rig.client(1))
        #expect(
            rig.heard() == [
                "#1: open 1 Submitted", "#1: status 1 Submitted 0+100 @0",
                "#1: open 2 Submitted", "#1: status 2 Submitted 0+100 @0", "#1: open end",
            ])
        rig.desk.listExecutions(ReqExecutions(), for: rig.client(1))
        #expect(rig.heard() == ["#1: exec end 0"])
        rig.desk.restoreUpstream()
        #expect(
            rig.heard() == [
                "1: exec 1 BOT 100 @99 cum 100",
                "1: open 1 Filled", "1: status 1 Filled 100+0 @99", "1: cost 1",
                "1: status 2 PendingCancel 0+100 @0",
            ])
        rig.pass()
        let heard = rig.heard()
        #expect(heard.contains("1: status 2 Cancelled 0+100 @0"))
        #expect(heard.contains("1: status 3 Filled 100+0 @99"))
    }

    @Test func modificationWhileTheBrokerIsLostMayBecomeASecondOrder() {
        let rig = DeskRig()
        rig.quote(100_00, 100_02)
        rig.place(1, limit(99_00))
        rig.desk.duplicateModifications(true)
        rig.desk.loseUpstream()
        rig.place(1, limit(98_00))
        rig.desk.restoreUpstream()
        rig.pass()
        #expect(rig.desk.ledger.orders.map(\.status) == ["Submitted", "Submitted"])
        #expect(Set(rig.desk.ledger.orders.map(\.permID)).count == 2)
        rig.cancel(1)
        #expect(rig.desk.ledger.orders.map(\.status) == ["Cancelled", "Cancelled"])
    }

    @Test func numbersBelowTheNextValidOneAreRefused() {
        let rig = DeskRig()
        #expect(rig.desk.nextValidID(for: 1) == 1)
        rig.desk.setNextValidID(7, for: 1)
        rig.place(6, limit(99_00))
        #expect(rig.heard() == ["#1: code 6 103"])
    }

    @Test func sharesToBorrowAreSoughtFirst() {
        let rig = DeskRig()
        rig.quote(100_00, 100_02)
        rig.desk.setHardToBorrow(rig.id("AAPL"), true)
        rig.place(1, .test(.sell, 100, .market))
        #expect(
            rig.heard() == [
                "1: open 1 PreSubmitted", "1: status 1 PreSubmitted 0+100 @0 locate",
                "1!: code 1 404",
            ])
        rig.desk.setHardToBorrow(rig.id("AAPL"), false)
        #expect(rig.heard().first == "1: exec 1 SLD 100 @100 cum 100")
    }

    @Test func brokerMayFillACancelledOrder() throws {
        let rig = DeskRig()
        rig.quote(100_00, 100_02)
        rig.place(1, limit(99_00))
        rig.cancel(1)
        _ = rig.heard()
        let id = PermID(rawValue: try #require(rig.desk.ledger.orders.first).permID)
        try rig.desk.execute(id, Quantity(shares: 40), at: Price(cents: 99_00))
        #expect(
            rig.heard() == [
                "1: exec 1 BOT 40 @99 cum 40", "1: open 1 Cancelled",
                "1: status 1 Cancelled 40+60 @99", "1: cost 1",
            ])
        #expect(throws: DeskFault.self) {
            try rig.desk.execute(id, Quantity(shares: 61), at: Price(cents: 99_00))
        }
    }

    @Test func brokerMayCancel() throws {
        let rig = DeskRig()
        rig.quote(100_00, 100_02)
        rig.place(1, limit(99_00))
        let id = PermID(rawValue: try #require(rig.desk.ledger.orders.first).permID)
        try rig.desk.cancelAtBroker(id, reason: "Split")
        #expect(rig.heard().contains("1: status 1 Cancelled 0+100 @0"))
        guard case .error(let error)? = rig.notes.last?.message else { return }
        #expect(error.errorString == "Order Canceled - reason:Split")
    }

    @Test func correctedAndBustedFillsComeAgainWithAHigherRevision() throws {
        let rig = DeskRig()
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 100, .market))
        _ = rig.heard()
        let first = try #require(rig.desk.ledger.orders.first?.executions.first)
        #expect(first.id.hasSuffix(".01.01"))
        try rig.desk.correct(first.id, price: Price(cents: 100_01))
        #expect(
            rig.heard() == [
                "1: exec 1 BOT 100 @100.01 cum 100", "1: cost 1",
                "1: open 1 Filled for 1", "1: status 1 Filled 100+0 @100.01",
            ])
        try rig.desk.correct(first.id, quantity: .zero)
        #expect(rig.heard().first == "1: exec 1 BOT 0 @100.01 cum 0")
        #expect(rig.account.fills.map(\.execution.revision) == [1, 2, 3])
        #expect(rig.account.fills.map(\.isCorrection) == [false, true, true])
        #expect(rig.desk.ledger.orders.first?.executions.map(\.quantity) == ["0"])
        #expect(throws: DeskFault.self) { try rig.desk.correct("0000.1.1.01") }
    }

    @Test func ordersByHandAreClientZerosOnceTheyAreBound() throws {
        let rig = DeskRig()
        rig.quote(100_00, 100_02)
        try rig.desk.enter(.stock("AAPL"), .test(.buy, 100, .limit, limit: 99_00))
        rig.pass()
        #expect(
            rig.heard() == [
                "0: open 0 PreSubmitted", "0: status 0 PreSubmitted 0+100 @0",
                "0: open 0 Submitted", "0: status 0 Submitted 0+100 @0",
            ])
        rig.desk.bindManualOrders(true, for: rig.client(3))
        #expect(rig.heard() == ["#3: code -1 327"])
        rig.desk.listOpenOrders(for: rig.client(0))
        #expect(
            rig.heard() == [
                "0!: bound 0 -1", "#0: open -1 Submitted", "#0: status -1 Submitted 0+100 @0",
                "#0: open end",
            ])
        rig.cancel(-1, from: 0)
        #expect(rig.heard().contains("0: status -1 Cancelled 0+100 @0"))
    }

    @Test func restartLosesWhatWasNotTransmitted() {
        let rig = DeskRig()
        rig.quote(100_00, 100_02)
        rig.place(1, limit(99_00))
        rig.place(2, .test(.buy, 100, .market) { $0.transmit = false })
        rig.desk.restart()
        rig.place(3, .test(.sell, 100, .stop, aux: 98_00) { $0.parentId = 2 })
        #expect(rig.heard().last == "#1: code 3 201")
        #expect(rig.desk.ledger.orders.map(\.status) == ["Submitted", "ApiCancelled"])
    }

    @Test func othersTradeInTheAccount() throws {
        let rig = DeskRig()
        try rig.desk.trade(
            .stock("AAPL"), .test(.buy, 100, .market), at: Price(cents: 100_00), for: 9)
        #expect(rig.heard().contains("9: exec 1 BOT 100 @100 cum 100"))
        #expect(rig.desk.nextValidID(for: 9) == 2)
        #expect(rig.account.positions[rig.id("AAPL")] == Quantity(shares: 100))
    }
}
