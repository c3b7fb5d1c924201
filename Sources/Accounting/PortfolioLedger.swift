package import Model
public import Primitives

/// Who an execution belongs to.
@usableFromInline
package enum Attribution: Hashable, Sendable {
    /// A strategy's order.
    case strategy(StrategyID)
    /// No order we know: booked all the same, since it is real.
    case unattributed
}

/// Cash, positions and equity of one account, from executions, charges, corporate actions, interest and
/// named cash flows only.
///
/// Sums of price times quantity are kept exactly and rounded where a figure leaves. Equity is moved by
/// differences, never added up anew; `identityHolds` adds it up anew to check.
@usableFromInline
package struct PortfolioLedger: ~Copyable {
    private let passing = PassedByReference()
    /// Total cash, settled or not: capital and cash flows, interest and dividends, less what executions
    /// and charges took.
    package internal(set) var cash: ExactMoney
    /// Cash with executions counted from their settlement day on; everything else counts at once.
    package internal(set) var settledCash: ExactMoney
    /// What executions will do to settled cash, and when.
    package internal(set) var settlements = SettlementQueue()
    /// Cash plus the value of all positions at their marks.
    @usableFromInline package internal(set) var equity: ExactMoney
    /// Commissions and fees charged so far, by part.
    package internal(set) var fees = Fees()
    /// Interest received; negative when more was paid.
    package internal(set) var interest = ExactMoney.zero
    /// Income that belongs to no strategy: dividends that the broker paid and no corporate action announced.
    package internal(set) var otherIncome = ExactMoney.zero
    /// Capital put in: at the start and by cash flows.
    package internal(set) var contributed: ExactMoney
    /// What the account earned, whatever was paid in and out.
    package internal(set) var timeWeightedReturn: TimeWeightedReturn
    /// Corporate actions booked so far, by ex-day: what corrections of older executions need. One entry
    /// an action, so a few a year and instrument.
    package internal(set) var actions: [BookedAction] = []
    /// The deepest fall of equity from a peak so far.
    @usableFromInline package internal(set) var drawdown: Drawdown

    @usableFromInline let strategyCount: Int
    @usableFromInline var instruments: FixedArray<InstrumentPosition>
    /// By strategy, then instrument; the last row is what belongs to no strategy.
    @usableFromInline var ledgers: FixedArray<PositionLedger>
    /// What the oldest executions of ledgers were folded into, by place: looked up, never iterated.
    var bases: [Int: PositionLedger] = [:]
    /// How many of `ledgers` may hold anything: the last row does only once something was booked in it.
    var ledgersInUse: Int

    /// The whole account's position in one instrument.
    /// Not private: other modules destroy `PortfolioLedger` and need its description for that.
    @usableFromInline
    struct InstrumentPosition: BitwiseCopyable {
        @usableFromInline var multiplier: Int64 = 1
        @usableFromInline var quantity = Quantity.zero
        @usableFromInline var mark: Price?
        @usableFromInline var value = ExactMoney.zero
    }

    /// The ledger of an account that holds `capital` in cash.
    package init(instruments: [Instrument], strategyCount: Int, capital: Money) {
        cash = ExactMoney(capital)
        settledCash = cash
        equity = cash
        contributed = cash
        drawdown = Drawdown(equity: cash)
        timeWeightedReturn = TimeWeightedReturn(equity: cash)
        self.strategyCount = strategyCount
        self.instruments = FixedArray(repeating: InstrumentPosition(), count: instruments.count)
        for instrument in instruments {
            self.instruments[instrument.id].multiplier = instrument.multiplier
        }
        ledgers = FixedArray(
            repeating: PositionLedger(), count: instruments.count * (strategyCount + 1))
        ledgersInUse = instruments.count * strategyCount
    }

    // MARK: What is held

    /// The whole account's position.
    @inlinable
    package func quantity(of instrument: InstrumentID) -> Quantity {
        instruments[Int(instrument.index)].quantity
    }

    /// One owner's position.
    @inlinable
    package func ledger(of owner: Attribution, in instrument: InstrumentID) -> PositionLedger {
        ledgers[row(owner, instrument)]
    }

    /// The value of the whole account's position at its mark; negative for a short.
    @inlinable
    package func value(of instrument: InstrumentID) -> ExactMoney {
        instruments[Int(instrument.index)].value
    }

    /// The price a position is valued at; `nil` before there was one, when it is valued at its cost.
    package func mark(of instrument: InstrumentID) -> Price? {
        instruments[Int(instrument.index)].mark
    }

    /// The sizes of all positions at their marks, longs and shorts added.
    package var grossExposure: ExactMoney {
        var sum = ExactMoney.zero
        // Most instruments are not held.
        for index in 0..<instruments.count where instruments[index].value != .zero {
            sum += instruments[index].value.magnitude
        }
        return sum
    }

    // MARK: What changes them

    /// Books an execution: position, cash and cost. A position without a mark is worth its cost.
    ///
    /// - Parameter day: when its cash settles, always the same day for an execution; without one, and
    ///   when the day is past, at once.
    package mutating func apply(
        _ execution: Execution, for owner: Attribution, settling day: Day? = nil
    ) {
        let index = Int(execution.instrument.index)
        let multiplier = instruments[index].multiplier
        let change = execution.signedQuantity
        let row = row(owner, execution.instrument)
        use(row)
        ledgers[row].apply(execution, multiplier: multiplier)
        moveAccount(
            at: index, quantity: change, cash: execution.price * -change * multiplier)
        if let day { queue(execution, on: day) }
    }

    /// Whether an execution comes behind all of its owner's in its instrument: by time, at one time by
    /// number.
    package func comesLast(_ execution: Execution, for owner: Attribution) -> Bool {
        ledgers[row(owner, execution.instrument)].comesLast(execution)
    }

    /// Replaces an execution by a later version of it, or one that overtook another, by booking the
    /// owner's executions in the instrument anew. Dividends and fractions that follow from what was held
    /// follow the new version.
    ///
    /// - Parameters:
    ///   - replaced: the version to take back, if one was booked.
    ///   - history: all of the owner's executions in the instrument, newest versions, oldest first; in
    ///     both instruments when `replaced` was in another.
    ///   - day: the settlement day of a version, as given to `apply`.
    /// - Returns: false when the execution is older than what was folded: position and cash have it, but what
    ///   happened between is booked as if it came before.
    @discardableResult
    package mutating func rebook(
        _ execution: Execution, replacing replaced: Execution?, for owner: Attribution,
        history: [Execution], settling day: (Execution) -> Day? = { _ in nil }
    ) -> Bool {
        rebuild(owner, in: execution.instrument, history: history)
        if let replaced {
            if replaced.instrument != execution.instrument {
                rebuild(owner, in: replaced.instrument, history: history)
            }
            queue(replaced, on: day(replaced), takingBack: true)
        }
        queue(execution, on: day(execution))
        return bases[row(owner, execution.instrument)]?.comesLast(execution) ?? true
    }

    /// Charges a commission or fee; negative for a rebate or a correction downwards.
    ///
    /// - Parameters:
    ///   - part: what it is for; what a broker does not itemise is commission.
    ///   - holding: whose execution it is for, if that is known.
    package mutating func charge(
        _ amount: Money, as part: FeePart = .commission, to holding: Holding? = nil
    ) {
        let exact = ExactMoney(amount)
        moveCash(by: -exact)
        fees.add(exact, to: part)
        if let holding { ledgers[row(holding.owner, holding.instrument)].charges += exact }
    }

    /// Books interest: received, or paid when negative.
    package mutating func recordInterest(_ amount: Money) {
        let exact = ExactMoney(amount)
        moveCash(by: exact)
        interest += exact
    }

    /// Books a dividend that no corporate action announced; negative when it was charged, as for a short.
    package mutating func recordIncome(_ amount: Money) {
        let exact = ExactMoney(amount)
        moveCash(by: exact)
        otherIncome += exact
    }

    /// Money paid in or out, settled at once. Shifts the drawdown's peak too, and ends a batch of the
    /// time-weighted return: a deposit is no profit.
    package mutating func recordCashFlow(_ amount: Money) {
        let exact = ExactMoney(amount)
        timeWeightedReturn.record(flow: exact, at: equity)
        moveCash(by: exact)
        contributed += exact
        drawdown.shift(by: exact)
    }

    /// Values a position at a new price. Returns false, and keeps the old mark, when the position's
    /// value would be beyond what the ledger can bear (10^12).
    @inlinable
    @inline(__always)
    package mutating func mark(_ instrument: InstrumentID, at price: Price) -> Bool {
        if instruments[instrument].quantity != .zero {
            let position = instruments[instrument]
            let value = price * position.quantity * position.multiplier
            guard value <= .tradeMax, value >= -.tradeMax else { return false }
            equity += value - position.value
            instruments[instrument].value = value
        }
        instruments[instrument].mark = price
        return true
    }

    /// Looks at equity after all that belongs to a slice.
    @inlinable
    package mutating func closeSlice(at time: Timestamp) {
        drawdown.observe(equity, at: time)
    }

    /// Values a position at the closes of bars, one after the other, and looks at equity at their ends.
    ///
    /// - Parameter barSize: the bars'. Each value must be within what the ledger can bear.
    package mutating func mark(
        _ instrument: InstrumentID, atBarsIn range: Range<Int>, of rows: Span<BarRow>,
        barSize: Duration
    ) {
        guard let last = range.last else { return }
        let position = instruments[instrument]
        if position.quantity == .zero {
            // Equity stays as it is: the first look sees how deep it is, the last until when.
            drawdown.observe(equity, at: rows[range.lowerBound].start + barSize)
        } else {
            let equity = HeldEquity(position, others: equity - position.value)
            var first = range.lowerBound
            while first < last {
                let end = min(first + HeldEquity.closesPerBlock, last)
                drawdown.observe(equity, atBarsIn: first..<end, of: rows, barSize: barSize)
                first = end
            }
        }
        _ = mark(instrument, at: rows[last].close)
        drawdown.observe(equity, at: rows[last].start + barSize)
    }

    // MARK: Differences

    /// Moves the account by what its owners' ledgers have, when a ledger or the mark has changed.
    ///
    /// The account's value is that at the mark, not at the price of an execution that came first: the
    /// order of arrival decides nothing.
    mutating func moveAccount(at index: Int, quantity: Quantity, cash: ExactMoney) {
        moveCash(by: cash)
        instruments[index].quantity += quantity
        let position = instruments[index]
        let value =
            position.mark.map { $0 * position.quantity * position.multiplier }
            ?? unmarkedValue(at: index)
        equity += value - position.value
        instruments[index].value = value
    }

    /// What a position without a mark is worth: what all owners' positions have cost; but where they
    /// cancel each other out, nothing, as at any mark.
    func unmarkedValue(at index: Int) -> ExactMoney {
        var sum = ExactMoney.zero
        guard instruments[index].quantity != .zero else { return sum }
        for owner in 0...strategyCount { sum += ledgers[owner * instruments.count + index].cost }
        return sum
    }

    /// Takes the last row of ledgers into what is looked through, before something is booked in it.
    @inline(__always)
    mutating func use(_ row: Int) {
        if row >= ledgersInUse { ledgersInUse = ledgers.count }
    }

    private mutating func moveCash(by amount: ExactMoney) {
        cash += amount
        settledCash += amount
        equity += amount
    }

    @inlinable
    func row(_ owner: Attribution, _ instrument: InstrumentID) -> Int {
        let row =
            switch owner {
            case .strategy(let strategy): Int(strategy.index)
            case .unattributed: strategyCount
            }
        return row * instruments.count + Int(instrument.index)
    }
}

