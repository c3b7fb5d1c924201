public import Primitives
import TWSProtocol

/// The gateway's clock against this machine's.
public struct ClockReading: Hashable, Sendable {
    /// The gateway's time of day.
    public let gateway: Timestamp
    /// This machine's, at half the way between question and answer.
    public let own: Timestamp
    /// How long question and answer took together.
    public let roundTrip: Duration
    /// The gateway's clock is reported in steps of this: a second before server version 197.
    public let resolution: Duration

    /// How far the gateway's clock is ahead of this machine's; negative when behind. Uncertain by half
    /// of the round trip and one step.
    public var skew: Duration { gateway - own }
}

extension GatewayClient {
    /// The gateway's time of day in whole seconds.
    public func currentTime() async throws -> Timestamp {
        try await calls.gate.alone(.currentTime) {
            let question = Question("current time", topic: .currentTime) { _ in
                .reqCurrentTime(ReqCurrentTime())
            }
            return try await call(question, into: ()) { _, message in
                guard case .currentTime(let time) = message else { return .more }
                return Timestamp(wireSeconds: time.time).map { .done($0) } ?? .more
            }
        }
    }

    /// The gateway's time of day in milliseconds (server version 197).
    ///
    /// - Throws: `ClientError.notSent` at older versions.
    public func currentTimeMilliseconds() async throws -> Timestamp {
        try await calls.gate.alone(.currentTimeInMillis) {
            let question = Question("current time", topic: .currentTimeInMillis) { _ in
                .reqCurrentTimeInMillis(ReqCurrentTimeInMillis())
            }
            return try await call(question, into: ()) { _, message in
                guard case .currentTimeInMillis(let time) = message,
                    let seconds = Timestamp(wireSeconds: time.timeInMillis / 1_000)
                else { return .more }
                return .done(seconds + .milliseconds(time.timeInMillis % 1_000))
            }
        }
    }

    /// Compares the gateway's clock with this machine's.
    public func clockReading() async throws -> ClockReading {
        try await begun(limit: settings.callLimit)
        let isFine = (serverVersion?.number ?? 0) >= 197
        let loop = session.loop
        let (asked, askedAt) = (loop.now, loop.timeOfDay)
        let gateway = isFine ? try await currentTimeMilliseconds() : try await currentTime()
        let roundTrip = loop.now - asked
        return ClockReading(
            gateway: gateway,
            own: askedAt + Duration(nanoseconds: roundTrip.nanoseconds / 2),
            roundTrip: roundTrip, resolution: isFine ? .milliseconds(1) : .seconds(1))
    }

    /// The user's white-branding id; empty for users of the broker itself.
    public func userInfo() async throws -> String {
        let question = Question("user info") { request in
            var message = ReqUserInfo()
            message.reqId = request
            return .reqUserInfo(message)
        }
        return try await call(question, into: ()) { _, message in
            if case .userInfo(let info) = message { .done(info.whiteBrandingId) } else { .more }
        }
    }
}
