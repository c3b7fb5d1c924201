package import Accounting
package import Model
package import Primitives

/// A position from the fill that opened it to the fill that closed it, of one strategy in one
/// instrument.
///
/// "Entry" is every fill that enlarged the position, "exit" every fill that reduced it.
package struct RoundTrip: Hashable, Sendable {
    /// Whose trade.
    package let strategy: StrategyID
    /// In what.
    package let instrument: InstrumentID
    /// Which way it was opened: `buy` is a long trade.
    package let side: Side
    /// The most that was held at once, in the shares of its end; positive.
    package let quantity: Quantity
    /// When the first fill happened.
    package let entryTime: Timestamp
    /// When the last fill happened, or a split left less than a share.
    package let exitTime: Timestamp
    /// The average price of the entries for one of the shares of its end, rounded half to even.
    package let entryPrice: Price
    /// The average price of the exits for one of those shares, rounded half to even.
    package let exitPrice: Price
    /// What all entries were worth together; negative if their price was.
    package let entryValue: ExactMoney
    /// What prices made, before commissions.
    package let exactGross: ExactMoney
    /// `exactGross`, rounded half to even.
    package let grossProfit: Money
    /// What all its fills cost.
    package let commission: Money
    /// How many fills took part; one that crossed zero counts in both trades.
    package let fillCount: Int
    /// Why the first fill was ordered.
    package let entryReason: TextID
    /// Why the last fill was ordered; nothing where a split ended it.
    package let exitReason: TextID

    /// What prices made and commissions left.
    package var exactNet: ExactMoney { exactGross - ExactMoney(commission) }
    /// The gross profit less commissions: rounded once, so that the printed columns add up.
    package var netProfit: Money { grossProfit - commission }
    /// From the first fill to the last.
    package var duration: Duration { exitTime - entryTime }

    /// The net profit as a part of the entry value; `nil` when that is nothing or no `Money`.
    package var returnOnEntry: Double? {
        guard let value = entryValue.magnitude.roundedIfRepresentable(), value > .zero else {
            return nil
        }
        return netProfit.asDouble / value.asDouble
    }
}

/// A position that was opened and not closed yet.
package struct OpenTrade: Hashable, Sendable {
    /// Whose trade.
    package let strategy: StrategyID
    /// In what.
    package let instrument: InstrumentID
    /// Which way it was opened.
    package let side: Side
    /// When the first fill happened.
    package let entryTime: Timestamp
    /// Why the first fill was ordered.
    package let entryReason: TextID
    /// What is held, without sign; positive.
    package private(set) var held: Quantity
    /// What all its fills cost so far.
    package private(set) var commission: Money
    /// How many fills took part so far.
    package private(set) var fillCount = 1

    private let multiplier: Int64
    private var peak: Quantity
    private var entries: Tally
    private var exits = Tally()

    /// Sums over fills: unrounded, and wider than a `Quantity`, which years of trading could
    /// exceed.
    private struct Tally: Hashable {
        var quantityUnits: Int128 = 0
        var value = ExactMoney.zero

        mutating func add(_ quantity: Quantity, at price: Price) {
            quantityUnits += Int128(quantity.units)
            value += price * quantity
        }

        /// Counts in the shares behind a split from now on.
        mutating func exchange(by ratio: SplitRatio) {
            quantityUnits = quantityUnits * Int128(ratio.new) / Int128(ratio.old)
        }

        var averagePrice: Price {
            // A split may leave less than can be counted.
            guard quantityUnits > 0 else { return .zero }
            return Price(units: Int64(clamping: value.units.dividedHalfToEven(by: quantityUnits)))
        }
    }

    /// The trade that a fill, or the part of it behind a crossing of zero, opens.
    fileprivate init(opening part: FillPart, multiplier: Int64) {
        let execution = part.fill.execution
        strategy = part.fill.strategy
        instrument = execution.instrument
        side = execution.side
        entryTime = execution.time
        entryReason = part.fill.reason
        held = part.quantity
        peak = part.quantity
        commission = part.commission
        self.multiplier = multiplier
        entries = Tally()
        entries.add(part.quantity, at: execution.price)
    }

    /// What the trade has made and would make if the rest were closed at `price` at no cost.
    package func exactNet(markedAt price: Price) -> ExactMoney {
        let remainder = (price * side.signed(held)) * multiplier
        return exactGross + remainder - ExactMoney(commission)
    }

    fileprivate mutating func take(_ part: FillPart) {
        let isEntry = part.fill.execution.side == side
        if isEntry {
            entries.add(part.quantity, at: part.fill.execution.price)
            held += part.quantity
            peak = max(peak, held)
        } else {
            exits.add(part.quantity, at: part.fill.execution.price)
            held -= part.quantity
        }
        commission += part.commission
        fillCount += 1
    }

    /// Exchanges what is held for the shares behind a split; fractions of a share are paid in cash.
    fileprivate mutating func exchange(by ratio: SplitRatio, as booked: BookedAction) {
        // The ledger has refused, too, what cannot be exchanged.
        guard let exchanged = ratio.exchanged(side.signed(held)) else { return }
        entries.exchange(by: ratio)
        exits.exchange(by: ratio)
        peak = Quantity(
            units: Int64(clamping: Int128(peak.units) * Int128(ratio.new) / Int128(ratio.old)))
        held = exchanged.whole.magnitude
        exits.quantityUnits += Int128(exchanged.remainder.magnitude) / Int128(ratio.old)
        let paid = booked.worth(ofRemainder: exchanged.remainder, after: ratio)
        exits.value += side == .buy ? paid : -paid
    }

    /// The round trip that ended, nothing being held any more.
    fileprivate func closed(at time: Timestamp, because reason: TextID) -> RoundTrip {
        return RoundTrip(
            strategy: strategy, instrument: instrument, side: side, quantity: peak,
            entryTime: entryTime, exitTime: time,
            entryPrice: entries.averagePrice, exitPrice: exits.averagePrice,
            entryValue: entries.value * multiplier,
            exactGross: exactGross, grossProfit: exactGross.rounded(), commission: commission,
            fillCount: fillCount, entryReason: entryReason, exitReason: reason)
    }

    private var exactGross: ExactMoney {
        switch side {
        case .buy: (exits.value - entries.value) * multiplier
        case .sell: (entries.value - exits.value) * multiplier
        }
    }
}

