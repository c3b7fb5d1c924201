import Accounting
import MarketState
package import Model
package import Primitives
import Risk
import Signals

/// How many rows a batch of several instances looks ahead: when one of them asks for something, those before it
/// have gone too far and are run again.
struct Lookahead: Sendable {
    private(set) var rows = 64

    /// The batch went to its end.
    mutating func grow() { rows = min(rows * 2, 4_096) }
    /// Instances had to be run again.
    mutating func shrink() { rows = max(rows / 2, 16) }
}

/// What does not change within a batch.
struct BatchRun {
    let position: BarBatch.Position
    let barSize: Duration
    let bounds: BarBounds
}

extension BarBatch.Position {
    /// The highest equity at the closes of rows.
    func highestEquity(_ rows: Span<BarRow>, _ range: Range<Int>) -> ExactMoney {
        var (low, high) = (rows[range.lowerBound].close, rows[range.lowerBound].close)
        guard worth != .zero else { return equity(at: low) }
        for row in range {
            low = min(low, rows[row].close)
            high = max(high, rows[row].close)
        }
        return max(equity(at: low), equity(at: high))
    }
}

/// Market data in batches: the same as one event after the other, in a fraction of the time.
extension Engine {
    /// Takes in all bars of one time: `step` with each of them, and with the end of their slice.
    ///
    /// - Parameters:
    ///   - bars: complete bars of different instruments, in the order in which they are to be shown.
    ///   - time: when they end; not earlier than the event before.
    package mutating func run(
        _ bars: Span<Bar>, at time: Timestamp, into output: inout EngineOutput
    ) {
        precondition(time >= now, "events come in the order of their times")
        now = time
        if now > dayEnd { beginDay(into: &output) }
        guard sliceBars.isEmpty, adjustments.areNone, notices.isEmpty else {
            for index in bars.indices {
                step(Event(at: time, kind: .bar(bars[index])), into: &output)
            }
            return step(Event(at: time, kind: .sliceClosed), into: &output)
        }
        context.time = time
        for index in bars.indices {
            record(bars[index], into: &output)
            if keepsRanges { updateRanges(bars[index]) }
            if !notices.isEmpty { deliverNotices(into: &output) }
        }
        reviewSlice(into: &output)
        if listeners.slices > 0 || !bars.isEmpty { show(bars) }
        endSlice(into: &output)
        if !notices.isEmpty { deliverNotices(into: &output) }
        assert(isConsistent, "cash, positions and profit must explain equity")
    }

    /// Takes in bars of one instrument, each the only one of its slice: `step` with one after the other and with
    /// the ends of their slices, up to the first about which something is asked for.
    ///
    /// - Parameters:
    ///   - rows: the bars, of one bar size, oldest first.
    ///   - first: the first that is taken in.
    ///   - series: their instrument and bar size.
    ///   - bounds: only rows within them are taken in. Within them nothing else may happen: no event is due and no
    ///     order at the venue is reached.
    /// - Returns: how many rows were taken in; 0 where the next one has to be stepped.
    package mutating func run(
        _ rows: Span<BarRow>, from first: Int, of series: (id: InstrumentID, barSize: Duration),
        within bounds: BarBounds, into output: inout EngineOutput
    ) -> Int {
        guard let (position, allowed) = batchBounds(of: series.id, within: bounds) else { return 0 }
        let limit = lookaheadEnd(of: rows.count, from: first)
        let run = BatchRun(
            position: position, barSize: series.barSize, bounds: allowed)
        let end = show(rows, first..<limit, run)
        guard end > first else { return 0 }
        close(rows, first..<end, run)
        if !context.requests.isEmpty { performRequests(into: &output) }
        takeNotes(into: &output)
        assert(isConsistent, "cash, positions and profit must explain equity")
        return end - first
    }

    /// The row behind the last that a batch looks at.
    func lookaheadEnd(of count: Int, from first: Int) -> Int {
        instances.count == 1 ? count : min(count, first + lookahead.rows)
    }

    // MARK: Where batches are allowed

    /// The bounds within which rows of an instrument concern only the strategies that are shown them: the one
    /// place that says when a batch is allowed.
    func batchBounds(
        of instrument: InstrumentID, within bounds: BarBounds, atMost most: ExactMoney? = nil
    ) -> (position: BarBatch.Position, bounds: BarBounds)? {
        guard usesBatches, adjustments.areNone, unfinished.exits.isEmpty, sliceBars.isEmpty,
            isQuotedOnly.isEmpty, allListenersAreShown(instrument),
            let position = BarBatch.Position(
                of: instrument,
                multiplier: context.market.instruments[Int(instrument.index)].multiplier,
                held: portfolio.quantity(of: instrument),
                otherEquity: portfolio.equity - portfolio.value(of: instrument))
        else { return nil }
        var bounds = bounds
        bounds.end = min(bounds.end, dayEnd)
        bounds.narrow(to: -position.priceMax...position.priceMax)
        guard !monitor.isOn || narrowToLimits(&bounds, position) else { return nil }
        if let most {
            guard portfolio.equity <= most else { return nil }
            bounds.narrow(to: position.prices(above: ExactMoney(units: .min / 4), atMost: most))
        }
        return (position, bounds)
    }

