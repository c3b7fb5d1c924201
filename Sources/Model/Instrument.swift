public import Primitives

/// What can be traded or watched, as the run's configuration and data describe it.
public struct Instrument: Hashable, Codable, Sendable {
    /// Its place in the run's list.
    public let id: InstrumentID
    /// The ticker, upper case: `AAPL`, `BRK.B`.
    public let symbol: String
    /// What kind of thing it is, with the terms that kind has.
    public var assetClass: AssetClass
    /// ISO 4217 code of the currency prices are in: `USD`.
    public var currency: String
    /// The steps in which its prices move.
    public var tickSize: TickSize
    /// Currency units a price of 1 is worth for a quantity of 1: 1 for shares, 100 for US equity options.
    public var multiplier: Int64
    /// The sector used by sector limits, if known.
    public var sector: String?

    /// A US share: dollars, its tick sizes, one share a contract.
    public init(id: InstrumentID, symbol: String, assetClass: AssetClass = .stock) {
        self.id = id
        self.symbol = symbol
        self.assetClass = assetClass
        currency = "USD"
        tickSize = .usShares
        multiplier = 1
    }

    /// The same instrument at another place in another run's list.
    ///
    /// - Parameter underlying: the id of an option's underlying there.
    package func moved(to id: InstrumentID, underlying: InstrumentID? = nil) -> Instrument {
        var assetClass = assetClass
        if case .option(let terms) = assetClass, let underlying {
            assetClass = .option(
                OptionTerms(
                    underlying: underlying, expiry: terms.expiry, strike: terms.strike,
                    right: terms.right))
        }
        var moved = Instrument(id: id, symbol: symbol, assetClass: assetClass)
        moved.currency = currency
        moved.tickSize = tickSize
        moved.multiplier = multiplier
        moved.sector = sector
        return moved
    }
}

/// Kinds of instruments.
public enum AssetClass: Hashable, Codable, Sendable {
    /// A share of a company.
    case stock
    /// A share of an exchange-traded fund.
    case etf
    /// A number that is published but cannot be bought, such as VIX.
    case index
    /// A future that expires on `expiry`.
    case future(expiry: Day)
    /// An option on `underlying`.
    case option(OptionTerms)
    /// A currency pair.
    case forex

    /// Whether orders for it can exist.
    public var isTradable: Bool {
        switch self {
        case .stock, .etf, .future, .option, .forex: true
        case .index: false
        }
    }
}

/// What an option gives a right to.
public struct OptionTerms: Hashable, Codable, Sendable {
    /// The instrument that may be bought or sold.
    public let underlying: InstrumentID
    /// The last day of the right.
    public let expiry: Day
    /// The price it is bought or sold at.
    public let strike: Price
    /// The right to buy or the right to sell.
    public let right: Right

    /// Which way the right goes.
    public enum Right: Hashable, Codable, Sendable {
        /// To buy the underlying.
        case call
        /// To sell the underlying.
        case put
    }

    /// Terms as listed by the exchange.
    public init(underlying: InstrumentID, expiry: Day, strike: Price, right: Right) {
        self.underlying = underlying
        self.expiry = expiry
        self.strike = strike
        self.right = right
    }
}
