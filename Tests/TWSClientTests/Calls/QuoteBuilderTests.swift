import ClientTestSupport
import Primitives
import TWSProtocol
import Testing

@testable import TWSClient

@Suite struct QuoteBuilderTests {
    private let now = Timestamp(seconds: 1_700_000_000)

    private func price(
        _ type: TickType, _ price: DecimalValue, _ size: DecimalValue? = nil
    ) -> MarketTick {
        var message = TickPrice()
        message.tickType = type
        message.price = price
        message.size = size
        return MarketTick(receivedAt: now, mode: .live, kind: .price(message))
    }

    private func size(_ type: TickType, _ size: DecimalValue) -> MarketTick {
        var message = WireTickSize()
        message.tickType = type
        message.size = size
        return MarketTick(receivedAt: now, mode: .live, kind: .size(message))
    }

    @Test func ticksAddUpToAQuoteThatStatesWhatChanged() {
        var builder = QuoteBuilder(mode: .live)
        #expect(true == builder.take(price(.bid, 187.25, 300)))
        #expect(builder.quote.changed == .bid)
        #expect(true == builder.take(price(.ask, 187.27, 100)))
        #expect(builder.quote.changed == .ask)
        #expect(builder.quote.bid == 187.25 && builder.quote.bidSize == 300)
        #expect(builder.quote.midpoint == 187.26)
        #expect(true == builder.take(size(.volume, 948_837.22)))
        #expect(builder.quote.changed == .volume)
        #expect(builder.quote.volume == 948_837.22)
        // The size that follows each price again changes nothing.
        #expect(false == builder.take(size(.bidSize, 300)))
    }

    /// C-24: what a gateway sends when nobody quotes never becomes a price.
    @Test(arguments: [-1, 0] as [DecimalValue])
    func noQuoteIsNone(sentinel: DecimalValue) {
        var builder = QuoteBuilder(mode: .live)
        #expect(true == builder.take(price(.bid, 187.25, 300)))
        #expect(true == builder.take(price(.bid, sentinel, 0)))
        #expect(builder.quote.bid == nil && builder.quote.bidSize == nil)
        #expect(false == builder.take(size(.bidSize, 0)))
        #expect(false == builder.take(price(.close, sentinel)))
        #expect(builder.quote.midpoint == nil)
    }

    /// Spreads and some futures trade at -1 indeed.
    @Test func aPriceOfMinusOneWithASizeIsAPrice() {
        var builder = QuoteBuilder(mode: .live)
        #expect(true == builder.take(price(.bid, -1, 5)))
        #expect(builder.quote.bid == -1)
    }

    @Test func delayedNumbersMarkTheQuoteEvenWithoutAWord() {
        var builder = QuoteBuilder(mode: .live)
        #expect(true == builder.take(price(.delayedLast, 12, 1)))
        #expect(builder.quote.isDelayed)
        #expect(builder.quote.changed == [.last, .mode])
    }

    @Test func timesAndHaltsComeAsTheirOwnKinds() {
        var builder = QuoteBuilder(mode: .live)
        var text = TickString()
        text.tickType = .lastTimestamp
        text.value = "1700000123"
        #expect(true == builder.take(MarketTick(receivedAt: now, mode: .live, kind: .text(text))))
        #expect(builder.quote.lastTradeAt == Timestamp(seconds: 1_700_000_123))
        var number = TickGeneric()
        number.tickType = .halted
        for (value, halt) in [
            (0, WireQuote.Halt.none), (2, .volatility), (1, .general), (-1, .unknown),
        ] {
            number.value = DecimalValue(Int64(value))
            #expect(
                true
                    == builder.take(MarketTick(receivedAt: now, mode: .live, kind: .number(number)))
            )
            #expect(builder.quote.halt == halt)
        }
    }

    /// DAT-06: a bounded buffer of ticks, over far more ticks than it holds.
    @Test func theTickBufferKeepsTheNewest() {
        var buffer = TickBuffer<Int>(capacity: 100)
        for tick in 0..<100_000 { buffer.add(tick) }
        #expect(buffer.elements == Array(99_900..<100_000))
        var empty = TickBuffer<Int>(capacity: 0)
        empty.add(1)
        #expect(empty.elements.isEmpty)
        var part = TickBuffer<Int>(capacity: 3)
        part.add(1)
        part.add(2)
        #expect(part.elements == [1, 2])
    }
}

