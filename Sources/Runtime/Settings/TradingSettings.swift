/// Section `trading`: what may be traded.
package struct TradingSettings: Hashable, Sendable {
    /// The symbols of the run; empty: all that the data has.
    package let symbols: [String]

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        symbols = section.texts(
            "symbols", of: .symbol, "what may be traded; empty: all that the data has")
    }
}
