import MarketState
import Model
import Orders
import Primitives

/// Intents that wait for their time: at most one of each strategy in each instrument, oldest first.
struct PendingIntents: Sendable {
    /// When intents go to the market.
    let rules: ExecutionRules
    /// Whether nothing ever waits.
    let isNeverHolding: Bool
    /// Those that wait.
    private(set) var intents: [PendingIntent] = [] {
        didSet { isEmpty = intents.isEmpty }
    }
    /// Whether none waits.
    private(set) var isEmpty = true
    /// Whether intents are being taken that follow a fill.
    var followsFill = false

    private let calendar: SessionCalendar
    /// When the engine is to be woken; `nil`: it is not.
    private var wakeUp: Timestamp?
    // Many intents come at one instant, and asking the calendar costs.
    private var lastPlan: (at: Timestamp, plan: WindowPlan)?

    /// None yet.
    init(_ rules: ExecutionRules, in calendar: SessionCalendar) {
        self.rules = rules
        self.calendar = calendar
        let isAtOnce = rules.window == .now || calendar == .always
        isNeverHolding = isAtOnce && rules.maintenance.isEmpty
    }

    /// What the window means for an intent left at `now`.
    ///
    /// What follows a fill is the rest of a decision that had its window: it goes at once while the
    /// session is on.
    mutating func plan(at now: Timestamp) -> WindowPlan {
        if followsFill, calendar.session(containing: now) != nil { return .send(.market) }
        if let lastPlan, lastPlan.at == now { return lastPlan.plan }
        let plan = rules.plan(at: now, in: calendar)
        lastPlan = (now, plan)
        return plan
    }

    /// What it means for one that has waited.
    func planAfterWaiting(at now: Timestamp) -> WindowPlan {
        rules.planAfterWaiting(at: now, in: calendar)
    }

    /// When the maintenance ends in which `now` lies.
    func maintenanceEnd(at now: Timestamp) -> Timestamp? {
        rules.maintenanceEnd(at: now, in: calendar)
    }

    /// When an order begins to work that is sent now: with the next session, if it waits for one.
    func workStart(of request: OrderRequest, at now: Timestamp) -> Timestamp {
        guard !request.outsideRTH else { return now }
        let day = calendar.day(of: now)
        if let session = calendar.session(on: day), now < session.close {
            return max(now, session.open)
        }
        return calendar.nextSession(after: day).open
    }

    /// Keeps an intent in place of any other of its strategy in its instrument.
    mutating func keep(_ intent: PendingIntent) {
        drop(intent.intent.strategy, intent.intent.instrument)
        intents.append(intent)
    }

    /// Forgets what a strategy asked for in an instrument.
    mutating func drop(_ strategy: StrategyID, _ instrument: InstrumentID) {
        guard !intents.isEmpty else { return }
        intents.removeAll {
            $0.intent.strategy == strategy && $0.intent.instrument == instrument
        }
    }

    /// What a strategy asked for in an instrument, if that waits.
    func intent(of strategy: StrategyID, in instrument: InstrumentID) -> Intent? {
        intents.first {
            $0.intent.strategy == strategy && $0.intent.instrument == instrument
        }?.intent
    }

    /// True if an intent of a group is pending.
    func contains(group: Int32) -> Bool { intents.contains { $0.intent.group == group } }

    /// True if an intent that is left to the window goes to the market now.
    func goesNow(at now: Timestamp) -> Bool {
        if followsFill, calendar.session(containing: now) != nil { return true }
        if case .send = rules.plan(at: now, in: calendar) { return true }
        return false
    }

    /// Takes out the intents whose time has come, oldest first. The wake-up for them is over.
    mutating func takeDue(at now: Timestamp) -> [PendingIntent] {
        wakeUp = nil
        let due = intents.filter { $0.release <= now }
        intents.removeAll { $0.release <= now }
        return due
    }

    /// Puts another intent in the place of each, in their order; `nil` forgets it.
    mutating func replaceEach(by others: [PendingIntent?]) { intents = others.compactMap(\.self) }

    /// When the engine must be woken, if that has to be said anew.
    mutating func newWakeUp() -> Timestamp? {
        guard let next = intents.map(\.release).min(), next != wakeUp else { return nil }
        wakeUp = next
        return next
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
struct PendingIntent: Sendable {
    /// The intent, on the terms on which it was left.
    let intent: Intent
    /// When its time comes.
    let release: Timestamp
    /// Whether it may open or enlarge no position: entries were halted since it was left.
    var onlyReduces = false
}

extension Intent {
    /// The intent in new shares; `nil` beyond what can be held or is a price.
    func converted(by ratio: SplitRatio) -> Intent? {
        var isPossible = true
        var intent = mapPrices { price in
            guard let adjusted = ratio.adjusted(price) else {
                isPossible = false
                return price
            }
            return adjusted
        }
        if case .target(let quantity) = goal {
            guard let exchanged = ratio.exchanged(quantity) else { return nil }
            intent = intent.with(goal: .target(exchanged.whole))
        }
        return isPossible ? intent : nil
    }

    /// Takes the intent into a digest.
    func hash(into hasher: inout StateHasher) {
        hasher.combine(strategy.index)
        hasher.combine(instrument.index)
        switch goal {
        case .enter(let side): hasher.combine(side == .buy ? 1 : 2)
        case .exit: hasher.combine(3)
        case .target(let quantity):
            hasher.combine(4)
            hasher.combine(quantity)
        case .weight(let weight):
            hasher.combine(5)
            hasher.combine(weight)
        case .cancelEntries: hasher.combine(6)
        case .protect: hasher.combine(7)
        case .withdraw: hasher.combine(8)
        }
        hasher.combine(reason.index)
        hasher.combine(group)
        terms.hash(into: &hasher)
        hasher.combine(protection != nil)
        protection?.hash(into: &hasher)
    }
}

extension OrderTerms {
    fileprivate func hash(into hasher: inout StateHasher) {
        type.combine(into: &hasher)
        timeInForce.combine(into: &hasher)
        hasher.combine(hours.map { $0 == .regular ? 1 : 2 } ?? 0)
        hasher.combine(isLeftToWindow)
    }
}

extension Protection {
    fileprivate func hash(into hasher: inout StateHasher) {
        switch stop {
        case .price(let price):
            hasher.combine(1)
            hasher.combine(price)
        case .away(let distance):
            hasher.combine(2)
            distance.hash(into: &hasher)
        case .trailing(let distance):
            hasher.combine(3)
            distance.hash(into: &hasher)
        case nil: hasher.combine(0)
        }
        switch target {
        case .price(let price):
            hasher.combine(1)
            hasher.combine(price)
        case .away(let distance):
            hasher.combine(2)
            distance.hash(into: &hasher)
        case nil: hasher.combine(0)
        }
    }
}

extension Protection.Distance {
    fileprivate func hash(into hasher: inout StateHasher) {
        switch self {
        case .amount(let amount):
            hasher.combine(1)
            hasher.combine(amount)
        case .percent(let percent):
            hasher.combine(2)
            hasher.combine(percent.units)
        case .range(let range):
            hasher.combine(3)
            hasher.combine(range.length)
            hasher.combine(range.times.units)
        }
    }
}
