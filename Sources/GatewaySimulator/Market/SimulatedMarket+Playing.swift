import Model
import Primitives

/// Playing an instrument's days, slices and ticks in order of time.
extension SimulatedMarket {
    /// Goes on to `instant` with an instrument and tells what happens after where it was.
    mutating func play(_ index: Int, to instant: Timestamp) {
        // Taken out, so that changing it copies nothing.
        var tape = Tape()
        swap(&tape, &tapes[index])
        defer { swap(&tape, &tapes[index]) }
        playSlices(index, &tape, to: instant)
        while instant >= tape.nextDay {
            guard turnDay(index, &tape, to: instant, isJump: false) else { break }
            playSlices(index, &tape, to: instant)
        }
        tape.position = max(tape.position, instant)
    }

    /// Goes on to the present with an instrument nobody follows, without making more than it needs.
    mutating func catchUp(_ index: Int) {
        guard tapes[index].position < now else { return }
        var tape = Tape()
        swap(&tape, &tapes[index])
        defer { swap(&tape, &tapes[index]) }
        if now >= tape.nextDay { _ = turnDay(index, &tape, to: now, isJump: true) }
        passSlices(index, &tape)
        tape.position = now
    }

    /// Begins the next day, or with `isJump` the last that has begun by `instant`.
    ///
    /// - Returns: whether there was one to begin.
    private mutating func turnDay(
        _ index: Int, _ tape: inout Tape, to instant: Timestamp, isJump: Bool
    ) -> Bool {
        reach(index, instant)
        guard let target = place(index, at: instant), target > tape.place ?? -1 else {
            tape.nextDay = followingDay(index, after: place(index, at: instant), instant)
            return false
        }
        let next = tape.place.map { $0 + 1 } ?? firstPlace(index, by: instant) ?? target
        let place = isJump ? target : min(next, target)
        if isJump { (tape.knowsQuote, tape.knowsTrade) = (false, false) }
        begin(index, place, &tape)
        tape.nextDay = followingDay(index, after: place, instant)
        return true
    }

    /// The first day that is told, when none has begun before.
    private func firstPlace(_ index: Int, by instant: Timestamp) -> Int? {
        guard var place = place(index, at: instant) else { return nil }
        while place > 0, let begin = start(index, place - 1), begin > now { place -= 1 }
        return place
    }

    /// When the next day after `place` begins; where that is not known, the first instant to look again.
    private func followingDay(
        _ index: Int, after place: Int?, _ instant: Timestamp
    ) -> Timestamp {
        if let begin = start(index, place.map { $0 + 1 } ?? 0) { return begin }
        // Days of options and made-up days are known as far as they were reached, recorded ones are all
        // known.
        guard let option = prices[index].option, instant <= option.expiry else {
            return .distantFuture
        }
        return instant == .distantFuture ? instant : instant + Duration(nanoseconds: 1)
    }

    private mutating func begin(_ index: Int, _ place: Int, _ tape: inout Tape) {
        let day = tradingDay(index, place)
        tape.place = place
        tape.day = day?.day
        tape.slices = day?.slices ?? []
        tape.sliceIndex = 0
        tape.hasTicks = false
        (tape.done, tape.live) = (DayTotals(), DayTotals())
        tape.previousClose = close(index, place - 1)
    }

    /// The last price of a day's regular hours: of its trades, or of its quotes where there are none.
    private mutating func close(_ index: Int, _ place: Int) -> Price? {
        guard place >= 0, start(index, place) != nil else { return nil }
        let sum = sum(index, place, regularOnly: true)
        return (sum.trades ?? sum.middles).map { Price(units: $0.close) }
    }

    /// Plays the slices of the day up to `instant`, tick by tick.
    private mutating func playSlices(_ index: Int, _ tape: inout Tape, to instant: Timestamp) {
        while tape.sliceIndex < tape.slices.count {
            let slice = tape.slices[tape.sliceIndex]
            guard slice.start <= instant else { return }
            load(index, &tape, slice)
            while tape.tickIndex < tape.ticks.count, tape.ticks[tape.tickIndex].at <= instant {
                let tick = tape.ticks[tape.tickIndex]
                tape.tickIndex += 1
                show(index, &tape, tick, isRegular: slice.isRegular)
            }
            guard slice.end <= instant else { return }
            finish(index, &tape)
        }
    }

    /// Passes over the slices of the day that are over and plays the one that is not.
    private mutating func passSlices(_ index: Int, _ tape: inout Tape) {
        while tape.sliceIndex < tape.slices.count {
            let slice = tape.slices[tape.sliceIndex]
            guard slice.start <= now else { return }
            if slice.end <= now {
                if slice.hasQuotes || slice.isLoose { tape.knowsQuote = false }
                if slice.count > 0 || slice.isLoose { tape.knowsTrade = false }
                finish(index, &tape)
                continue
            }
            load(index, &tape, slice)
            while tape.tickIndex < tape.ticks.count, tape.ticks[tape.tickIndex].at <= now {
                note(&tape, tape.ticks[tape.tickIndex], isRegular: slice.isRegular)
                tape.tickIndex += 1
            }
            return
        }
    }

    private mutating func load(_ index: Int, _ tape: inout Tape, _ slice: Slice) {
        guard !tape.hasTicks else { return }
        tape.ticks = ticks(index, slice)
        tape.tickIndex = 0
        tape.hasTicks = true
    }

    private mutating func finish(_ index: Int, _ tape: inout Tape) {
        let parts = parts(index, tape.slices, tape.sliceIndex)
        tape.done.append(parts, isRegular: tape.slices[tape.sliceIndex].isRegular)
        tape.live = tape.done
        tape.sliceIndex += 1
        tape.hasTicks = false
    }

    /// Tells a tick, as it is or as a fault has it.
    private mutating func show(
        _ index: Int, _ tape: inout Tape, _ tick: MarketEvent, isRegular: Bool
    ) {
        guard tick.at > tape.position else {
            note(&tape, tick, isRegular: isRegular)
            return
        }
        note(&tape, tick, isRegular: isRegular)
        guard !faults[index].badTicks.isEmpty, let told = faults[index].takeBad(tick) else {
            tell(tick)
            return
        }
        tell(told)
        // The day's figures stay those of what was really traded.
        let totals = tape.live
        note(&tape, told, isRegular: isRegular)
        tape.live = totals
    }

    private func note(_ tape: inout Tape, _ tick: MarketEvent, isRegular: Bool) {
        switch tick {
        case .quote(let quote):
            tape.quote = quote
            tape.knowsQuote = true
        case .trade(let trade):
            tape.trade = trade
            tape.knowsTrade = true
            tape.live.append(trade, isRegular: isRegular)
        }
    }
}
