import MarketSimulation
import MarketState
import Primitives
import TWSProtocol

/// Bars of the past.
extension Gateway {
    func answer(
        _ request: ReqHistoricalData, _ waiting: WaitingHistory, _ key: SubscriptionKey
    ) throws(HistoryAnswer) {
        let listed = waiting.listed
        let kind = try kind(of: request, listed)
        let end = try end(of: request, listed)
        let clock = clock(of: listed)
        guard
            let range = HistoryRange(
                request.durationStr, until: end, clock, regularHoursOnly: request.useRTH)
        else { throw .invalid("Invalid time length: \(request.durationStr.text)") }
        if request.whatToShow == .schedule {
            return answers.send(
                .historicalSchedule(schedule(request, range, clock)), to: key.connection)
        }
        guard count(request, range) <= data.settings.barsMax else { throw .tooLong }
        let bars = bars(request, of: listed, kind, range)
        guard let last = bars.last else { throw .none(listed, request.whatToShow) }
        send(bars, request, waiting, range)
        guard request.keepUpToDate else { return }
        market.follow(listed.id)
        history.live.add(
            LiveHistory(
                client: waiting.client, listed: listed, request: request, kind: kind,
                due: now + data.settings.historyUpdatePeriod, last: last), as: key)
    }

    /// - Throws: what is wrong with the request.
    private func kind(
        of request: ReqHistoricalData, _ listed: ListedContract
    ) throws(HistoryAnswer) -> BarKind {
        do throws(HistoryRefusal) {
            try request.check()
        } catch {
            throw HistoryAnswer(error)
        }
        if request.whatToShow == .aggregatedTrades {
            throw HistoryAnswer(
                code: 10_299,
                text: "Expected what to show is TRADES, please use that instead of AGGTRADES.")
        }
        if case .unknown(let word) = request.whatToShow {
            throw .invalid("Invalid what to show: \(word)")
        }
        let kind: BarKind? =
            switch request.whatToShow {
            case .adjustedLast, .schedule, .historicalVolatility, .optionImpliedVolatility: .trades
            default: BarKind(request.whatToShow)
            }
        guard let kind, request.whatToShow == .schedule || listed.hasData(kind) else {
            throw .unavailable(listed, request.durationStr, request.barSizeSetting)
        }
        return kind
    }

    /// - Throws: that the end cannot be read, or that nothing can be as old.
    private func end(
        of request: ReqHistoricalData, _ listed: ListedContract
    ) throws(HistoryAnswer) -> Timestamp {
        guard request.endDateTime != .none else { return historyEnd }
        guard let moment = HistoryMoment(request.endDateTime) else {
            throw HistoryAnswer(code: 10_314, text: "End Date/Time: \(HistoryMoment.advice)")
        }
        guard moment.timestamp >= Timestamp(seconds: 0) else {
            throw .none(listed, request.whatToShow)
        }
        return min(moment.timestamp, historyEnd)
    }

    /// How many bars the interval has at most.
    private func count(_ request: ReqHistoricalData, _ range: HistoryRange) -> Int {
        let seconds = (range.to.nanoseconds - range.from.nanoseconds) / 1_000_000_000
        let length = Int64(request.barSizeSetting.seconds ?? 1)
        // Regular hours are less than two sevenths of a week's time.
        let share: Int64 = request.useRTH && length < 86_400 ? 3 : 1
        return Int(clamping: seconds / length / share)
    }

    private func bars(
        _ request: ReqHistoricalData, of listed: ListedContract, _ kind: BarKind,
        _ range: HistoryRange
    ) -> [HistoryBar] {
        let isVolatility =
            request.whatToShow == .historicalVolatility
            || request.whatToShow == .optionImpliedVolatility
        guard !isVolatility else { return volatilities(request, of: listed, range) }
        guard let step = BarStep(request.barSizeSetting) else { return [] }
        return market.bars(
            of: listed.id,
            BarRequest(
                step: step, from: range.from, to: range.to, kind: kind,
                regularHoursOnly: request.useRTH))
    }

    private func send(
        _ bars: [HistoryBar], _ request: ReqHistoricalData, _ waiting: WaitingHistory,
        _ range: HistoryRange
    ) {
        let client = waiting.client
        let text = HistoryText(format: request.formatDate, version: client.version)
        var message = HistoricalData()
        message.reqId = request.reqId
        message.start = text.clock(range.shownFrom)
        message.end = text.clock(range.to)
        message.bars = bars.map { wire($0, request, waiting.listed, client) }
        let (start, end) = (message.start, message.end)
        answers.send(.historicalData(message), to: client.connection)
        guard client.version.number >= 196 else { return }
        var last = HistoricalDataEnd()
        last.reqId = request.reqId
        last.start = start
        last.end = end
        answers.send(.historicalDataEnd(last), to: client.connection)
    }

    /// A bar as the client's version has it.
    func wire(
        _ bar: HistoryBar, _ request: ReqHistoricalData, _ listed: ListedContract, _ client: Client
    ) -> HistoricalBar {
        let text = HistoryText(format: request.formatDate, version: client.version)
        let isOfTrades = request.whatToShow == .trades || request.whatToShow == .adjustedLast
        var wire = HistoricalBar()
        wire.date = text.bar(bar.start, request.barSizeSetting, on: bar.day)
        wire.open = DecimalValue(bar.open)
        wire.high = DecimalValue(bar.high)
        wire.low = DecimalValue(bar.low)
        wire.close = DecimalValue(bar.close)
        // Before version 175 the volume of stocks is in hundreds of shares.
        let isInLots = client.version.number < 175 && listed.contract.secType == .stock
        let volume =
            isInLots
            ? DecimalValue(bar.volume.units / (100 * Quantity.unitsPerOne))
            : DecimalValue(bar.volume)
        wire.volume = isOfTrades ? volume : -1
        wire.wap = isOfTrades ? DecimalValue(bar.wap) : -1
        wire.barCount = isOfTrades ? Int32(clamping: bar.count) : -1
        return wire
    }

    private func schedule(
        _ request: ReqHistoricalData, _ range: HistoryRange, _ clock: TradingClock
    ) -> HistoricalSchedule {
        var schedule = HistoricalSchedule()
        schedule.reqId = request.reqId
        schedule.timeZone = WireClock.zone
        let days =
            clock.day(of: range.from)
            .number...max(
                clock.day(of: range.from).number, clock.day(of: range.to).number)
        for number in days {
            let day = Day(number: number)
            guard let hours = clock.hours(on: day, regularHoursOnly: request.useRTH) else {
                continue
            }
            var session = HistoricalSession()
            session.startDateTime = WireClock.clock(hours.lowerBound)
            session.endDateTime = WireClock.clock(hours.upperBound)
            session.refDate = day
            schedule.sessions.append(session)
        }
        schedule.startDateTime = schedule.sessions.first?.startDateTime
        schedule.endDateTime = schedule.sessions.last?.endDateTime
        return schedule
    }
}
