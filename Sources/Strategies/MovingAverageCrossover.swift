public import Model
import Primitives
public import Signals

/// Long while a short moving average of the closes is above a long one, out while it is below.
///
/// Acts on levels, not on the moment of crossing: with enough bars behind it and no position, it buys
/// whenever the fast average is above the slow one. Equal averages change nothing; averages that differ by no more
/// than the rounding of adjusted prices count as equal.
public struct MovingAverageCrossover: Strategy, Codable {
    // Three words in all: a strategy of at most three is called in place, a larger one through a box.
    private let slow: Int
    /// Of no instrument when the averages are exponential.
    private var simple: SimpleMovingAveragePairs
    /// By instrument; empty when the averages are simple.
    private var exponential: [ExponentialPair] = []

    enum AverageKind: String, CaseIterable, Sendable {
        case sma
        case ema
    }

    /// The two exponential averages of one instrument.
    private struct ExponentialPair: Codable, Sendable {
        var fast: ExponentialMovingAverage
        var slow: ExponentialMovingAverage

        mutating func update(_ price: Price) -> (fast: Double, slow: Double)? {
            let fast = fast.update(price)
            guard let slow = slow.update(price), let fast else { return nil }
            return (fast, slow)
        }
    }

    static let fastLength = Parameter.integer(
        "fast", in: 1...5_000, default: 10, unit: "bars", "length of the fast average")
    static let slowLength = Parameter.integer(
        "slow", in: 2...5_000, default: 30, unit: "bars", "length of the slow average")
    static let average = Parameter.choice(
        "average", default: AverageKind.sma, "simple (sma) or exponential (ema)")

    /// Name, purpose and parameters.
    public static let declaration = StrategyDeclaration(
        name: "ma_crossover", summary: "long while a fast moving average is above a slow one",
        parameters: [fastLength.declaration, slowLength.declaration, average.declaration])

    /// Throws unless `fast` is below `slow`.
    public init(_ setup: StrategySetup) throws(ParameterError) {
        let fast = setup.parameters[Self.fastLength]
        slow = setup.parameters[Self.slowLength]
        guard fast < slow else {
            throw .conflict("fast (\(fast)) must be below slow (\(slow))")
        }
        let count = setup.universe.count
        switch setup.parameters[Self.average] {
        case .sma:
            simple = SimpleMovingAveragePairs(fast: fast, slow: slow, count: count)
        case .ema:
            simple = SimpleMovingAveragePairs(fast: fast, slow: slow, count: 0)
            let pair = ExponentialPair(
                fast: ExponentialMovingAverage(length: fast),
                slow: ExponentialMovingAverage(length: slow))
            exponential = Array(repeating: pair, count: count)
        }
    }

    /// The slow average's length.
    public var warmupBars: Int { slow }

    /// Compares the averages and trades the difference.
    @inline(__always)
    public mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        guard let (fast, slow) = updatedAverages(bar) else { return }
        let instrument = bar.instrument
        guard let signal = Self.signal(fast, slow),
            signal == .buy ? context.canBuy(instrument) : context.canSell(instrument)
        else { return }
        trade(instrument, signal, &context)
    }

    /// Up to which difference averages count as equal, in price units of 10^-8: each adjusted price is rounded
    /// by up to half a unit, so that each average is off by as much at most.
    private static var tie: Double { 1 }

    @inline(__always)
    private static func signal(_ fast: Double, _ slow: Double) -> Side? {
        let lead = fast - slow
        return lead > tie ? .buy : lead < -tie ? .sell : nil
    }

    private func trade(
        _ instrument: InstrumentID, _ signal: Side, _ context: inout StrategyContext
    ) {
        switch signal {
        case .buy: context.buy(instrument, because: "fast average above slow")
        case .sell: context.exit(instrument, because: "fast average below slow")
        }
    }

    @inline(__always)
    private mutating func updatedAverages(_ bar: Bar) -> (fast: Double, slow: Double)? {
        exponential.isEmpty
            ? simple.update(bar.instrument, bar.close)
            : exponential[Int(bar.instrument.index)].update(bar.close)
    }
}
