import Model
import Primitives
import Signals

/// A strategy that enters one share at a timer, and the other when that has filled.
struct Chain: Strategy {
    static let declaration = StrategyDeclaration(name: "chain", summary: "one after the other")

    init(_ setup: StrategySetup) {}
    init() {}

    mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {
        context.enter(.buy, Rig.first, because: "timer")
    }

    mutating func orderFilled(_ execution: Execution, _ context: inout StrategyContext) {
        guard execution.instrument == Rig.first else { return }
        context.setTarget(Quantity(shares: 10), of: Rig.second, because: "the first one filled")
    }
}
