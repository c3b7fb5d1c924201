package import Model
package import Primitives
package import TWSProtocol

/// What an order manager asks of the rest of the gateway.
package struct OrderManagerDependencies {
    /// What an instrument's market shows at present.
    package var snapshot: (InstrumentID) -> InstrumentSnapshot
    /// What an order would do to its account, and whether it may beside others that work.
    package var preview: (_ order: OrderProposal, _ besides: [OrderProposal]) -> WhatIfPreview
    /// Books a fill in its account. The answer is the profit it realised, costs included; `nil` where
    /// it only opened a position.
    package var bookFill: (OrderFill) -> Money?
    /// How much of an instrument an account holds.
    package var held: (AccountID, InstrumentID) -> Quantity
    /// An account's cushion above its margin, in percent of what it is worth.
    package var cushion: (AccountID) -> Int32

    /// Closures for each of them.
    package init(
        snapshot: @escaping (InstrumentID) -> InstrumentSnapshot,
        preview: @escaping (OrderProposal, [OrderProposal]) -> WhatIfPreview,
        bookFill: @escaping (OrderFill) -> Money?,
        held: @escaping (AccountID, InstrumentID) -> Quantity,
        cushion: @escaping (AccountID) -> Int32
    ) {
        self.snapshot = snapshot
        self.preview = preview
        self.bookFill = bookFill
        self.held = held
        self.cushion = cushion
    }

    /// Nothing shown, everything allowed, nothing booked.
    package static var nothing: OrderManagerDependencies {
        OrderManagerDependencies(
            snapshot: { _ in InstrumentSnapshot() }, preview: { _, _ in WhatIfPreview() },
            bookFill: { _ in nil }, held: { _, _ in .zero }, cushion: { _ in 100 })
    }
}

/// What a market shows at a time.
package struct InstrumentSnapshot: Hashable, Sendable {
    /// The best bid and offer.
    package var quote: Quote?
    /// What was last paid.
    package var last: Price?
    /// What was traded this day.
    package var volume = Quantity.zero
    /// The last price of the session before.
    package var previousClose: Price?
    /// Whether trading is halted.
    package var isHalted = false

    /// Nothing shown.
    package init() {}
}

/// An order as its account's margin has to bear it.
package struct OrderProposal: Hashable, Sendable {
    /// The account.
    package let account: AccountID
    /// What is traded.
    package let instrument: InstrumentID
    /// Which way.
    package let side: Side
    /// How much of it; positive.
    package let quantity: Quantity
    /// The price it is reckoned at: its limit, or what the market shows; `nil` where neither is there.
    package let price: Price?
    /// What it is expected to cost.
    package let commission: Money
}

/// What an order would do to its account.
package struct WhatIfPreview: Hashable, Sendable {
    /// Initial margin before the order, its change, and after it.
    package var initialMargin = Step()
    /// Maintenance margin before the order, its change, and after it.
    package var maintenanceMargin = Step()
    /// Equity with loan value before the order, its change, and after it.
    package var equityWithLoan = Step()
    /// Whether it sells more than the account has.
    package var isShortSale = false
    /// Why the account may not: the text that belongs to code 201; `nil` when it may.
    package var refusal: String?

    /// An amount before, its change, and after.
    package struct Step: Hashable, Sendable {
        /// Before the order.
        package var before = Money.zero
        /// By the order.
        package var change = Money.zero
        /// After the order.
        package var after = Money.zero

        /// Nothing, and nothing changes.
        package init() {}
    }

    /// Nothing needed, nothing refused.
    package init() {}
}

/// A fill as an account books it.
package struct OrderFill: Hashable, Sendable {
    /// The fill's identifier, its revision included.
    package let execution: WireExecutionID
    /// The account.
    package let account: AccountID
    /// What was traded.
    package let instrument: InstrumentID
    /// Which way.
    package let side: Side
    /// How much; zero for a fill that is taken back.
    package let quantity: Quantity
    /// At what price.
    package let price: Price
    /// What it cost.
    package let commission: Money
    /// When.
    package let time: Timestamp
    /// Its order's number in the account.
    package let permID: PermID
    /// The client's own text on its order.
    package let orderRef: String
    /// Whether it replaces the fill with the same root that was booked before.
    package let isCorrection: Bool
}
