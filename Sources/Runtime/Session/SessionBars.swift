import MarketState
import Model
import Primitives
import TWSClient
import TWSProtocol
import TWSVenue

/// The bars that a session's strategies see: past ones for warm-up, then those made of bars of five seconds.
///
/// Bars of one end are events together, with the end of their slice behind them, once the parts of all instruments
/// have come. Where parts are missing, the bar comes from the broker's history before its slice is shown; an instrument
/// whose history does not come in time is left out of the slice. Bars that were missed while there was no connection
/// come from history, too, and no intent follows from them.
struct SessionBars: Sendable {
    /// What strategies are shown.
    struct Plan: Sendable {
        /// The run's instruments, in their order.
        let instruments: [InstrumentID]
        /// How long a bar lasts.
        let barSize: Duration
        /// How many bars strategies want before the first on which they act.
        let warmupBars: Int
        /// Which time belongs to which session.
        let calendar: SessionCalendar
        /// True if bars outside regular hours count.
        let outsideRTH: Bool
        /// Instruments without a contract, of which no data come.
        var skipped: Set<InstrumentID> = []
        /// True if instruments are entered of which past bars are missing.
        var allowsPartialHistory = false
        /// How many times as long past bars, and data that stay away, are waited for.
        var patience: Int64 = 1

        /// The instruments whose data are asked for.
        var traded: [InstrumentID] { instruments.filter { !skipped.contains($0) } }
    }

    /// How far the data are.
    enum Phase: Hashable, Sendable {
        /// There is no connection that data could be asked for in.
        case waiting
        /// Past bars are being read.
        case reading
        /// Bars come as they close.
        case live
    }

    private let plan: Plan
    private let traded: [InstrumentID]
    private var warmup: WarmupReview
    /// By instrument.
    private var symbols: [String] = []
    private var feed: MarketDataFeed
    private(set) var phase = Phase.waiting
    private var longer: LongerBars
    /// When the earliest bar in progress ends of which parts were not admitted; `.distantFuture` without one.
    private var doubtedEnd = Timestamp.distantFuture
    /// Instruments whose past bars are awaited.
    private var awaited: Set<InstrumentID> = []
    /// Past bars as far as they came.
    private var past: [Bar] = []
    /// The end of the newest part of each instrument.
    private var newestParts: [Timestamp]
    /// When the parts of each instrument begin; `nil` before the first.
    private var firstParts: [Timestamp?]
    /// The end of the newest bar that was an event, by instrument.
    private var newestBars: [Timestamp]
    private var isWarmedUp = false
    private var monitor: DataMonitor
    /// When the newest part with a trade came, by instrument.
    private var newestTrades: [Timestamp?]
    private var prices: PriceMonitor
    /// Instruments of which parts are missing: their bars come from history.
    private var holed: Set<InstrumentID> = []
    /// Until when bars wait for that history; `nil` before it was asked for.
    private var holeDeadline: Timestamp?
    /// The end of the newest bar of which missing parts were asked for.
    private var askedEnd = Timestamp.distantPast
    /// Bars from history that have not been events.
    private var filled: [Bar] = []
    /// The end of the newest slice.
    private var newestSlice = Timestamp.distantPast
    /// When past bars that stay away are asked for again.
    private var readDeadline = Timestamp.distantFuture
    private var abandoned: [RequestID] = []
    /// The requests for what is missing of the bars that end now.
    private var holeRequests: [RequestID] = []

    /// How long past bars are waited for before they are asked for again.
    static let answerLimit = Duration.seconds(60)

    /// How long a slice waits for the history of what is missing.
    static let holeLimit = Duration.seconds(10)
    /// How long an answer of the gateway may be under way.
    static let flightMax = Duration.seconds(2)
    /// How long after a bar's end its last parts are waited for.
    static let grace = Duration.seconds(5)

