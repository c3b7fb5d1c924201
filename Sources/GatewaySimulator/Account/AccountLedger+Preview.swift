package import Model
package import Primitives
package import TWSProtocol

/// An order as the account sees it: what it would fill at.
package struct AccountOrder: Hashable, Sendable {
    /// What is ordered.
    package var instrument: AccountInstrument
    /// Bought or sold.
    package var side: Side
    /// How much of it is not filled; positive.
    package var quantity: Quantity
    /// The price it would be filled at: its limit, or the market's.
    package var price: Price
    /// What that would cost.
    package var commission = Money.zero

    /// An order without costs.
    package init(
        _ side: Side, _ quantity: Quantity, of instrument: AccountInstrument, at price: Price
    ) {
        self.instrument = instrument
        self.side = side
        self.quantity = quantity
        self.price = price
    }
}

/// What an order would change.
package struct MarginPreview: Hashable, Sendable {
    /// The figures as they are.
    package let before: AccountFigures
    /// The figures once it is filled.
    package let after: AccountFigures

    /// Fills the margins of a what-if answer.
    package func fill(_ state: inout WireOrderState) {
        let (old, new) = (before, after)
        state.initMarginBefore = .amount(old.initialMargin)
        state.maintMarginBefore = .amount(old.maintenanceMargin)
        state.equityWithLoanBefore = .amount(old.equityWithLoan)
        state.initMarginChange = .amount(new.initialMargin - old.initialMargin)
        state.maintMarginChange = .amount(new.maintenanceMargin - old.maintenanceMargin)
        state.equityWithLoanChange = .amount(new.equityWithLoan - old.equityWithLoan)
        state.initMarginAfter = .amount(new.initialMargin)
        state.maintMarginAfter = .amount(new.maintenanceMargin)
        state.equityWithLoanAfter = .amount(new.equityWithLoan)
    }
}

extension DecimalValue {
    /// An amount in hundredths.
    static func amount(_ money: ExactMoney) -> DecimalValue {
        amount(AccountMath.money(money).roundedToCents)
    }

    /// An amount, exactly.
    static func amount(_ money: Money) -> DecimalValue { DecimalValue(money.description) ?? .zero }
}

extension AccountLedger {
    /// What an order would change, alone.
    ///
    /// - Returns: the same figures before and after where the order is too large to reckon.
    package func preview(_ order: AccountOrder) -> MarginPreview {
        let before = figures
        var trial = Trial(pots: pots, positions: holdings.map(\.position))
        guard trial.fill(order) else { return MarginPreview(before: before, after: before) }
        return MarginPreview(before: before, after: figures(of: trial.pots, trial.positions))
    }

    /// Why the account cannot have an order filled: the text that belongs to code 201; `nil` where it can.
    ///
    /// What makes a position smaller is always affordable.
    ///
    /// - Parameter working: the account's other orders that may fill before it.
    package func refusal(of order: AccountOrder, besides working: [AccountOrder] = []) -> String? {
        var trial = Trial(pots: pots, positions: holdings.map(\.position))
        for other in working where !closes(other) { trial.fill(other) }
        guard !closes(order) else { return nil }
        guard trial.fill(order) else {
            return "Order rejected - reason:The size of the order is too large."
        }
        let after = figures(of: trial.pots, trial.positions)
        let reason =
            switch settings.kind {
            case .cash: cashRefusal(of: order, trial)
            case .margin: marginRefusal(of: order, trial, after)
            }
        return reason.map { "Order rejected - reason:\($0)" }
    }

    private func held(_ order: AccountOrder) -> Quantity {
        position(of: order.instrument.id)?.quantity ?? .zero
    }

    /// Whether an order only makes a position smaller.
    private func closes(_ order: AccountOrder) -> Bool {
        let held = held(order)
        let isOpposite = order.side == .buy ? held < .zero : held > .zero
        return isOpposite && order.quantity <= held.magnitude
    }

