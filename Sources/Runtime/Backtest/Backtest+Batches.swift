import Catalog
import Model
import Primitives
import Simulation
import TradingEngine

/// Bars of one series between events.
extension Backtest {
    /// True if bars can ever be taken in together: those of one series that arrive at once.
    var hasBatches: Bool { !feed.onlyRows.isEmpty && !delaysData && equityRows == .session }

    /// Lets the engine take in bars for as long as nothing else can happen: no order at the venue is reached,
    /// nothing is due, no session ends.
    ///
    /// - Parameter rows: the feed's only rows, held by who calls: to ask the feed counts a reference each time.
    mutating func runBatches(of rows: [BarRow]) throws(BacktestError) {
        while runBatch(of: rows) {
            // The bar behind the batch begins where the batch ends.
            if feed.openCount > 0 { try openBars() }
        }
    }

    /// Returns false where the next bar has to be stepped.
    private mutating func runBatch(of rows: [BarRow]) -> Bool {
        guard session != nil, var bounds = venue.quietBars(of: feed.onlyInstrument.id) else {
            return false
        }
        bounds.end = min(bounds.end, sessionEnd, nextAction, queue.nextTime)
        let ahead = feed.rowsAhead
        let (id, barSize) = feed.onlyInstrument
        let count = engine.run(
            rows.span.extracting(..<ahead.upperBound), from: ahead.lowerBound,
            of: (id, barSize), within: bounds, into: &output)
        guard count > 0 else { return false }
        if venue.orderCount > 0 { venue.passBars(of: id) }
        feed.skip(count, endsLast: true)
        hasOpened = false
        barCount += count
        now = engine.now
        carryOutAndSettle()
        return true
    }
}
