import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals
import TestSupport
import Testing

@testable import TradingEngine

/// A state that another configuration goes on from: cut anywhere, everything is there under its new ids.
@Suite struct TakeoverTests {
    /// The same configuration in another order.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func otherOrderOfTheConfigurationChangesNothing(seed: UInt64) {
        let events = MixedSession.events(seed: seed)
        let setup = EngineSetup.mixed(seed)
        let cut = Self.cut(events, seed)
        var first = Engine(setup)
        for event in events[..<cut] { Self.step(&first, event) }
        var swapped = setup
        swapped.swapAll()
        swapped.takeover = Takeover(.swapped, restarts: [false, false], haltsEntries: true)
        var output = EngineOutput()
        var second = Self.successor(of: first, swapped, into: &output)
        Self.expectTakenOver(first, second, output)
        #expect(!output.decisions.contains { $0.kind == .orphaned })
        let newest = first.orders.newestID?.number ?? 0
        var later = EngineOutput()
        for event in events[cut...] {
            guard let event = event.known(newest) else { continue }
            Self.step(&first, event)
            second.step(event.swapped, into: &later)
        }
        #expect(!later.hasEntries)
        let (expected, found) = (first.ledgers(.identity), second.ledgers(.swapped))
        #expect(found == expected)
        let isSound = second.portfolio.identityHolds
        #expect(isSound)
    }

    /// A strategy and an instrument that the configuration no longer names.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func orphansStayProtectedAndCanBeFlattened(seed: UInt64) {
        let events = MixedSession.events(seed: seed)
        let setup = EngineSetup.mixed(seed)
        let cut = Self.cut(events, seed)
        var first = Engine(setup)
        var venue = ObedientVenue()
        for event in events[..<cut] {
            var output = EngineOutput()
            first.step(event, into: &output)
            venue.note(output.commands)
        }
        var output = EngineOutput()
        var second = Self.successor(of: first, setup.withoutFirst, into: &output)
        Self.expectTakenOver(first, second, output)
        for strategy in 0..<2 {
            for instrument in 0..<2 where strategy == 0 || instrument == 0 {
                let held = first.ledgers(.identity)[strategy][instrument].quantity
                guard held != .zero else { continue }
                let subject = Decision.Subject(
                    strategy: StrategyID(index: 1 - strategy),
                    instrument: InstrumentID(index: 1 - instrument))
                let isReported = output.decisions.contains {
                    $0.kind == .orphaned && $0.subject == subject
                }
                #expect(isReported)
            }
        }
        let isInformed = output.decisions.contains { $0.kind == .halted(.changedSetup) }
        #expect(isInformed || first.gate.isHalted(for: .changedSetup))
        venue.finishWorkingOrders(of: &second)
        let scopes: [OperatorRequest.Scope] = [
            .strategy(StrategyID(index: 1)), .instrument(InstrumentID(index: 1)),
        ]
        for scope in scopes {
            venue.step(&second, .operatorRequest(OperatorRequest(.flatten(scope))))
        }
        venue.performAll(&second)
        // An exit that was in the way of another, or ended in vain, is sent again at the end of a slice.
        for _ in 0..<3 { venue.closeSlice(&second) }
        let left = second.ledgers(.swapped)
        #expect(left[0][0].quantity == .zero)
        #expect(left[0][1].quantity == .zero)
        #expect(left[1][0].quantity == .zero)
        #expect(venue.sentEntries == 0)
        let isSound = second.portfolio.identityHolds
        #expect(isSound)
    }

    /// Every position of an orphan is closed by its strategy, and its orders by their numbers.
    @Test func orphansProtectionCanBeCancelled() {
        var rig = Rig(change: { setup in
            setup.strategies[0] = StrategyInstance(
                setup.strategies[0].strategy, sizing: .fixedShares(Quantity(shares: 100)),
                protection: Protection(stop: .away(.percent(Percent(2)))),
                shown: setup.instruments.map(\.id))
        })
        rig.request(.enter(.buy))
        rig.report(1, .acknowledged)
        rig.report(2, .acknowledged)
        rig.fill(1, 100)
        var output = EngineOutput()
        var engine = Self.successor(of: rig.engine, Self.withoutPuppets, into: &output)
        #expect(output.commands.isEmpty)
        let reported = output.decisions.filter { $0.kind == .orphaned }
        #expect(
            reported.map(\.figures) == [
                Figures(.shares(.held, Quantity(shares: 100)), .count(.count, 1))
            ])
        var cancelled = EngineOutput()
        engine.step(
            Event(
                at: engine.now,
                kind: .operatorRequest(OperatorRequest(.cancel(.order(OrderID(number: 2)))))),
            into: &cancelled)
        #expect(cancelled.commands == [.cancel(OrderID(number: 2))])
    }

    /// No entry for an orphan, by whatever way it comes, though entries were resumed.
    @Test func orphanTakesNoEntries() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        var output = EngineOutput()
        var engine = Self.successor(of: rig.engine, Self.withoutPuppets, into: &output)
        engine.step(
            Event(at: engine.now, kind: .operatorRequest(OperatorRequest(.resumeAll))),
            into: &output)
        let isHalted = engine.gate.isHalted
        #expect(!isHalted)
        let row = ExternalSignal(
            strategy: StrategyID(index: 0), row: 1, instrument: Rig.first,
            target: .quantity(Quantity(shares: 500)))
        engine.step(Event(at: engine.now, kind: .signal(row)), into: &output)
        #expect(!output.hasEntries)
        let refusals = engine.decisionCounts[Refusal.orphaned]
        #expect(refusals == 1)
    }

    // MARK: Parts

    private static func cut(_ events: [Event], _ seed: UInt64) -> Int {
        var chance = SeededGenerator(seed: seed &+ 2_000)
        return Int(chance.number(in: 0...Int64(events.count)))
    }

    private static func step(_ engine: inout Engine, _ event: Event) {
        var ignored = EngineOutput()
        engine.step(event, into: &ignored)
    }

    private static func successor(
        of engine: borrowing Engine, _ setup: EngineSetup, into output: inout EngineOutput
    ) -> Engine {
        var setup = setup
        setup.reasons = engine.reasons
        setup.decisions = .all
        var successor = Engine(setup)
        let opening = SessionOpening(
            day: Day(number: 0), program: 1, configuration: 3, strategies: 3)
        successor.step(Event(at: engine.now, kind: .sessionOpened(opening)), into: &output)
        for record in engine.openingRecords() {
            successor.step(Event(at: engine.now, kind: .opening(record)), into: &output)
        }
        successor.step(Event(at: engine.now, kind: .openingComplete), into: &output)
        return successor
    }

    /// Money, orders and protection are what they were; entries are halted, and nothing but they is cancelled.
    private static func expectTakenOver(
        _ first: borrowing Engine, _ second: borrowing Engine, _ output: EngineOutput
    ) {
        let (expected, found) = (first.ledgers(.identity), second.ledgers(.swapped))
        #expect(found == expected)
        let (expectedOrders, foundOrders) = (
            first.orderViews(.identity), second.orderViews(.swapped)
        )
        #expect(foundOrders == expectedOrders)
        let (expectedPlans, foundPlans) = (first.planHashes(.identity), second.planHashes(.swapped))
        #expect(foundPlans == expectedPlans)
        let money = [first.portfolio.cash, first.portfolio.equity, first.portfolio.fees.total]
        let foundMoney = [
            second.portfolio.cash, second.portfolio.equity, second.portfolio.fees.total,
        ]
        #expect(foundMoney == money)
        let isSound = second.portfolio.identityHolds
        #expect(isSound)
        let isHalted = second.gate.isHalted(for: .changedSetup)
        #expect(isHalted)
        let isDamaged = second.gate.isHalted(for: .damagedState)
        #expect(!isDamaged)
        #expect(output.commands.orders.isEmpty)
        for command in output.commands {
            guard case .cancel(let id) = command else { continue }
            let purpose = second.orders.request(of: id)?.purpose
            #expect(purpose == .entry)
        }
    }

    /// The setup of `Rig` without a strategy, and with its instruments as orphans.
    private static var withoutPuppets: EngineSetup {
        var setup = EngineSetup(
            instruments: Make.instruments("AAA", "BBB"), strategies: [.orphan(shown: [])],
            capital: Money(cents: 100_000_00), limits: nil)
        setup.configuredInstruments = 0
        setup.configuredStrategies = 0
        setup.takeover = Takeover(.identity, restarts: [true], haltsEntries: true)
        return setup
    }
}