    private func cashRefusal(of order: AccountOrder, _ trial: Trial) -> String? {
        if let after = trial.positions.first(where: { $0.instrument.id == order.instrument.id }),
            after.quantity < .zero, order.instrument.assetClass != .forex
        {
            return "SHORT STOCK POSITIONS CAN ONLY BE HELD IN A MARGIN ACCOUNT."
        }
        if case .future = order.instrument.assetClass {
            return "FUTURES CAN ONLY BE HELD IN A MARGIN ACCOUNT."
        }
        let currency =
            order.side == .sell
            ? order.instrument.boughtCurrency ?? order.instrument.currency
            : order.instrument.currency
        let available = pots.first { $0.currency == currency }?.settled ?? .zero
        let remaining = trial.pots.first { $0.currency == currency }?.settled ?? .zero
        guard remaining < .zero else { return nil }
        return "CASH AVAILABLE: \(text(available)); "
            + "CASH NEEDED FOR THIS ORDER AND OTHER PENDING ORDERS: \(text(available - remaining))"
    }

    private func marginRefusal(
        of order: AccountOrder, _ trial: Trial, _ after: AccountFigures
    ) -> String? {
        let borrows =
            order.instrument.assetClass == .forex || trial.borrows || trial.isFuture(order)
        if borrows, figures.netLiquidation < ExactMoney(MarginRates.equityMin) {
            return "YOUR ORDER IS NOT ACCEPTED. MINIMUM OF 2000 USD (OR EQUIVALENT IN OTHER "
                + "CURRENCIES) REQUIRED IN ORDER TO PURCHASE ON MARGIN, SELL SHORT, TRADE "
                + "CURRENCY OR FUTURE"
        }
        guard after.equityWithLoan < after.initialMargin else { return nil }
        return "YOUR ORDER IS NOT ACCEPTED. IN ORDER TO OBTAIN THE DESIRED POSITION YOUR EQUITY "
            + "WITH LOAN VALUE [\(text(after.equityWithLoan)) \(settings.currency)] MUST EXCEED "
            + "THE INITIAL MARGIN [\(text(after.initialMargin)) \(settings.currency)]"
    }

    private func text(_ amount: ExactMoney) -> String {
        AccountMath.money(amount).roundedToCents.description
    }
}

/// Pots and positions with orders filled that are not.
private struct Trial {
    var pots: [CashPot]
    var positions: [AccountPosition]

    /// Whether anything is owed, money or shares.
    var borrows: Bool {
        pots.contains { $0.total < .zero } || positions.contains { $0.quantity < .zero }
    }

    func isFuture(_ order: AccountOrder) -> Bool {
        if case .future = order.instrument.assetClass { true } else { false }
    }

    /// Fills an order; `false` where that is too large to hold. Proceeds are not settled.
    @discardableResult
    mutating func fill(_ order: AccountOrder) -> Bool {
        let instrument = order.instrument
        let index = positions.firstIndex { $0.instrument.id == instrument.id }
        let old = index.map { positions[$0] } ?? AccountPosition(of: instrument, mark: order.price)
        var new = old
        do throws(AccountFault) {
            _ = try new.apply(
                order.side.signed(order.quantity), at: order.price,
                commission: ExactMoney(order.commission))
        } catch {
            return false
        }
        if let index { positions[index] = new } else { positions.append(new) }
        let change = new.cash - old.cash
        let isWaiting = change > .zero && instrument.assetClass != .forex && !new.isFuture
        move(change, of: instrument.currency, isWaiting: isWaiting)
        if let bought = instrument.boughtCurrency {
            let amount = AccountMath.value(
                Price(units: Price.unitsPerOne), order.side.signed(order.quantity),
                instrument.multiplier)
            move(amount, of: bought, isWaiting: false)
        }
        return true
    }

    private mutating func move(_ amount: ExactMoney, of currency: String, isWaiting: Bool) {
        let index: Int
        if let known = pots.firstIndex(where: { $0.currency == currency }) {
            index = known
        } else {
            index = pots.count
            pots.append(CashPot(currency))
        }
        pots[index].total += amount
        if isWaiting { pots[index].wait(amount, until: Day(number: .max)) }
    }
}
