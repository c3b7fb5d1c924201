package import Primitives

/// Section `trading`: how and what is traded.
package struct TradingSettings: Hashable, Sendable {
    /// Where orders go.
    package let mode: TradingMode
    /// The symbols of the run; empty: all that the data has.
    package let symbols: [String]

    /// How long the bars are that strategies see; `nil`: as long as those of the data.
    package let barSize: Duration?

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
