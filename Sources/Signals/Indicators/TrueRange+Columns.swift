extension AverageTrueRange {
    /// Writes the averages of `bars` into a buffer that is kept, from the first bar on.
    ///
    /// Equal to what `update` gives but for the last digits.
    ///
    /// - Parameters:
    ///   - results: as many as bars, in the bars' unit; NaN for the first `length`.
    ///   - bars: finite.
    public func fill(_ results: inout [Double], from bars: BarColumns) {
        precondition(results.count == bars.close.count, "there is a result for each bar")
        // One count for all three: one check of a place.
        let all = 0..<bars.close.count
        let high = bars.high.span.extracting(all)
        let low = bars.low.span.extracting(all)
        let close = bars.close.span.extracting(all)
        var results = results.mutableSpan
        results.blank(length)
        guard close.count > length else { return }
        func range(_ index: Int) -> Double {
            max(high[index], close[index - 1]) - min(low[index], close[index - 1])
        }
        var sum = 0.0
        for index in 1...length { sum += range(index) }
        let weight = 1 / Double(length)
        results[length] = sum * weight
        var ranges = FadingSum(sum, after: range(length), decay: 1 - weight)
        var lastRanges = Delay(after: range(length))
        var index = length + 1
        while index + 4 <= close.count {
            let before = close.four(at: index - 1)
            let top = high.four(at: index).larger(before)
            let bottom = low.four(at: index).smaller(before)
            let four = top - bottom
            let sums = ranges.quickSteps(four, after: lastRanges.before(four))
            results.put(sums * weight, at: index)
            index += 4
        }
        while index < close.count {
            results[index] = ranges.step(range(index)) * weight
            index += 1
        }
    }
}
