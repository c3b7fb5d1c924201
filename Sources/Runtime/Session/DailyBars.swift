import MarketState
import Model
import Primitives
import TWSClient
import TWSProtocol
import TWSVenue

/// The daily bars that a session's strategies see: the broker's own, asked for after each close until they no longer
/// change.
///
/// The bars of a day are events together, with the end of their slice behind them, once all are final, and in time
/// for the next opening auction. A bar that comes later than that, or was missed without a connection, is history:
/// no intent follows from it.
struct DailyBars: BarSource {
    private let plan: SessionBars.Plan
    private let traded: [InstrumentID]
    private var warmup: WarmupReview
    /// How long before the open a day's bars have to be shown.
    private let cutoff: Duration
    private var feed: MarketDataFeed
    private(set) var phase = SessionBars.Phase.waiting
    private var isWarmedUp = false
    /// The end of the newest bar that was an event, by instrument.
    private var newestBars: [Timestamp]
    /// The bars of the newest answer, by instrument; `nil` before the first.
    private var answers: [[Bar]?]
    /// The bars of the answer before it.
    private var formerAnswers: [[Bar]?]
    /// The instruments that are still to be asked for in this round.
    private var unasked: [InstrumentID] = []
    /// When the answers that are under way were asked for.
    private var asked: [InstrumentID: Timestamp] = [:]
    /// How often each was asked for in this round.
    private var askedCounts: [InstrumentID: Int] = [:]
    private var abandoned: [RequestID] = []
    /// When all are asked for next.
    private var nextRound: Timestamp?
    /// The day whose bars were shown last; `nil` before the first.
    private var shownDay: Day?
    /// The instruments whose bar of the newest day is missing.
    private var lacking: Set<InstrumentID> = []
    private var reports: [ConditionReport] = []
    /// By instrument.
    private var symbols: [String] = []

    /// How long after a close its bars are asked for, and how long after that once more: prints come late.
    static let interval = Duration.minutes(10)
    /// How long after a close its bars are waited for: what has come by then counts.
    static let patience = Duration.hours(2)
    /// How long an answer may take before it is asked for again.
    static let answerLimit = Duration.seconds(60)
    /// How many answers may be under way; the gateway takes 50 at once.
    static let openMax = 40

    /// Bars before the first connection.
    ///
    /// - Parameter cutoff: how long before the open a day's bars have to be shown.
    init(_ plan: SessionBars.Plan, _ feed: MarketDataFeed, cutoff: Duration) {
        self.plan = plan
        traded = plan.traded
        warmup = WarmupReview(
            traded, of: plan.instruments.count, asked: plan.warmupBars,
            allowsPartial: plan.allowsPartialHistory)
        self.feed = feed
        self.cutoff = cutoff
        newestBars = Array(repeating: .distantPast, count: plan.instruments.count)
        answers = Array(repeating: nil, count: plan.instruments.count)
        formerAnswers = answers
    }

    var shown: ShownBars {
        ShownBars(symbols, areWarmedUp: isWarmedUp, ends: newestBars, warmup)
    }

    mutating func resume(behind shown: ShownBars, _ instruments: [Instrument]) {
        symbols = instruments.map(\.symbol)
        isWarmedUp = shown.areWarmedUp
        if isWarmedUp { warmup.resume(with: shown.counts(of: instruments)) }
        for instrument in instruments {
            guard let end = shown.newest[instrument.symbol] else { continue }
            newestBars[Int(instrument.id.index)] = end
            // What was decided about is not decided about again, whoever decided.
            let day = plan.calendar.day(of: end - Duration(nanoseconds: 1))
            shownDay = max(shownDay ?? day, day)
        }
    }

    var doubted: [InstrumentID] { [] }
    func newestData(of instrument: InstrumentID) -> Timestamp? { nil }
    func newestTrade(of instrument: InstrumentID) -> Timestamp? { nil }

    var wake: Timestamp? {
        let overdue = asked.values.min().map { $0 + Self.answerLimit }
        return [nextRound, overdue].compactMap(\.self).min()
    }

    // MARK: Messages

