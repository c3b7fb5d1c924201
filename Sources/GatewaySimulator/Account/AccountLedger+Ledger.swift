import Model
import Primitives
import TWSProtocol

extension AccountLedger {
    /// What is held of one currency, in that currency; of all of them, in the account's own.
    private struct CurrencySums {
        var cash = ExactMoney.zero
        var stocks = ExactMoney.zero
        var options = ExactMoney.zero
        var futures = ExactMoney.zero
        var unrealized = ExactMoney.zero
        var realized = ExactMoney.zero
        var dividends = ExactMoney.zero

        mutating func add(_ other: CurrencySums, at rate: Price) {
            cash += AccountMath.converted(other.cash, at: rate)
            stocks += AccountMath.converted(other.stocks, at: rate)
            options += AccountMath.converted(other.options, at: rate)
            futures += AccountMath.converted(other.futures, at: rate)
            unrealized += AccountMath.converted(other.unrealized, at: rate)
            realized += AccountMath.converted(other.realized, at: rate)
            dividends += AccountMath.converted(other.dividends, at: rate)
        }
    }

    /// The values by currency: the sum as `BASE`, then each currency.
    func ledgerRows() -> [AccountRow] {
        var base = CurrencySums()
        var rows: [AccountRow] = []
        for pot in pots {
            let sums = sums(of: pot)
            let rate = rate(of: pot.currency)
            base.add(sums, at: rate)
            rows += Self.rows(sums, pot.currency, rate: rate, account: settings.account.name)
        }
        let one = Price(units: Price.unitsPerOne)
        return Self.rows(base, "BASE", rate: one, account: settings.account.name) + rows
    }

    private func sums(of pot: CashPot) -> CurrencySums {
        var sums = CurrencySums()
        sums.cash = pot.total
        for holding in holdings where holding.position.instrument.currency == pot.currency {
            let position = holding.position
            sums.realized += holding.realizedToday
            guard position.quantity != .zero else { continue }
            sums.unrealized += position.unrealized
            switch position.instrument.assetClass {
            case .stock, .etf: sums.stocks += position.value
            case .option: sums.options += position.value
            case .future:
                sums.futures += position.unrealized
                sums.cash += position.unrealized
            case .forex, .index: break
            }
        }
        for movement in movements
        where movement.cause == .dividend && movement.currency == pot.currency
            && NewYork.day(at: movement.time) == today
        {
            sums.dividends += ExactMoney(movement.amount)
        }
        return sums
    }

    private static func rows(
        _ sums: CurrencySums, _ currency: String, rate: Price, account: String
    ) -> [AccountRow] {
        let net = sums.cash + sums.stocks + sums.options
        let texts = [
            ("AccountOrGroup", account), ("Currency", currency), ("RealCurrency", currency),
            ("ExchangeRate", rate.description), ("CashBalance", fine(sums.cash)),
            ("TotalCashBalance", fine(sums.cash)), ("NetLiquidationByCurrency", fine(net)),
            ("StockMarketValue", cents(sums.stocks)), ("OptionMarketValue", cents(sums.options)),
            ("FuturesPNL", cents(sums.futures)), ("UnrealizedPnL", cents(sums.unrealized)),
            ("RealizedPnL", cents(sums.realized)), ("NetDividend", cents(sums.dividends)),
        ]
        let rows = texts + unusedByCurrency.map { ($0, "0.00") }
        return rows.map {
            AccountRow(key: $0.0, value: $0.1, currency: currency, isLedger: true)
        }
    }

    /// What no account here has.
    private static let unusedByCurrency = [
        "AccruedCash", "CorporateBondValue", "Cryptocurrency", "FundValue", "FutureOptionValue",
        "FxCashBalance", "IssuerOptionValue", "MoneyMarketFundValue", "MutualFundValue",
        "TBillValue", "TBondValue", "WarrantValue",
    ]

    /// An amount with two to four decimals.
    private static func fine(_ amount: ExactMoney) -> String {
        let units = Int128(AccountMath.money(amount).units).dividedHalfToEven(by: 100)
        return Money(units: Int64(units) * 100).description
    }
}
