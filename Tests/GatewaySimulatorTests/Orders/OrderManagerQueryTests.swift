import Foundation
import GatewaySimulator
import Model
import Primitives
import TWSProtocol
import Testing

/// What clients ask of orders, and what outlives the gateway.
@Suite struct OrderManagerQueryTests {
    /// Two clients' orders: 1 works and 1 fills, a third is cancelled.
    private func busyRig() -> OrderManagerRig {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.quote(400_00, 400_02, of: "MSFT")
        rig.place(1, .test(.buy, 100, .limit, limit: 99_00))
        rig.place(1, .test(.sell, 10, .market), "MSFT", from: 2)
        rig.place(2, .test(.buy, 100, .limit, limit: 98_00))
        rig.cancel(2)
        _ = rig.received()
        return rig
    }

    @Test func openOrdersAreOnesOwnOrAll() {
        let rig = busyRig()
        let own = ["#1: open 1 Submitted", "#1: status 1 Submitted 0+100 @0", "#1: open end"]
        rig.orderManager.listOpenOrders(for: rig.client(1))
        #expect(rig.received() == own)
        rig.orderManager.listOpenOrders(for: rig.client(2))
        #expect(rig.received() == ["#2: open end"])
        rig.orderManager.listAllOpenOrders(for: rig.client(2))
        #expect(rig.received() == own.map { "#2" + $0.dropFirst(2) })
    }

    @Test func completedOrdersAreTodays() {
        let rig = busyRig()
        rig.orderManager.listCompletedOrders(ReqCompletedOrders(), for: rig.client(1))
        #expect(
            rig.received() == [
                "#1: completed Filled Filled Size: 10",
                "#1: completed Cancelled Cancelled by Trader", "#1: completed end",
            ])
        rig.pass(.hours(24))
        _ = rig.received()
        rig.orderManager.listCompletedOrders(ReqCompletedOrders(), for: rig.client(1))
        // The first order ended yesterday, at the close.
        #expect(rig.received() == ["#1: completed end"])
    }

    @Test func executionsComeWithTheirCosts() {
        let rig = busyRig()
        rig.place(3, .test(.buy, 100, .market))
        _ = rig.received()
        func ask(_ change: (inout ReqExecutions) -> Void) -> [String] {
            var request = ReqExecutions()
            request.reqId = 9
            change(&request)
            rig.orderManager.listExecutions(request, for: rig.client(1))
            return rig.received()
        }
        let sale = "#1: exec 1 SLD 10 @400 cum 10"
        let purchase = "#1: exec 3 BOT 100 @100.02 cum 100"
        // 1.00 and the SEC's 0.032 raised to 0.04; TAF's 0.00166 is less than half a cent.
        #expect(ask { _ in } == [sale, purchase, "#1: cost 1.04", "#1: cost 1", "#1: exec end 9"])
        #expect(ask { $0.clientId = 2 }.first == sale)
        #expect(ask { $0.symbol = "AAPL" }.first == purchase)
        #expect(ask { $0.side = .sell }.first == sale)
        #expect(ask { $0.secType = .option } == ["#1: exec end 9"])
        #expect(ask { $0.acctCode = "DU9" } == ["#1: exec end 9"])
        let later = WireTime(text: "20240305 11:00:00 US/Eastern")
        #expect(ask { $0.time = later } == ["#1: exec end 9"])
        rig.pass(.hours(24))
        _ = rig.received()
        #expect(ask { _ in } == ["#1: exec end 9"])
        #expect(ask { $0.lastNDays = 2 }.count == 5)
        var day = ExecutionDay()
        day.date = 2024_03_05
        #expect(ask { $0.specificDates = [day] }.count == 5)
    }

    @Test func cancellingAllIncludesOrdersByHand() throws {
        let rig = busyRig()
        try rig.orderManager.enter(.stock("AAPL"), .test(.buy, 100, .limit, limit: 97_00))
        rig.pass()
        rig.orderManager.cancelAll()
        rig.pass()
        #expect(Set(rig.orderManager.ledger.orders.map(\.status)) == ["Filled", "Cancelled"])
    }

    @Test func whatIsSavedGoesOnWhereItWas() throws {
        let rig = busyRig()
        rig.place(
            3,
            .test(.sell, 100, .trailingStop, aux: 1_00) {
                $0.tif = .goodTillCancelled
                $0.trailStopPrice = 99
            })
        rig.place(4, .test(.buy, 300, .limit, limit: 99_00) { $0.transmit = false })
        let saved = try JSONEncoder().encode(rig.orderManager.snapshot)
        let later = OrderManagerRig()
        later.quote(100_00, 100_02)
        later.orderManager.restore(try JSONDecoder().decode(OrderManagerSnapshot.self, from: saved))
        #expect(later.received().isEmpty)
        #expect(later.orderManager.nextValidID(for: 1) == 5)
        // What was not transmitted is lost.
        #expect(
            later.orderManager.ledger.orders
                == rig.orderManager.ledger.orders.filter { $0.order != 4 })
        later.quote(98_88, 98_90)
        #expect(later.received().first == "1: exec 1 BOT 100 @99 cum 100")
        later.trade(99_00)
        #expect(later.received().contains("1: exec 3 SLD 100 @98.88 cum 100"))
        later.place(2, .test(.buy, 100, .market))
        #expect(later.received() == ["#1: code 2 103"])
    }

    @Test func exercisedCallBringsItsShares() throws {
        let rig = OrderManagerRig()
        let call = try #require(
            rig.contracts.listed.first { listed in
                guard case .option(let terms) = listed.instrument.assetClass else { return false }
                return terms.right == .call && listed.contract.symbol == "AAPL"
            })
        guard case .option(let terms) = call.instrument.assetClass else {
            Issue.record("no option")
            return
        }
        rig.trade((terms.strike.units + Price.unitsPerOne) / 1_000_000)
        var request = ExerciseOptions()
        request.reqId = 5
        request.contract.conId = call.contract.conId
        request.contract.exchange = "SMART"
        request.exerciseQuantity = 2
        request.account = "DU1234567"
        rig.orderManager.exercise(request, from: rig.client(1))
        #expect(rig.received() == ["#1: code 5 201"])
        rig.account.positions[call.id] = Quantity(shares: 2)
        rig.orderManager.exercise(request, from: rig.client(1))
        #expect(rig.account.positions[call.id] == .zero)
        #expect(rig.account.positions[terms.underlying] == Quantity(shares: 200))
        #expect(rig.account.fills.map(\.price) == [.zero, terms.strike])
    }
}
