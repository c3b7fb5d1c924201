import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals

/// Wake-ups of the engine's own, by the number of their timers.
enum EngineTimer: Int {
    /// The time of intents that wait has come.
    case window = 1
    /// The time of orders that should have traded is over.
    case timeLimit
    /// An acknowledgement is overdue.
    case acknowledgement
    /// The next step of an inquiry is due.
    case inquiry
    /// Positions that differ are looked at again.
    case positions
    /// Positions without their protection are looked at again.
    case protection
    /// The account's cash is looked at again.
    case cash
    /// The answer to a cancel is overdue.
    case cancellation
    /// Executions that lack a commission are looked at.
    case charges
    /// Orders that the broker holds are looked at.
    case heldOrders
}

/// Execution windows: intents that wait for the time at which they may trade.
///
/// `PendingIntents` says what is to be done, the engine gathers what is known and performs it.
extension Engine {
    /// Sends an intent on its way, at once or when its window comes.
    mutating func schedule(_ intent: Intent, into output: inout EngineOutput) {
        if let former = held.supersede(by: intent) { drop(former.cause, former.intent, &output) }
        switch intent.goal {
        case .cancelEntries:
            dropHeldEntries(for: .withdrawn, &output) {
                $0.isAbout(intent.strategy, intent.instrument)
            }
            resolve(intent, into: &output)
        case .protect, .withdraw: resolve(intent, into: &output)
        case .enter, .exit, .target, .weight:
            place(PendingIntent(intent: intent, release: now), isReleased: false, &output)
        }
    }

    /// An intent that waited for something else than its window, on terms with which it can go now.
    mutating func resumed(_ intent: Intent) -> Intent { held.resumed(intent, at: now) }

    /// Sends the intents whose time has come on their way, with the prices and limits of now.
    mutating func releaseIntents(into output: inout EngineOutput) {
        sharedCash = nil
        let due = held.takeDue(at: now)
        for group in groupsThatFail(among: due.map(\.intent), &output) {
            for entry in due where entry.intent.group == group {
                refreshHolding(entry.intent.strategy, entry.intent.instrument)
            }
        }
        for entry in due where entry.intent.group == 0 || groups.contains(entry.intent.group) {
            place(entry, isReleased: true, &output)
            refreshHolding(entry.intent.strategy, entry.intent.instrument)
        }
        sharedCash = nil
        wakeForIntents(&output)
    }

    /// Forgets what would open or enlarge a position.
    ///
    /// - Parameter isMeant: picks the intents; all of them, if not given.
    mutating func dropHeldEntries(
        for cause: DropCause, _ output: inout EngineOutput,
        where isMeant: (Intent) -> Bool = { _ in true }
    ) {
        guard !held.isEmpty else { return }
        let intents = held.intents.map(\.intent)
        var reduced: [Intent?] = []
        for intent in intents { reduced.append(isMeant(intent) ? reducing(intent) : nil) }
        for intent in held.restrict(to: reduced, where: isMeant) { drop(cause, intent, &output) }
        for intent in intents { refreshHolding(intent.strategy, intent.instrument) }
    }

    /// Numbers of shares and prices asked for before a split are those of new shares behind it.
    mutating func convertPendingIntents(
        _ ratio: SplitRatio, of instrument: InstrumentID, _ output: inout EngineOutput
    ) {
        for intent in held.convert(by: ratio, of: instrument) {
            drop(.notConvertible, intent, &output)
        }
    }

    /// A timer of the engine's own has come; one that it never set is left aside.
    mutating func engineTimerFired(_ number: Int, into output: inout EngineOutput) {
        switch EngineTimer(rawValue: number) {
        case .window: releaseIntents(into: &output)
        case .timeLimit: endOverdueOrders(into: &output)
        case .acknowledgement: reviewAcknowledgements(&output)
        case .inquiry: reviewInquiries(&output)
        case .positions: askForPositions(&output)
        case .protection: reviewExposed(&output)
        case .cash: reviewCash(&output)
        case .cancellation: reviewCancels(&output)
        case .charges: reviewCharges(&output)
        case .heldOrders: reviewHeldOrders(&output)
        case nil: break
        }
    }

    /// Sends or keeps an intent that comes, or whose time has come.
    private mutating func place(
        _ entry: PendingIntent, isReleased: Bool, _ output: inout EngineOutput
    ) {
        let intent = entry.intent
        let working = orders.working.strategy(intent.strategy, in: intent.instrument)
        var facts = PendingFacts(now: now, isReleased: isReleased)
        if gate.isHalted { facts.haltRefusal = gate.haltCauses.first?.refusal ?? .halted }
        facts.isHeld = heldQuantity(intent.strategy, intent.instrument) != .zero
        facts.isWorking = working.buys != .zero || working.sells != .zero
        if held.asksWhatReduces(entry, at: now, isHalted: gate.isHalted) {
            facts.reducing = reducing(intent)
        }
        let action = held.place(entry, facts)
        if isReleased, !entry.onlyReduces || facts.reducing != nil {
            decide(.released, about: Decision.Subject(intent), &output)
        }
        perform(action, &output)
    }

    private mutating func perform(_ action: PendingAction, _ output: inout EngineOutput) {
        switch action {
        case .send(let intent): resolve(intent, into: &output)
        case .refuse(let rule, let intent): refuse(rule, intent, &output)
        case .drop(let cause, let intent): drop(cause, intent, &output)
        case .hold(let intent, let release, let cause, let cancelsEntries):
            if cancelsEntries { cancel(intent, &output) { $0.purpose == .entry } }
            decide(.held(cause), about: Decision.Subject(intent), &output) {
                Figures(.time(.until, release))
            }
            wakeForIntents(&output)
        }
    }

    mutating func wakeForIntents(_ output: inout EngineOutput) {
        guard let time = held.newWakeUp() else { return }
        output.commands.append(.setTimer(TimerID(engine: EngineTimer.window.rawValue), at: time))
    }

    /// What of an intent reduces the position there is; `nil` when nothing does.
    func reducing(_ intent: Intent) -> Intent? {
        var target: Quantity?
        if case .weight(let fraction) = intent.goal {
            target = self.target(forWeight: fraction, of: intent.instrument)
        }
        return intent.reducing(
            heldQuantity(intent.strategy, intent.instrument), towards: target)
    }
}
