import Model
public import Primitives

/// Two simple moving averages of each instrument's prices, over one window an instrument.
///
/// Each is exactly what a `SimpleMovingAverage` of its length gives; together they cost little more than
/// one of them. All instruments' numbers lie in one array, so that a bar asks once, not twice, whether
/// somebody else holds them; that question was a fifth of a crossover strategy's time.
public struct SimpleMovingAveragePairs: Codable, Sendable {
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
            let block = Self.block(of: instrument, in: cells)
            var window = Window(at: block, in: cells)
            let means = window.take(price, in: &cells)
            window.keep(at: block, in: &cells)
            return means
        }
    }

    /// Where an instrument's block begins.
    @inlinable
    @inline(__always)
    static func block(
        of instrument: InstrumentID, in cells: UnsafeMutableBufferPointer<Double>
    ) -> Int {
        let slow = number(cells[Self.slow])
        // An index that overflows here is no instrument either.
        let block = head &+ Int(instrument.index) &* (window &+ slow)
        precondition(block >= 0 && block <= cells.count &- window &- slow, "no such instrument")
        return block
    }

    /// An instrument's sums, and where in its window they are. Nothing here overflows or leaves the block:
    /// `next` and `leaving` are below `slow`, and nobody else writes them.
    @usableFromInline
    struct Window {
        /// Where its prices are.
        @usableFromInline let prices: Int
        @usableFromInline let slow: Int
        /// The place of the oldest price, which the next one takes.
        @usableFromInline var next: Int
        /// The place of the price that leaves the fast sum next.
        @usableFromInline var leaving: Int
        /// How many prices are missing until both means are there.
        @usableFromInline var missing: Int
        @usableFromInline var fastSum: Double
        @usableFromInline var slowSum: Double

        /// That of the block at `block`.
        @inlinable
        @inline(__always)
        init(at block: Int, in cells: UnsafeMutableBufferPointer<Double>) {
            prices = block &+ window
            slow = number(cells[SimpleMovingAveragePairs.slow])
            next = number(cells[block &+ SimpleMovingAveragePairs.next])
            let before = next &- number(cells[fast])
            leaving = before >= 0 ? before : before &+ slow
            missing = number(cells[block &+ SimpleMovingAveragePairs.missing])
            fastSum = cells[block &+ SimpleMovingAveragePairs.fastSum]
            slowSum = cells[block &+ SimpleMovingAveragePairs.slowSum]
        }

        /// Takes in a price; both means, once there are `slow` prices.
        @inlinable
        @inline(__always)
        mutating func take(
            _ price: Price, in cells: inout UnsafeMutableBufferPointer<Double>
        ) -> (fast: Double, slow: Double)? {
            let units = Double(price.units)
            fastSum += units - cells[prices &+ leaving]
            slowSum += units - cells[prices &+ next]
            cells[prices &+ next] = units
            next = next &+ 1 == slow ? 0 : next &+ 1
            leaving = leaving &+ 1 == slow ? 0 : leaving &+ 1
            if missing > 0 {
                missing &-= 1
                guard missing == 0 else { return nil }
            }
            return (fastSum / cells[fastDivisor], slowSum / cells[slowDivisor])
        }

        /// Writes it back.
        @inlinable
        @inline(__always)
        func keep(at block: Int, in cells: inout UnsafeMutableBufferPointer<Double>) {
            cells[block &+ SimpleMovingAveragePairs.next] = bits(next)
            cells[block &+ SimpleMovingAveragePairs.missing] = bits(missing)
            cells[block &+ SimpleMovingAveragePairs.fastSum] = fastSum
            cells[block &+ SimpleMovingAveragePairs.slowSum] = slowSum
        }
    }

    @inlinable static func bits(_ number: Int) -> Double {
        Double(bitPattern: UInt64(truncatingIfNeeded: number))
    }

    @inlinable static func number(_ bits: Double) -> Int {
        Int(truncatingIfNeeded: bits.bitPattern)
    }
}

extension SimpleMovingAveragePairs {
    /// Saved averages. Throws when they are none: `update` relies on all places in `cells`, unchecked.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        cells = try container.decode([Double].self, forKey: .cells)
        guard areSound else { throw decoder.damage("no pairs of moving averages") }
    }

    /// True when every whole number is what `init(fast:slow:count:)` and `update` could have left there.
    private var areSound: Bool {
        guard cells.count >= Self.head else { return false }
        let fast = Self.number(cells[Self.fast])
        let slow = Self.number(cells[Self.slow])
        // A window longer than a block is there only with no instrument at all.
        guard fast > 0, slow >= fast, slow <= Int.max - Self.window,
            cells[Self.fastDivisor] == Double(fast), cells[Self.slowDivisor] == Double(slow)
        else { return false }
        let stride = Self.window + slow
        guard (cells.count - Self.head) % stride == 0 else { return false }
        for block in Swift.stride(from: Self.head, to: cells.count, by: stride) {
            let next = Self.number(cells[block + Self.next])
            let missing = Self.number(cells[block + Self.missing])
            guard (0..<slow).contains(next), (0...slow).contains(missing) else { return false }
        }
        return true
    }
}
