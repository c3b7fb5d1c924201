/// Wall clock time in New York: what the United States' rules on daylight saving say.
///
/// Good from 1967 (Uniform Time Act) with the two emergency years 1974 and 1975, the rule of 1987 and
/// that of 2007 (Energy Policy Act of 2005), which is taken to go on.
public enum NewYork {
    /// How far New York is behind UTC at a timestamp: 4 or 5 hours.
    public static func behindUTC(at timestamp: Timestamp) -> Duration {
        daylightTime(in: year(at: timestamp)).contains(timestamp) ? .hours(4) : .hours(5)
    }

    /// How far New York is behind UTC at a timestamp, and from when to when in the same year it is.
    static func steadyTime(around timestamp: Timestamp) -> (period: Range<Timestamp>, Duration) {
        let year = year(at: timestamp)
        let daylight = daylightTime(in: year)
        if daylight.contains(timestamp) { return (daylight, .hours(4)) }
        guard timestamp < daylight.lowerBound else {
            let end = Day.first(ofYear: year + 1)
            return (daylight.upperBound..<Timestamp(day: end, sinceMidnight: .hours(5)), .hours(5))
        }
        let start = Day.first(ofYear: year)
        return (Timestamp(day: start, sinceMidnight: .hours(5))..<daylight.lowerBound, .hours(5))
    }

    /// The instant of a wall clock reading.
    ///
    /// A reading that clocks skip in spring is taken as standard time; one that comes twice in autumn
    /// is taken as the first of the two.
    public static func timestamp(on day: Day, at sinceMidnight: Duration) -> Timestamp {
        let reading = Timestamp(day: day, sinceMidnight: sinceMidnight)
        let asDaylight = reading + .hours(4)
        return behindUTC(at: asDaylight) == .hours(4) ? asDaylight : reading + .hours(5)
    }

    /// The civil day in New York at a timestamp.
    public static func day(at timestamp: Timestamp) -> Day {
        (timestamp - behindUTC(at: timestamp)).day
    }

    /// The year of a timestamp: it changes in standard time.
    private static func year(at timestamp: Timestamp) -> Int {
        (timestamp - .hours(5)).day.date.year
    }

    /// Clocks change at 02:00 local time: standard time in spring, daylight time in autumn.
    private static func daylightTime(in year: Int) -> Range<Timestamp> {
        let (start, end) = daylightSaving(in: year)
        let begins = Timestamp(day: start, sinceMidnight: .hours(7))
        return begins..<Timestamp(day: end, sinceMidnight: .hours(6))
    }

    private static func daylightSaving(in year: Int) -> (start: Day, end: Day) {
        let lastOfOctober = Day.lastWeekday(.sunday, month: 10, year: year)
        switch year {
        case 2007...:
            return (
                Day.weekday(.sunday, ordinal: 2, month: 3, year: year),
                Day.weekday(.sunday, ordinal: 1, month: 11, year: year)
            )
        case 1987...2006:
            return (Day.weekday(.sunday, ordinal: 1, month: 4, year: year), lastOfOctober)
        case 1975:
            return (Day.lastWeekday(.sunday, month: 2, year: year), lastOfOctober)
        case 1974:
            return (Day.weekday(.sunday, ordinal: 1, month: 1, year: year), lastOfOctober)
        default:
            return (Day.lastWeekday(.sunday, month: 4, year: year), lastOfOctober)
        }
    }
}
