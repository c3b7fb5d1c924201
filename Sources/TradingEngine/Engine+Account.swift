import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals

/// The broker's figures of the account against ours: cash that moves without a cause that is known, and profit.
extension Engine {
    /// Takes in a figure of the account for what it says of our ledger.
    mutating func compareAccount(_ value: AccountValue, _ output: inout EngineOutput) {
        switch value.key {
        case .ownCurrencyCash:
            outside.cash.set(value.amount)
            reviewCash(&output)
        case .accruedDividend, .accruedInterest: outside.cash.set(value.key, value.amount)
        // Cash comes behind the net liquidation value of the same moment, and only where it has changed.
        case .totalCash, .netLiquidation:
            comparePositionsValue(&output)
            compareRealized(&output)
        case .unrealizedProfit:
            guard comparisons.valuesAreCurrent else { return }
            compare(
                .unrealizedProfit, broker: value.amount, ours: portfolio.profit.unrealized,
                &output)
        case .realizedProfit: compareRealized(&output)
        case .settledCash, .buyingPower, .availableFunds, .excessLiquidity,
            .initialMargin, .maintenanceMargin:
            break
        }
    }

    // MARK: Cash

    /// Looks at the account's cash: what moves it and is not ours is for the user to name.
    mutating func reviewCash(_ output: inout EngineOutput) {
        guard hasBroker, permissions.link == .ready else { return }
        let step = outside.cash.review(portfolio.cash, at: now, isQuiet: isQuiet)
        switch step {
        case .none: break
        case .lookAgain(let time):
            output.commands.append(
                .setTimer(TimerID(engine: EngineTimer.cash.rawValue), at: time))
        case .explained(let amount):
            decide(.accountCashMoved(.dividend), about: Decision.Subject(), &output) {
                Figures(.money(.value, amount))
            }
        case .unexplained(let cause, let amount):
            decide(.accountCashMoved(cause), about: Decision.Subject(), &output) {
                Figures(.money(.value, amount))
            }
        }
    }

    /// True while nothing has traded for some time and the lists of the connection are taken in.
    private var isQuiet: Bool {
        broker.listings.areComplete
            && broker.filled.allSatisfy {
                $0 == .distantPast || $0 + Reconciliation.quietTime <= now
            }
    }

    // MARK: Profit

    /// What was realised so far, less all costs.
    private var realizedSoFar: ExactMoney { portfolio.profit.realized - portfolio.charges }

    /// A day begins: the broker's profit of what was closed counts from here.
    mutating func beginDayOfComparisons() {
        comparisons.realizedBefore = realizedSoFar
        comparisons.netBefore = portfolio.profit.net
    }

    /// The day's profit of what was closed changes seldom: it is looked at with every value of the account.
    private mutating func compareRealized(_ output: inout EngineOutput) {
        guard let before = comparisons.realizedBefore,
            let realized = broker.value(of: .realizedProfit)
        else { return }
        compare(.realizedProfit, broker: realized, ours: realizedSoFar - before, &output)
    }

    /// The net liquidation value without cash is what all positions are worth.
    private mutating func comparePositionsValue(_ output: inout EngineOutput) {
        guard comparisons.valuesAreCurrent, let cash = broker.value(of: .totalCash),
            let netLiquidation = broker.value(of: .netLiquidation)
        else { return }
        compare(
            .netLiquidation, broker: netLiquidation - cash,
            ours: portfolio.equity - portfolio.cash, &output)
    }

    /// Compares a figure. Where others hold something too it says nothing about ours, and what was realised nothing on the
    /// whole day.
    private mutating func compare(
        _ comparison: AccountComparison, broker theirs: Money, ours: ExactMoney,
        _ output: inout EngineOutput
    ) {
        if outside.isAnyHeld { comparisons.noteOthers(on: days.today) }
        guard hasBroker, permissions.link == .ready, !outside.isAnyHeld,
            comparison != .realizedProfit || !comparisons.wereOthers(on: days.today),
            let ours = ours.roundedIfRepresentable()
        else { return }
        let distance = (ExactMoney(theirs) - ExactMoney(ours)).magnitude
        let differs = distance > comparisonTolerance
        guard comparisons.note(comparison, differs: differs, at: now, on: days.today) else {
            return
        }
        decide(.accountDiffers(comparison), about: Decision.Subject(), &output) {
            Figures(.money(.value, theirs), .money(.held, ours))
        }
    }

    /// What prices of other moments and commissions, which the broker counts into costs, may make: half a percent of
    /// what is held, all commissions, and a unit of the currency.
    private var comparisonTolerance: ExactMoney {
        ExactMoney(units: portfolio.grossExposure.units / 200) + portfolio.charges.magnitude
            + ExactMoney(Money(cents: 100))
    }

    // MARK: Costs of positions

    /// Compares what positions have cost by the broker's list with ours. Where others hold something of an instrument, or
    /// the quantities differ, the broker's figure says nothing about ours.
    mutating func compareCosts(_ output: inout EngineOutput) {
        guard permissions.link == .ready, broker.listings.isComplete(.positions) else { return }
        let listed = broker.listings.positions
        for position in listed where position.account == orders.identity.account {
            guard let instrument = position.instrument, isKnown(instrument) else { continue }
            let differing = differingCost(of: instrument, in: position)
            let isReported = comparisons.noteCost(
                of: instrument, differs: differing != nil, at: now, on: days.today)
            guard isReported, let figures = differing else { continue }
            decide(
                .accountDiffers(.averageCost), about: Decision.Subject(instrument: instrument),
                &output
            ) { figures }
        }
    }

    /// The broker's and our average cost, if they differ by more than half a percent, what the broker has charged, which it
    /// counts into costs, and a unit of the currency.
    private func differingCost(of instrument: InstrumentID, in position: ListedPosition) -> Figures?
    {
        guard let theirs = position.averageCost, position.quantity != .zero,
            position.quantity == portfolio.quantity(of: instrument),
            outside[instrument].held == .zero, let cost = ownCost(of: instrument)
        else { return nil }
        let brokers = theirs * position.quantity
        let distance = (brokers - cost).magnitude
        let tolerance =
            ExactMoney(units: cost.magnitude.units / 200) + ExactMoney(Money(cents: 100))
        // Mostly it is near enough without a look at what was charged.
        guard distance > tolerance,
            distance > tolerance + orders.charges(in: instrument).magnitude,
            let ours = Int64(exactly: cost.units / Int128(position.quantity.units))
        else { return nil }
        return Figures(
            .price(.value, theirs), .price(.held, Price(units: ours)),
            .shares(.working, position.quantity))
    }

    /// What the strategies' positions in an instrument have cost together; `nil` where some are long and others short: the
    /// broker counts them against each other.
    private func ownCost(of instrument: InstrumentID) -> ExactMoney? {
        var sum = ExactMoney.zero
        let isLong = portfolio.quantity(of: instrument) > .zero
        for index in 0..<instances.count {
            let ledger = portfolio.ledger(
                of: .strategy(StrategyID(index: index)), in: instrument)
            guard ledger.quantity == .zero || (ledger.quantity > .zero) == isLong else {
                return nil
            }
            sum += ledger.cost
        }
        return sum
    }
}
