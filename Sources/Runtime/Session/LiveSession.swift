import Accounting
import Journal
import Model
import Orders
import Primitives
import Signals
import TWSClient
import TWSProtocol
import TWSVenue
import TradingEngine

/// The way out of a session: the gateway's connection.
protocol MessageOutlet {
    /// Takes an order for sending.
    func place(_ order: PlaceOrder, onlyReduces: Bool) throws(SendRefusal)
    /// Takes a message for sending.
    func send(_ message: ClientMessage) throws(SendRefusal)
    /// A request is over.
    func finished(_ request: RequestID)
    /// True while something waits to leave for a request.
    func isQueued(_ request: RequestID) -> Bool
    /// Takes back a request that has not left; false when it has left already.
    func withdraw(_ request: RequestID) -> Bool
    /// A restart of the gateway is near, or over.
    func drain(_ isDraining: Bool)
    /// What happened for a while is not known: everything is read once more before anything opens.
    func resynchronise()
    /// What comes in this connection is in doubt: it is made anew.
    func renew()
}

extension Session: MessageOutlet {}

/// The live loop without threads and sockets: takes what came in since the last call as one batch, steps the engine,
/// writes events and answers to the journal, and only then lets messages out.
///
/// One owner calls it. Nothing leaves before it is durable.
final class LiveSession {
    /// What comes in.
    enum Input: Sendable {
        /// An event of the gateway's connection.
        case gateway(SessionEvent)
        /// An instruction of the user.
        case request(OperatorRequest)
        /// A request by the control socket, which the driver answers.
        case control(ControlCall)
    }

    /// What has followed from an instruction.
    struct Consequences: Sendable {
        /// What was concluded.
        var decisions: [Decision] = []
        /// What was to be done.
        var commands: [Command] = []
    }

    /// What a session is made of.
    struct Parts: ~Copyable {
        /// The engine, with the state that the session begins with.
        var engine: Engine
        /// The timers that it waits for.
        var timers: TimerQueue
        /// What it has concluded from its opening.
        var decisions: [Decision] = []
        /// The digest of its answers so far in this journal.
        var digest = OutputDigest()
        /// The broker.
        var venue: GatewayVenue
        /// The bars.
        var bars: any BarSource
        /// The quotes and trades.
        var ticks: SessionTicks
        /// What else is looked at.
        var reviews: SessionReviews
        /// Corporate actions, and closes of the past; `nil` for none.
        var outside: SessionOutside?
        /// What monitors the way to the broker.
        var links: LinkMonitor
        /// The broker's streams of profit; `nil` for none.
        var profit: ProfitFeed?
        /// What measures the strategies' calls.
        var meter = CallMeter()
        /// The names that ids stand for.
        var names = SessionNames()
    }

    private var engine: Engine
    private var venue: GatewayVenue
    private var bars: any BarSource
    private var ticks: SessionTicks
    private var conditions = ConditionUnion()
    private var renewal = RenewalReview()
    private var outside: SessionOutside?
    /// The broker's streams of profit.
    private(set) var profit: ProfitFeed?
    private var links: LinkMonitor
    private let meter: CallMeter
    private var timers: TimerQueue
    private var digest: OutputDigest
    private var output = EngineOutput()
    private let outlet: any MessageOutlet
    private var storage: SessionStorage
    private var rotation: SessionRotation?
    private(set) var reviews: SessionReviews
    private var turns = TurnReview()
    private var slowTurns: [ConditionReport] = []
    private var hasBegun = false
    /// What the engine has concluded from its opening, until people and reports are notified of it.
    private var openingDecisions: [Decision]
    /// The names that ids stand for.
    private(set) var names: SessionNames
    /// What follows from the instruction that is being performed; `nil` while none is.
    private var consequences: Consequences?
    /// What strategies have noted and nobody has taken; empty unless they were asked to note.
    private var notes: [ScoreNote] = []
    /// When the broker's positions are compared next.
    private var positionsDue: Timestamp?
    /// When the open orders are asked for, as one was shown under other terms than ours; in order.
    private var termsDue: [Timestamp] = []
    /// When they were last.
    private var termsAsked = Timestamp.distantPast
    /// What people and reports follow; called behind the journal.
    private let follow: (RecordBatch) -> Void

