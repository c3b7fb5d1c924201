import MarketState
import Model
import Primitives
import Signals
import TestSupport
import Testing
import TradingEngine

/// When strategies are called: at the end of a slice and by timers.
@Suite struct EngineCallsTests {
    // MARK: The end of a slice

    @Test func sliceStrategyDecidesOnAllBarsOfTheSlice() {
        var rig = Rig(isPriced: false) { $0.strategies = [.single(Rotation())] }
        // Nothing before the slice is closed, also when one of two bars is in.
        #expect(rig.publish(.bar(Make.bar(0, open: 50_00, close: 50_00))).isEmpty)
        #expect(rig.publish(.bar(Make.bar(0, open: 60_00, close: 60_00, instrument: 1))).isEmpty)
        #expect(rig.publish(.sliceClosed).orders == ["buy 10 entry"])
        rig.fill(1, 10, cents: 60_00)
        #expect(rig.held(in: Rig.second) == 10)
        // The first overtakes the second: one is left, the other entered.
        rig.publish(.bar(Make.bar(1, open: 50_00, close: 70_00)))
        rig.publish(.bar(Make.bar(1, open: 60_00, close: 61_00, instrument: 1)))
        #expect(rig.publish(.sliceClosed).orders == ["sell 10 exit", "buy 10 entry"])
    }

    @Test func sliceStrategyIsAskedAtEverySlice() {
        var rig = Rig(isPriced: false) { $0.strategies = [.single(Rotation())] }
        // Nothing is known yet: it wants nothing, and is asked again all the same.
        for _ in 0..<3 { #expect(rig.publish(.sliceClosed).isEmpty) }
        rig.price(50_00)
        rig.price(60_00, of: Rig.second)
        #expect(rig.publish(.sliceClosed).orders == ["buy 10 entry"])
    }

    /// One strategy does nothing at the end of a slice; the next in line is asked all the same.
    @Test func strategyThatDeclinesSlicesDeclinesForItselfOnly() {
        var rig = Rig(isPriced: false) {
            $0.strategies = [
                .single(Insister(goal: .exit, type: .market)), .single(Rotation()),
                .single(Insister(goal: .exit, type: .market)), .single(Rotation()),
            ]
        }
        for _ in 0..<3 { #expect(rig.publish(.sliceClosed).isEmpty) }
        rig.price(50_00)
        rig.price(60_00, of: Rig.second)
        #expect(rig.publish(.sliceClosed).orders == ["buy 10 entry", "buy 10 entry"])
    }

    @Test func strategySeesTheEquityOfTheLastCompleteSlice() {
        var rig = Rig(isPriced: false) { $0.strategies = [.single(Rotation())] }
        rig.price(50_00)
        rig.price(60_00, of: Rig.second)
        rig.publish(.sliceClosed)
        rig.fill(1, 10, cents: 60_00)
        rig.price(65_00, of: Rig.second)
        // 10 · 5.00 won, in whole dollars by a timer's number.
        let ask = Event.Kind.timer(TimerID(strategy: StrategyID(index: 0), number: 1))
        #expect(rig.publish(ask) == [Rotation.answer(100_000)])
        rig.publish(.sliceClosed)
        #expect(rig.publish(ask) == [Rotation.answer(100_050)])
    }

    // MARK: Timers

    @Test func timerStrategyIsWokenAndSetsItsNextTimer() {
        var rig = Rig(strategies: 2) { $0.strategies[1] = .single(Clockwork()) }
        let id = TimerID(strategy: StrategyID(index: 1), number: 5)
        let first = rig.publish(.timer(id), at: Make.time(30))
        #expect(first.orders == ["buy 100 entry"])
        #expect(first.last == .setTimer(id, at: Make.time(90)))
        // The order is its own, not the first strategy's.
        rig.fill(1, 100)
        #expect(rig.held(1) == 100)
        #expect(rig.held(0) == 0)
        let second = rig.publish(.timer(id), at: Make.time(90))
        #expect(second.orders == ["sell 100 exit"])
        #expect(second.last == .setTimer(id, at: Make.time(150)))
    }

    @Test func commandsComeInTheOrderOfTheIntents() {
        var rig = Rig { $0.strategies = [.single(Clockwork())] }
        let id = TimerID(strategy: StrategyID(index: 0), number: 5)
        let commands = rig.publish(.timer(id))
        #expect(commands.count == 2)
        guard case .submit = commands.first, case .setTimer = commands.last else {
            Issue.record("first the order, then the timer: \(commands)")
            return
        }
    }
}

/// Holds ten of the dearer of two instruments, decided when all bars of a slice are in. Asked by a timer,
/// it says the equity it sees.
private struct Rotation: Strategy {
    static let declaration = StrategyDeclaration(name: "rotation", summary: "holds the dearer one")

    init(_ setup: StrategySetup) {}
    init() {}

    static func answer(_ dollars: Int) -> Command {
        .setTimer(TimerID(strategy: StrategyID(index: 0), number: dollars), at: Make.time(60))
    }

    mutating func sliceClosed(_ context: inout StrategyContext) {
        guard let first = context.market.latestPrice(of: Rig.first),
            let second = context.market.latestPrice(of: Rig.second)
        else { return }
        let (better, worse) = first > second ? (Rig.first, Rig.second) : (Rig.second, Rig.first)
        context.setTarget(.zero, of: worse, because: "cheaper")
        context.setTarget(Quantity(shares: 10), of: better, because: "dearer")
    }

    mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {
        let dollars = context.equity.rounded().units / Money.unitsPerOne
        context.setTimer(Int(dollars), at: Make.time(60))
    }
}

/// Enters and leaves by turns, a minute apart.
private struct Clockwork: Strategy {
    static let declaration = StrategyDeclaration(name: "clockwork", summary: "in and out")

    init(_ setup: StrategySetup) {}
    init() {}

    mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {
        if context.holding(of: Rig.first).quantity == .zero {
            context.enter(.buy, Rig.first, because: "in")
        } else {
            context.exit(Rig.first, because: "out")
        }
        context.setTimer(number, at: context.now + .minutes(1))
    }
}
