internal import MarketState
import Model
package import Primitives

/// Turns the times of one file's rows into timestamps.
package struct StampReader {
    /// Whether the file's times are dates alone; `nil` before the first one.
    private(set) var isDated: Bool?
    /// Whether times have fractions of a second that differ: `pattern` learns them without.
    private let hasFractions: Bool
    /// The quick reader for times that look like the last one read here.
    var pattern: StampPattern

    private let zone: WallClock?
    private let calendar: SessionCalendar

    /// The first accepted timestamp: 1900-01-01. Together with `latest` it keeps every difference of
    /// two stamps, and a bar length added to a stamp, within 64 bits.
    static let earliest = Timestamp(day: Day(number: -25_567))
    /// The first timestamp that is too late: 2190-01-01.
    package static let latest = Timestamp(day: Day(number: 80_354))

    /// Reads times as `source` says.
    init(source: DataSource, hasFractions: Bool = false) {
        self.hasFractions = hasFractions
        zone = source.zone
        calendar = source.calendar
        pattern = StampPattern(calendar: source.calendar)
    }

    /// The timestamp that `text` marks: a bar's stamp, or the open of a date's session.
    mutating func stamp(of text: String) throws(FieldFault) -> Timestamp {
        guard let meaning = StampText(text) else {
            throw FieldFault(
                finding: "found \(DataError.quoted(text)), which is no time such as 2019-02-11, "
                    + "2019-02-11T09:30:00-05:00 or 1549895400",
                remedy: DataError.correctRow)
        }
        let dated = if case .date = meaning { true } else { false }
        guard isDated ?? dated == dated else {
            throw FieldFault(
                finding: "found \(DataError.quoted(text)) in a file whose rows so far have "
                    + (dated ? "a time of day" : "dates alone"),
                remedy: "Split the file into one of dates and one of date-times.")
        }
        let stamp = try time(of: meaning, text: text)
        guard stamp >= Self.earliest, stamp < Self.latest else {
            throw FieldFault(
                finding: "found \(DataError.quoted(text)), which is not within 1900 to 2189",
                remedy: DataError.correctRow)
        }
        isDated = dated
        learn(text, meaning)
        return stamp
    }

    private mutating func learn(_ text: String, _ meaning: StampText) {
        guard hasFractions, case .reading(let day, let sinceMidnight, let offset) = meaning,
            let point = text.firstIndex(of: ".")
        else { return pattern.learn(text, meaning: meaning, zone: zone) }
        let seconds = Duration.seconds(sinceMidnight.nanoseconds / 1_000_000_000)
        let remainder = text[point...].dropFirst().drop { $0.isNumber }
        pattern.learn(
            String(text[..<point] + remainder),
            meaning: .reading(day: day, sinceMidnight: seconds, offset: offset),
            zone: zone)
    }

    private func time(of meaning: StampText, text: String) throws(FieldFault) -> Timestamp {
        switch meaning {
        case .epoch(let time): return time
        case .date(let day): return calendar.open(on: day)
        case .reading(let day, let sinceMidnight, let offset?):
            return Timestamp(day: day, sinceMidnight: sinceMidnight) - offset
        case .reading(let day, let sinceMidnight, nil):
            switch zone {
            case .utc: return Timestamp(day: day, sinceMidnight: sinceMidnight)
            case .newYork: return NewYork.timestamp(on: day, at: sinceMidnight)
            case nil:
                throw FieldFault(
                    finding: "found \(DataError.quoted(text)), which does not say its time zone",
                    remedy: "Set backtest.data.zone to utc or new_york.")
            }
        }
    }
}

/// What is wrong with one field, before it is known where the field stands.
struct FieldFault: Error, Equatable {
    /// As in `DataError`.
    let finding: String
    /// As in `DataError`.
    let remedy: String
}
