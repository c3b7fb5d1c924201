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
        var rises = 0.0
        var moves = 0.0
        for place in 1...length {
            let change = numbers[place] - numbers[place - 1]
            rises += max(change, 0)
            moves += change.magnitude
        }
        let divisor = Double(length)
        // Twice the rises: change + |change| needs no comparison, whose branch nobody can foretell.
        var gain = FadingMean(2 * rises / divisor, weight: 1 / divisor)
        var movement = FadingMean(moves / divisor, weight: 1 / divisor)
        // Nothing over nothing is NaN by itself.
        results[length] = 50 * gain.value / movement.value
        var place = length + 1
        while place + 4 <= numbers.count {
            let changes = numbers.four(at: place) - numbers.four(at: place - 1)
            let sizes = changes.magnitudes
            let gains = gain.steps(changes + sizes)
            results.put(50 * gains / movement.steps(sizes), at: place)
            place += 4
        }
        while place < numbers.count {
            let change = numbers[place] - numbers[place - 1]
            let gain = gain.step(change + change.magnitude)
            results[place] = 50 * gain / movement.step(change.magnitude)
            place += 1
        }
    }
}
