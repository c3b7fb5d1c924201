import MarketState
import Model
import Orders
import Primitives

/// Intents that wait for their time: at most one of each strategy in each instrument, oldest first.
///
/// A machine without an engine: it is given an intent and what is known of its position, keeps it if it has
/// to wait, and answers with what is to be done.
struct PendingIntents: Sendable {
    /// When intents go to the market.
    let rules: ExecutionRules
    /// True if nothing ever waits.
    let isNeverHolding: Bool
    /// True if none waits.
    private(set) var isEmpty = true
    /// Those that wait.
    private(set) var intents: [PendingIntent] = [] {
        didSet { isEmpty = intents.isEmpty }
    }

    private let calendar: SessionCalendar
    /// True while intents are being taken that follow a fill; between two events never.
    private var followsFill = false
    /// When the engine is to be woken; `nil`: it is not.
    private(set) var wakeUp: Timestamp?
    // Many intents come at one instant, and asking the calendar costs: no part of the state.
    private var lastPlan: (at: Timestamp, plan: WindowPlan)?

    /// None yet.
    init(_ rules: ExecutionRules, in calendar: SessionCalendar) {
        self.rules = rules
        self.calendar = calendar
        let isAtOnce = rules.window == .now || calendar == .always
        isNeverHolding = isAtOnce && rules.maintenance.isEmpty
    }

    // MARK: Queries

    /// True in a maintenance of the broker's.
    func isMaintenance(at now: Timestamp) -> Bool {
        rules.maintenanceEnd(at: now, in: calendar) != nil
    }

    /// What a strategy asked for in an instrument, if that waits.
    func intent(of strategy: StrategyID, in instrument: InstrumentID) -> Intent? {
        intents.first { $0.intent.isAbout(strategy, instrument) }?.intent
    }

    /// True if an intent of a group is pending.
    func contains(group: Int32) -> Bool { intents.contains { $0.intent.group == group } }

    /// True if an intent goes to the market now, not held for its window.
    func goesNow(_ intent: Intent, at now: Timestamp) -> Bool {
        guard !isNeverHolding, intent.terms.isLeftToWindow else { return true }
        if followsFill, calendar.session(containing: now) != nil { return true }
        if case .send = rules.plan(at: now, in: calendar) { return true }
        return false
    }

    /// True if what of an intent reduces its position has to be known to `index` it.
    func asksWhatReduces(_ entry: PendingIntent, at now: Timestamp, isHalted: Bool) -> Bool {
        isHalted || entry.onlyReduces || isMaintenance(at: now)
    }

    // MARK: Inputs

    /// Says whether the intents that come now follow a fill: then each is the rest of a decision that had its
    /// window, and goes at once while the session is on.
    mutating func setFollowsFill(_ followsFill: Bool) { self.followsFill = followsFill }

    /// A strategy's intent takes the place of one that waits, if it is about the position: what protects it
    /// never waits.
    ///
    /// - Returns: the intent that waited, and why it does no more.
    mutating func supersede(by intent: Intent) -> (intent: Intent, cause: DropCause)? {
        let cause: DropCause
        switch intent.goal {
        case .protect, .cancelEntries: return nil
        case .withdraw: cause = .withdrawn
        case .enter, .exit, .target, .weight: cause = .superseded
        }
        guard let former = self.intent(of: intent.strategy, in: intent.instrument) else {
            return nil
        }
        drop(intent.strategy, intent.instrument)
        return (former, cause)
    }

