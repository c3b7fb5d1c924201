public import Primitives

/// A time as the wire carries it: most are wall-clock texts of a zone that is named, implied or
/// missing, and only whoever knows the zone's rules can turn those into timestamps.
public enum WireTime: Hashable, Sendable {
    /// No time given.
    case none
    /// Seconds since 1970 UTC, sent as a number.
    case epoch(Int64)
    /// A wall clock in UTC: `20230413-16:31:22`.
    case utc(WallClock)
    /// A wall clock of a zone: `20230413 16:31:22 US/Eastern`; the zone is empty where none was named
    /// (old gateways: the zone of the gateway's login screen).
    case wall(WallClock, zone: String)
    /// A date alone: `20230413`.
    case day(Day)
    /// Text of another form, as it came.
    case other(String)

    /// A civil date and time of day, in whole seconds.
    public struct WallClock: Hashable, Sendable {
        /// The date.
        public var day: Day
        /// Seconds since midnight, 0 to 86,399.
        public var second: Int32

        /// The clock at `second` of `day`.
        public init(day: Day, second: Int32) {
            self.day = day
            self.second = second
        }
    }

    /// The timestamp, where the text names one without a zone's rules: epoch seconds and UTC. `nil` beyond
    /// `Timestamp.supported`.
    public var timestamp: Timestamp? {
        switch self {
        case .epoch(let seconds):
            let timestamp = Timestamp(seconds: seconds)
            return Timestamp.supported.contains(timestamp) ? timestamp : nil
        case .utc(let clock):
            return Timestamp(day: clock.day, sinceMidnight: .seconds(Int64(clock.second)))
        case .none, .wall, .day, .other: return nil
        }
    }
}

extension WireTime {
    /// Reads a time's text; what is none of the known forms is kept as it is.
    public init(text: String) {
        self = Array(text.utf8).withUnsafeBufferPointer { bytes in
            var last = LastTime()
            return WireTime(bytes, last: &last)
        }
    }

    /// Reads all forms that gateways and clients are known to write.
    ///
    /// - Parameter last: what the time read before had, which is taken again when it is equal: a bar's
    ///   time then costs no allocation and no calendar.
    init(_ bytes: UnsafeBufferPointer<UInt8>, last: inout LastTime) {
        let count = bytes.count
        guard count > 0 else {
            self = .none
            return
        }
        if let read = WireTime(clock: bytes, last: &last) {
            self = read
            return
        }
        if count == 8, let day = Day(compact: bytes) {
            self = .day(day)
            return
        }
        let string = String(decoding: bytes, as: UTF8.self)
        // Eight digits are a date, if not one that is known here: no seconds are meant.
        if count <= 18, count != 8, let seconds = Int64(string), string == String(seconds) {
            self = .epoch(seconds)
        } else {
            self = .other(string)
        }
    }

    /// `yyyymmdd`, a blank, two blanks or a hyphen, `hh:mm:ss`, and where given a blank and a zone.
    private init?(clock bytes: UnsafeBufferPointer<UInt8>, last: inout LastTime) {
        let blank = UInt8(ascii: " ")
        guard bytes.count >= 17, let day = last.day(compact: bytes) else { return nil }
        let isUTC = bytes[8] == UInt8(ascii: "-")
        guard isUTC || bytes[8] == blank else { return nil }
        let start = !isUTC && bytes[9] == blank ? 10 : 9
        guard bytes.count >= start + 8, let second = bytes.secondOfDay(at: start) else {
            return nil
        }
        let clock = WallClock(day: day, second: second)
        let end = start + 8
        if isUTC {
            // Newer gateways put a Z behind times in UTC.
            let isMarked = bytes.count == end + 1 && bytes[end] == UInt8(ascii: "Z")
            guard bytes.count == end || isMarked else { return nil }
            self = .utc(clock)
        } else if bytes.count == end {
            self = .wall(clock, zone: "")
        } else {
            guard bytes[end] == blank, bytes.count > end + 1 else { return nil }
            let zone = last.zone(UnsafeBufferPointer(rebasing: bytes[(end + 1)...]))
            self = .wall(clock, zone: zone)
        }
    }

