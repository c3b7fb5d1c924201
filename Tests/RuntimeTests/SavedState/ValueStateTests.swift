import MarketState
import Model
import Primitives
import TestSupport
import Testing

@testable import Runtime

/// Values of the kernel that strategies may keep.
@Suite struct ValueStateTests {
    private func expectSame<Value: Codable & Equatable>(_ values: Value...) throws {
        for value in values {
            let saved = try StateEncoder.encode(value)
            #expect(try StateDecoder.decode(Value.self, from: saved) == value)
        }
    }

    @Test func aNumberIsSavedAsItself() throws {
        #expect(try StateEncoder.encode(Price(units: 5)) == [1, 3, 5])
        #expect(try StateEncoder.encode(InstrumentID(index: 2)) == [1, 3, 2])
        try expectSame(Price(units: .min), Price(units: .max))
        try expectSame(Quantity(units: .min), Quantity(units: .max))
        try expectSame(Money(units: .min), Money(units: .max))
        try expectSame(ExactMoney(units: .min), ExactMoney(units: .max))
        try expectSame(Percent(units: .min), Percent.hundred)
        try expectSame(Duration.minutes(1), Duration(nanoseconds: .min))
        try expectSame(Timestamp.distantPast, Timestamp.distantFuture)
        try expectSame(Day(number: .min), Day(number: .max))
        try expectSame(InstrumentID(index: 0), InstrumentID(index: Int(Int32.max)))
        try expectSame(StrategyID(index: 3))
        try expectSame(OrderID(number: .max))
        try expectSame(TextID.none, TextID(index: 9))
        try expectSame(TimerID(strategy: StrategyID(index: 1), number: -2))
        try expectSame(ExecutionID(base: 7, revision: 2))
    }

    /// What does not fit its type is refused: no conversion of it may stop the process.
    @Test func aNumberTooLargeForAnIdIsRefused() throws {
        let bytes = try StateEncoder.encode(Int64(Int32.max) + 1)
        #expect(throws: SavedStateError.self) {
            try StateDecoder.decode(InstrumentID.self, from: bytes)
        }
        #expect(throws: SavedStateError.self) { try StateDecoder.decode(Day.self, from: bytes) }
    }

    @Test func aGeneratorGoesOn() throws {
        var original = SeededGenerator(seed: 3)
        _ = original.next()
        let saved = try StateEncoder.encode(original)
        var restored = try StateDecoder.decode(SeededGenerator.self, from: saved)
        #expect(restored.next() == original.next())
    }

    @Test func marketDataComesBack() throws {
        let id = InstrumentID(index: 1)
        try expectSame(Make.bar(3, open: 10_00, close: 11_00, instrument: 1))
        try expectSame(
            Quote(instrument: id, at: Make.open, bid: Price(cents: 1), ask: nil),
            Quote(
                instrument: id, at: Make.open, bid: Price(cents: 1), ask: Price(cents: 2),
                bidSize: Quantity(shares: 3), askSize: Quantity(shares: 4)))
        try expectSame(
            Trade(
                instrument: id, at: Make.open, price: Price(cents: 5), size: Quantity(shares: 6)))
        try expectSame(Make.execution(1, .sell, 5, cents: 10_00))
        try expectSame(SessionCalendar.always, .newYork)
        var option = Instrument(
            id: id, symbol: "SPY",
            assetClass: .option(
                OptionTerms(
                    underlying: InstrumentID(index: 0), expiry: Day(number: 20_000),
                    strike: Price(cents: 400_00), right: .put)))
        option.sector = "funds"
        option.tickSize = .fixed(Price(cents: 5))
        try expectSame(option, Instrument(id: id, symbol: "A"))
    }

    // MARK: Terms

    /// The parts of terms, which `OrderTerms` itself takes from its builders only.
    private struct Parts: Codable {
        var type: OrderType
        var timeInForce: TimeInForce
        var hours: OrderTerms.Hours?
        var isLeftToWindow = false
    }

    @Test func whatBuildersMakeComesBack() throws {
        let price = Price(cents: 10_00)
        try expectSame(
            OrderTerms.market, .marketNow, .limit(price), .limit(price, for: .immediateOrCancel),
            .limit(price, for: .goodTillDate(Make.open), in: .extended), .stop(price, for: .day),
            .stopLimit(stop: price, limit: price, in: .regular),
            .trailingStop(by: .percent(Percent(5))), .trailingStop(by: .amount(price)),
            .marketOnOpen, .limitOnOpen(price), .marketOnClose, .limitOnClose(price))
        try expectSame(
            Protection(stop: .price(price)), Protection(target: .away(.percent(Percent(3)))),
            Protection(
                stop: .trailing(.range(RangeDistance(length: 14, times: Percent(200)))),
                target: .away(.amount(price))))
        try expectSame(
            Intent.Goal.enter(.sell), .exit, .target(Quantity(shares: -1)), .weight(0.1), .withdraw)
    }

    @Test func termsThatNoBuilderMakesAreRefused() throws {
        func isRefused(_ parts: Parts) throws -> Bool {
            let bytes = try StateEncoder.encode(parts)
            return (try? StateDecoder.decode(OrderTerms.self, from: bytes)) == nil
        }
        let price = Price(cents: 10_00)
        #expect(try !isRefused(Parts(type: .stop(price), timeInForce: .day)))
        #expect(try isRefused(Parts(type: .stop(price), timeInForce: .immediateOrCancel)))
        #expect(try isRefused(Parts(type: .marketOnOpen, timeInForce: .day, hours: .extended)))
        #expect(try isRefused(Parts(type: .marketOnOpen, timeInForce: .goodTillCancelled)))
        #expect(
            try isRefused(
                Parts(
                    type: .limit(price), timeInForce: .day, hours: .regular, isLeftToWindow: true)))
        let neither = try StateEncoder.encode([String: Int]())
        #expect(throws: SavedStateError.self) {
            try StateDecoder.decode(Protection.self, from: neither)
        }
    }

    @Test func aLengthThatDividesNoDayIsRefused() throws {
        let maker = try #require(
            BarAggregator(InstrumentID(index: 0), barSize: .hours(1), calendar: .newYork))
        var bytes = try StateEncoder.encode(maker)
        let hour = try StateEncoder.encode(Duration.hours(1)).dropFirst()
        let index = try #require(
            bytes.indices.first { bytes[$0...].starts(with: hour) })
        // One nanosecond more, in as many bytes.
        bytes[index + 1] ^= 1
        #expect(throws: SavedStateError.self) {
            try StateDecoder.decode(BarAggregator.self, from: bytes)
        }
    }
}
