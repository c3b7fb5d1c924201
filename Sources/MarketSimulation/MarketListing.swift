package import Model
package import Primitives

/// An instrument as the simulated market needs to know it.
package struct MarketListing: Hashable, Sendable {
    /// What it is; its id is its place in the market's list, its symbol is unique there.
    package var instrument: Instrument
    /// What its synthetic prices are drawn for: those with one family move alike, as futures on one thing do.
    package var family: String
    /// When it is traded.
    package var hours: MarketHours
    /// The price on the synthetic market's first day; positive.
    package var startPrice: Price
    /// The standard deviation of a year's logarithmic return: 0.25 is 25 %.
    package var volatility: Double
    /// How its synthetic price comes back to `startPrice`, at which `volatility` is its own then; `nil` where it
    /// does not.
    package var reversion: Reversion?
    /// How much is traded on a usual day, in shares or contracts; 0 where nothing is.
    package var dailyVolume: Int64
    /// What whole lots are of: what sizes are multiples of.
    package var lot: Quantity

    /// An instrument with what its synthetic prices begin with.
    package init(
        instrument: Instrument, startPrice: Price, volatility: Double = 0.3,
        dailyVolume: Int64 = 5_000_000, hours: MarketHours? = nil
    ) {
        self.instrument = instrument
        family = instrument.symbol
        self.startPrice = startPrice
        self.volatility = volatility
        self.dailyVolume = dailyVolume
        self.hours = hours ?? MarketHours(instrument.assetClass)
        switch instrument.assetClass {
        case .stock, .etf: lot = Quantity(shares: 100)
        case .forex: lot = Quantity(shares: 100_000)
        case .index, .future, .option: lot = Quantity(shares: 1)
        }
    }

    /// The same with every number within what can be reckoned with.
    var bounded: MarketListing {
        var listing = self
        listing.startPrice = min(max(startPrice, Price(units: 1)), Price(cents: 10_000_000_00))
        listing.volatility = volatility.isNaN ? 0 : min(max(volatility, 0), 10)
        listing.reversion = reversion?.bounded
        listing.dailyVolume = min(max(dailyVolume, 0), 10_000_000_000)
        listing.lot = max(lot, Quantity(shares: 1))
        return listing
    }

    /// The step of its prices; a positive number of units even where the listing has none.
    var grid: Int64 { max(1, instrument.tickSize.smallest.units) }

    /// Whether anybody quotes it: an index is reckoned, not traded.
    var hasQuotes: Bool { instrument.assetClass != .index }

    /// Whether its trades are made known: currencies have no common tape.
    var hasTrades: Bool { instrument.assetClass != .forex }

    /// What the ticks of its slices have in common.
    var tickTerms: TickTerms {
        TickTerms(
            instrument: instrument.id, grid: grid, lot: lot.units, depth: hours == .forex ? 20 : 4)
    }
}
