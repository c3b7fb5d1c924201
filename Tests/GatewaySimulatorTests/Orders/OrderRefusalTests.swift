import GatewaySimulator
import Model
import Primitives
import TWSProtocol
import Testing

/// What is not taken, and with which code.
@Suite struct OrderRefusalTests {
    struct Case: Sendable, CustomStringConvertible {
        let code: Int32
        let order: Order
        var symbol = "AAPL"
        var description: String { "\(code)" }
    }

    static let cases: [Case] = [
        Case(code: 110, order: .test(.buy, 100, .limit) { $0.lmtPrice = 100.005 }),
        Case(code: 110, order: .test(.sell, 100, .stop) { $0.auxPrice = 100.001 }),
        Case(
            code: 111, order: .test(.sell, 100, .stop, aux: 99_00) { $0.tif = .immediateOrCancel }),
        Case(code: 113, order: .test(.buy, 100, .marketOnClose) { $0.tif = .goodTillCancelled }),
        Case(code: 200, order: .test(.buy, 100, .market), symbol: "NOSUCHSTOCK"),
        Case(code: 303, order: .test(.none, 100, .market)),
        Case(code: 321, order: .test(.buy, 100, .limit)),
        Case(code: 321, order: .test(.buy, 100, .market) { $0.account = "U999" }),
        Case(code: 383, order: .test(.buy, 10_000_000, .market)),
        Case(code: 387, order: .test(.buy, 100, .volatility)),
        Case(
            code: 413,
            order: .test(.buy, 100, .market) {
                $0.whatIf = true
                $0.transmit = false
            }),
        Case(code: 434, order: .test(.buy, 0, .market)),
        Case(code: 439, order: .test(.buy, 100, .market) { $0.algoStrategy = "Guess" }),
        Case(
            code: 442, order: .test(.sell, 100, .stop, aux: 99_00) { $0.algoStrategy = "Adaptive" }),
        Case(code: 10243, order: .test(.buy, 100, .market) { $0.totalQuantity = 0.5 }),
    ]

    @Test(arguments: cases)
    func newOrderIsRefused(own: Case) {
        let rig = OrderManagerRig()
        rig.place(1, own.order, own.symbol)
        #expect(rig.received() == ["#1: code 1 \(own.code)"])
        #expect(rig.orderManager.nextValidID(for: 1) == 1)
    }

    @Test func numbersMustRise() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(5, .test(.buy, 100, .limit, limit: 99_00))
        #expect(rig.orderManager.nextValidID(for: 1) == 6)
        #expect(rig.orderManager.nextValidID(for: 2) == 1)
        _ = rig.received()
        rig.place(4, .test(.buy, 100, .market))
        #expect(rig.received() == ["#1: code 4 103"])
    }

    @Test func severalAccountsMustBeNamed() {
        let rig = OrderManagerRig { $0.accounts = ["DU1", "DU2"] }
        rig.place(1, .test(.buy, 100, .market))
        #expect(rig.received() == ["#1: code 1 435"])
        rig.place(1, .test(.buy, 100, .market) { $0.account = "DU2" })
        #expect(rig.received().first == "1: open 1 PreSubmitted")
    }

    @Test func marginRefusalLeavesTheOrderInactive() {
        let rig = OrderManagerRig()
        rig.account.refusal = "Order rejected - reason:YOUR ORDER IS NOT ACCEPTED."
        rig.place(1, .test(.buy, 100, .market))
        #expect(
            rig.received() == [
                "1!: code 1 201", "1: open 1 Inactive", "1: status 1 Inactive 0+100 @0",
            ])
        rig.account.refusal = nil
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 100, .market))
        #expect(rig.received().contains("1: status 1 Filled 100+0 @100.02"))
    }

    @Test func missingTimeInForceIsFilledInWithAWarning() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 100, .limit, limit: 99_00) { $0.tif = .none })
        #expect(rig.received().prefix(2) == ["#1: code 1 10349", "1: open 1 PreSubmitted"])
        guard case .openOrder(let open)? = rig.notes.dropFirst().first?.message else {
            Issue.record("no openOrder")
            return
        }
        #expect(open.order.tif == .day)
    }

    @Test(arguments: [
        (Int32(105), Order.test(.sell, 100, .limit, limit: 99_00)),
        (110, .test(.buy, 100, .limit) { $0.lmtPrice = 99.005 }),
        (329, .test(.buy, 100, .stop, aux: 99_00)),
        (440, .test(.buy, 100, .limit, limit: 99_00) { $0.algoStrategy = "Adaptive" }),
    ])
    func refusedModificationLeavesTheOrderAlive(code: Int32, order: Order) {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 100, .limit, limit: 99_00))
        _ = rig.received()
        rig.place(1, order)
        #expect(rig.received() == ["#1: code 1 \(code)"])
        rig.quote(98_98, 99_00)
        #expect(rig.received().contains("1: exec 1 BOT 100 @99 cum 100"))
    }

    @Test func modificationComesTooSoonOrTooLate() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        let order = Order.test(.buy, 100, .limit, limit: 99_00)
        rig.place(1, order, waiting: false)
        rig.place(1, order, waiting: false)
        #expect(rig.received() == ["#1: code 1 2102"])
        rig.pass()
        rig.quote(98_98, 99_00)
        _ = rig.received()
        rig.place(1, order)
        #expect(rig.received() == ["#1: code 1 104"])
    }

    @Test func ordersOfOtherClientsAreNotKnown() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 100, .limit, limit: 99_00))
        _ = rig.received()
        rig.cancel(1, from: 2)
        #expect(rig.received() == ["#2: code 1 10147"])
    }

    @Test func whatIfIsAnsweredByMarginsAlone() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 300, .limit, limit: 99_00) { $0.whatIf = true })
        #expect(rig.received() == ["#1: open 1 PreSubmitted for 1.5"])
        guard case .openOrder(let open)? = rig.notes.last?.message else {
            Issue.record("no openOrder")
            return
        }
        #expect(open.order.whatIf)
        #expect(open.orderState.initMarginChange == 250)
        #expect(open.orderState.initMarginAfter == 1_000)
        #expect(rig.orderManager.nextValidID(for: 1) == 1)
    }
}
