public import Primitives

/// Trading sessions of the past (server version 165). Its clocks are those of `timeZone`: they are
/// written like times in UTC and are none.
public struct HistoricalSchedule: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The first session's begin; `nil` where the gateway sent no time.
    public var startDateTime: WireTime.WallClock?
    /// The last session's end; `nil` where the gateway sent no time.
    public var endDateTime: WireTime.WallClock?
    /// The zone of all clocks.
    public var timeZone = ""
    /// The sessions, oldest first.
    public var sessions: [HistoricalSession] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.zoneClock("startDateTime", &startDateTime)
        coder.zoneClock("endDateTime", &endDateTime)
        coder.text("timeZone", &timeZone)
        coder.list("sessions", &sessions)
    }
}

/// A trading session of the past.
public struct HistoricalSession: FieldRecord {
    /// The begin, by the clock of the schedule's zone.
    public var startDateTime: WireTime.WallClock?
    /// The end, by the clock of the schedule's zone.
    public var endDateTime: WireTime.WallClock?
    /// The day the session counts for; it may begin on the evening before.
    public var refDate: Day?

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.zoneClock("startDateTime", &startDateTime)
        coder.zoneClock("endDateTime", &endDateTime)
        var time = refDate.map { WireTime.day($0) } ?? .none
        coder.time("refDate", &time)
        if case .day(let day) = time { refDate = day } else { refDate = nil }
    }
}

extension FieldCoder where Self: ~Copyable {
    /// A clock of a zone that another field names, written with a hyphen.
    fileprivate mutating func zoneClock(_ name: StaticString, _ value: inout WireTime.WallClock?) {
        var time = value.map { WireTime.utc($0) } ?? .none
        self.time(name, &time)
        switch time {
        case .utc(let clock), .wall(let clock, zone: _): value = clock
        case .none, .epoch, .day, .other: value = nil
        }
    }
}
