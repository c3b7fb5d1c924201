import Catalog
import MarketState
import Model
import Primitives
import TradingEngine

/// The run's events, one by one, for the engine that it is verified by.
extension Backtest {
    /// Verifies the answer to an event.
    @inline(never)
    mutating func verify(_ event: Event) {
        verifier?.add(event)
        verifyAnswers()
    }

    /// Verifies the answers to the bars that end now, and to the end of their slice.
    @inline(never)
    mutating func verifyClosedBars() {
        for index in 0..<feed.closeCount {
            verifier?.add(Event(at: now, kind: .bar(feed.bars.closedBar(index))))
        }
        verify(Event(at: now, kind: .sliceClosed))
    }

    /// Verifies the answers to bars of one series that were taken in together.
    @inline(never)
    mutating func verify(
        _ rows: ArraySlice<BarRow>, of series: (id: InstrumentID, barSize: Duration)
    ) {
        for row in rows {
            let end = row.start + series.barSize
            verifier?.add(
                Event(at: end, kind: .bar(Bar(row, of: series.id, barSize: series.barSize))))
            verifier?.add(Event(at: end, kind: .sliceClosed))
        }
        verifyAnswers()
    }

    /// Verifies the answers to quotes and trades that were taken in together.
    ///
    /// - Parameter time: that of the row before, whose slice is open.
    @inline(never)
    mutating func verify(
        _ rows: ArraySlice<TickRow>, of instrument: InstrumentID, after time: Timestamp
    ) {
        var slice = time
        for row in rows {
            if row.at > slice { verifier?.add(Event(at: slice, kind: .sliceClosed)) }
            slice = row.at
            let kind: Event.Kind =
                row.isTrade
                ? .trade(row.trade(of: instrument)) : .quote(row.quote(of: instrument))
            verifier?.add(Event(at: slice, kind: kind))
        }
        verifyAnswers()
    }

    private mutating func verifyAnswers() {
        verifier?.compare(&output, commandsFrom: performedCount)
    }

    /// Ends a run that was not answered alike.
    func requireSameAnswers() throws(BacktestError) {
        if let difference = verifier?.difference { throw .answersDiffer(difference) }
    }

    /// Ends a run whose last state is not the same on both sides.
    func requireSameState() throws(BacktestError) {
        if let difference = verifier?.compareState(with: engine) {
            throw .answersDiffer(difference)
        }
    }
}
