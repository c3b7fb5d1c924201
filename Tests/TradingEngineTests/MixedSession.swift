import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import Simulation
import TestSupport

@testable import TradingEngine

/// Two strategies, the simulated venue and everything that can be set, at random; with a count of its own
/// of what the venue holds.
struct MixedSession: ~Copyable {
    /// The first promise that was broken.
    private(set) var failure: String?
    /// What happened that the promises are about.
    private(set) var seen: [String] = []
    /// All events, and the state after each, where asked for.
    private(set) var events: [Event] = []
    private(set) var hashes: [UInt64] = []

    private let seed: UInt64
    private let keepsHashes: Bool
    private let travel: ProtectedSession.Travel
    private var chance: SeededGenerator
    private var engine: Engine
    private var venue: SimulatedVenue
    private var now = Make.open
    private var closes: [Int64] = [50_00, 20_00]
    private var day = SessionCalendar.newYork.day(of: Make.open)
    private var place = 0
    private var commands: [Command] = []
    private var answers: [OrderReport] = []
    private var timers: [(id: TimerID, at: Timestamp)] = []
    private var orders: [Tracked] = []
    /// How many shares one of the first day has become.
    private var factors: [Int64] = [1, 1]

    /// An order as the venue has it, by this session's own count.
    private struct Tracked {
        var request: OrderRequest
        var filled: Int64 = 0
        var isOver = false
    }

    init(seed: UInt64, keepsHashes: Bool = false) {
        self.seed = seed
        self.keepsHashes = keepsHashes
        chance = SeededGenerator(seed: seed)
        travel = chance.one(of: ProtectedSession.Travel.allCases)
        var rules = VenueRules(calendar: .newYork)
        rules.participation = chance.one(of: [nil, Percent(10), Percent(10)])
        rules.limitFill = chance.one(of: [.through, .touch])
        rules.barPath = chance.one(of: VenueRules.BarPath.allCases)
        rules.slippage = chance.one(of: [.none, .fixed(Price(cents: 1))])
        rules.commission = chance.one(of: [.none, .ibkrFixed])
        let setup = EngineSetup.mixed(seed)
        rules.openingCutoff = setup.execution.openingCutoff
        rules.closingCutoff = setup.execution.closingCutoff
        venue = SimulatedVenue(instruments: setup.instruments, rules: rules)
        engine = Engine(setup)
    }

    /// An engine as this one was at its start.
    func freshEngine() -> Engine { Engine(EngineSetup.mixed(seed)) }

    // MARK: Playing

    /// Half an hour of both instruments, and the night behind the last of a session.
    mutating func play() {
        guard failure == nil else { return }
        let bars = (0..<2).map { bar($0) }
        fireTimers(through: bars[0].start)
        now = bars[0].start
        for bar in bars { ask { $0.barOpened(bar, answers: &$1) } }
        settle()
        fireTimers(through: bars[0].start + .minutes(20))
        now = bars[0].start + .minutes(20)
        settle()
        now = bars[0].end
        for bar in bars { ask { $0.barClosed(bar, answers: &$1) } }
        settle()
        for bar in bars { step(.bar(bar)) }
        step(.sliceClosed)
        fireTimers(through: now)
        operate()
        place += 1
        if place == 13 { passNight() }
    }

    /// Lets everything arrive, and looks at the result.
    mutating func finish() {
        settle(percent: 100)
        checkCover()
    }

    private mutating func bar(_ instrument: Int) -> Bar {
        let last = closes[instrument]
        let gap = chance.chance(percent: 10) ? last / 30 : last / 300
        let open = max(2_00, last + chance.number(in: -gap...gap))
        let close = max(2_00, open + chance.number(in: -(open / 100)...(open / 100)))
        closes[instrument] = close
        let first = SessionCalendar.newYork.open(on: day) + .minutes(30 * Int64(place))
        return Bar(
            instrument: InstrumentID(index: instrument), start: first, length: .minutes(30),
            open: Price(cents: open),
            high: Price(cents: max(open, close) + chance.number(in: 0...open / 100)),
            low: Price(cents: min(open, close) - chance.number(in: 0...open / 100)),
            close: Price(cents: close), volume: Quantity(shares: chance.number(in: 0...2_500)))
    }

    /// Goes on to the next session; companies act before it.
    private mutating func passNight() {
        let next = SessionCalendar.newYork.nextSession(after: day)
        let action = chance.number(in: 0...5)
        if action == 0 { settle(percent: 100) }
        fireTimers(through: next.open - .hours(2))
        now = max(now, next.open - .hours(2))
        (day, place) = (next.day, 0)
        switch action {
        case 0: split()
        case 1:
            let dividend = CorporateAction(
                instrument: InstrumentID(index: 1), exDay: day,
                kind: .dividend(perShare: Price(cents: 10)))
            step(.corporateAction(dividend))
        default: break
        }
    }

