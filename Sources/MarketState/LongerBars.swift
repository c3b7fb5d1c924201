package import Model
package import Primitives

/// Longer bars of several instruments, made as their parts come in; see `BarAggregator`.
///
/// Its caller also moves its time on (`advance`), so that a bar is complete at its end, whether or not
/// a part ends there, too.
package struct LongerBars: Sendable {
    /// The bars that are complete and not taken yet.
    private var complete: [Bar] = []
    /// By instrument; `nil` for one whose bars are as long as wanted.
    private var aggregators: [BarAggregator?]
    /// Whether bars of an instrument are made of its quotes; by instrument.
    private var isQuoted: [Bool]
    private let hasQuoted: Bool
    /// When the earliest bar in progress ends, `.distantFuture` without one.
    package private(set) var due = Timestamp.distantFuture

    /// Bars of `barSize` for each of `instruments`.
    ///
    /// - Parameters:
    ///   - instruments: all of the run.
    ///   - sources: what the bars of each are made of.
    ///   - barSize: divides a day.
    package init(
        of instruments: [InstrumentID], from sources: [Source], barSize: Duration,
        calendar: SessionCalendar
    ) {
        precondition(instruments.count == sources.count, "each instrument has its source")
        isQuoted = sources.map { $0 == .middles }
        hasQuoted = isQuoted.contains(true)
        aggregators = []
        for instrument in instruments {
            let index = aggregators.count
            precondition(Int(instrument.index) == index, "instruments come in their order")
            let aggregator = BarAggregator(instrument, barSize: barSize, calendar: calendar)
            precondition(aggregator != nil, "the length divides a day")
            aggregators.append(sources[index] == .asTheyAre ? nil : aggregator)
        }
    }

    /// No bars but those that are put in: for strategies that see the data as it is.
    package init(instrumentCount: Int) {
        aggregators = Array(repeating: nil, count: instrumentCount)
        isQuoted = Array(repeating: false, count: instrumentCount)
        hasQuoted = false
    }

    /// What the bars of an instrument are made of.
    package enum Source: Hashable, Sendable {
        /// Shorter bars, or trades.
        case parts
        /// The middles of quotes, for what is quoted and never traded.
        case middles
        /// Nothing: what is put in is as long as wanted.
        case asTheyAre
    }

    /// Whether bars are made of anything.
    package var areMade: Bool { aggregators.contains { $0 != nil } }

    /// Whether bars are complete that were not taken yet.
    package var areComplete: Bool { !complete.isEmpty }

    /// Takes in a bar that ends now.
    package mutating func add(_ part: Bar) {
        let index = Int(part.instrument.index)
        guard aggregators[index] != nil else {
            complete.append(part)
            return
        }
        aggregators[index]?.add(part, into: &complete)
        note(index)
    }

    /// Takes in a trade that happens now.
    package mutating func add(_ trade: Trade) {
        let index = Int(trade.instrument.index)
        aggregators[index]?.add(trade, into: &complete)
        note(index)
    }

    /// Takes in a quote that is made now. It counts where bars are made of quotes, if bid and ask are
    /// there and do not cross.
    @inline(__always)
    package mutating func add(_ quote: Quote) {
        if hasQuoted { addMiddle(quote) }
    }

    private mutating func addMiddle(_ quote: Quote) {
        guard isQuoted[Int(quote.instrument.index)], let middle = quote.middle else { return }
        add(
            Trade(
                instrument: quote.instrument, at: quote.at, price: middle, size: .zero))
    }

    /// Completes the bars that end by `time`.
    package mutating func advance(to time: Timestamp) {
        guard due <= time else { return }
        due = .distantFuture
        for index in aggregators.indices {
            aggregators[index]?.advance(to: time, into: &complete)
            note(index)
        }
    }

    /// Moves the complete bars behind `bars`, in the order of their ends and, at one instant, of their
    /// instruments.
    package mutating func take(into bars: inout [Bar]) {
        if complete.count > 1 {
            complete.sort { ($0.end, $0.instrument) < ($1.end, $1.instrument) }
        }
        bars += complete
        complete.clear()
    }

    /// What was left out, of all instruments together.
    package var dropped: BarAggregator.Dropped {
        aggregators.compactMap { $0?.dropped }.reduce(into: BarAggregator.Dropped()) { sum, one in
            sum.duplicate += one.duplicate
            sum.late += one.late
            sum.outside += one.outside
            sum.overlong += one.overlong
        }
    }

    @inline(__always)
    private mutating func note(_ index: Int) {
        if let end = aggregators[index]?.due, end < due { due = end }
    }
}
