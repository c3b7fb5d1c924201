import MarketSimulation
import MarketState
import Model
import Primitives
import TWSProtocol

extension ListingWriter {
    /// Adds indices.
    mutating func addIndices() {
        for row in ListingRow.rows(ListedOthers.indices) {
            var draft = Draft()
            draft.contract = Self.contract(.index, row.text(0), at: row.text(2))
            draft.assetClass = .index
            draft.longName = row.text(3)
            draft.business = .init(
                industry: "Indices", category: "Broad Range Equity Index", subcategory: "*")
            draft.exchanges = [row.text(2)]
            draft.marketRule = MarketRules.index
            draft.hours = .index
            draft.price = row.price(4)
            draft.volatilityPercent = row.real(5)
            if !row.text(6).isEmpty {
                draft.reversion = Reversion(
                    floor: row.real(6) / row.real(4), halfLife: row.real(7))
            }
            add(row.text(0), number: row.number(1), draft)
        }
    }

    /// Adds currency pairs.
    mutating func addForex() {
        for row in ListingRow.rows(ListedOthers.forex) {
            let pair = "\(row.text(0)).\(row.text(2))"
            var draft = Draft()
            draft.contract = Self.contract(.forex, row.text(0), at: "IDEALPRO")
            draft.contract.currency = row.text(2)
            draft.contract.localSymbol = pair
            draft.contract.tradingClass = pair
            draft.assetClass = .forex
            draft.longName = row.text(3)
            draft.exchanges = ["IDEALPRO"]
            draft.marketRule = row.text(2) == "JPY" ? MarketRules.forexYen : MarketRules.forex
            draft.hours = .forex
            draft.price = row.price(4)
            draft.volatilityPercent = row.real(5)
            draft.dailyVolume = 1_000_000_000
            add(pair, number: row.number(1), draft)
        }
    }

    /// Adds, of each future, the month that expired last before `day` and the next four.
    mutating func addFutures(on day: Day) {
        for row in ListingRow.rows(ListedOthers.futures) {
            let months = row.text(5).split(separator: ",").compactMap { Int($0) }
            guard let rule = FutureExpiry(rawValue: row.text(9)) else {
                preconditionFailure("\(row.text(9)) is no rule of a last day")
            }
            let all = ContractMonth.around(day).filter { months.contains($0.month) }
            let live = all.filter { rule.lastDay(of: $0) >= day }
            let expired = all.filter { rule.lastDay(of: $0) < day }
            for month in expired.suffix(1) + live.prefix(4) {
                addFuture(row, month, lastDay: rule.lastDay(of: month))
            }
        }
    }

    private mutating func addFuture(_ row: ListingRow, _ month: ContractMonth, lastDay: Day) {
        let symbol = row.text(0)
        let local = symbol + month.code
        var draft = Draft()
        draft.contract = Self.contract(.future, symbol, at: row.text(1))
        draft.contract.lastTradeDateOrContractMonth = lastDay.compact
        draft.contract.multiplier = row.text(3)
        draft.contract.localSymbol = local
        draft.contract.tradingClass = symbol
        draft.assetClass = .future(expiry: lastDay)
        draft.longName = row.text(2)
        draft.exchanges = [row.text(1)]
        draft.marketRule = row.number(4)
        draft.hours = .future
        draft.price = row.price(6)
        draft.volatilityPercent = row.real(7)
        draft.dailyVolume = row.number(8)
        draft.multiplier = row.number(3)
        add(local, draft)
    }

    /// Adds the calls and puts of the next four monthly expiries, at 21 strikes around the first price.
    mutating func addOptions(on day: Day) {
        for row in ListingRow.rows(ListedOthers.optioned) {
            guard let underlying = contract(row.text(0)) else {
                preconditionFailure("options are listed on \(row.text(0)), which is not")
            }
            let expiries = ContractMonth.around(day).map {
                FutureExpiry.thirdFriday.lastDay(of: $0)
            }.filter { $0 >= day }
            for expiry in expiries.prefix(4) {
                for strike in Self.strikes(around: underlying.prospect.price) {
                    for right in [OptionTerms.Right.call, .put] {
                        let terms = OptionTerms(
                            underlying: underlying.id, expiry: expiry, strike: strike,
                            right: right)
                        addOption(on: underlying, terms, marketRule: row.number(1))
                    }
                }
            }
        }
    }

    private mutating func addOption(
        on underlying: ListedContract, _ terms: OptionTerms, marketRule: Int32
    ) {
        let local = Self.optionSymbol(underlying.contract.symbol, terms)
        var draft = Draft()
        draft.contract = Self.contract(.option, underlying.contract.symbol, at: "SMART")
        draft.contract.primaryExchange = ""
        draft.contract.lastTradeDateOrContractMonth = terms.expiry.compact
        draft.contract.strike = DecimalValue(terms.strike)
        draft.contract.right = terms.right == .call ? .call : .put
        draft.contract.multiplier = "100"
        draft.contract.localSymbol = local
        draft.contract.tradingClass = underlying.contract.symbol
        draft.assetClass = .option(terms)
        draft.longName = underlying.longName
        draft.business = underlying.business
        draft.exchanges = Self.optionExchanges
        draft.marketRule = marketRule
        draft.hours = .stockOption
        draft.price = Price(cents: 100)
        draft.volatilityPercent = underlying.prospect.volatility * 100
        draft.dailyVolume = 1_000
        draft.multiplier = 100
        draft.underlying = underlying.id
        add(local, draft)
    }

    /// Exchanges of US options, as gateways list them.
    static let optionExchanges = [
        "SMART", "AMEX", "BATS", "BOX", "CBOE", "CBOE2", "EDGX", "EMERALD", "GEMINI", "ISE", "MEMX",
        "MERCURY", "MIAX", "NASDAQBX", "NASDAQOM", "PEARL", "PHLX", "PSE", "SAPPHIRE",
    ]

    /// Ten strikes below and above the one nearest to a price, a step of about 4 % apart.
    static func strikes(around price: Price) -> [Price] {
        let requested = price.units / 25
        let steps: [Int64] = [50, 1_00, 2_50, 5_00, 10_00, 25_00, 50_00, 100_00, 250_00]
        let step =
            steps.map { Price(cents: $0) }.first { $0.units >= requested } ?? Price(cents: 500_00)
        let nearest = (price + Price(units: step.units / 2)).roundedDown(to: step)
        return (-10...10).map { Price(units: nearest.units + $0 * step.units) }.filter {
            $0 > .zero
        }
    }

    /// The symbol of the Options Clearing Corporation: six places of the class, the day, `C` or `P`, and
    /// thousandths of the strike in eight digits.
    static func optionSymbol(_ symbol: String, _ terms: OptionTerms) -> String {
        let thousandths = String(terms.strike.units / (Price.unitsPerOne / 1_000))
        return symbol + String(repeating: " ", count: max(0, 6 - symbol.count))
            + terms.expiry.compact.dropFirst(2) + (terms.right == .call ? "C" : "P")
            + String(repeating: "0", count: max(0, 8 - thousandths.count)) + thousandths
    }

    private static func contract(
        _ type: SecurityType, _ symbol: String, at exchange: String
    ) -> Contract {
        var contract = Contract()
        contract.symbol = symbol
        contract.secType = type
        contract.exchange = exchange
        contract.currency = "USD"
        contract.localSymbol = symbol
        return contract
    }
}
