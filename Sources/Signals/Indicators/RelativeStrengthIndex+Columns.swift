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
        for index in 1...length {
            let change = numbers[index] - numbers[index - 1]
            rises += change + change.magnitude
            moves += change.magnitude
        }
        // Nothing over nothing is NaN by itself.
        results[length] = 50 * rises / moves
        // Wilder's averages times the length: the index is a ratio of them.
        let decay = 1 - 1 / Double(length)
        let change = numbers[length] - numbers[length - 1]
        let rise = change + change.magnitude
        var gains = FadingSum(rises, after: rise, decay: decay)
        var movement = FadingSum(moves, after: change.magnitude, decay: decay)
        var lastRises = Delay(after: rise)
        var lastSizes = Delay(after: change.magnitude)
        var index = length + 1
        while index + 4 <= numbers.count {
            let changes = numbers.four(at: index) - numbers.four(at: index - 1)
            let sizes = changes.magnitudes
            let rises = changes + sizes
            let gains = gains.steps(rises, after: lastRises.before(rises))
            let movement = movement.steps(sizes, after: lastSizes.before(sizes))
            results.put(50 * gains / movement, at: index)
            index += 4
        }
        while index < numbers.count {
            let change = numbers[index] - numbers[index - 1]
            let gain = gains.step(change + change.magnitude)
            results[index] = 50 * gain / movement.step(change.magnitude)
            index += 1
        }
    }
}
