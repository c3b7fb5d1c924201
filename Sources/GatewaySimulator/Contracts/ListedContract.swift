package import MarketSimulation
package import Model
package import Primitives
package import TWSProtocol

/// One contract of the listing: something that can be traded, or watched only.
package struct ListedContract: Hashable, Sendable {
    /// Its index in the contract database.
    package let id: InstrumentID
    /// What it is, as the modules without a wire know it. The symbol distinguishes it from every other
    /// contract of the database: `AAPL`, `BRK.B`, `AAPL@MEXI`, `EUR.USD`, `ESZ6`, `SPY   261218C00650000`.
    package let instrument: Instrument
    /// What it is, as a gateway prints it, with `SMART` as exchange where that routes it.
    package let contract: Contract
    /// The name of the company, fund or product.
    package let longName: String
    /// What its company does.
    package let business: Business
    /// The kind of stock: `COMMON`, `ETF`, `ADR`, `REIT`; empty for all but stocks.
    package let stockType: String
    /// Its international number; empty where none is listed.
    package let isin: String
    /// Where it can be traded, `SMART` first where that routes it.
    package let exchanges: [String]
    /// The market rule that says its price steps, at each of `exchanges`.
    package let marketRule: Int32
    /// When it is traded.
    package let hours: TradingHours
    /// What a simulated market begins with.
    package let prospect: Prospect
    /// What it is derived from; `nil` for all but options.
    package let underlying: InstrumentID?
    /// What is derived from it, for searches by symbol.
    package let derivatives: [SecurityType]

    /// What a company does, in three steps from wide to narrow; all empty where there is no company.
    package struct Business: Hashable, Sendable {
        /// The industry, such as `Technology`.
        package let industry: String
        /// The category within the industry.
        package let category: String
        /// The subcategory.
        package let subcategory: String

        /// No company.
        package static let none = Business(industry: "", category: "", subcategory: "")
    }

    /// What a simulated market begins with where there are no recorded prices.
    package struct Prospect: Hashable, Sendable {
        /// The price on the simulated market's first day; positive.
        package let price: Price
        /// The standard deviation of a year's logarithmic return: 0.25 for 25 %.
        package let volatility: Double
        /// How the price comes back to that of the first day; `nil` where it does not.
        package let reversion: Reversion?
        /// How much is traded on a usual day, in shares or contracts; 0 where nothing is.
        package let dailyVolume: Int64
    }

    /// The last day of a future or option; `nil` for what does not expire.
    package var expiry: Day? {
        switch instrument.assetClass {
        case .future(let expiry): expiry
        case .option(let terms): terms.expiry
        case .stock, .etf, .index, .forex: nil
        }
    }

    /// Whether orders and quotes may go by `SMART`.
    package var isSmart: Bool { exchanges.first == "SMART" }
}