    mutating func take(
        _ event: SessionEvent, at now: Timestamp
    ) -> (questions: [ClientMessage], finished: [RequestID]) {
        switch event {
        case .resubscribe(.ofNewConnection), .resubscribe(.all):
            _ = feed.take(event)
            let lost = forget()
            phase = .reading
            begin(at: now)
            return (ask(at: now), lost)
        case .disconnected:
            forget()
            phase = .waiting
            return ([], [])
        default: break
        }
        let (update, finished) = feed.take(event)
        switch update {
        case .history(let instrument, let bars):
            let index = Int(instrument.index)
            asked[instrument] = nil
            formerAnswers[index] = answers[index]
            answers[index] = bars.compactMap { dated($0) }
            if lacking.remove(instrument) != nil { report(instrument, isMissing: false) }
        case .historyRefused(let instrument, let refusal):
            asked[instrument] = nil
            lack(instrument, code: refusal.code)
        case .fiveSecondBar, .nothingTraded, .fiveSecondBarsRefused, nil: break
        }
        return (ask(at: now), finished.map { [$0] } ?? [])
    }

    mutating func review(
        at now: Timestamp, _ isQueued: (RequestID) -> Bool
    ) -> [ClientMessage] {
        guard phase != .waiting else { return [] }
        for (instrument, time) in asked.sorted(by: { $0.key < $1.key })
        where now - time >= Self.answerLimit {
            asked[instrument] = nil
            abandoned += feed.abandonHistory(of: instrument)
            if askedCounts[instrument, default: 0] < WarmupReview.askedMax {
                unasked.append(instrument)
            } else {
                lack(instrument)
            }
        }
        if let next = nextRound, now >= next, unasked.isEmpty, asked.isEmpty { begin(at: now) }
        return ask(at: now)
    }

    mutating func takeAbandoned() -> [RequestID] {
        defer { abandoned.removeAll() }
        return abandoned
    }

    mutating func takeReports() -> [ConditionReport] {
        defer { reports.removeAll() }
        return reports + warmup.takeReports()
    }

    /// Forgets what was asked in another connection. Its answers do not confirm those of the next: that one may come
    /// seconds behind them.
    ///
    /// - Returns: what was open.
    @discardableResult
    private mutating func forget() -> [RequestID] {
        let lost = feed.forget()
        answers = answers.map { _ in nil }
        formerAnswers = answers
        unasked.removeAll()
        asked.removeAll()
        nextRound = nil
        return lost
    }

    /// Begins to ask for all instruments.
    private mutating func begin(at now: Timestamp) {
        unasked = traded
        askedCounts.removeAll()
        nextRound = nil
    }

    private mutating func ask(at now: Timestamp) -> [ClientMessage] {
        var questions: [ClientMessage] = []
        while asked.count < Self.openMax, !unasked.isEmpty {
            let instrument = unasked.removeFirst()
            let question = feed.history(
                of: instrument, barSize: .days(1), duration(for: instrument, at: now),
                outsideRTH: plan.outsideRTH)
            guard let question else { continue }
            asked[instrument] = now
            askedCounts[instrument, default: 0] += 1
            questions.append(question.1)
        }
        return questions
    }

    /// How much history of an instrument is needed: what strategies want to begin with, or what was missed.
    private func duration(for instrument: InstrumentID, at now: Timestamp) -> HistoryDuration {
        let newest = newestBars[Int(instrument.index)]
        var days = plan.warmupBars + 3
        if isWarmedUp {
            days = 3
            if newest > .distantPast {
                let passed = (now - newest).nanoseconds / Duration.days(1).nanoseconds
                days += Int(clamping: passed)
            }
        }
        // The gateway counts trading days up to a year; a year has 250 or more.
        return days <= 365
            ? .days(Int32(days)) : .years(Int32(clamping: min((days + 249) / 250, 68)))
    }

    /// A bar of a day with the hours of its session; `nil` for a day without one.
    private func dated(_ bar: Bar) -> Bar? {
        guard let session = plan.calendar.session(on: bar.start.day) else { return nil }
        return Bar(
            instrument: bar.instrument, start: session.open, barSize: session.close - session.open,
            open: bar.open, high: bar.high, low: bar.low, close: bar.close, volume: bar.volume)
    }

    private mutating func lack(_ instrument: InstrumentID, code: Int = 0) {
        guard lacking.insert(instrument).inserted else { return }
        report(instrument, isMissing: true, code: code)
    }

