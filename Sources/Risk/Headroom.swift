import Accounting
import Model
import Primitives

/// How much limits leave for one order, everything that works already counted as filled.
struct Headroom {
    /// What the order is worth at its reference price.
    let asked: ExactMoney
    /// Whether the account or the strategy itself would be short with the order filled.
    let endsShort: Bool

    private let multiplier: Int64
    private let equity: ExactMoney
    private let otherExposure: ExactMoney?
    private let price: Price
    /// The account's position on the order's side, working orders of that side filled; negative is a
    /// position on the other side.
    private let reached: Quantity
    private let quantity: Quantity
    /// What the order's own strategy would hold with the order filled.
    let ownAfter: Quantity

    /// `nil` when a number on the way is beyond what can be computed with.
    init?(_ request: OrderRequest, _ facts: RiskFacts, _ price: Price) {
        guard price > .zero, facts.multiplier > 0 else { return nil }
        multiplier = facts.multiplier
        equity = facts.equity
        otherExposure = facts.otherExposure
        self.price = price
        let worth = (price * request.quantity).units
            .multipliedReportingOverflow(by: Int128(facts.multiplier))
        let (position, working) =
            switch request.side {
            case .buy: (Int128(facts.position.units), facts.workingBuys)
            case .sell: (-Int128(facts.position.units), facts.workingSells)
            }
        let filled = position + Int128(working.units)
        let after = filled + Int128(request.quantity.units)
        guard !worth.overflow, filled.magnitude <= Quantity.magnitudeMax.units.magnitude,
            after.magnitude <= Quantity.magnitudeMax.units.magnitude
        else { return nil }
        asked = ExactMoney(units: worth.partialValue)
        reached = Quantity(units: Int64(filled))
        quantity = request.quantity
        // Others may sell their shares at any time, so they cover nothing.
        let own = Int128(facts.held.units) - Int128(request.quantity.units)
        endsShort = request.side == .sell && (after > 0 || own < 0)
        ownAfter = Quantity(
            units: Int64(
                clamping: Int128(facts.held.units) + Int128(request.side.signed(quantity).units)))
    }

    /// The largest position the limits on one instrument allow; `nil` when it cannot be computed.
    func positionMax(_ limits: RiskLimits) -> Quantity? {
        var most = limits.positionSharesMax ?? .magnitudeMax
        if let value = limits.positionValueMax {
            guard let shares = shares(worth: ExactMoney(value)) else { return nil }
            most = min(most, shares)
        }
        if let percent = limits.positionPercentMax {
            guard let shares = percent.of(equity).flatMap(shares(worth:)) else { return nil }
            most = min(most, shares)
        }
        return most
    }

    /// The largest position the limits on all instruments together leave for this one.
    func grossMax(_ limits: RiskLimits) -> Quantity? {
        var most = Quantity.magnitudeMax
        if let value = limits.grossExposureMax {
            guard let shares = shares(of: ExactMoney(value)) else { return nil }
            most = min(most, shares)
        }
        if let percent = limits.grossPercentMax {
            guard let shares = percent.of(equity).flatMap(shares(of:)) else { return nil }
            most = min(most, shares)
        }
        return most
    }

    /// What the account holds of the instrument with the order filled, on the order's side.
    private var after: Quantity { Quantity(units: reached.units + quantity.units) }

    /// What all positions are worth together with the order filled; `nil` when that cannot be computed.
    var grossAfter: ExactMoney? {
        guard let other = otherExposure else { return nil }
        let (sum, overflowed) = other.units.addingReportingOverflow(worth(of: after).units)
        return overflowed ? nil : ExactMoney(units: sum)
    }

    /// The limit on one position that leaves least, and what there would be with the order filled.
    func tightestPosition(_ limits: RiskLimits) -> (value: Figure, limit: Figure)? {
        var tightest: (most: Quantity, value: Figure, limit: Figure)?
        func add(_ most: Quantity?, _ value: Figure, _ limit: Figure) {
            guard let most, tightest.map({ most < $0.most }) ?? true else { return }
            tightest = (most, value, limit)
        }
        if let shares = limits.positionSharesMax {
            add(shares, .shares(.value, after), .shares(.limit, shares))
        }
        let worth = Figure.money(.value, worth(of: after))
        if let value = limits.positionValueMax {
            add(shares(worth: ExactMoney(value)), worth, .money(.limit, value))
        }
        if let value = limits.positionPercentMax?.of(equity) {
            add(shares(worth: value), worth, .money(.limit, value))
        }
        return tightest.map { ($0.value, $0.limit) }
    }

    /// The limit on all positions that leaves least, and what they would be worth with the order filled.
    func tightestExposure(_ limits: RiskLimits) -> (value: Figure, limit: Figure)? {
        let amounts = [
            limits.grossExposureMax.map { ExactMoney($0) }, limits.grossPercentMax?.of(equity),
        ]
        guard let most = amounts.compactMap(\.self).min(), let gross = grossAfter else {
            return nil
        }
        return (.money(.value, gross), .money(.limit, most))
    }

    private func worth(of quantity: Quantity) -> ExactMoney {
        let (units, overflowed) = (price * quantity.magnitude).units
            .multipliedReportingOverflow(by: Int128(multiplier))
        return overflowed ? .tradeMax : ExactMoney(units: units)
    }

    /// The largest position for which the initial margin of all positions is there; `nil` when it cannot
    /// be computed.
    func marginMax(_ limits: RiskLimits) -> Quantity? {
        guard let initial = limits.initialMargin, initial > .zero else { return .magnitudeMax }
        return equity.scaled(by: UInt128(Percent.hundred.units), over: UInt128(initial.units))
            .flatMap(shares(of:))
    }

    /// How much this order may still be so that the position stays within `most` on its side.
    func left(within most: Quantity) -> Quantity {
        let left = Int128(most.units) - Int128(reached.units)
        return Quantity(units: Int64(clamping: max(0, left)))
    }

    /// The shares that a limit on all instruments leaves for this one.
    private func shares(of gross: ExactMoney) -> Quantity? {
        guard let other = otherExposure else { return nil }
        let (left, overflowed) = gross.units.subtractingReportingOverflow(other.units)
        return overflowed ? nil : shares(worth: ExactMoney(units: left))
    }

    private func shares(worth value: ExactMoney) -> Quantity? { shares(worth: value, at: price) }

    /// What an amount buys at a price, which must be positive; no more than there can be of a position.
    func shares(worth value: ExactMoney, at price: Price) -> Quantity {
        guard value > .zero else { return .zero }
        let units = value.units / (Int128(price.units) * Int128(multiplier))
        return min(Quantity(units: Int64(clamping: units)), .magnitudeMax)
    }
}
