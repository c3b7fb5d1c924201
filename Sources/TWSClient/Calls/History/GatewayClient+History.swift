public import Primitives
public import TWSProtocol

/// What is asked about the beginning of history.
struct HeadQuestion: Hashable, Sendable {
    let contract: Contract
    let what: WhatToShow
    let regularHours: Bool
}

/// Trading sessions of the past.
public struct WireTradingSession: Hashable, Sendable {
    /// The day it counts for; it may begin on the evening before.
    public let day: Day
    /// When it begins.
    public let begin: Timestamp
    /// When it ends.
    public let end: Timestamp
}

extension GatewayClient {
    /// Since when the broker has history of an instrument. Asked once and kept.
    ///
    /// - Throws: `ClientError.refused` where there is none.
    public func headTimestamp(
        _ contract: Contract, of what: WhatToShow = .trades, regularHours: Bool = true
    ) async throws -> Timestamp {
        let key = HeadQuestion(contract: contract, what: what, regularHours: regularHours)
        return try await calls.headTimestamps.answer(key) { [self] in
            var question = Question("head timestamp") { request in
                var message = ReqHeadTimestamp()
                message.reqId = request
                message.contract = contract
                message.whatToShow = what
                message.useRTH = regularHours
                message.formatDate = .epoch
                return .reqHeadTimestamp(message)
            } ending: { request in
                var message = CancelHeadTimestamp()
                message.reqId = request
                return .cancelHeadTimestamp(message)
            }
            // Gateways count it as open until it is called off.
            question.goesOn = true
            let clock = clock
            let answer = try await retried(question, emptyAnswer: nil) { question in
                try await self.call(question, into: (), limit: self.settings.historyLimit) {
                    _, message in
                    if case .headTimestamp(let head) = message {
                        .done(head.headTimestamp)
                    } else {
                        .more
                    }
                }
            }
            guard let timestamp = clock.timestamp(of: answer) else {
                throw ClientError.badQuestion("the gateway's time cannot be read: \(answer)")
            }
            return timestamp
        }
    }

    /// The trading sessions of the last `days` days with trading, oldest first (server version 165).
    ///
    /// - Throws: `ClientError.notSent` at older versions.
    public func schedule(
        _ contract: Contract, days: Int, until end: Timestamp? = nil
    ) async throws -> [WireTradingSession] {
        try await begun(limit: settings.historyLimit)
        // Gateways that do not know the word may leave the question without an answer.
        if let version = serverVersion, version.number < 165 {
            throw ClientError.notSent(
                .encoding(.notCarried(field: "whatToShow", needs: 165, version: version)))
        }
        var asked = BarQuestion(contract, .oneDay)
        asked.what = .schedule
        let question = Question("trading schedule") { [asked] request in
            let duration = HistoryPlan.duration(seconds: Int64(max(1, days)) * 86_400, step: 86_400)
            return .reqHistoricalData(asked.message(request, end: end, duration))
        } ending: { request in
            var message = CancelHistoricalData()
            message.reqId = request
            return .cancelHistoricalData(message)
        }
        let schedule = try await retried(question, emptyAnswer: HistoricalSchedule()) { question in
            try await self.call(question, into: (), limit: self.settings.historyLimit) {
                _, message in
                if case .historicalSchedule(let schedule) = message {
                    .done(schedule)
                } else {
                    .more
                }
            }
        }
        let clock = clock
        return schedule.sessions.compactMap { session in
            guard let begin = session.startDateTime, let end = session.endDateTime,
                let day = session.refDate,
                let first = clock.timestamp(of: begin, in: schedule.timeZone),
                let last = clock.timestamp(of: end, in: schedule.timeZone)
            else { return nil }
            return WireTradingSession(day: day, begin: first, end: last)
        }
    }

    /// Prices and the sizes traded at them, over the last while.
    ///
    /// - Parameter period: a number and a unit in full: `3 days`, `1 week`.
    public func histogram(
        _ contract: Contract, over period: String, regularHours: Bool = true
    ) async throws -> [HistogramEntry] {
        let question = Question("histogram") { request in
            var message = ReqHistogramData()
            message.reqId = request
            message.contract = contract
            message.useRTH = regularHours
            message.timePeriod = period
            return .reqHistogramData(message)
        } ending: { request in
            var message = CancelHistogramData()
            message.reqId = request
            return .cancelHistogramData(message)
        }
        return try await call(question, into: (), limit: settings.historyLimit) { _, message in
            if case .histogramData(let histogram) = message {
                .done(histogram.items)
            } else {
                .more
            }
        }
    }
}
