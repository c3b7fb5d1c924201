package import Catalog
package import MarketState
import Model
import Primitives

/// The market data of a backtest, one timestamp after the other: bars, bars with longer ones made of them, or
/// quotes and trades.
///
/// Each `next` moves to the next timestamp at which data comes or a longer bar ends. What there is at that
/// timestamp is the caller's to look at.
package struct MarketFeed: ~Copyable {
    /// What strategies' data is made of.
    enum Kind: Sendable {
        /// Bars as the data has them.
        case bars
        /// Bars that are made of those of the data.
        case longerBars
        /// Quotes and trades, and the bars that are made of them if any are.
        case ticks
    }

    /// What it delivers.
    let kind: Kind
    /// The timestamp.
    private(set) var time = Timestamp.distantPast
    /// The bars; none where there are ticks.
    var bars: BarFeed
    /// The quotes and trades; none where there are bars. It is at the next to be taken.
    var ticks: TickFeed
    /// Makes longer bars.
    var longerBars: LongerBars
    /// True while bars have begun at `time`.
    private(set) var hasOpened = false

    /// True if longer bars are made.
    let makesBars: Bool
    /// The timestamp that the data is at, while it was not delivered yet: longer bars end before it.
    private var dataAhead: Timestamp?
    /// True if there is no data at `time`, only the end of longer bars.
    private(set) var isBetweenData = false
    /// True if `ticks` is at a row.
    private var isAtTick = false

    /// Bars.
    ///
    /// - Parameter longerBars: what makes the bars that strategies see; `nil` for those of the data.
    package init(_ bars: consuming BarFeed, longerBars: LongerBars? = nil) {
        kind = longerBars == nil ? .bars : .longerBars
        self.bars = bars
        ticks = TickFeed(TickSet(series: [], basis: .raw, calendar: .always), instruments: [])
        self.longerBars = longerBars ?? LongerBars(instrumentCount: 0)
        makesBars = longerBars != nil
    }

    /// Quotes and trades.
    ///
    /// - Parameter longerBars: what makes bars of them, if any are made.
    package init(_ ticks: consuming TickFeed, longerBars: LongerBars? = nil) {
        kind = .ticks
        bars = BarFeed(
            DataSet(series: [], basis: .raw, stamp: .start, calendar: .always), instruments: [])
        self.ticks = ticks
        self.longerBars = longerBars ?? LongerBars(instrumentCount: 0)
        makesBars = longerBars != nil
        isAtTick = self.ticks.next()
    }

    // MARK: Time

    /// Moves to the next timestamp; `false` when there is none.
    @inline(__always)
    mutating func next() -> Bool {
        hasOpened = false
        return makesBars ? nextOfDataOrLongerBars() : nextOfData()
    }

    @inline(__always)
    private mutating func nextOfData() -> Bool {
        switch kind {
        case .bars, .longerBars:
            guard bars.next() else { return false }
            time = bars.time
        case .ticks:
            guard isAtTick else { return false }
            time = ticks.row.at
        }
        return true
    }

    private mutating func nextOfDataOrLongerBars() -> Bool {
        let before = time
        if dataAhead == nil, nextOfData() { dataAhead = time }
        // Each round ends the bars in progress that end first: there are as many as instruments at most.
        while longerBars.due < dataAhead ?? .distantFuture {
            let end = longerBars.due
            longerBars.advance(to: end)
            guard longerBars.areComplete else { continue }
            isBetweenData = true
            time = max(end, before)
            return true
        }
        isBetweenData = false
        guard let dataAhead else { return false }
        time = dataAhead
        self.dataAhead = nil
        return true
    }

    // MARK: Bars

    /// How many bars of the data end now.
    var closeCount: Int {
        @inline(__always) get { isBetweenData ? 0 : bars.closeCount }
    }

    /// How many bars of the data begin now.
    var openCount: Int {
        @inline(__always) get { isBetweenData ? 0 : bars.openCount }
    }

    /// Lets the bars begin that begin now.
    @inline(__always)
    mutating func open() { hasOpened = true }

    /// The bar of an instrument that begins now; `nil` before bars have begun.
    func barInProgress(of instrument: InstrumentID) -> Bar? {
        hasOpened ? bars.barInProgress(of: instrument) : nil
    }

    /// Takes so many bars of the only series as delivered: the last of them ends now.
    mutating func skipBars(_ count: Int) {
        bars.skip(count, endsLast: true)
        hasOpened = false
    }

    // MARK: Ticks

    /// Moves to the next quote or trade if it is of the same timestamp, `time`; `false` otherwise.
    @inline(__always)
    mutating func nextTick() -> Bool {
        isAtTick = ticks.next()
        return isAtTick && ticks.row.at == time
    }

    /// Takes so many rows of the only series as delivered: the last of them is at `time`.
    @inline(__always)
    mutating func skipTicks(_ count: Int, to time: Timestamp) {
        ticks.skip(count)
        self.time = time
    }
}