    /// How long after a change of positions they are compared: executions and positions do not come together.
    static let positionsDelay = Duration.seconds(4)
    /// How often positions are compared without a change.
    static let positionsInterval = Duration.seconds(60)
    /// How far apart the open orders are asked for at least, where orders are shown under other terms.
    static let termsPause = Duration.seconds(5)
    /// After how long they are asked for once more: an order that we have changed just before is not compared.
    static let termsDelay = Duration.seconds(12)

    /// A session before its first input.
    ///
    /// - Parameters:
    ///   - record: the journal; `nil` for none.
    ///   - rotation: begins a file of the journal with each session day; `nil` for one file.
    ///   - follow: receives every batch once it is in the journal.
    init(
        _ parts: consuming Parts, outlet: any MessageOutlet, record: (any SessionRecord)?,
        rotation: SessionRotation? = nil,
        follow: @escaping (RecordBatch) -> Void
    ) {
        venue = parts.venue
        bars = parts.bars
        ticks = parts.ticks
        reviews = parts.reviews
        outside = parts.outside
        profit = parts.profit
        links = parts.links
        meter = parts.meter
        timers = parts.timers
        digest = parts.digest
        openingDecisions = parts.decisions
        names = parts.names
        engine = parts.engine
        for order in engine.orders.allLive {
            guard let key = engine.brokerKey(of: order),
                let request = engine.orders.request(of: order)
            else { continue }
            let ticket = OrderTicket(id: order, request: request)
            venue.resume(
                ticket,
                as: GatewayVenue.BrokerOrder(
                    key: key, quantity: engine.brokerQuantity(of: ticket), parent: nil))
        }
        self.outlet = outlet
        storage = SessionStorage(record)
        self.rotation = rotation
        self.follow = follow
    }

    // MARK: Asking

    /// When `take` has to be called at the latest.
    var wake: Timestamp? {
        var wake = timers.next ?? .distantFuture
        func wakeBy(_ time: Timestamp?) { if let time, time < wake { wake = time } }
        wakeBy(bars.wake)
        wakeBy(positionsDue)
        wakeBy(termsDue.first)
        wakeBy(storage.wake)
        wakeBy(outside?.wake(asks: asksForCloses))
        wakeBy(profit?.wake)
        return wake < .distantFuture ? wake : nil
    }

    /// True once past bars are read: closes of the past wait for their turn behind them.
    private var asksForCloses: Bool { venue.link == .ready && bars.phase == .live }

    /// The state of the link to the broker.
    var link: BrokerLinkState { venue.link }

    /// What is known of the account besides figures.
    var accountFacts: AccountFacts { venue.accountFacts }

    /// Why nothing can be written to the journal at present; `nil` while it can.
    var journalFailure: JournalError? { storage.failure }

    /// True while everything that was taken in is in the journal.
    var isDurable: Bool { storage.isDurable }

    /// False until the account is known to be the configured one: strategies see no bar before.
    var admitsBars = false

    /// How far the data are.
    var dataPhase: SessionBars.Phase { bars.phase }

    /// The price that the broker has capped the limit of an order that works to; `nil` where it has not.
    func priceCap(of order: OrderID) -> Price? {
        engine.brokerKey(of: order).flatMap { venue.priceCap(of: $0) }
    }

    /// How old the newest data of an instrument are.
    func dataAge(of instrument: InstrumentID, at now: Timestamp) -> DataAge {
        DataAge(
            bars: bars.newestData(of: instrument).map { max(now - $0, .zero) },
            quotes: ticks.newestQuote(of: instrument).map { max(now - $0, .zero) },
            trades: ticks.newestTrade(of: instrument).map { max(now - $0, .zero) })
    }

