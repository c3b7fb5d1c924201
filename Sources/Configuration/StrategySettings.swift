package import Primitives
package import Signals

/// One element of the list `strategies`.
package struct StrategySettings: Hashable, Sendable {
    /// What it is called in this run; no two have the same name.
    package let name: String
    /// The name of the strategy's declaration.
    package let use: String
    /// True if it takes part in runs.
    package let isEnabled: Bool
    /// The symbols it is shown; empty: all that the run has.
    package let symbols: [String]
    /// Its parameters, the declared defaults where none was chosen. Their contradictions show only when
    /// the strategy is made.
    package private(set) var parameters: Parameters
    /// How large its entries are, unless it says so itself.
    package let sizing: SizingSettings
    /// Where a loss of its positions ends.
    package let stop: StopSettings
    /// Where a gain of its positions is taken.
    package let target: TargetSettings

    /// What an element needs to know about the rest of the configuration.
    struct Surroundings {
        let declarations: [StrategyDeclaration]
        /// `trading.symbols`.
        let symbols: [String]
        /// Names of the elements before.
        var names: Set<String> = []
    }

    /// Reads an element.
    init(_ section: inout SettingsReader, in surroundings: inout Surroundings) {
        let declarations = surroundings.declarations
        let use = section.required(
            "use", .word(of: declarations.map(\.name)), "the strategy; see 'martlet strategy list'")
        self.use = use
        name = section.value(
            "name", .name, derived: use, "what it is called in this run; default: as in use")
        if !use.isEmpty, !surroundings.names.insert(name).inserted {
            section.refuse(
                "name", found: "'\(name)' is taken by another strategy",
                advice: "Give each its own name.")
        }
        isEnabled =
            section.value(
                "enabled", .onOff, default: .on, "whether it takes part; off leaves it out of runs")
            == .on
        symbols = section.texts(
            "symbols", of: .symbol, default: surroundings.symbols,
            "the symbols it is shown; default: trading.symbols")
        let unknown = Set(symbols).subtracting(surroundings.symbols)
        if !surroundings.symbols.isEmpty, let symbol = symbols.first(where: unknown.contains) {
            section.refuse("symbols", found: "'\(symbol)' is not in trading.symbols")
        }
        let declaration = declarations.first { $0.name == use }
        // The document has taken the file in: its keys are among the parameters.
        _ = section.optional(
            "parameters_file", .text("the path of a file"),
            "a file with parameters, for those that are not given here")
        parameters = section.section("parameters") { Self.parameters(&$0, of: declaration) }
        if let declaration, let words = declaration.ownSizing {
            section.exclude(
                "sizing", because: "'\(use)' sizes its positions itself",
                advice: "Leave it out: \(words) how large they are.")
            sizing = .percentOfEquity(Percent(10))
        } else {
            sizing = section.section("sizing") { SizingSettings(&$0) }
        }
        stop = section.section("stop") { StopSettings(&$0) }
        target = section.section("target") { TargetSettings(&$0) }
    }

    /// Sets a parameter. Throws when there is none of that name or it does not allow the value.
    package mutating func set(_ parameter: String, to value: ParameterValue) throws(ParameterError)
    {
        try parameters.set(parameter, to: value)
    }

    /// The strategy and its parameter that a path leads to: `strategies.0.parameters.fast`.
    package static func parameter(at path: String) -> (strategy: Int, name: String)? {
        let steps = SettingsStep.steps(of: path, separator: ".")
        guard let steps, steps.count == 4, steps[0] == .key("strategies"),
            case .index(let strategy) = steps[1], steps[2] == .key("parameters"),
            case .key(let name) = steps[3]
        else { return nil }
        return (strategy, name)
    }

    private static func parameters(
        _ section: inout SettingsReader, of declaration: StrategyDeclaration?
    ) -> Parameters {
        guard let declaration else {
            section.ignoreRest()
            return Parameters(defaultsOf: [])
        }
        var parameters = Parameters(defaultsOf: declaration.parameters)
        for parameter in declaration.parameters {
            let value = section.value(
                parameter.name, .parameter(parameter), default: parameter.defaultValue,
                parameter.summary)
            do throws(ParameterError) {
                try parameters.set(parameter.name, to: value)
            } catch {
                section.refuse(
                    parameter.name, found: "found \(value)",
                    allowed: section.allowed(parameter.name))
            }
        }
        return parameters
    }
}

/// How large a strategy's entries are.
package enum SizingSettings: Hashable, Sendable {
    /// So many whole shares.
    case fixedShares(Quantity)
    /// As many whole shares as this part of the equity buys.
    case percentOfEquity(Percent)
    /// As many whole shares as this amount buys.
    case fixedMoney(Money)
    /// As many whole shares as lose this part of settled cash at so many times the average true range.
    case riskPerTrade(Percent, rangeLength: Int, rangeTimes: Percent)

    private enum Method: String, CaseIterable {
        case fixedShares = "fixed_shares"
        case percentOfEquity = "percent_of_equity"
        case fixedMoney = "fixed_money"
        case riskPerTrade = "risk_per_trade"
    }

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        let method = section.value(
            "method", .choice(), default: Method.percentOfEquity, "how large entries are")
        let shares = section.when("method", method, is: .fixedShares) {
            $0.required("shares", .shares(.from(1, to: 1_000_000_000)), "shares of an entry")
        }
        let percent = section.when("method", method, is: .percentOfEquity) {
            $0.value(
                "equity_pct", .percent(.above(0, to: 1_000), of: "equity"), default: Percent(10),
                "part of the equity an entry buys for")
        }
        let money = section.when("method", method, is: .fixedMoney) {
            $0.required("money_usd", .money(.above(0, to: 1_000_000_000)), "worth of an entry")
        }
        let risk = section.when("method", method, is: .riskPerTrade) {
            $0.value(
                "risk_pct",
                .percent(.above(0, to: 10), of: "settled cash")
                    .olderName("RISK_PER_TRADE_PCT", converting: SettingsAlias.percent),
                default: Percent(1),
                "what an entry loses when the price goes against it by the distance")
        }
        let rangeLength = section.when("method", method, is: .riskPerTrade) {
            $0.value(
                "atr_length", .integer(1...1_000, unit: "bars"), default: 14,
                "length of the average true range that the distance goes by")
        }
        let rangeTimes = section.when("method", method, is: .riskPerTrade) {
            $0.value(
                "atr_multiple", .ratio(.above(0, to: 100), of: "the average true range"),
                default: Percent(200), "the distance")
        }
        self =
            switch method {
            case .fixedShares: .fixedShares(shares)
            case .percentOfEquity: .percentOfEquity(percent)
            case .fixedMoney: .fixedMoney(money)
            case .riskPerTrade:
                .riskPerTrade(risk, rangeLength: rangeLength, rangeTimes: rangeTimes)
            }
    }
}
