import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals
import Simulation
import TestSupport
import TradingEngine

/// A strategy that wants anything at any time, with stops and targets of its own now and then.
private struct GuardedStrategy: Strategy {
    static let declaration = StrategyDeclaration(name: "guarded", summary: "wants anything")

    private var chance: SeededGenerator

    init(_ setup: StrategySetup) { self.init(seed: 0) }
    init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        if chance.chance(percent: 60) { want(bar.instrument, around: bar.close, &context) }
    }

    mutating func orderFilled(_ execution: Execution, _ context: inout StrategyContext) {
        guard chance.chance(percent: 20) else { return }
        want(execution.instrument, around: execution.price, &context)
    }

    private mutating func want(
        _ instrument: InstrumentID, around price: Price, _ context: inout StrategyContext
    ) {
        let near = Price(units: price.units + price.units / 10_000 * chance.number(in: -100...100))
        let type = chance.one(of: [
            OrderTerms.market, .marketNow, .limit(near, for: .goodTillCancelled), .stop(near),
            .marketOnOpen, .marketOnClose,
        ])
        let own = chance.chance(percent: 30) ? Protection.random(&chance, around: price) : nil
        switch chance.number(in: 0...11) {
        case 0...2:
            context.enter(
                chance.one(of: [.buy, .buy, .sell]), instrument, using: type, protectedBy: own,
                because: "enter")
        case 3: context.exit(instrument, using: type, because: "exit")
        case 4...8:
            context.hold(
                Quantity(shares: chance.number(in: -60...200)), of: instrument, protectedBy: own,
                because: "hold")
        case 9:
            context.protect(
                instrument, with: .random(&chance, around: price), because: "protect")
        case 10: context.cancelOrders(in: instrument, because: "cancel")
        default:
            context.setWeight(
                Double(chance.number(in: -10...20)) / 100, of: instrument, protectedBy: own,
                because: "weight")
        }
    }
}

extension Protection {
    /// Any kind, near enough to be met now and then.
    static func random(
        _ chance: inout SeededGenerator, around price: Price
    ) -> Protection {
        let distance: Distance = chance.one(of: [
            .amount(Price(cents: chance.number(in: 5...150))),
            .percent(Percent(units: chance.number(in: 100_000...3_000_000))),
            .range(RangeDistance(length: 3, times: Percent(chance.number(in: 50...300)))),
        ])
        let below = Price(units: price.units - price.units / 1_000 * chance.number(in: 1...20))
        let above = Price(units: price.units + price.units / 1_000 * chance.number(in: 1...20))
        let stop = chance.one(of: [
            Stop.away(distance), .away(distance), .trailing(distance), .price(below),
        ])
        let target = chance.one(of: [Target.away(distance), .away(distance), .price(above)])
        switch chance.number(in: 0...3) {
        case 0: return Protection(stop: stop)
        case 1: return Protection(target: target)
        default: return Protection(stop: stop, target: target)
        }
    }
}

/// Two strategies whose positions are always protected, against the simulated venue, with a count of its
/// own of what the venue holds.
struct ProtectedSession: ~Copyable {
    /// How messages travel.
    enum Travel: CaseIterable {
        /// At once.
        case never
        /// Late, in order.
        case inOrder
        /// Late, and answers overtake each other.
        case inAnyOrder
    }

    /// The first promise that was broken.
    private(set) var failure: String?
    /// How often something happened that the promises are about.
    private(set) var seen: [String] = []
    /// The state after each event, where asked for.
    private(set) var hashes: [UInt64] = []

    private let travel: Travel
    private let keepsHashes: Bool
    private var chance: SeededGenerator
    private var engine: Engine
    private var venue: SimulatedVenue
    private var now = Make.open
    private var closes: [Int64] = [50_00, 20_00]
    private var place = 0
    private var commands: [Command] = []
    private var answers: [OrderReport] = []
    private var orders: [Tracked] = []

    /// An order as the venue has it, by this session's own count.
    private struct Tracked {
        var request: OrderRequest
        var filled: Int64 = 0
        var isOver = false
    }

