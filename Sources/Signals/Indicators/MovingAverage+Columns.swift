extension SimpleMovingAverage {
    /// After so many numbers the sum is made anew: the rounding of numbers that are not whole stays
    /// small.
    private static var batch: Int { 4_096 }

    /// Writes the averages of `numbers` into a buffer that is kept, from the first number on.
    ///
    /// Prices in units give exactly what `update` gives. Numbers that are not whole are allowed;
    /// their averages are rounded in the last digits.
    ///
    /// - Parameters:
    ///   - results: as many as numbers; NaN for the first `length` − 1.
    ///   - numbers: finite.
    public func fill(_ results: inout [Double], from numbers: [Double]) {
        precondition(results.count == numbers.count, "there is a result for each number")
        let numbers = numbers.span
        var results = results.mutableSpan
        results.blank(length - 1)
        var start = length - 1
        while start < numbers.count {
            let end = min(start + Self.batch, numbers.count)
            fill(&results, from: numbers, in: start..<end)
            start = end
        }
    }

    private func fill(
        _ results: inout MutableSpan<Double>, from numbers: Span<Double>, in range: Range<Int>
    ) {
        let divisor = Double(length)
        var slot = range.lowerBound
        var fresh = 0.0
        for index in (slot + 1 - length)...slot { fresh += numbers[index] }
        results[slot] = fresh / divisor
        slot += 1
        var sum = MovingSum(fresh)
        while slot + 4 <= range.upperBound {
            let moves = numbers.four(at: slot) - numbers.four(at: slot - length)
            results.put(sum.steps(moves) / divisor, at: slot)
            slot += 4
        }
        while slot < range.upperBound {
            results[slot] = sum.step(numbers[slot] - numbers[slot - length]) / divisor
            slot += 1
        }
    }
}

extension ExponentialMovingAverage {
    /// Writes the averages of `numbers` into a buffer that is kept, from the first number on.
    ///
    /// Equal to what `update` gives but for the last digits.
    ///
    /// - Parameters:
    ///   - results: as many as numbers; NaN for the first `length` − 1.
    ///   - numbers: finite.
    public func fill(_ results: inout [Double], from numbers: [Double]) {
        precondition(results.count == numbers.count, "there is a result for each number")
        let numbers = numbers.span
        var results = results.mutableSpan
        results.blank(length - 1)
        guard numbers.count >= length else { return }
        let mean = numbers.mean(before: length, of: length)
        results[length - 1] = mean
        var sum = FadingSum(mean / weight, after: numbers[length - 1], decay: 1 - weight)
        var last = Delay(after: numbers[length - 1])
        var index = length
        while index + 4 <= numbers.count {
            let four = numbers.four(at: index)
            results.put(sum.quickSteps(four, after: last.before(four)) * weight, at: index)
            index += 4
        }
        while index < numbers.count {
            results[index] = sum.step(numbers[index]) * weight
            index += 1
        }
    }
}

extension Span<Double> {
    /// The mean of the `length` numbers before `slot`.
    func mean(before slot: Int, of length: Int) -> Double {
        var sum = 0.0
        for index in (slot - length)..<slot { sum += self[index] }
        return sum / Double(length)
    }
}