    /// The condition of the line to the gateway, by its silence.
    var line: Watchdog.Health { links.line }

    /// Calls `body` with the engine.
    func withEngine<Result>(_ body: (borrowing Engine) -> Result) -> Result { body(engine) }

    // MARK: Taking in

    /// Takes in what came since the last call, and the time.
    ///
    /// - Parameter time: not earlier than at the last call.
    func take(_ inputs: [Input], at time: Timestamp) {
        let now = max(time, engine.now)
        var events: [Event] = []
        var questions: [ClientMessage] = []
        if !hasBegun {
            // An engine that knows of no link would take its broker for ready.
            events += venue.linkEvents(at: now)
            hasBegun = true
        } else {
            beginDay(at: now, into: &events)
        }
        followOpening()
        events += Self.events(
            storage.review(at: now) + slowTurns + turns.review(at: now) + reviews.takeReports(),
            at: now)
        slowTurns.removeAll()
        for action in outside?.takeActions(at: now) ?? [] {
            events.append(Event(at: now, kind: .corporateAction(action)))
        }
        for input in inputs {
            switch input {
            case .gateway(let event):
                links.take(event, at: now)
                venue.take(event, at: now, into: &events)
                reviews.take(event, at: now)
                takeCloses(event, at: now, into: &events)
                profit?.take(event)
                let answer = bars.take(event, at: now)
                questions += answer.questions
                for request in answer.finished { outlet.finished(request) }
                for request in ticks.take(event, at: now) { outlet.finished(request) }
            case .request(let request):
                events.append(Event(at: now, kind: .operatorRequest(request)))
                retry(request.action, at: now, into: &events)
            case .control: break
            }
        }
        links.review(at: now, isRestart: reviews.isRestartTime(now))
        events += Self.events(links.takeReports(), at: now)
        venue.advance(to: now, into: &events)
        if venue.takeDoubt() { outlet.resynchronise() }
        reviewPositions(at: now, into: &events)
        reviewTerms(at: now, into: &events)
        questions += reviewProfit(at: now, into: &events)
        if let question = venue.takeNumberQuestion() { questions.append(question) }
        questions += review(at: now, into: &events)
        if venue.link == .ready { questions += reviewData(at: now) }
        if asksForCloses { questions += outside?.questions(at: now) ?? [] }
        for request in bars.takeAbandoned() where !outlet.withdraw(request) {
            outlet.finished(request)
        }
        takeData(at: now, into: &events)
        // Behind a standstill all of them would come at once, and before it is known what happened meanwhile.
        let due = reviews.isBehind ? [] : timers.takeDue(at: now)
        for id in due { events.append(Event(at: now, kind: .timer(id))) }
        send(questions)
        answerAll(events, at: now)
    }

    /// Performs an instruction of the user before anything else that came in: it is journalled with its words, and
    /// durable before what follows from it leaves.
    func instruct(
        _ action: OperatorRequest.Action, because words: String, at time: Timestamp
    ) -> Consequences {
        let now = max(time, engine.now)
        if !hasBegun {
            hasBegun = true
            answerAll(venue.linkEvents(at: now), at: now)
        }
        followOpening()
        let request = OperatorRequest(action, because: venue.number(of: words))
        var events: [Event] = []
        venue.publishNames(at: now, into: &events)
        events.append(Event(at: now, kind: .operatorRequest(request)))
        retry(action, at: now, into: &events)
        consequences = Consequences()
        answerAll(events, at: now)
        defer { consequences = nil }
        return consequences ?? Consequences()
    }

    /// The execution of one of the broker's identifiers.
    func execution(named text: String) -> ExecutionID { venue.execution(named: text) }

