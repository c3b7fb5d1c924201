import TWSProtocol
import Testing

@Suite struct TickByTickTests {
    @Test(arguments: [1, 2])
    func tradesHaveTheFieldsOfTheReference(kind: Int) throws {
        let text = "5|\(kind)|1681403482|187.25|100|2|ARCA|T I"
        let message = try read(TickByTick.self, text, at: 178)
        var trade = TradeTick()
        trade.price = 187.25
        trade.size = 100
        trade.mask = 2
        trade.exchange = "ARCA"
        trade.specialConditions = "T I"
        #expect(message.tick == (kind == 1 ? .last(trade) : .allLast(trade)))
        #expect(message.time == 1_681_403_482)
        #expect(trade.unreported)
        #expect(!trade.pastLimit)
        #expect(try layout(message, at: 178, from: .gateway) == text)
    }

    @Test func quoteHasTheFieldsOfTheReference() throws {
        let text = "5|3|1681403482|187.25|187.27|100|200|1"
        let message = try read(TickByTick.self, text, at: 178)
        var quote = QuoteTick()
        quote.bidPrice = 187.25
        quote.askPrice = 187.27
        quote.bidSize = 100
        quote.askSize = 200
        quote.mask = 1
        #expect(message.tick == .bidAsk(quote))
        #expect(try layout(message, at: 178, from: .gateway) == text)
    }

    /// Bit 0 is the bid's in live quotes and the ask's in those of the past.
    @Test func bitsOfQuotesAreTheOtherWayRoundInThePast() throws {
        var live = QuoteTick()
        live.mask = 1
        #expect(live.bidPastLow)
        #expect(!live.askPastHigh)
        live.mask = 2
        #expect(!live.bidPastLow)
        #expect(live.askPastHigh)
        let past = try read(
            HistoricalTicksBidAsk.self, "5|2|10|1|1|2|3|4|11|2|1|2|3|4|1", at: 178)
        #expect(past.ticks.map(\.askPastHigh) == [true, false])
        #expect(past.ticks.map(\.bidPastLow) == [false, true])
    }

    @Test func midpointHasTheFieldsOfTheReference() throws {
        let text = "5|4|1681403482|187.26"
        let message = try read(TickByTick.self, text, at: 178)
        #expect(message.tick == .midPoint(187.26))
        #expect(try layout(message, at: 178, from: .gateway) == text)
    }

    @Test func fieldsOfAnUnknownKindAreCountedAndNotRead() throws {
        let (message, leftover) = try readLoosely(
            TickByTick.self, "5|9|1681403482|a|b|c", at: 178)
        #expect(message.tick == .unknown(kind: 9))
        #expect(message.reqId == 5)
        #expect(leftover == 3)
        #expect(try layout(message, at: 178, from: .gateway) == "5|9|1681403482")
    }

    @Test func aTickWithoutItsPriceIsRefused() {
        #expect(failure(of: TickByTick.self, "5|4|1681403482", at: 178) != nil)
        #expect(failure(of: TickByTick.self, "5|1|1681403482|x|1|0||", at: 178) != nil)
    }
}
