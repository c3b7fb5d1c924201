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
}

/// Execution windows: intents that wait for the time at which they may trade.
extension Engine {
    /// Sends an intent on its way, at once or when its window comes. It takes the place of one that waits,
    /// if it is about the position: what protects it never waits.
    mutating func schedule(_ intent: Intent, into commands: inout [Command]) {
        switch intent.goal {
        case .protect: resolve(intent, into: &commands)
        case .cancelOrders:
            dropHeldEntries { $0.isAbout(intent.strategy, intent.instrument) }
            resolve(intent, into: &commands)
        case .withdraw:
            held.drop(intent.strategy, intent.instrument)
            resolve(intent, into: &commands)
        case .enter, .exit, .hold, .weight:
            held.drop(intent.strategy, intent.instrument)
            dispatch(PendingIntent(intent: intent, release: now), isReleased: false, &commands)
        }
    }

    /// An intent that waited for something else than its window, on terms with which it can go now.
    ///
    /// It had its window: where that is over meanwhile, it goes at the market at once.
    mutating func resumed(_ intent: Intent) -> Intent {
        guard !held.isNeverHolding, intent.terms.isLeftToWindow else { return intent }
        switch held.plan(at: now) {
        case .send(let placement): return intent.with(terms: intent.terms.placed(placement))
        case .hold: return intent.with(terms: intent.terms.placed(.market))
        }
    }

    /// Sends the intents whose time has come on their way, with the prices and limits of now.
    mutating func releaseIntents(into commands: inout [Command]) {
        instantCash = nil
        for entry in held.takeDue(at: now) {
            dispatch(entry, isReleased: true, &commands)
            refreshHolding(entry.intent.strategy, entry.intent.instrument)
        }
        instantCash = nil
        wakeForIntents(&commands)
    }

    /// Forgets what would open or enlarge a position; what reduces one goes on waiting, and does no more
    /// than that even if entries are allowed again before it goes.
    ///
    /// - Parameter isMeant: picks the intents; all of them, if not said.
    mutating func dropHeldEntries(where isMeant: (Intent) -> Bool = { _ in true }) {
        guard !held.intents.isEmpty else { return }
        let intents = held.intents
        held.replaceEach(
            by: intents.map { entry in
                guard isMeant(entry.intent) else { return entry }
                return reducing(entry.intent).map {
                    PendingIntent(intent: $0, release: entry.release, onlyReduces: true)
                }
            })
        for entry in intents { refreshHolding(entry.intent.strategy, entry.intent.instrument) }
    }

    /// Numbers of shares and prices asked for before a split are those of new shares behind it.
    mutating func convertPendingIntents(_ ratio: SplitRatio, of instrument: InstrumentID) {
        guard !held.intents.isEmpty else { return }
        let exchanged = held.intents.map { entry -> PendingIntent? in
            guard entry.intent.instrument == instrument else { return entry }
            return entry.intent.exchanged(by: ratio).map {
                PendingIntent(intent: $0, release: entry.release, onlyReduces: entry.onlyReduces)
            }
        }
        held.replaceEach(by: exchanged)
    }

    /// A timer of the engine's own has come; one that it never set is left aside.
    mutating func engineTimerFired(_ number: Int, into commands: inout [Command]) {
        switch EngineTimer(rawValue: number) {
        case .window: releaseIntents(into: &commands)
        case .timeLimit: endOverdueOrders(into: &commands)
        case nil: break
        }
    }

    private mutating func dispatch(
        _ entry: PendingIntent, isReleased: Bool, _ commands: inout [Command]
    ) {
        guard let intent = entry.onlyReduces ? reducing(entry.intent) : entry.intent else {
            return refuse(.halted)
        }
        if let end = held.maintenanceEnd(at: now), reducing(intent) == nil {
            return hold(intent, until: end, &commands)
        }
        guard intent.terms.isLeftToWindow else { return resolve(intent, into: &commands) }
        switch isReleased ? held.planAfterWaiting(at: now) : held.plan(at: now) {
        case .send(let placement):
            resolve(intent.with(terms: intent.terms.placed(placement)), into: &commands)
        case .hold(let release):
            hold(intent, until: release, onlyReduces: entry.onlyReduces, &commands)
        }
    }

    /// Keeps an intent that would do something now.
    private mutating func hold(
        _ intent: Intent, until release: Timestamp, onlyReduces: Bool = false,
        _ commands: inout [Command]
    ) {
        guard let intent = gate.isHalted ? reducing(intent) : intent else {
            return refuse(.halted)
        }
        let position = portfolio.ledger(of: .strategy(intent.strategy), in: intent.instrument).quantity
        let working = orders.working.strategy(intent.strategy, in: intent.instrument)
        let isEngaged = position != .zero || working.buys != .zero || working.sells != .zero
        switch intent.goal {
        case .enter: guard !isEngaged else { return }
        case .exit, .hold(.zero), .weight(0):
            guard isEngaged else { return }
            // An entry need not trade first, only to be sold when the window comes.
            cancel(intent, &commands) { $0.purpose == .entry }
        case .hold, .weight, .cancelOrders, .withdraw, .protect: break
        }
        held.hold(
            PendingIntent(
                intent: intent, release: release, onlyReduces: onlyReduces || gate.isHalted))
        wakeForIntents(&commands)
    }

    private mutating func wakeForIntents(_ commands: inout [Command]) {
        guard let time = held.newWakeUp() else { return }
        commands.append(.setTimer(TimerID(engine: EngineTimer.window.rawValue), at: time))
    }

    /// What of an intent reduces the position there is; `nil` when nothing does.
    mutating func reducing(_ intent: Intent) -> Intent? {
        let target: Quantity
        switch intent.goal {
        case .enter: return nil
        case .exit, .cancelOrders, .withdraw, .protect: return intent
        case .hold(let quantity): target = quantity
        case .weight(let fraction):
            guard let quantity = self.target(forWeight: fraction, of: intent.instrument) else {
                return nil
            }
            target = quantity
        }
        let position = portfolio.ledger(of: .strategy(intent.strategy), in: intent.instrument).quantity
        if target == .zero { return intent }
        guard position != .zero else { return nil }
        guard (target > .zero) == (position > .zero) else { return intent.with(goal: .exit) }
        let isWithin = position > .zero ? target <= position : target >= position
        return isWithin ? intent : nil
    }
}
