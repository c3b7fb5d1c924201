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

/// An engine that begins with the state of another goes on as that one does.
@Suite struct OpeningTests {
    /// What an engine answered to each event, and its state behind it.
    private struct Answer: Equatable {
        let output: UInt64
        let state: UInt64
    }

    /// - Parameter hashesState: the state is hashed now and then: that takes longer than the event.
    private static func answer(
        _ engine: inout Engine, to event: Event, hashesState: Bool = false
    ) -> Answer {
        var output = EngineOutput()
        engine.step(event, into: &output)
        var digest = OutputDigest()
        digest.add(output)
        return Answer(output: digest.value, state: hashesState ? engine.stateHash : 0)
    }

    /// An engine of the same setup that begins with the state of `engine`, and with its strategies.
    private static func successor(of engine: borrowing Engine, _ setup: EngineSetup) -> Engine {
        var setup = setup
        setup.reasons = engine.reasons
        for index in setup.strategies.indices {
            setup.strategies[index].strategy = engine.instances[index].strategy
        }
        var successor = Engine(setup)
        var output = EngineOutput()
        let opening = SessionOpening(
            day: Day(number: 0), program: 1, configuration: 2, strategies: 3)
        successor.step(
            Event(at: engine.now, kind: .sessionOpened(opening)), into: &output)
        for record in engine.openingRecords() {
            successor.step(Event(at: engine.now, kind: .opening(record)), into: &output)
        }
        successor.step(Event(at: engine.now, kind: .openingComplete), into: &output)
        return successor
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func engineCutAnywhereGoesOnAsIfUncut(seed: UInt64) {
        let events = MixedSession.events(seed: seed)
        var setup = EngineSetup.mixed(seed)
        setup.decisions = .all
        var chance = SeededGenerator(seed: seed &+ 1_000)
        let cut = Int(chance.number(in: 0...Int64(events.count)))
        var first = Engine(setup)
        for event in events[..<cut] { _ = Self.answer(&first, to: event) }
        var second = Self.successor(of: first, setup)
        let (expected, found) = (first.stateHash, second.stateHash)
        #expect(found == expected, "right behind event \(cut) of \(events.count)")
        for (index, event) in events[cut...].enumerated() {
            let hashesState = index % 25 == 0 || index == events.count - cut - 1
            let expected = Self.answer(&first, to: event, hashesState: hashesState)
            let found = Self.answer(&second, to: event, hashesState: hashesState)
            guard found != expected else { continue }
            Issue.record("event \(index) behind the cut at \(cut) of \(events.count)")
            return
        }
    }

    @Test func strategyTimersAreSetAgain() {
        var rig = Rig()
        rig.request(.timer(secondsAfterOpen: 90))
        let id = TimerID(strategy: StrategyID(index: 0), number: 1)
        var output = EngineOutput()
        var engine = Engine(Self.puppets())
        let now = rig.engine.now
        engine.step(Event(at: now, kind: .sessionOpened(Self.opening)), into: &output)
        for record in rig.engine.openingRecords() {
            engine.step(Event(at: now, kind: .opening(record)), into: &output)
        }
        engine.step(Event(at: now, kind: .openingComplete), into: &output)
        #expect(output.commands == [.setTimer(id, at: Make.time(90))])
    }

    /// A dividend that the broker paid and no corporate action announced belongs to no position.
    @Test func incomeWithoutAPositionIsKept() {
        var rig = Rig()
        rig.publish(.cashMovement(CashMovement(.dividend, Money(cents: 12_34))))
        let successor = Self.successor(of: rig.engine, Self.puppets())
        let isHalted = successor.gate.isHalted
        #expect(!isHalted)
        let income = successor.portfolio.otherIncome
        #expect(income == ExactMoney(Money(cents: 12_34)))
        let (hash, expected) = (successor.stateHash, rig.stateHash)
        #expect(hash == expected)
    }

    // MARK: Damage

    /// Whatever the words are, nothing traps; a record that makes no sense halts entries.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func damagedRecordsNeverTrap(seed: UInt64) {
        var session = MixedSession(seed: seed)
        for _ in 0..<15 { session.play() }
        let setup = EngineSetup.mixed(seed)
        var first = Engine(setup)
        for event in session.events { _ = Self.answer(&first, to: event) }
        var chance = SeededGenerator(seed: seed)
        var records = first.openingRecords()
        for _ in 0..<3 where !records.isEmpty {
            let index = Int(chance.number(in: 0...Int64(records.count - 1)))
            switch chance.number(in: 0...2) {
            case 0: records.remove(at: index)
            case 1: records.insert(records[index], at: index)
            default:
                let other = Int(chance.number(in: 0...Int64(records.count - 1)))
                records[index] = records[index].damaged(
                    word: Int(chance.number(in: 0...11)), by: records[other].values.first ?? -1)
            }
        }
        var second = Engine(setup)
        var output = EngineOutput()
        second.step(Event(at: first.now, kind: .sessionOpened(Self.opening)), into: &output)
        for record in records {
            second.step(Event(at: first.now, kind: .opening(record)), into: &output)
        }
        second.step(Event(at: first.now, kind: .openingComplete), into: &output)
        let isDamaged = second.decisionCounts[.damagedRecord] > 0
        let isHalted = second.gate.isHalted(for: .damagedState)
        #expect(!isDamaged || isHalted)
    }

