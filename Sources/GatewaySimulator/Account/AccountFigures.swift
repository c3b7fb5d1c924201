import Model
package import Primitives

/// What an account is worth, what it needs and what it may spend, in its own currency.
///
/// The names are the broker's (IBKR, "Account Value Keys").
package struct AccountFigures: Hashable, Sendable {
    /// Money at the time of the trade, profits of open futures in it.
    package var cash = ExactMoney.zero
    /// Money at the time of settlement.
    package var settledCash = ExactMoney.zero
    /// Stocks and funds, short ones negative.
    package var stockValue = ExactMoney.zero
    /// Options, written ones negative.
    package var optionValue = ExactMoney.zero
    /// Profit and loss of open futures.
    package var futuresProfit = ExactMoney.zero
    /// All of it without signs.
    package var grossPositionValue = ExactMoney.zero
    /// Profit and loss of what is held.
    package var unrealized = ExactMoney.zero
    /// Profit and loss of what was closed today.
    package var realizedToday = ExactMoney.zero
    /// Profit and loss since the day's begin.
    package var dailyProfit = ExactMoney.zero
    /// What has to be there to open what is held.
    package var initialMargin = ExactMoney.zero
    /// What has to be there to keep it.
    package var maintenanceMargin = ExactMoney.zero
    /// What counts as owned against that: cash and stocks; settled cash and stocks of an account that may
    /// not borrow.
    package var equityWithLoan = ExactMoney.zero
    /// What a purchase may cost.
    package var buyingPower = ExactMoney.zero

    /// What would be left if all were sold.
    package var netLiquidation: ExactMoney { cash + stockValue + optionValue }
    /// What is left to open positions with.
    package var availableFunds: ExactMoney { equityWithLoan - initialMargin }
    /// What may be lost before positions are closed.
    package var excessLiquidity: ExactMoney { equityWithLoan - maintenanceMargin }
}

extension AccountLedger {
    /// The account's figures at the last marks.
    package var figures: AccountFigures {
        var figures = figures(of: pots, holdings.map(\.position))
        for holding in holdings {
            let rate = rate(of: holding.position.instrument.currency)
            figures.realizedToday += AccountMath.converted(holding.realizedToday, at: rate)
            figures.dailyProfit += AccountMath.converted(holding.dailyProfit, at: rate)
        }
        return figures
    }

    /// What a unit of a currency is worth in the account's own; 1 where nobody has set it.
    func rate(of currency: String) -> Price {
        let one = Price(units: Price.unitsPerOne)
        return currency == settings.currency ? one : rates[currency] ?? one
    }

    /// The figures of these pots and positions, which need not be the account's.
    func figures(of pots: [CashPot], _ positions: [AccountPosition]) -> AccountFigures {
        var figures = AccountFigures()
        for pot in pots {
            let rate = rate(of: pot.currency)
            let money = AccountMath.converted(pot.total, at: rate)
            figures.cash += money
            figures.settledCash += AccountMath.converted(pot.settled, at: rate)
            guard pot.currency != settings.currency else { continue }
            let margin = AccountMath.share(settings.rates.currency, of: money.magnitude)
            figures.initialMargin += margin
            figures.maintenanceMargin += margin
        }
        for position in positions where position.quantity != .zero {
            add(position, to: &figures)
        }
        let isCash = settings.kind == .cash
        figures.equityWithLoan =
            (isCash ? figures.settledCash : figures.cash) + figures.stockValue
        figures.buyingPower = buyingPower(of: figures)
        return figures
    }

    private func add(_ position: AccountPosition, to figures: inout AccountFigures) {
        let rate = rate(of: position.instrument.currency)
        let value = AccountMath.converted(position.value, at: rate)
        let unrealized = AccountMath.converted(position.unrealized, at: rate)
        switch position.instrument.assetClass {
        case .stock, .etf:
            figures.stockValue += value
            figures.grossPositionValue += value.magnitude
        case .option:
            figures.optionValue += value
            figures.grossPositionValue += value.magnitude
        case .future:
            figures.futuresProfit += unrealized
            figures.cash += unrealized
            figures.settledCash += unrealized
        // The currencies are in the pots.
        case .forex, .index: break
        }
        figures.unrealized += unrealized
        let margin = margin(of: position)
        figures.initialMargin += AccountMath.converted(margin.initial, at: rate)
        figures.maintenanceMargin += AccountMath.converted(margin.maintenance, at: rate)
    }

    /// Available funds, as often as the margin of a stock lets them be spent; never less than nothing.
    private func buyingPower(of figures: AccountFigures) -> ExactMoney {
        let available = max(figures.availableFunds, .zero)
        let initial = settings.rates.initial.units
        guard settings.kind == .margin, initial > 0 else { return available }
        let hundred = Int128(Percent.hundred.units)
        let (units, overflowed) = available.units.multipliedReportingOverflow(by: hundred)
        return overflowed ? available : ExactMoney(units: units / Int128(initial))
    }

    /// What a position needs, in its currency.
    private func margin(
        of position: AccountPosition
    ) -> (initial: ExactMoney, maintenance: ExactMoney) {
        let rates = settings.rates
        let size = position.value.magnitude
        let isShort = position.quantity < .zero
        switch position.instrument.assetClass {
        case .stock, .etf:
            guard settings.kind == .margin else { return (size, size) }
            let kept = isShort ? rates.maintenanceShort : rates.maintenanceLong
            return (AccountMath.share(rates.initial, of: size), AccountMath.share(kept, of: size))
        case .future:
            return (
                AccountMath.share(rates.futureInitial, of: size),
                AccountMath.share(rates.futureMaintenance, of: size)
            )
        case .option(let terms):
            guard isShort else { return (.zero, .zero) }
            let margin = size + writtenMargin(position, terms)
            return (margin, margin)
        case .forex, .index: return (.zero, .zero)
        }
    }

    /// What a written option needs beside its value (Cboe margin manual, uncovered options).
    private func writtenMargin(
        _ position: AccountPosition, _ terms: OptionTerms
    ) -> ExactMoney {
        // Before anybody saw a price of the underlying, the strike stands for it.
        let underlying = underlyings[terms.underlying] ?? terms.strike
        let size = position.quantity.magnitude
        let multiplier = position.instrument.multiplier
        let (away, least) =
            switch terms.right {
            case .call: (terms.strike.units - underlying.units, underlying)
            case .put: (underlying.units - terms.strike.units, terms.strike)
            }
        let outOfTheMoney = AccountMath.value(
            Price(units: max(away, 0)), size, multiplier)
        let whole = AccountMath.value(underlying, size, multiplier)
        let usual = AccountMath.share(settings.rates.writtenOption, of: whole) - outOfTheMoney
        let floor = AccountMath.share(
            settings.rates.writtenOptionLeast, of: AccountMath.value(least, size, multiplier))
        return max(usual, floor)
    }
}