    private mutating func report(_ instrument: InstrumentID, isMissing: Bool, code: Int = 0) {
        reports.append(
            ConditionReport(
                .dataMissing, isPresent: isMissing, of: instrument, value: Int64(code)))
    }

    // MARK: Events

    /// The newest session that is over, while its bars are in time for the next opening auction.
    private func decidable(at now: Timestamp) -> (close: Timestamp, day: Day, deadline: Timestamp)?
    {
        var day = plan.calendar.day(of: now)
        while plan.calendar.session(on: day).map({ $0.close > now }) ?? true {
            day = day.advanced(by: -1)
        }
        let deadline = plan.calendar.nextSession(after: day).open - cutoff
        return now < deadline ? (plan.calendar.close(on: day), day, deadline) : nil
    }

    mutating func takeEvents(at now: Timestamp) -> [Event.Kind] {
        guard phase != .waiting, unasked.isEmpty, asked.isEmpty, nextRound == nil else {
            return []
        }
        var events = warmup.takeEvents()
        let newest = decidable(at: now)
        let toDecide = newest.flatMap { $0.day == shownDay ? nil : $0 }
        showPast(before: toDecide?.close, at: now, into: &events)
        phase = .live
        if let toDecide {
            decide(toDecide.day, toDecide.close, toDecide.deadline, at: now, into: &events)
        } else {
            // The next session's bars.
            let today = plan.calendar.day(of: now)
            let session = plan.calendar.session(on: today).flatMap { $0.close > now ? $0 : nil }
            let next = session ?? plan.calendar.nextSession(after: today)
            nextRound = next.close + Self.interval
        }
        return events
    }

    /// Shows as history what is over: to begin with as much as strategies want, later what was missed.
    ///
    /// - Parameter close: the end of the day that is still decided about; `nil` without one.
    private mutating func showPast(
        before close: Timestamp?, at now: Timestamp, into events: inout [Event.Kind]
    ) {
        var shown: [Bar] = []
        for (index, bars) in answers.enumerated() {
            let past = (bars ?? []).filter { $0.end <= now && $0.end < close ?? .distantFuture }
            shown +=
                isWarmedUp
                ? past.filter { $0.end > newestBars[index] }[...] : past.suffix(plan.warmupBars)
        }
        shown.sort { ($0.end, $0.instrument) < ($1.end, $1.instrument) }
        for bar in shown {
            let index = Int(bar.instrument.index)
            newestBars[index] = max(newestBars[index], bar.end)
            events.append(.history(bar))
            if isWarmedUp { warmup.shown(bar.instrument) }
        }
        guard !isWarmedUp else { return }
        isWarmedUp = true
        warmup.completed(shown)
        events += warmup.takeEvents()
        let asked = plan.warmupBars * traded.count
        events.append(.historyComplete(HistoryCoverage(have: shown.count, asked: asked)))
    }

    /// Shows the bars of a day once all are final, or once there is no more time to wait.
    private mutating func decide(
        _ day: Day, _ close: Timestamp, _ deadline: Timestamp, at now: Timestamp,
        into events: inout [Event.Kind]
    ) {
        func bar(_ bars: [Bar]?) -> Bar? { bars?.last { $0.end == close } }
        let isLast = now >= min(close + Self.patience, deadline - Self.interval)
        let isFinal = traded.allSatisfy { instrument in
            let newest = bar(answers[Int(instrument.index)])
            return newest != nil && newest == bar(formerAnswers[Int(instrument.index)])
        }
        guard isFinal || isLast else {
            nextRound = min(max(now, close) + Self.interval, deadline - Self.interval)
            return
        }
        var isAnyShown = false
        for instrument in traded {
            let index = Int(instrument.index)
            guard let newest = bar(answers[index]) else {
                lack(instrument)
                continue
            }
            if lacking.remove(instrument) != nil { report(instrument, isMissing: false) }
            newestBars[index] = close
            events.append(.bar(newest))
            warmup.shown(instrument)
            isAnyShown = true
        }
        if isAnyShown { events.append(.sliceClosed) }
        shownDay = day
        formerAnswers = formerAnswers.map { _ in nil }
        nextRound = plan.calendar.nextSession(after: day).close + Self.interval
    }
}
