import Accounting
import Model
import Orders
import Primitives
import Risk
import Simulation
import TestSupport

@testable import TradingEngine

/// The simulated venue with messages under way both ways, and a count of its own of what it holds.
///
/// Orders have the numbers 1, 2, 3 in the order of their submissions, as an engine gives them.
struct CountedVenue: ~Copyable {
    /// How messages travel.
    enum Travel: CaseIterable {
        /// At once.
        case never
        /// Late, in order.
        case inOrder
        /// Late, and answers overtake each other.
        case inAnyOrder
    }

    /// An order as the venue has it, by this count.
    struct Tracked {
        var request: OrderRequest
        /// What it has filled, in shares of now.
        var filled: Int64 = 0
        /// What it has filled, as was said at the time.
        var reported: Int64 = 0
        var isOver = false

        /// Whether nothing of it can fill any more.
        var isDone: Bool { isOver || reported >= request.quantity.units }

        fileprivate func isOf(_ strategy: StrategyID, _ instrument: InstrumentID) -> Bool {
            request.strategy == strategy && request.instrument == instrument
        }
    }

    /// The time at both ends.
    var now = Make.open
    /// What everything is drawn from.
    var chance: SeededGenerator
    /// The first promise that was broken.
    private(set) var failure: String?
    /// What happened that the promises are about.
    private(set) var seen: [String] = []
    /// All orders, the first one first.
    private(set) var orders: [Tracked] = []

    private let travel: Travel
    private var venue: SimulatedBroker
    private var commands: [Command] = []
    private var answers: [OrderReport] = []

    init(_ venue: consuming SimulatedBroker, travel: Travel, chance: SeededGenerator) {
        self.venue = venue
        self.travel = travel
        self.chance = chance
    }

    mutating func note(_ what: String) { seen.append(what) }

    mutating func fail(_ what: String) { failure = failure ?? what }

    // MARK: Messages

    /// Whether nothing is under way.
    var isQuiet: Bool { commands.isEmpty && answers.isEmpty }

    /// Sends a command.
    mutating func send(_ command: Command) {
        if case .submit(let ticket) = command { orders.append(Tracked(request: ticket.request)) }
        commands.append(command)
    }

    /// Lets the next messages arrive: what an engine is to hear, perhaps nothing, perhaps twice. `nil` when
    /// nothing is under way or the rest comes later.
    mutating func arrive(percent: Int64) -> [OrderReport]? {
        guard failure == nil, !isQuiet else { return nil }
        if travel != .never, !chance.chance(percent: percent) { return nil }
        if !commands.isEmpty { perform(commands.removeFirst()) }
        guard !answers.isEmpty else { return [] }
        let report = answers.remove(at: nextAnswer())
        return chance.chance(percent: 5) ? [report, report] : [report]
    }

    /// Executions do not overtake each other, nor the end or a change of an order its executions: who hears
    /// first what happened last sees positions that never were.
    private mutating func nextAnswer() -> Int {
        guard travel == .inAnyOrder else { return 0 }
        let index = Int(chance.number(in: 0...Int64(answers.count - 1)))
        switch answers[index].fact {
        case .acknowledged, .commission, .rejected: return index
        case .executed: return answers.firstIndex { $0.isExecution } ?? index
        case .cancelled, .modified, .modificationRefused,
            .notSent, .sendInterrupted, .status, .listedOpen, .listedCompleted, .rejectedByBroker,
            .cancelledByBroker, .heldByBroker, .message, .probeAnswer, .acknowledgementOverdue,
            .closed, .reopened:
            let order = answers[index].order
            let hasFills = answers[..<index].contains { $0.order == order && $0.isExecution }
            return hasFills ? answers.firstIndex { $0.isExecution } ?? index : index
        }
    }

