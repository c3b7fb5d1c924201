import MarketState
import Model
import Primitives
import Signals
import TestSupport

/// A strategy that wants anything at any time; its chance is its own state, so a replay draws the same.
struct RandomStrategy: Strategy {
    static let declaration = StrategyDeclaration(name: "random", summary: "wants anything")

    private var chance: SeededGenerator

    init(_ setup: StrategySetup) { self.init(seed: 0) }
    init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        guard chance.chance(percent: 40) else { return }
        request(bar.instrument, around: bar.close, &context)
    }

    mutating func sliceClosed(_ context: inout StrategyContext) {
        guard chance.chance(percent: 10) else { return }
        context.setTimer(
            Int(chance.number(in: 0...2)), at: context.now + .minutes(chance.number(in: 0...300)))
    }

    mutating func orderFilled(_ execution: Execution, _ context: inout StrategyContext) {
        guard chance.chance(percent: 20) else { return }
        request(execution.instrument, around: execution.price, &context)
    }

    mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {
        let instrument = chance.one(of: context.market.instruments).id
        guard let price = context.market.latestPrice(of: instrument) else { return }
        request(instrument, around: price, &context)
    }

    private mutating func request(
        _ instrument: InstrumentID, around price: Price, _ context: inout StrategyContext
    ) {
        // Up to 1 % away, on no tick in particular.
        let near = Price(units: price.units + price.units / 10_000 * chance.number(in: -100...100))
        let terms = chance.one(of: [OrderTerms.market, .market, .limit(near), .stop(near)])
        switch chance.number(in: 0...9) {
        case 0...2:
            context.enter(
                chance.one(of: [.buy, .sell]), instrument, using: terms, because: "enter")
        case 3...4: context.exit(instrument, using: terms, because: "exit")
        case 5...6:
            context.setTarget(
                Quantity(shares: chance.number(in: -200...200)), of: instrument, because: "hold")
        case 7:
            let weight = Double(chance.number(in: -50...50)) / 100
            context.setWeight(weight, of: instrument, because: "weight")
        case 8: context.cancelEntries(in: instrument, because: "cancel")
        default: context.setWeight(.nan, of: instrument, because: "nonsense")
        }
    }
}
