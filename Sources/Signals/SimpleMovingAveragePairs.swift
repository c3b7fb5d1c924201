public import Primitives

/// Two simple moving averages of each instrument's prices, over one window an instrument.
///
/// Each is exactly what a `SimpleMovingAverage` of its length gives; together they cost little more than
/// one of them. All instruments' numbers lie in one array, so that a bar asks once, not twice, whether
/// somebody else holds them; that question was a fifth of a crossover strategy's time.
public struct SimpleMovingAveragePairs: Sendable {
    /// Lengths and divisors, then a block an instrument; whole numbers are kept as bit patterns.
    @usableFromInline var cells: [Double]

    // Places in the head of `cells`.
    @inlinable static var fast: Int { 0 }
    @inlinable static var slow: Int { 1 }
    @inlinable static var fastDivisor: Int { 2 }
    @inlinable static var slowDivisor: Int { 3 }
    @inlinable static var head: Int { 4 }
    // Places in an instrument's block, before the `slow` prices of its window.
    @inlinable static var next: Int { 0 }
    @inlinable static var missing: Int { 1 }
    @inlinable static var fastSum: Int { 2 }
    @inlinable static var slowSum: Int { 3 }
    @inlinable static var window: Int { 4 }

    /// Averages of the last `fast` and the last `slow` prices of `count` instruments.
    ///
    /// - Parameters:
    ///   - fast: positive.
    ///   - slow: at least `fast`.
    ///   - count: not negative.
    public init(fast: Int, slow: Int, count: Int) {
        precondition(fast > 0 && slow >= fast && count >= 0, "0 < fast <= slow")
        cells = Array(repeating: 0, count: Self.head + count * (Self.window + slow))
        cells[Self.fast] = Self.bits(fast)
        cells[Self.slow] = Self.bits(slow)
        cells[Self.fastDivisor] = Double(fast)
        cells[Self.slowDivisor] = Double(slow)
        for index in 0..<count {
            cells[Self.head + index * (Self.window + slow) + Self.missing] = Self.bits(slow)
        }
    }

    /// Takes in an instrument's next price; both means in price units, once there are `slow` prices.
    @inlinable
    @inline(__always)
    public mutating func update(
        _ instrument: InstrumentID, _ price: Price
    ) -> (fast: Double, slow: Double)? {
        cells.withUnsafeMutableBufferPointer { cells in
            let units = Double(price.units)
            let slow = Self.number(cells[Self.slow])
            // An index that overflows here is no instrument either: the block is looked at next.
            let block = Self.head &+ Int(instrument.index) &* (Self.window &+ slow)
            // Nothing below overflows or leaves the block: `next` is below `slow`, nobody else writes it.
            precondition(
                block >= 0 && block <= cells.count &- Self.window &- slow, "no such instrument")
            let next = Self.number(cells[block &+ Self.next])
            let leavesFast = next &- Self.number(cells[Self.fast])
            let window = block &+ Self.window
            let fastSum =
                cells[block &+ Self.fastSum]
                + (units - cells[window &+ (leavesFast >= 0 ? leavesFast : leavesFast &+ slow)])
            let slowSum = cells[block &+ Self.slowSum] + (units - cells[window &+ next])
            cells[block &+ Self.fastSum] = fastSum
            cells[block &+ Self.slowSum] = slowSum
            cells[window &+ next] = units
            cells[block &+ Self.next] = Self.bits(next &+ 1 == slow ? 0 : next &+ 1)
            let missing = Self.number(cells[block &+ Self.missing])
            if missing > 0 {
                cells[block &+ Self.missing] = Self.bits(missing &- 1)
                guard missing == 1 else { return nil }
            }
            return (fastSum / cells[Self.fastDivisor], slowSum / cells[Self.slowDivisor])
        }
    }

    @inlinable static func bits(_ number: Int) -> Double {
        Double(bitPattern: UInt64(truncatingIfNeeded: number))
    }

    @inlinable static func number(_ bits: Double) -> Int {
        Int(truncatingIfNeeded: bits.bitPattern)
    }
}
