extension Array {
    /// The first index behind all elements that fulfil `predicate`, in an array in which they come first;
    /// found in a few steps when it is near `index`.
    ///
    /// - Parameter index: at most `count`.
    func firstIndex(near index: Int, behind predicate: (Element) -> Bool) -> Int {
        var range = indices
        var step = 1
        // Doubled steps from the place, then halves of the last one.
        if index > 0, !predicate(self[index - 1]) {
            range = 0..<index - 1
            while step <= range.upperBound {
                let middle = range.upperBound - step
                if predicate(self[middle]) {
                    range = middle + 1..<range.upperBound
                    break
                }
                range = 0..<middle
                step *= 2
            }
        } else {
            range = index..<count
            while step <= range.count {
                let middle = range.lowerBound + step - 1
                guard predicate(self[middle]) else {
                    range = range.lowerBound..<middle
                    break
                }
                range = middle + 1..<count
                step *= 2
            }
        }
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range =
                predicate(self[middle])
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
