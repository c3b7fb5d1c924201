public import Primitives

/// Wilder's RSI: rises as a share of all movement, 0 to 100.
///
/// Mean gain and mean loss start from the first `length` changes and are smoothed Wilder's way
/// after them, as in J. W. Wilder, New Concepts in Technical Trading Systems (1978). `nil` until
/// `length` + 1 prices have come, and while no price has ever changed: then there is no movement to
/// take a share of.
public struct RelativeStrengthIndex: Indicator, Codable {
    /// The number of changes averaged at first.
    public let length: Int

    private var previous: Price?
    /// Of twice the rises, and of all changes without their sign.
    private var gain: WilderAverage
    private var movement: WilderAverage

    /// An index over `length` changes.
    ///
    /// - Parameter length: positive; Wilder's is 14.
    public init(length: Int) {
        precondition(length > 0, "an index has a length")
        self.length = length
        gain = WilderAverage(length: length)
        movement = WilderAverage(length: length)
    }

    /// The index, 0 to 100.
    public var value: Double? {
        guard let gain = gain.value, let movement = movement.value, movement > 0 else { return nil }
        return 50 * gain / movement
    }

    /// Takes in the next price; the new `value`.
    @discardableResult
    public mutating func update(_ price: Price) -> Double? {
        defer { previous = price }
        guard let previous else { return nil }
        let change = Double(price.units - previous.units)
        // Twice the rise or nothing, without a branch that nobody can foretell.
        gain.update(change + change.magnitude)
        movement.update(change.magnitude)
        return value
    }
}
