public import Model
public import Primitives

/// The facts about the market and the account with which the gate reviews one order.
@usableFromInline
package struct RiskFacts: Hashable, Sendable {
    /// The newest price of the instrument.
    @usableFromInline package var price: Price?
    /// The contract's multiplier.
    @usableFromInline package var multiplier: Int64
    /// Whether orders for the instrument can exist.
    @usableFromInline package var isTradable: Bool
    /// Whether it is not known of an order in the instrument what became of it. What it may fill counts as
    /// working.
    @usableFromInline package var hasUnknownOrder = false
    /// True unless the link to the broker keeps orders of its kind from leaving.
    @usableFromInline package var mayLeave = true
    /// What keeps entries of its strategy, or in its instrument, from leaving besides halts and latches.
    @usableFromInline package var restriction: Refusal?
    /// What the order's own strategy holds.
    @usableFromInline package var held: Quantity
    /// What the order's own strategy has working to reduce what it holds, protection included;
    /// positive. Orders of one group count once, those of this order's group and children's part
    /// that waits for a parent not at all.
    @usableFromInline package var workingExits: Quantity
    /// What the order's parent may still add to what is held; none without a parent.
    @usableFromInline package var parentOpen: Quantity
    /// What of the order's quantity cannot be filled by it any more, as its group has filled it or its
    /// parent ended without it.
    @usableFromInline package var spent = Quantity.zero
    /// What the whole account has in protection, every order counted.
    @usableFromInline package var workingProtection = Quantity.zero
    /// What the whole account holds of the instrument.
    @usableFromInline package var position: Quantity
    /// What the whole account has working to buy; positive.
    @usableFromInline package var workingBuys: Quantity
    /// What the whole account has working to sell; positive.
    @usableFromInline package var workingSells: Quantity
    /// In how many other instruments the account has a position or an entry working.
    @usableFromInline package var otherPositions = 0
    /// Where only settled cash may be spent, what of it neither positions nor working purchases take,
    /// their cash buffers included; `nil` when it cannot be computed, and where cash may be borrowed.
    @usableFromInline package var spendableCash: ExactMoney?
    /// The account's equity.
    @usableFromInline package var equity: ExactMoney
    /// The worst-case size of all other instruments' positions, working orders filled; `nil` when one
    /// of them has no price.
    @usableFromInline package var otherExposure: ExactMoney?

    /// A flat account in an instrument of which nothing is known.
    @inlinable
    @inline(__always)
    package init(multiplier: Int64 = 1) {
        self.multiplier = multiplier
        isTradable = true
        held = .zero
        workingExits = .zero
        parentOpen = .zero
        position = .zero
        workingBuys = .zero
        workingSells = .zero
        equity = .zero
        otherExposure = .zero
    }
}
