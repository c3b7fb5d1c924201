import MarketState
package import Model
package import Primitives
import Signals

extension EngineSetup {
    /// The instruments whose quotes and whose trades strategies act on.
    package struct TickListeners: Sendable {
        /// Those of strategies that act on quotes, in their order.
        package var quotes: [InstrumentID] = []
        /// Those of strategies that act on trades, in their order.
        package var trades: [InstrumentID] = []
    }

    /// Which ticks strategies act on: a copy of each is shown one of each kind, and forgotten. Those that do nothing
    /// about a kind mark that.
    package func tickListeners() -> TickListeners {
        var quotes = Array(repeating: false, count: instruments.count)
        var trades = quotes
        for (index, instance) in strategies.enumerated() {
            guard let first = instance.shown.first else { continue }
            var context = StrategyContext(
                instruments: instruments, strategyCount: strategies.count, calendar: calendar,
                reasons: reasons)
            context.strategy = StrategyID(index: index)
            var copy = instance.strategy
            copy.quoteChanged(
                Quote(instrument: first, at: context.now, bid: nil, ask: nil), &context)
            if !context.declinedQuotes { for id in instance.shown { quotes[Int(id.index)] = true } }
            copy = instance.strategy
            copy.tradeHappened(
                Trade(
                    instrument: first, at: context.now, price: Price(units: Price.unitsPerOne),
                    size: Quantity(units: Quantity.unitsPerOne)), &context)
            if !context.declinedTrades { for id in instance.shown { trades[Int(id.index)] = true } }
        }
        let ids = instruments.map(\.id)
        return TickListeners(
            quotes: ids.filter { quotes[Int($0.index)] },
            trades: ids.filter { trades[Int($0.index)] })
    }
}

extension Engine {
    /// The newest quote of an instrument that strategies were shown, if there was one.
    package func latestQuote(of instrument: InstrumentID) -> Quote? {
        context.market.latestQuote(of: instrument)
    }
}
