import MarketSimulation
import Primitives
import TWSProtocol
import Testing

@testable import GatewaySimulator

/// What a login that may not see everything is told.
@Suite struct DataAccessTests {
    private func rig(_ access: DataAccess, at start: Timestamp = GatewayRig.start) -> GatewayRig {
        let rig = GatewayRig(at: start)
        rig.gateway.data.settings.access = access
        return rig
    }

    @Test(arguments: [
        (DataAccess.delayed, Int32(10_168)), (.unsubscribed, 354),
        (.programSubscriptionMissing, 10_089),
        (.competingSession, 10_197),
    ])
    func liveDataAreRefused(access: DataAccess, code: Int32) {
        let rig = rig(access)
        let client = rig.dataClient()
        client.subscribe(1, .stock("AAPL"))
        #expect(client.codes(about: 1) == [code])
        #expect(client.ticks(1).isEmpty)
        #expect(rig.gateway.data.linesUsed == 0)
    }

    @Test func delayedDataComeWithTheirOwnKindsAndAQuarterOfAnHourLate() throws {
        let rig = rig(.delayed)
        let client = rig.dataClient()
        client.allow(.delayed)
        client.subscribe(1, .stock("AAPL"))
        #expect(client.codes(about: 1) == [10_167])
        let ticks = client.ticks(1)
        #expect(ticks.prefix(2) == ["parameters", "type 3"])
        #expect(ticks.contains("delayedBid") && ticks.contains("delayedLastTimestamp"))
        #expect(!ticks.contains("bid") && !ticks.contains("last"))
        // At that time the market showed the same.
        let past = GatewayRig(at: GatewayRig.start - .minutes(15))
        let id = try #require(past.gateway.contracts.id(ofSymbol: "AAPL"))
        let then = past.gateway.market.snapshot(of: id)
        #expect(client.prices(1, .delayedBid).first == then.bid.map { DecimalValue($0) })
        #expect(client.prices(1, .delayedLast).first == then.last.map { DecimalValue($0) })
        #expect(client.prices(1, .delayedHigh).first == then.high.map { DecimalValue($0) })
        #expect(
            client.prices(1, .delayedClose).first == then.previousClose.map { DecimalValue($0) })
        #expect(client.prices(1, .delayedOpen).first == then.open.map { DecimalValue($0) })
    }

    @Test func liveDataAreServedWhereTheyMayBeSeenWhateverWasAllowed() {
        let rig = rig(.live)
        let client = rig.dataClient()
        client.allow(.delayed)
        client.subscribe(1, .stock("AAPL"))
        #expect(client.ticks(1).prefix(2) == ["parameters", "type 1"])
    }

    @Test func closedMarketHasNoQuoteUnlessFrozenOnesAreAllowed() {
        // 2024-03-05, 19:59:50 in New York: stocks stop at 20:00.
        let rig = GatewayRig(at: Timestamp(seconds: 1_709_686_790))
        let client = rig.dataClient()
        client.subscribe(1, .stock("AAPL"))
        client.allow(.frozen)
        client.subscribe(2, .stock("AAPL"))
        rig.pass(.seconds(20))
        #expect(client.prices(1, .bid).last == -1)
        #expect(client.ticks(1).filter { $0.hasPrefix("type") } == ["type 1"])
        #expect(client.prices(2, .bid).last != -1)
        #expect(client.ticks(2).filter { $0.hasPrefix("type") } == ["type 1", "type 2"])
    }

    @Test func dataStopWhileTheSameUserLooksElsewhereAndGoOnAfterwards() {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribe(1, .stock("AAPL"))
        client.take()
        rig.gateway.setAccess(.competingSession)
        rig.gateway.flush()
        rig.deliver()
        #expect(client.codes(about: 1) == [10_197])
        client.take()
        rig.pass(.seconds(20))
        #expect(client.messages.isEmpty)
        rig.gateway.setAccess(.live)
        rig.pass(.seconds(20))
        #expect(client.ticks(1).contains("bid"))
    }

    @Test func everythingElseIsRefusedWithItsOwnCode() {
        let rig = rig(.unsubscribed)
        let client = rig.dataClient()
        client.subscribeOrderBook(1, .stock("AAPL"), rows: 5)
        client.subscribeEveryTick(2, .stock("AAPL"), .last)
        client.subscribeBars(3, .stock("AAPL"))
        client.askBars(4, .days(1), .oneMinute)
        #expect(client.codes == [354, 10_189, 420, 162])
        #expect(
            client.lastText
                == "Historical Market Data Service error message:No market data permissions for NASDAQ "
                + "STK")
    }
}
