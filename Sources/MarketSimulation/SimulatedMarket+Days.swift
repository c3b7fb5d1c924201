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
        let dayIndex: Int
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

    /// Makes the days known until one that begins after `timestamp`.
    mutating func reach(_ index: Int, _ timestamp: Timestamp) {
        prices[source(index)].reach(timestamp)
    }

    /// When a day begins; `nil` where there is no such day, or not yet.
    func start(_ index: Int, _ dayIndex: Int) -> Timestamp? {
        guard let option = prices[index].option else { return prices[index].start(dayIndex) }
        guard let day = prices[option.underlying].day(dayIndex), option.isListed(on: day) else {
            return nil
        }
        // An option's own day is its underlying's regular hours.
        return calendar.open(on: day)
    }

    /// The date of a day.
    func day(_ index: Int, _ dayIndex: Int) -> Day? { prices[source(index)].day(dayIndex) }

    /// The last day that has begun by `timestamp`; `nil` before the first.
    func dayIndex(_ index: Int, at timestamp: Timestamp) -> Int? {
        guard var dayIndex = prices[source(index)].dayIndex(at: timestamp) else { return nil }
        guard let option = prices[index].option else { return dayIndex }
        if let day = day(index, dayIndex), calendar.open(on: day) > timestamp { dayIndex -= 1 }
        while let day = day(index, dayIndex), day > option.terms.expiry { dayIndex -= 1 }
        return start(index, dayIndex) == nil ? nil : dayIndex
    }

    /// The first day; `nil` where there is none, or not yet.
    func firstDayIndex(_ index: Int) -> Int? {
        guard let option = prices[index].option else {
            return prices[index].start(0) == nil ? nil : 0
        }
        var (low, high) = (0, (prices[option.underlying].dayIndex(at: now) ?? -1) + 1)
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
    mutating func tradingDay(_ index: Int, _ dayIndex: Int) -> TradingDay? {
        let key = DayCache.Key(index: index, dayIndex: dayIndex)
        if let known = cache[day: key] { return known }
        guard let date = day(index, dayIndex) else { return nil }
        let day = TradingDay(day: date, slices: slices(index, dayIndex, regularOnly: false))
        cache.keep(day, key)
        return day
    }

    /// The slices of a day; those outside regular hours may be left out.
    mutating func slices(_ index: Int, _ dayIndex: Int, regularOnly: Bool) -> [Slice] {
        if let known = cache[day: DayCache.Key(index: index, dayIndex: dayIndex)] {
            return known.slices
        }
        var slices: [Slice]
        if let option = prices[index].option {
            guard start(index, dayIndex) != nil else { return [] }
            slices = option.slices(of: tradingDay(option.underlying, dayIndex)?.slices ?? [])
        } else {
            slices = prices[index].slices(dayIndex, regularOnly: regularOnly)
        }
        if faults[index].changesDays {
            change(&slices, by: faults[index], grid: listings[index].grid)
        }
        return slices
    }

    private func change(_ slices: inout [Slice], by faults: MarketFaults, grid: Int64) {
        for sliceIndex in slices.indices {
            for split in faults.splits where slices[sliceIndex].start >= split.at {
                slices[sliceIndex].split(split.numerator, for: split.denominator, grid: grid)
            }
            if faults.touches(slices[sliceIndex].start..<slices[sliceIndex].end) {
                slices[sliceIndex].isLoose = true
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
            slice.appendTicks(listings[index].tickTerms, to: &ticks)
        }
        let faults = faults[index]
        guard !faults.halts.isEmpty else { return ticks }
        return ticks.filter { !faults.isHalted(at: $0.at) }
    }

    /// What a slice of a day comes to.
    ///
    /// - Parameter sliceIndex: the slice's index among `slices`.
    func parts(_ index: Int, _ slices: [Slice], _ sliceIndex: Int) -> SliceParts {
        let slice = slices[sliceIndex]
        guard slice.isLoose else { return SliceParts(slice, grid: listings[index].grid) }
        var snapshot = quote(index, slices, before: sliceIndex)
        return SliceParts(
            ticks(index, slice), in: slice.start..<slice.end, snapshot: &snapshot)
    }

    /// The last quote of a day before one of its slices.
    func quote(_ index: Int, _ slices: [Slice], before sliceIndex: Int) -> Quote? {
        for earlier in slices[..<sliceIndex].reversed() where earlier.hasQuotes || earlier.isLoose {
            for tick in ticks(index, earlier).reversed() {
                if case .quote(let quote) = tick { return quote }
            }
        }
        return nil
    }

    /// What a whole day comes to, over or not.
    mutating func sum(_ index: Int, _ dayIndex: Int, regularOnly: Bool) -> SliceParts {
        let key = DayCache.Key(index: index, dayIndex: dayIndex)
        if let known = cache.sum(key, regularOnly: regularOnly) { return known }
        let slices = slices(index, dayIndex, regularOnly: regularOnly)
        var sum = SliceParts()
        for sliceIndex in slices.indices where slices[sliceIndex].isRegular || !regularOnly {
            sum.append(parts(index, slices, sliceIndex))
        }
        cache.keep(sum, key, regularOnly: regularOnly)
        return sum
    }
}
