internal import MarketState
import Model
internal import Primitives

/// Compares bars with the sessions they should lie in.
struct SessionCheck {
    private var series: CheckedSeries
    private let stamp: BarStamp

    /// Bars longer than this show nothing about zones, and their gaps are reported by sessions.
    private static let intradayMax = Duration.hours(4)
    /// How many of the days that show a pattern must show the same.
    private static let agreement = 0.8

    /// - Parameter stamp: which end of a bar the file's times were taken for.
    init(_ series: CheckedSeries, stamp: BarStamp) {
        self.series = series
        self.stamp = stamp
    }

    /// Adds what is found.
    mutating func check(into findings: inout FindingList) {
        checkBarSizes(&findings)
        guard series.calendar != .always else { return }
        if isIntraday, let shift = commonShift {
            report(shift, &findings)
            // Everything below would be about the shift.
            guard shift.hours == .zero else { return }
            series = series.shifted(by: Duration(nanoseconds: -shift.bars.nanoseconds))
        }
        checkDays(&findings)
        if !isWeekly { checkMissingSessions(&findings) }
        if isIntraday {
            checkOutsideRTH(&findings)
            checkMissingBars(&findings)
        }
    }

    private var isIntraday: Bool { !series.isDated && series.barSize <= Self.intradayMax }

    /// Whether most rows are more than four days apart: no series of sessions.
    private var isWeekly: Bool { series.isDated && series.barSize > .days(4) }

    // MARK: Where the bars of a day lie

    /// How far a day's bars lie behind its session.
    private struct Shift: Hashable {
        /// Whole hours: the zone.
        let hours: Duration
        /// A bar's length, or none: the stamp.
        let bars: Duration
    }

    /// What most days with a whole session of bars show; `nil` when that is where they should be.
    private var commonShift: Shift? {
        var counts: [Shift: (days: Int, hours: Set<Int64>)] = [:]
        var shown = 0
        for slice in series.days {
            guard let shift = shift(of: slice) else { continue }
            shown += 1
            // Hours differ between summer and winter when a clock without daylight saving was read.
            let kind = Shift(
                hours: shift.hours == .zero ? .zero : .hours(1), bars: shift.bars)
            counts[kind, default: (0, [])].days += 1
            counts[kind, default: (0, [])].hours.insert(shift.hours.nanoseconds)
        }
        guard let most = counts.max(by: { $0.value.days < $1.value.days }),
            Double(most.value.days) >= Self.agreement * Double(shown),
            most.key != Shift(hours: .zero, bars: .zero)
        else { return nil }
        let hours = most.value.hours.min() ?? 0
        return Shift(hours: Duration(nanoseconds: hours), bars: most.key.bars)
    }

    /// The shift of a day whose bars begin and end equally far from the session's.
    private func shift(of slice: CheckedSeries.DaySlice) -> Shift? {
        guard let session = series.calendar.session(on: slice.day),
            slice.rows.count > 1
        else { return nil }
        let first = series.rows[slice.rows.lowerBound].start - session.open
        let last = series.rows[slice.rows.upperBound - 1].start + series.barSize - session.close
        guard first == last else { return nil }
        let hour = Duration.hours(1).nanoseconds
        // Times of ends taken for starts lie a bar late; starts taken for ends, a bar early.
        let late = stamp == .start ? series.barSize.nanoseconds : -series.barSize.nanoseconds
        if first.nanoseconds == late {
            return Shift(hours: .zero, bars: Duration(nanoseconds: late))
        }
        if first.nanoseconds % hour == 0 { return Shift(hours: first, bars: .zero) }
        let remainder = first.nanoseconds - late
        guard remainder % hour == 0 else { return nil }
        return Shift(hours: Duration(nanoseconds: remainder), bars: Duration(nanoseconds: late))
    }

    private func report(_ shift: Shift, _ findings: inout FindingList) {
        let line = series.lines.first.map(Int.init)
        guard let row = series.rows.first else { return }
        let start = StampName.clock(row.start, series.calendar)
        if shift.hours != .zero {
            let hours = shift.hours.nanoseconds / Duration.hours(1).nanoseconds
            findings.add(
                .zone, line: line, count: series.rows.count,
                "found days that begin at \(start) New York, \(hours.magnitude) hours "
                    + "\(hours > 0 ? "behind" : "before") the open: the zone is wrong"
                    + (hours > 3 ? ", these may be times in UTC" : ""))
        }
        if shift.bars != .zero {
            findings.add(
                .stamp, line: line, count: series.rows.count,
                stamp == .start
                    ? "found days from \(start) to the close itself: times mark the end of bars"
                    : "found days that begin a bar before the open: times mark the start of bars")
        }
    }

