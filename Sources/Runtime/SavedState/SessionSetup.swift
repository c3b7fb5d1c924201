import Model
import Primitives
package import TradingEngine

/// What a session's engine is made of, with the names that ids of strategies stand for.
package struct SessionSetup: Sendable {
    /// The engine's setup. Its instruments carry their own names.
    package var engine: EngineSetup
    /// By strategy of the engine's setup.
    package var strategies: [ConfiguredStrategy]

    /// - Precondition: a name for each strategy of the engine's setup.
    package init(_ engine: EngineSetup, strategies: [ConfiguredStrategy]) {
        precondition(engine.strategies.count == strategies.count, "every strategy has a name")
        self.engine = engine
        self.strategies = strategies
    }

    /// A setup that never changes within a run: its strategies need no other names than their numbers.
    init(numbering engine: EngineSetup) {
        self.init(
            engine,
            strategies: engine.strategies.indices.map {
                ConfiguredStrategy(name: String($0), digest: 0)
            })
    }
}

/// A strategy as the configuration names it.
package struct ConfiguredStrategy: Hashable, Sendable {
    /// Its name; no two strategies of a configuration have the same.
    package let name: String
    /// A digest of all that it was made of: its type, parameters, symbols and sizing. A saved state is for one
    /// digest.
    package let digest: UInt64

    /// A strategy of the configuration.
    package init(name: String, digest: UInt64) {
        self.name = name
        self.digest = digest
    }
}

/// What makes two entries of two configurations the same instrument: prices and quantities of one mean the same
/// in the other.
struct InstrumentKey: Hashable {
    private let symbol: String
    private let currency: String
    private let multiplier: Int64
    private let contract: Contract

    private enum Contract: Hashable {
        /// A stock or a fund: which of the two it is called changes nothing.
        case share
        case index
        case forex
        case future(expiry: Day)
        case option(underlying: String, expiry: Day, strike: Price, right: OptionTerms.Right)
    }

    /// - Parameter instruments: the list that the instrument is from, which has an option's underlying.
    init(_ instrument: Instrument, in instruments: [Instrument]) {
        symbol = instrument.symbol
        currency = instrument.currency
        multiplier = instrument.multiplier
        switch instrument.assetClass {
        case .stock, .etf: contract = .share
        case .index: contract = .index
        case .forex: contract = .forex
        case .future(let expiry): contract = .future(expiry: expiry)
        case .option(let terms):
            contract = .option(
                underlying: instruments[Int(terms.underlying.index)].symbol,
                expiry: terms.expiry, strike: terms.strike, right: terms.right)
        }
    }
}
