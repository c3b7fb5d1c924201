import Primitives
import TWSProtocol

/// A zone a gateway's times can be in.
package enum WireZone: String, CaseIterable, Sendable {
    /// New York, by its old name.
    case newYork = "US/Eastern"
    /// New York.
    case americaNewYork = "America/New_York"
    /// Chicago.
    case chicago = "US/Central"
    /// Los Angeles.
    case losAngeles = "US/Pacific"
    /// UTC.
    case utc = "UTC"
    /// London; its clocks change on other days than New York's.
    case london = "Europe/London"
    /// Zurich; as London.
    case zurich = "Europe/Zurich"
    /// Kolkata, half an hour off the full hours.
    case kolkata = "Asia/Kolkata"
    /// Hong Kong.
    case hongKong = "Asia/Hong_Kong"
    /// Tokyo, by its old name.
    case tokyo = "Japan"

    /// How far its clocks are ahead of UTC at a time.
    func aheadOfUTC(at timestamp: Timestamp) -> Duration {
        switch self {
        case .newYork, .americaNewYork: NewYork.behindUTC(at: timestamp).negated
        case .chicago: (NewYork.behindUTC(at: timestamp - .hours(1)) + .hours(1)).negated
        case .losAngeles: (NewYork.behindUTC(at: timestamp - .hours(3)) + .hours(3)).negated
        case .utc: .zero
        case .london: Self.isEuropeanSummer(timestamp) ? .hours(1) : .zero
        case .zurich: Self.isEuropeanSummer(timestamp) ? .hours(2) : .hours(1)
        case .kolkata: .minutes(330)
        case .hongKong: .hours(8)
        case .tokyo: .hours(9)
        }
    }

    /// The European Union's rule since 1996: from the last Sunday of March to that of October, 01:00 UTC.
    private static func isEuropeanSummer(_ timestamp: Timestamp) -> Bool {
        let year = timestamp.day.date.year
        let start = Day.lastWeekday(.sunday, month: 3, year: year)
        let end = Day.lastWeekday(.sunday, month: 10, year: year)
        return (Timestamp(day: start) + .hours(1)..<Timestamp(day: end) + .hours(1))
            .contains(timestamp)
    }
}

extension Duration {
    fileprivate var negated: Duration { Duration(nanoseconds: -nanoseconds) }
}

/// A gateway's clock that is in another zone, ahead or behind.
struct OffsetClock: Hashable, Sendable {
    /// The zone.
    var zone = WireZone.newYork
    /// How far ahead it is; negative for behind.
    var ahead = Duration.zero

    /// A time of the gateway's texts, as this clock has it.
    func shown(_ time: WireTime) -> WireTime {
        guard case .wall(let clock, WireClock.zone) = time else { return time }
        let timestamp = NewYork.timestamp(
            on: clock.day, at: .seconds(Int64(clock.second)))
        let shown = timestamp + zone.aheadOfUTC(at: timestamp)
        let second = Int32(shown.sinceMidnight.nanoseconds / 1_000_000_000)
        return .wall(WireTime.WallClock(day: shown.day, second: second), zone: zone.rawValue)
    }

    /// Rewrites the times of a message.
    func apply(to message: inout GatewayMessage, at version: ServerVersion) {
        switch message {
        case .currentTime(var clock):
            clock.time &+= ahead.nanoseconds / 1_000_000_000
            message = .currentTime(clock)
        case .currentTimeInMillis(var clock):
            clock.timeInMillis &+= ahead.nanoseconds / 1_000_000
            message = .currentTimeInMillis(clock)
        case .error(var error):
            error.errorTime = error.errorTime.map { $0 &+ ahead.nanoseconds / 1_000_000 }
            message = .error(error)
        default:
            guard zone != .newYork else { return }
            var writer = TimeRewriter(version: version, clock: self)
            message.fields(&writer)
        }
    }
}

/// Walks over a message's fields and shows its times by another clock.
private struct TimeRewriter: FieldCoder {
    let version: ServerVersion
    let clock: OffsetClock

    mutating func time(_ name: StaticString, _ value: inout WireTime) { value = clock.shown(value) }
    mutating func list<R: FieldRecord>(_ name: StaticString, _ value: inout [R]) {
        for index in value.indices { value[index].fields(&self) }
    }
    mutating func records<R: FieldRecord>(_ name: StaticString, _ value: inout [R], count: Int) {
        list(name, &value)
    }
    mutating func since(_ version: Int, _ fields: (inout TimeRewriter) -> Void) {
        if self.version.number >= version { fields(&self) }
    }
    mutating func during(_ versions: Range<Int>, _ fields: (inout TimeRewriter) -> Void) {
        if versions.contains(version.number) { fields(&self) }
    }
    mutating func ifRemaining(_ count: Int, _ fields: (inout TimeRewriter) -> Void) {
        fields(&self)
    }

    // Everything else stays as it is.
    mutating func constant(_ text: StaticString) {}
    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I) {}
    mutating func integer<I: WireInteger>(
        _ name: StaticString, _ value: inout I?, _ unset: UnsetForm
    ) {}
    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I, or: I) {}
    mutating func double(_ name: StaticString, _ value: inout DecimalValue) {}
    mutating func double(_ name: StaticString, _ value: inout DecimalValue?, _ unset: UnsetForm) {}
    mutating func double(_ name: StaticString, _ value: inout DecimalValue, or: DecimalValue) {}
    mutating func decimal(_ name: StaticString, _ value: inout DecimalValue) {}
    mutating func decimal(_ name: StaticString, _ value: inout DecimalValue?, _ unset: UnsetForm) {}
    mutating func flag(_ name: StaticString, _ value: inout Bool) {}
    mutating func flag(_ name: StaticString, _ value: inout Bool?) {}
    mutating func text(_ name: StaticString, _ value: inout String) {}
    mutating func escapedText(_ name: StaticString, _ value: inout String) {}
    mutating func word<W: WireWord>(_ name: StaticString, _ value: inout W) {}
    mutating func code<C: WireCode>(_ name: StaticString, _ value: inout C) {}
    mutating func code<C: WireCode>(_ name: StaticString, _ value: inout C?, _ unset: UnsetForm) {}
    mutating func account(_ name: StaticString, _ value: inout AccountID) {}
    mutating func accounts(_ name: StaticString, _ value: inout [AccountID]) {}
    mutating func texts(_ name: StaticString, _ value: inout [String]) {}
    mutating func tagText(_ name: StaticString, _ value: inout [TagValue]) {}
}