    // MARK: Days and hours

    private func checkDays(_ findings: inout FindingList) {
        for slice in series.days where !series.calendar.hasSession(on: slice.day) {
            let reason = USMarketHolidays.closure(on: slice.day).map { " (\(Self.name($0)))" } ?? ""
            findings.add(
                .closedDay, line: Int(series.lines[slice.rows.lowerBound]), count: slice.rows.count,
                "found \(counted(slice.rows.count, "bar")) on \(slice.day), which has no session"
                    + reason)
        }
    }

    private func checkMissingSessions(_ findings: inout FindingList) {
        for (previous, next) in zip(series.days, series.days.dropFirst()) {
            let first = previous.day.advanced(by: 1)
            let last = next.day.advanced(by: -1)
            guard first <= last else { continue }
            let missing = series.calendar.sessions(in: first...last)
            guard let from = missing.first?.day, let to = missing.last?.day else { continue }
            findings.add(
                .missingSession, line: Int(series.lines[next.rows.lowerBound]),
                count: missing.count,
                "found no bar on \(from)"
                    + (from == to ? "" : " to \(to), \(missing.count) sessions"))
        }
    }

    private func checkOutsideRTH(_ findings: inout FindingList) {
        var count = 0
        var dayCount = 0
        var firstLine: Int?
        var clocks: (min: Duration, max: Duration)?
        for slice in series.days {
            guard let session = series.calendar.session(on: slice.day) else { continue }
            let outside = slice.rows.filter { !session.contains(series.rows[$0].start) }
            guard let first = outside.first, let last = outside.last else { continue }
            count += outside.count
            dayCount += 1
            firstLine = firstLine ?? Int(series.lines[first])
            let (from, to) = (
                series.rows[first].start - session.open, series.rows[last].start - session.open
            )
            clocks = (min(clocks?.min ?? from, from), max(clocks?.max ?? to, to))
        }
        guard count > 0, let clocks, let day = series.days.first?.day else { return }
        let open = series.calendar.open(on: day)
        findings.add(
            .outsideRTH, line: firstLine, count: count,
            "found \(counted(count, "bar")) outside regular hours on \(counted(dayCount, "day")), "
                + "between \(StampName.clock(open + clocks.min, series.calendar)) and "
                + "\(StampName.clock(open + clocks.max, series.calendar)) New York")
    }

    // MARK: Gaps within sessions

    private func checkMissingBars(_ findings: inout FindingList) {
        let isOnTheHour = isOnTheHour
        for (lineIndex, slice) in series.days.enumerated() {
            guard let session = series.calendar.session(on: slice.day), !isMixed(slice) else {
                continue
            }
            let grid = BarGrid(session, barSize: series.barSize, isOnTheHour: isOnTheHour)
            // A file may begin and end within a session.
            var expected = lineIndex == 0 ? grid.count(before: series.rows[0].start) : 0
            var open = session.open
            for index in slice.rows {
                let start = series.rows[index].start
                guard session.contains(start) else { continue }
                if start != open {
                    let reached = grid.count(before: start)
                    reportMissing(expected..<max(expected, reached), grid, index, &findings)
                    expected = max(expected, reached)
                }
                expected += 1
                open = grid.start(of: expected)
            }
            guard lineIndex < series.days.count - 1 else { continue }
            let end = grid.count(before: session.close)
            reportMissing(
                expected..<max(expected, end), grid, slice.rows.upperBound - 1, &findings)
        }
    }

    private func reportMissing(
        _ bars: Range<Int>, _ grid: BarGrid, _ index: Int, _ findings: inout FindingList
    ) {
        guard let first = bars.first, let last = bars.last else { return }
        let from = StampName.text(grid.start(of: first), isDated: false, series.calendar)
        let to = StampName.clock(grid.start(of: last), series.calendar)
        findings.add(
            .missingBars, line: Int(series.lines[index]), count: bars.count,
            "found no bar at \(from)"
                + (bars.count == 1 ? "" : " to \(to), \(bars.count) bars"))
    }

    /// Whether bars of an hour or more begin at whole hours, but for the first of a session, as IB's do.
    private var isOnTheHour: Bool {
        let hour = Duration.hours(1).nanoseconds
        guard series.barSize.nanoseconds % hour == 0 else { return false }
        let whole = series.rows.count { $0.start.nanoseconds % hour == 0 }
        return 2 * whole > series.rows.count
    }

    // MARK: Lengths

