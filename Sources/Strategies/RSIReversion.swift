public import Model
import Primitives
public import Signals

/// Buys an instrument that was sold too much by Wilder's RSI, sells it when it has recovered.
///
/// Buys below `buy_below`, sells above `sell_above`. While no price has ever changed there is no
/// index, and nothing is done.
public struct RSIReversion: Strategy, Codable {
    private let length: Int
    private let buyBelow: Double
    private let sellAbove: Double
    /// By instrument.
    private var indexes: [RelativeStrengthIndex]

    static let lengthInBars = Parameter.integer(
        "length", in: 2...1_000, default: 14, unit: "bars", "changes Wilder's averages start from")
    static let lower = Parameter.number(
        "buy_below", in: 0...100, default: 30, "buy when the index is below")
    static let upper = Parameter.number(
        "sell_above", in: 0...100, default: 50, "sell when the index is above")

    /// Name, purpose and parameters.
    public static let declaration = StrategyDeclaration(
        name: "rsi_reversion", summary: "buys after a slide by the RSI, sells after the recovery",
        parameters: [lengthInBars.declaration, lower.declaration, upper.declaration])

    /// Throws when `buy_below` is above `sell_above`.
    public init(_ setup: StrategySetup) throws(ParameterError) {
        length = setup.parameters[Self.lengthInBars]
        buyBelow = setup.parameters[Self.lower]
        sellAbove = setup.parameters[Self.upper]
        guard buyBelow <= sellAbove else {
            throw .conflict(
                "buy_below (\(buyBelow)) must not be above sell_above (\(sellAbove))")
        }
        indexes = Array(
            repeating: RelativeStrengthIndex(length: length), count: setup.universe.count)
    }

    /// Twenty times the index's length: by then the bar it began with weighs less than a millionth.
    public var warmupBars: Int { 20 * length }

    /// Compares the index with its thresholds.
    @inline(__always)
    public mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        guard let index = indexes[Int(bar.instrument.index)].update(bar.close) else { return }
        if index < buyBelow && context.canBuy(bar.instrument) {
            context.buy(bar.instrument, because: "RSI is low")
        } else if index > sellAbove && context.canSell(bar.instrument) {
            context.exit(bar.instrument, because: "RSI has recovered")
        }
    }
}
