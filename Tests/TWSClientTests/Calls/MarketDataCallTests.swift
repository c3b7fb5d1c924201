import ClientTestSupport
import Primitives
import TWSProtocol
import Testing

@testable import TWSClient

@Suite struct MarketDataCallTests {
    private let apple = Contract.numbered("AAPL", 265_598)

    private func price(
        _ request: RequestID, _ type: TickType, _ price: DecimalValue, _ size: DecimalValue = 100
    ) -> GatewayMessage {
        var message = TickPrice()
        message.reqId = request
        message.tickType = type
        message.price = price
        message.size = size
        return .tickPrice(message)
    }

    private func mode(_ request: RequestID, _ mode: MarketDataMode) -> GatewayMessage {
        var message = MarketDataType()
        message.reqId = request
        message.marketDataType = mode
        return .marketDataType(message)
    }

    /// The request of a kind once it has arrived, the `count`th of them.
    private func request(
        _ kind: ClientMessageKind, _ count: Int = 1, at gateway: ScriptedGateway
    ) async throws -> RequestID {
        try await gateway.clock.run(until: "\(kind) arrives, time \(count)") {
            gateway.received(kind).count >= count
        }
        return try #require(gateway.received(kind)[count - 1].requestID)
    }

    @Test func quotesGrowAndEndAtTheGatewayWhenCancelled() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        var options = QuoteOptions()
        options.genericTicks = [233, 236]
        let stream = client.quotes(apple, options)
        let read = Reading(stream)
        let id = try await request(.reqMktData, at: gateway)
        gateway.send(price(id, .bid, 187.25), price(id, .ask, 187.27, 200))
        try await gateway.clock.run(until: "two quotes") { read.elements.count == 2 }
        let quotes: [WireQuote] = read.data()
        #expect(quotes.last?.bid == 187.25 && quotes.last?.askSize == 200)
        #expect(quotes.last?.receivedAt == gateway.clock.timeOfDay)
        guard case .reqMktData(let asked)? = gateway.received(.reqMktData).first else {
            Issue.record("no reqMktData")
            return
        }
        #expect(asked.genericTickList == "233,236" && asked.contract == apple)
        stream.cancel()
        try await gateway.clock.run(until: "the cancel arrives") {
            gateway.received(.cancelMktData).count == 1
        }
        #expect(gateway.live.isEmpty)
    }

    /// DAT-07: the newest value with its age, without a reader.
    @Test func theLatestQuoteHasAnAgeAndGetsStale() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        var options = QuoteOptions()
        options.staleAfter = .seconds(5)
        options.tickCapacity = 2
        let stream = client.quotes(apple, options)
        let id = try await request(.reqMktData, at: gateway)
        #expect(stream.latest == nil)
        gateway.send(price(id, .bid, 1), price(id, .bid, 2), price(id, .bid, 3))
        await gateway.clock.settle()
        gateway.clock.advance(by: .seconds(3))
        var latest = try #require(stream.latest)
        #expect(latest.value.bid == 3 && latest.age == .seconds(3) && !latest.isStale)
        gateway.clock.advance(by: .seconds(3))
        latest = try #require(stream.latest)
        #expect(latest.isStale)
        #expect(stream.ticks.count == 2)
        gateway.send(price(id, .bid, 3))
        await gateway.clock.settle()
        #expect(stream.latest?.isStale == false)
        gateway.change { $0.welcome = .refuses }
        gateway.drop()
        await gateway.clock.settle()
        #expect(stream.latest?.isStale == true)
        stream.cancel()
    }

    /// DAT-08: where data are not subscribed the instrument alone goes on with delayed ones, and says so.
    @Test(arguments: [354, 10_168, 10_186] as [Int32])
    func delayedDataFollowWhereTheyAreAllowed(code: Int32) async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        var options = QuoteOptions()
        options.allowsDelayed = true
        let stream = client.quotes(apple, options)
        let read = Reading(stream)
        let first = try await request(.reqMktData, at: gateway)
        gateway.send(code: code, id: first.rawValue, "not subscribed")
        let second = try await request(.reqMktData, 2, at: gateway)
        gateway.send(mode(second, .delayed), price(second, .delayedBid, 9))
        try await gateway.clock.run(until: "a delayed quote") {
            let quotes: [WireQuote] = read.data()
            return quotes.last?.bid == 9
        }
        let quotes: [WireQuote] = read.data()
        #expect(quotes.allSatisfy { $0.isDelayed })
        // Another instrument is asked for live again.
        let other = client.quotes(.numbered("IBM", 8_314))
        _ = try await request(.reqMktData, 3, at: gateway)
        let order = gateway.received.map(\.message).compactMap { message -> String? in
            switch message {
            case .reqMarketDataType(let type): "\(type.marketDataType)"
            case .reqMktData(let data): data.contract.symbol
            default: nil
            }
        }
        #expect(order == ["AAPL", "delayed", "AAPL", "live", "IBM"])
        other.cancel()
        stream.cancel()
    }

    @Test func withoutLeaveDelayedDataAreARefusal() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let read = Reading(client.quotes(apple))
        let id = try await request(.reqMktData, at: gateway)
        gateway.send(code: 354, id: id.rawValue)
        try await gateway.clock.run(until: "the stream ends") { read.error != nil }
        guard case .rejected(let notice)? = read.error as? ClientError else {
            Issue.record("\(String(describing: read.error))")
            return
        }
        #expect(notice.code == 354)
        #expect(gateway.received(.reqMktData).count == 1)
    }

    /// Refused once more with delayed data: there is nothing to fall back to, and no circle.
    @Test func aSecondRefusalEndsTheStream() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.reqMktData) { [.code(10_168, id: $0.requestID?.rawValue ?? 0)] }
        let client = try await gateway.connectedClient()
        var options = QuoteOptions()
        options.allowsDelayed = true
        let read = Reading(client.quotes(apple, options))
        try await gateway.clock.run(until: "the stream ends") { read.error != nil }
        #expect(gateway.received(.reqMktData).count == 2)
    }

    /// 10167 says that what follows is delayed, and ends nothing.
    @Test func theWordThatDelayedDataFollowMarksThem() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let stream = client.quotes(apple)
        let read = Reading(stream)
        let id = try await request(.reqMktData, at: gateway)
        gateway.send(code: 10_167, id: id.rawValue)
        gateway.send(price(id, .bid, 5))
        try await gateway.clock.run(until: "a quote") { read.elements.count == 2 }
        let quotes: [WireQuote] = read.data()
        #expect(quotes.map(\.mode) == [.delayed])
        stream.cancel()
    }

    @Test func aReconnectBeginsAQuoteAnewInTheSameMode() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        var options = QuoteOptions()
        options.mode = .delayed
        let stream = client.quotes(apple, options)
        let read = Reading(stream)
        let first = try await request(.reqMktData, at: gateway)
        gateway.send(price(first, .delayedBid, 5))
        try await gateway.clock.run(until: "a quote") { read.elements.count == 1 }
        gateway.drop()
        await gateway.clock.settle()
        await gateway.clock.advance(by: .seconds(60), inStepsOf: .seconds(1))
        let second = try await request(.reqMktData, 2, at: gateway)
        gateway.send(price(second, .delayedAsk, 6))
        try await gateway.clock.run(until: "a quote of the new connection") {
            let quotes: [WireQuote] = read.data()
            return quotes.count == 2
        }
        let quotes: [WireQuote] = read.data()
        #expect(quotes.last?.bid == nil && quotes.last?.ask == 6)
        #expect(read.gaps() == [Gap.disconnected])
        // The new connection knows nothing of the mode.
        #expect(gateway.received(.reqMarketDataType).count == 2)
        stream.cancel()
    }

    @Test func aContractForDifferenceIsReroutedToItsUnderlying() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let stream = client.quotes(apple)
        let id = try await request(.reqMktData, at: gateway)
        var other = RerouteMktDataReq()
        other.reqId = id
        other.conId = 99
        other.exchange = "SMART"
        gateway.send(.rerouteMktDataReq(other))
        _ = try await request(.reqMktData, 2, at: gateway)
        guard case .reqMktData(let asked)? = gateway.received(.reqMktData).last else {
            Issue.record("no reqMktData")
            return
        }
        #expect(asked.contract.conId == 99 && asked.contract.exchange == "SMART")
        stream.cancel()
    }

    @Test func rawTicksComeAsTheyAre() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let stream = client.ticks(apple)
        let read = Reading(stream)
        let id = try await request(.reqMktData, at: gateway)
        gateway.send(mode(id, .frozen), price(id, .bid, -1, 0), price(id, .bid, -1, 0))
        try await gateway.clock.run(until: "three ticks") { read.elements.count == 3 }
        let ticks: [MarketTick] = read.data()
        #expect(ticks.map(\.mode) == [.live, .frozen, .frozen])
        stream.cancel()
    }

    @Test func aSnapshotWaitsForItsEnd() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let apple = apple
        let call = Started(on: gateway.clock) { try await client.snapshot(apple) }
        let id = try await request(.reqMktData, at: gateway)
        gateway.send(price(id, .last, 12), price(id, .bid, 11))
        // It takes 11 seconds, which is more than other calls may.
        await gateway.clock.advance(by: .seconds(11), inStepsOf: .seconds(1))
        #expect(!call.isDone)
        var end = TickSnapshotEnd()
        end.reqId = id
        gateway.send(.tickSnapshotEnd(end))
        let quote = try await call.value()
        #expect(quote.last == 12 && quote.bid == 11 && quote.ask == nil)
    }

    @Test func aSnapshotFallsBackToDelayedData() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let apple = apple
        let call = Started(on: gateway.clock) {
            var options = QuoteOptions()
            options.allowsDelayed = true
            return try await client.snapshot(apple, options)
        }
        let first = try await request(.reqMktData, at: gateway)
        gateway.send(code: 10_168, id: first.rawValue)
        let second = try await request(.reqMktData, 2, at: gateway)
        var end = TickSnapshotEnd()
        end.reqId = second
        gateway.send(price(second, .delayedLast, 3), .tickSnapshotEnd(end))
        let quote = try await call.value()
        #expect(quote.last == 3 && quote.isDelayed)
    }

    @Test func everyKindOfTickByTickHasItsSubscription() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let trades = client.tradeTicks(apple, .all)
        let quotes = client.quoteTicks(.numbered("IBM", 8_314), pricesOnly: true)
        let middles = client.midpointTicks(.numbered("KO", 8_894))
        let (readTrades, readQuotes, readMiddles) = (
            Reading(trades), Reading(quotes), Reading(middles)
        )
        _ = try await request(.reqTickByTickData, 3, at: gateway)
        for message in gateway.received(.reqTickByTickData) {
            guard case .reqTickByTickData(let asked) = message else { continue }
            var tick = TickByTick()
            tick.reqId = asked.reqId
            tick.time = 1_700_000_000
            switch asked.tickType {
            case .allLast:
                var trade = TradeTick()
                trade.price = 10
                tick.tick = .allLast(trade)
            case .bidAsk:
                #expect(asked.ignoreSize)
                var quote = QuoteTick()
                quote.bidPrice = 11
                tick.tick = .bidAsk(quote)
            case .midPoint: tick.tick = .midPoint(12)
            case .last, .unknown: Issue.record("not asked for")
            }
            gateway.send(.tickByTick(tick))
        }
        try await gateway.clock.run(until: "three ticks") {
            readTrades.elements.count + readQuotes.elements.count + readMiddles.elements.count == 3
        }
        let trade: [TimedTick<TradeTick>] = readTrades.data()
        #expect(trade.first?.value.price == 10)
        #expect(trade.first?.time == Timestamp(seconds: 1_700_000_000))
        let quote: [TimedTick<QuoteTick>] = readQuotes.data()
        #expect(quote.first?.value.bidPrice == 11)
        let middle: [TimedTick<DecimalValue>] = readMiddles.data()
        #expect(middle.first?.value == 12)
        trades.cancel()
        quotes.cancel()
        middles.cancel()
        gateway.clock.advance(by: .seconds(1))
        try await gateway.clock.run(until: "all are cancelled") {
            gateway.received(.cancelTickByTickData).count == 3
        }
    }

    /// DAT-02.
    @Test func fiveSecondBarsReportWhatIsMissing() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let stream = client.fiveSecondBars(apple)
        let read = Reading(stream)
        let id = try await request(.reqRealTimeBars, at: gateway)
        let base = gateway.clock.timeOfDay.nanoseconds / 1_000_000_000
        for number in [0, 1, 1, 4] as [Int64] {
            var bar = RealTimeBar()
            bar.reqId = id
            bar.time = base + 5 * number
            gateway.send(.realTimeBar(bar))
        }
        try await gateway.clock.run(until: "three bars") { read.elements.count == 3 }
        let bars: [FiveSecondBar] = read.data()
        #expect(bars.map(\.missing) == [0, 0, 2])
        #expect(stream.counts.duplicate == 1 && stream.counts.missing == 2)
        stream.cancel()
        try await gateway.clock.run(until: "the cancel arrives") {
            gateway.received(.cancelRealTimeBars).count == 1
        }
    }

    /// The book is kept from its changes; 317 empties it and ends nothing.
    @Test func depthKeepsTheOrderBookAndEmptiesItOnReset() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        var options = DepthOptions()
        options.gathersExchanges = true
        let stream = client.depth(apple, options)
        let read = Reading(stream)
        let id = try await request(.reqMktDepth, at: gateway)
        var row = MarketDepthL2()
        row.reqId = id
        row.side = .bid
        row.price = 10
        row.size = 3
        row.marketMaker = "ARCA"
        gateway.send(.marketDepthL2(row))
        gateway.send(code: 317, id: id.rawValue)
        row.price = 11
        gateway.send(.marketDepthL2(row))
        try await gateway.clock.run(until: "three books") {
            let orderBooks: [OrderBook] = read.data()
            return orderBooks.count == 3
        }
        let orderBooks: [OrderBook] = read.data()
        #expect(orderBooks.map { $0.bids.map(\.price) } == [[10], [], [11]])
        #expect(orderBooks[2].bids.first?.maker == "ARCA")
        stream.cancel()
        try await gateway.clock.run(until: "the cancel arrives") {
            gateway.received(.cancelMktDepth).count == 1
        }
    }

    @Test func optionsAreComputedBothWays() async throws {
        let gateway = ScriptedGateway()
        for kind in [ClientMessageKind.calculateImpliedVolatility, .calculateOptionPrice] {
            gateway.on(kind) { message in
                var answer = TickOptionComputation()
                answer.reqId = message.requestID ?? 0
                answer.impliedVol = 0.25
                answer.optPrice = 4
                return [.tickOptionComputation(answer)]
            }
        }
        let client = try await gateway.connectedClient()
        let apple = apple
        let volatility = try await gateway.finish {
            try await client.impliedVolatility(of: apple, price: 4, underlying: 100)
        }
        #expect(volatility.impliedVol == 0.25)
        let price = try await gateway.finish {
            try await client.optionPrice(of: apple, volatility: 0.25, underlying: 100)
        }
        #expect(price.optPrice == 4)
    }
}
