import Accounting
import MarketState
public import Model
package import Primitives
import Risk
import Signals

/// Quotes and trades.
extension Engine {
    /// Takes in a quote. It marks no position, since nobody paid it yet, unless nobody ever will.
    @usableFromInline
    mutating func quoteChanged(_ quote: Quote, into output: inout EngineOutput) {
        context.time = now
        if outside.isAnySuspended, isSuspended(quote.instrument) { return }
        context.state.record(quote)
        if !isQuotedOnly.isEmpty { markAtQuote(quote, &output) }
        guard listeners.quotes > 0 else { return }
        for index in 0..<instances.count
        where instances[index].receivesQuotes && isShown(quote.instrument, to: index) {
            context.strategy = StrategyID(index: index)
            instances[index].strategy.quoteChanged(quote, &context)
            if context.declinedQuotes {
                instances[index].receivesQuotes = false
                listeners.quotes -= 1
            }
            context.declinedQuotes = false
        }
        if !context.requests.isEmpty { performRequests(into: &output) }
        takeNotes(into: &output)
    }

    private mutating func markAtQuote(_ quote: Quote, _ output: inout EngineOutput) {
        guard isQuotedOnly[Int(quote.instrument.index)], let middle = quote.middle else { return }
        context.state.record(price: middle, of: quote.instrument)
        if !portfolio.mark(quote.instrument, at: middle) {
            haltUnvalued(quote.instrument, into: &output)
        }
    }

    /// Takes in a trade of others, at whose price positions are valued from now on.
    @usableFromInline
    mutating func tradeHappened(_ trade: Trade, into output: inout EngineOutput) {
        context.time = now
        if outside.isAnySuspended, isSuspended(trade.instrument) { return }
        context.state.record(trade)
        if !portfolio.mark(trade.instrument, at: trade.price) {
            haltUnvalued(trade.instrument, into: &output)
        }
        guard listeners.trades > 0 else { return }
        for index in 0..<instances.count
        where instances[index].receivesTrades && isShown(trade.instrument, to: index) {
            context.strategy = StrategyID(index: index)
            instances[index].strategy.tradeHappened(trade, &context)
            if context.declinedTrades {
                instances[index].receivesTrades = false
                listeners.trades -= 1
            }
            context.declinedTrades = false
        }
        if !context.requests.isEmpty { performRequests(into: &output) }
        takeNotes(into: &output)
    }

    /// Takes in quotes and trades of one instrument: `step` with each of them, and with the end of each slice but
    /// the last, up to the first about which something is asked for.
    ///
    /// - Parameters:
    ///   - rows: quotes and trades, oldest first; not earlier than the event before, whose slice is open.
    ///   - first: the first that is taken in.
    ///   - bounds: only rows within them are taken in. Within them nothing else may happen: no event is due and no
    ///     order at the venue is reached.
    /// - Returns: how many rows were taken in; 0 where the next one has to be stepped. The slice of the last one
    ///   is open.
    package mutating func run(
        _ rows: Span<TickRow>, from first: Int, of instrument: InstrumentID,
        within bounds: TickBounds, into output: inout EngineOutput
    ) -> Int {
        var barBounds = BarBounds()
        (barBounds.end, barBounds.low, barBounds.high) = (bounds.end, bounds.low, bounds.high)
        // Each slice's end would have to be published; and a new highest equity is seen at slices' ends only.
        guard listeners.slices == 0,
            let (position, allowed) = batchBounds(
                of: instrument, within: barBounds, atMost: monitor.losses?.highest)
        else { return 0 }
        var bounds = bounds
        (bounds.end, bounds.low, bounds.high) = (allowed.end, allowed.low, allowed.high)
        let limit = lookaheadEnd(of: rows.count, from: first)
        let run = TickRun(
            position: position, equity: portfolio.equity, bounds: bounds,
            valuation: context.valuation, quotation: context.state.quotation(of: instrument))
        let (end, paid) = show(rows, first..<limit, run)
        guard end > first else { return 0 }
        portfolio.mark(instrument, atTicksIn: first..<end, of: rows, after: now, paid: paid)
        now = rows[end - 1].at
        if !context.requests.isEmpty { performRequests(into: &output) }
        takeNotes(into: &output)
        assert(isConsistent, "cash, positions and profit must explain equity")
        return end - first
    }

    /// What does not change within a batch of ticks.
    private struct TickRun {
        let position: BarBatch.Position
        let equity: ExactMoney
        let bounds: TickBounds
        /// The equity that strategies see, and what is known of the instrument, before the first row.
        let valuation: Valuation
        let quotation: MarketState.Quotation
    }

    /// Shows rows to every instance that is shown the instrument; see `show` for bars. Returns the row behind the
    /// last, and the prices paid.
    private mutating func show(
        _ rows: Span<TickRow>, _ range: Range<Int>, _ run: TickRun
    ) -> (end: Int, paid: ClosedRange<Price>?) {
        var (end, isFirst) = (range.upperBound, true)
        var paid: ClosedRange<Price>?
        let (isAlone, noteCount) = (instances.count == 1, context.notes.count)
        for index in 0..<instances.count where isShown(run.position.instrument, to: index) {
            if !isAlone { instances[index].checkpoint() }
            let batch = show(rows, range.lowerBound..<end, run, to: index)
            defer { isFirst = false }
            paid = batch.paid
            guard batch.next < end else { continue }
            end = batch.next
            guard !isFirst else { continue }
            lookahead.shrink()
            rewind(through: index, noteCount)
            for earlier in 0...index where isShown(run.position.instrument, to: earlier) {
                paid = show(rows, range.lowerBound..<end, run, to: earlier).paid
            }
        }
        if !isAlone { endBatch(noteCount) }
        return (end, paid)
    }

    private mutating func show(
        _ rows: Span<TickRow>, _ range: Range<Int>, _ run: TickRun, to index: Int
    ) -> TickBatch {
        var batch = TickBatch(
            run.position, equity: run.equity, from: range.lowerBound, within: run.bounds,
            requestCount: context.requests.count)
        context.strategy = StrategyID(index: index)
        // Every instance begins where the batch does.
        context.time = now
        context.valuation = run.valuation
        context.state.restore(run.quotation, of: run.position.instrument)
        instances[index].strategy._runTicks(rows.extracting(..<range.upperBound), &batch, &context)
        // What it does not act on it says each time: here that is nothing new.
        context.declinedQuotes = false
        context.declinedTrades = false
        return batch
    }
}
