package import Primitives

/// Section `account`: whose money trades.
package struct AccountSettings: Hashable, Sendable {
    /// How the broker settles and lends.
    package let type: AccountType
    /// What the account is kept in.
    package let currency: AccountCurrency
    /// The cash a run begins with.
    package let startingCapital: Money
    /// What is paid a year for cash that is owed.
    package let debitInterest: Percent

    /// How the broker settles and lends.
    package enum AccountType: String, CaseIterable, Sendable {
        /// Proceeds can be spent at once, and short positions are possible.
        case margin
    }

    /// What the account is kept in.
    package enum AccountCurrency: String, CaseIterable, Sendable {
        /// US dollars.
        case usd = "USD"
    }

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        type = section.required(
            "type",
            .choice(refusing: [
                "cash": """
                A cash account needs settlement by business day, which this version does not \
                simulate; use margin with risk.max_leverage: 1.
                """
            ]), "how the broker settles and lends")
        currency = section.value(
            "currency", .choice(), default: .usd, "what the account is kept in")
        startingCapital = section.value(
            "starting_capital", .money(.from(1, to: 100_000_000_000)),
            default: Money(cents: 10_000_000), "cash a run begins with")
        debitInterest = section.value(
            "debit_interest_pct", .percent(.from(0, to: 100), of: "cash owed, a year"),
            default: .zero, "interest on cash that is owed, by the day over 360")
    }
}
