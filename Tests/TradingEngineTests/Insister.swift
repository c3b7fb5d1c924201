import Model
import Primitives
import Risk
import Signals
import TestSupport
import TradingEngine

/// A strategy that wants one and the same thing after every bar.
struct Insister: Strategy {
    static let declaration = StrategyDeclaration(name: "insister", summary: "wants one thing")

    private let goal: Intent.Goal
    private let terms: OrderTerms

    init(_ setup: StrategySetup) { self.init(goal: .exit, type: .market) }

    init(goal: Intent.Goal, type terms: OrderTerms) {
        self.goal = goal
        self.terms = terms
    }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        switch goal {
        case .enter(let side): context.enter(side, bar.instrument, using: terms, because: "again")
        case .exit: context.exit(bar.instrument, using: terms, because: "again")
        case .target(let quantity):
            context.setTarget(quantity, of: bar.instrument, because: "again")
        case .weight(let weight): context.setWeight(weight, of: bar.instrument, because: "again")
        case .cancelEntries: context.cancelEntries(in: bar.instrument, because: "again")
        case .withdraw: context.withdraw(bar.instrument, because: "again")
        case .protect:
            let stop = Protection(stop: .away(.percent(Percent(5))))
            context.protect(bar.instrument, with: stop, because: "again")
        }
    }
}

extension StrategyInstance {
    /// A strategy that is shown both instruments of a rig and enters with 100 shares.
    static func single(_ strategy: any Strategy) -> StrategyInstance {
        StrategyInstance(
            strategy, sizing: .fixedShares(Quantity(shares: 100)), shown: [Rig.first, Rig.second])
    }
}

extension Intent.Goal {
    /// Intents no sound strategy has.
    static let extremes: [Intent.Goal] = [
        .enter(.buy), .enter(.sell), .exit, .target(Quantity(units: .min)),
        .target(Quantity(units: .min + 1)), .target(Quantity(units: .max)), .weight(.infinity),
        .weight(-.infinity), .weight(.nan), .weight(1e300), .weight(.leastNonzeroMagnitude),
        .weight(9_999), .weight(-9_999),
    ]
}

extension OrderTerms {
    /// Prices no sound strategy has.
    static let extremes: [OrderTerms] = [
        .market, .limit(Price(units: .min)), .limit(Price(units: .min + 1)), .limit(.zero),
        .limit(Price(units: .max)), .stop(Price(units: .min)), .stop(Price(units: .max)),
    ]
}
