import Primitives
import TWSProtocol
import Testing

@testable import GatewaySimulator

/// Order books, every tick, five-second bars and histories that are kept up to date.
@Suite struct StreamTests {
    // MARK: Order books

    /// A book as a client keeps it from what it is told.
    private struct Book {
        var bids: [(price: DecimalValue, size: DecimalValue)] = []
        var asks: [(price: DecimalValue, size: DecimalValue)] = []
        var widest = 0

        mutating func hear(_ message: GatewayMessage) {
            guard case .marketDepthL2(let change) = message else { return }
            let row = (change.price ?? 0, change.size ?? 0)
            let place = Int(change.position)
            var side = change.side == .bid ? bids : asks
            switch change.operation {
            // Clients differ in whether rows behind move: none must be there.
            case .insert where place == side.count: side.append(row)
            case .update where place < side.count: side[place] = row
            case .delete where place == side.count - 1: side.removeLast()
            case .insert, .update, .delete, .unknown:
                Issue.record("\(change.operation) of row \(place) of \(side.count)")
            }
            if change.side == .bid { bids = side } else { asks = side }
            widest = max(widest, side.count)
        }
    }

    @Test func bookStaysInOrderAndHasTheQuoteAtItsTop() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.watchBook(1, .stock("AAPL"), rows: 5)
        #expect(client.codes(about: 1) == [2152])
        var book = Book()
        let id = try #require(rig.gateway.book.id(ofSymbol: "AAPL"))
        for _ in 0..<120 {
            for message in client.take() { book.hear(message) }
            let snapshot = rig.gateway.market.snapshot(of: id)
            #expect(book.bids.first?.price == snapshot.bid.map { DecimalValue($0) })
            #expect(book.asks.first?.price == snapshot.ask.map { DecimalValue($0) })
            #expect(book.bids.first?.size == DecimalValue(snapshot.bidSize))
            #expect(zip(book.bids, book.bids.dropFirst()).allSatisfy { $0.price > $1.price })
            #expect(zip(book.asks, book.asks.dropFirst()).allSatisfy { $0.price < $1.price })
            rig.pass(.seconds(1))
        }
        #expect(book.bids.count == 5 && book.asks.count == 5 && book.widest == 5)
    }

    @Test func threeBooksMayBeOpen() {
        let rig = GatewayRig()
        let client = rig.dataClient()
        for (index, symbol) in ["AAPL", "MSFT", "IBM", "AMZN"].enumerated() {
            client.watchBook(RequestID(rawValue: Int32(index + 1)), .stock(symbol), rows: 3)
        }
        #expect(client.codes(about: 4) == [309])
        #expect(client.lastText == "Max number (3) of market depth requests has been reached")
        var cancel = CancelMktDepth()
        cancel.reqId = 1
        client.send(.cancelMktDepth(cancel))
        client.send(.cancelMktDepth(cancel))
        #expect(client.codes(about: 1).last == 310)
        client.watchBook(5, .stock("AMZN"), rows: 3)
        #expect(client.codes(about: 5) == [2152])
        client.watchBook(6, .stock("AMZN"), rows: 3, isSmart: false)
        #expect(client.codes(about: 6) == [10_092])
    }

    @Test func bookIsToldAgainAfterAReset() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.watchBook(1, .stock("AAPL"), rows: 4)
        rig.pass(.seconds(3))
        client.take()
        rig.gateway.resetBooks()
        rig.gateway.flush()
        rig.deliver()
        let messages = client.take()
        guard case .error(let error)? = messages.first else {
            Issue.record("a reset begins with its code")
            return
        }
        #expect(error.errorCode == 317)
        var book = Book()
        for message in messages.dropFirst() { book.hear(message) }
        #expect(book.bids.count == 4 && book.asks.count == 4)
    }

    // MARK: Every tick

    @Test func pastTicksComeBeforeLiveOnes() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.watchEveryTick(1, .stock("AAPL"), .allLast, past: 10)
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

    @Test func quotesAndMiddlesAreToldAsTheyChange() {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.watchEveryTick(1, .stock("AAPL"), .bidAsk)
        client.watchEveryTick(2, .stock("MSFT"), .midPoint)
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
            client.watchEveryTick(RequestID(rawValue: Int32(index + 1)), .stock(symbol), .last)
        }
        #expect(client.codes(about: 6) == [10_190])
        var cancel = CancelTickByTickData()
        cancel.reqId = 1
        client.send(.cancelTickByTickData(cancel))
        client.watchEveryTick(7, .stock("AAPL"), .last)
        #expect(client.codes(about: 7) == [10_189])
        #expect(rig.gateway.police.violations(of: .sameInstrument) == 1)
        rig.pass(.seconds(15))
        client.watchEveryTick(8, .stock("AAPL"), .last)
        #expect(client.codes(about: 8).isEmpty)
    }

    // MARK: Five-second bars

    @Test func barsComeEveryFiveSecondsAndAreHistory() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.watchBars(1, .stock("AAPL"))
        rig.pass(.seconds(62))
        var bars: [(at: Timestamp, bar: RealTimeBar)] = []
        for heard in client.heard {
            if case .realTimeBar(let bar) = heard.message { bars.append((heard.at, bar)) }
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
        client.watchBars(1, .stock("AAPL"), .midpoint, useRTH: true)
        client.watchBars(2, .stock("AAPL"), .trades, useRTH: false)
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
        client.watchBars(1, .of(.forex, "EUR", "IDEALPRO"), .trades)
        client.watchBars(2, .stock("AAPL"), .adjustedLast)
        #expect(client.codes == [420, 420])
    }

    // MARK: Kept up to date

    @Test func growingBarIsToldEveryFiveSeconds() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.askBars(1, .days(1), .oneMinute) { $0.keepUpToDate = true }
        let first = try #require(client.bars(1))
        #expect(first.last?.date.description == "20240305 09:59:00 US/Eastern")
        client.take()
        rig.pass(.seconds(130))
        var updates: [(at: Timestamp, bar: HistoricalBar)] = []
        for heard in client.heard {
            if case .historicalDataUpdate(let update) = heard.message {
                updates.append((heard.at, update.bar))
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
        client.watch(1, .stock("AAPL"))
        client.watchBars(2, .stock("AAPL"))
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

    @Test func deadStreamsSayNothingAndKeepTheirNumbers() {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.watch(1, .stock("AAPL"))
        client.askBars(2, .days(1), .oneMinute) { $0.keepUpToDate = true }
        client.take()
        rig.gateway.silence([.ticks, .history])
        rig.pass(.seconds(30))
        #expect(client.messages.isEmpty)
        client.watch(1, .stock("AAPL"))
        #expect(client.codes(about: 1) == [102])
    }

    @Test func failedUpdatesAndLostSubscriptionsAreOver() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.askBars(1, .days(1), .oneMinute) { $0.keepUpToDate = true }
        client.askBars(2, .days(1), .oneMinute) { $0.keepUpToDate = true }
        client.watch(3, .stock("AAPL"))
        client.take()
        rig.gateway.failHistoryUpdates(every: 2)
        rig.gateway.flush()
        rig.deliver()
        #expect(client.codes(about: 1) == [10_182] && client.codes(about: 2).isEmpty)
        rig.gateway.loseSubscriptions()
        client.take()
        rig.pass(.seconds(30))
        #expect(client.messages.isEmpty)
        let id = try #require(rig.gateway.book.id(ofSymbol: "AAPL"))
        #expect(!rig.follows(id))
        client.watch(3, .stock("AAPL"))
        #expect(client.ticks(3).contains("bid"))
    }
}
