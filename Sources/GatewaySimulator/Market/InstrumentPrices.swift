import MarketState
import Model
import Primitives

/// Where one instrument's prices come from, day by day. Days are counted from 0, the first with prices.
struct InstrumentPrices: Sendable {
    /// One of these, or none: then there are no prices.
    private var chain: PriceChain?
    private let walk: WalkSlices?
    private let recorded: (days: RecordedDays, slices: RecordedSlices)?
    let option: OptionSlices?

    /// Prices that are made up.
    init(_ listing: MarketListing, walk chain: PriceChain, _ traits: SyntheticTraits, seed: UInt64)
    {
        self.chain = chain
        let key = DrawKey(seed: seed, name: listing.family).part(-1)
        walk = WalkSlices(listing: listing, traits: traits, key: key)
        (recorded, option) = (nil, nil)
    }

    /// Prices that were recorded.
    init(recorded days: RecordedDays, _ slices: RecordedSlices) {
        recorded = (days, slices)
        (chain, walk, option) = (nil, nil, nil)
    }

    /// Prices that follow from another instrument's.
    init(option: OptionSlices) {
        self.option = option
        (chain, walk, recorded) = (nil, nil, nil)
    }

    /// No prices.
    init() { (chain, walk, recorded, option) = (nil, nil, nil, nil) }

    /// Makes the days known until one that begins after `instant`; days of options are their underlying's.
    mutating func reach(_ instant: Timestamp) { chain?.reach(instant) }

    /// The last day that has begun by `instant`; `nil` before the first.
    func place(at instant: Timestamp) -> Int? {
        chain?.place(at: instant) ?? recorded?.days.place(at: instant)
    }

    /// The date of a day; `nil` where there is no such day, or not yet.
    func day(_ place: Int) -> Day? {
        if let chain { return chain.links.indices.contains(place) ? chain.links[place].day : nil }
        guard let days = recorded?.days, days.entries.indices.contains(place) else { return nil }
        return days.entries[place].day
    }

    /// When a day begins; `nil` where there is no such day, or not yet.
    func start(_ place: Int) -> Timestamp? {
        if let chain {
            return chain.links.indices.contains(place) ? chain.links[place].segments[0].start : nil
        }
        guard let days = recorded?.days, days.entries.indices.contains(place) else { return nil }
        return days.entries[place].start
    }

    /// The slices of a day, without what was done to them from outside.
    ///
    /// - Parameter regularOnly: whether those outside regular hours may be left out.
    func slices(_ place: Int, regularOnly: Bool) -> [Slice] {
        var slices: [Slice] = []
        if let chain, let walk, chain.links.indices.contains(place) {
            let link = chain.links[place]
            for (index, segment) in link.segments.enumerated()
            where segment.isRegular || !regularOnly {
                walk.append(index, of: link, to: &slices)
            }
        } else if let recorded, recorded.days.entries.indices.contains(place) {
            slices = recorded.slices.slices(
                of: recorded.days.entries[place], in: recorded.days.series)
        }
        return slices
    }

    /// The recorded ticks within a stretch of time; `nil` where ticks are not what was recorded.
    func recordedTicks(in span: Range<Timestamp>, of instrument: InstrumentID) -> [MarketEvent]? {
        guard case .ticks(let ticks)? = recorded?.days.series else { return nil }
        var (low, high) = (0, ticks.count)
        while low < high {
            let middle = (low + high) / 2
            if ticks[middle].at < span.lowerBound { low = middle + 1 } else { high = middle }
        }
        var found: [MarketEvent] = []
        while low < ticks.count, ticks[low].at < span.upperBound {
            found.append(ticks[low].of(instrument))
            low += 1
        }
        return found
    }
}

extension MarketEvent {
    /// The same of another instrument.
    func of(_ instrument: InstrumentID) -> MarketEvent {
        switch self {
        case .quote(let quote):
            .quote(
                Quote(
                    instrument: instrument, at: quote.at, bid: quote.bid, ask: quote.ask,
                    bidSize: quote.bidSize, askSize: quote.askSize))
        case .trade(let trade):
            .trade(
                Trade(
                    instrument: instrument, at: trade.at, price: trade.price, size: trade.size))
        }
    }
}
