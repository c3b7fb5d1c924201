import Model
import Primitives

/// Playing an instrument's days, slices and ticks in order of time.
extension SimulatedMarket {
    /// Goes on to `timestamp` with an instrument and publishes what happens after where it was.
    mutating func play(_ index: Int, to timestamp: Timestamp) {
        // Taken out, so that changing it copies nothing.
        var cursor = MarketCursor()
        swap(&cursor, &cursors[index])
        defer { swap(&cursor, &cursors[index]) }
        playSlices(index, &cursor, to: timestamp)
        while timestamp >= cursor.nextDay {
            guard turnDay(index, &cursor, to: timestamp, isJump: false) else { break }
            playSlices(index, &cursor, to: timestamp)
        }
        cursor.position = max(cursor.position, timestamp)
    }

    /// Goes on to the present with an instrument nobody follows, without making more than it needs.
    mutating func catchUp(_ index: Int) {
        guard cursors[index].position < now else { return }
        var cursor = MarketCursor()
        swap(&cursor, &cursors[index])
        defer { swap(&cursor, &cursors[index]) }
        if now >= cursor.nextDay { _ = turnDay(index, &cursor, to: now, isJump: true) }
        passSlices(index, &cursor)
        cursor.position = now
    }

    /// Begins the next day, or with `isJump` the last that has begun by `timestamp`.
    ///
    /// - Returns: whether there was one to begin.
    private mutating func turnDay(
        _ index: Int, _ cursor: inout MarketCursor, to timestamp: Timestamp, isJump: Bool
    ) -> Bool {
        reach(index, timestamp)
        guard let target = dayIndex(index, at: timestamp), target > cursor.index ?? -1 else {
            cursor.nextDay = followingDay(index, after: dayIndex(index, at: timestamp), timestamp)
            return false
        }
        let next = cursor.index.map { $0 + 1 } ?? firstDayIndex(index, by: timestamp) ?? target
        let dayIndex = isJump ? target : min(next, target)
        if isJump { (cursor.knowsQuote, cursor.knowsTrade) = (false, false) }
        begin(index, dayIndex, &cursor)
        cursor.nextDay = followingDay(index, after: dayIndex, timestamp)
        return true
    }

    /// The first day that is played, when none has begun before.
    private func firstDayIndex(_ index: Int, by timestamp: Timestamp) -> Int? {
        guard var dayIndex = dayIndex(index, at: timestamp) else { return nil }
        while dayIndex > 0, let begin = start(index, dayIndex - 1), begin > now { dayIndex -= 1 }
        return dayIndex
    }

    /// When the next day after `dayIndex` begins; where that is not known, the first time to look again.
    private func followingDay(
        _ index: Int, after dayIndex: Int?, _ timestamp: Timestamp
    ) -> Timestamp {
        if let begin = start(index, dayIndex.map { $0 + 1 } ?? 0) { return begin }
        // Days of options and synthetic days are known as far as they were reached, recorded ones are all
        // known.
        guard let option = prices[index].option, timestamp <= option.expiry else {
            return .distantFuture
        }
        return timestamp == .distantFuture ? timestamp : timestamp + Duration(nanoseconds: 1)
    }

    private mutating func begin(_ index: Int, _ dayIndex: Int, _ cursor: inout MarketCursor) {
        let day = tradingDay(index, dayIndex)
        cursor.index = dayIndex
        cursor.day = day?.day
        cursor.slices = day?.slices ?? []
        cursor.sliceIndex = 0
        cursor.hasTicks = false
        (cursor.done, cursor.live) = (DayTotals(), DayTotals())
        cursor.previousClose = close(index, dayIndex - 1)
    }

    /// The last price of a day's regular hours: of its trades, or of its quotes where there are none.
    private mutating func close(_ index: Int, _ dayIndex: Int) -> Price? {
        guard dayIndex >= 0, start(index, dayIndex) != nil else { return nil }
        let sum = sum(index, dayIndex, regularOnly: true)
        return (sum.trades ?? sum.middles).map { Price(units: $0.close) }
    }

    /// Plays the slices of the day up to `timestamp`, tick by tick.
    private mutating func playSlices(
        _ index: Int, _ cursor: inout MarketCursor, to timestamp: Timestamp
    ) {
        while cursor.sliceIndex < cursor.slices.count {
            let slice = cursor.slices[cursor.sliceIndex]
            guard slice.start <= timestamp else { return }
            load(index, &cursor, slice)
            while cursor.tickIndex < cursor.ticks.count,
                cursor.ticks[cursor.tickIndex].at <= timestamp
            {
                let tick = cursor.ticks[cursor.tickIndex]
                cursor.tickIndex += 1
                show(index, &cursor, tick, isRegular: slice.isRegular)
            }
            guard slice.end <= timestamp else { return }
            finish(index, &cursor)
        }
    }

    /// Passes over the slices of the day that are over and plays the one that is not.
    private mutating func passSlices(_ index: Int, _ cursor: inout MarketCursor) {
        while cursor.sliceIndex < cursor.slices.count {
            let slice = cursor.slices[cursor.sliceIndex]
            guard slice.start <= now else { return }
            if slice.end <= now {
                if slice.hasQuotes || slice.isLoose { cursor.knowsQuote = false }
                if slice.count > 0 || slice.isLoose { cursor.knowsTrade = false }
                finish(index, &cursor)
                continue
            }
            load(index, &cursor, slice)
            while cursor.tickIndex < cursor.ticks.count, cursor.ticks[cursor.tickIndex].at <= now {
                note(&cursor, cursor.ticks[cursor.tickIndex], isRegular: slice.isRegular)
                cursor.tickIndex += 1
            }
            return
        }
    }

    private mutating func load(_ index: Int, _ cursor: inout MarketCursor, _ slice: Slice) {
        guard !cursor.hasTicks else { return }
        cursor.ticks = ticks(index, slice)
        cursor.tickIndex = 0
        cursor.hasTicks = true
    }

    private mutating func finish(_ index: Int, _ cursor: inout MarketCursor) {
        let parts = parts(index, cursor.slices, cursor.sliceIndex)
        cursor.done.append(parts, isRegular: cursor.slices[cursor.sliceIndex].isRegular)
        cursor.live = cursor.done
        cursor.sliceIndex += 1
        cursor.hasTicks = false
    }

    /// Publishes a tick, as it is or as a fault has it.
    private mutating func show(
        _ index: Int, _ cursor: inout MarketCursor, _ tick: MarketEvent, isRegular: Bool
    ) {
        guard tick.at > cursor.position else {
            note(&cursor, tick, isRegular: isRegular)
            return
        }
        note(&cursor, tick, isRegular: isRegular)
        guard !faults[index].badTicks.isEmpty, let published = faults[index].takeBad(tick) else {
            publish(tick)
            return
        }
        publish(published)
        // The day's figures stay those of what was really traded.
        let totals = cursor.live
        note(&cursor, published, isRegular: isRegular)
        cursor.live = totals
    }

    private func note(_ cursor: inout MarketCursor, _ tick: MarketEvent, isRegular: Bool) {
        switch tick {
        case .quote(let quote):
            cursor.quote = quote
            cursor.knowsQuote = true
        case .trade(let trade):
            cursor.trade = trade
            cursor.knowsTrade = true
            cursor.live.append(trade, isRegular: isRegular)
        }
    }
}
