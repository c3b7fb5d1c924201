package import Accounting
package import Model
package import Primitives

/// Everything a run leaves behind that reports are made of: plain values, in the order they came
/// about.
///
/// One currency: every amount is in `currency`.
package struct RunRecord: Sendable {
    /// The run's instruments, by `InstrumentID.index`.
    package var instruments: [Instrument]
    /// The strategies' names, by `StrategyID.index`.
    package var strategies: [String]
    /// The texts behind `TextID.index`; number 0 is the empty text.
    package var reasons: [String]
    /// ISO 4217 code of all amounts.
    package var currency: String
    /// Equity before the first event.
    package var startingCapital: Money
    /// Executions in the order they were booked, each in its newest version. One that the venue
    /// took back is not among them.
    package var fills: [FillRecord]
    /// Orders by number.
    package var orders: [OrderRecord]
    /// Changes of orders that were asked for, in order of time.
    package var revisions: [RevisionRecord] = []
    /// Equity at the end of every session, in order of time.
    package var equity: [EquityPoint]
    /// Equity behind the last event.
    package var finalEquity: Money
    /// What was held at the end.
    package var openPositions: [PositionRecord]
    /// The deepest fall of equity, watched at every slice; `nil` if equity never fell.
    package var maxDrawdown: DrawdownRecord?
    /// Bars seen, warm-up excepted.
    package var barCount: Int
    /// Quotes and trades seen.
    package var tickCount = 0
    /// When the first bar began.
    package var from: Timestamp
    /// When the last bar ended.
    package var to: Timestamp
    /// How often the risk gate refused, by reason.
    package var refusals: [RefusalCount]
    /// What the user should know about the run, a sentence each.
    package var warnings: [String]
    /// Limits on the account that were reached, in order of time.
    package var breaches: [BreachRecord] = []
    /// Why entries were halted at the end of the run, gravest cause first; empty if they were not.
    package var haltCauses: [String] = []
    /// True if a halt at the end would last until a person lifts it.
    package var endedHalted = false
    /// Digest of the engine's final state: equal for equal runs.
    package var stateHash: UInt64

    /// What a second engine answered alike; `nil` when nobody asked for one.
    package var verification: VerificationRecord?

    /// What was paid in and out, in order of time.
    package var cashFlows: [CashFlow] = []
    /// What 1.00 of the start came to, whenever money came or went, as the ledger has it: 1.25 is a
    /// return of 25 %. `nil` when no return can be computed.
    package var growth: ExactMoney?
    /// Corporate actions as they were booked, by ex-day.
    package var actions: [BookedAction] = []
    /// Scores that strategies noted, in order of time; empty when nobody kept them.
    package var scores: [ScoreRecord] = []
    /// What the engine concluded and why, in order; empty when nobody asked.
    package var decisions: [Decision] = []
    /// What each strategy came to, by `StrategyID.index`; empty when nobody asked.
    package var strategyRecords: [StrategyRecord] = []

    /// A record as the run hands it over.
    package init(
        instruments: [Instrument], strategies: [String], reasons: [String], currency: String,
        startingCapital: Money, fills: [FillRecord], orders: [OrderRecord], equity: [EquityPoint],
        finalEquity: Money, openPositions: [PositionRecord], maxDrawdown: DrawdownRecord?,
        barCount: Int,
        from: Timestamp, to: Timestamp, refusals: [RefusalCount], warnings: [String],
        stateHash: UInt64
    ) {
        self.instruments = instruments
        self.strategies = strategies
        self.reasons = reasons
        self.currency = currency
        self.startingCapital = startingCapital
        self.fills = fills
        self.orders = orders
        self.equity = equity
        self.finalEquity = finalEquity
        self.openPositions = openPositions
        self.maxDrawdown = maxDrawdown
        self.barCount = barCount
        self.from = from
        self.to = to
        self.refusals = refusals
        self.warnings = warnings
        self.stateHash = stateHash
    }

    /// The ticker of an instrument of the run.
    package func symbol(of instrument: InstrumentID) -> String {
        instruments[Int(instrument.index)].symbol
    }

    /// The name of a strategy of the run.
    package func name(of strategy: StrategyID) -> String { strategies[Int(strategy.index)] }
}

/// What two engines answered alike.
package struct VerificationRecord: Hashable, Sendable {
    /// How many events.
    package let events: Int
    /// With how many commands.
    package let commands: Int
    /// And with how many decisions.
    package let decisions: Int
    /// Digest of all commands and decisions.
    package let outputDigest: UInt64

    /// A verification with its counts.
    package init(events: Int, commands: Int, decisions: Int, outputDigest: UInt64) {
        self.events = events
        self.commands = commands
        self.decisions = decisions
        self.outputDigest = outputDigest
    }

    /// The line of the summary.
    package var text: String {
        func grouped(_ count: Int) -> String { TerminalSummary.grouped(count) }
        return "verified: \(grouped(events)) events, \(grouped(commands)) commands and "
            + "\(grouped(decisions)) decisions, answered alike"
    }
}