    /// Appends the text as it travels: one blank before a zone, two blanks where there is none.
    func append(to bytes: inout WireOutput) {
        switch self {
        case .none: break
        case .epoch(let seconds): bytes.append(decimal: seconds)
        case .utc(let clock): clock.append(to: &bytes, between: "-")
        case .wall(let clock, ""): clock.append(to: &bytes, between: "  ")
        case .wall(let clock, let zone):
            clock.append(to: &bytes, between: " ")
            bytes.append(UInt8(ascii: " "))
            bytes.append(zone)
        case .day(let day): day.appendCompact(to: &bytes)
        case .other(let text): bytes.append(text)
        }
    }

    /// The text as it travels.
    var text: String {
        var output = WireOutput()
        append(to: &output)
        return String(decoding: output.written, as: UTF8.self)
    }
}

/// The day and zone of the last time read from some bytes, which must outlive this.
struct LastTime {
    private var dayText: UInt64 = 0
    private var day: Day?
    private var zoneText = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    private var zone = ""

    /// Reads the `yyyymmdd` at the beginning of `bytes`, of which there are eight at least.
    fileprivate mutating func day(compact bytes: UnsafeBufferPointer<UInt8>) -> Day? {
        let text = bytes.loadWord(at: 0)
        if text != dayText {
            dayText = text
            day = Day(compact: bytes)
        }
        return day
    }

    /// Reads a zone's name.
    fileprivate mutating func zone(_ text: UnsafeBufferPointer<UInt8>) -> String {
        if !text.equals(zoneText) {
            zoneText = text
            zone = String(decoding: text, as: UTF8.self)
        }
        return zone
    }
}

extension WireTime: CustomStringConvertible {
    /// The text as it travels.
    public var description: String { text }
}

extension WireTime.WallClock {
    /// Appends `20230413`, what stands between, and `16:31:22`.
    fileprivate func append(to bytes: inout WireOutput, between: StaticString) {
        day.appendCompact(to: &bytes)
        bytes.append(between)
        bytes.append(twoDigits: Int(second) / 3_600)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(twoDigits: Int(second) / 60 % 60)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(twoDigits: Int(second) % 60)
    }
}

extension WireOutput {
    /// Appends a number from 0 to 99.
    fileprivate mutating func append(twoDigits number: Int) {
        append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10))
        append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Reads the `hh:mm:ss` at `position`, all of which lies inside, as seconds since midnight.
    @inline(__always)
    fileprivate func secondOfDay(at position: Int) -> Int32? {
        let digits = loadWord(at: position) ^ 0x3030_3A30_303A_3030
        // A digit above 9 overflows into its byte's high bit, and so does a colon that is none.
        let faults = ((digits &+ 0x7676_7F76_767F_7676) | digits) & 0x8080_8080_8080_8080
        guard faults == 0 else { return nil }
        let pairs = digits &* 10 &+ (digits >> 8)
        let (hour, minute, second) = (pairs & 0xFF, pairs >> 24 & 0xFF, pairs >> 48 & 0xFF)
        guard hour < 24, minute < 60, second < 60 else { return nil }
        return Int32(truncatingIfNeeded: hour &* 3_600 &+ minute &* 60 &+ second)
    }

    /// Two decimal digits.
    fileprivate func pair(at position: Int) -> Int32? {
        let tens = self[position] &- UInt8(ascii: "0")
        let ones = self[position + 1] &- UInt8(ascii: "0")
        guard tens <= 9, ones <= 9 else { return nil }
        return Int32(tens) * 10 + Int32(ones)
    }
}

extension Day {
    /// Reads the `yyyymmdd` at the beginning of `bytes`.
    fileprivate init?(compact bytes: UnsafeBufferPointer<UInt8>) {
        guard let century = bytes.pair(at: 0), let year = bytes.pair(at: 2),
            let month = bytes.pair(at: 4), let day = bytes.pair(at: 6)
        else { return nil }
        self.init(year: Int(century * 100 + year), month: Int(month), day: Int(day))
    }

    /// Appends `20230413`.
    fileprivate func appendCompact(to bytes: inout WireOutput) {
        let (year, month, day) = date
        bytes.append(twoDigits: year / 100)
        bytes.append(twoDigits: year % 100)
        bytes.append(twoDigits: month)
        bytes.append(twoDigits: day)
    }
}
