public import Model
public import Primitives

/// Makes longer bars of one instrument out of shorter ones or of trades, one part after the other.
///
/// Bars are counted from midnight by the clock that shows at the session's open, and end with the
/// session: an hour in New York begins at 09:30 for half an hour, then at 10:00, 11:00 and so on,
/// as Interactive Brokers' bars do, and the last before an early close ends there. A day is the
/// session. A bar that the open or close cuts off is only as long as what is left of it. Minutes of
/// bars in which nothing traded are not made up.
///
/// As long as no part is late, what comes out depends on the parts alone: aggregating in steps
/// gives the same bars as at once, and so does grouping all parts when the session is over.
public struct BarAggregator: Codable, Sendable {
    /// Whose bars are made.
    public let instrument: InstrumentID
    /// How long a bar lasts that nothing cuts off.
    public let barSize: Duration
    /// What was left out so far.
    public private(set) var dropped = Dropped()
    /// How often a bar's volume was more than `Quantity.magnitudeMax`, and was kept there.
    public private(set) var cappedVolumeCount = 0

    /// Parts that are in no bar, by cause.
    public struct Dropped: Hashable, Codable, Sendable {
        /// The newest part over again.
        public internal(set) var duplicate = 0
        /// Begins before the end of what is already taken in: out of order, an older part over
        /// again, or its bar is out.
        public internal(set) var late = 0
        /// Begins outside of regular hours.
        public internal(set) var outside = 0
        /// Ends after the bar it begins in.
        public internal(set) var overlong = 0

        /// Nothing.
        package init() {}

        /// All together.
        public var count: Int { duplicate + late + outside + overlong }
    }

    private let calendar: SessionCalendar
    /// The bar in progress, with its final start and length.
    private var bar: Bar?
    /// When the newest part taken in begins.
    private var newestStart = Timestamp.distantPast
    /// No part that begins before this is taken any more.
    private var settled = Timestamp.distantPast
    /// The newest time given to `advance`.
    private var now = Timestamp.distantPast
    private var day = SessionDay()

    /// One day's times, asked of the calendar once.
    private struct SessionDay: Codable, Sendable {
        var span = Timestamp.distantPast..<Timestamp.distantPast
        var hours = Timestamp.distantPast..<Timestamp.distantPast
        var clockStart = Timestamp.distantPast
    }

    /// An aggregator without bars.
    ///
    /// - Parameter barSize: divides a day, which is its longest; otherwise there is none.
    public init?(_ instrument: InstrumentID, barSize: Duration, calendar: SessionCalendar) {
        guard barSize > .zero, Duration.days(1).nanoseconds % barSize.nanoseconds == 0 else {
            return nil
        }
        self.instrument = instrument
        self.barSize = barSize
        self.calendar = calendar
    }