    private func checkBarSizes(_ findings: inout FindingList) {
        if isWeekly, let line = series.lines.first {
            let days = series.barSize.nanoseconds / Duration.days(1).nanoseconds
            findings.add(
                .mixedBarSizes, line: Int(line), count: series.rows.count,
                "found rows \(days) days apart: a date stands for one session, not for a week or month"
            )
        }
        guard isIntraday else { return }
        var run: (first: CheckedSeries.DaySlice, days: Int, bars: Int)?
        for slice in series.days {
            // Shorter steps are reported as rows that the loader refuses.
            if isMixed(slice), !hasShortStep(slice) {
                run = (
                    run?.first ?? slice, (run?.days ?? 0) + 1, (run?.bars ?? 0) + slice.rows.count
                )
            } else if let mixed = run {
                report(mixed, &findings)
                run = nil
            }
        }
        if let run { report(run, &findings) }
    }

    private func report(
        _ run: (first: CheckedSeries.DaySlice, days: Int, bars: Int), _ findings: inout FindingList
    ) {
        findings.add(
            .mixedBarSizes, line: Int(series.lines[run.first.rows.lowerBound]), count: run.bars,
            "found steps that do not fit bars of \(series.barSize) on \(counted(run.days, "day")) from "
                + "\(run.first.day)")
    }

    private func hasShortStep(_ slice: CheckedSeries.DaySlice) -> Bool {
        slice.rows.dropFirst().contains { index in
            let step = (series.rows[index].start - series.rows[index - 1].start).nanoseconds
            return step < series.barSize.nanoseconds && !series.isOnHourOpening(index)
        }
    }

    /// Whether a day's steps are of another length: some shorter than a bar, or all multiples of more.
    private func isMixed(_ slice: CheckedSeries.DaySlice) -> Bool {
        let barSize = series.barSize.nanoseconds
        var common: Int64 = 0
        for index in slice.rows.dropFirst() {
            let step = (series.rows[index].start - series.rows[index - 1].start).nanoseconds
            if step < barSize, !series.isOnHourOpening(index) { return true }
            common = Self.commonDivisor(common, step)
        }
        // A thin symbol may by chance have a few bars at even distances.
        return slice.rows.count > 10 && common > barSize
    }

    private static func commonDivisor(_ left: Int64, _ right: Int64) -> Int64 {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }

    // MARK: Words

    private func counted(_ count: Int, _ word: String) -> String {
        "\(count) \(word)\(count == 1 ? "" : "s")"
    }

    private static func name(_ reason: USMarketHolidays.Reason) -> String {
        switch reason {
        case .weekend: "weekend"
        case .newYearsDay: "New Year's Day"
        case .martinLutherKingDay: "Martin Luther King Day"
        case .washingtonsBirthday: "Washington's Birthday"
        case .goodFriday: "Good Friday"
        case .memorialDay: "Memorial Day"
        case .juneteenth: "Juneteenth"
        case .independenceDay: "Independence Day"
        case .laborDay: "Labor Day"
        case .thanksgiving: "Thanksgiving"
        case .christmas: "Christmas"
        case .mourning: "day of mourning"
        case .attack: "attacks of 11 September 2001"
        case .storm: "storm"
        }
    }
}

/// When the bars of a session begin, by number from 0.
private struct BarGrid {
    private let open: Int64
    private let barSize: Int64
    /// The first bar's end.
    private let second: Int64

    /// - Parameter isOnTheHour: whether all but the first begin at whole multiples of the length on the
    ///   market's clock, of which the open is half an hour off.
    init(_ session: TradingSession, barSize: Duration, isOnTheHour: Bool) {
        open = session.open.nanoseconds
        self.barSize = barSize.nanoseconds
        guard isOnTheHour else {
            second = open + self.barSize
            return
        }
        let sinceMidnight = Duration.minutes(9 * 60 + 30).nanoseconds
        second = open + self.barSize - sinceMidnight % self.barSize
    }

    func start(of number: Int) -> Timestamp {
        Timestamp(nanoseconds: number == 0 ? open : second + Int64(number - 1) * barSize)
    }

    /// How many bars begin before `timestamp`.
    func count(before timestamp: Timestamp) -> Int {
        let time = timestamp.nanoseconds
        guard time > open else { return 0 }
        guard time > second else { return 1 }
        return Int((time - second - 1) / barSize) + 2
    }
}

extension CheckedSeries {
    /// Whether the row before is a session's first, which is shorter where bars begin at whole hours.
    fileprivate func isOnHourOpening(_ index: Int) -> Bool {
        let previous = rows[index - 1].start
        return barSize >= .hours(1) && previous == calendar.open(on: calendar.day(of: previous))
    }
}
