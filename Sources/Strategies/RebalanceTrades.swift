import MarketState
import Model
import Primitives
import Signals

/// Which differences from the targets are worth a trade.
struct RebalanceLimits: Codable, Sendable {
    /// A difference of at most this part of the target is left alone.
    let band: Percent
    /// A trade for less is left out.
    let smallestTrade: Money
    /// The most that is bought and sold at one time, as a part of equity.
    let turnover: Percent
}

/// The trades that bring a portfolio of equal weights to its targets, in whole shares.
///
/// Left out are differences within the band and trades below the smallest, but for those that sell
/// everything. When the rest are worth more than the turnover allows, each is made smaller in the
/// same proportion: the portfolio goes part of the way. Sells come first; buys that found no room
/// before the sells had traded are asked for once more after that.
struct RebalanceTrades: Codable, Sendable {
    private let limits: RebalanceLimits
    private let weight: Percent
    /// What one position is to be worth.
    private var target = ExactMoney.zero
    /// What all trades may be worth; `nil` when there is no equity to take a part of, and all is
    /// sold.
    private var turnoverMax: ExactMoney?
    private var planned: [Trade] = []
    /// What was wanted before and is wanted no longer.
    private var outdated: [InstrumentID] = []
    private var turnover = ExactMoney.zero
    /// Whether buys may need a second intent.
    private var awaitsSells = false

    private struct Trade: Codable, Sendable {
        let instrument: InstrumentID
        /// What is held and ordered.
        let position: Quantity
        /// What is to be added to it.
        var change: Quantity

        var goal: Quantity { position + change }
    }

    /// Trades towards positions of that part of equity each.
    init(_ limits: RebalanceLimits, weight: Percent) {
        self.limits = limits
        self.weight = weight
    }

    /// Starts anew. Without equity nothing is to be held.
    mutating func begin(equity: ExactMoney) {
        let equity = max(equity, .zero)
        // Beyond what can be represented nothing is held.
        target = weight.of(equity) ?? .zero
        turnoverMax = equity > .zero ? limits.turnover.of(equity) : nil
        planned.removeAll(keepingCapacity: true)
        outdated.removeAll(keepingCapacity: true)
        turnover = .zero
        awaitsSells = false
    }

    /// Plans an instrument's trade, if it is worth one.
    ///
    /// - Parameter isHeld: whether it is to be held at its weight, or not at all.
    mutating func plan(
        _ instrument: InstrumentID, isHeld: Bool, _ context: borrowing StrategyContext
    ) {
        let holding = context.holding(of: instrument)
        if let (trade, value) = trade(instrument, isHeld: isHeld, holding.position, context) {
            planned.append(trade)
            turnover += value
        } else if holding.pending != .nothing {
            outdated.append(instrument)
        }
    }

    /// An instrument's trade and its value; `nil` without one.
    private func trade(
        _ instrument: InstrumentID, isHeld: Bool, _ position: Quantity,
        _ context: borrowing StrategyContext
    ) -> (trade: Trade, value: ExactMoney)? {
        guard let price = context.market.latestPrice(of: instrument) else { return nil }
        let multiplier = context.market.instruments[Int(instrument.index)].multiplier
        guard let goal = isHeld ? shares(at: price, multiplier: multiplier) : .zero else {
            return nil
        }
        let (units, overflowed) = goal.units.subtractingReportingOverflow(position.units)
        guard !overflowed, units != 0 else { return nil }
        let change = Quantity(units: units)
        let value = price * change.magnitude * multiplier
        if goal != .zero {
            guard let slack = limits.band.of(goal), change.magnitude > slack,
                value >= ExactMoney(limits.smallestTrade)
            else { return nil }
        }
        return (Trade(instrument: instrument, position: position, change: change), value.magnitude)
    }

    /// Takes back what is wanted no longer, and orders what was planned, sells first.
    mutating func order(_ context: inout StrategyContext) {
        for instrument in outdated { context.withdraw(instrument, because: "at its target") }
        let part = part
        if let part {
            for index in planned.indices {
                planned[index].change = part.of(planned[index].change)?.wholeShares ?? .zero
            }
        }
        for trade in planned where trade.change < .zero {
            context.setTarget(trade.goal, of: trade.instrument, because: "more than its target")
            awaitsSells = true
        }
        for trade in planned where trade.change > .zero {
            context.setTarget(trade.goal, of: trade.instrument, because: "less than its target")
        }
    }

    /// Intents what is missing of the buys once more, when all sells have ended.
    mutating func followUp(_ context: inout StrategyContext) {
        guard awaitsSells else { return }
        for trade in planned where trade.change < .zero {
            guard context.holding(of: trade.instrument).working == .zero else { return }
        }
        awaitsSells = false
        for trade in planned where trade.change > .zero {
            let missing = trade.goal - context.holding(of: trade.instrument).position
            guard missing > .zero, let price = context.market.latestPrice(of: trade.instrument)
            else { continue }
            let multiplier = context.market.instruments[Int(trade.instrument.index)].multiplier
            guard price * missing * multiplier >= ExactMoney(limits.smallestTrade) else { continue }
            context.setTarget(trade.goal, of: trade.instrument, because: "room after the sells")
        }
    }

    /// How much of each trade the turnover allows, rounded down; `nil` when all of it.
    private var part: Percent? {
        guard let turnoverMax, turnover > turnoverMax else { return nil }
        let units = turnoverMax.units / (turnover.units / Int128(Percent.hundred.units) + 1)
        return Percent(units: Int64(clamping: units))
    }

    /// The whole shares that the target buys; `nil` when there is no price to compute with, or more than can
    /// be held.
    private func shares(at price: Price, multiplier: Int64) -> Quantity? {
        guard price > .zero, multiplier > 0 else { return nil }
        let units = target.units / (Int128(price.units) * Int128(multiplier))
        guard units <= Int128(Quantity.magnitudeMax.units) else { return nil }
        return Quantity(units: Int64(units)).wholeShares
    }
}

extension StrategyContext.Holding {
    /// Held once everything ordered has traded.
    var position: Quantity { quantity + working }
}
