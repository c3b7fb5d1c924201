package import TWSProtocol

/// A position and its prices split.
package struct SplitFault: FaultRecord {
    package static let name = "split"
    package static let purpose =
        "Shares are split: later prices, positions and average costs change without a fill; resting orders are cancelled or left as they are."
    /// Which; `nil` for the symbol ordered last.
    package var symbol: String?
    /// How many new shares.
    package var new = 4
    /// For how many old ones.
    package var old = 1
    /// In place of the ratio: a price near which later prices are to lie.
    package var near: DecimalValue?
    /// Whether resting orders stay.
    package var keepsOrders = false

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.text("symbol", &symbol)
        list.integer("new", &new, 1...1_000)
        list.integer("old", &old, 1...1_000)
        list.decimal("near", &near)
        list.flag("keep-orders", &keepsOrders)
    }
}

/// Money comes or goes.
package struct CashFault: FaultRecord {
    package static let name = "cash"
    package static let purpose =
        "Money comes to an account or leaves it without a trade: deposits, withdrawals, fees, interest."
    /// How much; negative when it leaves.
    package var amount: DecimalValue?
    /// Which account; `nil` for the first.
    package var account: String?

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.decimal("amount", &amount)
        list.need("amount", amount == nil)
        list.text("account", &account)
    }
}

/// A dividend is paid.
package struct DividendFault: FaultRecord {
    package static let name = "dividend"
    package static let purpose = "A dividend is paid on what is held, and taken from who is short."
    /// On which; `nil` for the symbol ordered last.
    package var symbol: String?
    /// For each share.
    package var perShare: DecimalValue?

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.text("symbol", &symbol)
        list.decimal("per-share", &perShare)
        list.need("per-share", perShare == nil)
    }
}

/// Trading is halted.
package struct HaltFault: FaultRecord {
    package static let name = "halt"
    package static let purpose = "Trading in something is halted, or goes on."
    /// Which; `nil` for the symbol ordered last, or SPY.
    package var symbol: String?
    /// Whether it is halted.
    package var isOn = true

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.text("symbol", &symbol)
        list.flag("on", &isOn)
    }
}

/// Streams stop.
package struct FreezeFault: FaultRecord {
    package static let name = "freeze"
    package static let purpose =
        "Data of something, or of everything, stop without a word, or go on; trading goes on."
    /// Which; `nil` for everything.
    package var symbol: String?
    /// Whether they stop.
    package var isOn = true

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.text("symbol", &symbol)
        list.flag("on", &isOn)
    }
}

/// Subscriptions die.
package struct StreamsFault: FaultRecord {
    package static let name = "streams"
    package static let purpose =
        "Subscriptions there are die without a word, some histories with 10182, or all are lost, or order books begin anew (317)."
    /// What becomes of them.
    package var fate = Fate.dead
    /// Of which kinds; all where none is named. Only for `dead`.
    package var kinds: [String] = []
    /// With `failed`: 1 for every history that is kept up to date, 2 for every second.
    package var every = 1

    /// What becomes of subscriptions.
    package enum Fate: String, CaseIterable, Sendable {
        /// Nothing comes any more; their numbers stay taken.
        case dead
        /// Histories that are kept up to date end with 10182.
        case failed
        /// They are gone.
        case lost
        /// Order books begin anew.
        case reset
    }

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.word("fate", &fate)
        list.texts("kinds", &kinds)
        list.integer("every", &every, 1...1_000)
        for kind in kinds where DataStream(rawValue: kind) == nil {
            let known = DataStream.allCases.map(\.rawValue).joined(separator: ", ")
            list.refuse("'kinds' are of \(known), not '\(kind)'")
        }
    }

    /// The kinds that die.
    var streams: Set<DataStream> {
        kinds.isEmpty
            ? Set(DataStream.allCases) : Set(kinds.compactMap { DataStream(rawValue: $0) })
    }
}

/// Other data may be seen.
package struct AccessFault: FaultRecord {
    package static let name = "access"
    package static let purpose =
        "Changes which market data the login may see: live, delayed (10168), unsubscribed (354), programSubscriptionMissing (10089), competingSession (10197)."
    /// Which.
    package var access = DataAccess.unsubscribed

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.word("access", &access)
    }
}

/// Who asks too much is warned.
package struct PacingFault: FaultRecord {
    package static let name = "pacing"
    package static let purpose =
        "Punishes haste: more than so many messages a second bring 100, the third time the connection ends; requests for history too soon bring 162. Or lets it pass, and counts it."
    /// Whether it is punished.
    package var isStrict = true
    /// Messages a second that are no haste.
    package var perSecond = 50

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.flag("strict", &isStrict)
        list.integer("per-second", &perSecond, 1...1_000_000)
    }
}
