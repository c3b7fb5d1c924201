import Model
import MarketState
import Primitives
import Signals
import Simulation
import Testing

@testable import Configuration

@Suite struct SettingsTests {
    @Test func whatIsNotGivenHasItsDefault() throws {
        let settings = try Sample.settings(
            Sample.minimal, set: ["account.starting_capital="])
        #expect(settings.account.type == .margin)
        #expect(settings.account.currency == .usd)
        #expect(settings.account.startingCapital == Money(cents: 10_000_000))
        #expect(settings.trading.symbols.isEmpty)

        let strategy = try #require(settings.strategies.first)
        #expect(settings.strategies.count == 1)
        #expect(strategy.name == "ma_crossover")
        #expect(strategy.use == "ma_crossover")
        #expect(strategy.symbols.isEmpty)
        #expect(strategy.parameters == Parameters(defaultsOf: Sample.strategies[0].parameters))
        #expect(strategy.sizing == .percentOfEquity(Percent(10)))

        let limits = try #require(settings.risk.limits)
        #expect(!settings.risk.allowShort)
        #expect(limits.maxPositionShares == nil)
        #expect(limits.maxPositionValue == nil)
        #expect(limits.maxPositionPercent == Percent(100))
        #expect(limits.maxExposure == nil)
        #expect(limits.maxLeverage == Percent(100))
        #expect(limits.overLimit == .reduce)

        #expect(settings.risk.maxPositions == nil)
        #expect(settings.risk.losses.areNone)
        #expect(settings.risk.losses.response == .halt)
        #expect(settings.account.margin == .unitedStates)

        let ibkr = settings.ibkr
        #expect(settings.trading.mode == .paper)
        #expect(ibkr.host == "127.0.0.1")
        #expect(ibkr.app == .gateway)
        #expect(ibkr.port == 4_002)
        #expect(ibkr.clientID == 1)
        #expect(ibkr.accountID == nil)
        #expect(ibkr.connectTimeout == .seconds(5))
        #expect(ibkr.marketDataType == .live)
        #expect(ibkr.delayedFallback)
        #expect(ibkr.tickBuffer == 1_000)
        #expect(ibkr.marketDataLines == 100)
        #expect(ibkr.silence.probe == .seconds(5))
        #expect(ibkr.silence.stale == .seconds(10))
        #expect(ibkr.silence.alarm == .seconds(15))
        #expect(ibkr.silence.tearDown == .seconds(45))
        #expect(settings.trading.quotes == .auto)
        #expect(settings.trading.trades == .auto)
        #expect(ibkr.cachesHistory)
        #expect(settings.execution.window == nil)
        #expect(settings.execution.openingCutoff == .minutes(2))
        #expect(settings.execution.closingCutoff == .minutes(10))
        #expect(!settings.execution.outsideRegularHours)
        #expect(settings.execution.orderTimeout == .seconds(30))
        #expect(settings.execution.onTimeout == .cancel)
        #expect(settings.execution.maintenance.isEmpty)
        #expect(settings.execution.usesAdaptive)
        #expect(settings.logging.level == .info)
        #expect(settings.logging.directory == nil)
        #expect(settings.logging.levels.isEmpty)
        #expect(settings.logging.format == .text)
        #expect(settings.logging.fileBytesMax == 64 << 20)
        #expect(settings.logging.filesKept == 60)
        #expect(settings.logging.daysKept == 60)
        #expect(settings.logging.marketDataInterval == .minutes(1))
        #expect(settings.monitoring.portfolioInterval == .minutes(1))
        #expect(settings.performance.riskFreeRate == 0)
        #expect(settings.benchmarking.symbol == nil)
        #expect(settings.monitoring.dashboardToken == nil)
        #expect(settings.alerts.smtpPassword == nil)
        #expect(settings.alerts.webhookSecret == nil)
        #expect(settings.system.secretsFile == nil)
        #expect(settings.system.vendorKey == nil)

        let backtest = settings.backtest
        #expect(backtest.from == nil)
        #expect(backtest.to == nil)
        #expect(backtest.calendar == .newYork)
        #expect(backtest.seed == 1)
        #expect(backtest.data?.stamp == .start)
        #expect(backtest.data?.zone == nil)
        #expect(backtest.data?.barSize == nil)
        #expect(backtest.commission == .ibkrFixed)
        #expect(backtest.slippage == .halfSpread(otherwise: Percent(units: 50_000)))
        let none = LatencySettings.Delay(fixed: .zero, extraMean: .zero)
        #expect(backtest.latency.marketData == none)
        #expect(backtest.latency.order == none)
        #expect(backtest.latency.acknowledgement == none)
        #expect(backtest.participation == Percent(10))
        #expect(backtest.limitFill == .through)
        #expect(backtest.warmup)
    }

