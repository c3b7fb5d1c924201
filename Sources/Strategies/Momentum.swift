public import Model
import Primitives
public import Signals

/// Long while an instrument has risen over the lookback, out when the rise is gone.
///
/// Buys when the return over `lookback` bars is above `threshold`, sells when it has fallen to
/// `exit_threshold` or below. Between the two nothing changes: with one threshold for both, a return
/// near it would buy and sell at every other bar.
public struct Momentum: Strategy, Codable {
    // Three words in all: a strategy of at most three is called in place, a larger one through a
    // box.
    private var closes: CloseHistory
    private let threshold: Double
    private let exitThreshold: Double

    static let lookback = Parameter.integer(
        "lookback", in: 1...5_000, default: 20, unit: "bars", "how far back the return reaches")
    static let entry = Parameter.number(
        "threshold", in: -1...10, default: 0.02, unit: "of the price",
        "buy when the return is above; 0.02 is two percent")
    static let exit = Parameter.number(
        "exit_threshold", in: -1...10, default: 0, unit: "of the price",
        "sell when the return is at or below")

    /// Name, purpose and parameters.
    public static let declaration = StrategyDeclaration(
        name: "momentum", summary: "long while the price has risen over a lookback",
        parameters: [lookback.declaration, entry.declaration, exit.declaration])

    /// Throws when `exit_threshold` is above `threshold`.
    public init(_ setup: StrategySetup) throws(ParameterError) {
        threshold = setup.parameters[Self.entry]
        exitThreshold = setup.parameters[Self.exit]
        guard exitThreshold <= threshold else {
            throw .conflict(
                "exit_threshold (\(exitThreshold)) must not be above threshold (\(threshold))")
        }
        closes = CloseHistory(
            lookback: setup.parameters[Self.lookback], count: setup.universe.count)
    }

    /// The lookback's length and the bar it ends with.
    public var warmupBars: Int { closes.lookback + 1 }

    /// Compares the return with the thresholds.
    @inline(__always)
    public mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        closes.record(bar)
        guard let change = closes.lookbackReturn(of: bar.instrument) else { return }
        if change > threshold && context.canBuy(bar.instrument) {
            context.note(score: change, of: bar.instrument)
            context.buy(bar.instrument, because: "return above threshold")
        } else if change <= exitThreshold && context.canSell(bar.instrument) {
            context.note(score: change, of: bar.instrument)
            context.exit(bar.instrument, because: "return gone")
        }
    }
}