    private func answerAll(_ events: [Event], at now: Timestamp) {
        var events = events
        while !events.isEmpty { events = answer(events, at: now) }
    }

    /// Looks at bars, quotes and trades.
    ///
    /// - Returns: what is to be asked.
    private func reviewData(at now: Timestamp) -> [ClientMessage] {
        var questions = bars.review(at: now, outlet.isQueued)
        // What strategies know from before is taken back first.
        if admitsBars, bars.phase == .live {
            questions += ticks.review(
                at: now, newestTrade: { bars.newestTrade(of: $0) }, outlet.isQueued)
        }
        if renewal.isDue(Set(bars.doubted + ticks.doubted).count, at: now) { outlet.renew() }
        return questions
    }

    /// Appends what strategies are to be shown, and what began and ended with it.
    private func takeData(at now: Timestamp, into events: inout [Event]) {
        ticks.advance(to: now)
        let reports =
            conditions.take(bars.takeReports(), from: 0)
            + conditions.take(ticks.takeQuoteReports(), from: 1)
            + conditions.take(ticks.takeTradeReports(), from: 2)
            + conditions.take(ticks.takePriceReports(), from: 3)
        events += Self.events(reports, at: now)
        guard admitsBars else { return }
        let shown = bars.takeEvents(at: now)
        ticks.confirm(shown)
        for kind in shown + ticks.takeEvents() { events.append(Event(at: now, kind: kind)) }
    }

    /// Looks at everything besides orders and data.
    ///
    /// - Returns: what is to be asked.
    private func review(at now: Timestamp, into events: inout [Event]) -> [ClientMessage] {
        if venue.accountFacts.areComplete { reviews.accountIsComplete() }
        let answer = reviews.review(venue.link, at: now)
        events += Self.events(answer.reports, at: now)
        for request in answer.finished { outlet.finished(request) }
        if let drains = answer.drains { outlet.drain(drains) }
        return answer.questions
    }

    /// Takes in that the program stood still for a while: nothing that came meanwhile is old news before the broker's
    /// lists were read once more.
    func stoodStill(for time: Duration) {
        reviews.stoodStill(for: time, venue.link)
        outlet.resynchronise()
    }

    /// Takes in how long what is taken in next has waited, by this machine's clock, and how many messages of market data
    /// were left out of it.
    func note(age: Duration, shed: Int, at now: Timestamp) {
        reviews.note(age: age, shed: shed, at: max(now, engine.now))
    }

    /// Takes in what the program uses of the machine.
    func note(_ usage: ResourceReview.Usage) { reviews.note(usage) }

    /// Hours of contracts that came since the last call.
    func takeHours() -> [(ContractID, ContractHours)] { reviews.takeHours() }

    /// The newest day on which the calendar agreed with the broker's hours, where it has changed since the last call.
    func takeConfirmedDay() -> Day? { reviews.takeConfirmedDay() }

    /// Takes in how long the loop's newest turn took, by this machine's clock.
    func note(turn: Duration, at now: Timestamp) { slowTurns += turns.note(turn, at: now) }

    /// Takes the scores that strategies have noted since the last call.
    func takeNotes() -> [ScoreNote] {
        defer { notes.removeAll() }
        return notes
    }

    /// Makes durable what has waited long enough. When that fails, nothing leaves before it is.
    ///
    /// - Parameter time: not earlier than at the last call.
    func commit(at time: Timestamp) {
        let now = max(time, engine.now)
        answerAll(Self.events(storage.commitWaiting(at: now), at: now), at: now)
    }

    /// Makes everything durable at the end.
    ///
    /// - Returns: why that failed; `nil` if it did not.
    func finish() -> JournalError? { storage.finish() }

    /// Notifies people and reports of what follows from the opening: a replay of the journal concludes it, too.
    private func followOpening() {
        guard !openingDecisions.isEmpty else { return }
        var batch = RecordBatch()
        batch.decisions = openingDecisions
        openingDecisions.removeAll()
        follow(batch)
    }

