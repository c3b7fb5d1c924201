import TWSProtocol

/// What the gateway says of the account that is no figure.
package struct AccountFacts: Hashable, Sendable {
    /// The currency in which the account is kept; `nil` before it was reported.
    package internal(set) var currency: String?
    /// The kind of account; `nil` before it was reported, or for a word that is not known.
    package internal(set) var kind: Kind?

    /// True once the account's values were sent to their end.
    package internal(set) var areComplete = false

    /// Kinds of accounts.
    package enum Kind: Hashable, Sendable {
        /// Only settled cash buys.
        case cash
        /// The broker lends.
        case margin
    }
}

extension GatewayVenue {
    /// Keeps what a value says of the account besides figures.
    mutating func note(_ message: WireAccountValue) {
        switch message.key {
        case "NetLiquidation":
            // The sum of the account is in its own currency.
            if message.currency != "BASE", !message.currency.isEmpty {
                accountFacts.currency = message.currency
            }
        case "TradingType-S":
            accountFacts.kind = message.value == "STKCASH" ? .cash : .margin
        default: break
        }
    }
}