extension RecordIDs {
    /// Two instruments and two strategies under their own ids.
    fileprivate static var identity: RecordIDs {
        RecordIDs(
            instruments: (0..<2).map { InstrumentID(index: $0) },
            strategies: (0..<2).map { StrategyID(index: $0) })
    }
    /// Both the other way round.
    fileprivate static var swapped: RecordIDs {
        RecordIDs(
            instruments: (0..<2).map { InstrumentID(index: 1 - $0) },
            strategies: (0..<2).map { StrategyID(index: 1 - $0) })
    }
}

extension EngineSetup {
    /// Instruments and strategies the other way round.
    fileprivate mutating func swapAll() {
        instruments = instruments.reversed().enumerated().map { index, instrument in
            instrument.moved(to: InstrumentID(index: index))
        }
        strategies.swapAt(0, 1)
    }

    /// The second instrument and strategy first, behind them the former first as orphans.
    fileprivate var withoutFirst: EngineSetup {
        var setup = self
        setup.swapAll()
        setup.strategies[0] = StrategyInstance(
            strategies[1].strategy, sizing: strategies[1].sizing,
            protection: strategies[1].protection, shown: [InstrumentID(index: 0)])
        setup.strategies[1] = .orphan(shown: [])
        setup.configuredInstruments = 1
        setup.configuredStrategies = 1
        setup.takeover = Takeover(.swapped, restarts: [true, true], haltsEntries: true)
        return setup
    }
}

