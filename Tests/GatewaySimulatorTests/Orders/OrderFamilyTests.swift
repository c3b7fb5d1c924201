import GatewaySimulator
import Model
import Primitives
import TWSProtocol
import Testing

/// Orders that hang together: brackets and groups.
@Suite struct OrderFamilyTests {
    /// A purchase at 100.00 with a target at 101.00 and a stop at 99.00, under the numbers 1 to 3.
    private func placeBracket(_ rig: OrderManagerRig, shares: Int64 = 100) {
        rig.place(1, .test(.buy, shares, .limit, limit: 100_00) { $0.transmit = false })
        rig.place(
            2,
            .test(.sell, shares, .limit, limit: 101_00) {
                $0.parentId = 1
                $0.transmit = false
            })
        rig.place(3, .test(.sell, shares, .stop, aux: 99_00) { $0.parentId = 1 })
    }

    @Test func familyIsSentWithItsLastChild() {
        let rig = OrderManagerRig()
        rig.quote(100_05, 100_07)
        rig.place(1, .test(.buy, 100, .limit, limit: 100_00) { $0.transmit = false })
        #expect(rig.received().isEmpty)
        rig.place(2, .test(.sell, 100, .stop, aux: 99_00) { $0.parentId = 1 })
        #expect(
            rig.received() == [
                "1: open 1 PreSubmitted", "1: status 1 PreSubmitted 0+100 @0",
                "1: open 1 Submitted", "1: status 1 Submitted 0+100 @0",
                "1: open 2 PreSubmitted", "1: status 2 PreSubmitted 0+100 @0 child,trigger",
            ])
    }

    @Test func childrenGrowWithTheirParentsFills() {
        let rig = OrderManagerRig()
        rig.quote(100_05, 100_07)
        placeBracket(rig)
        _ = rig.received()
        rig.quote(99_98, 100_00, size: 40)
        #expect(
            rig.received() == [
                "1: exec 1 BOT 40 @100 cum 40", "1: open 1 Submitted",
                "1: status 1 Submitted 40+60 @100", "1: cost 1",
                "1: open 2 Submitted", "1: status 2 Submitted 0+100 @0",
                "1: open 3 PreSubmitted", "1: status 3 PreSubmitted 0+100 @0 trigger",
            ])
        // Only what the parent has filled can be sold, and what the target sells the stop loses.
        rig.quote(101_00, 101_02, size: 30)
        #expect(rig.received().first == "1: exec 2 SLD 30 @101 cum 30")
        rig.quote(98_98, 99_00, size: 1_000)
        rig.trade(99_00)
        let received = rig.received()
        #expect(received.contains("1: exec 1 BOT 60 @100 cum 100"))
        #expect(received.contains("1: exec 3 SLD 70 @98.98 cum 70"))
        #expect(received.contains("1: status 2 Cancelled 30+0 @101"))
    }

    @Test func cancellingTheParentCancelsItsChildren() {
        let rig = OrderManagerRig()
        rig.quote(100_05, 100_07)
        placeBracket(rig)
        _ = rig.received()
        rig.cancel(1)
        #expect(
            rig.received() == [
                "1: status 1 PendingCancel 0+100 @0",
                "1: open 1 Cancelled", "1: status 1 Cancelled 0+100 @0", "1!: code 1 202",
                "1: open 2 Cancelled", "1: status 2 Cancelled 0+100 @0", "1!: code 2 202",
                "1: open 3 Cancelled", "1: status 3 Cancelled 0+100 @0", "1!: code 3 202",
            ])
    }

    @Test func childrenOfAParentCancelledInPartKeepThatPart() {
        let rig = OrderManagerRig()
        rig.quote(100_05, 100_07)
        placeBracket(rig)
        rig.quote(99_98, 100_00, size: 40)
        _ = rig.received()
        rig.cancel(1)
        let received = rig.received()
        #expect(received.contains("1: status 1 Cancelled 40+60 @100"))
        #expect(received.contains("1: status 2 Submitted 0+40 @0"))
        #expect(received.contains("1: status 3 PreSubmitted 0+40 @0 trigger"))
    }

    /// 1.00, the SEC's 0.0808 raised to 0.09, and 0.02 for TAF.
    @Test func targetThatFillsCancelsTheStop() {
        let rig = OrderManagerRig()
        rig.quote(99_98, 100_00)
        placeBracket(rig)
        _ = rig.received()
        rig.quote(101_00, 101_02)
        #expect(
            rig.received() == [
                "1: exec 2 SLD 100 @101 cum 100",
                "1: open 2 Filled", "1: status 2 Filled 100+0 @101",
                "1: open 2 Filled for 1.11", "1: status 2 Filled 100+0 @101",
                "1: cost 1.11 profit 12.34",
                "1: open 3 Cancelled", "1: status 3 Cancelled 0+0 @0", "1!: code 3 202",
            ])
    }

    @Test func childWithoutItsParentIsRefused() {
        let rig = OrderManagerRig()
        rig.place(2, .test(.sell, 100, .stop, aux: 99_00) { $0.parentId = 1 })
        #expect(rig.received() == ["#1: code 2 10006"])
    }

    @Test func orderNotTransmittedIsCancelledAtTheGateway() {
        let rig = OrderManagerRig()
        rig.place(1, .test(.buy, 100, .market) { $0.transmit = false })
        rig.cancel(1)
        #expect(
            rig.received() == [
                "1: open 1 ApiCancelled", "1: status 1 ApiCancelled 0+100 @0", "1!: code 1 202",
            ])
    }

    // MARK: Groups

    private func group(_ type: OCAType) -> (inout Order) -> Void {
        {
            $0.ocaGroup = "G"
            $0.ocaType = type
        }
    }

    @Test func groupOfTypeOneEndsWithItsFirstFillInAnyInstrument() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.quote(200_00, 200_02, of: "MSFT")
        rig.place(1, .test(.buy, 100, .limit, limit: 99_00, group(.cancelWithBlock)))
        rig.place(2, .test(.buy, 50, .limit, limit: 199_00, group(.cancelWithBlock)), "MSFT")
        _ = rig.received()
        rig.quote(198_98, 199_00, of: "MSFT", size: 10)
        let received = rig.received()
        #expect(received.first == "1: exec 2 BOT 10 @199 cum 10")
        #expect(received.contains("1: status 1 Cancelled 0+100 @0"))
    }

    @Test(arguments: [OCAType.reduceWithBlock, .reduceWithoutBlock])
    func groupsOfTypesTwoAndThreeLoseWhatOneFills(type: OCAType) {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 100, .limit, limit: 99_00, group(type)))
        rig.place(2, .test(.buy, 100, .limit, limit: 98_00, group(type)))
        _ = rig.received()
        rig.quote(98_98, 99_00, size: 30)
        let received = rig.received()
        #expect(received.contains("1: status 1 Submitted 30+70 @99"))
        #expect(received.contains("1: status 2 Submitted 0+70 @0"))
    }

    /// One quote fills both: with block the second gets what is left, without block all of its own.
    @Test(arguments: [
        (OCAType.cancelWithBlock, Int64(100)), (.reduceWithBlock, 100), (.reduceWithoutBlock, 200),
    ])
    func onlyGroupsWithoutBlockOverfill(type: OCAType, filled: Int64) {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 100, .limit, limit: 99_00, group(type)))
        rig.place(2, .test(.buy, 100, .limit, limit: 99_50, group(type)))
        rig.quote(98_88, 98_90)
        let sum = rig.account.fills.reduce(Quantity.zero) { $0 + $1.quantity }
        #expect(sum == Quantity(shares: filled))
    }
}
