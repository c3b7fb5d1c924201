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

/// A strategy that wants what the number of a timer says, so that a test says what is wanted when.
struct Puppet: Strategy {
    static let declaration = StrategyDeclaration(name: "puppet", summary: "does what it is told")

    init(_ setup: StrategySetup) {}

    mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {
        Instruction.perform(&context, timer: number)
    }
}

/// What a puppet can be told, in whole shares, cents and percent.
enum Instruction: Equatable {
    case enter(Side)
    case enterAtLimit(Side, cents: Int64)
    case enterAtStop(Side, cents: Int64)
    case exit
    case exitAtLimit(cents: Int64)
    case exitAtStop(cents: Int64)
    case target(Int64)
    case weight(percent: Int64)
    case weightOfNothing
    case cancel
    case withdraw
    case timer(secondsAfterOpen: Int64)
    case exitNow
}

/// An engine for two shares, with puppets as strategies, and what it has said.
struct Rig: ~Copyable {
    private(set) var engine: Engine
    /// All commands so far.
    private(set) var commands: [Command] = []
    /// All decisions so far.
    private(set) var decisions: [Decision] = []
    private var executions: Int64 = 0
    private(set) var now = Make.open

    static let first = InstrumentID(index: 0)
    static let second = InstrumentID(index: 1)

    /// 100,000 dollars, fixed size of 100 shares, no limits, unless said otherwise; the first share at 50.00
    /// and the second at 20.00.
    init(
        strategies: Int = 1, sizing: Sizing = .fixedShares(Quantity(shares: 100)),
        limits: RiskLimits? = nil, isPriced: Bool = true,
        change: (inout EngineSetup) -> Void = { _ in }
    ) {
        let instruments = Make.instruments("AAA", "BBB")
        let setup = StrategySetup(
            instruments: instruments,
            parameters: Parameters(defaultsOf: Puppet.declaration.parameters))
        var engineSetup = EngineSetup(
            instruments: instruments,
            strategies: (0..<strategies).map { _ in
                StrategyInstance(Puppet(setup), sizing: sizing, shown: instruments.map(\.id))
            }, capital: Money(cents: 100_000_00), limits: limits)
        engineSetup.decisions = .all
        change(&engineSetup)
        engine = Engine(engineSetup)
        guard isPriced else { return }
        price(50_00)
        price(20_00, of: Self.second)
    }

    /// Gives the engine an identity at a broker.
    mutating func connect(_ identity: OrderIdentity) { engine.orders.identity = identity }

    // MARK: Telling it

    /// Tells the engine something and returns what it wants done about it.
    @discardableResult
    mutating func publish(_ kind: Event.Kind, at time: Timestamp? = nil) -> [Command] {
        now = time ?? now
        var output = EngineOutput()
        engine.step(Event(at: now, kind: kind), into: &output)
        let answer = output.commands
        commands += answer
        decisions += output.decisions
        return answer
    }

    /// A bar closes at a price.
    mutating func price(_ cents: Int64, of instrument: InstrumentID = first) {
        publish(.bar(Make.bar(-1, open: cents, close: cents, instrument: Int(instrument.index))))
    }

    /// A bar closes, and its slice with it.
    @discardableResult
    mutating func close(_ bar: Bar) -> [Command] {
        let first = publish(.bar(bar))
        return first + publish(.sliceClosed)
    }

    /// A strategy requests something.
    @discardableResult
    mutating func request(
        _ intent: Instruction, strategy: Int = 0, in instrument: InstrumentID = first
    ) -> [Command] {
        let number = intent.timer(in: instrument)
        return publish(.timer(TimerID(strategy: StrategyID(index: strategy), number: number)))
    }

    /// The venue says something about an order.
    @discardableResult
    mutating func report(_ order: Int64, _ fact: OrderFact) -> [Command] {
        publish(.order(OrderReport(order: OrderID(number: order), fact: fact)))
    }

    /// An order trades, in its instrument and on its side; one that is unknown buys the first share.
    @discardableResult
    mutating func fill(_ order: Int64, _ shares: Int64, cents: Int64 = 50_00) -> [Command] {
        executions += 1
        let request = engine.orders.request(of: OrderID(number: order))
        return report(
            order,
            .executed(
                Make.execution(
                    executions, request?.side ?? .buy, shares, cents: cents,
                    instrument: Int((request?.instrument ?? Self.first).index), second: executions))
        )
    }

    // MARK: What it has

