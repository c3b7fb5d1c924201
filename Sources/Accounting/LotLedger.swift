package import Model
package import Primitives

/// One owner's position in one instrument as lots, for reports: a broker's interface cannot be told
/// which lots to close.
///
/// Whatever the method, quantity and cash are those of `PositionLedger` from the same history; only what
/// is realised early or late differs.
package struct LotLedger: Equatable, Sendable {
    /// Which lots are closed first.
    package let method: Method
    /// Open lots, oldest first; all long or all short.
    package private(set) var lots: [Lot] = []
    /// Profit of what was closed, before commissions and without dividends.
    package private(set) var realized = ExactMoney.zero

    /// The contract's multiplier.
    private let multiplier: Int64

    /// Orders of closing lots.
    package enum Method: CaseIterable, Sendable {
        /// The oldest first: what the tax law of the United States takes when nothing is said.
        case firstInFirstOut
        /// The newest first.
        case lastInFirstOut
        /// The one with the highest cost a share first, which realises the least; of shorts the one that
        /// was sold at the lowest price. Of equals the oldest.
        case highestCost
    }

    /// What is left of one opening execution.
    package struct Lot: Equatable, Sendable, BitwiseCopyable {
        /// When it was opened.
        package let opened: Timestamp
        /// Held; negative is short.
        package fileprivate(set) var quantity: Quantity
        /// What it has cost; negative was received.
        package fileprivate(set) var cost: ExactMoney
    }

    /// The lots of a history.
    ///
    /// - Parameters:
    ///   - history: an owner's executions in one instrument, newest versions, oldest first.
    ///   - actions: the instrument's, as the books have booked them.
    ///   - multiplier: the contract's; 1 for shares.
    package init(
        _ method: Method, of history: [Execution], actions: [BookedAction] = [],
        multiplier: Int64 = 1
    ) {
        self.method = method
        self.multiplier = multiplier
        for entry in LedgerEntry.merged(history, actions) {
            switch entry {
            case .execution(let execution): apply(execution)
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

    private mutating func apply(_ execution: Execution) {
        var opening = execution.signedQuantity
        while let next = nextToClose, opening != .zero,
            (lots[next].quantity > .zero) != (opening > .zero)
        {
            let closed =
                opening.magnitude < lots[next].quantity.magnitude ? -opening : lots[next].quantity
            close(closed, of: next, for: execution.price * closed * multiplier)
            opening += closed
        }
        guard opening != .zero else { return }
        lots.append(
            Lot(
                opened: execution.time, quantity: opening,
                cost: execution.price * opening * multiplier))
    }

    private mutating func apply(_ booked: BookedAction) {
        switch booked.action.kind {
        case .dividend: break
        case .split(let ratio):
            guard let exchanged = ratio.exchanged(quantity) else { return }
            split(ratio)
            realized += booked.worth(ofRest: exchanged.rest, after: ratio) * multiplier
            // Their cash is booked already.
            while let next = nextToClose, quantity != exchanged.whole {
                let excess = quantity - exchanged.whole
                let held = lots[next].quantity
                close(excess.magnitude < held.magnitude ? excess : held, of: next, for: .zero)
            }
        }
    }

    /// Splits every lot to 10^-8 of a share, so that their sum is the split of the sum, towards zero. A
    /// lot of which nothing is left is a loss of its cost.
    private mutating func split(_ ratio: SplitRatio) {
        var old = Int128(0)
        var new = Int128(0)
        for place in lots.indices {
            old += Int128(lots[place].quantity.units)
            let sum = old * Int128(ratio.new) / Int128(ratio.old)
            lots[place].quantity = Quantity(units: Int64(sum - new))
            new = sum
            if lots[place].quantity == .zero { realized -= lots[place].cost }
        }
        lots.removeAll { $0.quantity == .zero }
    }

    private mutating func close(_ closed: Quantity, of place: Int, for received: ExactMoney) {
        let cost = lots[place].cost.part(
            UInt128(closed.magnitude.units), of: UInt128(lots[place].quantity.magnitude.units))
        realized += received - cost
        lots[place].cost -= cost
        lots[place].quantity -= closed
        if lots[place].quantity == .zero { lots.remove(at: place) }
    }

    private var nextToClose: Int? {
        switch method {
        case .firstInFirstOut: lots.indices.first
        case .lastInFirstOut: lots.indices.last
        case .highestCost:
            lots.indices.reduce(nil) { best, place in
                guard let best else { return place }
                return lots[place].costsMore(than: lots[best]) ? place : best
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
