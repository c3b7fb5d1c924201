import MarketState
import Model
import Primitives
import TWSClient
import TWSProtocol
import TWSVenue

/// The bars that a session's strategies see: past ones for warm-up, then those made of bars of five seconds.
///
/// Bars of one end are events together, with the end of their slice behind them, once the parts of all instruments
/// have come, or some seconds after the end. Bars that were missed while there was no connection come from the
/// broker's history, and no intent follows from them.
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
    private var feed: MarketDataFeed
    private(set) var phase = Phase.waiting
    private var longer: LongerBars
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
    /// What did not come, for people.
    private(set) var problems: [String] = []

    /// How long after a bar's end its last parts are waited for.
    static let grace = Duration.seconds(5)

    init(_ plan: Plan, _ feed: MarketDataFeed) {
        self.plan = plan
        self.feed = feed
        longer = Self.aggregator(plan)
        newestParts = Array(repeating: .distantPast, count: plan.instruments.count)
        newestBars = newestParts
        firstParts = Array(repeating: nil, count: plan.instruments.count)
    }

    private static func aggregator(_ plan: Plan) -> LongerBars {
        LongerBars(
            of: plan.instruments,
            from: Array(repeating: .parts, count: plan.instruments.count),
            barSize: plan.barSize, calendar: plan.calendar)
    }

    /// Goes on behind bars that a recovered engine has seen.
    mutating func resume(isWarmedUp: Bool, newestBars: [InstrumentID: Timestamp]) {
        self.isWarmedUp = isWarmedUp
        for (instrument, end) in newestBars { self.newestBars[Int(instrument.index)] = end }
    }

    /// When time has to pass next; `nil` while nothing is waited for.
    var wake: Timestamp? {
        phase == .live && longer.due < .distantFuture ? longer.due + Self.grace : nil
    }

    // MARK: Messages

    /// Takes in an event of the session.
    ///
    /// - Returns: what is to be asked, and requests that are over.
    mutating func take(
        _ event: SessionEvent, at now: Timestamp
    ) -> (questions: [ClientMessage], finished: [RequestID]) {
        switch event {
        case .resubscribe(.ofNewConnection), .resubscribe(.all):
            _ = feed.take(event)
            feed.forget()
            return (read(at: now), [])
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
            longer.add(part)
            note(part.instrument, part.start..<part.end)
        case .nothingTraded(let instrument, let end):
            note(instrument, end - .seconds(5)..<end)
        case .history(let instrument, let bars):
            past += bars
            questions = finishReading(instrument)
        case .historyRefused(let instrument, let refusal):
            problems.append("no history of instrument \(instrument.index): \(refusal.text)")
            questions = finishReading(instrument)
        case .fiveSecondBarsRefused(let instrument, let refusal):
            problems.append("no bars of instrument \(instrument.index): \(refusal.text)")
        case nil: break
        }
        return (questions, finished.map { [$0] } ?? [])
    }

    // MARK: Past bars

    /// Asks for past bars: those that strategies want to begin with, or those that were missed.
    private mutating func read(at now: Timestamp) -> [ClientMessage] {
        past.removeAll()
        awaited.removeAll()
        longer = Self.aggregator(plan)
        firstParts = Array(repeating: nil, count: plan.instruments.count)
        var questions: [ClientMessage] = []
        for instrument in plan.instruments {
            guard let duration = missing(instrument, at: now) else { continue }
            let question = feed.history(
                of: instrument, barSize: plan.barSize, duration, outsideRTH: plan.outsideRTH)
            guard let question else { continue }
            awaited.insert(instrument)
            questions.append(question.1)
        }
        phase = .reading
        return awaited.isEmpty ? subscribe() : questions
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

    private mutating func finishReading(_ instrument: InstrumentID) -> [ClientMessage] {
        awaited.remove(instrument)
        guard awaited.isEmpty, phase == .reading else { return [] }
        return subscribe()
    }

    /// Asks for the bars to come.
    private mutating func subscribe() -> [ClientMessage] {
        phase = .live
        return plan.instruments.compactMap {
            feed.subscribe($0, outsideRTH: plan.outsideRTH)?.1
        }
    }

    // MARK: Parts

    private mutating func note(_ instrument: InstrumentID, _ span: Range<Timestamp>) {
        let index = Int(instrument.index)
        newestParts[index] = max(newestParts[index], span.upperBound)
        firstParts[index] = firstParts[index] ?? span.lowerBound
    }

    // MARK: Events

    /// Takes the events that are due: past bars once all were read, then bars that are complete.
    mutating func takeEvents(at now: Timestamp) -> [Event.Kind] {
        var events: [Event.Kind] = []
        if phase == .live, !past.isEmpty || !isWarmedUp { takePast(at: now, into: &events) }
        guard phase == .live else { return events }
        while longer.due <= now, isComplete(longer.due) || now >= longer.due + Self.grace {
            longer.advance(to: longer.due)
        }
        guard longer.areComplete else { return events }
        var bars: [Bar] = []
        longer.take(into: &bars)
        // Those known from history are left out, and those that began before their parts came.
        bars.removeAll { $0.end <= newestBars[Int($0.instrument.index)] || !isWhole($0) }
        for (index, bar) in bars.enumerated() {
            newestBars[Int(bar.instrument.index)] = bar.end
            events.append(.bar(bar))
            let isLast = index + 1 == bars.count || bars[index + 1].end != bar.end
            if isLast { events.append(.sliceClosed) }
        }
        return events
    }

    private func isWhole(_ bar: Bar) -> Bool {
        firstParts[Int(bar.instrument.index)].map { $0 <= bar.start } ?? false
    }

    private func isComplete(_ end: Timestamp) -> Bool { newestParts.allSatisfy { $0 >= end } }

    private mutating func takePast(at now: Timestamp, into events: inout [Event.Kind]) {
        let requested = past.filter {
            $0.end <= now && $0.end > newestBars[Int($0.instrument.index)]
        }
        past.removeAll()
        var shown: [Bar] = []
        for instrument in plan.instruments {
            let bars = requested.filter { $0.instrument == instrument }
            shown += isWarmedUp ? bars[...] : bars.suffix(plan.warmupBars)
        }
        shown.sort { ($0.end, $0.instrument) < ($1.end, $1.instrument) }
        for bar in shown {
            newestBars[Int(bar.instrument.index)] = bar.end
            events.append(.history(bar))
        }
        guard !isWarmedUp else { return }
        isWarmedUp = true
        let asked = plan.warmupBars * plan.instruments.count
        events.append(.historyComplete(HistoryCoverage(have: shown.count, asked: asked)))
    }
}
