package import Primitives
package import TWSProtocol

extension GatewayContractDatabase {
    /// Stocks, funds and indices whose symbol begins with a pattern, then those with a word of their name
    /// that does; 16 at most, capitals or not.
    package func samples(matching pattern: String) -> [SymbolSample] {
        let pattern = pattern.uppercased()
        guard !pattern.isEmpty else { return [] }
        let candidates = listed.filter {
            $0.contract.secType == .stock || $0.contract.secType == .index
        }
        let bySymbol = candidates.filter { $0.contract.symbol.hasPrefix(pattern) }
        // A symbol that is the pattern comes first, as whoever typed it expects.
        let exact = bySymbol.filter { $0.contract.symbol == pattern }
        let longer = bySymbol.filter { $0.contract.symbol != pattern }
        let byName = candidates.filter { listed in
            !listed.contract.symbol.hasPrefix(pattern) && listed.isNamed(pattern)
        }
        return (exact + longer + byName).prefix(16).map(Self.sample)
    }

    private static func sample(_ listed: ListedContract) -> SymbolSample {
        var sample = SymbolSample()
        sample.conId = listed.contract.conId
        sample.symbol = listed.contract.symbol
        sample.secType = listed.contract.secType
        sample.primaryExchange =
            listed.contract.primaryExchange.isEmpty
            ? listed.contract.exchange : listed.contract.primaryExchange
        sample.currency = listed.contract.currency
        sample.derivativeSecTypes = listed.derivatives
        sample.description = listed.longName
        return sample
    }

    /// The expiries and strikes of the options on a contract, one message for each exchange; without a
    /// request's number.
    package func optionChains(on underlying: InstrumentID) -> [SecDefOptParameter] {
        let options = listed.filter { $0.underlying == underlying && !hasExpired($0) }
        guard let first = options.first else { return [] }
        let expirations = Set(options.map(\.contract.lastTradeDateOrContractMonth)).sorted()
        let strikes = Set(options.compactMap(\.contract.strike)).sorted()
        return first.exchanges.map { exchange in
            var chain = SecDefOptParameter()
            chain.exchange = exchange
            chain.underlyingConId = self[underlying].contract.conId
            chain.tradingClass = first.contract.tradingClass
            chain.multiplier = first.contract.multiplier
            chain.expirations = expirations
            chain.strikes = strikes
            return chain
        }
    }

    /// The code under which a contract's quotes name the exchanges behind them; empty where there is but
    /// one exchange.
    package func bboExchange(of listed: ListedContract) -> String {
        guard listed.isSmart, listed.contract.currency == "USD" else { return "" }
        return listed.contract.secType == .option ? Self.optionQuotes : Self.stockQuotes
    }

    /// The exchanges behind quotes with such a code; `nil` for a code that no contract has.
    package static func smartComponents(of bboExchange: String) -> [SmartComponent]? {
        let table: [(letter: String, exchange: String)]
        switch bboExchange {
        case stockQuotes: table = stockLetters
        case optionQuotes: table = optionLetters
        default: return nil
        }
        return table.enumerated().map { bit, row in
            var component = SmartComponent()
            component.bitNumber = Int32(bit)
            component.exchange = row.exchange
            component.exchangeLetter = row.letter
            return component
        }
    }

    /// The exchanges that have order books.
    package static var depthExchanges: [DepthExchange] {
        depthTable.map { row in
            var exchange = DepthExchange()
            exchange.exchange = row.exchange
            exchange.secType = row.type
            exchange.serviceDataType = row.isByMarketMaker ? "Deep2" : "Deep"
            return exchange
        }
    }

    private static let stockQuotes = "9c0001"
    private static let optionQuotes = "9c0010"

    /// The letters of the consolidated tape's participants.
    private static let stockLetters: [(letter: String, exchange: String)] = [
        ("A", "AMEX"), ("B", "BEX"), ("C", "NYSENAT"), ("H", "PEARL"), ("I", "ISE"),
        ("J", "EDGEA"), ("K", "DRCTEDGE"), ("L", "LTSE"), ("M", "CHX"), ("N", "NYSE"),
        ("P", "ARCA"), ("Q", "NASDAQ"), ("U", "MEMX"), ("V", "IEX"), ("W", "CBOE"), ("X", "PSX"),
        ("Y", "BYX"), ("Z", "BATS"),
    ]

    /// The letters of the options tape's participants.
    private static let optionLetters: [(letter: String, exchange: String)] = [
        ("A", "AMEX"), ("B", "BOX"), ("C", "CBOE"), ("D", "EMERALD"), ("E", "EDGX"),
        ("H", "GEMINI"), ("I", "ISE"), ("J", "MERCURY"), ("M", "MIAX"), ("N", "PSE"),
        ("P", "PEARL"), ("Q", "NASDAQOM"), ("S", "SAPPHIRE"), ("T", "NASDAQBX"), ("U", "MEMX"),
        ("W", "CBOE2"), ("X", "PHLX"), ("Z", "BATS"),
    ]

    private static let depthTable: [(exchange: String, type: SecurityType, isByMarketMaker: Bool)] =
        [
            ("NASDAQ", .stock, true), ("ARCA", .stock, false), ("BATS", .stock, false),
            ("BYX", .stock, false), ("DRCTEDGE", .stock, false), ("EDGEA", .stock, false),
            ("IEX", .stock, false), ("MEMX", .stock, false), ("NYSE", .stock, false),
            ("CME", .future, false), ("COMEX", .future, false), ("NYMEX", .future, false),
            ("IDEALPRO", .forex, false),
        ]
}

extension ListedContract {
    /// Whether a word of the name begins with a pattern in capitals.
    fileprivate func isNamed(_ pattern: String) -> Bool {
        let name = longName.uppercased()
        return name.hasPrefix(pattern)
            || name.split { $0 == " " || $0 == "&" }.contains { $0.hasPrefix(pattern) }
    }
}