    init(_ plan: Plan, _ feed: MarketDataFeed) {
        self.plan = plan
        self.feed = feed
        traded = plan.traded
        warmup = WarmupReview(
            traded, of: plan.instruments.count, asked: plan.warmupBars,
            allowsPartial: plan.allowsPartialHistory)
        longer = Self.aggregator(plan)
        newestParts = Array(repeating: .distantPast, count: plan.instruments.count)
        newestBars = newestParts
        newestTrades = Array(repeating: nil, count: plan.instruments.count)
        firstParts = Array(repeating: nil, count: plan.instruments.count)
        monitor = DataMonitor(
            traded, of: plan.instruments.count, plan.calendar, patience: plan.patience)
        prices = PriceMonitor(plan.instruments)
    }

    private static func aggregator(_ plan: Plan) -> LongerBars {
        LongerBars(
            of: plan.instruments,
            from: Array(repeating: .parts, count: plan.instruments.count),
            barSize: plan.barSize, calendar: plan.calendar)
    }

    /// Goes on behind bars that a recovered engine has seen.
    mutating func resume(behind shown: ShownBars, _ instruments: [Instrument]) {
        symbols = instruments.map(\.symbol)
        isWarmedUp = shown.areWarmedUp
        if isWarmedUp { warmup.resume(with: shown.counts(of: instruments)) }
        for instrument in instruments {
            guard let end = shown.newest[instrument.symbol] else { continue }
            newestBars[Int(instrument.id.index)] = end
            newestSlice = max(newestSlice, end)
        }
    }

    /// The bars that strategies were shown so far.
    var shown: ShownBars {
        ShownBars(symbols, areWarmedUp: isWarmedUp, ends: newestBars, warmup)
    }

    /// When time has to pass next; `nil` while nothing is waited for.
    var wake: Timestamp? {
        phase == .live && due < .distantFuture ? due + Self.grace : nil
    }

    /// When the earliest bar in progress ends, `.distantFuture` without one.
    private var due: Timestamp { min(longer.due, doubtedEnd) }

    var doubted: [InstrumentID] { prices.doubtedInstruments }

    func newestData(of instrument: InstrumentID) -> Timestamp? { monitor.newest(of: instrument) }

    func newestTrade(of instrument: InstrumentID) -> Timestamp? {
        newestTrades[Int(instrument.index)]
    }

    // MARK: Messages

    /// Takes in an event of the session.
    ///
    /// - Returns: what is to be asked, and requests that are over.
    mutating func take(
        _ event: SessionEvent, at now: Timestamp
    ) -> (questions: [ClientMessage], finished: [RequestID]) {
        switch event {
        case .resubscribe(.all) where PlantedBug.subscriptionsLost.isPlanted: break
        case .resubscribe(.ofNewConnection), .resubscribe(.all):
            _ = feed.take(event)
            let ends = feed.ends
            // Lost data leave their places among the open requests taken.
            let lost = feed.forget()
            return (ends + read(at: now), lost)
        case .disconnected:
            phase = .waiting
            feed.forget()
            return ([], [])
        default: break
        }
        let (update, finished) = feed.take(event)
        var questions: [ClientMessage] = []
        switch update {
        case .fiveSecondBar(let part):
            monitor.received(part.instrument, at: now)
            newestTrades[Int(part.instrument.index)] = now
            // What is not admitted is missing: its bar comes from history.
            guard prices.admits(part, at: now) else {
                expectBar(of: part)
                break
            }
            note(part.instrument, part.start..<part.end)
            longer.add(part)
        case .nothingTraded(let instrument, let end):
            monitor.received(instrument, at: now)
            note(instrument, end - .seconds(5)..<end)
        case .history(let instrument, let bars):
            take(bars, of: instrument, at: now)
            questions = finishReading(instrument, at: now)
        case .historyRefused(let instrument, let refusal):
            holed.remove(instrument)
            if refusal.mayPass, awaited.contains(instrument), warmup.mayAskAgain(instrument) {
                return (question(for: instrument, at: now), finished.map { [$0] } ?? [])
            }
            if awaited.contains(instrument) {
                monitor.lacks(instrument, code: refusal.code, at: now)
            }
            questions = finishReading(instrument, at: now)
        case .fiveSecondBarsRefused(let instrument, let refusal):
            monitor.lacks(instrument, code: refusal.code, at: now)
        case nil: break
        }
        return (questions, finished.map { [$0] } ?? [])
    }

