package import Model
package import Primitives

/// What a broker asks for an order.
///
/// Minimums and maximums are for the order, not for the execution. A maximum below the minimum
/// wins, as IBKR has it: 10 shares at 0.20 cost 0.02.
///
/// IBKR's figures are those of its price page for shares and funds of the United States (read
/// 2026-11-21 in copies of 2023 and 2025) and are taken for all times. Left out there: the minimum
/// of 0.01 for fractions of a share, rebates, routing fees. IBKR itself charges commissions with
/// more decimals than cents [K]; here every part is rounded to cents.
package enum CommissionSchedule: Hashable, Sendable {
    /// USD 0.005 a share, at least 1.00 and at most 1 % of the trade value. Exchange and clearing
    /// are included; regulatory fees come on top.
    case ibkrFixed
    /// USD 0.0035 a share up to 300,000 shares in a month, 0.002 up to 3 million, 0.0015 up to 20
    /// million, 0.001 up to 100 million, 0.0005 above, each rate for the shares within its tier; at
    /// least 0.35 and at most 1 % of the trade value. On top come clearing at 0.0002 a share and
    /// regulatory fees. Not modelled: exchange fees and rebates (they differ by venue and by who
    /// takes liquidity), and pass-through fees of NYSE and FINRA (together 0.07 % of the
    /// commission).
    case ibkrTiered
    /// A rate a share, at least `minimum` and at most `maximum` of the trade value, if there is a
    /// maximum.
    case perShare(rate: Money, minimum: Money, maximum: Percent?)
    /// A part of the trade value, at least `minimum`.
    case percent(Percent, minimum: Money)
    /// An amount an order, due at its first execution.
    case perOrder(Money)
    /// Nothing.
    case none

    private static let onePercent = Percent(units: 1_000_000)
    /// A share, with the tiered schedule.
    private static let clearingRate = Money(units: 200)

    /// Whether the SEC's fee and TAF are charged on top.
    package var passesOnRegulatoryFees: Bool {
        switch self {
        case .ibkrFixed, .ibkrTiered: true
        case .perShare, .percent, .perOrder, .none: false
        }
    }

    /// What an execution adds to its order's charges: what is due for the order so far, in whole
    /// cents, less what was charged before. So an order's charges sum up to its costs, however it
    /// is filled, and none is below zero.
    ///
    /// - Parameters:
    ///   - multiplier: what a price of 1 is worth for a quantity of 1; positive.
    ///   - order: the costs of the execution's order, brought up to date; parts are in `charged`.
    ///   - month: what the account has traded this month, brought up to date.
    /// - Returns: the amount of the commission report for this execution.
    package func charge(
        for execution: Execution, multiplier: Int64 = 1, order: inout OrderCosts,
        month: inout MonthlyVolume
    ) -> Money {
        guard execution.quantity > .zero else { return .zero }
        switch self {
        case .none: return .zero
        case .perOrder(let amount):
            return order.charge(
                upTo: FeeParts(commission: amount.roundedToCents, sec: .zero, taf: .zero))
        case .ibkrFixed, .ibkrTiered, .perShare, .percent: break
        }
        let paysRegulators = passesOnRegulatoryFees && execution.side == .sell
        // A spread may trade below zero; what is paid for it may not.
        let value = (execution.price * execution.quantity * multiplier).magnitude
        var tiered = ExactFee.zero
        if paysRegulators || self == .ibkrTiered {
            let day = NewYork.day(at: execution.time)
            if self == .ibkrTiered { tiered = month.add(execution.quantity, on: day) }
            if paysRegulators { order.record(sale: execution.quantity, value: value, on: day) }
        }
        order.record(execution.quantity, value: value, tiered: tiered)
        return order.charge(
            upTo: FeeParts(
                commission: commission(for: order).roundedToCents,
                sec: order.regulatory.secDue, taf: order.regulatory.tafDue))
    }

    /// The commission for an order that has executed `order`, with nothing rounded away.
    private func commission(for order: OrderCosts) -> ExactFee {
        switch self {
        case .ibkrFixed:
            Self.limited(
                ExactFee(Money(units: 5_000), times: order.quantity),
                minimum: Money(cents: 1_00), maximum: ExactFee(order.value, times: Self.onePercent))
        case .ibkrTiered:
            Self.limited(
                order.tiered,
                minimum: Money(cents: 35), maximum: ExactFee(order.value, times: Self.onePercent))
                + ExactFee(Self.clearingRate, times: order.quantity)
        case .perShare(let rate, let minimum, let maximum):
            Self.limited(
                ExactFee(rate, times: order.quantity),
                minimum: minimum, maximum: maximum.map { ExactFee(order.value, times: $0) })
        case .percent(let percent, let minimum):
            max(ExactFee(order.value, times: percent), ExactFee(minimum))
        case .perOrder(let amount): ExactFee(amount)
        case .none: .zero
        }
    }

    /// What of the commission for an order goes on to clearing, in whole cents.
    func clearing(for order: OrderCosts) -> Money {
        switch self {
        case .ibkrTiered: ExactFee(Self.clearingRate, times: order.quantity).roundedToCents
        case .ibkrFixed, .perShare, .percent, .perOrder, .none: .zero
        }
    }

    private static func limited(_ fee: ExactFee, minimum: Money, maximum: ExactFee?) -> ExactFee {
        let raised = max(fee, ExactFee(minimum))
        return maximum.map { min(raised, $0) } ?? raised
    }
}

