import Primitives

/// Configurations for sessions with faults, drawn from a seed.
///
/// The bundled strategies enter at the market; limits work as targets, and where an entry is sent anew at a price.
struct ChaosConfiguration {
    /// The configuration as YAML.
    private(set) var text = ""
    /// What was drawn, by the names of settings.
    private(set) var choices: [String: String] = [:]
    private var draw: SeededGenerator

    /// The bundled strategies that decide on bars, with parameters by which they trade often on those of a minute.
    private static let strategies = [
        "cross_sectional_momentum": [
            "{lookback: 10, top: 2, invested_pct: 60, rebalance: bars, every: 5}",
            "{lookback: 5, top: 1, invested_pct: 90, rebalance: bars, every: 3}",
        ],
        "momentum": [
            "{lookback: 5, threshold: 0.0005, exit_threshold: -0.001}",
            "{lookback: 3, threshold: 0.0002, exit_threshold: 0}",
        ],
        "ma_crossover": [
            "{fast: 2, slow: 5, average: sma}", "{fast: 3, slow: 8, average: ema}",
        ],
        "rsi_reversion": ["{length: 5, buy_below: 45, sell_above: 55}"],
        "zscore_reversion": ["{sma_period: 8, entry_std: 0.8, exit_std: 0.2}"],
    ]
    private static let symbols = ["AAPL", "MSFT", "AMZN", "SPY", "JPM", "BAC", "QQQ", "MU"]

    /// The configuration of a seed.
    init(seed: UInt64) {
        draw = SeededGenerator(seed: seed)
        let account = choose("account", "margin", "margin", "cash")
        let symbols = Self.symbols.shuffled(using: &draw).prefix(
            Int.random(in: 2...6, using: &draw))
        let barSize = choose("bar_size", "1m", "1m", "1m", "2m")
        var lines = [
            "account: {type: \(account), starting_capital: 100000}",
            "trading: {mode: sim, symbols: [\(symbols.joined(separator: ", "))], bar_size: \(barSize)}",
            "strategies:",
        ]
        let names = Self.strategies.keys.sorted().shuffled(using: &draw)
        let count = choose("strategies", "1", "1", "2") == "2" ? 2 : 1
        for name in names.prefix(count) { lines += strategy(name) }
        let timeout = choose("on_timeout", "leave", "cancel", "reprice", "escalate")
        let adaptive = choose("use_adaptive", "true", "false")
        lines.append(
            "execution: {use_adaptive: \(adaptive), on_timeout: \(timeout), order_timeout_seconds: 10}"
        )
        let overLimit = choose("over_limit", "reduce", "reject")
        lines.append("risk: {over_limit: \(overLimit), max_orders_per_minute: 60}")
        let policy = choose("exit_policy", "leave", "cancel_open", "flatten")
        lines.append("system: {exit_policy: \(policy)}")
        text = lines.joined(separator: "\n")
    }

    private mutating func choose(_ name: String, _ values: String...) -> String {
        let value = values[Int.random(in: 0..<values.count, using: &draw)]
        choices[name] = value
        return value
    }

    private mutating func strategy(_ name: String) -> [String] {
        let parameters = Self.strategies[name] ?? []
        choices["use \(name)"] = "true"
        var lines = [
            "  - use: \(name)",
            "    parameters: \(parameters[Int.random(in: 0..<parameters.count, using: &draw)])",
        ]
        // The other sizes its positions itself.
        if name != "cross_sectional_momentum" {
            lines.append("    sizing: {method: percent_of_equity, equity_pct: 12}")
        }
        switch choose("stop", "none", "percent", "atr", "trailing") {
        case "percent": lines.append("    stop: {method: percent, price_pct: 0.6}")
        case "atr": lines.append("    stop: {method: atr, atr_length: 5, atr_multiple: 3}")
        case "trailing": lines.append("    stop: {method: percent, price_pct: 1, trailing: on}")
        default: break
        }
        switch choose("target", "none", "percent", "atr") {
        case "percent": lines.append("    target: {method: percent, price_pct: 0.8}")
        case "atr": lines.append("    target: {method: atr, atr_length: 5, atr_multiple: 4}")
        default: break
        }
        return lines
    }
}
