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
}

/// Execution windows: intents that wait for the time at which they may trade.
extension Engine {
    /// Sends an intent on its way, at once or when its window comes. It takes the place of one that waits,
    /// if it is about the position: what protects it never waits.
    mutating func schedule(_ intent: Intent, into output: inout EngineOutput) {
        switch intent.goal {
        case .protect: resolve(intent, into: &output)
        case .cancelEntries:
            dropHeldEntries(for: .withdrawn, &output) {
                $0.isAbout(intent.strategy, intent.instrument)
            }
            resolve(intent, into: &output)
        case .withdraw:
            dropPending(intent, for: .withdrawn, &output)
            resolve(intent, into: &output)
        case .enter, .exit, .target, .weight:
            dropPending(intent, for: .superseded, &output)
            carryOut(PendingIntent(intent: intent, release: now), isReleased: false, &output)
        }
    }

    /// An intent that waited for something else than its window, on terms with which it can go now.
    ///
    /// It had its window: where that is over meanwhile, it goes at the market at once.
    mutating func resumed(_ intent: Intent) -> Intent {
        guard !held.isNeverHolding, intent.terms.isLeftToWindow else { return intent }
        switch held.plan(at: now) {
        case .send(let placement): return intent.with(terms: intent.terms.placed(placement))
        case .wait: return intent.with(terms: intent.terms.placed(.market))
        }
    }

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
            carryOut(entry, isReleased: true, &output)
            refreshHolding(entry.intent.strategy, entry.intent.instrument)
        }
        sharedCash = nil
        wakeForIntents(&output)
    }

    /// Forgets what would open or enlarge a position; what reduces one goes on waiting, and does no more
    /// than that even if entries are allowed again before it goes.
    ///
    /// - Parameter isMeant: picks the intents; all of them, if not said.
    mutating func dropHeldEntries(
        for cause: DropCause, _ output: inout EngineOutput,
        where isMeant: (Intent) -> Bool = { _ in true }
    ) {
        guard !held.intents.isEmpty else { return }
        let intents = held.intents
        var kept: [PendingIntent?] = []
        for entry in intents {
            guard isMeant(entry.intent) else {
                kept.append(entry)
                continue
            }
            let reducing = reducing(entry.intent)
            kept.append(
                reducing.map {
                    PendingIntent(intent: $0, release: entry.release, onlyReduces: true)
                })
            if reducing == nil { drop(cause, entry.intent, &output) }
        }
        held.replaceEach(by: kept)
        for entry in intents { refreshHolding(entry.intent.strategy, entry.intent.instrument) }
    }

    /// Numbers of shares and prices asked for before a split are those of new shares behind it.
    mutating func convertPendingIntents(
        _ ratio: SplitRatio, of instrument: InstrumentID, _ output: inout EngineOutput
    ) {
        guard !held.intents.isEmpty else { return }
        var converted: [PendingIntent?] = []
        for entry in held.intents {
            guard entry.intent.instrument == instrument else {
                converted.append(entry)
                continue
            }
            let intent = entry.intent.converted(by: ratio)
            converted.append(
                intent.map {
                    PendingIntent(
                        intent: $0, release: entry.release, onlyReduces: entry.onlyReduces)
                })
            if intent == nil { drop(.notConvertible, entry.intent, &output) }
        }
        held.replaceEach(by: converted)
    }

    /// Forgets what a strategy asked for before in an instrument and what is held for its window.
    private mutating func dropPending(
        _ intent: Intent, for cause: DropCause, _ output: inout EngineOutput
    ) {
        guard let former = held.intent(of: intent.strategy, in: intent.instrument) else { return }
        drop(cause, former, &output)
        held.drop(intent.strategy, intent.instrument)
    }

    /// A timer of the engine's own has come; one that it never set is left aside.
    mutating func engineTimerFired(_ number: Int, into output: inout EngineOutput) {
        switch EngineTimer(rawValue: number) {
        case .window: releaseIntents(into: &output)
        case .timeLimit: endOverdueOrders(into: &output)
        case .acknowledgement: reviewAcknowledgements(&output)
        case .inquiry: reviewInquiries(&output)
        case nil: break
        }
    }

    private mutating func carryOut(
        _ entry: PendingIntent, isReleased: Bool, _ output: inout EngineOutput
    ) {
        guard let intent = entry.onlyReduces ? reducing(entry.intent) : entry.intent else {
            return refuse(.halted, entry.intent, &output)
        }
        if isReleased { decide(.released, about: Decision.Subject(intent), &output) }
        if let end = held.maintenanceEnd(at: now), reducing(intent) == nil {
            return keep(intent, until: end, for: .maintenance, &output)
        }
        guard intent.terms.isLeftToWindow else { return resolve(intent, into: &output) }
        switch isReleased ? held.planAfterWaiting(at: now) : held.plan(at: now) {
        case .send(let placement):
            resolve(intent.with(terms: intent.terms.placed(placement)), into: &output)
        case .wait(let release):
            keep(
                intent, until: release, for: .window, onlyReduces: entry.onlyReduces, &output)
        }
    }

    /// Keeps an intent that would do something now.
    private mutating func keep(
        _ asked: Intent, until release: Timestamp, for cause: PendingCause,
        onlyReduces: Bool = false, _ output: inout EngineOutput
    ) {
        guard let intent = gate.isHalted ? reducing(asked) : asked else {
            return refuse(gate.haltCauses.first?.refusal ?? .halted, asked, &output)
        }
        let position = portfolio.ledger(of: .strategy(intent.strategy), in: intent.instrument)
            .quantity
        let working = orders.working.strategy(intent.strategy, in: intent.instrument)
        let isEngaged = position != .zero || working.buys != .zero || working.sells != .zero
        switch intent.goal {
        case .enter:
            guard !isEngaged else {
                return drop(position == .zero ? .alreadyEntering : .alreadyHeld, intent, &output)
            }
        case .exit, .target(.zero), .weight(0):
            guard isEngaged else { return drop(.nothingHeld, intent, &output) }
            // An entry need not trade first, only to be sold when the window comes.
            cancel(intent, &output) { $0.purpose == .entry }
        case .target, .weight, .cancelEntries, .withdraw, .protect: break
        }
        held.keep(
            PendingIntent(
                intent: intent, release: release, onlyReduces: onlyReduces || gate.isHalted))
        decide(.held(cause), about: Decision.Subject(intent), &output) {
            Figures(.time(.until, release))
        }
        wakeForIntents(&output)
    }

    private mutating func wakeForIntents(_ output: inout EngineOutput) {
        guard let time = held.newWakeUp() else { return }
        output.commands.append(.setTimer(TimerID(engine: EngineTimer.window.rawValue), at: time))
    }

    /// What of an intent reduces the position there is; `nil` when nothing does.
    mutating func reducing(_ intent: Intent) -> Intent? {
        let target: Quantity
        switch intent.goal {
        case .enter: return nil
        case .exit, .cancelEntries, .withdraw, .protect: return intent
        case .target(let quantity): target = quantity
        case .weight(let fraction):
            guard let quantity = self.target(forWeight: fraction, of: intent.instrument) else {
                return nil
            }
            target = quantity
        }
        let position = portfolio.ledger(of: .strategy(intent.strategy), in: intent.instrument)
            .quantity
        if target == .zero { return intent }
        guard position != .zero else { return nil }
        guard (target > .zero) == (position > .zero) else { return intent.with(goal: .exit) }
        let isWithin = position > .zero ? target <= position : target >= position
        return isWithin ? intent : nil
    }
}
