import Model
package import Primitives
package import TWSProtocol

/// What accounts see of the contracts and the market.
package struct AccountView {
    /// The price an instrument is valued at, if it has one.
    package var price: (InstrumentID) -> Price?
    /// What a currency is worth in dollars, if that is known.
    package var rate: (String) -> Price?
    /// A contract as gateways print it, if it is listed.
    package var contract: (ContractID) -> Contract?

    /// A view of a market.
    package init(
        price: @escaping (InstrumentID) -> Price?, rate: @escaping (String) -> Price?,
        contract: @escaping (ContractID) -> Contract?
    ) {
        self.price = price
        self.rate = rate
        self.contract = contract
    }

    /// A view of a market of a database's contracts; currencies are worth the price of their pairs with the
    /// dollar.
    package init(of contracts: GatewayContractDatabase, price: @escaping (InstrumentID) -> Price?) {
        self.init(
            price: price,
            rate: { currency in
                if let pair = contracts.id(ofSymbol: "\(currency).USD") { return price(pair) }
                guard let pair = contracts.id(ofSymbol: "USD.\(currency)"),
                    let inverse = price(pair),
                    inverse > .zero
                else { return nil }
                let one = Int128(Price.unitsPerOne)
                return Price(units: Int64(clamping: one * one / Int128(inverse.units)))
            }, contract: { number in contracts.id(ofConId: number).map { contracts[$0].contract } })
    }
}

extension AccountInstrument {
    /// A listed contract.
    package init(_ listed: ListedContract) {
        self.init(listed.instrument, conId: listed.contract.conId)
    }

    /// The contract as answers about accounts print it; without a listing, what the ledger knows.
    func contract(_ view: AccountView) -> Contract {
        var contract = view.contract(conId) ?? described
        if contract.strike == nil { contract.strike = .zero }
        return contract
    }

    private var described: Contract {
        var contract = Contract()
        contract.conId = conId
        contract.symbol = symbol
        contract.currency = currency
        contract.localSymbol = symbol
        if multiplier != 1 { contract.multiplier = String(multiplier) }
        switch assetClass {
        case .stock, .etf: contract.secType = .stock
        case .index: contract.secType = .index
        case .future: contract.secType = .future
        case .forex: contract.secType = .forex
        case .option(let terms):
            contract.secType = .option
            contract.strike = DecimalValue(terms.strike)
            contract.right = terms.right == .call ? .call : .put
        }
        return contract
    }
}