/// Equity while one position stays as it is and nothing but its price changes.
struct HeldEquity {
    private let quantity: Quantity
    private let multiplier: Int64
    private let others: ExactMoney

    /// How many closes are looked at together: few of them make a new high or the deepest fall.
    static var closesPerBlock: Int { 16 }

    /// - Parameter others: equity but for the position.
    init(_ position: PortfolioLedger.InstrumentPosition, others: ExactMoney) {
        quantity = position.quantity
        multiplier = position.multiplier
        self.others = others
    }

    @inline(__always)
    func callAsFunction(at close: Price) -> ExactMoney { others + close * quantity * multiplier }
}

extension Drawdown {
    /// Looks at equity at the ends of bars: at least one.
    fileprivate mutating func observe(
        _ equity: HeldEquity, atBarsIn range: Range<Int>, of rows: Span<BarRow>, barSize: Duration
    ) {
        var (lowest, highest) = (rows[range.lowerBound].close, rows[range.lowerBound].close)
        for row in range {
            lowest = min(lowest, rows[row].close)
            highest = max(highest, rows[row].close)
        }
        // Equity rises with the price, or falls with it: all others are between these two.
        let (one, other) = (equity(at: lowest), equity(at: highest))
        guard !ignores(min(one, other), max(one, other)) else { return }
        for row in range {
            observe(equity(at: rows[row].close), at: rows[row].start + barSize)
        }
    }
}