    // MARK: Past bars

    /// Asks for past bars: those that strategies want to begin with, or those that were missed.
    private mutating func read(at now: Timestamp) -> [ClientMessage] {
        past.removeAll()
        awaited.removeAll()
        holed.removeAll()
        filled.removeAll()
        holeDeadline = nil
        newestParts = newestParts.map { _ in .distantPast }
        monitor.began(at: now)
        longer = Self.aggregator(plan)
        doubtedEnd = .distantFuture
        firstParts = Array(repeating: nil, count: plan.instruments.count)
        var questions: [ClientMessage] = []
        warmup.began()
        for instrument in traded {
            let question = question(for: instrument, at: now)
            guard !question.isEmpty else { continue }
            awaited.insert(instrument)
            questions += question
        }
        phase = .reading
        readDeadline = now + Self.answerLimit.times(plan.patience)
        return awaited.isEmpty ? subscribe(at: now) : questions
    }

    /// The request for an instrument's past bars; none where none are needed.
    private mutating func question(
        for instrument: InstrumentID, at now: Timestamp
    ) -> [ClientMessage] {
        guard let duration = missing(instrument, at: now) else { return [] }
        let question = feed.history(
            of: instrument, barSize: plan.barSize, duration, outsideRTH: plan.outsideRTH)
        return question.map { [$0.1] } ?? []
    }

    /// Asks again for past bars that stay away; what stays away for too long is done without.
    private mutating func askAgain(at now: Timestamp) -> [ClientMessage] {
        guard phase == .reading, now >= readDeadline else { return [] }
        readDeadline = now + Self.answerLimit.times(plan.patience)
        var questions: [ClientMessage] = []
        for instrument in awaited.sorted() {
            if warmup.mayAskAgain(instrument) {
                abandoned += feed.abandonHistory(of: instrument)
                questions += question(for: instrument, at: now)
            } else {
                monitor.lacks(instrument, code: 0, at: now)
                questions += finishReading(instrument, at: now)
            }
        }
        return questions
    }

    /// Takes the requests that are not waited for any more.
    mutating func takeAbandoned() -> [RequestID] {
        defer { abandoned.removeAll() }
        return abandoned
    }

    /// How much history of an instrument is needed; `nil` for none.
    private func missing(_ instrument: InstrumentID, at now: Timestamp) -> HistoryDuration? {
        let newest = newestBars[Int(instrument.index)]
        let span: Duration
        if !isWarmedUp {
            guard plan.warmupBars > 0 else { return nil }
            span = Duration(nanoseconds: plan.barSize.nanoseconds * Int64(plan.warmupBars))
        } else if newest > .distantPast {
            span = now - newest + plan.barSize
        } else {
            return nil
        }
        let session = plan.calendar.sessionLength.nanoseconds
        // Days of sessions, and one more for the part of the day in progress.
        let days = span.nanoseconds / session + (span.nanoseconds % session > 0 ? 2 : 1)
        return .days(Int32(clamping: min(max(days, 1), 365)))
    }

    private mutating func finishReading(
        _ instrument: InstrumentID, at now: Timestamp
    ) -> [ClientMessage] {
        awaited.remove(instrument)
        guard awaited.isEmpty, phase == .reading else { return [] }
        return subscribe(at: now)
    }

    /// Asks for the bars to come.
    private mutating func subscribe(at now: Timestamp) -> [ClientMessage] {
        phase = .live
        monitor.began(at: now)
        return traded.compactMap {
            feed.subscribe($0, outsideRTH: plan.outsideRTH)?.1
        }
    }

