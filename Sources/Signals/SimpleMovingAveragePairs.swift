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
            var pair = Pair(of: instrument, in: cells)
            defer { pair.keep(in: cells) }
            return pair.update(price, in: cells)
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
        precondition(first >= 0, "rows count from 0")
        return cells.withUnsafeMutableBufferPointer { cells in
            var pair = Pair(of: instrument, in: cells)
            defer { pair.keep(in: cells) }
            var next = first
            while next < rows.count {
                let row = rows[next]
                guard isMeant(row) else { return next }
                next &+= 1
                guard let means = pair.update(row.close, in: cells) else { continue }
                guard !body(means.fast, means.slow) else { return next }
            }
            return next
        }
    }

    /// An instrument's numbers but for its window, taken out of `cells` while prices are taken in: in
    /// memory, the next price would wait for the sums of the one before.
    @usableFromInline
    struct Pair {
        @usableFromInline let block: Int
        @usableFromInline let fast: Int
        @usableFromInline let slow: Int
        @usableFromInline let divisors: SIMD2<Double>
        /// Where the next price goes in the window.
        @usableFromInline var next: Int
        /// How many prices are missing until there are means.
        @usableFromInline var missing: Int
        /// The fast one's and the slow one's.
        @usableFromInline var sums: SIMD2<Double>

        @inlinable
        @inline(__always)
        init(of instrument: InstrumentID, in cells: UnsafeMutableBufferPointer<Double>) {
            fast = number(cells[SimpleMovingAveragePairs.fast])
            slow = number(cells[SimpleMovingAveragePairs.slow])
            divisors = SIMD2(cells[fastDivisor], cells[slowDivisor])
            // An index that overflows here is no instrument either.
            block = head &+ Int(instrument.index) &* (window &+ slow)
            precondition(block >= 0 && block <= cells.count &- window &- slow, "no such instrument")
            next = number(cells[block &+ SimpleMovingAveragePairs.next])
            missing = number(cells[block &+ SimpleMovingAveragePairs.missing])
            sums = SIMD2(cells[block &+ fastSum], cells[block &+ slowSum])
        }

        /// Takes in a price. Nothing here overflows or leaves the block: `next` is below `slow`, nobody
        /// else writes it.
        @inlinable
        @inline(__always)
        mutating func update(
            _ price: Price, in cells: UnsafeMutableBufferPointer<Double>
        ) -> (fast: Double, slow: Double)? {
            let units = Double(price.units)
            let prices = block &+ window
            let leavesFast = next &- fast
            let leaving = SIMD2(
                cells[prices &+ (leavesFast >= 0 ? leavesFast : leavesFast &+ slow)],
                cells[prices &+ next])
            sums += SIMD2(repeating: units) - leaving
            cells[prices &+ next] = units
            next = next &+ 1 == slow ? 0 : next &+ 1
            if missing > 0 {
                missing &-= 1
                guard missing == 0 else { return nil }
            }
            let means = sums / divisors
            return (means[0], means[1])
        }

        /// Puts the numbers back.
        @inlinable
        @inline(__always)
        func keep(in cells: UnsafeMutableBufferPointer<Double>) {
            cells[block &+ SimpleMovingAveragePairs.next] = bits(next)
            cells[block &+ SimpleMovingAveragePairs.missing] = bits(missing)
            cells[block &+ fastSum] = sums[0]
            cells[block &+ slowSum] = sums[1]
        }
    }

    @inlinable static func bits(_ number: Int) -> Double {
        Double(bitPattern: UInt64(truncatingIfNeeded: number))
    }

    @inlinable static func number(_ bits: Double) -> Int {
        Int(truncatingIfNeeded: bits.bitPattern)
    }
}
