import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import Simulation
import TestSupport
import TradingEngine

/// An engine with random strategies against the simulated venue, and a count of its own of all orders and
/// positions from commands and reports alone.
struct RandomSession: ~Copyable {
    /// The first thing that was wrong.
    private(set) var failure: String?
    /// All events so far, the state after each (where asked for), and the commands they caused.
    private(set) var events: [Event] = []
    private(set) var hashes: [UInt64] = []
    private(set) var commands: [Command] = []
    /// All decisions so far.
    private(set) var decisions: [Decision] = []
    private(set) var fillCount = 0

    private let seed: UInt64
    private let keepsHashes: Bool
    private let limits: RiskLimits?
    private let sizing: Sizing
    /// Whether the venue's answers are under way for a while and may overtake each other.
    private let answersTravel: Bool
    private var chance: SeededGenerator
    private var engine: Engine
    private var venue: SimulatedBroker
    private var now = Make.open
    private var closes: [Int64] = [50_00, 20_00]
    private var prices: [Price?] = [nil, nil]
    private var underWay: [OrderReport] = []
    private var timers: [(id: TimerID, at: Timestamp)] = []
    private var orders: [Order] = []

    /// An order as this session counts it.
    private struct Order {
        let request: OrderRequest
        var filled: Int64 = 0
        var hasEnded = false

        var open: Int64 { hasEnded ? 0 : max(0, request.quantity.units - filled) }
        var signedFilled: Int64 { request.side == .buy ? filled : -filled }
    }

    init(seed: UInt64, keepsHashes: Bool = false) {
        self.seed = seed
        self.keepsHashes = keepsHashes
        chance = SeededGenerator(seed: seed)
        limits = Self.limits(&chance)
        sizing = chance.one(of: [
            .fixedShares(Quantity(shares: 100)), .percentOfEquity(Percent(10)),
            .fixedShares(Quantity(units: 12_34567890)),
        ])
        answersTravel = chance.chance(percent: 30)
        var rules = VenueRules(calendar: .always)
        rules.participation = chance.one(of: [nil, Percent(10), Percent(10)])
        rules.limitFill = chance.one(of: [.through, .touch])
        rules.slippage = chance.one(of: [.none, .fixed(Price(cents: 1))])
        rules.commission = chance.one(of: [.none, .ibkrFixed, .perOrder(Money(cents: 1_00))])
        venue = SimulatedBroker(instruments: Make.instruments("AAA", "BBB"), rules: rules)
        engine = Self.engine(seed, limits, sizing)
    }

    /// An engine as this one was at its start.
    func freshEngine() -> Engine { Self.engine(seed, limits, sizing) }

    private static func engine(_ seed: UInt64, _ limits: RiskLimits?, _ sizing: Sizing) -> Engine {
        let instruments = Make.instruments("AAA", "BBB")
        var setup = EngineSetup(
            instruments: instruments,
            strategies: (0..<2).map { strategy in
                StrategyInstance(
                    RandomStrategy(seed: seed &* 2 &+ strategy), sizing: sizing,
                    shown: instruments.map(\.id))
            }, capital: Money(cents: 100_000_00), limits: limits)
        limitAccount(seed, &setup)
        setup.decisions = .all
        return Engine(setup)
    }

    /// Accounts of all kinds, so tight that their limits are reached.
    private static func limitAccount(_ seed: UInt64, _ setup: inout EngineSetup) {
        switch seed % 8 {
        case 0:
            setup.settlement = SettlementCalendar()
            setup.capital = Money(cents: 10_000_00)
        case 1:
            setup.losses.dailyAmount = Money(cents: 20_00)
            setup.losses.drawdownPercent = Percent(1)
        case 2:
            setup.losses.dailyAmount = Money(cents: 20_00)
            setup.losses.response = .flatten
        case 3:
            setup.margin = MarginTerms(
                initial: Percent(1_000), maintenanceLong: Percent(1_000),
                maintenanceShort: Percent(1_000))
        default: break
        }
    }