    /// Begins the journal's file of a new session day: when nothing is under way, or else when the day's session opens.
    private func beginDay(at now: Timestamp, into events: inout [Event]) {
        guard rotation?.isDue(at: now) == true, storage.failure == nil,
            venue.link == .down || venue.link == .ready, var rotation,
            rotation.isLate(at: now) || engine.isSettled && !venue.isListing
        else { return }
        events += Self.events(storage.commit(at: now), at: now)
        guard storage.failure == nil else { return }
        venue.forget(allBut: engine.orders.allLive, engine.namesInUse)
        let edge = SessionRotation.Edge(
            texts: venue.knownTexts, epoch: venue.epoch, shown: bars.shown)
        let conditions = engine.presentConditions
        let begun = rotation.begin(behind: engine, edge, at: now)
        self.rotation = rotation
        guard let begun else { return }
        if let contracts = rotation.changedContracts {
            venue.trade(contracts)
            profit?.trade(contracts)
        }
        engine = begun.engine
        timers = begun.timers
        names = SessionNames(begun.setup)
        digest = OutputDigest()
        openingDecisions = begun.decisions
        events += Self.events(conditions, at: now) + venue.linkEvents(at: now)
    }

    /// Takes in the closes of past days that an event brings.
    private func takeCloses(_ event: SessionEvent, at now: Timestamp, into events: inout [Event]) {
        guard let (closes, finished) = outside?.take(event, at: now) else { return }
        if let finished { outlet.finished(finished) }
        for close in closes where engine.comparesClose(close, newest: closes.last) {
            events.append(Event(at: now, kind: .dailyClose(close)))
        }
    }

    private static func events(_ reports: [ConditionReport], at now: Timestamp) -> [Event] {
        reports.map { Event(at: now, kind: .condition($0)) }
    }

    private func send(_ questions: [ClientMessage]) {
        for question in questions {
            // What cannot leave now is asked again with the next connection.
            do throws(SendRefusal) { try outlet.send(question) } catch { continue }
        }
    }

    /// Follows the broker's streams of profit.
    ///
    /// - Returns: what begins and ends them.
    private func reviewProfit(at now: Timestamp, into events: inout [Event]) -> [ClientMessage] {
        for kind in profit?.takeEvents(at: now) ?? [] { events.append(Event(at: now, kind: kind)) }
        guard venue.link.isSynchronised, profit?.isDue(at: now) == true else { return [] }
        let held = names.symbols.indices.map { InstrumentID(index: $0) }.filter {
            engine.portfolio.quantity(of: $0) != .zero
        }
        return profit?.questions(holding: held, at: now) ?? []
    }

    /// Has the broker's positions compared with ours: some time after they changed, and now and then.
    private func reviewPositions(at now: Timestamp, into events: inout [Event]) {
        guard venue.link == .ready else { return positionsDue = nil }
        if venue.havePositionsChanged {
            positionsDue = min(positionsDue ?? .distantFuture, now + Self.positionsDelay)
        }
        guard let due = positionsDue else {
            positionsDue = now + Self.positionsInterval
            return
        }
        guard now >= due else { return }
        venue.listPositions(at: now, into: &events)
        positionsDue = now + Self.positionsInterval
    }

    /// Has the open orders listed some time after one of ours was shown under other terms than it was sent with: at once,
    /// and once more.
    private func reviewTerms(at now: Timestamp, into events: inout [Event]) {
        guard venue.link.isSynchronised else { return termsDue.removeAll() }
        if venue.takeChangedTerms() {
            let first = max(now, termsAsked + Self.termsPause)
            termsDue = [min(termsDue.first ?? first, first), first + Self.termsDelay]
        }
        guard let due = termsDue.first, now >= due else { return }
        termsDue.removeFirst()
        termsAsked = now
        ask(for: .openOrders, at: now, into: &events)
    }

