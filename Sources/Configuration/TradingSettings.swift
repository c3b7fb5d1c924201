package import Primitives

/// Section `trading`: how and what is traded.
package struct TradingSettings: Hashable, Sendable {
    /// Where orders go.
    package let mode: TradingMode
    /// The symbols of the run; empty: all that the data has.
    package let symbols: [String]

    /// How long the bars are that strategies see; `nil`: as long as those of the data.
    package let barSize: Duration?

    /// Whether a session begins without symbols that the gateway does not know, or knows several of.
    package let allowsUnqualified: Bool
    /// Whether symbols are entered of which past bars are missing.
    package let allowsPartialHistory: Bool
    /// Whether sessions ask for the best bid and offer.
    package let quotes: TickChoice
    /// Whether sessions ask for every trade.
    package let trades: TickChoice
    /// The file of corporate actions that sessions take in; `nil` for none.
    package let corporateActions: SettingsPath?

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        mode = section.value(
            "mode",
            .choice().olderName("TRADING_MODE") { $0.lowercased() }, default: .paper,
            "where orders go: a simulated gateway, a simulated account over the gateway's data (dry), a paper or a "
                + "live account")
        symbols = section.texts(
            "symbols", of: .symbol,
            "what may be traded; empty: all that the data has, in backtests; sessions need at least one"
        )
        allowsUnqualified = section.value(
            "allow_unqualified", .flag, default: false,
            "whether a session begins without symbols that the gateway does not know or knows several of"
        )
        allowsPartialHistory = section.value(
            "allow_partial_hist_data", .flag, default: false,
            "whether a session enters symbols with fewer past bars than strategies ask for")
        quotes = section.value(
            "quotes", .choice(), default: .auto,
            "whether sessions ask for bid and ask; auto: for the symbols of strategies that go by quotes"
        )
        trades = section.value(
            "trades", .choice(), default: .auto,
            "whether sessions ask for every trade; auto: for the symbols of strategies that go by trades"
        )
        let actions = section.optional(
            "corporate_actions", .text("the path of a file"),
            "splits and dividends that sessions take in on their days: lines of day,symbol,kind,value"
        )
        corporateActions = actions.map {
            SettingsPath(given: $0, folder: section.folder(of: "corporate_actions"))
        }
        let day = Duration.days(1)
        barSize = section.optional(
            "bar_size", .duration(.seconds(1)...day),
            "how long strategies' bars are, made of shorter ones or trades; default: as the data")
        if let barSize, day.nanoseconds % barSize.nanoseconds != 0 {
            section.refuse(
                "bar_size", found: "found \(barSize)",
                allowed: "a length that divides a day, such as 5s, 1m, 5m, 1h or 1d")
        }
    }
}

/// Whether a session asks for a kind of ticks.
package enum TickChoice: String, CaseIterable, Sendable {
    /// For the instruments of strategies that act on them.
    case auto
    /// For all instruments.
    case on
    /// For none.
    case off
}

/// Where a session's orders go.
package enum TradingMode: String, CaseIterable, Sendable {
    /// To the gateway simulator of this program.
    case sim
    /// Nowhere: a simulated venue answers, fed by the gateway's market data.
    case dry
    /// To a paper account.
    case paper
    /// To an account with money.
    case live
}

extension TradingMode {
    /// Whether an account is one of the mode's: paper accounts begin with D. A dry session orders nothing of any.
    package func permits(account: String) -> Bool {
        switch self {
        case .sim, .paper: account.hasPrefix("D")
        case .live: !account.hasPrefix("D")
        case .dry: true
        }
    }
}
