package import Signals

/// What a run is told: the configuration, checked and with its defaults, as plain values.
///
/// A section is a struct with an `init(_ section: inout SettingsReader)` that reads each of its keys with
/// one call, and a line in `init` here. That call is the only place that knows the key: problems,
/// suggestions, the resolved text and the listing of keys follow from it.
package struct Settings: Hashable, Sendable {
    /// Whose money trades.
    package let account: AccountSettings
    /// What may be traded.
    package let trading: TradingSettings
    /// Who trades; at least one.
    package let strategies: [StrategySettings]
    /// What no strategy may exceed.
    package let risk: RiskSettings
    /// What is simulated.
    package let backtest: BacktestSettings
    /// All of it as YAML that gives the same settings again; see `SettingsText`.
    package let text: String

    private init(_ reader: inout SettingsReader, strategies declarations: [StrategyDeclaration]) {
        account = reader.section("account") { AccountSettings(&$0) }
        trading = reader.section("trading") { TradingSettings(&$0) }
        var surroundings = StrategySettings.Surroundings(
            declarations: declarations, symbols: trading.symbols)
        strategies = reader.sections("strategies") { StrategySettings(&$0, in: &surroundings) }
        risk = reader.section("risk") { RiskSettings(&$0) }
        backtest = reader.section("backtest") { BacktestSettings(&$0) }
        reader.finish()
        text = SettingsText.text(of: reader.listing)
    }

    /// The settings in a document. Throws everything that is wrong with it, not only the first thing.
    ///
    /// - Parameter strategies: those a configuration may use.
    package static func read(
        from document: SettingsDocument, strategies: [StrategyDeclaration]
    ) throws(SettingsProblems) -> Settings {
        let (settings, _, problems) = inspect(document, strategies: strategies)
        guard problems.isEmpty else { throw SettingsProblems(problems) }
        return settings
    }

    /// Every key with its value and origin, and what is wrong. The settings hold only if nothing is.
    package static func inspect(
        _ document: SettingsDocument, strategies: [StrategyDeclaration]
    ) -> (settings: Settings, listing: SettingsListing, problems: [SettingsProblem]) {
        var reader = SettingsReader(document.root)
        let settings = Settings(&reader, strategies: strategies)
        // What a broken file leaves out is not worth a line.
        let problems = document.problems + (document.isWhole ? reader.problems : [])
        return (settings, reader.listing, problems)
    }
}