@Suite struct OrderBookTests {
    private func row(_ price: DecimalValue) -> OrderBook.Row {
        OrderBook.Row(price: price, size: 1, maker: "")
    }

    private func message(
        _ side: DepthSide, _ operation: DepthOperation, _ position: Int32, _ price: DecimalValue
    ) -> GatewayMessage {
        var message = MarketDepth()
        message.side = side
        message.operation = operation
        message.position = position
        message.price = price
        message.size = 1
        return .marketDepth(message)
    }

    @Test func rowsMoveAsTheyAreInsertedAndDeleted() {
        var orderBook = OrderBook()
        let steps = [
            message(.bid, .insert, 0, 10), message(.bid, .insert, 0, 11),
            message(.bid, .insert, 1, 10.5), message(.bid, .delete, 0, 0),
            message(.bid, .update, 1, 9), message(.ask, .insert, 0, 12),
        ]
        for step in steps { #expect(true == orderBook.take(step, rowsMax: 10)) }
        #expect(orderBook.bids.map(\.price) == [10.5, 9])
        #expect(orderBook.asks.map(\.price) == [12])
        #expect(orderBook.faults == 0)
        orderBook.clear()
        #expect(orderBook.bids.isEmpty && orderBook.asks.isEmpty)
    }

    @Test func aFullSideLosesItsLastRow() {
        var orderBook = OrderBook()
        for price in 1...5 as ClosedRange<Int64> {
            _ = orderBook.take(message(.bid, .insert, 0, DecimalValue(price)), rowsMax: 3)
        }
        #expect(orderBook.bids.map(\.price) == [5, 4, 3])
    }

    @Test func whatDoesNotFitIsCountedAndNeverTraps() {
        var orderBook = OrderBook()
        let wrong = [
            message(.bid, .insert, 3, 1), message(.bid, .delete, 0, 1),
            message(.ask, .update, 2, 1), message(.ask, .insert, -1, 1),
            message(.unknown(7), .insert, 0, 1), message(.bid, .unknown(9), 0, 1),
        ]
        for step in wrong { _ = orderBook.take(step, rowsMax: 10) }
        #expect(orderBook.faults == wrong.count)
        #expect(orderBook.bids.isEmpty && orderBook.asks.isEmpty)
    }
}

/// DAT-02: late, repeated and missing bars are counted.
@Suite struct BarOrderTests {
    private let base: Int64 = 1_700_000_000

    private func bar(_ number: Int64) -> RealTimeBar {
        var bar = RealTimeBar()
        bar.time = base + 5 * number
        bar.close = DecimalValue(number)
        return bar
    }

    private func end(_ number: Int64) -> Timestamp { Timestamp(seconds: base + 5 * number + 5) }

    @Test func aWholeStreamCountsNothing() {
        let order = BarOrder()
        for number in 0..<100 as Range<Int64> {
            let bar = order.take(bar(number), at: end(number))
            #expect(bar?.missing == 0 && bar?.isLate == false)
        }
        var expected = BarCounts()
        expected.delivered = 100
        #expect(order.counts == expected)
    }

    @Test func missingBarsAreCountedUntilTheyComeLate() {
        let order = BarOrder()
        _ = order.take(bar(0), at: end(0))
        #expect(order.take(bar(4), at: end(4))?.missing == 3)
        #expect(order.counts.missing == 3)
        let late = order.take(bar(2), at: end(4))
        #expect(late?.isLate == true && late?.close == 2)
        #expect(order.counts.missing == 2 && order.counts.late == 1)
    }

    @Test func aRepeatedBarIsDroppedAndCounted() {
        let order = BarOrder()
        _ = order.take(bar(0), at: end(0))
        #expect(order.take(bar(0), at: end(0)) == nil)
        #expect(order.counts.duplicate == 1 && order.counts.delivered == 1)
    }

    @Test func aSlowBarIsLate() {
        let order = BarOrder()
        #expect(order.take(bar(0), at: end(0) + .seconds(5))?.isLate == false)
        #expect(order.take(bar(1), at: end(1) + .seconds(6))?.isLate == true)
    }

    @Test func aNightIsABreakAndNotThousandsOfMissingBars() {
        let order = BarOrder()
        _ = order.take(bar(0), at: end(0))
        _ = order.take(bar(10_000), at: end(10_000))
        #expect(order.counts.missing == 0 && order.counts.breaks == 1)
    }
}
