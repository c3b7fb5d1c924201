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
        let high = bars.high.span
        let low = bars.low.span
        let close = bars.close.span
        var results = results.mutableSpan
        results.blank(length)
        guard close.count > length else { return }
        func range(_ place: Int) -> Double {
            max(high[place], close[place - 1]) - min(low[place], close[place - 1])
        }
        var sum = 0.0
        for place in 1...length { sum += range(place) }
        var mean = FadingMean(sum / Double(length), weight: 1 / Double(length))
        results[length] = mean.value
        var place = length + 1
        while place + 4 <= close.count {
            let before = close.four(at: place - 1)
            let top = high.four(at: place).larger(before)
            let bottom = low.four(at: place).smaller(before)
            results.put(mean.steps(top - bottom), at: place)
            place += 4
        }
        while place < close.count {
            results[place] = mean.step(range(place))
            place += 1
        }
    }
}
