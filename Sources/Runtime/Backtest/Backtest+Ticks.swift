package import Catalog
package import MarketState
package import Model
import Primitives
import Simulation
import TradingEngine

/// Runs over quotes and trades.
extension Backtest {
    /// Runs over quotes and trades to the end of the data: the venue is told of each first, then, after its
    /// way, the engine.
    ///
    /// At one instant come what venues answered, the bars that end there, the quotes and trades, the mark
    /// that the instant is complete, and timers.
    ///
    /// - Parameters:
    ///   - ticks: the quotes and trades. The bars the backtest was made with are none.
    ///   - longerBars: what makes bars of them.
    ///   - history: bars before the first tick, for warm-up; in order of their ends.
    ///   - progress: called now and then with the number of ticks done.
    /// - Throws: `BacktestError.booksDisagree` when a session ends with books that do not add up.
    package mutating func run(
        ticks: consuming TickFeed, longerBars: consuming LongerBars, history: [Bar],
        progress: ((Int) -> Void)? = nil
    ) throws(BacktestError) {
        var ticks = ticks
        var bars = longerBars
        showHistory(history)
        let makesBars = bars.areMade
        let rows = ticks.onlyRows
        let hasBatches =
            !rows.isEmpty && !makesBars && !delaysData && equityRows == .session
        var isWithinInstant = false
        while ticks.next() {
            let row = ticks.row
            if row.at != now || !isWithinInstant {
                if isWithinInstant { closeInstant() }
                try begin(row.at, &bars)
                isWithinInstant = true
            }
            if row.isTrade {
                take(row.trade(of: ticks.instrument))
            } else {
                take(row.quote(of: ticks.instrument))
            }
            if makesBars { bars.add(row, of: ticks.instrument) }
            tickCount &+= 1
            if tickCount % Self.ticksPerReport == 0 { progress?(tickCount) }
            guard hasBatches, queue.isEmpty else { continue }
            guard runBatch(of: rows, &ticks) > 0 else { continue }
            if tickCount % Self.ticksPerReport == 0 { progress?(tickCount) }
        }
        if isWithinInstant { closeInstant() }
        passTime(until: .distantFuture, &bars)
        dropped = bars.dropped
        finish()
        try endSession()
    }

    private static var ticksPerReport: Int { 1 << 18 }

    /// Goes on to an instant that has ticks, and tells of the bars that end there or before.
    @inline(__always)
    private mutating func begin(
        _ time: Timestamp, _ bars: inout LongerBars
    ) throws(BacktestError) {
        if bars.due <= time { passTime(until: time, &bars) }
        if !queue.isEmpty { drain(through: .venueAndRisk, at: time) }
        now = time
        if delaysData { delay() }
        if bars.due <= time {
            bars.advance(to: time)
            tellBars(&bars)
        }
        if venue.earliestEnd <= time { endOrders() }
        if now >= sessionEnd { try endSession() }
        if session == nil { beginSession() }
    }

    /// Lets the venue end the orders whose time is over by the clock.
    private mutating func endOrders() {
        venue.passTime(to: now, answers: &answers)
        settle()
    }

    @inline(__always)
    private mutating func take(_ quote: Quote) {
        venue.quoteChanged(quote, at: now, answers: &answers)
        if heard < answers.count { settle() }
        tellData(.quote(quote))
    }

    @inline(__always)
    private mutating func take(_ trade: Trade) {
        venue.tradeHappened(trade, at: now, answers: &answers)
        if heard < answers.count { settle() }
        tellData(.trade(trade))
    }

    /// Shows the strategy quotes and trades as long as nothing else can happen: no order that works is
    /// reached, nothing is under way, no session ends and no report is due. Does what it asks for about the
    /// last.
    ///
    /// - Parameter rows: the feed's only rows, held by who calls: to ask the feed counts a reference each
    ///   time.
    /// - Returns: how many were shown.
    private mutating func runBatch(of rows: [TickRow], _ ticks: inout TickFeed) -> Int {
        let ahead = ticks.rowsAhead
        guard session != nil, !ahead.isEmpty,
            var bounds = venue.quietBounds(of: ticks.instrument, at: now)
        else { return 0 }
        bounds.end = min(bounds.end, sessionEnd)
        // While each row reaches an order, to prepare a batch would be in vain.
        guard bounds.contains(rows[ahead.lowerBound]) else { return 0 }
        let countMax = Self.ticksPerReport - tickCount % Self.ticksPerReport
        let end = ahead.lowerBound + min(ahead.count, countMax)
        let count = engine.run(
            rows.span.extracting(..<end), from: ahead.lowerBound, of: ticks.instrument,
            within: bounds, into: &output)
        guard count > 0 else { return 0 }
        venue.pass(
            rows.span.extracting(ahead.lowerBound..<ahead.lowerBound + count), of: ticks.instrument)
        ticks.skip(count)
        tickCount &+= count
        now = engine.now
        carryOutAndSettle()
        return count
    }

    @inline(__always)
    private mutating func closeInstant() {
        closeSlice()
        if !queue.isEmpty { drain(through: .timer, at: now) }
    }
}
