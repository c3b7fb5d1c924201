extension RelativeStrengthIndex {
    /// Writes the indexes of `numbers` into a buffer that is kept, from the first number on.
    ///
    /// Equal to what `update` gives but for the last digits.
    ///
    /// - Parameters:
    ///   - results: as many as numbers; NaN for the first `length` and while no number has changed.
    ///   - numbers: finite.
    public func fill(_ results: inout [Double], from numbers: [Double]) {
        precondition(results.count == numbers.count, "there is a result for each number")
        let numbers = numbers.span
        var results = results.mutableSpan
        results.blank(length)
        guard numbers.count > length else { return }
        // Twice the rises: change + |change| needs no comparison, whose branch nobody can foretell.
        var rises = 0.0
        var moves = 0.0
        for place in 1...length {
            let change = numbers[place] - numbers[place - 1]
            rises += change + change.magnitude
            moves += change.magnitude
        }
        // Nothing over nothing is NaN by itself.
        results[length] = 50 * rises / moves
        // Wilder's averages times the length: the index is a ratio of them.
        var sums = FadingPair(rises, moves, decay: 1 - 1 / Double(length))
        var place = length + 1
        while place + 4 <= numbers.count {
            let changes = numbers.four(at: place) - numbers.four(at: place - 1)
            let sizes = changes.magnitudes
            let (gains, movement) = sums.steps(changes + sizes, sizes)
            results.put(50 * gains / movement, at: place)
            place += 4
        }
        while place < numbers.count {
            let change = numbers[place] - numbers[place - 1]
            let (gain, movement) = sums.step(change + change.magnitude, change.magnitude)
            results[place] = 50 * gain / movement
            place += 1
        }
    }
}

/// Two sums beside each other, of which `decay` is left after a step.
private struct FadingPair {
    private var sums: SIMD2<Double>
    /// The decay of one, two, three and four steps.
    private let decays: SIMD4<Double>

    /// Sums that are `first` and `second` now.
    init(_ first: Double, _ second: Double, decay: Double) {
        sums = SIMD2(first, second)
        let square = decay * decay
        decays = SIMD4(decay, square, square * decay, square * square)
    }

    /// Takes in a number each; the sums after it.
    @inline(__always)
    mutating func step(_ first: Double, _ second: Double) -> (Double, Double) {
        sums = sums * decays[0] + SIMD2(first, second)
        return (sums[0], sums[1])
    }

    /// Takes in four numbers each; the sums after each of them.
    @inline(__always)
    mutating func steps(
        _ first: SIMD4<Double>, _ second: SIMD4<Double>
    ) -> (SIMD4<Double>, SIMD4<Double>) {
        // What the numbers come to with nothing before them.
        let one = SIMD2(first[0], second[0])
        let two = one * decays[0] + SIMD2(first[1], second[1])
        let three = two * decays[0] + SIMD2(first[2], second[2])
        let four = three * decays[0] + SIMD2(first[3], second[3])
        let after1 = sums * decays[0] + one
        let after2 = sums * decays[1] + two
        let after3 = sums * decays[2] + three
        sums = sums * decays[3] + four
        return (
            SIMD4(after1[0], after2[0], after3[0], sums[0]),
            SIMD4(after1[1], after2[1], after3[1], sums[1])
        )
    }
}