    init(seed: UInt64, travel: Travel, keepsHashes: Bool = false) {
        self.travel = travel
        self.keepsHashes = keepsHashes
        chance = SeededGenerator(seed: seed)
        var rules = VenueRules(calendar: .always)
        rules.participation = chance.one(of: [nil, Percent(10), Percent(10)])
        rules.limitFill = chance.one(of: [.through, .touch])
        rules.barPath = chance.one(of: VenueRules.BarPath.allCases)
        let instruments = Make.instruments("AAA", "BBB")
        venue = SimulatedVenue(instruments: instruments, rules: rules)
        let standard = Protection.random(&chance, around: Price(cents: 1_000_00))
        // A price would be far off; distances go with every price.
        let rule: Protection =
            switch (standard.stop, standard.target) {
            case (.price, _), (_, .price): Protection(stop: .away(.percent(Percent(1))))
            case (.away, _), (.trailing, _), (nil, _): standard
            }
        engine = Engine(
            EngineSetup(
                instruments: instruments,
                strategies: (0..<2).map { strategy in
                    StrategySeat(
                        GuardedStrategy(seed: seed &* 2 &+ strategy),
                        sizing: .fixedShares(Quantity(shares: 100)), protection: rule,
                        shown: instruments.map(\.id))
                }, capital: Money(cents: 100_000_00), limits: nil))
    }

    // MARK: Playing

    /// An hour of both instruments.
    mutating func play() {
        guard failure == nil else { return }
        let bars = (0..<2).map { bar($0) }
        place += 1
        now = bars[0].start
        for bar in bars { ask { $0.barOpened(bar, answers: &$1) } }
        settle()
        now = bars[0].start + .minutes(20)
        settle()
        now = bars[0].end
        for bar in bars { ask { $0.barClosed(bar, answers: &$1) } }
        settle()
        for bar in bars { step(.bar(bar)) }
        step(.sliceClosed)
        operate()
    }

    /// Lets everything arrive, and looks at the result.
    mutating func finish() {
        while failure == nil, !commands.isEmpty || !answers.isEmpty { settle(percent: 100) }
        checkCover()
        if !engine.books.identityHolds { failure = failure ?? "books do not add up" }
    }

    private mutating func bar(_ instrument: Int) -> Bar {
        let last = closes[instrument]
        let gap = chance.chance(percent: 10) ? last / 30 : last / 300
        let open = max(2_00, last + chance.number(in: -gap...gap))
        let close = max(2_00, open + chance.number(in: -(open / 100)...(open / 100)))
        closes[instrument] = close
        return Make.bar(
            place, open: open, high: max(open, close) + chance.number(in: 0...open / 100),
            low: min(open, close) - chance.number(in: 0...open / 100), close: close,
            volume: chance.number(in: 0...2_500), instrument: instrument, length: .hours(1))
    }

    /// A person, a split, or a venue that ends what it pleases.
    private mutating func operate() {
        switch chance.number(in: 0...39) {
        case 0: step(.operatorRequest(.halt))
        case 1...4: step(.operatorRequest(.resume))
        case 5...7:
            let id = OrderID(number: chance.number(in: 1...Int64(max(orders.count, 1))))
            ask { venue, answers in
                var ends: [OrderReport] = []
                venue.cancel(id, answers: &ends)
                answers += ends.map { end in
                    end.order == id ? OrderReport(order: id, fact: .cancelled(.external)) : end
                }
            }
            settle()
        case 8 where travel == .never: split()
        default: break
        }
    }

    /// Two for one, over night.
    private mutating func split() {
        guard let ratio = SplitRatio(snapping: Quantity(shares: 2)), failure == nil else { return }
        let share = InstrumentID(index: 0)
        place += 24
        now = now + .hours(24)
        let day = SessionCalendar.newYork.day(of: now)
        closes[0] /= 2
        ask { $0.cancelAll(in: share, answers: &$1) }
        for index in orders.indices where orders[index].request.instrument == share {
            orders[index].filled *= 2
        }
        step(
            .corporateAction(
                CorporateAction(instrument: share, exDay: day, kind: .split(ratio))))
        note("split")
    }

    // MARK: Messages

