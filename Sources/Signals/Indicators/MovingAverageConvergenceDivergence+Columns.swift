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
            line = Array(repeating: .nan, count: count)
            signal = line
            histogram = line
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
        var fastMean = start(fast, from: numbers)
        var slowMean = start(slow, from: numbers)
        var newest = fastMean.value - slowMean.value
        var sum = newest
        for place in slow.length..<(first + 1) {
            newest = fastMean.step(numbers[place]) - slowMean.step(numbers[place])
            sum += newest
        }
        var signalMean = FadingMean(sum / Double(signal.length), weight: signal.weight)
        line[first] = newest
        average[first] = signalMean.value
        histogram[first] = newest - signalMean.value
        var place = first + 1
        while place + 4 <= numbers.count {
            let four = numbers.four(at: place)
            let lines = fastMean.steps(four) - slowMean.steps(four)
            let signals = signalMean.steps(lines)
            line.put(lines, at: place)
            average.put(signals, at: place)
            histogram.put(lines - signals, at: place)
            place += 4
        }
        while place < numbers.count {
            newest = fastMean.step(numbers[place]) - slowMean.step(numbers[place])
            line[place] = newest
            average[place] = signalMean.step(newest)
            histogram[place] = newest - signalMean.value
            place += 1
        }
    }

    /// Both averages begin with the `slow`th number.
    private func start(
        _ average: ExponentialMovingAverage, from numbers: Span<Double>
    ) -> FadingMean {
        FadingMean(
            numbers.mean(before: slow.length, of: average.length), weight: average.weight)
    }
}