    @Test func recordBehindTheOpeningIsDamage() {
        var rig = Rig()
        let records = rig.engine.openingRecords()
        rig.publish(.sessionOpened(Self.opening))
        rig.publish(.openingComplete)
        rig.publish(.opening(records[0]))
        #expect(rig.decisions.contains { $0.kind == .damagedRecord(.clock) })
    }

    // MARK: What the configuration no longer names

    /// A strategy that is gone: another that does nothing stands in its place; what it held stays protected and
    /// can be flattened.
    @Test func positionOfARemovedStrategyCanBeFlattened() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        var setup = Self.puppets()
        setup.strategies = [.orphan(shown: setup.instruments.map(\.id))]
        var engine = Engine(setup)
        var output = EngineOutput()
        let now = rig.engine.now
        engine.step(Event(at: now, kind: .sessionOpened(Self.opening)), into: &output)
        for record in rig.engine.openingRecords() {
            engine.step(Event(at: now, kind: .opening(record)), into: &output)
        }
        engine.step(Event(at: now, kind: .openingComplete), into: &output)
        let scope = OperatorRequest.Scope.strategy(StrategyID(index: 0))
        engine.step(
            Event(at: now, kind: .operatorRequest(OperatorRequest(.flatten(scope)))),
            into: &output)
        #expect(output.commands.orders == ["sell 100 exit"])
    }

    private static let opening = SessionOpening(
        day: Day(number: 0), program: 1, configuration: 2, strategies: 3)

    private static func puppets() -> EngineSetup {
        let instruments = Make.instruments("AAA", "BBB")
        let setup = StrategySetup(
            instruments: instruments,
            parameters: Parameters(defaultsOf: Puppet.declaration.parameters))
        return EngineSetup(
            instruments: instruments,
            strategies: [
                StrategyInstance(
                    Puppet(setup), sizing: .fixedShares(Quantity(shares: 100)),
                    shown: instruments.map(\.id))
            ], capital: Money(cents: 100_000_00), limits: nil)
    }
}

/// Orders, ledgers and latches as a record's events and commands made them, whatever strategies would decide now.
@Suite struct RebuildTests {
    @Test(arguments: 0..<100 as Range<UInt64>)
    func rebuiltStateIsThatOfTheRecord(seed: UInt64) {
        let events = MixedSession.events(seed: seed, steps: 40)
        let setup = EngineSetup.mixed(seed)
        var first = Engine(setup)
        var edited = setup
        for index in edited.strategies.indices {
            edited.strategies[index] = .orphan(shown: setup.instruments.map(\.id))
        }
        var second = Engine(edited)
        for event in events {
            var output = EngineOutput()
            first.step(event, into: &output)
            second.rebuild(event)
            for command in output.commands { second.rebuild(command) }
        }
        let (expected, found) = (first.ledgerHash, second.ledgerHash)
        #expect(found == expected)
        var output = EngineOutput()
        second.completeRebuild(into: &output)
        let isHalted = second.gate.isHalted(for: .changedSetup)
        #expect(isHalted)
        #expect(output.commands.orders.isEmpty)
        #expect(output.commands.cancellations.isEmpty || !first.gate.isHalted)
    }
}

extension Engine {
    /// A digest of orders, positions and money.
    fileprivate var ledgerHash: UInt64 {
        var hasher = StateHasher()
        portfolio.hash(into: &hasher)
        orders.hash(into: &hasher)
        return hasher.digest
    }
}