    /// Takes in bars of history. The bar in progress when it was put together comes with what had traded by then: it is
    /// left out, and asked for again where that is in doubt.
    private mutating func take(_ bars: [Bar], of instrument: InstrumentID, at now: Timestamp) {
        prices.confirm(bars)
        if let deadline = holeDeadline, holed.remove(instrument) != nil {
            filled += bars.filter { $0.end <= deadline - Self.holeLimit }
        } else {
            past += bars.filter { $0.end <= now - Self.flightMax }
            if bars.contains(where: { $0.end <= now && $0.end > now - Self.flightMax }) {
                holed.insert(instrument)
            }
        }
    }

    // MARK: Parts

    /// The bar that a part would be in is due at its end, also where no part of any stream is admitted.
    private mutating func expectBar(of part: Bar) {
        guard doubtedEnd == .distantFuture,
            var aggregator = BarAggregator(
                part.instrument, barSize: plan.barSize, calendar: plan.calendar)
        else { return }
        var whole: [Bar] = []
        aggregator.add(part, into: &whole)
        doubtedEnd = aggregator.due ?? whole.last?.end ?? .distantFuture
    }

    private mutating func note(_ instrument: InstrumentID, _ span: Range<Timestamp>) {
        let index = Int(instrument.index)
        if newestParts[index] > .distantPast, span.lowerBound > newestParts[index],
            plan.calendar.session(containing: newestParts[index]) != nil
        {
            holed.insert(instrument)
            firstParts[index] = span.lowerBound
        }
        newestParts[index] = max(newestParts[index], span.upperBound)
        firstParts[index] = firstParts[index] ?? span.lowerBound
    }

    /// Looks for data that stay away and for bars with missing parts.
    ///
    /// - Parameter isQueued: tells whether a request waits to leave still.
    /// - Returns: what is to be asked.
    mutating func review(
        at now: Timestamp, _ isQueued: (RequestID) -> Bool
    ) -> [ClientMessage] {
        guard phase == .live else { return askAgain(at: now) }
        var questions: [ClientMessage] = []
        for instrument in monitor.takeSilent(at: now) + prices.takeRenewals(at: now) {
            questions += feed.renew(instrument, outsideRTH: plan.outsideRTH, isQueued)
        }
        return questions + askForMissing(at: now)
    }

    /// What began and ended with the data.
    mutating func takeReports() -> [ConditionReport] {
        monitor.takeReports() + warmup.takeReports() + prices.takeReports()
    }

    /// Asks for the history of instruments of which parts are missing, once a bar with them has ended.
    private mutating func askForMissing(at now: Timestamp) -> [ClientMessage] {
        let end = due
        guard end <= now, holeDeadline == nil else { return [] }
        for instrument in traded {
            let index = Int(instrument.index)
            if now >= end + Self.grace, newestParts[index] < end {
                if fillsHoles(of: instrument) { holed.insert(instrument) }
                firstParts[index] = end
            } else if let first = firstParts[index], first < end, first > end - plan.barSize {
                // The bar in progress when parts began to come.
                holed.insert(instrument)
            }
        }
        guard isComplete(end) || now >= end + Self.grace else { return [] }
        guard !holed.isEmpty else {
            if !isComplete(end) { askedEnd = end }
            return []
        }
        holeDeadline = now + Self.holeLimit
        askedEnd = end
        let questions = holed.sorted().compactMap { instrument -> (RequestID, ClientMessage)? in
            guard let duration = missing(instrument, at: now) else { return nil }
            return feed.history(
                of: instrument, barSize: plan.barSize, duration, outsideRTH: plan.outsideRTH)
        }
        holeRequests = questions.map(\.0)
        return questions.map(\.1)
    }

    /// True if an instrument's missing parts are read from history. The past of short bars counts as streams do, of which
    /// sixty can be asked for in ten minutes: while its stream is away, reading it would keep streams away.
    private func fillsHoles(of instrument: InstrumentID) -> Bool {
        plan.barSize > .seconds(30) || !monitor.isAway(instrument)
    }

    /// True while bars wait for the history of what is missing.
    private mutating func waitsForHistory(at now: Timestamp) -> Bool {
        if let deadline = holeDeadline, holed.isEmpty || now >= deadline {
            // What has not left by now would leave in the place of what is wanted then.
            abandoned += holeRequests.filter { feed.abandon($0) }
            holeRequests.removeAll()
            holed.removeAll()
            holeDeadline = nil
        }
        return holeDeadline != nil
    }