    /// Sends an intent or keeps it.
    mutating func place(_ entry: PendingIntent, _ facts: PendingFacts) -> PendingAction {
        guard let intent = entry.onlyReduces ? facts.reducing : entry.intent else {
            return .refuse(.halted, entry.intent)
        }
        if facts.reducing == nil, let end = rules.maintenanceEnd(at: facts.now, in: calendar) {
            return keep(PendingIntent(intent: intent, release: end), for: .maintenance, facts)
        }
        guard intent.terms.isLeftToWindow else { return .send(intent) }
        switch facts.isReleased
            ? rules.planAfterWaiting(at: facts.now, in: calendar) : plan(at: facts.now)
        {
        case .send(let placement): return .send(intent.with(terms: intent.terms.placed(placement)))
        case .wait(let release):
            return keep(
                PendingIntent(intent: intent, release: release, onlyReduces: entry.onlyReduces),
                for: .window, facts)
        }
    }

    /// An intent that waited for something else than its window, on terms with which it can go now.
    ///
    /// It had its window: where that is over meanwhile, it goes at the market at once.
    mutating func resumed(_ intent: Intent, at now: Timestamp) -> Intent {
        guard !isNeverHolding, intent.terms.isLeftToWindow else { return intent }
        switch plan(at: now) {
        case .send(let placement): return intent.with(terms: intent.terms.placed(placement))
        case .wait: return intent.with(terms: intent.terms.placed(.market))
        }
    }

    /// Takes out the intents whose time has come, oldest first. The wake-up for them is over.
    mutating func takeDue(at now: Timestamp) -> [PendingIntent] {
        wakeUp = nil
        let due = intents.filter { $0.release <= now }
        intents.removeAll { $0.release <= now }
        return due
    }

    /// Forgets what would open or enlarge a position; what reduces one goes on waiting, and does no more
    /// than that even if entries are allowed again before it goes.
    ///
    /// - Parameters:
    ///   - reducing: for each of `intents` that is meant, what of it reduces a position.
    ///   - isMeant: picks the intents.
    /// - Returns: those that were forgotten, oldest first.
    mutating func restrict(
        to reducing: [Intent?], where isMeant: (Intent) -> Bool
    ) -> [Intent] {
        var forgotten: [Intent] = []
        var kept: [PendingIntent] = []
        for (entry, remaining) in zip(intents, reducing) {
            if !isMeant(entry.intent) {
                kept.append(entry)
            } else if let remaining {
                kept.append(
                    PendingIntent(intent: remaining, release: entry.release, onlyReduces: true))
            } else {
                forgotten.append(entry.intent)
            }
        }
        intents = kept
        return forgotten
    }

    /// Numbers of shares and prices asked for before a split are those of new shares behind it.
    ///
    /// - Returns: the intents that were forgotten because they cannot be told in new shares.
    mutating func convert(by ratio: SplitRatio, of instrument: InstrumentID) -> [Intent] {
        guard !isEmpty else { return [] }
        var forgotten: [Intent] = []
        intents = intents.compactMap { entry in
            guard entry.intent.instrument == instrument else { return entry }
            guard let intent = entry.intent.converted(by: ratio) else {
                forgotten.append(entry.intent)
                return nil
            }
            return PendingIntent(
                intent: intent, release: entry.release, onlyReduces: entry.onlyReduces)
        }
        return forgotten
    }

    /// When the engine must be woken, if that has to be said anew.
    mutating func newWakeUp() -> Timestamp? {
        guard let next = intents.map(\.release).min(), next != wakeUp else { return nil }
        wakeUp = next
        return next
    }

    // MARK: Rules

    /// What the window means for an intent left at `now`.
    private mutating func plan(at now: Timestamp) -> WindowPlan {
        if followsFill, calendar.session(containing: now) != nil { return .send(.market) }
        if let lastPlan, lastPlan.at == now { return lastPlan.plan }
        let plan = rules.plan(at: now, in: calendar)
        lastPlan = (now, plan)
        return plan
    }

