package import Accounting
package import Primitives

/// What one strategy came to, as its own ledger has it.
package struct StrategyRecord: Hashable, Sendable {
    /// Profit of what it closed, at average cost, before commissions.
    package let realized: Money
    /// What it held at the end, at market value, less its cost.
    package let unrealized: Money
    /// Dividends received less paid.
    package let income: Money
    /// Commissions and fees.
    package let charges: Money
    /// Sessions that ended with a position of its own.
    package let exposedSessions: Int

    /// All together.
    package var netProfit: Money { realized + unrealized + income - charges }

    /// A strategy's figures from its profit in the ledger.
    package init(_ profit: Profit, exposedSessions: Int) {
        realized = profit.realized.rounded()
        unrealized = profit.unrealized.rounded()
        income = profit.income.rounded()
        charges = profit.charges.rounded()
        self.exposedSessions = exposedSessions
    }
}

/// A score that a strategy noted.
package struct ScoreRecord: Hashable, Sendable {
    /// When.
    package let at: Timestamp
    /// Who noted it.
    package let strategy: StrategyID
    /// About what.
    package let instrument: InstrumentID
    /// The score; what it means is up to the strategy.
    package let score: Double
    /// The place among those compared, from 1; `nil` when nothing was compared.
    package let rank: Int?
    /// What the strategy held of it then; negative is short.
    package let held: Quantity

    /// A score as it was noted.
    package init(
        at: Timestamp, strategy: StrategyID, instrument: InstrumentID, score: Double, rank: Int?,
        held: Quantity
    ) {
        self.at = at
        self.strategy = strategy
        self.instrument = instrument
        self.score = score
        self.rank = rank
        self.held = held
    }
}