    private mutating func perform(_ command: Command) {
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
            let refusal = OrderReport(order: ticket.id, fact: .modificationRefused(revision))
            if chance.chance(percent: 3) { return answers.append(refusal) }
            let index = Int(ticket.id.number) - 1
            let old = orders[index].request
            orders[index].request = ticket.request
            ask { [now] in $0.modify(ticket, revision: revision, at: now, answers: &$1) }
            if answers.contains(refusal) {
                orders[index].request = old
                note("refused change")
            }
        case .cancel(let id): ask { $0.cancel(id, answers: &$1) }
        case .setTimer, .probe, .query: break
        }
    }

    // MARK: The venue

    /// Lets the venue do something, and counts what it says.
    mutating func ask(_ body: (inout SimulatedBroker, inout [OrderReport]) -> Void) {
        var reports: [OrderReport] = []
        body(&venue, &reports)
        for report in reports { count(report) }
        answers += reports
    }

    /// Ends an order by its own will, if there is one.
    mutating func cancelAnOrder() {
        let id = OrderID(number: chance.number(in: 1...Int64(max(orders.count, 1))))
        ask { venue, answers in
            var ends: [OrderReport] = []
            venue.cancel(id, answers: &ends)
            answers += ends.map { end in
                end.order == id ? OrderReport(order: id, fact: .cancelled(.external)) : end
            }
        }
    }

    /// Makes two shares of each, and of each that an order may still fill.
    mutating func split(_ instrument: InstrumentID) {
        guard let ratio = SplitRatio(snapping: Quantity(shares: 2)) else {
            return fail("two for one is no ratio")
        }
        let open = orders.map { self.open($0) }
        let quantities = orders.indices.map { index in
            let order = orders[index]
            let reported = reported(byGroupOf: order)
            let waiting = max(0, order.request.quantity.units - reported - open[index])
            let isLost = order.request.parent.map { orders[Int($0.number) - 1].isDone } ?? true
            return reported + 2 * open[index] + (isLost ? 1 : 2) * waiting
        }
        ask { $0.split(instrument, by: ratio, answers: &$1) }
        for index in orders.indices where orders[index].request.instrument == instrument {
            if !orders[index].isDone {
                orders[index].request = orders[index].request.with(
                    quantity: Quantity(units: quantities[index]))
            }
            orders[index].filled *= 2
        }
        note("split")
    }

    // MARK: The count

    /// What a strategy has, in units, negative when short.
    func held(_ strategy: StrategyID, _ instrument: InstrumentID) -> Int64 {
        orders.reduce(0) { sum, order in
            guard order.isOf(strategy, instrument) else { return sum }
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
            orders[index].reported += execution.quantity.units
            let after = held(request.strategy, request.instrument)
            if request.purpose != .entry,
                after.magnitude > before.magnitude || after != 0 && (before > 0) != (after > 0)
            {
                fail("\(request.purpose) \(report.order) took \(before) to \(after)")
            }
            note("\(request.purpose) fill")
        case .cancelled, .rejected: orders[index].isOver = true
        case .acknowledged, .commission, .modified, .modificationRefused,
            .notSent, .sendInterrupted, .status, .listedOpen, .listedCompleted, .rejectedByBroker,
            .cancelledByBroker, .heldByBroker, .message, .probeAnswer, .acknowledgementOverdue,
            .closed, .reopened:
            break
        }
    }

    /// What an order may still fill, by definition: its quantity without what its group has filled and what
    /// its parent has not.
    private func open(_ order: Tracked) -> Int64 {
        guard !order.isOver else { return 0 }
        let missing = order.request.parent.map { parent in
            let parent = orders[Int(parent.number) - 1]
            return max(0, parent.request.quantity.units - parent.reported)
        }
        return max(
            0, order.request.quantity.units - reported(byGroupOf: order) - (missing ?? 0))
    }

    private func reported(byGroupOf order: Tracked) -> Int64 {
        guard let group = order.request.group else { return order.reported }
        return orders.reduce(0) { $1.request.group == group ? $0 + $1.reported : $0 }
    }

    // MARK: Promises

    /// When nothing is under way, the venue has for each position with a plan what protects it, neither
    /// more nor less: with what leaves it otherwise all of it.
    ///
    /// - Parameter isAlwaysPlanned: Whether there is a plan for every position.
    mutating func checkCover(by engine: inout Engine, isAlwaysPlanned: Bool) {
        guard failure == nil, isQuiet else { return }
        if !seen.contains("split") { checkChildren() }
        for strategy in (0..<2).map(StrategyID.init(index:)) {
            for instrument in (0..<2).map(InstrumentID.init(index:)) {
                let ledger = engine.portfolio.ledger(of: .strategy(strategy), in: instrument)
                let booked = ledger.quantity.units
                let held = held(strategy, instrument)
                let hasPlan = engine.plans[engine.plans.place(strategy, instrument)] != nil
                if booked != held { fail("booked \(booked), held \(held)") }
                if isAlwaysPlanned, held != 0, !hasPlan { fail("\(held) without a plan") }
                checkCover(
                    strategy, instrument, hasPlan: hasPlan,
                    isLatched: engine.gate.isLatched(instrument))
            }
        }
    }

    /// A child's quantity is its parent's, as long as the parent works.
    private mutating func checkChildren() {
        for order in orders where !order.isOver {
            guard let parent = order.request.parent else { continue }
            let opened = orders[Int(parent.number) - 1]
            guard opened.isDone || opened.request.quantity == order.request.quantity else {
                return fail("child for \(order.request.quantity) of an open parent")
            }
        }
    }

    private mutating func checkCover(
        _ strategy: StrategyID, _ instrument: InstrumentID, hasPlan: Bool, isLatched: Bool
    ) {
        let held = held(strategy, instrument)
        var pair: [Int64] = []
        var leaving: Int64 = 0
        for order in orders where order.isOf(strategy, instrument) {
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
        if !hasPlan, !pair.isEmpty { return fail("\(pair) without a plan") }
        let covered = (pair.first ?? 0) + leaving
        if covered > held.magnitude { return fail("\(covered) to leave of \(held)") }
        guard hasPlan else { return }
        guard !isLatched else { return note("latch") }
        if covered < held.magnitude { fail("\(covered) covered of \(held)") }
        if covered > 0 { note("cover") }
    }
}

extension OrderReport {
    fileprivate var isExecution: Bool {
        guard case .executed = fact else { return false }
        return true
    }
}