/// An order by what it is, whatever its ids.
private struct OrderView: Equatable {
    let id: OrderID
    let strategy: Int
    let instrument: Int
    let request: [Int64]
    let filled: Quantity
    let isListed: Bool
}

extension Engine {
    /// Every owner's ledgers, by the ids before.
    fileprivate func ledgers(_ ids: RecordIDs) -> [[PositionLedger]] {
        let owners: [Attribution] =
            ids.strategies.compactMap(\.self).map { .strategy($0) } + [.unattributed]
        var ledgers: [[PositionLedger]] = []
        for owner in owners {
            var row: [PositionLedger] = []
            for instrument in ids.instruments.compactMap(\.self) {
                row.append(portfolio.ledger(of: owner, in: instrument))
            }
            ledgers.append(row)
        }
        return ledgers
    }

    /// All orders, by the ids before: both maps are their own inverses.
    fileprivate func orderViews(_ ids: RecordIDs) -> [OrderView] {
        var views: [OrderView] = []
        for index in orders.records.indices {
            let record = orders.records[index]
            let request = record.ticket.request
            views.append(
                OrderView(
                    id: record.ticket.id,
                    strategy: Int(ids.strategies[Int(request.strategy.index)]?.index ?? -1),
                    instrument: Int(ids.instruments[Int(request.instrument.index)]?.index ?? -1),
                    request: [
                        request.quantity.units, request.side == .buy ? 1 : 0,
                        request.type.limitPrice?.units ?? 0, request.type.stopPrice?.units ?? 0,
                        Int64(request.reason.index), Int64(request.group?.number ?? 0),
                        request.parent?.number ?? 0,
                    ], filled: orders.filled(record.ticket.id), isListed: record.isListed))
        }
        return views
    }

    /// What protects each position, by the ids before; 0 for nothing.
    fileprivate func planHashes(_ ids: RecordIDs) -> [UInt64] {
        var hashes: [UInt64] = []
        for strategy in ids.strategies.compactMap(\.self) {
            for instrument in ids.instruments.compactMap(\.self) {
                var hasher = StateHasher()
                plans[plans.place(strategy, instrument)]?.hash(into: &hasher)
                hashes.append(hasher.digest)
            }
        }
        return hashes
    }
}

extension EngineOutput {
    /// True if an entry is sent.
    fileprivate var hasEntries: Bool {
        commands.contains { command in
            guard case .submit(let ticket) = command else { return false }
            return ticket.request.purpose == .entry
        }
    }
}

extension Event {
    /// What of an event an engine can know that has gone other ways since: prices, money, and orders up to `newest`.
    fileprivate func known(_ newest: Int64) -> Event? {
        switch kind {
        case .bar, .sliceClosed, .corporateAction, .cashMovement: return self
        case .order(let report): return report.order.number <= newest ? self : nil
        case .quote, .trade, .history, .historyComplete, .brokerOrder, .listing, .link,
            .accountValue, .sessionOpened, .opening, .openingComplete, .timer, .signal,
            .shadowResult, .operatorRequest, .condition, .dailyClose,
            .name, .clock:
            return nil
        }
    }

    /// The event about the other instrument.
    fileprivate var swapped: Event {
        func other(_ id: InstrumentID) -> InstrumentID { InstrumentID(index: 1 - Int(id.index)) }
        switch kind {
        case .bar(let bar):
            return Event(
                at: at,
                kind: .bar(
                    Bar(
                        instrument: other(bar.instrument), start: bar.start, barSize: bar.barSize,
                        open: bar.open, high: bar.high, low: bar.low, close: bar.close,
                        volume: bar.volume)))
        case .corporateAction(let action):
            return Event(
                at: at,
                kind: .corporateAction(
                    CorporateAction(
                        instrument: other(action.instrument), exDay: action.exDay,
                        kind: action.kind)))
        case .order(let report):
            guard case .executed(let execution) = report.fact else { return self }
            let moved = Execution(
                id: execution.id, instrument: other(execution.instrument), side: execution.side,
                quantity: execution.quantity, price: execution.price, time: execution.time)
            return Event(
                at: at, kind: .order(OrderReport(order: report.order, fact: .executed(moved))))
        case .quote, .trade, .history, .historyComplete, .brokerOrder, .listing, .link,
            .accountValue, .sessionOpened, .opening, .openingComplete, .timer, .signal,
            .shadowResult, .operatorRequest, .condition, .dailyClose,
            .name, .clock, .sliceClosed, .cashMovement:
            return self
        }
    }
}

