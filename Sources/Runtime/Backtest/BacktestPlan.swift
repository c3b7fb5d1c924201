import Accounting
import Catalog
import Configuration
import MarketState
import Model
import Primitives
import Risk
import Signals
import Simulation
import Strategies
import TradingEngine

/// What settings and data mean for a backtest: rooms' own values instead of keys.
struct BacktestPlan {
    /// Engine, venue, latencies, seed.
    var setup: BacktestSetup
    /// The bars before those to run over, for warm-up.
    let history: [Bar]
    /// What companies did meanwhile, and when it takes effect.
    let actions: [TimedAction]
    /// What the user should know.
    let warnings: [String]
    /// What is doubtful about the data. Looked for when it is asked for, since many runs share their data.
    var doubts: [String] { review?.doubts ?? [] }
    /// How many bars, or quotes and trades, it runs over.
    let rowCount: Int

    private let data: RunData
    private let period: Range<Timestamp>
    private let longerBars: LongerBars?
    private let review: DataReview?

    /// Throws when the data cannot be used, or a strategy refuses its parameters.
    ///
    /// - Parameter strategies: those that trade; `nil` for those of the settings.
    init(
        _ settings: Settings, _ data: RunData, _ strategies: [StrategySettings]? = nil
    ) throws(RunFailure) {
        let instruments = data.symbols.enumerated().map { index, symbol in
            var instrument = Instrument(id: InstrumentID(index: index), symbol: symbol)
            // Nobody traded at adjusted prices: an exchange's steps say nothing about them.
            if data.basis != .raw { instrument.tickSize = .unrounded }
            return instrument
        }
        let ids = instruments.map(\.id)
        let calendar = settings.backtest.calendar
        let from = settings.backtest.from.map { calendar.dayEnd(of: $0.advanced(by: -1)) }
        let to = settings.backtest.to.map { calendar.dayEnd(of: $0) }
        let period = (from ?? .distantPast)..<max(from ?? .distantPast, to ?? .distantFuture)
        let instances = try Self.instances(strategies ?? settings.strategies, instruments)
        let warmup = settings.backtest.warmup ? instances.map(\.strategy.warmupBars).max() ?? 0 : 0

        self.data = data
        self.period = period
        longerBars = try data.longerBars(of: settings.trading.barSize, ids)
        let execution = try ExecutionPlan(settings, data)
        setup = Self.setup(settings, instruments, instances, execution.rules)
        switch data {
        case .bars(let bars):
            let review = DataReview(bars, period: period, warmup: warmup)
            self.review = review
            warnings = review.warnings + execution.warnings
            let feed = BarFeed(
                bars, instruments: ids, from: period.lowerBound, to: period.upperBound)
            rowCount = feed.barCount
            if from == nil {
                history = []
            } else if let longerBars {
                history = bars.history(before: period.lowerBound, count: warmup, longerBars)
            } else {
                history = feed.history(before: period.lowerBound, count: warmup)
            }
            // With other prices than those traded, shares and dividends are not those of the day.
            let first = history.map(\.start).min() ?? period.lowerBound
            let acting = first..<max(first, period.upperBound)
            do throws(DataError) {
                let known = bars.basis == .raw ? try TimedAction.all(in: bars) : []
                actions = known.filter { acting.contains($0.at) }
            } catch {
                throw .data(error)
            }
        case .ticks(let ticks):
            review = nil
            warnings =
                ticks.warnings(
                    in: period, stopsGoByTrades: settings.backtest.stopTrigger == .last)
                + execution.warnings
            rowCount =
                TickFeed(
                    ticks, instruments: ids, from: period.lowerBound, to: period.upperBound
                ).count
            history =
                from == nil
                ? []
                : longerBars.map {
                    ticks.history(before: period.lowerBound, count: warmup, $0)
                } ?? []
            actions = []
            setup.venue.matching = .ticks
            setup.engine.quotedOnly = ticks.quotedOnly
        }
        guard rowCount > 0 else {
            throw .data(
                DataError(
                    file: settings.backtest.data?.path.resolved ?? "",
                    finding: "there are no \(data.kind.rawValue) in the period",
                    remedy: "Check --from and --to against the dates in the files."))
        }
    }