/// Shares an account has traded in a calendar month of New York.
package struct MonthlyVolume: Hashable, Sendable {
    /// Months since the year 0; `nil` before the first trade.
    private var month: Int?
    /// In units of `Quantity`, but wider: a sum of quantities may leave its range.
    private var units: Int128 = 0

    /// An account that has not traded yet.
    package init() {}

    private static let tiers: [(upTo: Int128, rate: Money)] = [
        (300_000 * Int128(Quantity.unitsPerOne), Money(units: 3_500)),
        (3_000_000 * Int128(Quantity.unitsPerOne), Money(units: 2_000)),
        (20_000_000 * Int128(Quantity.unitsPerOne), Money(units: 1_500)),
        (100_000_000 * Int128(Quantity.unitsPerOne), Money(units: 1_000)),
        (.max, Money(units: 500)),
    ]

    /// Adds shares traded on a day of New York and returns what IBKR's tiers ask for them. A new
    /// month begins at nothing.
    mutating func add(_ quantity: Quantity, on day: Day) -> ExactFee {
        let date = day.date
        let newMonth = date.year * 12 + date.month
        if newMonth != month {
            month = newMonth
            units = 0
        }
        let before = units
        units += Int128(quantity.units)
        var fee = ExactFee.zero
        var tierStart: Int128 = 0
        for tier in Self.tiers {
            let within = min(units, tier.upTo) - max(before, tierStart)
            if within > 0 { fee += ExactFee(tier.rate, timesUnits: within) }
            tierStart = tier.upTo
        }
        return fee
    }
}

/// What an order has executed and was charged so far. Kept beside the order as long as it can
/// execute.
package struct OrderCosts: Hashable, Sendable {
    /// What it was charged, all executions together.
    package private(set) var charged = FeeParts.zero
    /// Shares executed.
    private(set) var quantity = Quantity.zero
    /// What they were worth.
    private(set) var value = ExactMoney.zero
    /// What IBKR's tiers ask for them.
    private(set) var tiered = ExactFee.zero
    /// What regulators ask for them.
    private(set) var regulatory = RegulatoryDues()

    /// An order that has not executed yet.
    package init() {}

    fileprivate mutating func record(_ quantity: Quantity, value: ExactMoney, tiered: ExactFee) {
        self.quantity += quantity
        self.value += value
        self.tiered += tiered
    }

    fileprivate mutating func record(sale quantity: Quantity, value: ExactMoney, on day: Day) {
        regulatory.record(sale: quantity, value: value, on: day)
    }

    /// Raises what was charged to `due` and returns by how much.
    fileprivate mutating func charge(upTo due: FeeParts) -> Money {
        let before = charged.total
        charged = charged.raised(to: due)
        return charged.total - before
    }
}
