extension BollingerBands {
    /// The three lines of a history.
    public struct Columns: Sendable {
        /// The mean plus the deviations.
        public internal(set) var upper: [Double]
        /// The mean.
        public internal(set) var middle: [Double]
        /// The mean minus the deviations.
        public internal(set) var lower: [Double]

        /// Room for the lines of `count` numbers.
        public init(count: Int) {
            // Each its own: arrays that share their numbers are copied when they are first filled.
            upper = Array(repeating: .nan, count: count)
            middle = Array(repeating: .nan, count: count)
            lower = Array(repeating: .nan, count: count)
        }
    }

    /// Writes the bands of `numbers` into buffers that are kept, from the first number on.
    ///
    /// Equal to what `update` gives but for the last digits.
    ///
    /// - Parameters:
    ///   - results: made for as many numbers; NaN for the first `length` − 1.
    ///   - numbers: finite.
    public func fill(_ results: inout Columns, from numbers: [Double]) {
        precondition(results.middle.count == numbers.count, "there is a result for each number")
        write(&results.upper, &results.middle, &results.lower, from: numbers.span)
    }

    /// Three arrays of one value cannot be written to at once, three arguments can.
    private func write(
        _ upper: inout [Double], _ middle: inout [Double], _ lower: inout [Double],
        from numbers: Span<Double>
    ) {
        var upper = upper.mutableSpan
        var middle = middle.mutableSpan
        var lower = lower.mutableSpan
        upper.blank(length - 1)
        middle.blank(length - 1)
        lower.blank(length - 1)
        // A batch begins with a window added up anew, so it is to be long beside the window; but
        // the further the numbers move from where it began, the less is left of their squares'
        // digits. Where too little is, shorter ones may do.
        let long = 8 * max(length, 8)
        let short = long / 4
        var shortEnd = 0
        let scale = deviations / Double(length).squareRoot()
        var start = length - 1
        while start < numbers.count {
            let batch = start < shortEnd ? short : long
            // The first window moved from nowhere: it is a batch of its own.
            let end = min(start < length ? length : start + batch, numbers.count)
            var moments = WindowMoments(numbers, in: start..<end, length: length)
            var index = start
            while index + 4 <= end {
                let (means, spreads) = moments.steps(numbers, to: index)
                let reach = spreads.squareRoot() * scale
                upper.put(means + reach, at: index)
                middle.put(means, at: index)
                lower.put(means - reach, at: index)
                index += 4
            }
            if !moments.areSound {
                guard end - start <= short else {
                    shortEnd = end
                    continue
                }
                index = start
            }
            // Where not even those do, and for what is left over: each window by itself.
            while index < end {
                let (mean, spread) = WindowMoments.fresh(numbers, at: index, length: length)
                let reach = spread.squareRoot() * scale
                upper[index] = mean + reach
                middle[index] = mean
                lower[index] = mean - reach
                index += 1
            }
            start = end
        }
    }
}

/// Mean and spread (the sum of the squared distances from the mean) of a window that moves, four
/// steps at a time.
///
/// Sums distances from an anchor, one of the numbers, and their squares. The rounding of the
/// squares is in proportion to the largest sum of them there was: when a spread is small beside it,
/// the results are not sound and each window is to be computed by itself.
private struct WindowMoments {
    private let length: Int
    private let anchor: Double
    private let part: Double
    private var sum: MovingSum
    private var squares: MovingSum
    private var largest = SIMD2<Double>(repeating: 0)
    private var smallest = SIMD2<Double>(repeating: .infinity)

    /// The part of the largest sum of squares that must be left: ten bits of 53 are lost at most.
    private static var partMin: Double { 0x1p-10 }

    /// About to move to the first of the windows that end within `range`.
    init(_ numbers: Span<Double>, in range: Range<Int>, length: Int) {
        self.length = length
        // From the middle the numbers move away half as far as from the beginning.
        anchor = numbers[(range.lowerBound + range.upperBound) / 2]
        part = 1 / Double(length)
        var sum = 0.0
        var squares = 0.0
        for index in max(range.lowerBound - length, 0)..<range.lowerBound {
            let distance = numbers[index] - anchor
            sum += distance
            squares += distance * distance
        }
        self.sum = MovingSum(sum)
        self.squares = MovingSum(squares)
    }

    /// Whether all results so far are good to about twelve digits.
    var areSound: Bool { smallest.min() >= largest.max() * Self.partMin }

    /// Moves to the windows that end at `index` and the three after it.
    @inline(__always)
    mutating func steps(
        _ numbers: Span<Double>, to index: Int
    ) -> (means: SIMD4<Double>, spreads: SIMD4<Double>) {
        // Distances first: of numbers near each other they are exact, sums of numbers are not.
        let arriving = numbers.four(at: index) - anchor
        let leaving = numbers.four(at: index - length) - anchor
        let moves = arriving - leaving
        let sums = sum.steps(moves)
        let squares = squares.steps(moves * (arriving + leaving))
        let offsets = sums * part
        let spreads = squares - sums * offsets
        largest = squares.lowHalf.larger(squares.highHalf.larger(largest))
        smallest = spreads.lowHalf.smaller(spreads.highHalf.smaller(smallest))
        // One below zero is not sound and is made anew; the root is to be asked for none.
        return (offsets + anchor, spreads.magnitudes)
    }

    /// Mean and spread of the window that ends at `slot`, in two passes.
    static func fresh(
        _ numbers: Span<Double>, at slot: Int, length: Int
    ) -> (mean: Double, spread: Double) {
        let window = (slot + 1 - length)..<(slot + 1)
        // Distances from the newest number: all zero in a flat window.
        let newest = numbers[slot]
        var sum = 0.0
        for index in window { sum += numbers[index] - newest }
        let offset = sum / Double(length)
        var spread = 0.0
        for index in window {
            let distance = numbers[index] - newest - offset
            spread += distance * distance
        }
        return (newest + offset, spread)
    }
}
