import ClientTestSupport
import GatewayTestSupport
import Primitives
import Runtime
import TWSClient
import TWSProtocol
import Testing

/// Market data from a simulated gateway, at every ceiling.
@Suite struct MarketDataTests {
    private func apple(_ rig: TradingRig) async throws -> Contract {
        let client = rig.client
        return try await rig.gateway.finishInTime { try await client.qualify(.stock("AAPL")) }
    }

    @Test(arguments: ceilings)
    func quotesFlowUntilTheyAreCancelled(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        var options = QuoteOptions()
        options.genericTicks = [233]
        let stream = rig.client.quotes(try await apple(rig), options)
        let read = Reading(stream)
        try await rig.gateway.wait("a stream of quotes") { read.data().count >= 12 }
        let quotes: [WireQuote] = read.data()
        let quote = try #require(quotes.last)
        let (bid, ask) = try (#require(quote.bid), #require(quote.ask))
        #expect(DecimalValue.zero < bid && bid < ask)
        #expect(try #require(quote.bidSize) > .zero)
        #expect(try #require(quote.last) > .zero)
        #expect(quote.mode == .live)
        #expect(read.gaps().isEmpty)
        #expect(stream.latest?.isStale == false)
        stream.cancel()
        try await rig.gateway.wait("the reader ends") { read.isOver }
        #expect(rig.gateway.received(.cancelMktData).count == 1)
        await rig.gateway.pass(.seconds(5))
        #expect(try #require(stream.latest).age >= .seconds(5))
        rig.checkCalm()
    }

    @Test(arguments: ceilings)
    func snapshotHasAQuoteAndAnEnd(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let client = rig.client
        let quote = try await rig.gateway.finishInTime("snapshot") {
            try await client.snapshot(.stock("MSFT"))
        }
        #expect(try #require(quote.bid) < #require(quote.ask))
        #expect(quote.volume != nil)
        rig.checkCalm()
    }

    @Test(arguments: ceilings)
    func everyTickComesWithItsTime(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let apple = try await apple(rig)
        let quotes = Reading(rig.client.quoteTicks(apple))
        let trades = Reading(rig.client.tradeTicks(apple, .all))
        try await rig.gateway.wait("ticks") {
            quotes.data().count >= 3 && trades.data().count >= 3
        }
        let ticks: [TimedTick<QuoteTick>] = quotes.data()
        #expect(ticks.allSatisfy { $0.value.bidPrice < $0.value.askPrice })
        #expect(ticks.map(\.time) == ticks.map(\.time).sorted())
        #expect(ticks.allSatisfy { $0.time >= SimulatedGateway.tuesday })
        let prices: [TimedTick<TradeTick>] = trades.data()
        #expect(prices.allSatisfy { $0.value.price > .zero && ($0.value.size ?? 0) > .zero })
        rig.checkCalm()
    }

    @Test(arguments: ceilings)
    func orderBookHasTwoSidesThatDoNotCross(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        var options = DepthOptions()
        options.rows = 5
        options.gathersExchanges = true
        let stream = rig.client.depth(try await apple(rig), options)
        let read = Reading(stream)
        try await rig.gateway.wait("a book that changes") { read.data().count >= 30 }
        let orderBooks: [OrderBook] = read.data()
        let orderBook = try #require(orderBooks.last)
        #expect(orderBook.faults == 0)
        #expect(!orderBook.bids.isEmpty && orderBook.bids.count <= 5)
        let bids = orderBook.bids.compactMap(\.price)
        let asks = orderBook.asks.compactMap(\.price)
        #expect(bids == bids.sorted(by: >) && asks == asks.sorted())
        #expect(try #require(bids.first) < #require(asks.first))
        stream.cancel()
        try await rig.gateway.wait("the reader ends") { read.isOver }
        rig.checkCalm()
    }
}
