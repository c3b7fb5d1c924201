public import Model
import Primitives

/// MFI: the money that flowed on bars with a rising typical price as a share of all that flowed, 0
/// to 100.
///
/// Flow is the typical price (the mean of high, low and close) times the volume; it counts as up or
/// down by the typical price against the one before, and not at all where both are equal. The sums
/// are whole numbers and exact. `nil` until `length` + 1 bars have come, and when nothing flowed
/// either way in the last `length`.
public struct MoneyFlowIndex: Indicator, Codable {
    /// The number of bars.
    public let length: Int

    private var previous: Price?
    private var window: RollingWindow<ExactMoney>
    /// Together, and upward only.
    private var all = ExactMoney.zero
    private var upward = ExactMoney.zero

    /// The index over `length` bars.
    ///
    /// - Parameter length: 1 to 500, so that the sums have room for the largest prices and volumes
    ///   there can be; usually 14.
    public init(length: Int) {
        precondition(1...500 ~= length, "an index has a length of 1 to 500")
        self.length = length
        window = RollingWindow(length: length, blank: .zero)
    }

    /// The index, 0 to 100.
    public var value: Double? {
        guard window.hasAll, all > .zero else { return nil }
        return 100 * (upward.units.nearestDouble / all.units.nearestDouble)
    }

    /// Takes in the next bar; the new `value`.
    @discardableResult
    public mutating func update(_ bar: Bar) -> Double? {
        let typical = bar.typicalTripled
        defer { previous = typical }
        guard let previous else { return nil }
        // The direction is in the sign; a typical price may be negative (spreads) without turning
        // it.
        var flow = ExactMoney.zero
        if typical > previous { flow = (typical * bar.volume).magnitude }
        if typical < previous { flow = -(typical * bar.volume).magnitude }
        let leaving = window.push(flow) ?? .zero
        all += flow.magnitude - leaving.magnitude
        upward += max(flow, .zero) - max(leaving, .zero)
        return value
    }
}
