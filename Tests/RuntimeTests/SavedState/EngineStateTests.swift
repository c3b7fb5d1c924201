import Accounting
import Model
import Primitives
import Risk
import Signals
import Strategies
import TestSupport
import Testing
import TradingEngine

@testable import Runtime

/// A session that goes on from another's state, under the same configuration and under others.
@Suite struct EngineStateTests {
    private static let opening = SessionOpening(
        day: Day(number: 19_000), program: 1, configuration: 2, strategies: 3)
    private static let edited = SessionOpening(
        day: Day(number: 19_000), program: 1, configuration: 9, strategies: 3)
    private static let first = StrategyID(index: 0)

    @Test func sameConfigurationGoesOnAsItWas() throws {
        let configured = try Self.setup(["AAA", "BBB"], ["one", "two"])
        let state = try Self.state(configured)
        let setup = try state.setup(for: configured, opening: Self.opening)
        #expect(setup.engine.takeover == nil)
        #expect(setup.engine.strategies.count == 2)
        var output = EngineOutput()
        let engine = state.engine(setup, opening: Self.opening, into: &output)
        let hash = engine.stateHash
        let before = try Self.engine(configured).stateHash
        #expect(hash == before)
        #expect(output.decisions.isEmpty)
    }

    /// Strategy "one" holds 100 AAA and has an order for BBB; neither it nor AAA is configured any more, CCC is new.
    @Test func removedStrategyAndSymbolBecomeOrphans() throws {
        let state = try Self.state(try Self.setup(["AAA", "BBB", "DDD"], ["one", "two"]))
        let configured = try Self.setup(["CCC", "BBB"], ["three", "two"])
        let setup = try state.setup(for: configured, opening: Self.edited)
        // Nothing was ever held of DDD.
        #expect(setup.engine.instruments.map(\.symbol) == ["CCC", "BBB", "AAA"])
        #expect(setup.engine.instruments.map(\.id.index) == [0, 1, 2])
        #expect(setup.strategies.map(\.name) == ["three", "two", "one"])
        var output = EngineOutput()
        var engine = state.engine(setup, opening: Self.edited, into: &output)
        let orphan = StrategyID(index: 2)
        let held = engine.portfolio.ledger(
            of: .strategy(orphan), in: InstrumentID(index: 2)
        ).quantity
        #expect(held == Quantity(shares: 100))
        let isDamaged = engine.gate.isHalted(for: .damagedState)
        #expect(!isDamaged)
        let isHalted = engine.gate.isHalted(for: .changedSetup)
        #expect(isHalted)
        let reported = output.decisions.filter { $0.kind == .orphaned }.map(\.subject)
        #expect(
            reported == [
                Decision.Subject(strategy: orphan, instrument: InstrumentID(index: 1)),
                Decision.Subject(strategy: orphan, instrument: InstrumentID(index: 2)),
            ])
        #expect(output.commands == [.cancel(OrderID(number: 2))])
        var flattened = EngineOutput()
        engine.step(
            Event(
                at: engine.now,
                kind: .operatorRequest(OperatorRequest(.flatten(.strategy(orphan))))),
            into: &flattened)
        let exits = flattened.commands.compactMap { command -> OrderRequest? in
            guard case .submit(let ticket) = command else { return nil }
            return ticket.request
        }
        #expect(exits.map(\.quantity) == [Quantity(shares: 100)])
        #expect(exits.map(\.side) == [.sell])
    }

    /// The orphans of yesterday are those of today, and halt nothing again.
    @Test func orphansStayUnderTheSameConfiguration() throws {
        let state = try Self.state(try Self.setup(["AAA", "BBB"], ["one", "two"]))
        let configured = try Self.setup(["BBB"], ["two"])
        let setup = try state.setup(for: configured, opening: Self.edited)
        var output = EngineOutput()
        var engine = state.engine(setup, opening: Self.edited, into: &output)
        engine.step(
            Event(at: engine.now, kind: .operatorRequest(OperatorRequest(.resumeAll))),
            into: &output)
        let next = try EngineState(of: engine, setup, opening: Self.edited)
        let nextSetup = try next.setup(for: configured, opening: Self.edited)
        #expect(nextSetup.engine.takeover == nil)
        var nextOutput = EngineOutput()
        let nextEngine = next.engine(nextSetup, opening: Self.edited, into: &nextOutput)
        let isHalted = nextEngine.gate.isHalted
        #expect(!isHalted)
        #expect(nextOutput.decisions.contains { $0.kind == .orphaned })
        let (hash, former) = (nextEngine.stateHash, engine.stateHash)
        #expect(hash == former)
    }

    /// A program that cannot read the configuration of a journal has something stand in for its strategies, which takes
    /// none of their states.
    @Test func whatStandsInForAStrategyTakesNoState() throws {
        let configured = try Self.setup(["AAA", "BBB"], ["one", "two"])
        let state = try Self.state(configured)
        var orphaned = configured
        for index in orphaned.engine.strategies.indices {
            orphaned.engine.strategies[index] = .orphan(shown: [])
        }
        let setup = try state.setup(for: orphaned, opening: Self.opening)
        #expect(setup.engine.strategies.map(\.isOrphan) == [true, true])
        var output = EngineOutput()
        let engine = state.engine(setup, opening: Self.opening, into: &output)
        let held = engine.portfolio.ledger(
            of: .strategy(Self.first), in: InstrumentID(index: 0)
        ).quantity
        #expect(held == Quantity(shares: 100))
    }

    /// A strategy that is named again has its position again.
    @Test func orphanThatIsNamedAgainIsNoOrphan() throws {
        let original = try Self.setup(["AAA", "BBB"], ["one", "two"])
        let state = try Self.state(original)
        let setup = try state.setup(
            for: try Self.setup(["BBB"], ["two"]), opening: Self.edited)
        var output = EngineOutput()
        let engine = state.engine(setup, opening: Self.edited, into: &output)
        let next = try EngineState(of: engine, setup, opening: Self.edited)
        let restored = try next.setup(for: original, opening: Self.opening)
        #expect(restored.strategies.map(\.name) == ["one", "two"])
        var nextOutput = EngineOutput()
        let last = next.engine(restored, opening: Self.opening, into: &nextOutput)
        let held = last.portfolio.ledger(
            of: .strategy(Self.first), in: InstrumentID(index: 0)
        ).quantity
        #expect(held == Quantity(shares: 100))
        #expect(!nextOutput.decisions.contains { $0.kind == .orphaned })
    }

    // MARK: Saved states of strategies

    /// What is different from the state's configuration, and which strategies go on from their saved states.
    struct Edit: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var symbols = ["AAA", "BBB"]
        var names = ["one", "two"]
        var digest: UInt64 = 7
        var opening = EngineStateTests.edited
        let restarts: [Bool]
    }

    private static let edits = [
        Edit(testDescription: "other limits", restarts: [false, false]),
        Edit(
            testDescription: "strategies in another order", names: ["two", "one"],
            restarts: [false, false]),
        Edit(
            testDescription: "another strategy", names: ["three", "one", "two"],
            restarts: [true, false, false]),
        Edit(testDescription: "other parameters", digest: 8, restarts: [true, true]),
        Edit(
            testDescription: "symbols in another order", symbols: ["BBB", "AAA"],
            restarts: [true, true]),
        Edit(
            testDescription: "another symbol", symbols: ["AAA", "BBB", "CCC"],
            restarts: [true, true]),
        Edit(
            testDescription: "another program",
            opening: SessionOpening(
                day: Day(number: 19_000), program: 5, configuration: 2, strategies: 3),
            restarts: [true, true]),
    ]

    @Test(arguments: edits)
    func strategyGoesOnWhereItIsTheSame(edit: Edit) throws {
        let state = try Self.state(try Self.setup(["AAA", "BBB"], ["one", "two"]))
        let configured = try Self.setup(edit.symbols, edit.names, digest: edit.digest)
        let setup = try state.setup(for: configured, opening: edit.opening)
        #expect(setup.engine.takeover?.restarts == edit.restarts)
        #expect(setup.engine.takeover?.haltsEntries == true)
        for (index, restarts) in edit.restarts.enumerated() {
            let isFresh =
                try StrategyState.encode(setup.engine.strategies[index].strategy)
                == StrategyState.encode(configured.engine.strategies[index].strategy)
            // It has seen a bar before the state was saved.
            #expect(isFresh == restarts)
        }
    }

    /// What is the same in name and another contract is another instrument.
    @Test func instrumentOfAnotherContractIsAnother() throws {
        let state = try Self.state(try Self.setup(["AAA", "BBB"], ["one", "two"]))
        var configured = try Self.setup(["AAA", "BBB"], ["one", "two"])
        configured.engine.instruments[0].multiplier = 100
        configured.engine.instruments[1].assetClass = .etf
        let setup = try state.setup(for: configured, opening: Self.edited)
        #expect(setup.engine.instruments.map(\.symbol) == ["AAA", "BBB", "AAA"])
        #expect(setup.engine.instruments.map(\.multiplier) == [100, 1, 1])
    }

    /// An option that is held keeps its underlying, under the id that it has now.
    @Test func optionKeepsItsUnderlying() throws {
        var former = try Self.setup(["DDD", "AAA", "BBB"], ["one"])
        let terms = OptionTerms(
            underlying: InstrumentID(index: 2), expiry: Day(number: 20_000),
            strike: Price(cents: 10_00), right: .call)
        former.engine.instruments[1].assetClass = .option(terms)
        let state = try Self.state(former, held: 1)
        let setup = try state.setup(
            for: try Self.setup(["EEE"], ["one"]), opening: Self.edited)
        let instruments = setup.engine.instruments
        #expect(instruments.map(\.symbol).sorted() == ["AAA", "BBB", "DDD", "EEE"])
        let option = instruments.first { $0.symbol == "AAA" }
        let underlying = instruments.first { $0.symbol == "BBB" }?.id
        #expect(
            option?.assetClass
                == .option(
                    OptionTerms(
                        underlying: try #require(underlying), expiry: terms.expiry,
                        strike: terms.strike, right: terms.right)))
    }

    // MARK: Parts

    private static func setup(
        _ symbols: [String], _ names: [String], digest: UInt64 = 7
    ) throws -> SessionSetup {
        let instruments = symbols.enumerated().map {
            Instrument(id: InstrumentID(index: $0), symbol: $1)
        }
        let setup = StrategySetup(
            instruments: instruments,
            parameters: Parameters(defaultsOf: Momentum.declaration.parameters))
        let strategy = try Momentum(setup)
        var engine = EngineSetup(
            instruments: instruments,
            strategies: names.map { _ in
                StrategyInstance(
                    strategy, sizing: .fixedShares(Quantity(shares: 10)),
                    shown: instruments.map(\.id))
            }, capital: Money(cents: 100_000_00), limits: nil)
        engine.decisions = .all
        return SessionSetup(
            engine, strategies: names.map { ConfiguredStrategy(name: $0, digest: digest) })
    }

    private static func state(_ setup: SessionSetup, held: Int = 0) throws -> EngineState {
        try EngineState(of: try engine(setup, held: held), setup, opening: opening)
    }

    /// An engine whose first strategy holds 100 of an instrument, and wants 100 of the first that it does not hold.
    private static func engine(_ setup: SessionSetup, held: Int = 0) throws -> Engine {
        var engine = Engine(setup.engine)
        var output = EngineOutput()
        let other = held == 0 ? 1 : 0
        for instrument in setup.engine.instruments.indices {
            let bar = Make.bar(0, open: 50_00, close: 50_00, instrument: instrument)
            engine.step(Event(at: Make.time(60), kind: .bar(bar)), into: &output)
        }
        engine.step(Event(at: Make.time(60), kind: .sliceClosed), into: &output)
        for (row, instrument) in [held, other].enumerated() {
            let signal = ExternalSignal(
                strategy: first, row: Int64(row), instrument: InstrumentID(index: instrument),
                target: .quantity(Quantity(shares: 100)))
            engine.step(Event(at: Make.time(60), kind: .signal(signal)), into: &output)
        }
        let execution = Make.execution(
            1, .buy, 100, cents: 50_00, instrument: held, second: 60)
        let report = OrderReport(order: OrderID(number: 1), fact: .executed(execution))
        engine.step(Event(at: Make.time(60), kind: .order(report)), into: &output)
        return engine
    }
}
