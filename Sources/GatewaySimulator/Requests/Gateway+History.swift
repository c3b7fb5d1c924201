import MarketSimulation
import Primitives
import TWSProtocol

extension Gateway {
    /// Answers what belongs to this room.
    func handleHistory(_ message: ClientMessage, from client: Client) {
        switch message {
        case .reqHistoricalData(let request): take(request, client)
        case .cancelHistoricalData(let request): cancelHistory(request.reqId, client)
        case .reqHeadTimestamp(let request):
            take(
                .head(request), request.reqId, request.contract, request.includeExpired, client)
        case .reqHistogramData(let request):
            take(
                .histogram(request), request.reqId, request.contract, request.includeExpired, client
            )
        case .cancelHeadTimestamp(let request): drop(request.reqId, client)
        case .cancelHistogramData(let request): drop(request.reqId, client)
        case .reqHistoricalTicks(let request): take(request, client)
        default: return
        }
    }

    private func take(_ request: ReqHistoricalData, _ client: Client) {
        warnOfZone(request.endDateTime, request.reqId, client)
        take(.bars(request), request.reqId, request.contract, request.includeExpired, client)
    }

    private func take(_ request: ReqHistoricalTicks, _ client: Client) {
        warnOfZone(request.startDateTime, request.reqId, client)
        warnOfZone(request.endDateTime, request.reqId, client)
        take(.ticks(request), request.reqId, request.contract, request.includeExpired, client)
    }

    private func warnOfZone(_ time: WireTime, _ request: RequestID, _ client: Client) {
        guard let moment = HistoryMoment(time), moment.lacksZone else { return }
        refuse(2174, HistoryMoment.zoneAdvice, request, client)
    }

    /// Takes a request: it is refused at once, or answered when it is due.
    private func take(
        _ question: WaitingHistory.Question, _ request: RequestID, _ contract: Contract,
        _ includesExpired: Bool, _ client: Client
    ) {
        let key = SubscriptionKey(connection: client.connection, request: request)
        guard !history.contains(key) else {
            return refuse(
                386, "Duplicate ticker ID for API historical data query", request, client)
        }
        guard
            let listed = listed(
                contract, for: request, client, includesExpired: includesExpired)
        else { return }
        guard history.openCount < data.settings.openHistory else {
            pacingAudit.count(.openHistory)
            return refuse(HistoryAnswer.paced.code, HistoryAnswer.paced.text, request, client)
        }
        let waiting = WaitingHistory(
            client: client, listed: listed, question: question,
            due: now + data.settings.historyLatency)
        if let query = waiting.query(by: contract.exchange),
            pacingAudit.history(query, at: now) != nil,
            data.settings.refusesHistoryBreaches
        {
            return refuse(HistoryAnswer.paced.code, HistoryAnswer.paced.text, request, client)
        }
        history.waiting.add(waiting, as: key)
        answerDueHistory()
    }

    /// The contract of a request for the past, which may have expired.
    private func listed(
        _ contract: Contract, for request: RequestID, _ client: Client, includesExpired: Bool
    ) -> ListedContract? {
        guard includesExpired else { return listed(contract, for: request, client) }
        let found = contracts.matches(contract, includeExpired: true)
        return found.count == 1 ? found[0] : listed(contract, for: request, client)
    }

    private func cancelHistory(_ request: RequestID, _ client: Client) {
        let key = SubscriptionKey(connection: client.connection, request: request)
        let live = history.live.remove(key)
        guard live != nil || history.waiting.remove(key) != nil else {
            return refuse(
                366, "No historical data query found for ticker id:\(request.rawValue)", request,
                client)
        }
        if let live { market.unfollow(live.listed.id) }
        let cancelled = HistoryAnswer.service(
            "API historical data query cancelled: \(request.rawValue)")
        refuse(cancelled.code, cancelled.text, request, client)
    }

    /// Ends a request without a word.
    private func drop(_ request: RequestID, _ client: Client) {
        _ = history.waiting.remove(
            SubscriptionKey(connection: client.connection, request: request))
    }

