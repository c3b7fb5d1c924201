package import Model
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

    /// What is set aside beyond the price of a purchase, where only settled cash may be spent.
    package let cashBuffer: Percent
    /// What follows when the account holds, orders or trades what is not ours.
    package let foreignPositions: ForeignPolicy
    /// What part of positions must be there as equity, in an account that may borrow.
    package let margin: MarginTerms

    /// How the broker settles and lends.
    package enum AccountType: String, CaseIterable, Sendable {
        /// What is bought is paid with settled cash, and nothing is sold that is not held.
        case cash
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
        let type: AccountType = section.required(
            "type", .choice(),
            "how the broker settles and lends; cash spends settled cash only, longs only")
        self.type = type
        currency = section.value(
            "currency", .choice(), default: .usd, "what the account is kept in")
        startingCapital = section.value(
            "starting_capital", .money(.from(1, to: 100_000_000_000)),
            default: Money(cents: 10_000_000), "cash a run begins with")
        debitInterest = section.value(
            "debit_interest_pct", .percent(.from(0, to: 100), of: "cash owed, a year"),
            default: .zero, "interest on cash that is owed, by the day over 360")
        foreignPositions = section.value(
            "foreign_positions", .choice(), default: .ignore,
            "in sessions: what follows when the account holds, orders or trades what is not the program's: it is shown and its symbol gets no entries, entries go on beside it, or all entries are halted"
        )
        cashBuffer = section.when("type", type, is: .cash) {
            $0.value(
                "cash_buffer_pct", .percent(.from(0, to: 100), of: "the price"),
                default: Percent(1),
                "settled cash set aside for a purchase beyond its price: for the price to move, and costs"
            )
        }
        margin = section.when("type", type, is: .margin) { Self.marginTerms(&$0) }
    }

    private static func marginTerms(_ section: inout SettingsReader) -> MarginTerms {
        let usual = MarginTerms.unitedStates
        let initial = section.value(
            "initial_margin_pct", .percent(.from(1, to: 1_000), of: "the positions' values"),
            default: usual.initial,
            "equity that opening positions needs; asked for with risk.limits: on")
        let maintenanceLong = section.value(
            "maintenance_margin_pct", .percent(.from(0, to: 1_000), of: "a long position's value"),
            default: usual.maintenanceLong,
            "equity that keeping it needs; without it positions are reduced, with risk.limits: on")
        let maintenanceShort = section.value(
            "short_maintenance_margin_pct",
            .percent(.from(0, to: 1_000), of: "a short position's value"),
            default: usual.maintenanceShort, "the same of a short position")
        // Each was held to the range.
        return MarginTerms(
            initial: initial, maintenanceLong: maintenanceLong, maintenanceShort: maintenanceShort)
            ?? usual
    }
}
