/// Why a request for history would be refused.
public enum HistoryRefusal: Error, Hashable, Sendable {
    /// Gateways do not know the bar's length (error 321).
    case unknownBarSize(String)
    /// The duration is no number with a unit.
    case unknownDuration(String)
    /// The duration's number lies outside 1 to `most`.
    case durationOutOfRange(HistoryDuration, most: Int32)
    /// Bars of one second reach back 2,000 seconds at most.
    case tooLongForOneSecondBars(HistoryDuration)
    /// The bars are too short for so long a duration.
    case barTooShort(WireBarSize, HistoryDuration, shortest: WireBarSize)
    /// The bars are too long for so short a duration.
    case barTooLong(WireBarSize, HistoryDuration, longest: WireBarSize)
    /// History of this kind ends now: leave the end out.
    case endNotAllowed(WhatToShow)
    /// Sessions go with bars of one day only (error 10295).
    case sessionsNeedDailyBars(WireBarSize)
    /// History that is kept up to date ends now: leave the end out.
    case updatesNeedNoEnd
    /// History that is kept up to date has bars of five seconds at least.
    case updatesNeedLongerBars(WireBarSize)
    /// History of this kind is not kept up to date: trades, midpoints, bids and asks are.
    case updatesNotOffered(WhatToShow)
}

extension ReqHistoricalData {
    /// Finds what gateways would refuse, as far as the request alone shows it. What the account may
    /// see, what the instrument has and how far back it goes only the gateway knows.
    ///
    /// - Throws: the first fault found.
    public func check() throws(HistoryRefusal) {
        try checkSteps()
        let hasEnd = endDateTime != .none
        if whatToShow == .adjustedLast, hasEnd { throw .endNotAllowed(whatToShow) }
        if whatToShow == .schedule, barSizeSetting != .oneDay {
            throw .sessionsNeedDailyBars(barSizeSetting)
        }
        guard keepUpToDate else { return }
        guard !hasEnd else { throw .updatesNeedNoEnd }
        guard barSizeSetting != .oneSecond else { throw .updatesNeedLongerBars(barSizeSetting) }
        guard [.trades, .midpoint, .bid, .ask].contains(whatToShow) else {
            throw .updatesNotOffered(whatToShow)
        }
    }

    private func checkSteps() throws(HistoryRefusal) {
        guard let bar = barSizeSetting.seconds else {
            throw .unknownBarSize(barSizeSetting.word)
        }
        guard let count = durationStr.count, let bars = HistorySteps.bars(for: durationStr) else {
            throw .unknownDuration(durationStr.text)
        }
        guard count.number >= 1, count.number <= count.most else {
            throw .durationOutOfRange(durationStr, most: count.most)
        }
        if barSizeSetting == .oneSecond, case .seconds(let number) = durationStr, number > 2_000 {
            throw .tooLongForOneSecondBars(durationStr)
        }
        guard bar >= bars.shortest.seconds ?? 0 else {
            throw .barTooShort(barSizeSetting, durationStr, shortest: bars.shortest)
        }
        guard bar <= bars.longest.seconds ?? .max else {
            throw .barTooLong(barSizeSetting, durationStr, longest: bars.longest)
        }
    }
}

extension HistoryRefusal: CustomStringConvertible {
    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .unknownBarSize(let text): "'\(text)' is no bar size: use one such as '1 min'"
        case .unknownDuration(let text): "'\(text)' is no duration: use one such as '3 D'"
        case .durationOutOfRange(let duration, let most):
            "the duration '\(duration)' lies outside 1 to \(most): split the range or change the unit"
        case .tooLongForOneSecondBars(let duration):
            "bars of one second reach back 2000 S at most, not '\(duration)': split the range"
        case .barTooShort(let bar, let duration, let shortest):
            "over '\(duration)' bars have '\(shortest.word)' at least, not '\(bar.word)'"
        case .barTooLong(let bar, let duration, let longest):
            "over '\(duration)' bars have '\(longest.word)' at most, not '\(bar.word)'"
        case .endNotAllowed(let kind): "history of \(kind.word) ends now: leave the end out"
        case .sessionsNeedDailyBars(let bar):
            "sessions go with bars of '1 day' only, not '\(bar.word)'"
        case .updatesNeedNoEnd: "history that is kept up to date ends now: leave the end out"
        case .updatesNeedLongerBars(let bar):
            "history that is kept up to date has bars of '5 secs' at least, not '\(bar.word)'"
        case .updatesNotOffered(let kind):
            "history of \(kind.word) is not kept up to date: TRADES, MIDPOINT, BID and ASK are"
        }
    }
}
