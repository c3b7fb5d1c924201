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

/// A strategy that performs a line of its script when the timer of that number fires.
struct ScriptReader: Strategy {
    static let declaration = StrategyDeclaration(name: "reader", summary: "reads a script")

    /// What a line does.
    typealias Line = @Sendable (inout StrategyContext) -> Void

    private let script: [Line]

    init(_ setup: StrategySetup) { script = [] }
    init(_ script: [Line]) { self.script = script }

    mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {
        script[number](&context)
    }
}

/// An engine with a scripted strategy and the simulated venue, without latency, in minute bars.
struct MarketRig: ~Copyable {
    private(set) var engine: Engine
    private(set) var venue: SimulatedBroker
    /// All commands so far.
    private(set) var commands: [Command] = []
    /// All decisions so far.
    private(set) var decisions: [Decision] = []
    /// All reports so far.
    private(set) var reports: [OrderReport] = []
    private(set) var now = Make.open
    /// Whether the venue's answers are kept back until `settle`.
    var isSilent = false
    private var pending: [OrderReport] = []
    private var minute = 0

    static let share = InstrumentID(index: 0)

    /// 100,000 dollars, 100 shares an entry, no limits, ticks of a cent.
    init(
        _ protection: Protection? = nil, rules: (inout VenueRules) -> Void = { _ in },
        change: (inout EngineSetup) -> Void = { _ in }, script: [ScriptReader.Line]
    ) {
        let instruments = Make.instruments("AAA", "BBB")
        var venueRules = VenueRules(calendar: .always)
        rules(&venueRules)
        var setup = EngineSetup(
            instruments: instruments,
            strategies: [
                StrategyInstance(
                    ScriptReader(script), sizing: .fixedShares(Quantity(shares: 100)),
                    protection: protection, shown: instruments.map(\.id))
            ], capital: Money(cents: 100_000_00), limits: nil)
        setup.decisions = .all
        change(&setup)
        venue = SimulatedBroker(instruments: setup.instruments, rules: venueRules)
        engine = Engine(setup)
    }

    /// A whole bar of the next minute, prices in cents.
    mutating func play(
        _ open: Int64, _ high: Int64, _ low: Int64, _ close: Int64, volume: Int64 = 1_000_000
    ) {
        begin(open, high, low, close, volume: volume)
        end(open, high, low, close, volume: volume)
    }

    /// The open of the next minute's bar.
    mutating func begin(
        _ open: Int64, _ high: Int64, _ low: Int64, _ close: Int64, volume: Int64 = 1_000_000
    ) {
        let bar = Make.bar(
            minute, open: open, high: high, low: low, close: close, volume: volume)
        now = bar.start
        venue.barOpened(bar, answers: &pending)
        handle()
    }

    /// The rest of it.
    mutating func end(
        _ open: Int64, _ high: Int64, _ low: Int64, _ close: Int64, volume: Int64 = 1_000_000
    ) {
        let bar = Make.bar(
            minute, open: open, high: high, low: low, close: close, volume: volume)
        minute += 1
        now = bar.end
        venue.barClosed(bar, answers: &pending)
        handle()
        publish(.bar(bar))
        publish(.sliceClosed)
    }

    /// Performs a line of the script. Returns what was sent at once and in answer to answers.
    @discardableResult
    mutating func read(_ line: Int) -> [String] {
        let count = commands.count
        publish(.timer(TimerID(strategy: StrategyID(index: 0), number: line)))
        return Array(commands[count...]).words
    }

    /// Tells the engine something.
    mutating func publish(_ kind: Event.Kind) {
        var output = EngineOutput()
        engine.step(Event(at: now, kind: kind), into: &output)
        let answer = output.commands
        commands += answer
        decisions += output.decisions
        for command in answer { perform(command) }
        handle()
    }

    /// Ends all orders at the venue from outside.
    mutating func loseOrders() { endOrders(.external) }

    /// The time of all orders at the venue is over.
    mutating func expireOrders() { endOrders(.expired) }

