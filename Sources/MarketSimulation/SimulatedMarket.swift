package import MarketState
import Model
package import Primitives

/// Prices for a gateway that has none: made up, or recorded.
///
/// What it shows follows from the seed, the instrument and the time alone. Following an instrument or
/// asking for its history changes nothing, the history is what was published, and two markets with the same
/// seed, listing and first day agree. Only what is done to it from outside (halts, splits) comes on top.
///
/// A trading day is made of slices of a minute or less unless told otherwise (`Slice`, `SliceCut`), each of which is made of ticks
/// (`Slice.appendTicks`); both are made when they are needed, so any time can be reached at once.
package struct SimulatedMarket: Sendable {
    /// The instruments; an instrument's id is its index here.
    package let listings: [MarketListing]
    /// The sessions.
    package let calendar: SessionCalendar
    /// The time up to which everything has happened.
    package internal(set) var now: Timestamp

    /// Where prices come from, by instrument.
    var prices: [InstrumentPrices]
    /// What is made of them now, by instrument.
    var cursors: [MarketCursor]
    /// What was done to them, by instrument.
    var faults: [MarketFaults]
    /// Days at hand.
    var cache = DayCache()
    /// Who follows, by instrument.
    private var followers: [Int]
    /// The instruments somebody follows, in order.
    private var followed: [Int] = []
    private var order: [EventOrder] = []
    private var unordered: [MarketEvent] = []
    /// What was shown from outside since the last step.
    private var fed: [MarketEvent] = []

    /// A market of some instruments.
    ///
    /// - Parameter start: when time begins; recordings are replayed from there on.
    /// - Precondition: each listing's instrument has its index as its id.
    package init(
        listings: [MarketListing], source: MarketSource, calendar: SessionCalendar, seed: UInt64,
        start: Timestamp
    ) {
        for (index, listing) in listings.enumerated() {
            precondition(Int(listing.instrument.id.index) == index, "ids are places in the list")
        }
        let listings = listings.map(\.bounded)
        self.listings = listings
        self.calendar = calendar
        now = start
        prices = InstrumentPrices.all(of: listings, source, calendar, seed: seed, start: start)
        cursors = listings.map { _ in MarketCursor() }
        faults = listings.map { _ in MarketFaults() }
        followers = listings.map { _ in 0 }
    }

    /// Begins to publish an instrument's events; call it once for each who wants them.
    package mutating func follow(_ id: InstrumentID) {
        guard let index = index(of: id) else { return }
        followers[index] += 1
        guard followers[index] == 1 else { return }
        catchUp(index)
        followed.append(index)
        followed.sort()
    }

    /// Ends what one `follow` began.
    package mutating func unfollow(_ id: InstrumentID) {
        guard let index = index(of: id), followers[index] > 0 else { return }
        followers[index] -= 1
        if followers[index] == 0 { followed.removeAll { $0 == index } }
    }

    /// The instruments that somebody follows.
    package var followedInstruments: [InstrumentID] { followed.map { InstrumentID(index: $0) } }

    /// Lets time pass; earlier times than `now` change nothing.
    ///
    /// - Parameter events: gets what followed instruments show after `now` and up to `timestamp`, in order of
    ///   time, at equal times in order of instruments.
    package mutating func advance(to timestamp: Timestamp, into events: inout [MarketEvent]) {
        guard timestamp > now else { return }
        unordered.removeAll(keepingCapacity: true)
        unordered += fed
        fed.removeAll(keepingCapacity: true)
        for index in followed { play(index, to: timestamp) }
        now = timestamp
        guard followed.count > 1 else {
            events.append(contentsOf: unordered)
            return
        }
        order.removeAll(keepingCapacity: true)
        for (eventIndex, event) in unordered.enumerated() {
            order.append(EventOrder(time: event.at.nanoseconds, index: Int32(eventIndex)))
        }
        order.sort()
        events.reserveCapacity(events.count + order.count)
        for item in order { events.append(unordered[Int(item.index)]) }
    }

    /// Takes in what another market shows of an instrument that has no prices here. It is published with the next step, in
    /// the order of the calls, if somebody follows the instrument.
    ///
    /// - Parameter event: not earlier than those before.
    package mutating func feed(_ event: MarketEvent) {
        guard let index = index(of: event.instrument) else { return }
        switch event {
        case .quote(let quote): cursors[index].quote = quote
        case .trade(let trade): cursors[index].trade = trade
        }
        if followers[index] > 0 { fed.append(event) }
    }

    /// The first time with prices; `nil` where there are none.
    package mutating func firstTime(of id: InstrumentID) -> Timestamp? {
        guard let index = index(of: id) else { return nil }
        reach(index, now)
        guard let dayIndex = firstDayIndex(index), let start = start(index, dayIndex), start <= now
        else {
            return nil
        }
        return start
    }

    /// The index of an id in the list; `nil` where it is none of this market's.
    func index(of id: InstrumentID) -> Int? {
        listings.indices.contains(Int(id.index)) ? Int(id.index) : nil
    }

    /// Publishes an event of a followed instrument.
    mutating func publish(_ event: MarketEvent) { unordered.append(event) }

    /// An event's index among those of several instruments, which come one instrument after the other.
    private struct EventOrder: Comparable {
        let time: Int64
        let index: Int32

        static func < (left: EventOrder, right: EventOrder) -> Bool {
            left.time != right.time ? left.time < right.time : left.index < right.index
        }
    }
}