    /// A backtest that has run to the end of its data.
    ///
    /// - Parameters:
    ///   - keepsNotes: whether what strategies note is kept for reports.
    ///   - verifier: what the run is verified by; `nil` for nothing.
    ///   - progress: called now and then with the number of rows done.
    func run(
        keepsNotes: Bool = false, decisions: DecisionLevel = .counts,
        equityRows: BacktestJob.EquityRows = .session, verifier: RunVerifier? = nil,
        progress: ((Int) -> Void)? = nil
    ) throws(RunFailure) -> Backtest {
        var setup = setup
        setup.engine.keepsNotes = keepsNotes
        // What is compared must leave the engine; the verifier drops what is not kept.
        setup.engine.decisions = verifier == nil ? decisions : .all
        var backtest = Backtest(setup, makeFeed(), actions: actions, equityRows: equityRows)
        backtest.verifier = verifier
        do throws(BacktestError) {
            try backtest.run(history: history, progress: progress)
        } catch {
            throw RunFailure(error)
        }
        return backtest
    }

    private func makeFeed() -> MarketFeed {
        let instruments = setup.engine.instruments.map(\.id)
        let (from, to) = (period.lowerBound, period.upperBound)
        switch data {
        case .bars(let bars):
            return MarketFeed(
                BarFeed(bars, instruments: instruments, from: from, to: to), longerBars: longerBars)
        case .ticks(let ticks):
            return MarketFeed(
                TickFeed(ticks, instruments: instruments, from: from, to: to),
                longerBars: longerBars)
        }
    }

    private static func setup(
        _ settings: Settings, _ instruments: [Instrument], _ instances: [StrategyInstance],
        _ execution: ExecutionRules
    ) -> BacktestSetup {
        let backtest = settings.backtest
        var setup = BacktestSetup(
            engine: engineSetup(settings, instruments, instances, execution),
            venue: VenueRules(settings), latencies: backtest.latency.latencies,
            seed: backtest.seed)
        setup.cashFlows = backtest.cashFlows
        setup.resume = backtest.resume
        return setup
    }

    /// What the settings make of an engine, in a backtest and in a session.
    static func engineSetup(
        _ settings: Settings, _ instruments: [Instrument], _ instances: [StrategyInstance],
        _ execution: ExecutionRules
    ) -> EngineSetup {
        let backtest = settings.backtest
        var engine = EngineSetup(
            instruments: instruments, strategies: instances,
            capital: settings.account.startingCapital,
            limits: settings.riskLimits)
        engine.calendar = backtest.calendar
        engine.losses = settings.risk.losses
        engine.orderRates = settings.risk.limits.map {
            OrderRateLimits(
                perMinute: $0.maxOrdersPerMinute, perDay: $0.maxOrdersPerDay,
                efficiencyMax: $0.maxOrderEfficiencyRatio)
        }
        engine.cashBuffer = CashBuffer(settings.account.cashBuffer)
        switch settings.account.type {
        case .cash: engine.settlement = SettlementCalendar()
        case .margin: engine.margin = settings.marginThatMatters
        }
        engine.execution = execution
        engine.debitInterest = settings.account.debitInterest
        return engine
    }

    /// The strategies that are enabled, before their first event.
    static func instances(
        _ strategies: [StrategySettings], _ instruments: [Instrument]
    ) throws(RunFailure) -> [StrategyInstance] {
        var instances: [StrategyInstance] = []
        for chosen in strategies where chosen.isEnabled {
            guard
                let type = StrategyCatalog.types.first(where: { $0.declaration.name == chosen.use })
            else { throw .defect("the strategy '\(chosen.use)' was read but does not exist") }
            let shown = instruments.filter {
                chosen.symbols.isEmpty || chosen.symbols.contains($0.symbol)
            }
            let strategy: any Strategy
            do throws(ParameterError) {
                strategy = try type.init(
                    StrategySetup(
                        instruments: shown, universe: instruments, parameters: chosen.parameters))
            } catch {
                throw .defect("a strategy refused parameters that were checked: \(error)")
            }
            instances.append(
                StrategyInstance(
                    strategy, sizing: chosen.sizing.sizing, protection: chosen.protection,
                    shown: shown.map(\.id)))
        }
        return instances
    }
}