    /// Keeps an intent that would do something now.
    private mutating func keep(
        _ entry: PendingIntent, for cause: PendingCause, _ facts: PendingFacts
    ) -> PendingAction {
        guard let intent = facts.haltRefusal == nil ? entry.intent : facts.reducing else {
            return .refuse(facts.haltRefusal ?? .halted, entry.intent)
        }
        var cancelsEntries = false
        switch intent.goal {
        case .enter:
            guard !facts.isEngaged else {
                return .drop(facts.isHeld ? .alreadyHeld : .alreadyEntering, intent)
            }
        case .exit, .target(.zero), .weight(0):
            guard facts.isEngaged else { return .drop(.nothingHeld, intent) }
            // An entry need not trade first, only to be sold when the window comes.
            cancelsEntries = true
        case .target, .weight, .cancelEntries, .withdraw, .protect: break
        }
        drop(intent.strategy, intent.instrument)
        intents.append(
            PendingIntent(
                intent: intent, release: entry.release,
                onlyReduces: entry.onlyReduces || facts.haltRefusal != nil))
        return .hold(intent, until: entry.release, cause, cancelsEntries: cancelsEntries)
    }

    private mutating func drop(_ strategy: StrategyID, _ instrument: InstrumentID) {
        guard !isEmpty else { return }
        intents.removeAll { $0.intent.isAbout(strategy, instrument) }
    }

    /// Takes out the intents of some strategies.
    mutating func remove(where isMeant: (StrategyID) -> Bool) -> [Intent] {
        let removed = intents.map(\.intent).filter { isMeant($0.strategy) }
        if !removed.isEmpty { intents.removeAll { isMeant($0.intent.strategy) } }
        return removed
    }

    /// Takes the intents into a digest.
    func hash(into hasher: inout StateHasher) {
        for intent in intents {
            intent.intent.hash(into: &hasher)
            hasher.combine(intent.release)
            hasher.combine(intent.onlyReduces)
        }
        if let wakeUp { hasher.combine(wakeUp) }
    }
}

/// An intent and when its time comes.
struct PendingIntent: Sendable, BitwiseCopyable {
    /// The intent, on the terms on which it was left.
    let intent: Intent
    /// When its time comes.
    let release: Timestamp
    /// True if it may open or enlarge no position: entries were halted since it was left.
    var onlyReduces = false
}

/// What is known when an intent is to be sent or kept.
struct PendingFacts {
    /// The time.
    var now: Timestamp
    /// True if it has waited for its time, and that has come.
    var isReleased = false
    /// What of it reduces the position there is; `nil` when nothing does, or nobody asks.
    var reducing: Intent?
    /// The rule that stops entries, while they are halted.
    var haltRefusal: Refusal?
    /// True if the strategy holds something in the instrument.
    var isHeld = false
    /// True if anything but protection works for it there.
    var isWorking = false

    /// True if there is a position or may be one soon.
    var isEngaged: Bool { isHeld || isWorking }
}

/// What is to be done with an intent that comes, or whose time has come.
enum PendingAction: Equatable {
    /// Work out what it needs, and send that.
    case send(Intent)
    /// It waits; entries that work may have to end for it.
    case hold(Intent, until: Timestamp, PendingCause, cancelsEntries: Bool)
    /// Say that a rule stops it.
    case refuse(Refusal, Intent)
    /// Say that it would do nothing.
    case drop(DropCause, Intent)
}

// MARK: - Records

extension PendingIntents {
    /// Writes the intents, and when the engine is to be woken.
    func write(to writer: inout RecordWriter) {
        for entry in intents {
            writer.item(.pendingIntent) { item in
                item.write(true)
                item.write(entry.intent)
                item.write(entry.release)
                item.write(entry.onlyReduces)
            }
        }
        // It may be for an intent that waits no more.
        guard let wakeUp else { return }
        writer.item(.pendingIntent) { item in
            item.write(false)
            item.write(wakeUp)
        }
    }

    /// Reads an intent back, or when the engine is to be woken.
    mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        guard try reader.flag() else { return wakeUp = try reader.time() }
        intents.append(
            PendingIntent(
                intent: try reader.value(Intent.self), release: try reader.time(),
                onlyReduces: try reader.flag()))
    }
}
