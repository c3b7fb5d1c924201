import Accounting
import MarketState
public import Model
import Primitives
import Signals

/// Quotes and trades.
extension Engine {
    /// Takes in a quote. It marks no position, since nobody paid it yet, unless nobody ever will.
    @usableFromInline
    mutating func quoteChanged(_ quote: Quote, into commands: inout [Command]) {
        context.instant = now
        context.state.record(quote)
        if !isQuotedOnly.isEmpty { markAtQuote(quote, &commands) }
        guard quoteListeners > 0 else { return }
        for index in 0..<seats.count
        where seats[index].hearsQuotes && isShown(quote.instrument, to: index) {
            context.strategy = StrategyID(index: index)
            seats[index].strategy.quoteChanged(quote, &context)
            if context.declinedQuotes {
                seats[index].hearsQuotes = false
                quoteListeners -= 1
            }
            context.declinedQuotes = false
            if !context.requests.isEmpty { carryOutRequests(into: &commands) }
        }
    }

    private mutating func markAtQuote(_ quote: Quote, _ commands: inout [Command]) {
        guard isQuotedOnly[Int(quote.instrument.index)], let middle = quote.middle else { return }
        context.state.record(price: middle, of: quote.instrument)
        if !books.mark(quote.instrument, at: middle) { haltUnvalued(into: &commands) }
    }

    /// Takes in a trade of others, at whose price positions are valued from now on.
    @usableFromInline
    mutating func tradeHappened(_ trade: Trade, into commands: inout [Command]) {
        context.instant = now
        context.state.record(trade)
        if !books.mark(trade.instrument, at: trade.price) { haltUnvalued(into: &commands) }
        guard tradeListeners > 0 else { return }
        for index in 0..<seats.count
        where seats[index].hearsTrades && isShown(trade.instrument, to: index) {
            context.strategy = StrategyID(index: index)
            seats[index].strategy.tradeHappened(trade, &context)
            if context.declinedTrades {
                seats[index].hearsTrades = false
                tradeListeners -= 1
            }
            context.declinedTrades = false
            if !context.requests.isEmpty { carryOutRequests(into: &commands) }
        }
    }
}