    /// Apart, so that nothing is copied for it where nothing is monitored.
    @inline(never)
    private func narrowToLimits(_ bounds: inout BarBounds, _ position: BarBatch.Position) -> Bool {
        monitor.narrow(&bounds, position, gate, portfolio)
    }

    /// True unless an instance acts on the ends of slices and is not shown the instrument.
    private func allListenersAreShown(_ instrument: InstrumentID) -> Bool {
        for index in 0..<instances.count
        where instances[index].receivesSlices && !isShown(instrument, to: index) {
            return false
        }
        return true
    }

    // MARK: Showing

    /// Shows rows to every instance that is shown the instrument, up to the first row about which one of them
    /// asks for something. Returns the row behind that.
    private mutating func show(
        _ rows: Span<BarRow>, _ range: Range<Int>, _ run: BatchRun
    ) -> Int {
        var (end, isFirst) = (range.upperBound, true)
        let (isAlone, noteCount) = (instances.count == 1, context.notes.count)
        for index in 0..<instances.count where isShown(run.position.instrument, to: index) {
            if !isAlone { instances[index].checkpoint() }
            let reached = show(rows, range.lowerBound..<end, run, to: index)
            defer { isFirst = false }
            guard reached < end else { continue }
            end = reached
            // Those before have seen more than there is to be seen until this one's intents are performed.
            guard !isFirst else { continue }
            lookahead.shrink()
            rewind(through: index, noteCount)
            for earlier in 0...index where isShown(run.position.instrument, to: earlier) {
                _ = show(rows, range.lowerBound..<end, run, to: earlier)
            }
        }
        if !isAlone { endBatch(noteCount) }
        return end
    }

    /// What is left to do when all instances have seen a batch.
    mutating func endBatch(_ noteCount: Int) {
        for index in 0..<instances.count { instances[index].dropCheckpoint() }
        if context.keepsNotes { context.sortNotes(from: noteCount) }
        if context.requests.isEmpty { lookahead.grow() }
    }

    /// Takes instances back to the start of a batch, and forgets what they have asked for and noted in it.
    mutating func rewind(through last: Int, _ noteCount: Int) {
        context.requests.removeAll()
        context.dropNotes(from: noteCount)
        for index in 0...last { instances[index].restore() }
    }

    private mutating func show(
        _ rows: Span<BarRow>, _ range: Range<Int>, _ run: BatchRun, to index: Int
    ) -> Int {
        let requestCount = context.requests.count
        var batch = BarBatch(
            run.position, barSize: run.barSize, from: range.lowerBound,
            startEnd: run.bounds.startEnd(barSize: run.barSize), requestCount: requestCount)
        context.strategy = StrategyID(index: index)
        // Prices are looked at for more and more rows at a time: most batches are short.
        var count = run.bounds.containsAllPrices ? range.count : 24
        var isWithin = true
        while isWithin, batch.next == batch.end, batch.end < range.upperBound,
            context.requests.count == requestCount
        {
            let part = batch.end..<min(batch.end + count, range.upperBound)
            batch.end = run.bounds.pricesEnd(of: rows, part)
            isWithin = batch.end == part.upperBound
            instances[index].strategy._runBars(rows, &batch, &context)
            count *= 2
        }
        if context.declinedSlices {
            context.declinedSlices = false
            if instances[index].receivesSlices {
                instances[index].receivesSlices = false
                listeners.slices -= 1
            }
        }
        return batch.next
    }

    // MARK: The end of a batch

    /// Takes rows that were shown into everything else: what the end of each slice does, for all at once.
    private mutating func close(
        _ rows: Span<BarRow>, _ range: Range<Int>, _ run: BatchRun
    ) {
        let (instrument, barSize) = (run.position.instrument, run.barSize)
        for index in 0..<instances.count
        where instances[index].keepsRanges && isShown(instrument, to: index) {
            for row in range {
                instances[index].updateRanges(Bar(rows[row], of: instrument, barSize: barSize))
            }
        }
        let last = rows[range.upperBound - 1]
        now = last.start + barSize
        context.time = now
        context.state.record(Bar(last, of: instrument, barSize: barSize))
        monitor.losses?.observe(run.position.highestEquity(rows, range))
        portfolio.mark(instrument, atBarsIn: range, of: rows, barSize: barSize)
        context.valuation = Valuation(portfolio.equity)
    }
}