extension InstrumentPrices {
    /// The prices of all instruments of a market.
    static func all(
        of listings: [MarketListing], _ source: MarketSource, _ calendar: SessionCalendar,
        seed: UInt64, start: Timestamp
    ) -> [InstrumentPrices] {
        switch source {
        case .synthetic(let requested):
            let traits = requested.bounded
            let year = calendar.day(of: start).date.year - 2
            let first = traits.firstDay ?? Day(year: year, month: 1, day: 1)
            return listings.map { listing in
                if let option = option(listing, listings, traits, calendar, seed) {
                    return InstrumentPrices(option: option)
                }
                let chain = PriceChain(
                    listing, traits, calendar: calendar, seed: seed,
                    firstDay: first ?? calendar.day(of: start))
                return InstrumentPrices(chain, WalkSlices(listing, traits, calendar, seed: seed))
            }
        case .replay(let data):
            let traits = SyntheticTraits()
            return listings.map { listing in
                if let series = data.series[listing.instrument.symbol] {
                    let key = DrawKey(seed: seed, name: listing.instrument.symbol)
                    return InstrumentPrices(
                        recorded: RecordedDays(series, calendar: calendar),
                        RecordedSlices(
                            listing: listing, calendar: calendar,
                            quotesPerSecond: traits.quotesPerSecond, key: key))
                }
                return option(listing, listings, traits, calendar, seed).map {
                    InstrumentPrices(option: $0)
                } ?? InstrumentPrices()
            }
        }
    }

    /// How a listing's prices follow from another's; `nil` for what is no option.
    private static func option(
        _ listing: MarketListing, _ listings: [MarketListing], _ traits: SyntheticTraits,
        _ calendar: SessionCalendar, _ seed: UInt64
    ) -> OptionSlices? {
        guard case .option(let terms) = listing.instrument.assetClass else { return nil }
        let underlying = Int(terms.underlying.index)
        guard listings.indices.contains(underlying), terms.strike > .zero else { return nil }
        if case .option = listings[underlying].instrument.assetClass { return nil }
        return OptionSlices(
            listing: listing, underlying: underlying, terms: terms,
            volatility: max(0.01, traits.volatility ?? listings[underlying].volatility),
            rate: traits.rate, expiry: calendar.close(on: terms.expiry),
            key: DrawKey(seed: seed, name: listing.instrument.symbol))
    }
}