    @Test func everyGivenKeyIsRead() throws {
        let settings = try Sample.settings(Sample.full)
        #expect(settings.account.startingCapital == Money(cents: 25_000_050))
        // YAML would take the last one for a switch.
        #expect(settings.trading.symbols == ["AAPL", "BRK.B", "ON"])

        #expect(settings.strategies.map(\.name) == ["quick", "trend"])
        let quick = settings.strategies[0]
        #expect(quick.use == "ma_crossover")
        #expect(quick.symbols == ["AAPL", "ON"])
        #expect(quick.parameters.all.map(\.value) == [.integer(5), .integer(20), .choice("ema")])
        #expect(quick.sizing == .fixedShares(Quantity(shares: 150)))
        #expect(quick.stop.distance == .percent(Percent(4)))
        #expect(quick.stop.isTrailing)
        #expect(quick.target.distance == .range(length: 10, times: Percent(350)))
        let trend = settings.strategies[1]
        #expect(trend.parameters.all.map(\.value) == [.number(0.05)])
        #expect(trend.sizing == .percentOfEquity(Percent(units: 12_500_000)))
        #expect(trend.stop.distance == nil && trend.target.distance == nil)

        #expect(settings.risk.allowShort)
        let limits = try #require(settings.risk.limits)
        #expect(limits.maxPositionShares == Quantity(shares: 1_000))
        #expect(limits.maxPositionValue == Money(cents: 5_000_000))
        #expect(limits.maxPositionPercent == Percent(25))
        #expect(limits.maxExposure == Money(cents: 20_000_000))
        #expect(limits.maxLeverage == Percent(175))
        #expect(limits.overLimit == .reject)
        #expect(settings.risk.maxPositions == 7)

        let ibkr = settings.ibkr
        #expect(settings.trading.mode == .dry)
        #expect(ibkr.host == "gateway.example")
        #expect(ibkr.app == .tws)
        #expect(ibkr.port == 5_000)
        #expect(ibkr.clientID == 12)
        #expect(ibkr.accountID == "DU1234567")
        #expect(ibkr.connectTimeout == .seconds(15))
        #expect(ibkr.marketDataType == .delayed)
        #expect(!ibkr.delayedFallback)
        #expect(ibkr.tickBuffer == 50)
        #expect(ibkr.marketDataLines == 300)
        #expect(ibkr.silence.probe == .seconds(3))
        #expect(ibkr.silence.stale == .seconds(7))
        #expect(ibkr.silence.alarm == .seconds(20))
        #expect(ibkr.silence.tearDown == .seconds(90))
        #expect(settings.trading.quotes == .on)
        #expect(settings.trading.trades == .off)
        #expect(ibkr.restartTime == .minutes(22 * 60 + 5))
        #expect(ibkr.restartZone == "Europe/London")
        #expect(ibkr.contractCache == .days(3))
        #expect(!ibkr.cachesHistory)
        #expect(settings.execution.window == .now)
        #expect(settings.execution.openingCutoff == .minutes(3))
        #expect(settings.execution.closingCutoff == .minutes(15))
        #expect(settings.execution.outsideRegularHours)
        #expect(settings.execution.orderTimeout == .seconds(45))
        #expect(settings.execution.onTimeout == .reprice(timesMax: 2))
        #expect(
            settings.execution.maintenance == [
                DailyInterval(from: .minutes(23 * 60 + 45), to: .minutes(45))
            ])
        #expect(!settings.execution.usesAdaptive)
        #expect(settings.logging.level == .warning)
        #expect(settings.logging.directory?.resolved == "notes")
        #expect(settings.logging.levels == [.data: .error, .scores: .trace])
        #expect(settings.logging.format == .json)
        #expect(settings.logging.fileBytesMax == 8 << 20)
        #expect(settings.logging.filesKept == 9)
        #expect(settings.logging.daysKept == 10)
        #expect(settings.logging.marketDataInterval == .seconds(11))
        #expect(settings.performance.riskFreeRate == 0.025)
        #expect(settings.benchmarking.symbol == "SPY")

