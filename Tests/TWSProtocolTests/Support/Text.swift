extension String {
    /// The text with every occurrence of `part` replaced.
    func replacingOccurrences(of part: String, with other: String) -> String {
        var result = ""
        var remainder = self[...]
        while let range = remainder.firstRange(of: part) {
            result += remainder[..<range.lowerBound]
            result += other
            remainder = remainder[range.upperBound...]
        }
        return result + remainder
    }
}