    /// What a strategy holds of an instrument, in whole shares.
    func held(_ strategy: Int = 0, in instrument: InstrumentID = first) -> Int64 {
        engine.portfolio.ledger(of: .strategy(StrategyID(index: strategy)), in: instrument).quantity
            .units
            / Quantity.unitsPerOne
    }

    /// How often the gate refused for a reason.
    func count(of refusal: Refusal) -> Int { engine.decisionCounts[refusal] }

    var stateHash: UInt64 { engine.stateHash }
    var isSound: Bool { engine.portfolio.identityHolds }

    /// Checks whether entries are halted.
    func checkHalted(_ expected: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
        let isHalted = engine.gate.isHalted
        #expect(isHalted == expected, sourceLocation: sourceLocation)
    }

    /// Checks that every sum adds up anew.
    func checkLedger(sourceLocation: SourceLocation = #_sourceLocation) {
        let isSound = isSound
        #expect(isSound, "sums must add up", sourceLocation: sourceLocation)
    }
}

extension [Command] {
    /// The orders sent, in words: `buy 100 entry`, `sell 30 exit limit 51.00`.
    var orders: [String] {
        compactMap { command in
            guard case .submit(let ticket) = command else { return nil }
            let request = ticket.request
            let price =
                switch request.type {
                case .market, .trailingStop: ""
                case .marketOnOpen: " at open"
                case .marketOnClose: " at close"
                case .limit(let price): " limit \(price)"
                case .stop(let price): " stop \(price)"
                case .stopLimit(let stop, let limit): " stop \(stop) limit \(limit)"
                case .limitOnOpen(let price), .limitOnClose(let price): " auction \(price)"
                }
            return "\(request.side) \(request.quantity) \(request.purpose)\(price)"
        }
    }

    /// The numbers of the orders to be cancelled.
    var cancellations: [Int64] {
        compactMap {
            guard case .cancel(let id) = $0 else { return nil }
            return id.number
        }
    }
}

extension Instruction {
    /// The intent as a timer's number: kind, instrument and value in one.
    func timer(in instrument: InstrumentID) -> Int {
        let (kind, value): (Int, Int64) =
            switch self {
            case .enter(let side): (0, side == .buy ? 1 : 0)
            case .enterAtLimit(let side, let cents): (side == .buy ? 1 : 2, cents)
            case .enterAtStop(let side, let cents): (side == .buy ? 3 : 4, cents)
            case .exit: (5, 0)
            case .exitAtLimit(let cents): (6, cents)
            case .exitAtStop(let cents): (7, cents)
            case .target(let shares): (8, shares)
            case .weight(let percent): (9, percent)
            case .weightOfNothing: (10, 0)
            case .cancel: (11, 0)
            case .timer(let seconds): (12, seconds)
            case .exitNow: (13, 0)
            case .withdraw: (14, 0)
            }
        return (kind * 2 + Int(instrument.index)) * Self.span + Int(value) + Self.span / 2
    }

    private static let span = 50_000_000

    /// Says to a context what the number of a timer stands for.
    static func perform(_ context: inout StrategyContext, timer number: Int) {
        let value = Int64(number % span - span / 2)
        let instrument = InstrumentID(index: number / span % 2)
        let price = Price(cents: value)
        switch number / span / 2 {
        case 0: context.enter(value == 1 ? .buy : .sell, instrument, because: "told to enter")
        case 1: context.enter(.buy, instrument, using: .limit(price), because: "told to enter")
        case 2: context.enter(.sell, instrument, using: .limit(price), because: "told to enter")
        case 3: context.enter(.buy, instrument, using: .stop(price), because: "told to enter")
        case 4: context.enter(.sell, instrument, using: .stop(price), because: "told to enter")
        case 5: context.exit(instrument, because: "told to exit")
        case 6: context.exit(instrument, using: .limit(price), because: "told to exit")
        case 7: context.exit(instrument, using: .stop(price), because: "told to exit")
        case 8: context.setTarget(Quantity(shares: value), of: instrument, because: "told to hold")
        case 9: context.setWeight(Double(value) / 100, of: instrument, because: "told to weigh")
        case 10: context.setWeight(.nan, of: instrument, because: "?")
        case 11: context.cancelEntries(in: instrument, because: "told to cancel")
        case 14: context.withdraw(instrument, because: "told to withdraw")
        case 13: context.exit(instrument, using: .marketNow, because: "told to exit now")
        default: context.setTimer(1, at: Make.time(value))
        }
    }
}