    /// Two for one. What the venue says about it is under way when the engine hears of it.
    private mutating func split() {
        settle(percent: 100)
        guard let ratio = SplitRatio(snapping: Quantity(shares: 2)), failure == nil else { return }
        let share = InstrumentID(index: 0)
        closes[0] /= 2
        factors[0] *= 2
        ask { $0.cancelAll(in: share, answers: &$1) }
        for index in orders.indices where orders[index].request.instrument == share {
            orders[index].filled *= 2
        }
        step(
            .corporateAction(
                CorporateAction(instrument: share, exDay: day, kind: .split(ratio))))
        note("split")
    }

    /// A person, money, or a venue that ends what it pleases.
    private mutating func operate() {
        switch chance.number(in: 0...49) {
        case 0...1: step(.operatorRequest(.halt))
        case 2...7: step(.operatorRequest(.resume))
        case 8...9: step(.cashFlow(Money(cents: chance.number(in: -500_00...500_00))))
        case 10...12:
            let id = OrderID(number: chance.number(in: 1...Int64(max(orders.count, 1))))
            ask { venue, answers in
                var ends: [OrderReport] = []
                venue.cancel(id, answers: &ends)
                answers += ends.map { end in
                    end.order == id ? OrderReport(order: id, fact: .cancelled(.external)) : end
                }
            }
            settle()
        default: break
        }
    }

    private mutating func fireTimers(through instant: Timestamp) {
        while failure == nil,
            let next = timers.indices.min(by: { timers[$0].at < timers[$1].at }),
            timers[next].at <= instant
        {
            let timer = timers.remove(at: next)
            now = max(now, timer.at)
            note(timer.id.strategy == nil ? "engine timer" : "timer")
            step(.timer(timer.id))
        }
    }

    // MARK: Messages

    private mutating func step(_ kind: Event.Kind) {
        guard failure == nil else { return }
        hear(kind)
        settle()
    }

    private mutating func hear(_ kind: Event.Kind) {
        var result: [Command] = []
        let event = Event(at: now, kind: kind)
        let wasHalted = engine.gate.isHalted
        engine.step(event, into: &result)
        if keepsHashes {
            events.append(event)
            hashes.append(engine.stateHash)
        }
        check(result)
        if engine.gate.isHalted, !wasHalted { note("halt") }
        for command in result {
            guard case .setTimer(let id, let instant) = command else {
                commands.append(command)
                continue
            }
            timers.removeAll { $0.id == id }
            timers.append((id, instant))
        }
    }

    /// Delivers what is under way, all of it or some.
    private mutating func settle(percent: Int64 = 60) {
        while failure == nil, !commands.isEmpty || !answers.isEmpty {
            if travel != .never, !chance.chance(percent: percent) { return }
            if !commands.isEmpty { carryOut(commands.removeFirst()) }
            guard !answers.isEmpty else { continue }
            let report = answers.remove(at: nextAnswer())
            for _ in 0..<(chance.chance(percent: 5) ? 2 : 1) { hear(.order(report)) }
        }
        checkCover()
    }

    /// Executions do not overtake each other, nor the end or a change of an order its executions: who hears
    /// first what happened last sees positions that never were.
    private mutating func nextAnswer() -> Int {
        guard travel == .inAnyOrder else { return 0 }
        let place = Int(chance.number(in: 0...Int64(answers.count - 1)))
        switch answers[place].fact {
        case .acknowledged, .commission, .rejected: return place
        case .executed: return answers.firstIndex { $0.isTrade } ?? place
        case .cancelled, .modified, .modificationRefused:
            let order = answers[place].order
            let hasFills = answers[..<place].contains { $0.order == order && $0.isTrade }
            return hasFills ? answers.firstIndex { $0.isTrade } ?? place : place
        }
    }

    private mutating func carryOut(_ command: Command) {
        switch command {
        case .submit(let ticket):
            if chance.chance(percent: 1) {
                note("rejection")
                orders[Int(ticket.id.number) - 1].isOver = true
                return answers.append(
                    OrderReport(order: ticket.id, fact: .rejected(.invalidTerms)))
            }
            ask { [now] in $0.submit(ticket, at: now, answers: &$1) }
        case .modify(let ticket, let revision):
            note("change")
            if chance.chance(percent: 3) {
                return answers.append(
                    OrderReport(order: ticket.id, fact: .modificationRefused(revision)))
            }
            let index = Int(ticket.id.number) - 1
            let old = orders[index].request
            orders[index].request = ticket.request
            ask { [now] in $0.modify(ticket, revision: revision, at: now, answers: &$1) }
            if answers.contains(
                OrderReport(order: ticket.id, fact: .modificationRefused(revision)))
            {
                orders[index].request = old
            }
        case .cancel(let id): ask { $0.cancel(id, answers: &$1) }
        case .setTimer: break
        }
    }

    /// Lets the venue do something, and counts what it says.
    private mutating func ask(
        _ body: (inout SimulatedVenue, inout [OrderReport]) -> Void
    ) {
        var told: [OrderReport] = []
        body(&venue, &told)
        for report in told { count(report) }
        answers += told
    }

    private mutating func note(_ what: String) { seen.append(what) }

    private mutating func fail(_ what: String) { failure = failure ?? what }

