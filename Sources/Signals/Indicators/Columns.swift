/// Highs, lows and closes of a history, each in an array of its own.
public struct BarColumns: Sendable {
    /// The highest prices.
    public let high: [Double]
    /// The lowest prices.
    public let low: [Double]
    /// The last prices.
    public let close: [Double]

    /// Columns of equal length, in the unit the results are wanted in.
    public init(high: [Double], low: [Double], close: [Double]) {
        precondition(
            high.count == close.count && low.count == close.count, "columns are equally long")
        self.high = high
        self.low = low
        self.close = close
    }
}

/// A sum in which the old fades: of what it was, `decay` is left when a number is added. Times
/// 1 − `decay` it is a mean.
///
/// A sum waits for the one before it, four sums at a time for one of the four before them only. Of
/// its two ways `steps` is the one with less to compute, `quickSteps` the one with less to wait
/// for. Both want the numbers one place earlier too, which arrays and a `Delay` have.
struct FadingSum {
    /// The sums after the last four numbers.
    private var sums: SIMD4<Double>
    /// What each of the last two numbers comes to with the one before it.
    private var pairs: SIMD2<Double>

    private let decay: Double
    /// The decay of two steps.
    private let decay2: Double
    /// The decay of four steps.
    private let decay4: Double

    /// A sum that is `sum` now, after `number` was added.
    ///
    /// Inlined: it spares MACD a quarter of its time.
    @inline(__always)
    init(_ sum: Double, after number: Double, decay: Double) {
        self.decay = decay
        decay2 = decay * decay
        decay4 = decay2 * decay2
        // As if there had been no other numbers, from sums that this one makes of them.
        var before = SIMD4(repeating: sum)
        for index in [2, 1, 0] where decay > 0 {
            before[index] = (before[index + 1] - number) / decay
        }
        sums = before
        pairs = SIMD2(repeating: number + number * decay)
    }

    /// The sum now.
    var value: Double { sums[3] }

    /// Takes in one number; the sum after it.
    mutating func step(_ number: Double) -> Double {
        self = FadingSum(value * decay + number, after: number, decay: decay)
        return value
    }

    /// Takes in four numbers; the sum after each, made from the sum two steps before it.
    ///
    /// For several sums beside each other: one computes while the other waits.
    @inline(__always)
    mutating func steps(_ four: SIMD4<Double>, after before: SIMD4<Double>) -> SIMD4<Double> {
        let added = four + before * decay
        pairs = added.highHalf
        let low = sums.highHalf * decay2 + added.lowHalf
        sums = SIMD4(lowHalf: low, highHalf: low * decay2 + added.highHalf)
        return sums
    }

    /// Takes in four numbers; the sum after each, made from the sum four steps before it.
    ///
    /// For a sum that nothing else computes beside.
    @inline(__always)
    mutating func quickSteps(_ four: SIMD4<Double>, after before: SIMD4<Double>) -> SIMD4<Double> {
        let added = four + before * decay
        sums = sums * decay4 + (added + SIMD4(lowHalf: pairs, highHalf: added.lowHalf) * decay2)
        pairs = added.highHalf
        return sums
    }
}

/// Numbers as they come, one place later.
struct Delay {
    /// The last two numbers.
    private var numbers: SIMD2<Double>

    /// After `number`.
    init(after number: Double) { numbers = SIMD2(repeating: number) }

    /// Takes in four numbers; those before each.
    @inline(__always)
    mutating func before(_ four: SIMD4<Double>) -> SIMD4<Double> {
        let (low, high) = (four.lowHalf, four.highHalf)
        let before = SIMD4(lowHalf: numbers.shifted(by: low), highHalf: low.shifted(by: high))
        numbers = high
        return before
    }
}

/// A sum that is moved by differences, four at a time.
struct MovingSum {
    /// The sums after the last two differences.
    private var sums: SIMD2<Double>
    /// The last two differences.
    private var differences: SIMD2<Double> = .zero

    /// A sum that is `value` now.
    init(_ value: Double) { sums = SIMD2(repeating: value) }

    /// The sum now.
    var value: Double { sums[1] }

    /// Takes in one difference; the sum after it.
    mutating func step(_ difference: Double) -> Double {
        self = MovingSum(value + difference)
        return value
    }

    /// Takes in four differences; the sum after each, made from the sum two steps before it.
    @inline(__always)
    mutating func steps(_ four: SIMD4<Double>) -> SIMD4<Double> {
        let first = sums + (four.lowHalf + differences.shifted(by: four.lowHalf))
        sums = first + (four.highHalf + four.lowHalf.shifted(by: four.highHalf))
        differences = four.highHalf
        return SIMD4(lowHalf: first, highHalf: sums)
    }
}

extension SIMD2<Double> {
    /// The second of these and the first of the `next`.
    @inline(__always)
    fileprivate func shifted(by next: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(self[1], next[0])
    }

    /// The larger of each pair. Written out, this becomes one instruction; the library's
    /// `pointwiseMax` and masks become branches.
    @inline(__always)
    func larger(_ other: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(self[0] > other[0] ? self[0] : other[0], self[1] > other[1] ? self[1] : other[1])
    }

    /// The smaller of each pair.
    @inline(__always)
    func smaller(_ other: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(self[0] < other[0] ? self[0] : other[0], self[1] < other[1] ? self[1] : other[1])
    }
}

extension SIMD4<Double> {
    /// The larger of each pair.
    @inline(__always)
    func larger(_ other: SIMD4<Double>) -> SIMD4<Double> {
        SIMD4(lowHalf: lowHalf.larger(other.lowHalf), highHalf: highHalf.larger(other.highHalf))
    }

    /// The smaller of each pair.
    @inline(__always)
    func smaller(_ other: SIMD4<Double>) -> SIMD4<Double> {
        SIMD4(lowHalf: lowHalf.smaller(other.lowHalf), highHalf: highHalf.smaller(other.highHalf))
    }

    /// The numbers without their signs.
    var magnitudes: SIMD4<Double> {
        @inline(__always) get {
            SIMD4(self[0].magnitude, self[1].magnitude, self[2].magnitude, self[3].magnitude)
        }
    }
}

extension Span<Double> {
    /// The four numbers from `index` on.
    @inline(__always)
    func four(at index: Int) -> SIMD4<Double> {
        // Whole, since four numbers read one by one are computed with one by one. In bounds or a
        // trap; "unsafe" is said of types that not every pattern of bits is a value of.
        bytes.unsafeLoadUnaligned(
            fromByteOffset: index &* MemoryLayout<Double>.stride, as: SIMD4<Double>.self)
    }
}

extension MutableSpan<Double> {
    /// Puts four numbers from `index` on.
    @inline(__always)
    mutating func put(_ four: SIMD4<Double>, at index: Int) {
        var bytes = mutableBytes
        bytes.storeBytes(
            of: four, toByteOffset: index &* MemoryLayout<Double>.stride, as: SIMD4<Double>.self)
    }

    /// Marks the first `length` places, or all when there are fewer, as without a result.
    mutating func blank(_ length: Int) {
        for index in 0..<Swift.min(length, count) { self[index] = .nan }
    }
}
