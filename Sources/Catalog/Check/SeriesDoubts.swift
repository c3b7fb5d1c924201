package import MarketState
package import Model
package import Primitives

/// What is doubtful about the bars that a run uses: what `data check` would report and a result hangs on.
///
/// Only the first and last bars of days are looked at, found by search, so that a million one-minute bars
/// take a few thousand looks.
package struct SeriesDoubts: Sendable {
    /// Jumps that a split or another unit would explain, and splits without a jump: the first as phrases.
    package private(set) var jumps: [String] = []
    /// How many there are.
    package private(set) var jumpCount = 0
    /// The first session that has the same values as the one before, and how many do.
    package private(set) var stale: (first: Day, count: Int)?
    /// The first session between two others that has no bar, and how many have none.
    package private(set) var missing: (first: Day, count: Int)?
    /// How many bars begin outside regular hours.
    package private(set) var outsideCount = 0
    /// Whether anything is traded in any bar.
    package let hasVolume: Bool

    private static let jumpsMax = 5
    private let series: BarSeries
    private let basis: PriceBasis
    private let isDaily: Bool
    private var actions: ArraySlice<RowAction>

    /// Looks at some rows of a series.
    ///
    /// - Parameter sessions: those of all days between them.
    package init(
        _ series: BarSeries, rows: Range<Int>, basis: PriceBasis, sessions: SessionList
    ) {
        self.series = series
        self.basis = basis
        isDaily = series.barSize >= sessions.calendar.sessionLength
        actions = series.actions[...]
        // Mostly settled by the first bar.
        hasVolume = rows.isEmpty || series.rows[rows].contains { $0.volume > .zero }
        if isDaily, sessions.calendar == .always {
            compareDays(rows)
        } else {
            walk(rows, sessions)
        }
    }

    /// Compares bars that are a day each, where no session can be missing.
    private mutating func compareDays(_ rows: Range<Int>) {
        let all = series.rows
        for index in rows.dropFirst() where isWorthALook(all[index], behind: all[index - 1], index)
        {
            compare(
                index..<index + 1, with: index - 1..<index,
                on: SessionCalendar.always.day(of: all[index].start))
        }
    }

    /// Whether two successive bars may have the same values, or prices that no market makes. Hardly any do:
    /// this is what is asked of all.
    @inline(__always)
    private func isWorthALook(_ row: BarRow, behind previous: BarRow, _ index: Int) -> Bool {
        let (before, open) = (previous.close.units, row.open.units)
        // Less than what any split of at least `PriceJump.splitMin` leaves; prices are within 10^16 units.
        return open * 10 < before * 8 || open * 10 > before * 12 || row.volume == .zero
            || row.close == previous.close && row.volume == previous.volume
            || actions.first.map { $0.row <= index } ?? false
    }

    private mutating func walk(_ rows: Range<Int>, _ sessions: SessionList) {
        var cursor = sessions.cursor
        var previous: Range<Int>?
        var first = rows.lowerBound
        while first < rows.upperBound {
            let start = series.rows[first].start
            let step = cursor.advance(to: start)
            if previous != nil, let day = step.firstSkipped {
                missing = (missing?.first ?? day, (missing?.count ?? 0) + step.skippedCount)
            }
            let end = self.end(
                ofDay: step.dayEnd, from: first, below: rows.upperBound, likely: previous?.count)
            let day = first..<end
            outsideCount += outside(day, step.session)
            if let previous,
                isWorthALook(
                    series.rows[first], behind: series.rows[previous.upperBound - 1], end - 1)
                    || day.count > 1
            {
                compare(day, with: previous, on: step.day)
            }
            previous = day
            first = day.upperBound
        }
    }

    /// The row behind the last before `dayEnd`.
    ///
    /// - Parameter likely: how many rows it probably has: those of the day before.
    private func end(
        ofDay dayEnd: Timestamp, from first: Int, below end: Int, likely: Int? = nil
    ) -> Int {
        if first + 1 == end || series.rows[first + 1].start >= dayEnd { return first + 1 }
        if let likely, first + likely <= end, series.rows[first + likely - 1].start < dayEnd,
            first + likely == end || series.rows[first + likely].start >= dayEnd
        {
            return first + likely
        }
        var range = first + 1..<end
        var step = 1
        // Doubled steps, then halves.
        while step < range.count, series.rows[range.lowerBound + step].start < dayEnd {
            range = range.lowerBound + step..<end
            step *= 2
        }
        range = range.lowerBound..<min(end, range.lowerBound + step)
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range =
                series.rows[middle].start < dayEnd
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    private func outside(_ day: Range<Int>, _ session: TradingSession?) -> Int {
        guard let session else { return day.count }
        let (first, last) = (series.rows[day.lowerBound], series.rows[day.upperBound - 1])
        if first.start >= session.open, last.start < session.close { return 0 }
        let early = end(ofDay: session.open, from: day.lowerBound - 1, below: day.upperBound)
        let late = end(ofDay: session.close, from: early - 1, below: day.upperBound)
        return early - day.lowerBound + day.upperBound - late
    }

    // MARK: Two days

    private mutating func compare(_ day: Range<Int>, with previous: Range<Int>, on date: Day) {
        if isStale(day, previous) { stale = (stale?.first ?? date, (stale?.count ?? 0) + 1) }
        var bars = PriceJump.Bars(
            before: series.rows[previous.upperBound - 1].close,
            open: series.rows[day.lowerBound].open, close: series.rows[day.lowerBound].close)
        let split = note(actionsOf: day, &bars)
        if let split, basis == .raw {
            guard PriceJump.lacksSplit(bars, ratio: split) else { return }
            add("\(date): a split of \(split) by which no price changed")
        } else if let scale = PriceJump.scale(bars) {
            add("\(date): \(scale) as before, from \(bars.before) to \(bars.open)")
        } else if let name = PriceJump.split(bars) {
            add("\(date): like a split \(name), from \(bars.before) to \(bars.open)")
        }
    }

    private mutating func add(_ phrase: String) {
        jumpCount += 1
        if jumps.count < Self.jumpsMax { jumps.append(phrase) }
    }

    /// Takes the day's dividend into `bars`, and gives its split.
    private mutating func note(actionsOf day: Range<Int>, _ bars: inout PriceJump.Bars) -> Quantity?
    {
        var split: Quantity?
        while let action = actions.first, action.row < day.upperBound {
            actions.removeFirst()
            guard action.row >= day.lowerBound else { continue }
            switch action.kind {
            case .split(let ratio): split = ratio
            case .dividend(let amount): bars.dividend = amount
            }
        }
        return split
    }

    /// Whether a session repeats the one before to the last share, or is one price without a trade.
    private func isStale(_ day: Range<Int>, _ previous: Range<Int>) -> Bool {
        let rows = series.rows
        let (first, last) = (rows[day.lowerBound], rows[day.upperBound - 1])
        if first.volume == .zero {
            guard !isDaily, hasVolume, first.high == first.low, last.high == last.low,
                first.close == last.close
            else { return false }
            return rows[day].allSatisfy {
                $0.volume == .zero && $0.high == first.close && $0.low == first.close
            }
        }
        guard day.count == previous.count, first.high > first.low || !isDaily,
            Self.repeats(first, rows[previous.lowerBound]),
            Self.repeats(last, rows[previous.upperBound - 1])
        else { return false }
        return zip(day, previous).allSatisfy { Self.repeats(rows[$0], rows[$1]) }
    }

    private static func repeats(_ row: BarRow, _ other: BarRow) -> Bool {
        row.close == other.close && row.volume == other.volume && row.open == other.open
            && row.high == other.high && row.low == other.low
    }
}

/// The sessions of some days, made once for all series that are compared with them.
package struct SessionList: Sendable {
    /// The calendar they are from.
    package let calendar: SessionCalendar
    fileprivate let sessions: [TradingSession]
    /// When each one's day begins and ends.
    fileprivate let days: [Range<Timestamp>]

    /// The sessions from the day of `first` to that of `last`.
    package init(_ calendar: SessionCalendar, from first: Timestamp, to last: Timestamp) {
        self.calendar = calendar
        switch calendar {
        case .always:
            sessions = []
            days = []
        case .newYork:
            let last = calendar.day(of: max(first, last))
            sessions = calendar.sessions(in: calendar.day(of: first)...last)
            days = sessions.map {
                calendar.dayEnd(of: $0.day.advanced(by: -1))..<calendar.dayEnd(of: $0.day)
            }
        }
    }

    fileprivate var cursor: Cursor { Cursor(list: self) }

    /// A place in the list that only goes on.
    fileprivate struct Cursor {
        let list: SessionList
        private var index = 0

        init(list: SessionList) { self.list = list }

        /// A day with bars, and the sessions between it and the one before.
        struct Step {
            var day: Day
            var dayEnd: Timestamp
            var session: TradingSession?
            var firstSkipped: Day?
            var skippedCount = 0
        }

        /// Goes on to the day of a timestamp.
        mutating func advance(to time: Timestamp) -> Step {
            let calendar = list.calendar
            var skipped = 0
            let first = index
            while index < list.days.count, list.days[index].upperBound <= time {
                index += 1
                skipped += 1
            }
            let firstSkipped = skipped > 0 ? list.sessions[first].day : nil
            if index < list.days.count, list.days[index].contains(time) {
                defer { index += 1 }
                return Step(
                    day: list.sessions[index].day, dayEnd: list.days[index].upperBound,
                    session: list.sessions[index], firstSkipped: firstSkipped,
                    skippedCount: skipped)
            }
            let day = calendar.day(of: time)
            return Step(
                day: day, dayEnd: calendar.dayEnd(of: day), session: calendar.session(on: day),
                firstSkipped: firstSkipped, skippedCount: skipped)
        }
    }
}
