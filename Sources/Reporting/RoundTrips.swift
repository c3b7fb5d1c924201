package import Model
package import Primitives

/// A position from the fill that opened it to the fill that closed it, of one strategy in one
/// instrument.
///
/// "Entry" is every fill that enlarged the position, "exit" every fill that reduced it.
package struct RoundTrip: Hashable, Sendable {
    /// Whose trip.
    package let strategy: StrategyID
    /// In what.
    package let instrument: InstrumentID
    /// Which way it was opened: `buy` is a long trip.
    package let side: Side
    /// The most that was held at once; positive.
    package let quantity: Quantity
    /// When the first fill happened.
    package let entryTime: Timestamp
    /// When the last fill happened.
    package let exitTime: Timestamp
    /// The average price of the entries, rounded half to even.
    package let entryPrice: Price
    /// The average price of the exits, rounded half to even.
    package let exitPrice: Price
    /// What all entries were worth together; negative if their price was.
    package let entryValue: ExactMoney
    /// What prices made, before commissions.
    package let exactGross: ExactMoney
    /// `exactGross`, rounded half to even.
    package let grossProfit: Money
    /// What all its fills cost.
    package let commission: Money
    /// How many fills took part; one that crossed zero counts in both trips.
    package let fillCount: Int
    /// Why the first fill was ordered.
    package let entryReason: TextID
    /// Why the last fill was ordered.
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
package struct OpenTrip: Hashable, Sendable {
    /// Whose trip.
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

        var averagePrice: Price {
            Price(units: Int64(value.units.dividedHalfToEven(by: quantityUnits)))
        }
    }

    /// The trip that a fill, or the part of it behind a crossing of zero, opens.
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

    /// What the trip has made and would make if the rest were closed at `price` at no cost.
    package func exactNet(markedAt price: Price) -> ExactMoney {
        let rest = (price * side.signed(held)) * multiplier
        return exactGross + rest - ExactMoney(commission)
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

    /// The round trip that ended with `fill`, behind which nothing is held.
    fileprivate func closed(by fill: FillRecord) -> RoundTrip {
        return RoundTrip(
            strategy: strategy, instrument: instrument, side: side, quantity: peak,
            entryTime: entryTime, exitTime: fill.execution.time,
            entryPrice: entries.averagePrice, exitPrice: exits.averagePrice,
            entryValue: entries.value * multiplier,
            exactGross: exactGross, grossProfit: exactGross.rounded(), commission: commission,
            fillCount: fillCount, entryReason: entryReason, exitReason: fill.reason)
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
/// The net results of `closed` and of `open` at the market add up to the change of equity, exactly.
package struct RoundTrips: Sendable {
    /// Trips that ended, in the order they ended.
    package private(set) var closed: [RoundTrip] = []
    /// Trips that did not, by strategy and instrument.
    package var open: [OpenTrip] { slots.compactMap { $0 } }

    /// The open trip of every strategy and instrument, strategies in rows.
    private var slots: [OpenTrip?] = []

    /// Trips of a run.
    package init(of record: RunRecord) { self.init(of: record.fills, in: record.instruments) }

    /// Trips made of `fills` in the order they were booked. A fill of no quantity is left out.
    ///
    /// - Parameter instruments: by `InstrumentID.index`; holds every instrument of the fills.
    package init(of fills: [FillRecord], in instruments: [Instrument]) {
        // Most trips have two fills. Growing step by step would take three times the memory.
        closed.reserveCapacity(fills.count / 2)
        for fill in fills where fill.execution.quantity > .zero {
            book(fill, in: instruments)
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
            slots[slot] = OpenTrip(opening: whole, multiplier: multiplier)
            return
        }
        guard open.side != fill.execution.side, open.held <= fill.execution.quantity else {
            slots[slot]?.take(whole)
            return
        }
        let (closing, opening) = whole.split(at: open.held)
        var ending = open
        ending.take(closing)
        closed.append(ending.closed(by: fill))
        slots[slot] = opening.map { OpenTrip(opening: $0, multiplier: multiplier) }
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
        let rest = self.quantity - quantity
        let share =
            Int128(commission.units) * Int128(rest.units) / Int128(self.quantity.units)
        let second = FillPart(fill: fill, quantity: rest, commission: Money(units: Int64(share)))
        let first = FillPart(
            fill: fill, quantity: quantity, commission: commission - second.commission)
        return (first, second)
    }
}
