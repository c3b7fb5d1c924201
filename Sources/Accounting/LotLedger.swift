package import Model
package import Primitives

/// One owner's position in one instrument as lots, for reports: a broker's interface has no way to choose
/// which lots to close.
///
/// Whatever the method, quantity and cash are those of `PositionLedger` from the same history; only what
/// is realised early or late differs.
package struct LotLedger: Equatable, Sendable {
    /// Which lots are closed first.
    package let method: LotMethod
    /// Open lots, oldest first; all long or all short.
    package private(set) var lots: [Lot] = []
    /// What was closed of them, in the order of closing; their profits add up to `realized`.
    package private(set) var closed: [ClosedLot] = []
    /// Profit of what was closed, before commissions and without dividends.
    package private(set) var realized = ExactMoney.zero

    /// The contract's multiplier.
    private let multiplier: Int64

    /// What is left of one opening execution.
    package struct Lot: Equatable, Sendable, BitwiseCopyable {
        /// When it was opened.
        package let opened: Timestamp
        /// Held; negative is short.
        package fileprivate(set) var quantity: Quantity
        /// What it has cost; negative was received.
        package fileprivate(set) var cost: ExactMoney
        /// Its part of the opening execution's commission and fees.
        package fileprivate(set) var charge: ExactMoney
    }

    /// A part of a lot that was closed, or what was paid for a fraction of a share.
    package struct ClosedLot: Equatable, Sendable, BitwiseCopyable {
        /// When it was opened.
        package let opened: Timestamp
        /// When it was closed.
        package let closed: Timestamp
        /// How much was closed, in the shares of that time; negative of a short. Nothing when only cash
        /// moved: for less than 10^-8 of a share.
        package let quantity: Quantity
        /// What it had cost; negative was received.
        package let cost: ExactMoney
        /// What closing it brought; negative was paid.
        package let received: ExactMoney
        /// Its part of the commissions and fees of both executions.
        package let charge: ExactMoney

        /// Before commissions.
        package var profit: ExactMoney { received - cost }
    }

    /// The lots of a history.
    ///
    /// - Parameters:
    ///   - history: an owner's executions in one instrument, newest versions, oldest first.
    ///   - charges: commission and fees of each of them; those that are not given are nothing.
    ///   - actions: the instrument's, as the ledger has booked them.
    ///   - multiplier: the contract's; 1 for shares.
    package init(
        _ method: LotMethod, of history: [Execution], charges: [Money] = [],
        actions: [BookedAction] = [], multiplier: Int64 = 1
    ) {
        self.method = method
        self.multiplier = multiplier
        var remaining = charges[...]
        for entry in LedgerEntry.merged(history, actions) {
            switch entry {
            case .execution(let execution):
                apply(execution, charge: ExactMoney(remaining.popFirst() ?? .zero))
            case .action(let booked): apply(booked)
            }
        }
    }

    /// Held; negative is short.
    package var quantity: Quantity { lots.reduce(.zero) { $0 + $1.quantity } }

    /// What the lots have cost; negative was received.
    package var cost: ExactMoney { lots.reduce(.zero) { $0 + $1.cost } }

    /// Whether this is the position of a ledger, and what it brought and took is the same.
    package func agrees(with ledger: PositionLedger) -> Bool {
        let signs = lots.map { $0.quantity > .zero }
        return quantity == ledger.quantity && realized - cost == ledger.realized - ledger.cost
            && signs.allSatisfy { $0 == signs.first } && lots.allSatisfy { $0.quantity != .zero }
    }

    private mutating func apply(_ execution: Execution, charge: ExactMoney) {
        var opening = execution.signedQuantity
        var charge = charge
        while let next = nextToClose, opening != .zero,
            (lots[next].quantity > .zero) != (opening > .zero)
        {
            let part =
                opening.magnitude < lots[next].quantity.magnitude ? -opening : lots[next].quantity
            let share = charge.part(
                UInt128(part.magnitude.units), of: UInt128(opening.magnitude.units))
            close(
                part, of: next, at: execution.time,
                for: (price: execution.price * part * multiplier, charge: share))
            charge -= share
            opening += part
        }
        guard opening != .zero else { return }
        lots.append(
            Lot(
                opened: execution.time, quantity: opening,
                cost: execution.price * opening * multiplier, charge: charge))
    }

    private mutating func apply(_ booked: BookedAction) {
        switch booked.action.kind {
        case .dividend: break
        case .split(let ratio):
            guard let exchanged = ratio.exchanged(quantity) else { return }
            let time = booked.action.exOpening
            let opened = lots.first?.opened ?? time
            split(ratio, at: time)
            var paid = booked.worth(ofRemainder: exchanged.remainder, after: ratio) * multiplier
            // Their cash is booked already: the ledger's cash has it from the ledger's own ledger.
            while let next = nextToClose, quantity != exchanged.whole {
                let excess = quantity - exchanged.whole
                let held = lots[next].quantity
                let part = excess.magnitude < held.magnitude ? excess : held
                let share = paid.part(
                    UInt128(part.magnitude.units), of: UInt128(excess.magnitude.units))
                close(part, of: next, at: time, for: (price: share, charge: .zero))
                paid -= share
            }
            guard paid != .zero else { return }
            note(
                ClosedLot(
                    opened: opened, closed: time, quantity: .zero, cost: .zero, received: paid,
                    charge: .zero))
        }
    }

    /// Splits every lot to 10^-8 of a share, so that their sum is the split of the sum, towards zero. A
    /// lot of which nothing is left is a loss of its cost.
    private mutating func split(_ ratio: SplitRatio, at time: Timestamp) {
        var old = Int128(0)
        var new = Int128(0)
        for index in lots.indices {
            old += Int128(lots[index].quantity.units)
            let sum = old * Int128(ratio.new) / Int128(ratio.old)
            lots[index].quantity = Quantity(units: Int64(sum - new))
            new = sum
            guard lots[index].quantity == .zero else { continue }
            note(
                ClosedLot(
                    opened: lots[index].opened, closed: time, quantity: .zero,
                    cost: lots[index].cost, received: .zero, charge: lots[index].charge))
        }
        lots.removeAll { $0.quantity == .zero }
    }

    private mutating func close(
        _ part: Quantity, of index: Int, at time: Timestamp,
        for received: (price: ExactMoney, charge: ExactMoney)
    ) {
        let (closing, whole) = (
            UInt128(part.magnitude.units), UInt128(lots[index].quantity.magnitude.units)
        )
        let cost = lots[index].cost.part(closing, of: whole)
        let charge = lots[index].charge.part(closing, of: whole)
        note(
            ClosedLot(
                opened: lots[index].opened, closed: time, quantity: part, cost: cost,
                received: received.price, charge: charge + received.charge))
        lots[index].cost -= cost
        lots[index].charge -= charge
        lots[index].quantity -= part
        if lots[index].quantity == .zero { lots.remove(at: index) }
    }

    private mutating func note(_ lot: ClosedLot) {
        closed.append(lot)
        realized += lot.profit
    }

    private var nextToClose: Int? {
        switch method {
        case .firstInFirstOut: lots.indices.first
        case .lastInFirstOut: lots.indices.last
        case .highestCost:
            lots.indices.reduce(nil) { best, index in
                guard let best else { return index }
                return lots[index].costsMore(than: lots[best]) ? index : best
            }
        }
    }
}

extension LotLedger.Lot {
    /// Whether its cost a share is higher, without dividing.
    fileprivate func costsMore(than other: LotLedger.Lot) -> Bool {
        guard (cost < .zero) == (other.cost < .zero) else { return other.cost < .zero }
        let own = cost.units.magnitude.multipliedFullWidth(
            by: UInt128(other.quantity.magnitude.units))
        let others = other.cost.units.magnitude.multipliedFullWidth(
            by: UInt128(quantity.magnitude.units))
        return cost < .zero
            ? (own.high, own.low) < (others.high, others.low)
            : (own.high, own.low) > (others.high, others.low)
    }
}
