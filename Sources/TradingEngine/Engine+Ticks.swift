import Accounting
import MarketState
public import Model
package import Primitives
import Signals

/// Quotes and trades.
extension Engine {
    /// Takes in a quote. It marks no position, since nobody paid it yet, unless nobody ever will.
    @usableFromInline
    mutating func quoteChanged(_ quote: Quote, into commands: inout [Command]) {
        context.time = now
        context.state.record(quote)
        if !isQuotedOnly.isEmpty { markAtQuote(quote, &commands) }
        guard quoteListeners > 0 else { return }
        for index in 0..<instances.count
        where instances[index].receivesQuotes && isShown(quote.instrument, to: index) {
            context.strategy = StrategyID(index: index)
            let first = context.requests.count
            instances[index].strategy.quoteChanged(quote, &context)
            if context.declinedQuotes {
                instances[index].receivesQuotes = false
                quoteListeners -= 1
            }
            context.declinedQuotes = false
            if context.requests.count > first { carryOutRequests(from: first, into: &commands) }
        }
    }

    private mutating func markAtQuote(_ quote: Quote, _ commands: inout [Command]) {
        guard isQuotedOnly[Int(quote.instrument.index)], let middle = quote.middle else { return }
        context.state.record(price: middle, of: quote.instrument)
        if !portfolio.mark(quote.instrument, at: middle) {
            haltUnvalued(quote.instrument, into: &commands)
        }
    }

    /// Takes in a trade of others, at whose price positions are valued from now on.
    @usableFromInline
    mutating func tradeHappened(_ trade: Trade, into commands: inout [Command]) {
        context.time = now
        context.state.record(trade)
        if !portfolio.mark(trade.instrument, at: trade.price) {
            haltUnvalued(trade.instrument, into: &commands)
        }
        guard tradeListeners > 0 else { return }
        for index in 0..<instances.count
        where instances[index].receivesTrades && isShown(trade.instrument, to: index) {
            context.strategy = StrategyID(index: index)
            let first = context.requests.count
            instances[index].strategy.tradeHappened(trade, &context)
            if context.declinedTrades {
                instances[index].receivesTrades = false
                tradeListeners -= 1
            }
            context.declinedTrades = false
            if context.requests.count > first { carryOutRequests(from: first, into: &commands) }
        }
    }

    /// Shows quotes and trades to the only strategy, up to the first about which it intents something: the
    /// same as `step` with each of them and with the end of each instant but the last, in a fraction of the
    /// time.
    ///
    /// The last one's instant is still open. When the strategy intents something, `carryOutRequests` comes
    /// next.
    ///
    /// - Parameters:
    ///   - first: the first of `rows` to be shown; not earlier than the event before. The instant of that
    ///     event is open.
    ///   - instrument: whose they are; it must be quiet.
    ///   - bounds: what is within them is shown, if it was told on this day.
    /// - Returns: how many rows were shown.
    package mutating func showBatch(
        _ rows: Span<TickRow>, from first: Int, of instrument: InstrumentID,
        within bounds: TickBounds
    ) -> (count: Int, hasIntents: Bool) {
        guard isQuotedOnly.isEmpty,
            let position = BarBatch.Position(
                of: instrument,
                multiplier: context.market.instruments[Int(instrument.index)].multiplier,
                held: portfolio.quantity(of: instrument),
                otherEquity: portfolio.equity - portfolio.value(of: instrument))
        else { return (0, false) }
        var bounds = bounds
        bounds.end = min(bounds.end, dayEnd)
        var batch = TickBatch(
            position, equity: portfolio.equity, from: first, within: bounds)
        context.strategy = StrategyID(index: 0)
        instances[0].strategy.watchTicks(rows, &batch, &context)
        // What it does not act on it says each time: here that is no news.
        context.declinedQuotes = false
        context.declinedTrades = false
        guard batch.next > first else { return (0, false) }
        portfolio.mark(
            instrument, atTicksIn: first..<batch.next, of: rows, after: now, paid: batch.paid)
        now = rows[batch.next - 1].at
        assert(isConsistent, "cash, positions and profit must explain equity")
        return (batch.next - first, !context.requests.isEmpty)
    }
}
