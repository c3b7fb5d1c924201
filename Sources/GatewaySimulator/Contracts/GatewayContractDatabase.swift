package import Model
package import Primitives
package import TWSProtocol

/// The contracts a gateway knows: what can be asked for, watched and ordered.
///
/// A bundled listing of large US stocks, funds, some of their twins abroad, indices, currency pairs, futures
/// and options, and further stocks for symbols of recorded data that it lacks. Numbers of contracts are the
/// broker's where they are known, and from 1,000,000,000 on where not (see `ContractNumbers`).
package struct GatewayContractDatabase: Sendable {
    /// The contracts; each at the index its id has.
    package private(set) var listed: [ListedContract] = []
    /// The day expiries are compared with: contracts whose last day is before it have expired.
    package var today: Day

    private var byNumber: [ContractID: InstrumentID] = [:]
    private var bySymbol: [String: [InstrumentID]] = [:]
    private var byLocalSymbol: [String: [InstrumentID]] = [:]
    private var byInstrument: [String: InstrumentID] = [:]

    /// The bundled listing, with more stocks where recorded data need them.
    ///
    /// - Parameters:
    ///   - extra: symbols of recorded data; those the listing lacks become stocks in dollars.
    ///   - prices: first prices of recorded data by symbol, in place of the listing's own: strikes of
    ///     options lie around them. Those that are not positive, or above 10,000,000, count as not there.
    ///   - day: futures and options expire around it.
    package init(
        symbols extra: [String] = [], firstPrices prices: [String: Price] = [:], on day: Day
    ) {
        today = day
        var writer = ListingWriter(firstPrices: prices.filter { Self.plausible.contains($0.value) })
        writer.addStocks()
        writer.addTwins()
        writer.addIndices()
        writer.addForex()
        writer.addUnlisted(extra)
        writer.addFutures(on: day)
        writer.addOptions(on: day)
        // Behind all others: their numbers stay.
        writer.addAbroad()
        for contract in writer.listed { add(contract) }
    }

    private static let plausible = Price(units: 1)...Price(cents: 10_000_000_00)

    /// What the modules without a wire know of the contracts, each at the index its id has.
    package var instruments: [Instrument] { listed.map(\.instrument) }

    /// The contract of an id that this database gave.
    package subscript(_ id: InstrumentID) -> ListedContract { listed[Int(id.index)] }

    /// The contract with a number.
    package func id(ofConId number: ContractID) -> InstrumentID? { byNumber[number] }

    /// The contract with a symbol as instruments have it: `AAPL`, `BRK.B`, `EUR.USD`.
    package func id(ofSymbol symbol: String) -> InstrumentID? { byInstrument[symbol] }

    /// The US stock with a symbol of the wire; `nil` for one that is not listed.
    package func stock(ofSymbol symbol: String) -> ListedContract? {
        ids(ofSymbol: symbol).map { self[$0] }.first { listed in
            listed.contract.secType == .stock && listed.contract.currency == "USD" && listed.isSmart
        }
    }

    /// Whether a price is a multiple of the step that the contract has at that price.
    package func isOnTick(_ price: Price, of id: InstrumentID) -> Bool {
        MarketRules.allows(price, by: self[id].marketRule)
    }

    /// The steps of a market rule, lowest prices first; `nil` for a rule no contract has.
    package func steps(ofRule rule: Int32) -> [PriceIncrement]? {
        MarketRules.steps(of: rule)?.map { step in
            var increment = PriceIncrement()
            increment.lowEdge = DecimalValue(step.from)
            increment.increment = DecimalValue(step.step)
            return increment
        }
    }

    /// The contracts with a symbol of the wire, in the order of the listing.
    func ids(ofSymbol symbol: String) -> [InstrumentID] { bySymbol[symbol] ?? [] }

    /// The contracts with an exchange's own symbol, in the order of the listing.
    func ids(ofLocalSymbol symbol: String) -> [InstrumentID] { byLocalSymbol[symbol] ?? [] }

    private mutating func add(_ contract: ListedContract) {
        listed.append(contract)
        byNumber[contract.contract.conId] = contract.id
        bySymbol[contract.contract.symbol, default: []].append(contract.id)
        byLocalSymbol[contract.contract.localSymbol, default: []].append(contract.id)
        byInstrument[contract.instrument.symbol] = contract.id
    }
}
