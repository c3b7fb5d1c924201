import Catalog
import MarketState
import Model
import Primitives
import Simulation
import TradingEngine

/// Quotes and trades: the venue is shown each of them first, then, after its way, the engine.
extension Backtest {
    /// Publishes the longer bars that end at a timestamp, its quotes and trades, and that it is complete.
    ///
    /// - Parameter rows: the feed's only rows; there are no batches without.
    @inline(__always)
    mutating func publishTicks(_ rows: [TickRow]) throws(BacktestError) {
        if link.delaysData, !feed.isBetweenData { link.delayData(from: now) }
        feed.longerBars.advance(to: now)
        if feed.longerBars.areComplete { publishLongerBars() }
        if feed.isBetweenData { return closeSlice() }
        if link.venue.earliestEnd <= now { passTimeAtVenue() }
        try reachSession()
        let hasBatches = hasBatches && !rows.isEmpty && !feed.makesBars
        repeat {
            publishTick()
            if hasBatches, sequencer.isEmpty { runBatch(of: rows) }
        } while feed.nextTick()
        closeSlice()
    }

    @inline(__always)
    private mutating func publishTick() {
        let (row, instrument) = (feed.ticks.row, feed.ticks.instrument)
        if row.isTrade {
            let trade = row.trade(of: instrument)
            link.venue.tradeHappened(trade, at: now, answers: &link.answers)
            settle()
            publish(.trade(trade))
        } else {
            let quote = row.quote(of: instrument)
            link.venue.quoteChanged(quote, at: now, answers: &link.answers)
            settle()
            publish(.quote(quote))
        }
        if feed.makesBars { feed.longerBars.add(row, of: instrument) }
        counts.data &+= 1
        counts.ticks &+= 1
    }

    /// Shows the strategy quotes and trades as long as nothing else can happen: no order that works is
    /// reached, nothing is under way and no session ends. Does what it asks for about the last, whose timestamp
    /// is reached then.
    private mutating func runBatch(of rows: [TickRow]) {
        let (ahead, instrument) = (feed.ticks.rowsAhead, feed.ticks.instrument)
        guard sessions.current != nil, !ahead.isEmpty,
            var bounds = link.venue.quietBounds(of: instrument, at: now)
        else { return }
        bounds.end = min(bounds.end, sessions.end)
        // While each row reaches an order, to prepare a batch would be in vain.
        guard bounds.contains(rows[ahead.lowerBound]) else { return }
        let end = ahead.lowerBound + min(ahead.count, Self.rowsPerReport)
        let count = engine.run(
            rows.span.extracting(..<end), from: ahead.lowerBound, of: instrument, within: bounds,
            into: &output)
        guard count > 0 else { return }
        link.venue.pass(
            rows.span.extracting(ahead.lowerBound..<ahead.lowerBound + count), of: instrument)
        if verifier != nil {
            verify(rows[ahead.lowerBound..<ahead.lowerBound + count], of: instrument, after: now)
        }
        now = engine.now
        feed.skipTicks(count, to: now)
        counts.data &+= count
        counts.ticks &+= count
        performAndSettle()
    }
}
