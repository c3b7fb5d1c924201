extension MovingAverageConvergenceDivergence {
    /// The three lines of a history.
    public struct Columns: Sendable {
        /// The fast average minus the slow one.
        public internal(set) var line: [Double]
        /// The exponential average of the line.
        public internal(set) var signal: [Double]
        /// The line minus the signal.
        public internal(set) var histogram: [Double]

        /// Room for the lines of `count` numbers.
        public init(count: Int) {
            // Each its own: arrays that share their numbers are copied when they are first filled.
            line = Array(repeating: .nan, count: count)
            signal = Array(repeating: .nan, count: count)
            histogram = Array(repeating: .nan, count: count)
        }
    }

    /// Writes the lines of `numbers` into buffers that are kept, from the first number on.
    ///
    /// Equal to what `update` gives but for the last digits.
    ///
    /// - Parameters:
    ///   - results: made for as many numbers; NaN for the first `slow` + `signal` − 2.
    ///   - numbers: finite.
    public func fill(_ results: inout Columns, from numbers: [Double]) {
        precondition(results.line.count == numbers.count, "there is a result for each number")
        write(&results.line, &results.signal, &results.histogram, from: numbers.span)
    }

    /// Three arrays of one value cannot be written to at once, three arguments can.
    private func write(
        _ line: inout [Double], _ average: inout [Double], _ histogram: inout [Double],
        from numbers: Span<Double>
    ) {
        let first = slow.length + signal.length - 2
        var line = line.mutableSpan
        var average = average.mutableSpan
        var histogram = histogram.mutableSpan
        line.blank(first)
        average.blank(first)
        histogram.blank(first)
        guard numbers.count > first else { return }
        var fastSum = start(fast, from: numbers)
        var slowSum = start(slow, from: numbers)
        var newest = fastSum.value * fast.weight - slowSum.value * slow.weight
        var sum = newest
        for index in slow.length..<(first + 1) {
            let quick = fastSum.step(numbers[index]) * fast.weight
            newest = quick - slowSum.step(numbers[index]) * slow.weight
            sum += newest
        }
        let mean = sum / Double(signal.length)
        var signalSum = FadingSum(mean / signal.weight, after: newest, decay: 1 - signal.weight)
        var lastLines = Delay(after: newest)
        line[first] = newest
        average[first] = mean
        histogram[first] = newest - mean
        var index = first + 1
        while index + 4 <= numbers.count {
            let four = numbers.four(at: index)
            let before = numbers.four(at: index - 1)
            let quick = fastSum.steps(four, after: before) * fast.weight
            let lines = quick - slowSum.steps(four, after: before) * slow.weight
            let signals = signalSum.steps(lines, after: lastLines.before(lines)) * signal.weight
            line.put(lines, at: index)
            average.put(signals, at: index)
            histogram.put(lines - signals, at: index)
            index += 4
        }
        while index < numbers.count {
            let quick = fastSum.step(numbers[index]) * fast.weight
            newest = quick - slowSum.step(numbers[index]) * slow.weight
            let mean = signalSum.step(newest) * signal.weight
            line[index] = newest
            average[index] = mean
            histogram[index] = newest - mean
            index += 1
        }
    }

    /// Both averages begin with the `slow`th number.
    private func start(
        _ average: ExponentialMovingAverage, from numbers: Span<Double>
    ) -> FadingSum {
        FadingSum(
            numbers.mean(before: slow.length, of: average.length) / average.weight,
            after: numbers[slow.length - 1], decay: 1 - average.weight)
    }
}
