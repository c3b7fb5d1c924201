import MarketSimulation
import Primitives
import TWSProtocol
import Testing

@testable import GatewaySimulator

/// Order books, every tick, five-second bars and histories that are kept up to date.
@Suite struct StreamTests {
    // MARK: Order books

    /// A book as a client keeps it from what it is told.
    private struct DepthBook {
        var bids: [(price: DecimalValue, size: DecimalValue)] = []
        var asks: [(price: DecimalValue, size: DecimalValue)] = []
        var widest = 0

        mutating func receive(_ message: GatewayMessage) {
            guard case .marketDepthL2(let change) = message else { return }
            let row = (change.price ?? 0, change.size ?? 0)
            let index = Int(change.position)
            var side = change.side == .bid ? bids : asks
            switch change.operation {
            // Clients differ in whether rows behind move: none must be there.
            case .insert where index == side.count: side.append(row)
            case .update where index < side.count: side[index] = row
            case .delete where index == side.count - 1: side.removeLast()
            case .insert, .update, .delete, .unknown:
                Issue.record("\(change.operation) of row \(index) of \(side.count)")
            }
            if change.side == .bid { bids = side } else { asks = side }
            widest = max(widest, side.count)
        }
    }

    @Test func orderBookStaysSortedAndHasTheQuoteAtItsTop() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribeOrderBook(1, .stock("AAPL"), rows: 5)
        #expect(client.codes(about: 1) == [2152])
        var orderBook = DepthBook()
        let id = try #require(rig.gateway.contracts.id(ofSymbol: "AAPL"))
        for _ in 0..<120 {
            for message in client.take() { orderBook.receive(message) }
            let snapshot = rig.gateway.market.snapshot(of: id)
            #expect(orderBook.bids.first?.price == snapshot.bid.map { DecimalValue($0) })
            #expect(orderBook.asks.first?.price == snapshot.ask.map { DecimalValue($0) })
            #expect(orderBook.bids.first?.size == DecimalValue(snapshot.bidSize))
            #expect(
                zip(orderBook.bids, orderBook.bids.dropFirst()).allSatisfy { $0.price > $1.price })
            #expect(
                zip(orderBook.asks, orderBook.asks.dropFirst()).allSatisfy { $0.price < $1.price })
            rig.pass(.seconds(1))
        }
        #expect(orderBook.bids.count == 5 && orderBook.asks.count == 5 && orderBook.widest == 5)
    }

    @Test func threeOrderBooksMayBeOpen() {
        let rig = GatewayRig()
        let client = rig.dataClient()
        for (index, symbol) in ["AAPL", "MSFT", "IBM", "AMZN"].enumerated() {
            client.subscribeOrderBook(
                RequestID(rawValue: Int32(index + 1)), .stock(symbol), rows: 3)
        }
        #expect(client.codes(about: 4) == [309])
        #expect(client.lastText == "Max number (3) of market depth requests has been reached")
        var cancel = CancelMktDepth()
        cancel.reqId = 1
        client.send(.cancelMktDepth(cancel))
        client.send(.cancelMktDepth(cancel))
        #expect(client.codes(about: 1).last == 310)
        client.subscribeOrderBook(5, .stock("AMZN"), rows: 3)
        #expect(client.codes(about: 5) == [2152])
        client.subscribeOrderBook(6, .stock("AMZN"), rows: 3, isSmart: false)
        #expect(client.codes(about: 6) == [10_092])
    }

    @Test func orderBookIsReportedAgainAfterAReset() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribeOrderBook(1, .stock("AAPL"), rows: 4)
        rig.pass(.seconds(3))
        client.take()
        rig.gateway.resetOrderBooks()
        rig.gateway.flush()
        rig.deliver()
        let messages = client.take()
        guard case .error(let error)? = messages.first else {
            Issue.record("a reset begins with its code")
            return
        }
        #expect(error.errorCode == 317)
        var orderBook = DepthBook()
        for message in messages.dropFirst() { orderBook.receive(message) }
        #expect(orderBook.bids.count == 4 && orderBook.asks.count == 4)
    }

    // MARK: Every tick

    @Test func pastTicksComeBeforeLiveOnes() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribeEveryTick(1, .stock("AAPL"), .allLast, past: 10)
        guard case .historicalTicksLast(let past)? = client.messages.first else {
            Issue.record("no ticks of the past")
            return
        }
        #expect(past.ticks.count >= 10 && past.done)
        rig.pass(.seconds(30))
        let live = client.messages.dropFirst().compactMap { message -> TickByTick? in
            guard case .tickByTick(let tick) = message else { return nil }
            return tick
        }
        #expect(live.count > 5)
        #expect(live.allSatisfy { $0.reqId == 1 })
        #expect(zip(live, live.dropFirst()).allSatisfy { $0.time <= $1.time })
        #expect((past.ticks.last?.time ?? .max) <= (live.first?.time ?? 0))
    }

    @Test func quotesAndMiddlesAreReportedAsTheyChange() {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribeEveryTick(1, .stock("AAPL"), .bidAsk)
        client.subscribeEveryTick(2, .stock("MSFT"), .midPoint)
        rig.pass(.seconds(30))
        var last: DecimalValue?
        var counts = (quotes: 0, middles: 0)
        for case .tickByTick(let tick) in client.messages {
            switch tick.tick {
            case .bidAsk(let quote):
                #expect(quote.bidPrice < quote.askPrice)
                counts.quotes += 1
            case .midPoint(let price):
                #expect(price != last)
                last = price
                counts.middles += 1
            case .last, .allLast, .unknown: Issue.record("nobody asked for trades")
            }
        }
        #expect(counts.quotes > 20 && counts.middles > 5)
    }

    @Test func fiveMayBeOpenAndNoneTwiceInAQuarterMinute() {
        let rig = GatewayRig()
        let client = rig.dataClient()
        for (index, symbol) in ["AAPL", "MSFT", "IBM", "AMZN", "SPY", "QQQ"].enumerated() {
            client.subscribeEveryTick(RequestID(rawValue: Int32(index + 1)), .stock(symbol), .last)
        }
        #expect(client.codes(about: 6) == [10_190])
        var cancel = CancelTickByTickData()
        cancel.reqId = 1
        client.send(.cancelTickByTickData(cancel))
        client.subscribeEveryTick(7, .stock("AAPL"), .last)
        #expect(client.codes(about: 7) == [10_189])
        #expect(rig.gateway.pacingAudit.violations(of: .sameInstrument) == 1)
        rig.pass(.seconds(15))
        client.subscribeEveryTick(8, .stock("AAPL"), .last)
        #expect(client.codes(about: 8).isEmpty)
    }

    // MARK: Five-second bars

    @Test func barsComeEveryFiveSecondsAndAreHistory() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribeBars(1, .stock("AAPL"))
        rig.pass(.seconds(62))
        var bars: [(at: Timestamp, bar: RealTimeBar)] = []
        for received in client.received {
            if case .realTimeBar(let bar) = received.message { bars.append((received.at, bar)) }
        }
        #expect(bars.count == 12)
        for (index, (at, bar)) in bars.enumerated() {
            #expect(bar.time == GatewayRig.start.wholeSeconds + Int64(index) * 5)
            #expect(at == Timestamp(seconds: bar.time + 5))
        }
        client.askBars(2, .seconds(120), .fiveSeconds) { $0.useRTH = false }
        let past = try #require(client.bars(2)).suffix(13).prefix(12)
        for (live, past) in zip(bars.map(\.bar), past) where live.count ?? 0 > 0 {
            #expect(live.open == past.open && live.close == past.close)
            #expect(live.high == past.high && live.low == past.low)
            #expect(live.volume == past.volume && live.count == past.barCount)
        }
    }

    @Test func barsOfQuotesHaveNoVolumeAndRegularHoursEnd() throws {
        // 2024-03-05, 15:59:50 in New York.
        let rig = GatewayRig(at: Timestamp(seconds: 1_709_672_390))
        let client = rig.dataClient()
        client.subscribeBars(1, .stock("AAPL"), .midpoint, useRTH: true)
        client.subscribeBars(2, .stock("AAPL"), .trades, useRTH: false)
        rig.pass(.seconds(30))
        var counts: [RequestID: Int] = [:]
        for case .realTimeBar(let bar) in client.messages {
            counts[bar.reqId, default: 0] += 1
            if bar.reqId == 1 { #expect(bar.volume == -1 && bar.count == -1 && bar.wap == -1) }
        }
        #expect(counts[1] == 2)
        #expect(counts[2] == 6)
    }

    @Test func barsOfWhatIsNotServedAreRefused() {
        let client = GatewayRig().dataClient()
        client.subscribeBars(1, .of(.forex, "EUR", "IDEALPRO"), .trades)
        client.subscribeBars(2, .stock("AAPL"), .adjustedLast)
        #expect(client.codes == [420, 420])
    }

    // MARK: Kept up to date

    @Test func growingBarIsReportedEveryFiveSeconds() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.askBars(1, .days(1), .oneMinute) { $0.keepUpToDate = true }
        let first = try #require(client.bars(1))
        #expect(first.last?.date.description == "20240305 09:59:00 US/Eastern")
        client.take()
        rig.pass(.seconds(130))
        var updates: [(at: Timestamp, bar: HistoricalBar)] = []
        for received in client.received {
            if case .historicalDataUpdate(let update) = received.message {
                updates.append((received.at, update.bar))
            }
        }
        #expect(updates.count >= 24 && updates.count <= 30)
        for (before, after) in zip(updates, updates.dropFirst()) {
            #expect(after.at - before.at <= .seconds(6))
        }
        // The bars that are over are those of history.
        client.askBars(2, .days(1), .oneMinute)
        let past = try #require(client.bars(2))
        let dates: Set<String> = ["20240305 10:00:00 US/Eastern", "20240305 10:01:00 US/Eastern"]
        for date in dates {
            let last = updates.last { $0.bar.date.description == date }?.bar
            #expect(last == past.first { $0.date.description == date })
        }
        var cancel = CancelHistoricalData()
        cancel.reqId = 1
        client.send(.cancelHistoricalData(cancel))
        client.take()
        rig.pass(.seconds(30))
        #expect(client.messages.isEmpty)
    }

    // MARK: Faults

    @Test func brokenFarmIsSilentAndGoesOn() {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribe(1, .stock("AAPL"))
        client.subscribeBars(2, .stock("AAPL"))
        client.take()
        rig.setFarm(.data, isUp: false)
        rig.pass(.seconds(20))
        #expect(client.codes == [2103])
        #expect(client.messages.count == 1)
        rig.setFarm(.data, isUp: true)
        rig.pass(.seconds(10))
        #expect(client.codes == [2103, 2104])
        #expect(client.ticks(1).contains("bid"))
    }

    @Test func deadStreamsStateNothingAndKeepTheirNumbers() {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribe(1, .stock("AAPL"))
        client.askBars(2, .days(1), .oneMinute) { $0.keepUpToDate = true }
        client.take()
        rig.gateway.silence([.ticks, .history])
        rig.pass(.seconds(30))
        #expect(client.messages.isEmpty)
        client.subscribe(1, .stock("AAPL"))
        #expect(client.codes(about: 1) == [102])
    }

    @Test func failedUpdatesAndLostSubscriptionsAreOver() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.askBars(1, .days(1), .oneMinute) { $0.keepUpToDate = true }
        client.askBars(2, .days(1), .oneMinute) { $0.keepUpToDate = true }
        client.subscribe(3, .stock("AAPL"))
        client.take()
        rig.gateway.failHistoryUpdates(every: 2)
        rig.gateway.flush()
        rig.deliver()
        #expect(client.codes(about: 1) == [10_182] && client.codes(about: 2).isEmpty)
        rig.gateway.loseSubscriptions()
        client.take()
        rig.pass(.seconds(30))
        #expect(client.messages.isEmpty)
        let id = try #require(rig.gateway.contracts.id(ofSymbol: "AAPL"))
        #expect(!rig.follows(id))
        client.subscribe(3, .stock("AAPL"))
        #expect(client.ticks(3).contains("bid"))
    }
}