        let backtest = settings.backtest
        #expect(backtest.from == Day(year: 2019, month: 1, day: 2))
        #expect(backtest.to == Day(year: 2020, month: 12, day: 31))
        #expect(backtest.calendar == .always)
        #expect(backtest.seed == 42)
        #expect(backtest.data?.path == SettingsPath(given: "data/sample", folder: ""))
        #expect(backtest.data?.basis == .split)
        #expect(backtest.data?.stamp == .end)
        #expect(backtest.data?.zone == .newYork)
        #expect(backtest.data?.barSize == .minutes(5))
        let perShare = CommissionSettings.perShare(
            rate: Money(units: 3_500), minimum: Money(cents: 35), maximum: Percent(1))
        #expect(backtest.commission == perShare)
        #expect(backtest.slippage == .proportional(Percent(units: 25_000)))
        func delay(_ fixed: Int64, _ extra: Int64) -> LatencySettings.Delay {
            LatencySettings.Delay(fixed: .milliseconds(fixed), extraMean: .milliseconds(extra))
        }
        #expect(backtest.latency.marketData == delay(10, 5))
        #expect(backtest.latency.order == delay(20, 6))
        #expect(backtest.latency.acknowledgement == delay(30, 7))
        #expect(backtest.participation == Percent(20))
        #expect(backtest.limitFill == .touch)
        #expect(!backtest.warmup)
    }

    @Test func everyScheduleAndModelHasItsOwnKeys() throws {
        func backtest(_ assignment: String) throws -> BacktestSettings {
            try Sample.settings(Sample.minimal, set: ["backtest.\(assignment)"]).backtest
        }
        #expect(
            try backtest("commission={schedule: percent, percent_pct: 0.1}").commission
                == .percent(Percent(units: 100_000), minimum: .zero))
        #expect(
            try backtest("commission={schedule: per_order, per_order_usd: 4.95}").commission
                == .perOrder(Money(cents: 495)))
        #expect(
            try backtest("commission={schedule: per_share, per_share_usd: 0.005}").commission
                == .perShare(rate: Money(units: 5_000), minimum: .zero, maximum: nil))
        #expect(try backtest("commission.schedule=ibkr_tiered").commission == .ibkrTiered)
        #expect(try backtest("commission.schedule=none").commission == .none)
        #expect(
            try backtest("slippage={model: fixed, amount_usd: 0.01}").slippage
                == .fixed(Price(cents: 1)))
        #expect(
            try backtest("slippage={model: volume_share, coefficient: 0.1}").slippage
                == .volumeShare(
                    coefficient: Percent(10), shareMax: Percent(units: 2_500_000)))
        #expect(try backtest("slippage.model=none").slippage == .none)
        #expect(try backtest("participation_pct=0").participation == nil)
    }

    @Test(arguments: ["on", "true", "True", "yes", "'on'", "ON"])
    func switchesUnderstandYamlsOldWords(word: String) throws {
        let settings = try Sample.settings(
            Sample.minimal, set: ["risk.limits=\(word)", "risk.allow_short=\(word)"])
        #expect(settings.risk.limits != nil)
        #expect(settings.risk.allowShort)
    }

    @Test func limitsThatAreOffLeaveNoLimits() throws {
        let settings = try Sample.settings(
            Sample.minimal, set: ["risk.limits=off", "risk.allow_short=true"])
        #expect(settings.risk.limits == nil)
        #expect(settings.risk.maxPositions == nil)
        #expect(settings.risk.allowShort)
        let problems = Sample.problems(
            Sample.minimal,
            set: ["risk={limits: off, max_leverage: 2, max_positions: 5, over_limit: reject}"])
        #expect(
            problems.map(\.path).sorted() == [
                "risk.max_leverage", "risk.max_positions", "risk.over_limit",
            ])
        #expect(problems.allSatisfy { $0.allowed == "only with limits: on" })
    }

    @Test func aKeyOfAnotherMethodIsRefused() {
        let problems = Sample.problems(
            Sample.minimal,
            set: [
                "strategies.0.sizing={method: fixed_shares, shares: 5, equity_pct: 10}",
                "backtest.slippage={model: fixed, amount_usd: 0.01, bps: 5}",
                "backtest.commission={minimum_usd: 1}",
            ])
        #expect(
            problems.map(\.path) == [
                "strategies.0.sizing.equity_pct", "backtest.commission.minimum_usd",
                "backtest.slippage.bps",
            ])
        #expect(
            problems.map(\.description)[1] == """
                backtest.commission.minimum_usd: does not belong here, allowed only with schedule: \
                per_share or percent. Remove it or set it to null.
                """)
    }

    /// Nothing is read that the strategy would not obey, and a resolved configuration does not name it.
    @Test func sizingOfAStrategyThatSizesItselfIsRefused() throws {
        let use = "strategies.0.use=rotation"
        let strategies = [
            StrategyDeclaration(name: "rotation", summary: "rotates", ownSizing: "top says")
        ]
        let document = Sample.document(
            Sample.minimal, set: [use, "strategies.0.sizing={method: fixed_shares, shares: 5}"])
        let problems = Settings.inspect(document, strategies: strategies).problems
        #expect(
            problems.map(\.description) == [
                """
                strategies.0.sizing: 'rotation' sizes its positions itself. Leave it out: top says how large \
                they are.
                """
            ])
        let settings = try Settings.read(
            from: Sample.document(Sample.minimal, set: [use]), strategies: strategies)
        #expect(!settings.text.contains("sizing"))
    }

    /// Otherwise one misspelt word would make the keys of every method wrong.
    @Test func keysOfAnUnknownMethodAreLeftAlone() {
        let problems = Sample.problems(
            Sample.minimal, set: ["strategies.0.sizing={method: fixed_share, shares: 5}"])
        #expect(problems.map(\.path) == ["strategies.0.sizing.method"])
        #expect(problems.first?.advice == "Did you mean 'fixed_shares'?")
    }

    @Test func aCashAccountSellsNothingShort() throws {
        let cash = ["account.type=cash"]
        #expect(try Sample.settings(Sample.minimal, set: cash).account.cashBuffer == Percent(1))
        #expect(
            Sample.problems(Sample.minimal, set: cash + ["risk.allow_short=true"])
                .map(\.description) == [
                    """
                    risk.allow_short: found true, allowed false, with account.type: cash. \
                    Short positions need a margin account.
                    """
                ])
        #expect(
            Sample.problems(Sample.minimal, set: cash + ["account.initial_margin_pct=50"])
                .map(\.path) == ["account.initial_margin_pct"])
        #expect(
            Sample.problems(Sample.minimal, set: ["account.cash_buffer_pct=2"]).map(\.path)
                == ["account.cash_buffer_pct"])
    }

    @Test func lossesAreLimitedAsWritten() throws {
        let losses = try Sample.settings(Sample.full).risk.losses
        #expect(losses.dailyPercent == Percent(2))
        #expect(losses.dailyAmount == Money(cents: 1_500_00))
        #expect(losses.drawdownPercent == Percent(units: 12_500_000))
        #expect(losses.response == .flatten)
        #expect(
            Sample.problems(
                Sample.minimal, set: ["risk.limits=off", "risk.max_drawdown_pct=10"]
            ).map(\.path) == ["risk.max_drawdown_pct"])
    }

    @Test func firstDayMayNotFollowTheLast() {
        let days = ["backtest.from=2020-01-02", "backtest.to=2020-01-01"]
        #expect(
            Sample.problems(Sample.minimal, set: days).map(\.description) == [
                "backtest.to: found 2020-01-01, allowed 2020-01-02, which is from, or later."
            ])
        let oneDay = ["backtest.from=2020-01-02", "backtest.to=2020-01-02"]
        #expect(Sample.problems(Sample.minimal, set: oneDay).isEmpty)
        let nonsense = ["backtest.from=2020-02-30", "backtest.to=2020-01-01"]
        #expect(Sample.problems(Sample.minimal, set: nonsense).map(\.path) == ["backtest.from"])
    }

    @Test func strategiesHaveDifferentNames() throws {
        let twice = "strategies=[{use: ma_crossover}, {use: ma_crossover}]"
        let problems = Sample.problems(Sample.minimal, set: [twice])
        #expect(problems.map(\.path) == ["strategies.1.name"])
        let named = "strategies=[{use: ma_crossover}, {use: ma_crossover, name: other_2}]"
        #expect(
            try Sample.settings(Sample.minimal, set: [named]).strategies.map(\.name)
                == ["ma_crossover", "other_2"])
        #expect(
            Sample.problems(Sample.minimal, set: ["strategies.0.name=My Strategy"]).map(\.path)
                == ["strategies.0.name"])
    }

    @Test func anUnknownStrategyIsOneProblemOnly() {
        let problems = Sample.problems(
            Sample.minimal, set: ["strategies.0={use: ma_crosover, parameters: {fats: 1}}"])
        #expect(
            problems.map(\.description) == [
                """
                strategies.0.use: found 'ma_crosover', allowed ma_crossover or momentum. Did you mean \
                'ma_crossover'?
                """
            ])
    }

    @Test func parametersAreCheckedAgainstTheirDeclaration() throws {
        let problems = Sample.problems(
            Sample.minimal,
            set: ["strategies.0.parameters={fast: 0, slow: abc, average: wma, fats: 5}"])
        #expect(
            problems.map(\.description) == [
                "strategies.0.parameters.fast: found 0, allowed 1 to 5000 (bars).",
                "strategies.0.parameters.slow: found 'abc', allowed 2 to 5000 (bars).",
                """
                strategies.0.parameters.average: found 'wma', allowed sma or ema. Did you mean 'sma' \
                or 'ema'?
                """,
                "strategies.0.parameters.fats: unknown key. Did you mean 'fast'?",
            ])
        // A whole number is a number too.
        let whole = try Sample.settings(
            Sample.minimal, set: ["strategies.0={use: momentum, parameters: {threshold: 1}}"])
        #expect(whole.strategies[0].parameters.all.map(\.value) == [.number(1)])
    }

    @Test func aStrategyTradesWhatTheRunTrades() throws {
        let symbols = ["trading.symbols=[AAPL, MSFT]"]
        #expect(
            try Sample.settings(Sample.minimal, set: symbols).strategies[0].symbols == [
                "AAPL", "MSFT",
            ])
        let other = symbols + ["strategies.0.symbols=[MSFT, TSLA]"]
        #expect(
            Sample.problems(Sample.minimal, set: other).map(\.description)
                == ["strategies.0.symbols: 'TSLA' is not in trading.symbols."])
        let twice = Sample.problems(Sample.minimal, set: ["trading.symbols=[AAPL, MSFT, AAPL]"])
        #expect(twice.map(\.description) == ["trading.symbols.2: 'AAPL' is there twice."])
    }

    @Test(arguments: ["strategies=[]", "strategies=", "strategies=null"])
    func thereIsAtLeastOneStrategy(assignment: String) {
        let problems = Sample.problems(Sample.minimal, set: [assignment])
        #expect(
            problems.map(\.description) == ["strategies: missing, allowed a list of one or more."])
    }

    @Test func relativePathsStartAtTheFileThatNamesThem() throws {
        func path(named file: String, set: [String] = []) throws -> String? {
            try Sample.settings(Sample.minimal, named: file, set: set).backtest.data?.path.resolved
        }
        #expect(try path(named: "config.yaml") == "bars")
        #expect(try path(named: "conf/live/config.yaml") == "conf/live/bars")
        #expect(try path(named: "/etc/martlet.yaml") == "/etc/bars")
        #expect(try path(named: "-") == "bars")
        #expect(try path(named: "conf/a.yaml", set: ["backtest.data.path=other"]) == "other")
        #expect(try path(named: "conf/a.yaml", set: ["backtest.data.path=/abs"]) == "/abs")

        var document = Sample.document(Sample.minimal, named: "conf/a.yaml")
        document.merge(environment: ["MARTLET__BACKTEST__DATA__PATH": "../bars"])
        let settings = try Settings.read(from: document, strategies: Sample.strategies)
        #expect(settings.backtest.data?.path.resolved == "../bars")
    }
}
