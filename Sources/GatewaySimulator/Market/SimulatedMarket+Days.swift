import MarketState
import Model
import Primitives

/// A trading day of one instrument.
struct TradingDay: Sendable {
    /// The day.
    let day: Day
    /// Its slices, in order.
    let slices: [Slice]
}

/// Trading days at hand, the oldest dropped first, and what whole days come to.
struct DayCache: Sendable {
    /// An instrument and a day.
    struct Key: Hashable, Sendable {
        let index: Int
        let place: Int
    }

    private var days: [Key: TradingDay] = [:]
    private var ages: [Key] = []
    private var sums: [Key: (regular: SliceParts?, all: SliceParts?)] = [:]

    /// A day has a tenth of a megabyte.
    private static let daysMax = 512
    private static let sumsMax = 100_000

    subscript(day key: Key) -> TradingDay? { days[key] }

    mutating func keep(_ day: TradingDay, _ key: Key) {
        if ages.count >= Self.daysMax, let oldest = ages.first {
            ages.removeFirst()
            days[oldest] = nil
        }
        if days.updateValue(day, forKey: key) == nil { ages.append(key) }
    }

    func sum(_ key: Key, regularOnly: Bool) -> SliceParts? {
        regularOnly ? sums[key]?.regular : sums[key]?.all
    }

    mutating func keep(_ sum: SliceParts, _ key: Key, regularOnly: Bool) {
        if sums.count >= Self.sumsMax { sums.removeAll() }
        if regularOnly {
            sums[key, default: (nil, nil)].regular = sum
        } else {
            sums[key, default: (nil, nil)].all = sum
        }
    }

    mutating func removeAll() { self = DayCache() }
}

/// Days, slices and ticks of instruments.
extension SimulatedMarket {
    /// Whose days an instrument has: an option its underlying's.
    private func source(_ index: Int) -> Int { prices[index].option?.underlying ?? index }

    /// Makes the days known until one that begins after `instant`.
    mutating func reach(_ index: Int, _ instant: Timestamp) { prices[source(index)].reach(instant) }

    /// When a day begins; `nil` where there is no such day, or not yet.
    func start(_ index: Int, _ place: Int) -> Timestamp? {
        guard let option = prices[index].option else { return prices[index].start(place) }
        guard let day = prices[option.underlying].day(place), option.isListed(on: day) else {
            return nil
        }
        // An option's own day is its underlying's regular hours.
        return calendar.open(on: day)
    }

    /// The date of a day.
    func day(_ index: Int, _ place: Int) -> Day? { prices[source(index)].day(place) }

    /// The last day that has begun by `instant`; `nil` before the first.
    func place(_ index: Int, at instant: Timestamp) -> Int? {
        guard var place = prices[source(index)].place(at: instant) else { return nil }
        guard let option = prices[index].option else { return place }
        if let day = day(index, place), calendar.open(on: day) > instant { place -= 1 }
        while let day = day(index, place), day > option.terms.expiry { place -= 1 }
        return start(index, place) == nil ? nil : place
    }

    /// The first day; `nil` where there is none, or not yet.
    func firstPlace(_ index: Int) -> Int? {
        guard let option = prices[index].option else {
            return prices[index].start(0) == nil ? nil : 0
        }
        var (low, high) = (0, (prices[option.underlying].place(at: now) ?? -1) + 1)
        while low < high {
            let middle = (low + high) / 2
            let day = day(index, middle)
            if day.map({ option.terms.expiry.number - $0.number > OptionSlices.lifeDays }) ?? false
            {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return start(index, low) == nil ? nil : low
    }

    /// A day with all its slices, as things done from outside left them.
    mutating func tradingDay(_ index: Int, _ place: Int) -> TradingDay? {
        let key = DayCache.Key(index: index, place: place)
        if let known = cache[day: key] { return known }
        guard let date = day(index, place) else { return nil }
        let day = TradingDay(day: date, slices: slices(index, place, regularOnly: false))
        cache.keep(day, key)
        return day
    }

    /// The slices of a day; those outside regular hours may be left out.
    mutating func slices(_ index: Int, _ place: Int, regularOnly: Bool) -> [Slice] {
        if let known = cache[day: DayCache.Key(index: index, place: place)] { return known.slices }
        var slices: [Slice]
        if let option = prices[index].option {
            guard start(index, place) != nil else { return [] }
            slices = option.slices(of: tradingDay(option.underlying, place)?.slices ?? [])
        } else {
            slices = prices[index].slices(place, regularOnly: regularOnly)
        }
        if faults[index].changesDays {
            change(&slices, by: faults[index], grid: listings[index].grid)
        }
        return slices
    }

    private func change(_ slices: inout [Slice], by faults: MarketFaults, grid: Int64) {
        for place in slices.indices {
            for split in faults.splits where slices[place].start >= split.at {
                slices[place].split(split.numerator, for: split.denominator, grid: grid)
            }
            if faults.touches(slices[place].start..<slices[place].end) {
                slices[place].isLoose = true
            }
        }
    }

    /// The quotes and trades of a slice, in order.
    func ticks(_ index: Int, _ slice: Slice) -> [MarketEvent] {
        let id = listings[index].instrument.id
        var ticks: [MarketEvent] = []
        if let recorded = prices[index].recordedTicks(in: slice.start..<slice.end, of: id) {
            ticks = recorded
            let grid = listings[index].grid
            for split in faults[index].splits {
                ticks = ticks.map {
                    $0.at < split.at
                        ? $0 : $0.split(split.numerator, for: split.denominator, grid: grid)
                }
            }
        } else {
            slice.appendTicks(terms(index), to: &ticks)
        }
        let faults = faults[index]
        guard !faults.halts.isEmpty else { return ticks }
        return ticks.filter { !faults.isHalted(at: $0.at) }
    }

    private func terms(_ index: Int) -> TickTerms {
        let listing = listings[index]
        return TickTerms(
            instrument: listing.instrument.id, grid: listing.grid, lot: listing.lot.units,
            depth: listing.hours == .forex ? 20 : 4)
    }

    /// What a slice of a day comes to.
    ///
    /// - Parameter place: the slice's place among `slices`.
    func parts(_ index: Int, _ slices: [Slice], _ place: Int) -> SliceParts {
        let slice = slices[place]
        guard slice.isLoose else { return SliceParts(slice, grid: listings[index].grid) }
        var standing = quote(index, slices, before: place)
        return SliceParts(
            ticks(index, slice), in: slice.start..<slice.end, standing: &standing)
    }

    /// The last quote of a day before one of its slices.
    func quote(_ index: Int, _ slices: [Slice], before place: Int) -> Quote? {
        for earlier in slices[..<place].reversed() where earlier.hasQuotes || earlier.isLoose {
            for tick in ticks(index, earlier).reversed() {
                if case .quote(let quote) = tick { return quote }
            }
        }
        return nil
    }

    /// What a whole day comes to, over or not.
    mutating func sum(_ index: Int, _ place: Int, regularOnly: Bool) -> SliceParts {
        let key = DayCache.Key(index: index, place: place)
        if let known = cache.sum(key, regularOnly: regularOnly) { return known }
        let slices = slices(index, place, regularOnly: regularOnly)
        var sum = SliceParts()
        for place in slices.indices where slices[place].isRegular || !regularOnly {
            sum.append(parts(index, slices, place))
        }
        cache.keep(sum, key, regularOnly: regularOnly)
        return sum
    }
}