    // MARK: Promises

    private func held(_ strategy: StrategyID, _ instrument: InstrumentID) -> Int64 {
        orders.reduce(0) { sum, order in
            guard order.request.strategy == strategy, order.request.instrument == instrument else {
                return sum
            }
            return sum + (order.request.side == .buy ? order.filled : -order.filled)
        }
    }

    /// What is sent: no entry against a halt, and none that with all before it opens more than was ever
    /// wished. Where entries are halted, none works that was not asked to end.
    private mutating func check(_ result: [Command]) {
        if !engine.books.identityHolds { fail("books do not add up") }
        for command in result {
            guard case .submit(let ticket) = command else { continue }
            orders.append(Tracked(request: ticket.request))
            let request = ticket.request
            guard request.purpose == .entry else { continue }
            note("entry")
            if engine.gate.isHalted { fail("entry \(ticket.id) against a halt") }
            var reached = held(request.strategy, request.instrument)
            if request.side == .sell { reached = -reached }
            for order in orders
            where order.request.strategy == request.strategy && !order.isOver
                && order.request.instrument == request.instrument
                && order.request.side == request.side && order.request.purpose == .entry
            {
                reached += order.request.quantity.units - order.filled
            }
            let most = 200 * factors[Int(request.instrument.index)] * Quantity.unitsPerOne
            if reached > most { fail("entry \(ticket.id) opens \(reached)") }
        }
        guard engine.gate.isHalted else { return }
        for id in engine.orders.liveEntries
        where engine.orders.record(of: id)?.cancelRequested != true {
            fail("entry \(id) works in a halt")
        }
    }

    /// What reduces never opens the other side, at the venue, whatever is heard of it when.
    private mutating func count(_ report: OrderReport) {
        let index = Int(report.order.number) - 1
        switch report.fact {
        case .executed(let execution):
            let request = orders[index].request
            let before = held(request.strategy, request.instrument)
            orders[index].filled += execution.quantity.units
            let after = held(request.strategy, request.instrument)
            if request.purpose != .entry,
                after.magnitude > before.magnitude || after != 0 && (before > 0) != (after > 0)
            {
                fail("\(request.purpose) \(report.order) took \(before) to \(after)")
            }
            note("\(request.purpose) fill")
        case .cancelled, .rejected: orders[index].isOver = true
        case .acknowledged, .commission, .modified, .modificationRefused: break
        }
    }

    /// What an order may still fill, by definition: its quantity without what its group has filled and what
    /// its parent has not.
    private func open(_ order: Tracked) -> Int64 {
        guard !order.isOver else { return 0 }
        let group = order.request.group
        let filled =
            group == nil
            ? order.filled
            : orders.reduce(0) { $1.request.group == group ? $0 + $1.filled : $0 }
        let missing = order.request.parent.map { parent in
            let parent = orders[Int(parent.number) - 1]
            return max(0, parent.request.quantity.units - parent.filled)
        }
        return max(0, order.request.quantity.units - filled - (missing ?? 0))
    }

    /// When nothing is under way, the venue has for each position with a plan what protects it, neither
    /// more nor less: with what leaves it otherwise all of it. No exit waits for anything.
    private mutating func checkCover() {
        guard failure == nil, commands.isEmpty, answers.isEmpty else { return }
        for strategy in (0..<2).map(StrategyID.init(index:)) {
            for instrument in (0..<2).map(InstrumentID.init(index:)) {
                check(strategy, instrument)
            }
        }
        if let exit = engine.deferredExits.first {
            fail("\(exit.intent.goal) on \(exit.intent.terms) waits for nothing")
        }
    }

    private mutating func check(_ strategy: StrategyID, _ instrument: InstrumentID) {
        let held = held(strategy, instrument)
        let booked = engine.books.ledger(of: .strategy(strategy), in: instrument).quantity.units
        if booked != held { return fail("booked \(booked), held \(held)") }
        let plan = engine.plans[engine.planPlace(strategy, instrument)]
        var pair: [Int64] = []
        var leaving: Int64 = 0
        for order in orders
        where order.request.strategy == strategy && order.request.instrument == instrument {
            let open = open(order)
            switch order.request.purpose {
            case .protection: if open > 0 { pair.append(open) }
            case .exit: leaving += order.request.group == nil ? open : 0
            case .entry: break
            }
        }
        if let first = pair.first, pair.contains(where: { $0 != first }) || pair.count > 2 {
            return fail("stop and target for \(pair) of \(held)")
        }
        if plan == nil, !pair.isEmpty { return fail("\(pair) without a plan") }
        let covered = (pair.first ?? 0) + leaving
        if covered > held.magnitude { return fail("\(covered) to leave of \(held)") }
        guard plan != nil else { return }
        guard !engine.gate.isLatched(instrument) else { return note("latch") }
        if covered < held.magnitude { fail("\(covered) covered of \(held)") }
        if covered > 0 { note("cover") }
    }
}

extension OrderReport {
    fileprivate var isTrade: Bool {
        guard case .executed = fact else { return false }
        return true
    }
}