    /// The user has looked: what the gateway has refused for more than one order is tried again.
    private func retry(
        _ action: OperatorRequest.Action, at now: Timestamp, into events: inout [Event]
    ) {
        switch action {
        case .resumeAll: venue.retry(in: nil, at: now, into: &events)
        case .clearLatch(let instrument): venue.retry(in: instrument, at: now, into: &events)
        case .halt, .resume, .stopEntries, .startEntries, .cancel, .flatten, .resolve,
            .bookExecution, .adopt, .disown, .confirmSplit, .cash, .kill:
            break
        }
    }

    // MARK: Answering

    /// Steps the engine through a batch, makes the batch and its answers durable and carries the commands out.
    ///
    /// - Returns: what follows at once from what could not be carried out.
    private func answer(_ events: [Event], at now: Timestamp) -> [Event] {
        var batch = RecordBatch()
        batch.events = events
        output.removeAll()
        var index = 0
        while index < batch.events.count {
            let known = output.commands.count
            engine.step(batch.events[index], into: &output)
            for command in output.commands[known...] {
                batch.commands.append(RecordedCommand(command, to: index))
            }
            index += 1
            // Before anything else that the strategy could ask for.
            let overruns = meter.takeOverruns()
            if !overruns.isEmpty {
                batch.events.insert(contentsOf: Self.events(overruns, at: now), at: index)
            }
        }
        digest.add(output)
        if !output.notes.isEmpty { notes += output.notes }
        batch.decisions = output.decisions
        batch.digest = digest.value
        consequences?.decisions += output.decisions
        consequences?.commands += output.commands
        storage.append(batch, at: now)
        var reports: [ConditionReport] = []
        if !PlantedBug.sentBeforeCommit.isPlanted,
            output.commands.contains(where: \.leaves) || events.contains(where: \.kind.isOutward)
        {
            reports = storage.commitBeforeLeaving(at: now)
        }
        let events = perform(batch.commands.map(\.command), at: now)
        // People read of it behind the broker.
        follow(batch)
        return Self.events(reports, at: now) + events
    }

    private func perform(_ commands: [Command], at now: Timestamp) -> [Event] {
        var events: [Event] = []
        for (index, command) in commands.enumerated() {
            switch command {
            case .submit(let ticket):
                submit(ticket, before: commands[(index + 1)...], at: now, into: &events)
            case .modify(let ticket, let revision):
                modify(ticket, revision, at: now, into: &events)
            case .cancel(let order):
                cancel(order, isProbe: false)
                if countsAsCancelled {
                    let fact = OrderFact.cancelled(.requested)
                    events.append(
                        Event(at: now, kind: .order(OrderReport(order: order, fact: fact))))
                }
            case .probe(let order): cancel(order, isProbe: true)
            case .query(let kind): ask(for: kind, at: now, into: &events)
            case .setTimer(let id, let time): timers.set(id, at: time)
            }
        }
        for kind in venue.takeRepeatedLists() { ask(for: kind, at: now, into: &events) }
        return events
    }

    /// True while a planted defect takes an order for cancelled whose cancel was to be sent.
    private var countsAsCancelled: Bool {
        if PlantedBug.cancelTakenAsDone.isPlanted { return true }
        guard PlantedBug.cancelForgotten.isPlanted else { return false }
        return storage.failure != nil || !venue.link.isSynchronised
    }