extension SizingSettings {
    var sizing: Sizing {
        switch self {
        case .fixedShares(let shares): .fixedShares(shares)
        case .percentOfEquity(let percent): .percentOfEquity(percent)
        case .fixedMoney(let amount): .fixedMoney(amount)
        case .riskPerTrade(let risk, let length, let times):
            .riskPerTrade(risk, RangeDistance(length: length, times: times))
        }
    }
}

extension Settings {
    /// The gate's limits, that of the account's margin among them.
    var riskLimits: RiskLimits {
        var result = risk.riskLimits
        if account.type == .margin, risk.limits != nil {
            result.initialMargin = marginThatMatters?.initial
        }
        return result
    }

    /// The account's margin, unless no order can come near it: without limits anything may be borrowed,
    /// and longs that are paid in full need none.
    var marginThatMatters: MarginTerms? {
        guard let limits = risk.limits else { return nil }
        let terms = account.margin
        let most = max(terms.initial, terms.maintenanceLong, terms.maintenanceShort)
        let isPaidInFull = !risk.allowShort && limits.maxLeverage <= .hundred && most <= .hundred
        return isPaidInFull ? nil : terms
    }
}

extension StrategySettings {
    /// What protects its positions, if anything does.
    fileprivate var protection: Protection? {
        let goal = target.distance.map { Protection.Target.away($0.distance) }
        guard let distance = stop.distance?.distance else { return goal.map(Protection.init) }
        return Protection(
            stop: stop.isTrailing ? .trailing(distance) : .away(distance), target: goal)
    }
}

extension DistanceSettings {
    fileprivate var distance: Protection.Distance {
        switch self {
        case .amount(let amount): .amount(amount)
        case .percent(let percent): .percent(percent)
        case .range(let length, let times): .range(RangeDistance(length: length, times: times))
        }
    }
}

extension RiskSettings {
    /// The gate's limits. Whether shorts are allowed is asked with and without them.
    var riskLimits: RiskLimits {
        guard let limits else { return RiskLimits(allowsShort: allowShort) }
        var result = RiskLimits(allowsShort: allowShort, overLimit: limits.overLimit.rule)
        result.positionSharesMax = limits.maxPositionShares
        result.positionValueMax = limits.maxPositionValue
        result.positionPercentMax = limits.maxPositionPercent
        result.grossExposureMax = limits.maxExposure
        result.grossPercentMax = limits.maxLeverage
        result.positionsMax = maxPositions
        return result
    }
}

extension RiskLimitSettings.OverLimit {
    fileprivate var rule: RiskLimits.OverLimit {
        switch self {
        case .reduce: .reduce
        case .reject: .reject
        }
    }
}

extension CommissionSettings {
    var schedule: CommissionSchedule {
        switch self {
        case .ibkrFixed: .ibkrFixed
        case .ibkrTiered: .ibkrTiered
        case .perShare(let rate, let minimum, let maximum):
            .perShare(rate: rate, minimum: minimum, maximum: maximum)
        case .percent(let percent, let minimum): .percent(percent, minimum: minimum)
        case .perOrder(let amount): .perOrder(amount)
        case .none: .none
        }
    }
}

extension SlippageSettings {
    var model: SlippageModel {
        switch self {
        case .none: .none
        case .fixed(let amount): .fixed(amount)
        case .proportional(let percent): .basisPoints(percent)
        case .halfSpread(let percent): .halfSpread(otherwise: percent)
        case .volumeShare(let coefficient, let shareMax):
            .volumeShare(coefficient: coefficient, shareMax: shareMax)
        }
    }
}

extension LatencySettings {
    var latencies: Latencies {
        Latencies(
            marketData: marketData.model, order: order.model, acknowledgement: acknowledgement.model
        )
    }
}

extension LatencySettings.Delay {
    var model: LatencyModel {
        extraMean == .zero ? .fixed(fixed) : .exponential(minimum: fixed, mean: extraMean)
    }
}
