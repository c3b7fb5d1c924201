import Accounting
import MarketState
package import Model
package import Primitives
import Signals

/// Bars shown in one call: those between orders, which are most, and those of one instant.
extension Engine {
    /// Whether bars of an instrument concern nobody but the one strategy that is shown them.
    ///
    /// Mutating, though it changes nothing: to call what does not mutate, the compiler copies the engine,
    /// which is 1,300 bytes.
    package mutating func isQuiet(_ instrument: InstrumentID) -> Bool {
        instances.count == 1 && sliceListeners == 0 && isShown(instrument, to: 0)
            && !instances[0].keepsRanges && adjustments.areNone && pending.areNone
            && context.requests.isEmpty
    }

    /// Shows complete bars to the only strategy, up to the first about which it intents something: the same
    /// as `step` with each bar and with the end of its instant, in a quarter of the time.
    ///
    /// When the strategy intents something, the last bar's instant is still open: the end of the slice comes
    /// next.
    ///
    /// - Parameters:
    ///   - rows: the instrument's bars, which last for `length`; it must be quiet.
    ///   - first: the first row to be shown.
    ///   - limit: bars that end before it are shown, if they end on this day.
    /// - Returns: how many rows were shown.
    package mutating func showBatch(
        _ rows: Span<BarRow>, from first: Int, of instrument: (id: InstrumentID, length: Duration),
        before limit: Timestamp
    ) -> (count: Int, hasIntents: Bool) {
        guard
            let position = BarBatch.Position(
                of: instrument.id,
                multiplier: context.market.instruments[Int(instrument.id.index)].multiplier,
                held: portfolio.quantity(of: instrument.id),
                otherEquity: portfolio.equity - portfolio.value(of: instrument.id))
        else { return (0, false) }
        var batch = BarBatch(
            position, length: instrument.length, from: first, before: min(limit, dayEnd))
        context.strategy = StrategyID(index: 0)
        instances[0].strategy.watch(rows, &batch, &context)
        guard batch.next > first else { return (0, false) }
        let hasIntents = !context.requests.isEmpty
        let last = batch.next - 1
        portfolio.mark(
            instrument.id, atBarsIn: first..<(hasIntents ? last : last + 1), of: rows,
            length: instrument.length)
        if hasIntents { _ = portfolio.mark(instrument.id, at: rows[last].close) }
        now = rows[last].start + instrument.length
        assert(isConsistent, "cash, positions and profit must explain equity")
        return (batch.next - first, hasIntents)
    }

    /// Shows bars that end now to the only strategy: the same as `step` with each of them, in a third of the
    /// time.
    ///
    /// - Parameters:
    ///   - bars: in the order in which they are to be shown, of different instruments.
    ///   - instant: when they end; not earlier than the event before.
    /// - Returns: false, and nothing happens, where others are concerned, or where the books cannot bear a
    ///   price.
    package mutating func showSlice(_ bars: Span<Bar>, at time: Timestamp) -> Bool {
        guard showsAll, adjustments.areNone, portfolio.canBear(bars) else { return false }
        precondition(time >= now, "events come in the order of their times")
        now = time
        if now > dayEnd { beginDay() }
        context.time = now
        context.strategy = StrategyID(index: 0)
        instances[0].strategy.watchSlice(bars, &context)
        portfolio.mark(bars)
        assert(isConsistent, "cash, positions and profit must explain equity")
        return true
    }
}
