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
    /// All events.
    private(set) var events: [Event] = []
    /// The state after each, where asked for.
    private(set) var hashes: [UInt64] = []

    private let seed: UInt64
    private let keepsHashes: Bool
    private var engine: Engine
    private var venue: CountedVenue
    private var closes: [Int64] = [50_00, 20_00]
    private var day = SessionCalendar.newYork.day(of: Make.open)
    private var barIndex = 0
    private var timers: [(id: TimerID, at: Timestamp)] = []
    /// How many shares one of the first day has become.
    private var factors: [Int64] = [1, 1]

    init(seed: UInt64, keepsHashes: Bool = false) {
        self.seed = seed
        self.keepsHashes = keepsHashes
        var chance = SeededGenerator(seed: seed)
        let travel = chance.one(of: CountedVenue.Travel.allCases)
        var rules = VenueRules(calendar: .newYork)
        rules.participation = chance.one(of: [nil, Percent(10), Percent(10)])
        rules.limitFill = chance.one(of: [.through, .touch])
        rules.barPath = chance.one(of: VenueRules.BarPath.allCases)
        rules.slippage = chance.one(of: [.none, .fixed(Price(cents: 1))])
        rules.commission = chance.one(of: [.none, .ibkrFixed])
        let setup = EngineSetup.mixed(seed)
        rules.openingCutoff = setup.execution.openingCutoff
        rules.closingCutoff = setup.execution.closingCutoff
        venue = CountedVenue(
            SimulatedBroker(instruments: setup.instruments, rules: rules), travel: travel,
            chance: chance)
        engine = Engine(setup)
    }

    /// The first promise that was broken.
    var failure: String? { venue.failure }

    /// What happened that the promises are about.
    var seen: [String] { venue.seen }

    /// An engine as this one was at its start.
    func freshEngine() -> Engine { Engine(EngineSetup.mixed(seed)) }

    // MARK: Playing

    /// Half an hour of both instruments, and the night behind the last of a session.
    mutating func play() {
        guard failure == nil else { return }
        let bars = (0..<2).map { bar($0) }
        fireTimers(through: bars[0].start)
        venue.now = bars[0].start
        for bar in bars { venue.ask { $0.barOpened(bar, answers: &$1) } }
        settle()
        fireTimers(through: bars[0].start + .minutes(20))
        venue.now = bars[0].start + .minutes(20)
        settle()
        venue.now = bars[0].end
        for bar in bars { venue.ask { $0.barClosed(bar, answers: &$1) } }
        settle()
        for bar in bars { step(.bar(bar)) }
        step(.sliceClosed)
        fireTimers(through: venue.now)
        operate()
        barIndex += 1
        if barIndex == 13 { passNight() }
    }

    /// The events of a whole session of so many steps.
    static func events(seed: UInt64, steps: Int = 30) -> [Event] {
        var session = MixedSession(seed: seed)
        for _ in 0..<steps { session.play() }
        session.finish()
        return session.events
    }

    /// Lets everything arrive, and looks at the result.
    mutating func finish() {
        settle(percent: 100)
        checkCover()
    }

    private mutating func bar(_ instrument: Int) -> Bar {
        let last = closes[instrument]
        let gap = venue.chance.chance(percent: 10) ? last / 30 : last / 300
        let open = max(2_00, last + venue.chance.number(in: -gap...gap))
        let close = max(2_00, open + venue.chance.number(in: -(open / 100)...(open / 100)))
        closes[instrument] = close
        let first = SessionCalendar.newYork.open(on: day) + .minutes(30 * Int64(barIndex))
        return Bar(
            instrument: InstrumentID(index: instrument), start: first, barSize: .minutes(30),
            open: Price(cents: open),
            high: Price(cents: max(open, close) + venue.chance.number(in: 0...open / 100)),
            low: Price(cents: min(open, close) - venue.chance.number(in: 0...open / 100)),
            close: Price(cents: close), volume: Quantity(shares: venue.chance.number(in: 0...2_500))
        )
    }

    /// Goes on to the next session; companies act before it.
    private mutating func passNight() {
        let next = SessionCalendar.newYork.nextSession(after: day)
        let action = venue.chance.number(in: 0...5)
        if action == 0 { settle(percent: 100) }
        fireTimers(through: next.open - .hours(2))
        venue.now = max(venue.now, next.open - .hours(2))
        (day, barIndex) = (next.day, 0)
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
        guard failure == nil else { return }
        guard let ratio = SplitRatio(snapping: Quantity(shares: 2)) else {
            return venue.fail("two for one is no ratio")
        }
        let share = InstrumentID(index: 0)
        closes[0] /= 2
        factors[0] *= 2
        venue.split(share)
        step(
            .corporateAction(
                CorporateAction(instrument: share, exDay: day, kind: .split(ratio))))
    }

    /// A person, money, or a venue that ends what it pleases.
    private mutating func operate() {
        switch venue.chance.number(in: 0...49) {
        case 0...1: step(.operatorRequest(OperatorRequest(.halt)))
        case 2...7: step(.operatorRequest(OperatorRequest(.resumeAll)))
        case 8...9:
            step(
                .cashMovement(
                    CashMovement(.transfer, Money(cents: venue.chance.number(in: -500_00...500_00)))
                ))
        case 10...12:
            venue.cancelAnOrder()
            settle()
        default: break
        }
    }

    private mutating func fireTimers(through time: Timestamp) {
        while failure == nil,
            let next = timers.indices.min(by: { timers[$0].at < timers[$1].at }),
            timers[next].at <= time
        {
            let timer = timers.remove(at: next)
            venue.now = max(venue.now, timer.at)
            venue.note(timer.id.strategy == nil ? "engine timer" : "timer")
            step(.timer(timer.id))
        }
    }

    // MARK: Messages

    private mutating func step(_ kind: Event.Kind) {
        guard failure == nil else { return }
        handle(kind)
        settle()
    }

    private mutating func handle(_ kind: Event.Kind) {
        var output = EngineOutput()
        let event = Event(at: venue.now, kind: kind)
        let wasHalted = engine.gate.isHalted
        engine.step(event, into: &output)
        events.append(event)
        if keepsHashes { hashes.append(engine.stateHash) }
        if engine.gate.isHalted, !wasHalted { venue.note("halt") }
        for command in output.commands {
            guard case .setTimer(let id, let time) = command else {
                venue.send(command)
                if case .submit(let ticket) = command { check(ticket) }
                continue
            }
            timers.removeAll { $0.id == id }
            timers.append((id, time))
        }
        check()
    }

    /// Delivers what is under way, all of it or some.
    private mutating func settle(percent: Int64 = 60) {
        while let reports = venue.arrive(percent: percent) {
            for report in reports { handle(.order(report)) }
        }
        checkCover()
    }

    // MARK: Promises

    /// No entry leaves against a halt, and none that with all before it opens more than was ever asked for.
    private mutating func check(_ ticket: OrderTicket) {
        let request = ticket.request
        guard request.purpose == .entry else { return }
        venue.note("entry")
        if engine.gate.isHalted { venue.fail("entry \(ticket.id) against a halt") }
        var reached = venue.held(request.strategy, request.instrument)
        if request.side == .sell { reached = -reached }
        for order in venue.orders
        where order.request.strategy == request.strategy && !order.isOver
            && order.request.instrument == request.instrument
            && order.request.side == request.side && order.request.purpose == .entry
        {
            reached += order.request.quantity.units - order.filled
        }
        let most = 200 * factors[Int(request.instrument.index)] * Quantity.unitsPerOne
        if reached > most { venue.fail("entry \(ticket.id) opens \(reached)") }
    }

    /// Books add up; where entries are halted, none works that was not asked to end.
    private mutating func check() {
        if !engine.portfolio.identityHolds { venue.fail("books do not add up") }
        guard engine.gate.isHalted else { return }
        for id in engine.orders.liveEntries
        where engine.orders.record(of: id)?.cancelRequested != true {
            venue.fail("entry \(id) works in a halt")
        }
    }

    /// Every position with a plan is covered, and no exit waits for anything.
    private mutating func checkCover() {
        guard failure == nil, venue.isQuiet else { return }
        venue.checkCover(by: &engine, isAlwaysPlanned: false)
        if let exit = engine.deferredExits.first {
            venue.fail("\(exit.intent.goal) on \(exit.intent.terms) waits for nothing")
        }
    }
}
