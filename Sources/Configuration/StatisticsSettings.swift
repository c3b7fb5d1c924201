package import Model
package import Primitives

/// Section `performance`: what returns are measured against, and how.
package struct PerformanceSettings: Hashable, Sendable {
    /// What money earns without risk, a year.
    package let riskFreePercent: Percent
    /// Which lots reports close first.
    package let lotMethod: LotMethod
    /// How many sessions the shorter rolling statistics look back.
    package let shortWindow: Int
    /// How many sessions the longer rolling statistics look back.
    package let longWindow: Int

    /// The risk-free rate as a fraction of 1, as statistics want it.
    package var riskFreeRate: Double {
        Double(riskFreePercent.units) / Double(Percent.hundred.units)
    }

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        riskFreePercent = section.value(
            "risk_free_rate_pct", .percent(.from(-5, to: 50), of: "the capital a year"),
            default: .zero, "what money earns without risk")
        lotMethod = section.value(
            "lot_method", .choice(), default: .firstInFirstOut,
            "which lots reports close first; the broker is not told")
        shortWindow = section.value(
            "rolling_short", .integer(2...5_000, unit: "sessions"), default: 63,
            "how far back the shorter rolling statistics look")
        longWindow = section.value(
            "rolling_long", .integer(2...5_000, unit: "sessions"), default: 252,
            "how far back the longer rolling statistics look")
    }
}

/// Section `benchmarking`: what a run is compared with.
package struct BenchmarkSettings: Hashable, Sendable {
    /// The symbol whose bars it is compared with; `nil`: it is not.
    package let symbol: String?

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        symbol = section.optional(
            "symbol", .symbol, "the symbol that a run is compared with, such as SPY; default: none")
    }
}