    // MARK: Events

    /// Takes the events that are due: past bars once all were read, then bars that are complete.
    mutating func takeEvents(at now: Timestamp) -> [Event.Kind] {
        var events = warmup.takeEvents()
        if phase == .live, !past.isEmpty || !isWarmedUp { takePast(at: now, into: &events) }
        guard phase == .live, !waitsForHistory(at: now) else { return events }
        while due <= now, isComplete(due) || askedEnd == due { advance(to: due) }
        guard longer.areComplete || !filled.isEmpty else { return events }
        for bar in takeBars(at: now) {
            newestBars[Int(bar.instrument.index)] = bar.end
            warmup.shown(bar.instrument)
            guard bar.end > newestSlice, now - bar.end < plan.barSize else {
                events.append(.history(bar))
                continue
            }
            events.append(.bar(bar))
        }
        return close(events)
    }

    private mutating func advance(to end: Timestamp) {
        longer.advance(to: end)
        if doubtedEnd <= end { doubtedEnd = .distantFuture }
    }

    /// The bars that are complete, in order: those of parts that all came, and those of history.
    private mutating func takeBars(at now: Timestamp) -> [Bar] {
        var bars: [Bar] = []
        longer.take(into: &bars)
        bars.removeAll { !isWhole($0) }
        let made = Set(bars.map { BarKey(instrument: $0.instrument, end: $0.end) })
        bars += filled.filter {
            $0.end <= now && !made.contains(BarKey(instrument: $0.instrument, end: $0.end))
        }
        filled.removeAll()
        // Those that strategies have seen are left out.
        bars.removeAll { $0.end <= newestBars[Int($0.instrument.index)] }
        bars.sort { ($0.end, $0.instrument) < ($1.end, $1.instrument) }
        return bars
    }

    private struct BarKey: Hashable {
        let instrument: InstrumentID
        let end: Timestamp
    }

    /// Puts the end of its slice behind the last bar of each end.
    private mutating func close(_ events: [Event.Kind]) -> [Event.Kind] {
        var closed: [Event.Kind] = []
        for (index, event) in events.enumerated() {
            closed.append(event)
            guard case .bar(let bar) = event else { continue }
            if index + 1 < events.count, case .bar(let next) = events[index + 1],
                next.end == bar.end
            {
                continue
            }
            closed.append(.sliceClosed)
            newestSlice = max(newestSlice, bar.end)
        }
        return closed
    }

    private func isWhole(_ bar: Bar) -> Bool {
        firstParts[Int(bar.instrument.index)].map { $0 <= bar.start } ?? false
    }

    /// True once the parts of a bar have come that will come.
    private func isComplete(_ end: Timestamp) -> Bool {
        traded.allSatisfy { newestParts[Int($0.index)] >= end || !fillsHoles(of: $0) }
    }

    private mutating func takePast(at now: Timestamp, into events: inout [Event.Kind]) {
        // Strategies that begin anew see again what others saw before them.
        let requested = past.filter {
            $0.end <= now && (!isWarmedUp || $0.end > newestBars[Int($0.instrument.index)])
        }
        past.removeAll()
        var shown: [Bar] = []
        for instrument in traded {
            let bars = requested.filter { $0.instrument == instrument }
            shown += isWarmedUp ? bars[...] : bars.suffix(plan.warmupBars)
        }
        shown.sort { ($0.end, $0.instrument) < ($1.end, $1.instrument) }
        for bar in shown {
            newestBars[Int(bar.instrument.index)] = bar.end
            newestSlice = max(newestSlice, bar.end)
            events.append(.history(bar))
        }
        guard !isWarmedUp else { return }
        isWarmedUp = true
        warmup.completed(shown)
        events += warmup.takeEvents()
        let asked = plan.warmupBars * traded.count
        events.append(.historyComplete(HistoryCoverage(have: shown.count, asked: asked)))
    }
}