    private static func limits(_ chance: inout SeededGenerator) -> RiskLimits? {
        guard chance.chance(percent: 80) else { return nil }
        var limits = RiskLimits(
            allowsShort: chance.chance(percent: 70), overLimit: chance.one(of: [.reduce, .reject]))
        limits.positionSharesMax = chance.one(of: [nil, Quantity(shares: 150)])
        limits.positionValueMax = chance.one(of: [nil, Money(cents: 6_000_00)])
        limits.positionPercentMax = chance.one(of: [nil, Percent(20)])
        limits.grossPercentMax = chance.one(of: [nil, Percent(30)])
        return limits
    }

    // MARK: Playing

    /// One bar of each instrument, an hour long: what is due at its open and at its close.
    mutating func play(_ index: Int) {
        guard failure == nil else { return }
        let bars = (0..<2).map { bar(index, $0) }
        now = bars[0].start
        for bar in bars { venue.barOpened(bar, answers: &underWay) }
        settle()
        now = bars[0].end
        for bar in bars { venue.barClosed(bar, answers: &underWay) }
        settle()
        for bar in bars {
            prices[Int(bar.instrument.index)] = bar.close
            step(.bar(bar))
        }
        step(.sliceClosed)
        fireTimers()
        operate()
    }

    /// Lets all answers arrive and checks that exactly the live orders work at the venue.
    mutating func finish() {
        while !underWay.isEmpty, failure == nil { settle() }
        let live = liveOrders
        for number in 0..<orders.count where failure == nil {
            let id = OrderID(number: Int64(number + 1))
            var answers: [OrderReport] = []
            venue.cancel(id, answers: &answers)
            if live.contains(id) == answers.isEmpty {
                failure = "order \(id.number) is live or works at the venue, but not both"
            }
        }
    }

    private var liveOrders: [OrderID] {
        (0..<2).flatMap { strategy in
            (0..<2).flatMap { instrument in
                engine.orders.liveOrders(
                    of: StrategyID(index: strategy), in: InstrumentID(index: instrument))
            }
        }
    }

    /// A bar with a gap now and then, and so little volume that orders fill in parts.
    private mutating func bar(_ index: Int, _ instrument: Int) -> Bar {
        let last = closes[instrument]
        let gap = chance.chance(percent: 10) ? last / 20 : last / 500
        let open = last + chance.number(in: -gap...gap)
        let close = max(1_00, open + chance.number(in: -(open / 200)...(open / 200)))
        closes[instrument] = close
        return Make.bar(
            index, open: open, high: max(open, close) + chance.number(in: 0...open / 300),
            low: min(open, close) - chance.number(in: 0...open / 300), close: close,
            volume: chance.number(in: 0...1_500), instrument: instrument, barSize: .hours(1))
    }

    /// Lets answers arrive until there are none, or some of them in any order where they travel.
    private mutating func settle() {
        while !underWay.isEmpty, failure == nil {
            if answersTravel, chance.chance(percent: 40) { return }
            let index = answersTravel ? Int(chance.number(in: 0...Int64(underWay.count - 1))) : 0
            handle(underWay.remove(at: firstOfItsOrder(index)))
        }
    }

    /// The end of an order does not overtake its executions: nobody who hears first that an exit is
    /// cancelled can know that it sold before, and the next exit would be too large.
    private func firstOfItsOrder(_ index: Int) -> Int {
        guard case .cancelled = underWay[index].fact else { return index }
        return underWay.firstIndex { $0.order == underWay[index].order } ?? index
    }

    private mutating func fireTimers() {
        let due = timers.filter { $0.at <= now }
        timers.removeAll { $0.at <= now }
        for timer in due { step(.timer(timer.id)) }
    }

    /// Now and then a person does something, or money moves.
    private mutating func operate() {
        switch chance.number(in: 0...99) {
        case 0: step(.operatorRequest(OperatorRequest(.halt)))
        case 1...4: step(.operatorRequest(OperatorRequest(.resumeAll)))
        case 5:
            step(
                .cashMovement(
                    CashMovement(.transfer, Money(cents: chance.number(in: -1_000_00...1_000_00)))))
        default: break
        }
    }

