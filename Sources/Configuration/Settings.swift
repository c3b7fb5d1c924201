package import Signals

/// What a run is given: the configuration, checked and with its defaults, as plain values.
///
/// A section is a struct with an `init(_ section: inout SettingsReader)` that reads each of its keys with
/// one call, and a line in `init` here. That call is the only place that knows the key: problems,
/// suggestions, the resolved text and the listing of keys follow from it.
package struct Settings: Hashable, Sendable {
    /// Whose money trades.
    package let account: AccountSettings
    /// How and what is traded.
    package let trading: TradingSettings
    /// What orders and market data pass through.
    package let ibkr: GatewaySettings
    /// Who trades; at least one.
    package let strategies: [StrategySettings]
    /// What no strategy may exceed.
    package let risk: RiskSettings
    /// How orders are sent.
    package let execution: ExecutionSettings
    /// What is written down.
    package let logging: LoggingSettings
    /// What returns are measured against.
    package let performance: PerformanceSettings
    /// What a run is compared with.
    package let benchmarking: BenchmarkSettings
    /// Who may look at a session.
    package let monitoring: MonitoringSettings
    /// How people are notified.
    package let alerts: AlertSettings
    /// What is simulated.
    package let backtest: BacktestSettings
    /// What belongs to the machine.
    package let system: SystemSettings
    /// All of it as YAML that gives the same settings again; see `SettingsText`.
    package let text: String
    /// The same with paths from the root, so that it gives the same settings wherever it is read.
    package let textAnywhere: String

    private init(_ reader: inout SettingsReader, strategies declarations: [StrategyDeclaration]) {
        let account = reader.section("account") { AccountSettings(&$0) }
        self.account = account
        let trading = reader.section("trading") { TradingSettings(&$0) }
        self.trading = trading
        ibkr = reader.section("ibkr") { GatewaySettings(&$0, mode: trading.mode) }
        var surroundings = StrategySettings.Surroundings(
            declarations: declarations, symbols: trading.symbols)
        strategies = reader.sections("strategies") { StrategySettings(&$0, in: &surroundings) }
        if !strategies.isEmpty, !strategies.contains(where: \.isEnabled) {
            reader.refuse(
                "strategies", found: "none is enabled", allowed: "at least one enabled: on")
        }
        risk = reader.section("risk") { RiskSettings(&$0, account: account.type) }
        if trading.mode == .live, risk.limits == nil {
            reader.refuse(
                "risk", found: "no limits hold", allowed: "limits: on, with trading.mode: live")
        }
        let execution = reader.section("execution") { ExecutionSettings(&$0) }
        self.execution = execution
        logging = reader.section("logging") { LoggingSettings(&$0) }
        performance = reader.section("performance") { PerformanceSettings(&$0) }
        benchmarking = reader.section("benchmarking") { BenchmarkSettings(&$0) }
        monitoring = reader.section("monitoring") { MonitoringSettings(&$0) }
        alerts = reader.section("alerts") { AlertSettings(&$0) }
        let backtest = reader.section("backtest") { BacktestSettings(&$0) }
        self.backtest = backtest
        if let conflict = execution.conflict(
            with: backtest.calendar, barSize: backtest.data?.barSize)
        {
            reader.refuse("execution", found: conflict.found, allowed: conflict.allowed)
        }
        system = reader.section("system") { SystemSettings(&$0, mode: trading.mode) }
        reader.finish()
        text = SettingsText.text(of: reader.listing)
        let paths: [(String, SettingsPath?)] = [
            ("backtest.data.path", backtest.data?.path), ("logging.directory", logging.directory),
            ("system.secrets_file", system.secretsFile),
        ]
        textAnywhere = SettingsText.text(
            of: paths.reduce(reader.listing) { listing, path in
                listing.replacing(path.0, by: path.1?.fromRoot)
            })
    }

    /// The strategies that take part in runs, in their order.
    package var active: [StrategySettings] { strategies.filter(\.isEnabled) }

    /// What was read from a document, and the remarks about it.
    package struct Inspection: Sendable {
        /// They hold only if nothing is wrong.
        package let settings: Settings
        /// Every key with its value and origin.
        package let listing: SettingsListing
        /// What is wrong.
        package let problems: [SettingsProblem]
        /// The remarks about older names, in one line for each name.
        package let notices: [String]
        /// Keys that were given and that nothing reads, a sentence each.
        package let unread: [String]
    }

    /// The settings in a document. Throws everything that is wrong with it, not only the first thing.
    ///
    /// - Parameter strategies: those a configuration may use.
    package static func read(
        from document: SettingsDocument, strategies: [StrategyDeclaration]
    ) throws(SettingsProblems) -> Settings {
        let inspection = inspect(document, strategies: strategies)
        guard inspection.problems.isEmpty else { throw SettingsProblems(inspection.problems) }
        return inspection.settings
    }

    /// Reads a document and the files it names, and keeps what is wrong.
    package static func inspect(
        _ document: SettingsDocument, strategies: [StrategyDeclaration]
    ) -> Inspection {
        var document = document
        document.readNamedFiles()
        var reader = SettingsReader(document.root, variables: document.variables)
        let settings = Settings(&reader, strategies: strategies)
        var names: Set<String> = []
        return Inspection(
            settings: settings, listing: reader.listing,
            // What a broken file leaves out is not worth a line.
            problems: document.problems + (document.isWhole ? reader.problems : []),
            notices: reader.notices.filter { names.insert($0.variable).inserted }.map(\.text),
            unread: reader.unread)
    }
}