    private mutating func step(_ kind: Event.Kind) {
        guard failure == nil else { return }
        var result: [Command] = []
        engine.step(Event(at: now, kind: kind), into: &result)
        if keepsHashes { hashes.append(engine.stateHash) }
        commands += result
        settle()
    }

    /// Delivers what is under way, all of it or some.
    private mutating func settle(percent: Int64 = 60) {
        while failure == nil, !commands.isEmpty || !answers.isEmpty {
            if travel != .never, !chance.chance(percent: percent) { return }
            if !commands.isEmpty { carryOut(commands.removeFirst()) }
            guard !answers.isEmpty else { continue }
            let report = answers.remove(at: nextAnswer())
            let isRepeated = chance.chance(percent: 5)
            var result: [Command] = []
            for _ in 0..<(isRepeated ? 2 : 1) {
                engine.step(Event(at: now, kind: .order(report)), into: &result)
                if keepsHashes { hashes.append(engine.stateHash) }
            }
            commands += result
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
        case .executed: return answers.firstIndex { $0.isExecution } ?? place
        case .cancelled, .modified, .modificationRefused:
            let order = answers[place].order
            let hasFills = answers[..<place].contains { $0.order == order && $0.isExecution }
            return hasFills ? answers.firstIndex { $0.isExecution } ?? place : place
        }
    }

    private mutating func carryOut(_ command: Command) {
        switch command {
        case .submit(let ticket):
            orders.append(Tracked(request: ticket.request))
            let isProtection = ticket.request.purpose == .protection
            if isProtection, chance.chance(percent: 1) {
                note("rejection")
                orders[orders.count - 1].isOver = true
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
                note("refused change")
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

    // MARK: Promises

    private func held(_ strategy: StrategyID, _ instrument: InstrumentID) -> Int64 {
        orders.reduce(0) { sum, order in
            guard order.request.strategy == strategy, order.request.instrument == instrument else {
                return sum
            }
            return sum + (order.request.side == .buy ? order.filled : -order.filled)
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
                failure = failure ?? "\(request.purpose) \(report.order) took \(before) to \(after)"
            }
            note("\(request.purpose) fill")
        case .cancelled, .rejected: orders[index].isOver = true
        case .acknowledged, .commission, .modified, .modificationRefused: break
        }
    }

    /// What an order may still fill, by definition: its quantity without what its group has filled and what
    /// its parent has not.
    private static func open(_ order: Tracked, among orders: [Tracked]) -> Int64 {
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

    /// When nothing is under way, the venue has for each position what protects it, neither more nor less:
    /// with what leaves it otherwise all of it.
    private mutating func checkCover() {
        guard failure == nil, commands.isEmpty, answers.isEmpty else { return }
        for strategy in (0..<2).map(StrategyID.init(index:)) {
            for instrument in (0..<2).map(InstrumentID.init(index:)) {
                check(strategy, instrument)
            }
        }
    }

    private mutating func check(_ strategy: StrategyID, _ instrument: InstrumentID) {
        let held = held(strategy, instrument)
        let booked = engine.books.ledger(of: .strategy(strategy), in: instrument).quantity.units
        if booked != held { return failure = "booked \(booked), held \(held)" }
        var pair: [Int64] = []
        var leaving: Int64 = 0
        for order in orders
        where order.request.strategy == strategy && order.request.instrument == instrument {
            let open = Self.open(order, among: orders)
            switch order.request.purpose {
            case .protection: if open > 0 { pair.append(open) }
            case .exit: leaving += order.request.group == nil ? open : 0
            case .entry: break
            }
        }
        if let first = pair.first, pair.contains(where: { $0 != first }) || pair.count > 2 {
            return failure = "stop and target for \(pair) of \(held)"
        }
        let covered = (pair.first ?? 0) + leaving
        if covered > held.magnitude { return failure = "\(covered) to leave of \(held)" }
        guard !engine.gate.isLatched(instrument) else { return note("latch") }
        if covered < held.magnitude { failure = "\(covered) covered of \(held)" }
        if covered > 0 { note("cover") }
    }
}

extension OrderReport {
    fileprivate var isExecution: Bool {
        guard case .executed = fact else { return false }
        return true
    }
}
