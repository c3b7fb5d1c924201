import Catalog
package import MarketState
package import Model
import Primitives
import Simulation

/// Strategies that see longer bars than the data has: the venue goes by the data, the engine is told of the
/// longer bars alone.
extension Backtest {
    /// As `run(history:progress:)`, telling the engine what `longerBars` makes of the bars.
    package mutating func run(
        longerBars: consuming LongerBars, history: [Bar], progress: ((Int) -> Void)? = nil
    ) throws(BacktestError) {
        var bars = longerBars
        showHistory(history)
        var done = 0
        var nextReport = Self.barsPerReport
        while feed.next() {
            passTime(until: feed.time, &bars)
            if !queue.isEmpty { drain(through: .venueAndRisk, at: feed.time) }
            hasOpened = false
            now = feed.time
            if feed.closeCount > 0 {
                if venue.orderCount > 0 { closeBarsAtVenue() }
                for index in 0..<feed.closeCount { bars.add(feed.closedBar(index)) }
            }
            bars.advance(to: now)
            if bars.areComplete {
                tellBars(&bars)
                closeSlice()
            }
            if !queue.isEmpty { drain(through: .timer, at: feed.time) }
            if feed.openCount > 0 { try openBars() }
            done += feed.closeCount
            guard done >= nextReport else { continue }
            nextReport += Self.barsPerReport
            progress?(done)
        }
        passTime(until: .distantFuture, &bars)
        dropped = bars.dropped
        finish()
        try endSession()
    }

    /// Tells of the bars that end before `time`, each at its end, and of what comes due meanwhile.
    mutating func passTime(until time: Timestamp, _ bars: inout LongerBars) {
        // Each round ends the bars in progress that end first: there are as many as instruments at most.
        while bars.due < time {
            let end = max(bars.due, now)
            bars.advance(to: bars.due)
            guard bars.areComplete else { continue }
            drain(through: .venueAndRisk, at: end)
            now = end
            tellBars(&bars)
            closeSlice()
            drain(through: .timer, at: end)
        }
    }

    /// Tells the engine, after their way to it, of the bars that have ended.
    mutating func tellBars(_ longerBars: inout LongerBars) {
        var bars: [Bar] = []
        longerBars.take(into: &bars)
        barCount += bars.count
        if delaysData { delay() }
        for bar in bars { tellData(.bar(bar)) }
    }

    /// Works out when what the market tells now arrives; nothing overtakes what came before.
    mutating func delay() {
        newestData = max(newestData, now + latencies.marketData.draw(&generator))
    }

    /// Tells the engine of market data, after its way to it, that began at the newest instant.
    ///
    /// What is told is made anew on either way: made before the choice, it would be packed as an event and
    /// unpacked again, half of the loop over ticks.
    @inline(__always)
    mutating func tellData(_ kind: @autoclosure () -> Event.Kind) {
        if delaysData { pushData(kind()) } else { tell(kind()) }
    }

    @inline(never)
    private mutating func pushData(_ kind: Event.Kind) {
        queue.push(.event(kind), at: newestData)
    }

    /// Tells the engine that an instant is complete.
    @inline(__always)
    mutating func closeSlice() {
        tellData(.sliceClosed)
        if equityRows == .every, let session { noteEquity(session) }
    }
}