    /// Places an order. One that others of the batch hang on, or that hangs on what a later one does, is held by the
    /// gateway until the last of them is there.
    private func submit(
        _ ticket: OrderTicket, before others: ArraySlice<Command>, at now: Timestamp,
        into events: inout [Event]
    ) {
        let family = ticket.request.parent ?? ticket.id
        let transmits = !others.contains {
            if case .submit(let other) = $0 { other.request.parent == family } else { false }
        }
        let key = engine.brokerKey(of: ticket.id)
        guard storage.failure == nil || PlantedBug.sentWithoutCommit.isPlanted else {
            return venue.notSent(ticket.id, key, because: .notJournaled, at: now, into: &events)
        }
        guard let order = brokerOrder(ticket, key) else {
            return venue.notSent(ticket.id, key, because: .noIDLeft, at: now, into: &events)
        }
        let isOpen = engine.isInSession(now)
        guard
            let message = venue.place(ticket, as: order, transmits: transmits, isOpen: isOpen)
        else {
            return venue.notSent(ticket.id, key, because: .notEncodable, at: now, into: &events)
        }
        do throws(SendRefusal) {
            try outlet.place(message, onlyReduces: ticket.request.purpose != .entry)
        } catch {
            venue.notSent(
                ticket.id, key, because: NotSentCause(error), at: now, into: &events)
        }
    }

    private func modify(
        _ ticket: OrderTicket, _ revision: Int32, at now: Timestamp, into events: inout [Event]
    ) {
        let key = engine.brokerKey(of: ticket.id)
        guard storage.failure == nil, let order = brokerOrder(ticket, key),
            let message = venue.modify(ticket, as: order, revision: revision)
        else {
            let fact = OrderFact.modificationRefused(revision)
            return events.append(
                Event(at: now, kind: .order(OrderReport(order: ticket.id, fact: fact))))
        }
        do throws(SendRefusal) {
            try outlet.place(message, onlyReduces: ticket.request.purpose != .entry)
        } catch {
            venue.notSent(
                ticket.id, key, because: NotSentCause(error), at: now, into: &events)
        }
    }

    private func cancel(_ order: OrderID, isProbe: Bool) {
        // What is not durable is asked for once more when the journal can be written.
        guard storage.failure == nil, let key = engine.brokerKey(of: order),
            let request = engine.orders.request(of: order),
            let message = venue.cancel(
                OrderTicket(id: order, request: request), key, isProbe: isProbe)
        else { return }
        // What cannot leave is asked for once more when the link is ready again.
        do throws(SendRefusal) { try outlet.send(.cancelOrder(message)) } catch { return }
    }

    private func ask(for kind: ListingKind, at now: Timestamp, into events: inout [Event]) {
        guard let question = venue.question(for: kind, at: now, into: &events) else { return }
        do throws(SendRefusal) {
            try outlet.send(question)
        } catch {
            venue.notAsked(kind, at: now, into: &events)
        }
    }

    private func brokerOrder(
        _ ticket: OrderTicket, _ key: BrokerOrderKey?
    ) -> GatewayVenue.BrokerOrder? {
        key.map {
            GatewayVenue.BrokerOrder(
                key: $0, quantity: engine.brokerQuantity(of: ticket),
                parent: engine.brokerParent(of: ticket.request))
        }
    }
}

extension Command {
    /// Whether it goes to the broker and can change something there.
    fileprivate var leaves: Bool {
        switch self {
        case .submit, .modify, .cancel, .probe: true
        case .query, .setTimer: false
        }
    }
}

extension Event.Kind {
    /// Whether it is about orders or money, or what the user has said: what people and reports are notified of is in
    /// the journal before.
    fileprivate var isOutward: Bool {
        switch self {
        case .order, .brokerOrder, .cashMovement, .corporateAction, .operatorRequest: true
        case .listing(let record): if case .execution = record { true } else { false }
        case .bar, .quote, .trade, .history, .historyComplete, .sliceClosed, .link, .accountValue,
            .sessionOpened, .opening, .openingComplete, .name, .timer, .signal, .shadowResult,
            .condition, .dailyClose, .clock:
            false
        }
    }
}

extension NotSentCause {
    /// Why nothing left, in the engine's words.
    fileprivate init(_ refusal: SendRefusal) {
        self =
            switch refusal {
            case .link, .readOnly, .pacing: .linkNotReady
            case .encoding: .notEncodable
            }
    }
}
