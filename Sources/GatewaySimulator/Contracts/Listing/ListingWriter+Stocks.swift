import Model
import Primitives
import TWSProtocol

extension ListingWriter {
    /// Exchanges of US stocks, as gateways list them.
    static let stockExchanges = [
        "SMART", "AMEX", "NYSE", "CBOE", "PHLX", "ISE", "CHX", "ARCA", "NASDAQ", "DRCTEDGE", "BEX",
        "BATS", "EDGEA", "BYX", "IEX", "EDGX", "PEARL", "NYSENAT", "LTSE", "MEMX", "PSX",
    ]

    /// Adds US stocks and funds.
    mutating func addStocks() {
        let optioned = Set(ListingRow.rows(ListedOthers.optioned).map { $0.text(0) })
        var business = ListedContract.Business.none
        for row in ListingRow.rows(ListedStocks.table + "\n" + ListedFunds.table) {
            if let heading = row.heading {
                business = .init(
                    industry: heading.text(0), category: heading.text(1),
                    subcategory: heading.text(2))
                continue
            }
            var draft = Self.stock(row.text(0), listedAt: row.text(2))
            draft.longName = row.text(3)
            draft.business = business
            draft.price = row.price(4)
            draft.volatilityPercent = row.real(5)
            draft.dailyVolume = row.number(6) * 1_000
            draft.isin = row.text(7)
            draft.stockType = row.text(8).isEmpty ? "COMMON" : row.text(8)
            draft.assetClass = draft.stockType == "ETF" ? .etf : .stock
            draft.derivatives = optioned.contains(row.text(0)) ? [.option] : []
            add(Self.instrumentSymbol(row.text(0)), number: row.number(1), draft)
        }
    }

    /// Adds the twins abroad of US stocks.
    mutating func addTwins() {
        let venues = ListingRow.rows(ListedOthers.venues)
        for row in ListingRow.rows(ListedOthers.twins) {
            let symbol = row.text(0)
            let exchange = row.text(2)
            guard let original = contract(Self.instrumentSymbol(symbol)),
                let venue = venues.first(where: { $0.text(0) == exchange })
            else {
                preconditionFailure("the twin \(symbol) at \(exchange) has no original or venue")
            }
            var draft = Self.stock(symbol, listedAt: exchange)
            draft.contract.currency = row.text(3)
            draft.contract.tradingClass = symbol
            draft.exchanges = ["SMART", exchange]
            draft.hours = .abroad(
                zone: venue.text(1), open: venue.number(2), close: venue.number(3))
            draft.longName = original.longName
            draft.business = original.business
            draft.stockType = original.stockType
            draft.assetClass = original.instrument.assetClass
            draft.isin = original.isin
            draft.price = row.price(4)
            draft.volatilityPercent = original.prospect.volatility * 100
            draft.dailyVolume = max(1, original.prospect.dailyVolume / 1_000)
            add("\(original.instrument.symbol)@\(exchange)", number: row.number(1), draft)
        }
    }

    /// Adds the stocks that are listed abroad alone.
    mutating func addAbroad() {
        let venues = ListingRow.rows(ListedOthers.venues)
        for row in ListingRow.rows(ListedOthers.abroad) {
            let (symbol, exchange) = (row.text(0), row.text(2))
            guard let venue = venues.first(where: { $0.text(0) == exchange }) else {
                preconditionFailure("\(symbol) is listed at a venue that is none")
            }
            var draft = Self.stock(symbol, listedAt: exchange)
            draft.contract.currency = row.text(3)
            draft.exchanges = ["SMART", exchange]
            draft.hours = .abroad(
                zone: venue.text(1), open: venue.number(2), close: venue.number(3))
            draft.longName = row.text(4)
            draft.stockType = "COMMON"
            draft.price = row.price(5)
            draft.dailyVolume = 100_000
            add("\(symbol)@\(exchange)", number: row.number(1), draft)
        }
    }

    /// Adds stocks for symbols that are not listed, in the order of the alphabet.
    mutating func addUnlisted(_ symbols: [String]) {
        for symbol in Set(symbols).sorted() where !symbol.isEmpty && !has(symbol) {
            // Class shares have a blank on the wire.
            let spelling = String(symbol.map { $0 == "." ? " " : $0 })
            var draft = Self.stock(spelling, listedAt: "NYSE")
            draft.longName = symbol
            draft.stockType = "COMMON"
            draft.dailyVolume = 1_000_000
            add(symbol, draft)
        }
    }

    /// The symbol data files and instruments have for a stock the wire writes with a blank.
    private static func instrumentSymbol(_ symbol: String) -> String {
        String(symbol.map { $0 == " " ? "." : $0 })
    }

    private static func stock(_ symbol: String, listedAt exchange: String) -> Draft {
        var draft = Draft()
        draft.contract = .stock(symbol, primaryExchange: exchange)
        draft.contract.localSymbol = symbol
        // Nasdaq's stocks share one class; elsewhere each is its own.
        draft.contract.tradingClass = exchange == "NASDAQ" ? "NMS" : symbol
        draft.exchanges = stockExchanges
        return draft
    }
}
