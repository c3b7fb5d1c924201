import MarketState
import Model
import Primitives

@testable import MarketSimulation

/// A small market: two stocks, an index, a currency pair, a future and an option on the first stock.
enum MarketFixture {
    static let (a, b) = (InstrumentID(index: 0), InstrumentID(index: 1))
    static let index = InstrumentID(index: 2)
    static let pair = InstrumentID(index: 3)
    static let future = InstrumentID(index: 4)
    static let (call, put) = (InstrumentID(index: 5), InstrumentID(index: 6))
    static let everything = [a, b, index, pair, future, call, put]

    static func day(_ text: String) -> Day { Day(text) ?? Day(number: 0) }

    /// A time by New York's clock.
    static func at(_ day: String, _ hour: Int64, _ minute: Int64 = 0, _ second: Int64 = 0)
        -> Timestamp
    {
        NewYork.timestamp(
            on: self.day(day), at: .seconds(hour * 3_600 + minute * 60 + second))
    }

    static func listings() -> [MarketListing] {
        func price(_ cents: Int64) -> Price { Price(cents: cents) }
        let expiry = day("2024-06-21")
        var pairTerms = Instrument(id: pair, symbol: "EUR.USD", assetClass: .forex)
        pairTerms.tickSize = .fixed(Price(units: 5_000))
        var futureTerms = Instrument(
            id: future, symbol: "ESM4", assetClass: .future(expiry: expiry))
        futureTerms.tickSize = .fixed(price(25))
        func option(_ id: InstrumentID, _ right: OptionTerms.Right) -> Instrument {
            let terms = OptionTerms(
                underlying: a, expiry: expiry, strike: price(100_00), right: right)
            return Instrument(id: id, symbol: "AAA \(right)", assetClass: .option(terms))
        }
        var level = MarketListing(
            instrument: Instrument(id: index, symbol: "VIX", assetClass: .index),
            startPrice: price(15_00), volatility: 0.8, dailyVolume: 0)
        level.reversion = Reversion(floor: 0.5, halfLife: 30)
        return [
            MarketListing(
                instrument: Instrument(id: a, symbol: "AAA"), startPrice: price(100_00)),
            MarketListing(
                instrument: Instrument(id: b, symbol: "BBB"), startPrice: price(5_00),
                dailyVolume: 40_000),
            level,
            MarketListing(
                instrument: pairTerms, startPrice: price(1_10), volatility: 0.08, dailyVolume: 0),
            MarketListing(
                instrument: futureTerms, startPrice: price(5_000_00), volatility: 0.15,
                dailyVolume: 1_500_000),
            MarketListing(
                instrument: option(call, .call), startPrice: price(5_00), dailyVolume: 2_000),
            MarketListing(
                instrument: option(put, .put), startPrice: price(5_00), dailyVolume: 2_000),
        ]
    }

    static func market(
        _ start: Timestamp = at("2024-03-05", 9, 30), seed: UInt64 = 7,
        _ configure: (inout SyntheticTraits) -> Void = { _ in }
    ) -> SimulatedMarket {
        var traits = SyntheticTraits()
        traits.firstDay = day("2024-01-02")
        configure(&traits)
        return SimulatedMarket(
            listings: listings(), source: .synthetic(traits), calendar: .newYork, seed: seed,
            start: start)
    }

    /// The prices of a stock in whole cents that moves in sessions only.
    static func history(
        of symbol: String, _ traits: SyntheticTraits, from day: String, price: Price, seed: UInt64
    ) -> SyntheticHistory {
        var instrument = Instrument(id: a, symbol: symbol)
        instrument.tickSize = .fixed(Price(cents: 1))
        return SyntheticHistory(
            of: MarketListing(instrument: instrument, startPrice: price, hours: .uninterrupted),
            traits, calendar: .newYork, seed: seed, firstDay: self.day(day))
    }

    /// A market that tells recordings.
    static func replay(_ data: ReplayData, _ start: Timestamp, seed: UInt64 = 7) -> SimulatedMarket
    {
        SimulatedMarket(
            listings: listings(), source: .replay(data), calendar: .newYork, seed: seed,
            start: start)
    }
}

extension SimulatedMarket {
    /// All events until a time.
    mutating func events(to timestamp: Timestamp, step: Duration? = nil) -> [MarketEvent] {
        var events: [MarketEvent] = []
        while let step, now + step < timestamp { advance(to: now + step, into: &events) }
        advance(to: timestamp, into: &events)
        return events
    }

    /// Lets time pass without a word.
    mutating func wait(until timestamp: Timestamp) {
        var events: [MarketEvent] = []
        advance(to: timestamp, into: &events)
    }
}

/// A second way to make bars: of events, one after the other.
struct CountedBars {
    var (open, high, low, close): (Int64?, Int64, Int64, Int64) = (nil, .min, .max, 0)
    var volume: Int64 = 0
    var count: Int64 = 0

    mutating func add(_ price: Int64, size: Int64 = 0) {
        open = open ?? price
        (high, low, close) = (max(high, price), min(low, price), price)
        volume += size
        count += 1
    }

    /// The bars of events by the beginning of their step.
    static func bars(
        _ events: [MarketEvent], step: Int64, _ value: (MarketEvent) -> (Int64, Int64)?
    ) -> [Timestamp: CountedBars] {
        var bars: [Timestamp: CountedBars] = [:]
        for event in events {
            guard let (price, size) = value(event) else { continue }
            let length = step * 1_000_000_000
            let start = Timestamp(nanoseconds: event.at.nanoseconds / length * length)
            bars[start, default: CountedBars()].add(price, size: size)
        }
        return bars
    }
}

extension MarketEvent {
    var lastPrice: (Int64, Int64)? {
        if case .trade(let trade) = self { (trade.price.units, trade.size.units) } else { nil }
    }
    var bid: (Int64, Int64)? {
        if case .quote(let quote) = self { quote.bid.map { ($0.units, 0) } } else { nil }
    }
    var ask: (Int64, Int64)? {
        if case .quote(let quote) = self { quote.ask.map { ($0.units, 0) } } else { nil }
    }
    var middle: (Int64, Int64)? {
        if case .quote(let quote) = self { quote.middle.map { ($0.units, 0) } } else { nil }
    }
}
