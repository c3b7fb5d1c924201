import MarketSimulation
import Model
import Primitives
import TWSProtocol

/// Makes contracts of the listing's tables, in the order in which they get their ids.
struct ListingWriter {
    /// The contracts so far, each at the index its id has.
    private(set) var listed: [ListedContract] = []
    /// First prices of recorded data, in place of the tables', by symbol as instruments have it.
    let firstPrices: [String: Price]

    private var numbers = ContractNumbers()
    private var bySymbol: [String: InstrumentID] = [:]

    /// Nothing listed.
    init(firstPrices: [String: Price]) { self.firstPrices = firstPrices }

    /// What is written of a contract besides its place, number and symbol as an instrument.
    struct Draft {
        var contract = Contract()
        var assetClass = AssetClass.stock
        var longName = ""
        var business = ListedContract.Business.none
        var stockType = ""
        var isin = ""
        var exchanges: [String] = []
        var marketRule = MarketRules.stock
        var hours = TradingHours.stock
        var price = Price(cents: 100_00)
        var volatilityPercent = 30.0
        var reversion: Reversion?
        var dailyVolume: Int64 = 0
        var multiplier: Int64 = 1
        var underlying: InstrumentID?
        var derivatives: [SecurityType] = []
    }

    /// The contract of a symbol as instruments have it.
    func contract(_ symbol: String) -> ListedContract? {
        bySymbol[symbol].map { listed[Int($0.index)] }
    }

    /// Whether a symbol as instruments have it is listed.
    func has(_ symbol: String) -> Bool { bySymbol[symbol] != nil }

    /// Adds a contract at the end.
    ///
    /// - Parameters:
    ///   - symbol: as instruments have it; no contract has it yet.
    ///   - number: at the broker; 0 where it is not known.
    mutating func add(_ symbol: String, number: Int32 = 0, _ draft: Draft) {
        precondition(!has(symbol), "\(symbol) is listed once")
        let id = InstrumentID(index: listed.count)
        let price = firstPrices[symbol] ?? draft.price
        var contract = draft.contract
        contract.conId = numbers.number(number, for: "\(contract.secType.word) \(symbol)")
        var instrument = Instrument(id: id, symbol: symbol, assetClass: draft.assetClass)
        instrument.currency = contract.currency
        instrument.tickSize = .fixed(
            MarketRules.step(of: draft.marketRule, at: price) ?? Price(cents: 1))
        instrument.multiplier = draft.multiplier
        instrument.sector = draft.business.industry.isEmpty ? nil : draft.business.industry
        bySymbol[symbol] = id
        listed.append(
            ListedContract(
                id: id, instrument: instrument, contract: contract, longName: draft.longName,
                business: draft.business, stockType: draft.stockType, isin: draft.isin,
                exchanges: draft.exchanges, marketRule: draft.marketRule, hours: draft.hours,
                prospect: .init(
                    price: price, volatility: draft.volatilityPercent / 100,
                    reversion: draft.reversion, dailyVolume: draft.dailyVolume),
                underlying: draft.underlying, derivatives: draft.derivatives))
    }
}

/// A row of the listing's tables. A cell that is not what it should be stops the program: the tables are
/// part of it, and a test reads them all.
struct ListingRow {
    private let cells: [Substring]

    /// The rows of a table; those that begin with `#` stand before the rows they are about.
    static func rows(_ table: String) -> [ListingRow] {
        table.split(separator: "\n").map {
            ListingRow(cells: $0.split(separator: "|", omittingEmptySubsequences: false))
        }
    }

    /// The row without its `#`, if it is a heading.
    var heading: ListingRow? {
        guard let first = cells.first, first.hasPrefix("#") else { return nil }
        return ListingRow(cells: [first.dropFirst()] + cells.dropFirst())
    }

    /// The text of a cell; empty where the row ends before it.
    func text(_ index: Int) -> String { index < cells.count ? String(cells[index]) : "" }

    /// A whole number.
    func number<Number: FixedWidthInteger>(_ index: Int) -> Number {
        guard let number = Number(text(index)) else {
            preconditionFailure("the listing's \(text(0)) has no whole number in column \(index)")
        }
        return number
    }

    /// A number.
    func real(_ index: Int) -> Double {
        guard let number = Double(text(index)) else {
            preconditionFailure("the listing's \(text(0)) has no number in column \(index)")
        }
        return number
    }

    /// A price.
    func price(_ index: Int) -> Price {
        guard let price = try? Price(text(index)), price > .zero else {
            preconditionFailure("the listing's \(text(0)) has no price in column \(index)")
        }
        return price
    }
}
