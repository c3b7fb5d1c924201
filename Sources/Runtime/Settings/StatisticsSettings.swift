package import Primitives

/// Section `performance`: what returns are measured against.
package struct PerformanceSettings: Hashable, Sendable {
    /// What money earns without risk, a year.
    package let riskFreePercent: Percent

    /// The same as a fraction of 1, as statistics want it.
    package var riskFreeRate: Double {
        Double(riskFreePercent.units) / Double(Percent.hundred.units)
    }

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        riskFreePercent = section.value(
            "risk_free_rate_pct", .percent(.from(-5, to: 50), of: "the capital a year"),
            default: .zero, "what money earns without risk")
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
