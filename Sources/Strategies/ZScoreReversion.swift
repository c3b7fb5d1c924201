public import Model
import Primitives
public import Signals

/// Buys an instrument far below its moving average, sells it when it is near again.
///
/// Distance is counted in standard deviations of the closes in the window. Buys at `entry_std` or
/// more below the average, sells at `exit_std` or less below it. In a flat window every close is
/// the average: nothing is bought, what is held is sold.
public struct ZScoreReversion: Strategy, Codable {
    private let length: Int
    private let entry: Double
    private let exit: Double
    /// By instrument.
    private var states: [State]

    private struct State: Codable, Sendable {
        var score: ZScore
        var missing: Int

        /// The score after the next close, zero in a flat window; `nil` until the window is full.
        mutating func update(_ close: Price) -> Double? {
            let score = score.update(close)
            if missing > 0 { missing -= 1 }
            return missing > 0 ? nil : score ?? 0
        }
    }

    static let period = Parameter.integer(
        "sma_period", in: 2...5_000, default: 20, unit: "bars", "length of the moving average")
    static let entryDeviations = Parameter.number(
        "entry_std", in: 0...10, default: 2, unit: "standard deviations",
        "buy at this far below the average, or farther")
    static let exitDeviations = Parameter.number(
        "exit_std", in: -10...10, default: 0.5, unit: "standard deviations",
        "sell at this far below the average, or nearer; negative is above it")

    /// Name, purpose and parameters.
    public static let declaration = StrategyDeclaration(
        name: "zscore_reversion", summary: "buys far below a moving average, sells near it",
        parameters: [
            period.declaration, entryDeviations.declaration, exitDeviations.declaration,
        ])

    /// Throws unless `exit_std` is below `entry_std`.
    public init(_ setup: StrategySetup) throws(ParameterError) {
        length = setup.parameters[Self.period]
        entry = setup.parameters[Self.entryDeviations]
        exit = setup.parameters[Self.exitDeviations]
        guard exit < entry else {
            throw .conflict("exit_std (\(exit)) must be below entry_std (\(entry))")
        }
        states = Array(
            repeating: State(score: ZScore(length: length), missing: length),
            count: setup.universe.count)
    }

    /// The moving average's length.
    public var warmupBars: Int { length }

    /// Compares the distance from the average with the thresholds.
    @inline(__always)
    public mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        guard let score = states[Int(bar.instrument.index)].update(bar.close) else { return }
        // A flat window is no distance at all, whatever the threshold.
        if -score >= entry && score < 0 && context.canBuy(bar.instrument) {
            context.buy(bar.instrument, because: "far below the average")
        } else if -score <= exit && context.canSell(bar.instrument) {
            context.exit(bar.instrument, because: "near the average again")
        }
    }
}