/// A run's fills, put together to round trips.
///
/// The net results of `closed` and of `open` at the market add up to the change of equity, exactly, but
/// for dividends and interest. A split changes what is held and not what it has cost.
package struct RoundTrips: Sendable {
    /// Trades that ended, in the order they ended.
    package private(set) var closed: [RoundTrip] = []
    /// Trades that did not, by strategy and instrument.
    package var open: [OpenTrade] { slots.compactMap { $0 } }

    /// The open trade of every strategy and instrument, strategies in rows.
    private var slots: [OpenTrade?] = []

    /// Trades of a run.
    package init(of record: RunRecord) {
        self.init(of: record.fills, in: record.instruments, actions: record.actions)
    }

    /// Trades made of `fills` in the order they were booked. A fill of no quantity is left out.
    ///
    /// - Parameters:
    ///   - instruments: by `InstrumentID.index`; holds every instrument of the fills.
    ///   - actions: as they were booked, by ex-day.
    package init(
        of fills: [FillRecord], in instruments: [Instrument], actions: [BookedAction] = []
    ) {
        // Most trades have two fills. Growing step by step would take three times the memory.
        closed.reserveCapacity(fills.count / 2)
        var splits = PendingSplits(actions)
        for fill in fills where fill.execution.quantity > .zero {
            while let split = splits.next(by: fill.execution.time) {
                take(split, instrumentCount: instruments.count)
            }
            book(fill, in: instruments)
        }
        while let split = splits.next(by: .distantFuture) {
            take(split, instrumentCount: instruments.count)
        }
    }

    private mutating func take(_ split: PendingSplits.Split, instrumentCount: Int) {
        let first = Int(split.booked.action.instrument.index)
        for slot in stride(from: first, to: slots.count, by: instrumentCount) {
            guard var open = slots[slot] else { continue }
            open.exchange(by: split.ratio, as: split.booked)
            slots[slot] = open
            guard open.held == .zero else { continue }
            closed.append(open.closed(at: split.booked.action.exOpening, because: .none))
            slots[slot] = nil
        }
    }

    private mutating func book(_ fill: FillRecord, in instruments: [Instrument]) {
        let multiplier = instruments[Int(fill.execution.instrument.index)].multiplier
        let slot =
            Int(fill.strategy.index) * instruments.count + Int(fill.execution.instrument.index)
        while slots.count <= slot { slots.append(nil) }

        let whole = FillPart(
            fill: fill, quantity: fill.execution.quantity, commission: fill.commission)
        guard let open = slots[slot] else {
            slots[slot] = OpenTrade(opening: whole, multiplier: multiplier)
            return
        }
        guard open.side != fill.execution.side, open.held <= fill.execution.quantity else {
            slots[slot]?.take(whole)
            return
        }
        let (closing, opening) = whole.split(at: open.held)
        var ending = open
        ending.take(closing)
        closed.append(ending.closed(at: fill.execution.time, because: fill.reason))
        slots[slot] = opening.map { OpenTrade(opening: $0, multiplier: multiplier) }
    }
}

/// A fill, or the part of one on one side of a crossing of zero.
private struct FillPart {
    let fill: FillRecord
    let quantity: Quantity
    let commission: Money

    /// The first `quantity` of it and the rest, if there is one. The commission is split by
    /// quantity; what cannot be divided stays with the first part.
    func split(at quantity: Quantity) -> (first: FillPart, second: FillPart?) {
        guard quantity < self.quantity else { return (self, nil) }
        let remainder = self.quantity - quantity
        let share =
            Int128(commission.units) * Int128(remainder.units) / Int128(self.quantity.units)
        let second = FillPart(
            fill: fill, quantity: remainder, commission: Money(units: Int64(share)))
        let first = FillPart(
            fill: fill, quantity: quantity, commission: commission - second.commission)
        return (first, second)
    }
}
