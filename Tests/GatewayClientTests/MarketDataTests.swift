import ClientTestSupport
import Primitives
import TWSClient
import TWSProtocol
import Testing

/// Market data from a simulated gateway, at every ceiling.
@Suite struct MarketDataTests {
    private func apple(_ desk: TradingDesk) async throws -> Contract {
        let client = desk.client
        return try await desk.gateway.finishInTime { try await client.qualify(.stock("AAPL")) }
    }

    @Test(arguments: ceilings)
    func quotesFlowUntilTheyAreCancelled(version: Int) async throws {
        let desk = try await TradingDesk.open(version: version)
        var options = QuoteOptions()
        options.genericTicks = [233]
        let stream = desk.client.quotes(try await apple(desk), options)
        let read = Reading(stream)
        try await desk.gateway.wait("a stream of quotes") { read.data().count >= 12 }
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
        try await desk.gateway.wait("the reader ends") { read.isOver }
        #expect(desk.gateway.heard(.cancelMktData).count == 1)
        await desk.gateway.pass(.seconds(5))
        #expect(try #require(stream.latest).age >= .seconds(5))
        desk.checkCalm()
    }

    @Test(arguments: ceilings)
    func snapshotHasAQuoteAndAnEnd(version: Int) async throws {
        let desk = try await TradingDesk.open(version: version)
        let client = desk.client
        let quote = try await desk.gateway.finishInTime("snapshot") {
            try await client.snapshot(.stock("MSFT"))
        }
        #expect(try #require(quote.bid) < #require(quote.ask))
        #expect(quote.volume != nil)
        desk.checkCalm()
    }

    @Test(arguments: ceilings)
    func everyTickComesWithItsTime(version: Int) async throws {
        let desk = try await TradingDesk.open(version: version)
        let apple = try await apple(desk)
        let quotes = Reading(desk.client.quoteTicks(apple))
        let trades = Reading(desk.client.tradeTicks(apple, .all))
        try await desk.gateway.wait("ticks") {
            quotes.data().count >= 3 && trades.data().count >= 3
        }
        let ticks: [TimedTick<QuoteTick>] = quotes.data()
        #expect(ticks.allSatisfy { $0.value.bidPrice < $0.value.askPrice })
        #expect(ticks.map(\.time) == ticks.map(\.time).sorted())
        #expect(ticks.allSatisfy { $0.time >= SimulatedGateway.tuesday })
        let prices: [TimedTick<TradeTick>] = trades.data()
        #expect(prices.allSatisfy { $0.value.price > .zero && ($0.value.size ?? 0) > .zero })
        desk.checkCalm()
    }

    @Test(arguments: ceilings)
    func orderBookHasTwoSidesThatDoNotCross(version: Int) async throws {
        let desk = try await TradingDesk.open(version: version)
        var options = DepthOptions()
        options.rows = 5
        options.gathersExchanges = true
        let stream = desk.client.depth(try await apple(desk), options)
        let read = Reading(stream)
        try await desk.gateway.wait("a book that changes") { read.data().count >= 30 }
        let books: [OrderBook] = read.data()
        let book = try #require(books.last)
        #expect(book.faults == 0)
        #expect(!book.bids.isEmpty && book.bids.count <= 5)
        let bids = book.bids.compactMap(\.price)
        let asks = book.asks.compactMap(\.price)
        #expect(bids == bids.sorted(by: >) && asks == asks.sorted())
        #expect(try #require(bids.first) < #require(asks.first))
        stream.cancel()
        try await desk.gateway.wait("the reader ends") { read.isOver }
        desk.checkCalm()
    }
}