    /// A saved aggregator. Throws when its length does not divide a day.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let instrument = try container.decode(InstrumentID.self, forKey: .instrument)
        let barSize = try container.decode(Duration.self, forKey: .barSize)
        let calendar = try container.decode(SessionCalendar.self, forKey: .calendar)
        guard let fresh = BarAggregator(instrument, barSize: barSize, calendar: calendar) else {
            throw DecodingError.dataCorruptedError(
                forKey: .barSize, in: container, debugDescription: "no part of a day")
        }
        self = fresh
        dropped = try container.decode(Dropped.self, forKey: .dropped)
        cappedVolumeCount = try container.decode(Int.self, forKey: .cappedVolumeCount)
        bar = try container.decodeIfPresent(Bar.self, forKey: .bar)
        newestStart = try container.decode(Timestamp.self, forKey: .newestStart)
        settled = try container.decode(Timestamp.self, forKey: .settled)
        now = try container.decode(Timestamp.self, forKey: .now)
        day = try container.decode(SessionDay.self, forKey: .day)
    }

    /// Takes in a part and appends what is complete with it to `bars`: at most the bar before,
    /// because this part begins later, and the one that this part ends.
    ///
    /// - Parameter part: a bar of the aggregator's instrument.
    public mutating func add(_ part: Bar, into bars: inout [Bar]) {
        precondition(part.instrument == instrument, "an aggregator is for one instrument")
        guard part.start >= settled else {
            if part.start == newestStart { dropped.duplicate += 1 } else { dropped.late += 1 }
            return
        }
        finish(by: part.start, into: &bars)
        guard let span = span(of: part) else { return }
        newestStart = part.start
        settled = part.end
        bar = bar.map { merge($0, part) } ?? begin(span, part)
        finish(by: part.end, into: &bars)
    }

    /// Takes in a trade and appends the bar that is over with it to `bars`.
    ///
    /// A trade at the end of a bar is in the next one. Trades come in the order of time; those of one
    /// instant all count. A size of zero adds no volume.
    ///
    /// - Parameter trade: in the aggregator's instrument.
    public mutating func add(_ trade: Trade, into bars: inout [Bar]) {
        precondition(trade.instrument == instrument, "an aggregator is for one instrument")
        guard trade.at >= settled else {
            dropped.late += 1
            return
        }
        finish(by: trade.at, into: &bars)
        // The shortest part there is.
        let part = Bar(
            instrument: instrument, start: trade.at, barSize: Duration(nanoseconds: 1),
            open: trade.price, high: trade.price, low: trade.price, close: trade.price,
            volume: trade.size)
        guard let span = span(of: part) else { return }
        newestStart = trade.at
        settled = trade.at
        bar = bar.map { merge($0, part) } ?? begin(span, part)
    }

    /// When the bar in progress ends; `nil` without one.
    public var due: Timestamp? { bar?.end }

    /// Moves time on to `time`: all parts that end by then have come. Appends the bar that is over to
    /// `bars`.
    public mutating func advance(to time: Timestamp, into bars: inout [Bar]) {
        now = max(now, time)
        finish(by: time, into: &bars)
    }

    private mutating func finish(by time: Timestamp, into bars: inout [Bar]) {
        guard let complete = bar, complete.end <= time else { return }
        bars.append(complete)
        settled = complete.end
        bar = nil
    }

    /// The bar that a part belongs in, unless the part is to be dropped.
    private mutating func span(of part: Bar) -> Range<Timestamp>? {
        let span: Range<Timestamp>
        if let bar {
            span = bar.start..<bar.end
        } else {
            if !day.span.contains(part.start) { enterDay(of: part.start) }
            guard day.hours.contains(part.start) else {
                dropped.outside += 1
                return nil
            }
            span = clockSpan(around: part.start)
        }
        guard span.upperBound > now else {
            dropped.late += 1
            return nil
        }
        guard part.end <= span.upperBound else {
            dropped.overlong += 1
            return nil
        }
        return span
    }

    private func clockSpan(around time: Timestamp) -> Range<Timestamp> {
        let sinceStart = (time - day.clockStart).nanoseconds
        let start = time - Duration(nanoseconds: sinceStart % barSize.nanoseconds)
        return max(start, day.hours.lowerBound)..<min(start + barSize, day.hours.upperBound)
    }

    private mutating func enterDay(of time: Timestamp) {
        let civilDay = calendar.day(of: time)
        day.span = calendar.dayEnd(of: civilDay.advanced(by: -1))..<calendar.dayEnd(of: civilDay)
        day.clockStart = calendar.clockStart(of: civilDay)
        let session = calendar.session(on: civilDay)
        day.hours = session.map { $0.open..<$0.close } ?? time..<time
    }

    private func begin(_ span: Range<Timestamp>, _ part: Bar) -> Bar {
        Bar(
            instrument: instrument, start: span.lowerBound,
            barSize: span.upperBound - span.lowerBound, open: part.open, high: part.high,
            low: part.low, close: part.close, volume: part.volume)
    }

    private mutating func merge(_ bar: Bar, _ part: Bar) -> Bar {
        let (units, overflow) = bar.volume.units.addingReportingOverflow(part.volume.units)
        let isTooMuch = overflow || units > Quantity.magnitudeMax.units
        if isTooMuch { cappedVolumeCount += 1 }
        return Bar(
            instrument: instrument, start: bar.start, barSize: bar.barSize, open: bar.open,
            high: max(bar.high, part.high), low: min(bar.low, part.low), close: part.close,
            volume: isTooMuch ? .magnitudeMax : Quantity(units: units))
    }
}
