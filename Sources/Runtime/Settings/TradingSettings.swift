/// Section `trading`: how and what is traded.
package struct TradingSettings: Hashable, Sendable {
    /// Where orders go.
    package let mode: TradingMode
    /// The symbols of the run; empty: all that the data has.
    package let symbols: [String]

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        mode = section.reserved(for: "run") {
            $0.value(
                "mode",
                .choice().olderName("TRADING_MODE") { $0.lowercased() }, default: .paper,
                "where orders go: to the simulator, nowhere, to a paper or to a live account")
        }
        symbols = section.texts(
            "symbols", of: .symbol, "what may be traded; empty: all that the data has")
    }
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
