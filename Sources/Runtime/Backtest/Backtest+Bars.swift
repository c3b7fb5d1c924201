import Catalog
import MarketState
import Model
import Primitives
import Simulation
import TradingEngine

/// Bars: the venue matches with those of the data, the engine is shown them or longer ones made of them.
extension Backtest {
    /// Shows past bars for warm-up.
    mutating func showHistory(_ history: [Bar]) {
        guard !history.isEmpty else { return }
        for bar in history {
            if bar.start >= actions.next { takeActions(through: bar.start) }
            now = bar.end
            step(Event(at: now, kind: .history(bar)))
        }
        let coverage = HistoryCoverage(have: history.count, asked: warmupBars * instruments.count)
        step(Event(at: now, kind: .historyComplete(coverage)))
    }

    // MARK: Ends

    @inline(__always)
    mutating func closeBars() {
        if link.venue.orderCount > 0 { closeBarsAtVenue() }
        counts.data += feed.closeCount
        counts.bars += feed.closeCount
        if link.delaysData { return delayBars() }
        if feed.closeCount == 1 {
            engine.step(Event(at: now, kind: .bar(feed.bars.closedBar(0))), into: &output)
            engine.step(Event(at: now, kind: .sliceClosed), into: &output)
        } else {
            engine.run(
                feed.bars.closedBars.span.extracting(..<feed.closeCount), at: now, into: &output)
        }
        if verifier != nil { verifyClosedBars() }
        performAndSettle()
        if equityRows == .every { noteEquity() }
    }

    private mutating func closeBarsAtVenue() {
        for index in 0..<feed.closeCount {
            link.venue.barClosed(feed.bars.closedBar(index), answers: &link.answers)
        }
        passTimeAtVenue()
    }

    private mutating func delayBars() {
        link.delayData(from: now)
        for index in 0..<feed.closeCount {
            sequencer.push(.event(.bar(feed.bars.closedBar(index))), at: link.newestData)
        }
        closeSlice()
    }

    /// Makes longer bars of those that end now, and publishes the ones that are complete.
    mutating func closeLongerBars() {
        if feed.closeCount > 0 {
            if link.venue.orderCount > 0 { closeBarsAtVenue() }
            for index in 0..<feed.closeCount { feed.longerBars.add(feed.bars.closedBar(index)) }
            counts.data += feed.closeCount
        }
        feed.longerBars.advance(to: now)
        guard feed.longerBars.areComplete else { return }
        publishLongerBars()
        closeSlice()
    }

    /// Shows the engine the longer bars that are complete.
    mutating func publishLongerBars() {
        var bars: [Bar] = []
        feed.longerBars.take(into: &bars)
        counts.bars += bars.count
        if link.delaysData { link.delayData(from: now) }
        for bar in bars { publish(.bar(bar)) }
    }

    // MARK: Openings

    @inline(__always)
    mutating func openBars() throws(BacktestError) {
        try reachSession()
        if now >= actions.next { takeActions(through: now) }
        feed.open()
        if link.venue.orderCount > 0 { openBarsAtVenue() }
    }

    private mutating func openBarsAtVenue() {
        passTimeAtVenue()
        for index in 0..<feed.openCount {
            link.venue.barOpened(feed.bars.openedBar(index), answers: &link.answers)
        }
        settle()
    }

    /// Lets the venue end the orders whose time is over by the clock.
    mutating func passTimeAtVenue() {
        if link.venue.earliestEnd <= now { link.venue.passTime(to: now, answers: &link.answers) }
        settle()
    }

    // MARK: Batches

    /// Lets the engine take in bars for as long as nothing else can happen: no order at the venue is reached,
    /// nothing is due, no session ends.
    ///
    /// - Parameter rows: the feed's only rows; there are no batches without.
    @inline(__always)
    mutating func runBatches(of rows: [BarRow]) throws(BacktestError) {
        guard !rows.isEmpty, hasBatches else { return }
        while runBatch(of: rows) {
            // The bar behind the batch begins where the batch ends.
            if feed.openCount > 0 { try openBars() }
        }
    }

    /// True if rows of one series can ever be taken in together: those that arrive at once.
    var hasBatches: Bool { !link.delaysData && equityRows == .session }

    /// Returns false where the next bar has to be stepped.
    private mutating func runBatch(of rows: [BarRow]) -> Bool {
        let (id, barSize) = feed.bars.onlyInstrument
        guard sessions.current != nil, var bounds = link.venue.quietBars(of: id) else {
            return false
        }
        bounds.end = min(bounds.end, sessions.end, actions.next, sequencer.nextTime)
        let ahead = feed.bars.rowsAhead
        let count = engine.run(
            rows.span.extracting(..<ahead.upperBound), from: ahead.lowerBound,
            of: (id, barSize), within: bounds, into: &output)
        guard count > 0 else { return false }
        if link.venue.orderCount > 0 { link.venue.passBars(of: id) }
        feed.skipBars(count)
        counts.data += count
        counts.bars += count
        now = engine.now
        if verifier != nil {
            verify(rows[ahead.lowerBound..<ahead.lowerBound + count], of: (id, barSize))
        }
        performAndSettle()
        return true
    }

    // MARK: Publishing

    /// Shows the engine market data of the newest timestamp, after its way.
    ///
    /// The data is made anew on either way: made before the choice, it would be packed as an event and unpacked
    /// again, half of the loop over ticks.
    @inline(__always)
    mutating func publish(_ kind: @autoclosure () -> Event.Kind) {
        if link.delaysData {
            pushData(kind())
        } else {
            engine.step(Event(at: now, kind: kind()), into: &output)
            if verifier != nil { verify(Event(at: now, kind: kind())) }
            performAndSettle()
        }
    }

    @inline(never)
    private mutating func pushData(_ kind: Event.Kind) {
        sequencer.push(.event(kind), at: link.newestData)
    }

    /// Lets the engine know that a timestamp is complete.
    @inline(__always)
    mutating func closeSlice() {
        publish(.sliceClosed)
        if equityRows == .every { noteEquity() }
    }
}
