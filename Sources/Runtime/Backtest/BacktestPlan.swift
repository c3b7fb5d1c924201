import Catalog
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
    let setup: Backtest.Setup
    /// The bars before those to run over, for warm-up.
    let history: [Bar]
    /// What companies did meanwhile, and when it takes effect.
    let actions: [TimedAction]
    /// What the user should know.
    let warnings: [String]

    private let data: DataSet
    private let period: Range<Timestamp>

    /// Throws when the data cannot be used, or a strategy refuses its parameters.
    init(_ settings: Settings, _ data: DataSet) throws(RunFailure) {
        let instruments = data.series.enumerated().map { index, series in
            Instrument(id: InstrumentID(index: index), symbol: series.symbol)
        }
        let backtest = settings.backtest
        let calendar = backtest.calendar
        let from = backtest.from.map { calendar.dayEnd(of: $0.advanced(by: -1)) }
        let to = backtest.to.map { calendar.dayEnd(of: $0) }
        let seats = try Self.seats(settings, instruments)
        let warmup = backtest.warmup ? seats.map(\.strategy.warmupBars).max() ?? 0 : 0

        self.data = data
        period = (from ?? .distantPast)..<max(from ?? .distantPast, to ?? .distantFuture)
        let review = DataReview(data, period: period, warmup: warmup)
        warnings = review.warnings

        let feed = BarFeed(
            data, instruments: instruments.map(\.id), from: period.lowerBound,
            to: period.upperBound)
        guard feed.barCount > 0 else {
            throw .data(
                DataError(
                    file: backtest.data.path.resolved, finding: "there are no bars in the period",
                    remedy: "Check --from and --to against the dates in the files."))
        }
        history = from == nil ? [] : feed.history(before: period.lowerBound, count: warmup)
        // With other prices than those traded, shares and dividends are not those of the day.
        let first = history.map(\.start).min() ?? period.lowerBound
        let acting = first..<max(first, period.upperBound)
        actions =
            data.basis == .raw
            ? TimedAction.all(in: data).filter { acting.contains($0.at) } : []

        var venue = VenueRules(calendar: calendar)
        venue.commission = backtest.commission.schedule
        venue.slippage = backtest.slippage.model
        venue.participation = backtest.participation
        venue.limitFill = backtest.limitFill
        venue.barPath = backtest.barPath
        venue.impact = backtest.impact.map { .squareRoot(coefficient: $0) }
        var engine = EngineSetup(
            instruments: instruments, strategies: seats, capital: settings.account.startingCapital,
            limits: settings.risk.riskLimits)
        engine.calendar = calendar
        engine.debitInterest = settings.account.debitInterest
        setup = Backtest.Setup(
            engine: engine,
            venue: venue, latencies: backtest.latency.latencies, seed: backtest.seed)
    }

    /// The bars to run over.
    func makeFeed() -> BarFeed {
        BarFeed(
            data, instruments: setup.engine.instruments.map(\.id), from: period.lowerBound,
            to: period.upperBound)
    }

    private static func seats(
        _ settings: Settings, _ instruments: [Instrument]
    ) throws(RunFailure) -> [StrategySeat] {
        var seats: [StrategySeat] = []
        for chosen in settings.strategies {
            guard
                let type = StrategyCatalog.types.first(where: { $0.declaration.name == chosen.use })
            else { throw .defect("the strategy '\(chosen.use)' was read but does not exist") }
            let strategy: any Strategy
            do throws(ParameterError) {
                strategy = try type.init(
                    StrategySetup(instruments: instruments, parameters: chosen.parameters))
            } catch {
                throw .defect("a strategy refused parameters that were checked: \(error)")
            }
            let shown = instruments.filter {
                chosen.symbols.isEmpty || chosen.symbols.contains($0.symbol)
            }
            seats.append(
                StrategySeat(
                    strategy, sizing: chosen.sizing.sizing, protection: chosen.protection,
                    shown: shown.map(\.id)))
        }
        return seats
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
        var result = RiskLimits(allowsShort: allowShort, overLimit: limits.overLimit)
        result.positionSharesMax = limits.maxPositionShares
        result.positionValueMax = limits.maxPositionValue
        result.positionPercentMax = limits.maxPositionPercent
        result.grossExposureMax = limits.maxExposure
        result.grossPercentMax = limits.maxLeverage
        result.positionsMax = maxPositions
        return result
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
