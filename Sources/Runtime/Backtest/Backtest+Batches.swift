import Catalog
import Model
import Primitives
import Simulation
import TradingEngine

/// Bars between orders.
extension Backtest {
    /// Whether bars can ever be shown without a look at everybody: those of one series, at once.
    var hasBatches: Bool { !feed.onlyRows.isEmpty && !delaysData && equityRows == .session }

    /// Shows the strategy bars as long as nothing else can happen: no order works, nothing is under way,
    /// no session ends.
    ///
    /// After a bar about which the strategy intents something, that bar's instant goes on as usual in
    /// `closeBars`, which finds it `isShown`.
    ///
    /// - Parameter rows: the feed's only rows, held by who calls: to ask the feed counts a reference each time.
    @inline(__always)
    mutating func showBatch(of rows: [BarRow]) {
        guard venue.orderCount == 0, queue.isEmpty, session != nil,
            engine.isQuiet(feed.onlyInstrument.id)
        else { return }
        let ahead = feed.rowsAhead
        let (count, hasIntents) = engine.showBatch(
            rows.span.extracting(..<ahead.upperBound), from: ahead.lowerBound,
            of: feed.onlyInstrument, before: min(sessionEnd, nextAction))
        guard count > 0 else { return }
        feed.skip(count, endsLast: !hasIntents)
        isShown = hasIntents
        barCount += hasIntents ? count - 1 : count
        now = engine.now
    }

    /// Shows the bars that end now at once, if that comes to the same as one after the other. Returns
    /// whether it does.
    mutating func showSlice() -> Bool {
        let bars = feed.closedBars
        return engine.showSlice(bars.span.extracting(..<feed.closeCount), at: now)
    }
}