    /// Answers the requests for the past whose time has come.
    func answerDueHistory() {
        for (key, waiting) in history.takeDue(at: now) {
            do throws(HistoryAnswer) {
                try admit(waiting)
                switch waiting.question {
                case .bars(let request): try answer(request, waiting, key)
                case .head(let request): try answer(request, waiting)
                case .histogram(let request): try answer(request, waiting)
                case .ticks(let request): try answer(request, waiting)
                }
            } catch {
                refuse(error.code, error.text, key.request, waiting.client)
            }
        }
    }

    /// - Throws: why the login or the service gives nothing now.
    private func admit(_ waiting: WaitingHistory) throws(HistoryAnswer) {
        guard isServed(.history) else {
            throw .service("HMDS server disconnect occurred.  Attempting reconnection")
        }
        var isTicks = false
        if case .ticks = waiting.question { isTicks = true }
        switch data.settings.access {
        case .live: return
        case .delayed where !isTicks: return
        case .delayed, .unsubscribed, .programSubscriptionMissing:
            let missing = "No market data permissions for \(waiting.listed.listingAndKind)"
            guard isTicks else { throw .service(missing) }
            throw HistoryAnswer(
                code: 10_187, text: "Failed to request historical ticks:\(missing)")
        case .competingSession:
            throw .service("Trading TWS session is connected from a different IP address")
        }
    }

    /// The last time the login may see of the past.
    var historyEnd: Timestamp {
        data.settings.access == .live ? now : now - data.settings.delay
    }

    private func answer(
        _ request: ReqHeadTimestamp, _ waiting: WaitingHistory
    ) throws(HistoryAnswer) {
        guard waiting.listed.hasData(request.whatToShow),
            let first = market.firstTime(of: waiting.listed.id)
        else { throw .none(waiting.listed, request.whatToShow) }
        let text = HistoryText(format: request.formatDate, version: waiting.client.version)
        var head = HeadTimestamp()
        head.reqId = request.reqId
        head.headTimestamp = text.head(first)
        answers.send(.headTimestamp(head), to: waiting.client.connection)
    }

    private func answer(
        _ request: ReqHistogramData, _ waiting: WaitingHistory
    ) throws(HistoryAnswer) {
        guard let duration = HistoryDuration(inWords: request.timePeriod),
            let range = HistoryRange(
                duration, until: historyEnd, clock(of: waiting.listed),
                regularHoursOnly: request.useRTH)
        else { throw .invalid("Invalid time period: \(request.timePeriod)") }
        var message = HistogramData()
        message.reqId = request.reqId
        message.items = market.histogram(
            of: waiting.listed.id, from: range.from, to: range.to,
            regularHoursOnly: request.useRTH
        ).map { price, size in
            var entry = HistogramEntry()
            entry.price = DecimalValue(price)
            // Whole units: clients read an integer here.
            entry.size = DecimalValue(size.units / Quantity.unitsPerOne)
            return entry
        }
        answers.send(.histogramData(message), to: waiting.client.connection)
    }
}

extension WaitingHistory {
    /// The request as pacing looks at it; `nil` for what is not paced.
    fileprivate func query(by exchange: String) -> PacedHistory? {
        switch question {
        case .bars(let request):
            PacedHistory(
                instrument: listed.id, exchange: exchange, whatToShow: request.whatToShow,
                kind: .bars(request.barSizeSetting, request.durationStr), end: request.endDateTime,
                regularHoursOnly: request.useRTH)
        case .ticks(let request):
            PacedHistory(
                instrument: listed.id, exchange: exchange, whatToShow: request.whatToShow,
                kind: .ticks(request.numberOfTicks), start: request.startDateTime,
                end: request.endDateTime, regularHoursOnly: request.useRTH)
        case .head, .histogram: nil
        }
    }
}

extension HistoryDuration {
    /// Reads a histogram's period: a number, a blank and a unit in full, such as `3 days`.
    fileprivate init?(inWords text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let number = Int32(parts[0]), number > 0 else { return nil }
        let unit = parts[1].hasSuffix("s") ? parts[1].dropLast() : parts[1]
        switch unit {
        case "second" where number <= 86_400: self = .seconds(number)
        case "minute" where number <= 1_440: self = .seconds(number * 60)
        case "hour" where number <= 24: self = .seconds(number * 3_600)
        case "day" where number <= 365: self = .days(number)
        case "week" where number <= 52: self = .weeks(number)
        case "month" where number <= 12: self = .months(number)
        case "year" where number <= 68: self = .years(number)
        default: return nil
        }
    }
}
