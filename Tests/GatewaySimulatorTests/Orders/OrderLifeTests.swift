import GatewaySimulator
import Model
import Primitives
import TWSProtocol
import Testing

/// What is said of plain orders from their placing to their end.
@Suite struct OrderLifeTests {
    /// The sequence recorded from live gateways: 1 USD is IBKR's minimum.
    @Test func marketOrderIsReportedAsLiveGatewaysReportIt() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 100, .market))
        #expect(
            rig.received() == [
                "1: open 1 PreSubmitted", "1: status 1 PreSubmitted 0+100 @0",
                "1: exec 1 BOT 100 @100.02 cum 100",
                "1: open 1 Filled", "1: status 1 Filled 100+0 @100.02",
                "1: open 1 Filled for 1", "1: status 1 Filled 100+0 @100.02",
                "1: cost 1",
            ])
    }

    @Test func nothingIsReportedBeforeTheOrderReachesTheBroker() {
        let rig = OrderManagerRig { $0.placementLatency = .milliseconds(500) }
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 100, .market), waiting: false)
        rig.pass(.milliseconds(499))
        #expect(rig.received().isEmpty)
        rig.pass(.milliseconds(1))
        #expect(rig.received().first == "1: open 1 PreSubmitted")
    }

    @Test func limitRestsAndFillsInParts() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 300, .limit, limit: 100_00))
        #expect(
            rig.received() == [
                "1: open 1 PreSubmitted", "1: status 1 PreSubmitted 0+300 @0",
                "1: open 1 Submitted", "1: status 1 Submitted 0+300 @0",
            ])
        rig.quote(99_98, 100_00, size: 200)
        #expect(
            rig.received() == [
                "1: exec 1 BOT 200 @100 cum 200",
                "1: open 1 Submitted", "1: status 1 Submitted 200+100 @100", "1: cost 1",
            ])
        rig.quote(99_96, 99_98)
        #expect(
            rig.received() == [
                "1: exec 1 BOT 100 @100 cum 300",
                "1: open 1 Filled", "1: status 1 Filled 300+0 @100",
                "1: open 1 Filled for 1.5", "1: status 1 Filled 300+0 @100", "1: cost 0.5",
            ])
    }

    /// 1.00, the SEC's 0.08 (8 dollars a million) and 0.02 for TAF (0.000166 a share).
    @Test func stopWaitsForATradeAtItsPrice() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.sell, 100, .stop, aux: 99_00))
        #expect(
            rig.received() == [
                "1: open 1 PreSubmitted", "1: status 1 PreSubmitted 0+100 @0 trigger",
            ])
        rig.quote(98_98, 99_00)
        #expect(rig.received().isEmpty)
        rig.trade(99_00)
        #expect(
            rig.received() == [
                "1: exec 1 SLD 100 @98.98 cum 100",
                "1: open 1 Filled", "1: status 1 Filled 100+0 @98.98",
                "1: open 1 Filled for 1.1", "1: status 1 Filled 100+0 @98.98", "1: cost 1.1",
            ])
    }

    @Test func stopLimitIsSubmittedOnceReached() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 100, .stopLimit, limit: 101_00, aux: 101_00))
        _ = rig.received()
        rig.quote(101_01, 101_03)
        rig.trade(101_02)
        #expect(rig.received() == ["1: open 1 Submitted", "1: status 1 Submitted 0+100 @0"])
        rig.quote(100_98, 101_00)
        #expect(rig.received().first == "1: exec 1 BOT 100 @101 cum 100")
    }

    @Test func cancellationIsAskedThenDone() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 100, .limit, limit: 99_00))
        _ = rig.received()
        rig.cancel(1)
        #expect(
            rig.received() == [
                "1: status 1 PendingCancel 0+100 @0",
                "1: open 1 Cancelled", "1: status 1 Cancelled 0+100 @0", "1!: code 1 202",
            ])
        rig.cancel(1)
        #expect(rig.received() == ["#1: code 1 10148"])
        rig.cancel(7)
        #expect(rig.received() == ["#1: code 7 10147"])
    }

    @Test func orderMayFillWhileItsCancellationIsUnderWay() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 100, .limit, limit: 99_00))
        rig.cancel(1, waiting: false)
        _ = rig.received()
        rig.quote(98_98, 99_00)
        rig.pass()
        #expect(
            rig.received() == [
                "1: exec 1 BOT 100 @99 cum 100",
                "1: open 1 Filled", "1: status 1 Filled 100+0 @99",
                "1: open 1 Filled for 1", "1: status 1 Filled 100+0 @99", "1: cost 1",
            ])
    }

    @Test func modificationIsAcknowledgedByTheNewTerms() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 100, .limit, limit: 99_00))
        _ = rig.received()
        rig.place(1, .test(.buy, 200, .limit, limit: 99_50))
        #expect(rig.received() == ["1: open 1 Submitted", "1: status 1 Submitted 0+200 @0"])
        guard case .openOrder(let open)? = rig.notes.dropLast().last?.message else {
            Issue.record("no openOrder")
            return
        }
        #expect(open.order.lmtPrice == 99.5)
        rig.quote(99_48, 99_50)
        #expect(rig.received().first == "1: exec 1 BOT 200 @99.5 cum 200")
    }

    @Test func closingTradeReportsItsProfit() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 100, .market))
        rig.place(2, .test(.sell, 100, .market))
        #expect(rig.received().last == "1: cost 1.1 profit 12.34")
    }

    @Test func orderOutsideRTHWaitsForTheOpen() {
        // 2024-03-05 20:00 in New York.
        let rig = OrderManagerRig(at: Timestamp(seconds: 1_709_686_800))
        rig.place(1, .test(.buy, 100, .market))
        #expect(
            rig.received() == [
                "1: open 1 PreSubmitted", "1: status 1 PreSubmitted 0+100 @0", "1!: code 1 399",
            ])
        guard case .error(let notice)? = rig.notes.last?.message else {
            Issue.record("no error")
            return
        }
        #expect(
            notice.errorString
                == "Order Message:\nBUY 100 AAPL NASDAQ\nWarning: Your order will not be placed at "
                + "the exchange until 2024-03-06 09:30:00 US/Eastern.")
        rig.pass(.minutes(13 * 60 + 30))
        rig.quote(100_00, 100_02)
        #expect(rig.received().contains("1: exec 1 BOT 100 @100.02 cum 100"))
    }

    @Test func dayOrderEndsWithItsSession() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 100, .limit, limit: 90_00))
        rig.place(2, .test(.buy, 100, .limit, limit: 90_00) { $0.tif = .goodTillCancelled })
        rig.place(3, .test(.buy, 100, .limit, limit: 90_00) { $0.outsideRth = true })
        _ = rig.received()
        rig.pass(.hours(6))
        #expect(
            rig.received() == [
                "1: open 1 Cancelled", "1: status 1 Cancelled 0+100 @0", "1!: code 1 202",
                "1: open 2 PreSubmitted", "1: status 2 PreSubmitted 0+100 @0",
            ])
        rig.pass(.hours(4))
        #expect(rig.received().first == "1: open 3 Cancelled")
    }

    @Test func immediateOrCancelTakesWhatIsThere() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02, size: 100)
        rig.place(1, .test(.buy, 300, .limit, limit: 100_02) { $0.tif = .immediateOrCancel })
        #expect(
            rig.received().suffix(5) == [
                "1: status 1 Submitted 100+200 @100.02", "1: cost 1",
                "1: open 1 Cancelled for 1", "1: status 1 Cancelled 100+200 @100.02",
                "1!: code 1 202",
            ])
    }

    @Test func fillOrKillFillsAllOrNothing() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02, size: 100)
        rig.place(1, .test(.buy, 300, .limit, limit: 100_02) { $0.tif = .fillOrKill })
        #expect(rig.received().contains("1: status 1 Cancelled 0+300 @0"))
        rig.place(2, .test(.buy, 100, .limit, limit: 100_02) { $0.tif = .fillOrKill })
        #expect(rig.received().contains("1: status 2 Filled 100+0 @100.02"))
    }
}
