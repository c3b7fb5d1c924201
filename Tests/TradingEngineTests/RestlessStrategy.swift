import MarketState
import Model
import Primitives
import Signals
import TestSupport

/// A strategy that wants anything at any time, up to 200 shares either way.
struct RestlessStrategy: Strategy {
    static let declaration = StrategyDeclaration(name: "restless", summary: "wants anything")

    private var chance: SeededGenerator

    init(_ setup: StrategySetup) { self.init(seed: 0) }
    init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        guard chance.chance(percent: 50) else { return }
        request(bar.instrument, around: bar.close, &context)
        if chance.chance(percent: 10) {
            context.setTimer(1, at: context.now + .minutes(chance.number(in: 0...900)))
        }
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
        let near = Price(units: price.units + price.units / 10_000 * chance.number(in: -100...100))
        let terms = chance.one(of: [
            OrderTerms.market, .market, .marketNow, .limit(near), .limit(near),
            .limit(near, for: .goodTillCancelled), .stop(near), .marketOnOpen, .marketOnClose,
        ])
        let own = chance.chance(percent: 30) ? Protection.random(&chance, around: price) : nil
        switch chance.number(in: 0...10) {
        case 0...2:
            context.enter(
                chance.one(of: [.buy, .buy, .sell]), instrument, using: terms, protectedBy: own,
                because: "enter")
        case 3: context.exit(instrument, using: terms, because: "exit")
        case 4...7:
            context.setTarget(
                Quantity(shares: chance.number(in: -60...200)), of: instrument, using: terms,
                protectedBy: own, because: "hold")
        case 8:
            context.protect(
                instrument, with: .random(&chance, around: price), because: "protect")
        case 9: context.withdraw(instrument, because: "withdraw")
        default: context.cancelEntries(in: instrument, because: "cancel")
        }
    }
}
