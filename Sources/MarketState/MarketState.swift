public import Model
public import Primitives

/// What is known of every instrument's market now.
public struct MarketState: ~Copyable {
    /// The run's instruments; an `InstrumentID` is an index into it.
    public let instruments: [Instrument]
    /// The last price of each instrument's newest complete bar.
    @usableFromInline var prices: FixedArray<Price?>

    /// Nothing known yet about `instruments`.
    public init(instruments: [Instrument]) {
        self.instruments = instruments
        prices = FixedArray(repeating: nil, count: instruments.count)
    }

    /// The newest price of an instrument, if there was one.
    @inlinable
    public func latestPrice(of instrument: InstrumentID) -> Price? { prices[instrument] }

    /// Takes in a complete bar.
    @inlinable
    package mutating func record(_ bar: Bar) { prices[bar.instrument] = bar.close }

    /// Takes the state into a digest.
    package func hash(into hasher: inout StateHasher) {
        for index in 0..<prices.count {
            hasher.combine(prices[index] != nil)
            hasher.combine(prices[index] ?? .zero)
        }
    }
}
