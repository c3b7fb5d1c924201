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

/// A mean in which the newest number weighs `weight` and all before it fade.
///
/// Four steps in little more than the time of one: what four numbers add does not depend on what
/// was before them, so from one four to the next there are one product and one sum to wait for.
struct FadingMean {
    /// The mean now.
    private(set) var value: Double

    private let weight: Double
    private let decay: Double
    /// The decay of one and two, and of three and four steps.
    private let near: SIMD2<Double>
    private let far: SIMD2<Double>

    /// A mean that is `value` now.
    init(_ value: Double, weight: Double) {
        self.value = value
        self.weight = weight
        decay = 1 - weight
        near = SIMD2(decay, decay * decay)
        far = near * (decay * decay)
    }

    /// Takes in one number; the mean after it.
    @inline(__always)
    mutating func step(_ number: Double) -> Double {
        value = value * decay + number * weight
        return value
    }

    /// Takes in four numbers; the mean after each.
    @inline(__always)
    mutating func steps(_ numbers: SIMD4<Double>) -> SIMD4<Double> {
        var first = numbers.lowHalf * weight
        var second = numbers.highHalf * weight
        first[1] += first[0] * decay
        second[1] += second[0] * decay
        second += near * first[1]
        first += near * value
        second += far * value
        value = second[1]
        return SIMD4(lowHalf: first, highHalf: second)
    }
}

/// A sum that is moved by differences, four at a time.
struct MovingSum {
    /// The sum now.
    private(set) var value: Double

    /// A sum that is `value` now.
    init(_ value: Double) { self.value = value }

    /// Takes in one difference; the sum after it.
    @inline(__always)
    mutating func step(_ difference: Double) -> Double {
        value += difference
        return value
    }

    /// Takes in four differences; the sum after each.
    @inline(__always)
    mutating func steps(_ differences: SIMD4<Double>) -> SIMD4<Double> {
        var first = differences.lowHalf
        var second = differences.highHalf
        first[1] += first[0]
        second[1] += second[0]
        second += SIMD2(repeating: first[1])
        first += SIMD2(repeating: value)
        second += SIMD2(repeating: value)
        value = second[1]
        return SIMD4(lowHalf: first, highHalf: second)
    }
}

extension SIMD4<Double> {
    /// The larger of each pair. Written out, this becomes one instruction for two numbers; the
    /// library's `pointwiseMax` and masks become branches.
    @inline(__always)
    func larger(_ other: SIMD4<Double>) -> SIMD4<Double> {
        SIMD4(
            self[0] > other[0] ? self[0] : other[0], self[1] > other[1] ? self[1] : other[1],
            self[2] > other[2] ? self[2] : other[2], self[3] > other[3] ? self[3] : other[3])
    }

    /// The numbers without their signs.
    var magnitudes: SIMD4<Double> {
        @inline(__always) get {
            SIMD4(self[0].magnitude, self[1].magnitude, self[2].magnitude, self[3].magnitude)
        }
    }

    /// The smaller of each pair.
    @inline(__always)
    func smaller(_ other: SIMD4<Double>) -> SIMD4<Double> {
        SIMD4(
            self[0] < other[0] ? self[0] : other[0], self[1] < other[1] ? self[1] : other[1],
            self[2] < other[2] ? self[2] : other[2], self[3] < other[3] ? self[3] : other[3])
    }
}

extension Span<Double> {
    /// The four numbers from `place` on.
    @inline(__always)
    func four(at place: Int) -> SIMD4<Double> {
        // One check of the range instead of one for each place.
        let part = extracting(place..<(place + 4))
        return SIMD4(part[0], part[1], part[2], part[3])
    }
}

extension MutableSpan<Double> {
    /// Puts four numbers from `place` on.
    @inline(__always)
    mutating func put(_ four: SIMD4<Double>, at place: Int) {
        // Said once, this leaves no check between the stores, and they become two.
        precondition(place >= 0 && place < count - 3, "there are four places")
        self[place] = four[0]
        self[place &+ 1] = four[1]
        self[place &+ 2] = four[2]
        self[place &+ 3] = four[3]
    }

    /// Marks the first `length` places, or all when there are fewer, as without a result.
    mutating func blank(_ length: Int) {
        for place in 0..<Swift.min(length, count) { self[place] = .nan }
    }
}
