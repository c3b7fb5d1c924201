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

/// Cash, positions and equity of one account, from executions, charges and named cash flows only.
///
/// Sums of price times quantity are kept exactly and rounded where a figure leaves. Equity is moved by
/// differences, never added up anew; `identityHolds` adds it up anew to check.
@usableFromInline
package struct Books: ~Copyable {
    /// Cash: starting capital plus cash flows minus what executions and charges took.
    package private(set) var cash: ExactMoney
    /// Cash plus the value of all positions at their marks.
    @usableFromInline package internal(set) var equity: ExactMoney
    /// Commissions and fees charged so far.
    package private(set) var charges = ExactMoney.zero
    /// Capital put in: at the start and by cash flows.
    package private(set) var contributed: ExactMoney
    /// The deepest fall of equity from a peak so far.
    @usableFromInline package internal(set) var drawdown: Drawdown

    @usableFromInline let strategyCount: Int
    @usableFromInline var instruments: FixedArray<InstrumentBook>
    /// By strategy, then instrument; the last row is what belongs to no strategy.
    @usableFromInline var ledgers: FixedArray<PositionLedger>

    /// The whole account's position in one instrument.
    /// Not private: other modules destroy `Books` and need its description for that.
    @usableFromInline
    struct InstrumentBook: BitwiseCopyable {
        @usableFromInline var multiplier: Int64 = 1
        @usableFromInline var quantity = Quantity.zero
        @usableFromInline var mark: Price?
        @usableFromInline var value = ExactMoney.zero
    }

    /// Books of an account that holds `capital` in cash.
    package init(instruments: [Instrument], strategyCount: Int, capital: Money) {
        cash = ExactMoney(capital)
        equity = cash
        contributed = cash
        drawdown = Drawdown(equity: cash)
        self.strategyCount = strategyCount
        self.instruments = FixedArray(repeating: InstrumentBook(), count: instruments.count)
        for instrument in instruments {
            self.instruments[instrument.id].multiplier = instrument.multiplier
        }
        ledgers = FixedArray(
            repeating: PositionLedger(), count: instruments.count * (strategyCount + 1))
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
        ledgers[place(owner, instrument)]
    }

    /// The value of the whole account's position at its mark; negative for a short.
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
        for index in 0..<instruments.count { sum += instruments[index].value.magnitude }
        return sum
    }

    // MARK: What changes them

    /// Books an execution: position, cash and cost. A position without a mark is worth its cost.
    package mutating func apply(_ execution: Execution, for owner: Attribution) {
        let index = Int(execution.instrument.index)
        let multiplier = instruments[index].multiplier
        ledgers[place(owner, execution.instrument)].apply(execution, multiplier: multiplier)
        moveAccount(execution)
    }

    /// Replaces an execution by a later version of it, or one that overtook another, by booking the
    /// owner's executions in the instrument anew.
    ///
    /// - Parameters:
    ///   - replaced: the version to take back, if one was booked.
    ///   - history: all of the owner's executions in the instrument, newest versions, oldest first; in
    ///     both instruments when `replaced` was in another.
    package mutating func rebook(
        _ execution: Execution, replacing replaced: Execution?, for owner: Attribution,
        history: [Execution]
    ) {
        ledgers[place(owner, execution.instrument)] = PositionLedger()
        if let replaced { ledgers[place(owner, replaced.instrument)] = PositionLedger() }
        for past in history {
            ledgers[place(owner, past.instrument)]
                .apply(past, multiplier: instruments[past.instrument].multiplier)
        }
        if let replaced { moveAccount(replaced, takingBack: true) }
        moveAccount(execution)
    }

    /// Charges a commission or fee; negative for a rebate or a correction downwards.
    package mutating func charge(_ amount: Money) {
        let exact = ExactMoney(amount)
        cash -= exact
        equity -= exact
        charges += exact
    }

    /// Money paid in or out. Shifts the drawdown's peak too: a deposit is no profit.
    package mutating func recordCashFlow(_ amount: Money) {
        let exact = ExactMoney(amount)
        cash += exact
        equity += exact
        contributed += exact
        drawdown.shift(by: exact)
    }

    /// Values a position at a new price. Returns false, and keeps the old mark, when the position's
    /// value would be beyond what the books can bear (10^12).
    @inlinable
    @inline(__always)
    package mutating func mark(_ instrument: InstrumentID, at price: Price) -> Bool {
        if instruments[instrument].quantity != .zero {
            let book = instruments[instrument]
            let value = price * book.quantity * book.multiplier
            guard value <= .tradeMax, value >= -.tradeMax else { return false }
            equity += value - book.value
            instruments[instrument].value = value
        }
        instruments[instrument].mark = price
        return true
    }

    /// Looks at equity after all that belongs to an instant.
    @inlinable
    package mutating func closeSlice(at instant: Timestamp) {
        drawdown.observe(equity, at: instant)
    }

    // MARK: Checks

    /// Whether every sum that is moved by differences equals the sum added up anew: equity is cash plus
    /// values, positions are the sums of their owners', and profit explains what equity has gained.
    package var identityHolds: Bool {
        var sum = cash
        var explained = contributed - charges
        for index in 0..<instruments.count {
            let book = instruments[index]
            sum += book.value
            var held = Quantity.zero
            for owner in 0...strategyCount {
                let ledger = ledgers[owner * instruments.count + index]
                held += ledger.quantity
                explained += ledger.realized - ledger.cost
            }
            explained += book.value
            guard held == book.quantity else { return false }
            let value = book.mark.map { $0 * book.quantity * book.multiplier } ?? cost(at: index)
            guard value == book.value else { return false }
        }
        return sum == equity && explained == equity
    }

    /// Takes the books into a digest.
    package func hash(into hasher: inout StateHasher) {
        hasher.combine(cash)
        hasher.combine(equity)
        hasher.combine(charges)
        hasher.combine(contributed)
        for index in 0..<instruments.count { hasher.combine(instruments[index].quantity) }
        for index in 0..<ledgers.count {
            let ledger = ledgers[index]
            hasher.combine(ledger.quantity)
            hasher.combine(ledger.cost)
            hasher.combine(ledger.realized)
        }
    }

    private mutating func moveAccount(_ execution: Execution, takingBack: Bool = false) {
        let index = Int(execution.instrument.index)
        let change = takingBack ? -execution.signedQuantity : execution.signedQuantity
        let multiplier = instruments[index].multiplier
        let paid = execution.price * change * multiplier
        cash -= paid
        equity -= paid
        let quantity = instruments[index].quantity + change
        // Not the price of the execution that came first: the order of arrival decides nothing.
        let value = instruments[index].mark.map { $0 * quantity * multiplier } ?? cost(at: index)
        equity += value - instruments[index].value
        instruments[index].quantity = quantity
        instruments[index].value = value
    }

    /// What all owners' positions in an instrument have cost.
    private func cost(at index: Int) -> ExactMoney {
        var sum = ExactMoney.zero
        for owner in 0...strategyCount { sum += ledgers[owner * instruments.count + index].cost }
        return sum
    }

    @inlinable
    func place(_ owner: Attribution, _ instrument: InstrumentID) -> Int {
        let row =
            switch owner {
            case .strategy(let strategy): Int(strategy.index)
            case .unattributed: strategyCount
            }
        return row * instruments.count + Int(instrument.index)
    }
}
