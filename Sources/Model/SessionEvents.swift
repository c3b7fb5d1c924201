public import Primitives

/// The beginning of a session day, and by what its decisions were made.
public struct SessionOpening: Hashable, Sendable, BitwiseCopyable {
    /// The day.
    public let day: Day
    /// The version of the events' form.
    public let version: Int32
    /// A digest of the program.
    public let program: UInt64
    /// A digest of the configuration as resolved.
    public let configuration: UInt64
    /// A digest of the strategies' code and saved states' versions.
    public let strategies: UInt64

    /// The newest version of the events' form.
    public static let newestVersion: Int32 = 1

    /// A beginning.
    public init(
        day: Day, version: Int32 = SessionOpening.newestVersion, program: UInt64,
        configuration: UInt64, strategies: UInt64
    ) {
        self.day = day
        self.version = version
        self.program = program
        self.configuration = configuration
        self.strategies = strategies
    }

    /// True if a replay of what follows `other` decides as it was decided: program, configuration and strategies
    /// are the same.
    public func decidesAs(_ other: SessionOpening) -> Bool {
        version == other.version && program == other.program
            && configuration == other.configuration && strategies == other.strategies
    }
}

/// How much of the warm-up's history was there.
///
/// Those of single instruments come before that of all together, which ends the warm-up.
public struct HistoryCoverage: Hashable, Sendable, BitwiseCopyable {
    /// The instrument that it is about; `nil` where it is about all.
    public var instrument: InstrumentID? {
        instrumentIndex < 0 ? nil : InstrumentID(index: Int(instrumentIndex))
    }
    /// How many bars were shown.
    public let have: Int32
    /// How many the strategies asked for.
    public let asked: Int32

    private let instrumentIndex: Int32

    /// A coverage.
    public init(have: Int, asked: Int, of instrument: InstrumentID? = nil) {
        instrumentIndex = instrument?.index ?? -1
        self.have = Int32(clamping: have)
        self.asked = Int32(clamping: asked)
    }

    /// True if strategies were shown all that they asked for.
    public var isWhole: Bool { have >= asked }
}

/// A figure of the account by the broker.
public struct AccountValue: Hashable, Sendable, BitwiseCopyable {
    /// Which account.
    public let account: BrokerAccountID
    /// Which figure.
    public let key: Key
    /// How much, in the account's currency.
    public let amount: Money

    /// The figures that something follows from, by the broker's names.
    public enum Key: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// The worth of everything.
        case netLiquidation
        /// Cash, settled or not.
        case totalCash
        /// Settled cash.
        case settledCash
        /// What may be spent on further positions.
        case buyingPower
        /// What is there beyond the initial margin.
        case availableFunds
        /// What is there beyond the maintenance margin; below zero the broker liquidates.
        case excessLiquidity
        /// The initial margin of all positions.
        case initialMargin
        /// The maintenance margin of all positions.
        case maintenanceMargin
        /// Cash in the account's currency alone, settled or not.
        case ownCurrencyCash
        /// Dividends that are due and not paid.
        case accruedDividend
        /// Interest that has grown and is not posted.
        case accruedInterest
        /// The profit of positions in the account's currency, by the broker's costs.
        case unrealizedProfit
        /// The day's profit of what was closed in the account's currency.
        case realizedProfit
    }

    /// A figure.
    public init(account: BrokerAccountID, _ key: Key, _ amount: Money) {
        self.account = account
        self.key = key
        self.amount = amount
    }
}

/// Money that came into the account (positive) or left it, and not by an execution or its charges.
public struct CashMovement: Hashable, Sendable, BitwiseCopyable {
    /// What it was.
    public let cause: Cause
    /// How much, in the account's currency.
    public let amount: Money
    /// The instrument that it is about; `nil` where it is about none or that is not known.
    public var instrument: InstrumentID? {
        instrumentIndex < 0 ? nil : InstrumentID(index: Int(instrumentIndex))
    }

    private let instrumentIndex: Int32

    /// What moved money.
    public enum Cause: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// The user paid in or out: no profit and no loss.
        case transfer
        /// A dividend, or a payment in lieu of one.
        case dividend
        /// Interest.
        case interest
        /// A fee that belongs to no execution, such as for market data.
        case fee
        /// Not known. Counted as a transfer, so that no profit is shown that may be none.
        case unknown
    }

    /// A movement.
    public init(_ cause: Cause, _ amount: Money, of instrument: InstrumentID? = nil) {
        self.cause = cause
        self.amount = amount
        instrumentIndex = instrument?.index ?? -1
    }
}

/// A target that another program gives to a strategy, one row of its table.
public struct ExternalSignal: Hashable, Sendable, BitwiseCopyable {
    /// Whose position it is about.
    public let strategy: StrategyID
    /// The row's number. Numbers of a strategy's rows rise; a row at or below the newest has been applied.
    public let row: Int64
    /// In what.
    public let instrument: InstrumentID
    /// What is to be held.
    public let target: Target
    /// The limit of the order that follows; `nil` for an order at the market.
    public let limit: Price?
    /// The stop-loss of the position; `nil` for what is configured.
    public let stop: Price?

    /// What is to be held.
    public enum Target: Hashable, Sendable, BitwiseCopyable {
        /// So many shares; negative is short.
        case quantity(Quantity)
        /// So much of equity; 0.1 is ten percent, negative is short.
        case weight(Double)
    }

    /// A row.
    public init(
        strategy: StrategyID, row: Int64, instrument: InstrumentID, target: Target,
        limit: Price? = nil, stop: Price? = nil
    ) {
        self.strategy = strategy
        self.row = row
        self.instrument = instrument
        self.target = target
        self.limit = limit
        self.stop = stop
    }
}

/// What the shadow account of one instrument has come to.
public struct ShadowResult: Hashable, Sendable, BitwiseCopyable {
    /// The instrument that it trades.
    public let instrument: InstrumentID
    /// Its equity.
    public let equity: Money
    /// What it started with.
    public let capital: Money
    /// The traded value of the instrument over the time that the allocator looks at.
    public let turnover: Money

    /// A result.
    public init(instrument: InstrumentID, equity: Money, capital: Money, turnover: Money) {
        self.instrument = instrument
        self.equity = equity
        self.capital = capital
        self.turnover = turnover
    }
}
