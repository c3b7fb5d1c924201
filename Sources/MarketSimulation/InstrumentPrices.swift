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
    init(_ chain: PriceChain, _ walk: WalkSlices) {
        self.chain = chain
        self.walk = walk
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

    /// Makes the days known until one that begins after `timestamp`; days of options are their underlying's.
    mutating func reach(_ timestamp: Timestamp) { chain?.reach(timestamp) }

    /// The last day that has begun by `timestamp`; `nil` before the first.
    func dayIndex(at timestamp: Timestamp) -> Int? {
        chain?.dayIndex(at: timestamp) ?? recorded?.days.dayIndex(at: timestamp)
    }

    /// The date of a day; `nil` where there is no such day, or not yet.
    func day(_ dayIndex: Int) -> Day? {
        if let chain {
            return chain.links.indices.contains(dayIndex) ? chain.links[dayIndex].day : nil
        }
        guard let days = recorded?.days, days.entries.indices.contains(dayIndex) else { return nil }
        return days.entries[dayIndex].day
    }

    /// When a day begins; `nil` where there is no such day, or not yet.
    func start(_ dayIndex: Int) -> Timestamp? {
        if let chain {
            return chain.links.indices.contains(dayIndex)
                ? chain.links[dayIndex].segments[0].start : nil
        }
        guard let days = recorded?.days, days.entries.indices.contains(dayIndex) else { return nil }
        return days.entries[dayIndex].start
    }

    /// The slices of a day, without what was done to them from outside.
    ///
    /// - Parameter regularOnly: whether those outside regular hours may be left out.
    func slices(_ dayIndex: Int, regularOnly: Bool) -> [Slice] {
        var slices: [Slice] = []
        if let chain, let walk, chain.links.indices.contains(dayIndex) {
            let link = chain.links[dayIndex]
            for (index, segment) in link.segments.enumerated()
            where segment.isRegular || !regularOnly {
                slices.append(contentsOf: IteratorSequence(walk.walk(index, of: link)))
            }
        } else if let recorded, recorded.days.entries.indices.contains(dayIndex) {
            slices = recorded.slices.slices(
                of: recorded.days.entries[dayIndex], in: recorded.days.series)
        }
        return slices
    }

    /// The recorded ticks within an interval of time; `nil` where ticks are not what was recorded.
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
