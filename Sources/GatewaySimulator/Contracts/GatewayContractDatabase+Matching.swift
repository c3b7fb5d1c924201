package import TWSProtocol

extension GatewayContractDatabase {
    /// What a contract is wanted for: gateways word its faults by it.
    package enum Use: Sendable {
        /// Market data and history.
        case data
        /// An order.
        case order
    }

    /// Every contract that fits a description, in the order of the listing.
    ///
    /// A number decides alone, save for the exchange. Otherwise every field that is set has to fit.
    ///
    /// - Parameters:
    ///   - secIdType: `ISIN` or `CUSIP`; anything else fits nothing.
    ///   - secId: the number in that system, which then decides together with the fields that are set;
    ///     empty for none.
    ///   - includeExpired: also futures and options whose last day is over.
    package func matches(
        _ query: Contract, secIdType: String = "", secId: String = "",
        includeExpired: Bool = false
    ) -> [ListedContract] {
        let fitting = candidates(query, secIdType: secIdType, secId: secId).filter { listed in
            (includeExpired || !hasExpired(listed)) && Self.trades(listed, at: query.exchange)
                && (query.conId != 0 || Self.fits(listed, query))
        }
        guard query.secType == .continuousFuture else { return fitting }
        return fitting.min { ($0.expiry ?? today) < ($1.expiry ?? today) }.map { [$0] } ?? []
    }

    /// The one contract a description fits.
    ///
    /// - Throws: why it cannot be used, as a gateway reports it.
    package func resolve(
        _ contract: Contract, for use: Use = .data
    ) throws(ContractRefusal) -> ListedContract {
        try Self.check(contract)
        guard !contract.exchange.isEmpty else {
            switch use {
            case .data: throw .invalid("Please enter exchange")
            case .order: throw .missingOrderExchange
            }
        }
        let matches = matches(contract)
        guard let first = matches.first else { throw .unknown }
        guard matches.count == 1 else {
            throw .ambiguous(contract.named, isDerivative: first.expiry != nil)
        }
        return first
    }

    /// Whether the last day of a contract is over.
    package func hasExpired(_ contract: ListedContract) -> Bool {
        contract.expiry.map { $0 < today } ?? false
    }

    /// What gateways want to know before they look for a contract.
    ///
    /// - Parameter forDetails: whether all that fit are wanted, so that a future may lack its month.
    /// - Throws: what is missing.
    static func check(
        _ contract: Contract, forDetails: Bool = false
    ) throws(ContractRefusal) {
        guard contract.conId == 0 else { return }
        switch contract.secType {
        case .none: throw .invalid("Please enter a valid security type")
        case .unknown(let word):
            guard otherKinds.contains(word) else {
                throw .invalid("Please enter a valid security type")
            }
        case .future where !forDetails:
            guard !contract.localSymbol.isEmpty || !contract.lastTradeDateOrContractMonth.isEmpty
            else { throw .invalid("Please enter a local symbol or an expiry") }
        default: break
        }
        guard !contract.symbol.isEmpty || !contract.localSymbol.isEmpty else {
            throw .invalid("Please enter a valid symbol")
        }
    }

    /// Kinds that gateways know besides those a `SecurityType` has; nothing of them is listed.
    private static let otherKinds: Set<String> = ["BILL", "EC", "EFP", "ICS", "ICU", "IOPT", "SLB"]

    private func candidates(
        _ query: Contract, secIdType: String, secId: String
    ) -> [ListedContract] {
        if !secId.isEmpty {
            return listed.filter { $0.has(secIdType: secIdType, secId: secId) }
        }
        if query.conId != 0 { return id(ofConId: query.conId).map { [self[$0]] } ?? [] }
        let ids =
            query.symbol.isEmpty
            ? ids(ofLocalSymbol: query.localSymbol) : ids(ofSymbol: query.symbol)
        return ids.map { self[$0] }
    }

    private static func trades(_ listed: ListedContract, at exchange: String) -> Bool {
        exchange.isEmpty || listed.exchanges.contains(exchange.exchangeName)
            || listed.contract.primaryExchange == exchange.exchangeName
    }

    private static func fits(_ listed: ListedContract, _ query: Contract) -> Bool {
        let own = listed.contract
        let kindFits =
            query.secType == .none || query.secType == own.secType
            || (query.secType == .continuousFuture && own.secType == .future)
        return kindFits && leaves(query.symbol, own.symbol)
            && leaves(query.currency, own.currency)
            && leaves(query.primaryExchange.exchangeName, own.primaryExchange)
            && leaves(query.localSymbol, own.localSymbol)
            && leaves(query.tradingClass, own.tradingClass)
            && leaves(query.multiplier, own.multiplier) && fitsTerms(own, query)
    }

    private static func fitsTerms(_ own: Contract, _ query: Contract) -> Bool {
        let date = query.lastTradeDateOrContractMonth
        // Clients that set no strike write 0, and options have none of 0.
        let strikeFits =
            query.strike == nil || query.strike == .zero || query.strike == own.strike
        return strikeFits && (query.right == .none || query.right == own.right)
            && (date.isEmpty || own.lastTradeDateOrContractMonth.hasPrefix(date))
    }

    /// Whether a field that is empty, or the same, leaves a contract in question.
    private static func leaves(_ asked: String, _ own: String) -> Bool {
        asked.isEmpty || asked == own
    }
}

extension ListedContract {
    /// Whether it has a number in another system. A US stock's CUSIP is in the middle of its ISIN.
    fileprivate func has(secIdType: String, secId: String) -> Bool {
        guard !isin.isEmpty else { return false }
        switch secIdType {
        case "ISIN": return isin == secId
        case "CUSIP": return isin.hasPrefix("US") && isin.dropFirst(2).dropLast() == secId
        default: return false
        }
    }
}

extension Contract {
    /// The name a refusal has for it.
    fileprivate var named: String { symbol.isEmpty ? localSymbol : symbol }
}

extension String {
    /// The exchange's name in the listing: `ISLAND` is the older one of `NASDAQ`.
    var exchangeName: String { self == "ISLAND" ? "NASDAQ" : self }
}
