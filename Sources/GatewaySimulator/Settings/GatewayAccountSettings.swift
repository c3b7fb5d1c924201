package import Primitives
package import TWSProtocol

/// What an account is and what it starts with.
package struct GatewayAccountSettings: Hashable, Sendable {
    /// Whether an account may borrow.
    package enum Kind: String, Hashable, Sendable, Codable {
        /// Nothing is borrowed: no short positions, no spending of what is not settled.
        case cash
        /// Money and shares are lent against what is held.
        case margin
    }

    /// Its name.
    package var account: AccountID
    /// Whether it may borrow.
    package var kind = Kind.margin
    /// The money it starts with, settled.
    package var startingCash = Money(cents: 100_000_000)
    /// The currency its sums are in.
    package var currency = "USD"
    /// What has to be there for what is held.
    package var rates = MarginRates.regulationT

    /// A margin account with a million dollars.
    package init(account: AccountID) { self.account = account }
}

/// Shares of a position's value that an account has to own itself.
package struct MarginRates: Hashable, Sendable {
    /// To open a stock position, long or short.
    package var initial = Percent(50)
    /// To keep a long stock position.
    package var maintenanceLong = Percent(25)
    /// To keep a short stock position.
    package var maintenanceShort = Percent(30)
    /// To open a future, of its whole value.
    package var futureInitial = Percent(10)
    /// To keep a future, of its whole value.
    package var futureMaintenance = Percent(8)
    /// To hold or owe a currency that is not the account's own.
    package var currency = Percent(3)
    /// A written option: its value plus this share of the underlying's, less what it is out of the money.
    package var writtenOption = Percent(20)
    /// A written option needs at least its value plus this share: of the underlying's value for a call, of
    /// the strike's for a put.
    package var writtenOptionLeast = Percent(10)

    /// Regulation T of the Federal Reserve Board (12 CFR 220.12) to open, FINRA rule 4210 to keep; the
    /// rates of futures and currencies are in the range brokers ask.
    package static let regulationT = MarginRates()

    /// Equity below which nothing may be borrowed: FINRA rule 4210(b)(4).
    package static let equityMin = Money(cents: 200_000)
    /// Equity below which day trades are counted: FINRA rule 4210(f)(8)(B)(iv).
    package static let dayTraderEquityMin = Money(cents: 2_500_000)
}
