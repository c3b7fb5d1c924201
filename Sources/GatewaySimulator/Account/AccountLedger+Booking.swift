import MarketState
import Model
import Primitives
import TWSProtocol

/// How fills become positions and money.
extension AccountLedger {
    func executionIndex(_ text: String) throws(AccountFault) -> ExecutionIndex {
        guard let id = WireExecutionID(text), let index = executions[id.root] else {
            throw .unknownExecution(text)
        }
        return index
    }

    mutating func index(of instrument: AccountInstrument, mark: Price) -> Int {
        if let index = indexes[instrument.id] { return index }
        holdings.append(AccountHolding(of: instrument, mark: mark))
        indexes[instrument.id] = holdings.count - 1
        return holdings.count - 1
    }

    /// Books a fill of a saved ledger again.
    mutating func restore(_ booked: BookedFill) throws(AccountFault) {
        guard let id = WireExecutionID(booked.fill.execution) else {
            throw .malformedExecution(booked.fill.execution)
        }
        guard booked.fill.quantity > .zero else { throw .emptyFill(booked.fill.execution) }
        _ = try add(booked, id)
    }

    /// Splits a position of a saved ledger again.
    mutating func restoreSplit(
        of instrument: AccountInstrument, _ new: Int64, for old: Int64, at lieu: Price
    ) throws(AccountFault) {
        try split(index(of: instrument, mark: lieu), new, for: old, at: lieu)
    }

    mutating func add(
        _ booked: BookedFill, _ id: WireExecutionID
    ) throws(AccountFault) -> Money? {
        let index = index(of: booked.fill.instrument, mark: booked.fill.price)
        let profit: Money?
        do throws(AccountFault) {
            profit = try append(booked, to: index)
        } catch {
            // Nothing was held of it before, and nothing is.
            if holdings[index].entries.isEmpty {
                holdings.removeLast()
                indexes[booked.fill.instrument.id] = nil
            }
            throw error
        }
        executions[id.root] = ExecutionIndex(
            holding: index, entry: holdings[index].entries.count - 1, revision: id.revision)
        return profit
    }

    mutating func split(
        _ index: Int, _ new: Int64, for old: Int64, at lieu: Price
    ) throws(AccountFault) {
        let cash = holdings[index].position.cash
        _ = try holdings[index].append(.split(new: new, old: old, lieu: lieu))
        holdings[index].mark(at: lieu)
        move(holdings[index].position.cash - cash, of: holdings[index].position.instrument.currency)
    }

    mutating func append(
        _ booked: BookedFill, to index: Int
    ) throws(AccountFault) -> Money? {
        var booked = booked
        let old = holdings[index].position
        var trial = old
        let commission = ExactMoney(booked.fill.commission ?? .zero)
        let gain =
            booked.isBusted
            ? nil
            : try trial.apply(
                booked.fill.signed, at: booked.fill.price, commission: commission)
        setSettlement(&booked, cash: trial.cash - old.cash)
        _ = try holdings[index].append(.fill(booked))
        if old.quantity == .zero { holdings[index].mark(at: booked.fill.price) }
        countDayTrades(index, of: booked.fill, closes: gain != nil)
        moved(index, since: old, booked)
        return gain.map { AccountMath.money($0) }
    }

    /// Changes a booked fill and all that follows from it.
    @discardableResult
    mutating func revise(
        _ index: Int, _ entry: Int, _ change: (inout BookedFill) -> Void
    ) throws(AccountFault) -> Money? {
        guard case .fill(let former) = holdings[index].entries[entry] else { return nil }
        var booked = former
        change(&booked)
        guard booked.fill.instrument == former.fill.instrument else {
            throw .otherInstrument(booked.fill.execution)
        }
        let old = holdings[index].position
        setSettlement(&booked, cash: stockCash(booked))
        let gain = try holdings[index].replace(entry, by: .fill(booked))
        if let day = former.settles, day > today { wait(-former.proceeds, day, former) }
        moved(index, since: old, booked)
        return gain.map { AccountMath.money($0) }
    }

    /// What a fill of something that is paid for brings; nothing for a future.
    func stockCash(_ booked: BookedFill) -> ExactMoney {
        let fill = booked.fill
        guard !booked.isBusted,
            let value = AccountMath.trade(fill.price, fill.signed, fill.instrument.multiplier)
        else { return .zero }
        return -value - ExactMoney(fill.commission ?? .zero)
    }

    /// Stocks and options wait for settlement when they are sold. Profits of futures are there at once,
    /// and so is the money of currency trades.
    func setSettlement(_ booked: inout BookedFill, cash: ExactMoney) {
        booked.settles = nil
        booked.proceeds = .zero
        guard cash > .zero else { return }
        let day = NewYork.day(at: booked.fill.time)
        switch booked.fill.instrument.assetClass {
        case .stock, .etf: booked.settles = SettlementCalendar().settlementDay(ofTradeOn: day)
        case .option:
            booked.settles = SettlementCalendar(cycle: .fixed(1)).settlementDay(ofTradeOn: day)
        case .future, .forex, .index: return
        }
        booked.proceeds = cash
    }

    mutating func wait(_ amount: ExactMoney, _ day: Day, _ booked: BookedFill) {
        pots[pot(of: booked.fill.instrument.currency)].wait(amount, until: day)
    }

    /// Moves the money that a change of a position moved.
    mutating func moved(_ index: Int, since old: AccountPosition, _ booked: BookedFill) {
        let new = holdings[index].position
        move(new.cash - old.cash, of: new.instrument.currency)
        if let bought = new.instrument.boughtCurrency {
            move(
                AccountMath.value(
                    Price(units: Price.unitsPerOne),
                    Quantity(units: new.quantity.units &- old.quantity.units),
                    new.instrument.multiplier), of: bought)
        }
        if let day = booked.settles, day > today { wait(booked.proceeds, day, booked) }
    }

    mutating func move(_ amount: ExactMoney, of currency: String) {
        pots[pot(of: currency)].total += amount
    }

    /// The place of a currency's money.
    mutating func pot(of currency: String) -> Int {
        if let index = pots.firstIndex(where: { $0.currency == currency }) { return index }
        // The account's own stays first, the others are in the order of their codes.
        let index = pots.dropFirst().firstIndex { $0.currency > currency } ?? pots.count
        pots.insert(CashPot(currency), at: index)
        return index
    }
}

extension BookedFill {
    /// Takes a newer revision; what it cost stays unless that says otherwise.
    mutating func correct(by newer: AccountFill) {
        if original == nil { original = fill }
        let commission = newer.commission ?? fill.commission
        fill = newer
        fill.commission = commission
    }
}
