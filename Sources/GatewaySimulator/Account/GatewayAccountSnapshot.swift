/// A ledger as it is saved: what was booked, and what of it the day began with. Amounts are in the
/// smallest units of their types; contracts are named by the broker's numbers, since places in a list
/// change from day to day.
package struct GatewayAccountSnapshot: Hashable, Sendable, Codable {
    /// The account's name.
    package var account: String
    /// Whether it may borrow.
    package var kind: GatewayAccountSettings.Kind
    /// The money it started with.
    package var startingCash: Int64
    /// The currency its sums are in.
    package var currency: String
    /// The day it was, in days since 1970-01-01.
    package var day: Int32
    /// The equity with loan value of the day before.
    package var previousDayEquity: String
    /// What is or was held.
    package var holdings: [Holding]
    /// Money that moved without a fill.
    package var movements: [Movement]
    /// What other currencies are worth.
    package var rates: [Rate]
    /// Positions opened and closed on one day.
    package var dayTrades: [DayTrades]

    /// A position and what it came from.
    package struct Holding: Hashable, Sendable, Codable {
        /// The broker's number of the contract.
        package var conId: Int32
        /// The price it is valued at.
        package var mark: Int64
        /// The price of what an option is written on, if it was seen.
        package var underlyingMark: Int64?
        /// What changed it, oldest first.
        package var entries: [Entry]
        /// What it was worth when the day began.
        package var worthBefore: String
        /// What it had realised by then.
        package var realizedBefore: String
        /// The money that moved because of it today.
        package var flow: String
        /// On which day it was last made larger, if nothing was closed since.
        package var opened: Int32?
    }

    /// A fill or a split.
    package enum Entry: Hashable, Sendable, Codable {
        /// A fill; `original` is what it was first, where it was corrected.
        case fill(Fill, original: Fill?, isBusted: Bool)
        /// `new` for each `old`, the rest paid out at `lieu`.
        case split(new: Int64, old: Int64, lieu: Int64)
    }

    /// A fill.
    package struct Fill: Hashable, Sendable, Codable {
        /// Its identifier.
        package var execution: String
        /// How much; negative when sold.
        package var quantity: Int64
        /// At what price.
        package var price: Int64
        /// When, in nanoseconds since 1970 UTC.
        package var time: Int64
        /// What it cost, if that is known.
        package var commission: Int64?
        /// The order's number in the account.
        package var permId: Int64
        /// The client's own text on the order.
        package var orderRef: String
    }

    /// Money that moved without a fill.
    package struct Movement: Hashable, Sendable, Codable {
        /// Why.
        package var cause: CashPotMovement.Cause
        /// How much.
        package var amount: Int64
        /// Its currency.
        package var currency: String
        /// When, in nanoseconds since 1970 UTC.
        package var time: Int64
    }

    /// What a currency is worth in the account's own.
    package struct Rate: Hashable, Sendable, Codable {
        /// ISO 4217 code.
        package var currency: String
        /// The price of one.
        package var price: Int64
    }

    /// Positions opened and closed on one day.
    package struct DayTrades: Hashable, Sendable, Codable {
        /// The day, in days since 1970-01-01.
        package var day: Int32
        /// How many.
        package var count: Int
    }
}
