package import MarketState
package import Model
package import Primitives

/// The synthetic prices of one instrument from its first day on, slice by slice: those of a `SimulatedMarket` that
/// cuts its days alike, made one after the other and then forgotten.
package struct SyntheticHistory {
    private var chain: PriceChain
    private let walk: WalkSlices
    private var slices: SliceWalk?
    /// The interval that is next.
    private var next = (dayIndex: 0, segment: 0)

    /// The prices of `listing`.
    package init(
        of listing: MarketListing, _ traits: SyntheticTraits, calendar: SessionCalendar,
        seed: UInt64, firstDay: Day
    ) {
        let (listing, traits) = (listing.bounded, traits.bounded)
        chain = PriceChain(listing, traits, calendar: calendar, seed: seed, firstDay: firstDay)
        walk = WalkSlices(listing, traits, calendar, seed: seed)
    }

    /// The next slice as a bar; `nil` once the price has reached ten million.
    package mutating func nextBar() -> BarRow? {
        nextSlice().map {
            BarRow(
                start: $0.start, open: Price(units: $0.prices.open),
                high: Price(units: $0.prices.high), low: Price(units: $0.prices.low),
                close: Price(units: $0.prices.close), volume: Quantity(units: $0.volume))
        }
    }

    /// Appends the quotes and trades of the next slice, in order.
    ///
    /// - Returns: whether there was one; not so once the price has reached ten million.
    package mutating func appendTicks(to ticks: inout [MarketEvent]) -> Bool {
        guard let slice = nextSlice() else { return false }
        slice.appendTicks(walk.listing.tickTerms, to: &ticks)
        return true
    }

    private mutating func nextSlice() -> Slice? {
        if let slice = slices?.next() { return slice }
        guard let link = chain.link(at: next.dayIndex) else { return nil }
        slices = walk.walk(next.segment, of: link)
        next.segment += 1
        if next.segment == link.segments.count { next = (next.dayIndex + 1, 0) }
        return slices?.next()
    }
}