/// A venue that fills every exit in whole, changes and cancels what it is asked to, and sets timers off.
private struct ObedientVenue {
    private var pending: [Command] = []
    private var timers: [(id: TimerID, at: Timestamp)] = []
    private var now = Timestamp.distantPast
    /// The newest change of each order that was asked for before: looked up, never iterated.
    private var revisions: [OrderID: Int32] = [:]
    private var executions: Int64 = 1 << 40
    /// How many entries came.
    private(set) var sentEntries = 0

    /// Takes in what was asked for before, and is answered by `finishWorkingOrders`.
    mutating func note(_ commands: [Command]) {
        for command in commands {
            if case .modify(let ticket, let revision) = command { revisions[ticket.id] = revision }
        }
    }

    mutating func step(_ engine: inout Engine, _ kind: Event.Kind) {
        var output = EngineOutput()
        engine.step(Event(at: now, kind: kind), into: &output)
        pending += output.commands
    }

    /// A minute passes.
    mutating func closeSlice(_ engine: inout Engine) {
        now = now + .minutes(1)
        step(&engine, .sliceClosed)
        performAll(&engine)
    }

    /// Answers what was asked for before, ends the entries that work, and fills the exits.
    mutating func finishWorkingOrders(of engine: inout Engine) {
        now = engine.now
        for id in engine.orders.allLive {
            guard let request = engine.orders.request(of: id) else { continue }
            if engine.orders.record(of: id)?.cancelRequested == true {
                report(&engine, id, .cancelled(.requested))
                continue
            }
            if let revision = revisions[id] { report(&engine, id, .modified(revision)) }
            switch request.purpose {
            case .entry: report(&engine, id, .cancelled(.requested))
            case .exit: fill(&engine, id, request)
            case .protection: report(&engine, id, .acknowledged)
            }
        }
        performAll(&engine)
    }

    /// Does what the engine asks for until it asks for nothing more.
    mutating func performAll(_ engine: inout Engine) {
        for _ in 0..<500 {
            if !pending.isEmpty {
                perform(pending.removeFirst(), &engine)
            } else if let next = timers.indices.min(by: { timers[$0].at < timers[$1].at }) {
                let timer = timers.remove(at: next)
                now = max(now, timer.at)
                step(&engine, .timer(timer.id))
            } else {
                return
            }
        }
        Issue.record("the engine comes to no end")
    }

    private mutating func perform(_ command: Command, _ engine: inout Engine) {
        switch command {
        case .submit(let ticket):
            report(&engine, ticket.id, .acknowledged)
            switch ticket.request.purpose {
            case .entry: sentEntries += 1
            case .exit: fill(&engine, ticket.id, ticket.request)
            case .protection: break
            }
        case .modify(let ticket, let revision): report(&engine, ticket.id, .modified(revision))
        case .cancel(let id), .probe(let id): report(&engine, id, .cancelled(.requested))
        case .query: break
        case .setTimer(let id, let time):
            timers.removeAll { $0.id == id }
            timers.append((id, time))
        }
    }

    /// Fills what the others of its group have left of an order, which ends them.
    private mutating func fill(_ engine: inout Engine, _ id: OrderID, _ request: OrderRequest) {
        guard engine.orders.record(of: id)?.isListed == true else { return }
        let open = engine.orders.openNow(id)
        guard open > .zero else { return report(&engine, id, .cancelled(.linked)) }
        executions += 1
        let execution = Execution(
            id: ExecutionID(base: executions, revision: 1), instrument: request.instrument,
            side: request.side, quantity: open, price: Price(cents: 20_00), time: now)
        report(&engine, id, .executed(execution))
        guard let group = request.group else { return }
        for other in engine.orders.allLive where engine.orders.request(of: other)?.group == group {
            report(&engine, other, .cancelled(.linked))
        }
    }

    private mutating func report(_ engine: inout Engine, _ id: OrderID, _ fact: OrderFact) {
        step(&engine, .order(OrderReport(order: id, fact: fact)))
    }
}