/// One execution with what belongs to it.
package struct FillRecord: Hashable, Sendable {
    /// What traded, how much, at what price and when; the quantity is positive.
    package var execution: Execution
    /// The order it filled.
    package let order: OrderID
    /// Whose order that was.
    package var strategy: StrategyID
    /// Commission and fees; negative for a rebate.
    package var commission: Money
    /// Why the order was sent.
    package var reason: TextID

    /// A fill as booked.
    package init(
        execution: Execution, order: OrderID, strategy: StrategyID, commission: Money,
        reason: TextID
    ) {
        self.execution = execution
        self.order = order
        self.strategy = strategy
        self.commission = commission
        self.reason = reason
    }
}

/// One order and what became of it.
package struct OrderRecord: Hashable, Sendable {
    /// What the venue was asked.
    package var ticket: OrderTicket
    /// When it was sent.
    package let submitted: Timestamp
    /// What became of it.
    package var state: OrderOutcome
    /// How much of it traded.
    package var filled: Quantity
    /// At what price on average; `nil` if nothing traded.
    package var averagePrice: Price?
    /// Commission and fees of all its executions.
    package var commission: Money
    /// When it filled whole, was cancelled or rejected; `nil` while it works.
    package var finishedAt: Timestamp?
    /// How often other terms were asked for.
    package var revisionCount = 0

    /// An order as it stood at the end of the run.
    package init(
        ticket: OrderTicket, submitted: Timestamp, state: OrderOutcome, filled: Quantity,
        averagePrice: Price?, commission: Money, finishedAt: Timestamp?
    ) {
        self.ticket = ticket
        self.submitted = submitted
        self.state = state
        self.filled = filled
        self.averagePrice = averagePrice
        self.commission = commission
        self.finishedAt = finishedAt
    }
}

/// A change of an order that was asked for, whether the venue made it or not.
package struct RevisionRecord: Hashable, Sendable {
    /// Which order.
    package let order: OrderID
    /// When it was asked for.
    package let at: Timestamp

    /// A change asked for then.
    package init(order: OrderID, at: Timestamp) {
        self.order = order
        self.at = at
    }
}

/// What became of an order by the end of the run.
package enum OrderOutcome: Hashable, Sendable {
    /// It can still trade.
    case working
    /// All of it traded.
    case filled
    /// It ended early; some of it may have traded.
    case cancelled(CancelCause)
    /// The venue never worked it.
    case rejected(RejectCause)
}

/// The account at the last slice of a session.
package struct EquityPoint: Hashable, Sendable {
    /// The session.
    package let day: Day
    /// The slice.
    package let at: Timestamp
    /// Cash and positions at their market value.
    package let equity: Money
    /// Cash alone; negative when borrowed.
    package let cash: Money
    /// The sum of all positions' absolute market values.
    package let grossExposure: Money

    /// The account as valued then.
    package init(day: Day, at: Timestamp, equity: Money, cash: Money, grossExposure: Money) {
        self.day = day
        self.at = at
        self.equity = equity
        self.cash = cash
        self.grossExposure = grossExposure
    }
}

/// A fall of equity from a high to the lowest point behind it.
package struct DrawdownRecord: Hashable, Sendable {
    /// The part of the high that was lost: 0.25 is a quarter. Positive.
    package let fraction: Double
    /// When the high was reached.
    package let from: Timestamp
    /// When the low was reached.
    package let to: Timestamp

    /// A fall of `fraction` of the high.
    package init(fraction: Double, from: Timestamp, to: Timestamp) {
        self.fraction = fraction
        self.from = from
        self.to = to
    }
}

/// A position that was open at the end of the run.
package struct PositionRecord: Hashable, Sendable {
    /// Whose it is.
    package let strategy: StrategyID
    /// What is held.
    package let instrument: InstrumentID
    /// How much; negative is short.
    package let quantity: Quantity
    /// What it was opened at on average.
    package let averagePrice: Price
    /// What it is worth; negative for a short position.
    package let marketValue: Money

    /// A position as valued at the end.
    package init(
        strategy: StrategyID, instrument: InstrumentID, quantity: Quantity, averagePrice: Price,
        marketValue: Money
    ) {
        self.strategy = strategy
        self.instrument = instrument
        self.quantity = quantity
        self.averagePrice = averagePrice
        self.marketValue = marketValue
    }
}

/// How often the risk gate refused for one reason.
package struct RefusalCount: Hashable, Sendable {
    /// The reason in words.
    package let reason: String
    /// How often.
    package let count: Int

    /// A reason and its count.
    package init(reason: String, count: Int) {
        self.reason = reason
        self.count = count
    }
}

/// A limit on the whole account that was reached, upon which entries were halted.
package struct BreachRecord: Hashable, Sendable {
    /// When it was seen.
    package let at: Timestamp
    /// What was limited, in words.
    package let cause: String
    /// The limit and what there was instead.
    package let figures: Figures

    /// A limit and the value that reached it, in one unit.
    package enum Figures: Hashable, Sendable {
        /// In percent of what it is measured against.
        case percent(limit: Percent, value: Percent)
        /// Amounts of money.
        case amount(limit: Money, value: Money)
    }

    /// A breach as it was seen.
    package init(at: Timestamp, cause: String, figures: Figures) {
        self.at = at
        self.cause = cause
        self.figures = figures
    }
}