    private mutating func step(_ kind: Event.Kind) {
        guard failure == nil else { return }
        var output = EngineOutput()
        let event = Event(at: now, kind: kind)
        engine.step(event, into: &output)
        events.append(event)
        if keepsHashes { hashes.append(engine.stateHash) }
        if !engine.portfolio.identityHolds { failure = "books do not add up" }
        commands += output.commands
        decisions += output.decisions
        for command in output.commands { perform(command) }
        settle()
    }

    private mutating func perform(_ command: Command) {
        guard failure == nil else { return }
        switch command {
        case .submit(let ticket):
            check(ticket)
            orders.append(Order(request: ticket.request))
            venue.submit(ticket, at: now, answers: &underWay)
        case .modify, .probe, .query: failure = "an order without protection was changed"
        case .cancel(let id): venue.cancel(id, answers: &underWay)
        case .setTimer(let id, let time):
            timers.removeAll { $0.id == id }
            timers.append((id, time))
        }
    }

    // MARK: Counting

    private mutating func handle(_ report: OrderReport) {
        let index = Int(report.order.number) - 1
        let request = orders[index].request
        let before = held(request.strategy, request.instrument)
        switch report.fact {
        case .executed(let execution):
            orders[index].filled += execution.quantity.units
            fillCount += 1
        case .cancelled, .rejected: orders[index].hasEnded = true
        case .acknowledged, .commission, .modified, .modificationRefused,
            .notSent, .sendInterrupted, .status, .listedOpen, .listedCompleted, .rejectedByBroker,
            .cancelledByBroker, .heldByBroker, .message, .probeAnswer, .acknowledgementOverdue,
            .closed, .reopened:
            break
        }
        let after = held(request.strategy, request.instrument)
        if request.purpose == .exit,
            after.magnitude > before.magnitude || (before > 0) != (after > 0) && after != 0
        {
            failure = "exit \(report.order.number) took \(before) to \(after)"
        }
        step(.order(report))
        let booked = engine.portfolio.ledger(
            of: .strategy(request.strategy), in: request.instrument)
        guard failure == nil,
            orders.count == index + 1
                || booked.quantity.units == held(request.strategy, request.instrument)
        else {
            failure =
                failure
                ?? "the ledger of order \(report.order.number)'s strategy is not what was filled"
            return
        }
    }

    private func held(_ strategy: StrategyID, _ instrument: InstrumentID) -> Int64 {
        orders.reduce(0) {
            $1.request.strategy == strategy && $1.request.instrument == instrument
                ? $0 + $1.signedFilled : $0
        }
    }

    /// What an order may be at most, from what was filled and is open by this session's own count.
    private mutating func check(_ ticket: OrderTicket) {
        let request = ticket.request
        let all = orders.filter { $0.request.instrument == request.instrument }
        switch request.purpose {
        case .exit, .protection:
            let own = all.filter { $0.request.strategy == request.strategy }
            let held = own.reduce(0) { $0 + $1.signedFilled }
            let leaving = own.reduce(0) { $1.request.purpose == .exit ? $0 + $1.open : $0 }
            let isReducing = request.side == .sell ? held > 0 : held < 0
            guard isReducing, request.quantity.units <= held.magnitude - UInt64(leaving) else {
                failure = "exit \(ticket.id.number) is more than is held"
                return
            }
        case .entry:
            guard let limits else { return }
            let position = all.reduce(0) { $0 + $1.signedFilled }
            let working = all.reduce(0) { $1.request.side == request.side ? $0 + $1.open : $0 }
            let sign: Int64 = request.side == .buy ? 1 : -1
            let reached = sign * position + working + request.quantity.units
            if !limits.allowsShort, request.side == .sell, reached > 0 {
                failure = "entry \(ticket.id.number) is short"
            }
            if let most = limits.positionSharesMax, reached > most.units {
                failure = "entry \(ticket.id.number) is beyond the limit on shares"
            }
            let worth =
                (prices[Int(request.instrument.index)] ?? .zero) * Quantity(units: max(0, reached))
            if let most = limits.positionValueMax, worth > ExactMoney(most) {
                failure = "entry \(ticket.id.number) is beyond the limit on value"
            }
        }
    }
}
