import Accounting
package import Model
package import Primitives

/// A run's positions as lots: what was closed of them, and what was open at the end.
///
/// For reports only: a broker's interface has no way to choose which lots to close, and what a broker reports
/// to an authority is up to the broker. Dividends are not in here, and neither are wash sales.
package struct TaxLots: Sendable {
    /// Closed parts in the order they were closed, then what is open, by strategy and instrument,
    /// oldest first.
    package let lots: [TaxLot]

    /// The lots of a run.
    package init(of record: RunRecord, _ method: LotMethod) {
        var closed: [TaxLot] = []
        var open: [TaxLot] = []
        var clock = NewYorkClock()
        for holding in Self.holdings(of: record) {
            let multiplier = record.instruments[Int(holding.instrument.index)].multiplier
            let ledger = LotLedger(
                method, of: holding.executions, charges: holding.charges,
                actions: record.actions.filter { $0.action.instrument == holding.instrument },
                multiplier: multiplier)
            closed += ledger.closed.map { TaxLot($0, of: holding, &clock) }
            open += ledger.lots.map { TaxLot($0, of: holding, &clock) }
        }
        let ordered = closed.enumerated().sorted {
            let (first, second) = (
                $0.element.closed ?? .distantPast, $1.element.closed ?? .distantPast
            )
            return (first, $0.offset) < (second, $1.offset)
        }
        lots = ordered.map(\.element) + open
    }

    /// What one strategy traded in one instrument.
    fileprivate struct Holding {
        let strategy: StrategyID
        let instrument: InstrumentID
        var executions: [Execution] = []
        var charges: [Money] = []
    }

    /// By strategy, then instrument.
    private static func holdings(of record: RunRecord) -> [Holding] {
        var slots: [Holding?] = []
        for fill in record.fills {
            let instrument = fill.execution.instrument
            let slot =
                Int(fill.strategy.index) * record.instruments.count + Int(instrument.index)
            while slots.count <= slot { slots.append(nil) }
            if slots[slot] == nil {
                slots[slot] = Holding(strategy: fill.strategy, instrument: instrument)
            }
            slots[slot]?.executions.append(fill.execution)
            slots[slot]?.charges.append(fill.commission)
        }
        return slots.compactMap(\.self)
    }
}

/// One lot: closed, or what is left open of it.
package struct TaxLot: Hashable, Sendable {
    /// Whose it is.
    package let strategy: StrategyID
    /// Of what.
    package let instrument: InstrumentID
    /// Which way it was opened.
    package let side: Side
    /// When it was opened.
    package let opened: Timestamp
    /// When it was closed; `nil` of an open one.
    package let closed: Timestamp?
    /// The day in New York on which it was opened.
    package let openedOn: Day
    /// The day in New York on which it was closed; `nil` of an open one.
    package let closedOn: Day?
    /// How much; positive. Nothing when only cash was paid, for a fraction of a share.
    package let quantity: Quantity
    /// What buying it has cost; `nil` of an open short.
    package let cost: ExactMoney?
    /// What selling it has brought; `nil` of an open long.
    package let proceeds: ExactMoney?
    /// Its part of the commissions and fees of the executions so far.
    package let charge: ExactMoney

    /// What was made before commissions; `nil` of an open one.
    package var grossProfit: ExactMoney? {
        guard let cost, let proceeds else { return nil }
        return proceeds - cost
    }

    /// How long it was held, as the tax law of the United States divides gains.
    package enum Term: Hashable, Sendable {
        /// A year or less, and every short.
        case short
        /// More than a year: closed on a day behind the anniversary of the day it was opened.
        case long
    }

    /// Days of New York from opening to closing; `nil` of an open one.
    package var days: Int? {
        closedOn.map { Int($0.number) - Int(openedOn.number) }
    }

    /// `nil` of an open one.
    ///
    /// The holding period begins the day after a purchase and is counted in months by that day's date
    /// (Revenue Ruling 66-7), so what was bought on the last of February is long-term from 1 March on.
    package var term: Term? {
        guard let closedOn, let days else { return nil }
        // Gains of short sales are short-term whatever time they took (26 USC 1233, as far as no shares
        // were held meanwhile).
        guard side == .buy else { return .short }
        // No anniversary is nearer.
        guard days > 365 else { return .short }
        let start = openedOn.advanced(by: 1).date
        // 29 February has its anniversary on 1 March.
        let anniversary =
            Day(year: start.year + 1, month: start.month, day: start.day)
            ?? Day(year: start.year + 1, month: 3, day: 1)
        guard let anniversary else { return .short }
        return closedOn >= anniversary ? .long : .short
    }
}

extension TaxLot {
    fileprivate init(
        _ lot: LotLedger.ClosedLot, of holding: TaxLots.Holding, _ clock: inout NewYorkClock
    ) {
        // Without shares, the sign of the cash shows the side.
        let isShort =
            lot.quantity < .zero
            || (lot.quantity == .zero && (lot.cost < .zero || lot.received < .zero))
        self.init(
            strategy: holding.strategy, instrument: holding.instrument,
            side: isShort ? .sell : .buy, opened: lot.opened, closed: lot.closed,
            openedOn: clock.day(at: lot.opened), closedOn: clock.day(at: lot.closed),
            quantity: lot.quantity.magnitude, cost: isShort ? -lot.received : lot.cost,
            proceeds: isShort ? -lot.cost : lot.received, charge: lot.charge)
    }

    fileprivate init(
        _ lot: LotLedger.Lot, of holding: TaxLots.Holding, _ clock: inout NewYorkClock
    ) {
        let isShort = lot.quantity < .zero
        self.init(
            strategy: holding.strategy, instrument: holding.instrument,
            side: isShort ? .sell : .buy, opened: lot.opened, closed: nil,
            openedOn: clock.day(at: lot.opened), closedOn: nil,
            quantity: lot.quantity.magnitude, cost: isShort ? nil : lot.cost,
            proceeds: isShort ? -lot.cost : nil, charge: lot.charge)
    }
}
