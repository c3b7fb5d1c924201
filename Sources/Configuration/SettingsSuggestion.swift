import Primitives

/// Guesses what somebody meant.
package enum SettingsSuggestion {
    /// `Did you mean 'account'?`, or what there is when nothing is near `text`.
    package static func sentence(for text: String, among words: [String]) -> String {
        guess(for: text, among: words)
            ?? "Known: \(words.isEmpty ? "none" : words.map(\.printable).joined(separator: ", "))."
    }

    /// `Did you mean 'account'?`, or `nil` when nothing is near `text`.
    static func guess(for text: String, among words: [String]) -> String? {
        let candidates = nearest(to: text, among: words)
        guard let last = candidates.last else { return nil }
        let others = candidates.dropLast().map { "'\($0)'" }.joined(separator: ", ")
        return "Did you mean \(others.isEmpty ? "" : others + " or ")'\(last)'?"
    }

    /// What to do about a text that is no number, but contains one beside a unit, a sign or separators.
    static func advice(forNumber text: String, where isNumber: (String) -> Bool) -> String? {
        guard !text.contains(",") else { return "Write digits only, with '.' before decimals." }
        var bare = text.lowercased().filter { !"$_ ".contains($0) }
        for unit in ["usd", "percent", "pct", "%", "bps", "shares", "ms"] where bare.hasSuffix(unit)
        {
            bare.removeLast(unit.count)
        }
        let isHelpful = bare.count < 40 && bare != text && isNumber(bare)
        return isHelpful ? "Write \(bare), without unit or signs." : nil
    }

    /// The words with the fewest letters changed, at most a third of them and three, and those that only
    /// add a unit; failing that, those that differ in the unit only: `order_seconds` and `order_ms`.
    private static func nearest(to text: String, among words: [String]) -> [String] {
        let lengthMax = 64
        guard text.count <= lengthMax else { return [] }
        let plain = plain(text)
        let distanceMax = max(1, min(3, plain.count / 3))
        let distances = words.map { distance(plain, Self.plain($0)) }
        if let least = distances.min(), least <= distanceMax {
            return zip(words, distances)
                .filter { $0.1 == least || stem($0.0) == text[...] }.map(\.0)
        }
        return words.filter { stem($0) == stem(String(decoding: plain, as: UTF8.self)) }
    }

    private static func plain(_ text: String) -> [UInt8] {
        text.lowercased().utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
    }

    /// A key without its unit.
    private static func stem(_ text: String) -> Substring {
        let units = ["_pct", "_usd", "_ms", "_seconds", "_minutes", "_days", "_bps", "_shares"]
        return units.first { text.hasSuffix($0) }.map { text.dropLast($0.count) } ?? text[...]
    }

    /// How many letters to insert, remove or replace, or neighbours to exchange (Damerau's distance, no
    /// letter touched twice).
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                var best = min(last[j] + (left[i] == right[j] ? 0 : 1), row[j] + 1, last[j + 1] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        return last[right.count]
    }
}
