public import Model
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
            let slow = Self.number(cells[Self.slow])
            return Self.update(&cells, Self.block(of: instrument, in: cells, slow), slow, price)
        }
    }

    /// Takes in an instrument's closes in rows, one after the other, up to the first whose means `body`
    /// wants looked at.
    ///
    /// - Parameters:
    ///   - first: the first row.
    ///   - isMeant: whether a row is to be taken in; nothing behind the first that is not.
    ///   - body: given both means; returns whether to stop behind that row.
    /// - Returns: the row behind the last that was taken in.
    @inlinable
    @inline(__always)
    package mutating func update(
        _ instrument: InstrumentID, closesOf rows: Span<BarRow>, from first: Int,
        while isMeant: (BarRow) -> Bool, until body: (_ fast: Double, _ slow: Double) -> Bool
    ) -> Int {
        cells.withUnsafeMutableBufferPointer { cells in
            let slow = Self.number(cells[Self.slow])
            let block = Self.block(of: instrument, in: cells, slow)
            var next = first
            while next < rows.count {
                let row = rows[next]
                guard isMeant(row) else { return next }
                next &+= 1
                guard let means = Self.update(&cells, block, slow, row.close) else { continue }
                guard !body(means.fast, means.slow) else { return next }
            }
            return next
        }
    }

    /// Where an instrument's block begins.
    @inlinable
    @inline(__always)
    static func block(
        of instrument: InstrumentID, in cells: UnsafeMutableBufferPointer<Double>, _ slow: Int
    ) -> Int {
        // An index that overflows here is no instrument either.
        let block = head &+ Int(instrument.index) &* (window &+ slow)
        precondition(block >= 0 && block <= cells.count &- window &- slow, "no such instrument")
        return block
    }

    /// Takes in a price. Nothing here overflows or leaves the block: `next` is below `slow`, nobody else
    /// writes it.
    @inlinable
    @inline(__always)
    static func update(
        _ cells: inout UnsafeMutableBufferPointer<Double>, _ block: Int, _ slow: Int, _ price: Price
    ) -> (fast: Double, slow: Double)? {
        let units = Double(price.units)
        let next = number(cells[block &+ Self.next])
        let leavesFast = next &- number(cells[Self.fast])
        let window = block &+ Self.window
        let fastSum =
            cells[block &+ Self.fastSum]
            + (units - cells[window &+ (leavesFast >= 0 ? leavesFast : leavesFast &+ slow)])
        let slowSum = cells[block &+ Self.slowSum] + (units - cells[window &+ next])
        cells[block &+ Self.fastSum] = fastSum
        cells[block &+ Self.slowSum] = slowSum
        cells[window &+ next] = units
        cells[block &+ Self.next] = bits(next &+ 1 == slow ? 0 : next &+ 1)
        let missing = number(cells[block &+ Self.missing])
        if missing > 0 {
            cells[block &+ Self.missing] = bits(missing &- 1)
            guard missing == 1 else { return nil }
        }
        return (fastSum / cells[Self.fastDivisor], slowSum / cells[Self.slowDivisor])
    }

    @inlinable static func bits(_ number: Int) -> Double {
        Double(bitPattern: UInt64(truncatingIfNeeded: number))
    }

    @inlinable static func number(_ bits: Double) -> Int {
        Int(truncatingIfNeeded: bits.bitPattern)
    }
}