    private mutating func endOrders(_ cause: CancelCause) {
        let ids = engine.orders.records.indices.map { engine.orders.records[$0].ticket.id }
        for id in ids where engine.orders.record(of: id)?.isListed == true {
            var ends: [OrderReport] = []
            venue.cancel(id, answers: &ends)
            pending += ends.map { OrderReport(order: $0.order, fact: .cancelled(cause)) }
        }
        handle()
    }

    /// A split on the next day, at the venue and for the engine.
    mutating func split(_ ratio: SplitRatio) {
        sleep()
        venue.split(Self.share, by: ratio, answers: &pending)
        let day = SessionCalendar.newYork.day(of: now)
        let action = CorporateAction(instrument: Self.share, exDay: day, kind: .split(ratio))
        publish(.corporateAction(action))
        handle()
    }

    /// The next day begins.
    mutating func sleep() {
        minute += 24 * 60
        now = now + .hours(24)
    }

    /// Hears what was kept back.
    mutating func settle() {
        isSilent = false
        handle()
    }

    private mutating func handle() {
        while !isSilent, !pending.isEmpty {
            let report = pending.removeFirst()
            reports.append(report)
            publish(.order(report))
        }
    }

    private mutating func perform(_ command: Command) {
        switch command {
        case .submit(let ticket): venue.submit(ticket, at: now, answers: &pending)
        case .modify(let ticket, let revision):
            venue.modify(ticket, revision: revision, at: now, answers: &pending)
        case .cancel(let id): venue.cancel(id, answers: &pending)
        case .setTimer, .probe, .query: break
        }
    }

    /// What the strategy holds, in whole shares.
    var held: Int64 {
        engine.portfolio.ledger(of: .strategy(StrategyID(index: 0)), in: Self.share).quantity.units
            / Quantity.unitsPerOne
    }

    /// What is live, in words: `2 sell 100 stop 95.00`.
    var live: [String] {
        engine.orders.liveOrders(of: StrategyID(index: 0), in: Self.share).compactMap { id in
            engine.orders.request(of: id).map { "\(id.number) \($0.words)" }
        }
    }

    /// What traded so far: `2 sell 100 at 95.00`.
    var fills: [String] {
        reports.compactMap { report in
            guard case .executed(let execution) = report.fact else { return nil }
            return "\(report.order.number) \(execution.side) \(execution.quantity) at "
                + "\(execution.price)"
        }
    }

    /// The reason of an order.
    func reason(of order: Int64) -> String {
        let index = engine.orders.request(of: OrderID(number: order))?.reason.index ?? 0
        return engine.reasons[Int(index)]
    }

    /// How often something was refused.
    func count(of refusal: Refusal) -> Int { engine.decisionCounts[refusal] }
}

extension [Command] {
    /// What was asked of the venue: `1 buy 100 market`, `change 2 to sell 150 stop 95.00`, `cancel 3`.
    var words: [String] {
        compactMap { command in
            switch command {
            case .submit(let ticket): "\(ticket.id.number) \(ticket.request.words)"
            case .modify(let ticket, _): "change \(ticket.id.number) to \(ticket.request.words)"
            case .cancel(let id): "cancel \(id.number)"
            case .setTimer, .probe, .query: nil
            }
        }
    }
}

extension OrderRequest {
    /// `sell 100 stop 95.00`.
    fileprivate var words: String {
        let price =
            switch type {
            case .market: "market"
            case .limit(let price): "limit \(price)"
            case .stop(let price): "stop \(price)"
            case .stopLimit(let stop, let limit): "stop \(stop) limit \(limit)"
            case .trailingStop(.amount(let amount)): "trailing \(amount)"
            case .trailingStop(.percent(let percent)): "trailing \(percent) %"
            case .marketOnOpen: "on open"
            case .limitOnOpen(let price): "on open \(price)"
            case .marketOnClose: "on close"
            case .limitOnClose(let price): "on close \(price)"
            }
        return "\(side) \(quantity) \(price)"
    }
}
