/// One thing that is wrong with a configuration.
package struct SettingsProblem: Error, Hashable, Sendable {
    /// Where it was written; for what is missing, the section it is missing from. `nil` when nothing
    /// was written at all.
    package let origin: SettingsOrigin?
    /// The key: `risk.max_position_pct`, `strategies.0.name`; empty for a whole file.
    package let path: String
    /// What is there: `found 250`, `unknown key`, `missing`.
    package let found: String
    /// What may be there: `0 to 100 (percent of equity)`.
    package let allowed: String?
    /// What to do about it, as a sentence.
    package let advice: String?

    /// A problem; the texts are not cut or made safe here.
    package init(
        at origin: SettingsOrigin?, _ path: String, found: String, allowed: String? = nil,
        advice: String? = nil
    ) {
        self.origin = origin
        self.path = path
        self.found = found
        self.allowed = allowed
        self.advice = advice
    }
}

extension SettingsProblem: CustomStringConvertible {
    /// One sentence and the advice: `risk.limits: found 'of', allowed on or off. Did you mean 'off'?`
    package var description: String {
        let key = path.isEmpty ? "" : "\(path): "
        let sentence = key + found + (allowed.map { ", allowed \($0)." } ?? ".")
        return advice.map { "\(sentence) \($0)" } ?? sentence
    }
}

/// Everything that is wrong with a configuration: files in the order of their places, then the `.env`
/// file, then the environment, then flags.
package struct SettingsProblems: Error, Hashable, Sendable {
    /// All of them, in that order.
    package let all: [SettingsProblem]

    /// More than this many are counted, not shown: what is shown fits a screen.
    static let shownMax = 20
    /// Longer lines are broken after the place.
    private static let columnsMax = 100
    /// Longer places are not aligned with the others.
    private static let originColumnsMax = 24

    /// Puts problems in order; those at one place stay as they are given.
    package init(_ problems: [SettingsProblem]) {
        all = problems.enumerated().sorted { left, right in
            let (first, second) = (Self.rank(left.element), Self.rank(right.element))
            return first == second ? left.offset < right.offset : first < second
        }.map(\.element)
    }

    private struct Rank: Comparable {
        let kind: Int
        let file: String
        let location: SettingsOrigin.Location

        static func < (left: Rank, right: Rank) -> Bool {
            (left.kind, left.file, left.location) < (right.kind, right.file, right.location)
        }
    }

    private static func rank(_ problem: SettingsProblem) -> Rank {
        let location = problem.origin?.location ?? SettingsOrigin.Location(line: 0, column: 0)
        return switch problem.origin?.source {
        case nil: Rank(kind: 0, file: "", location: location)
        case .file(let path), .secretsFile(let path): Rank(kind: 1, file: path, location: location)
        case .environmentFile(let path): Rank(kind: 2, file: path, location: location)
        case .environment: Rank(kind: 3, file: "", location: location)
        case .flag: Rank(kind: 4, file: "", location: location)
        }
    }
}

extension SettingsProblems: CustomStringConvertible {
    /// One or two lines each: `config.yaml:12:7  risk.max_position_pct: found 250, allowed …`
    package var description: String {
        let shown = all.prefix(Self.shownMax)
        let origins = shown.map { $0.origin?.description ?? "configuration" }
        let width = origins.map(\.count).filter { $0 <= Self.originColumnsMax }.max() ?? 0
        var lines: [String] = []
        for (origin, problem) in zip(origins, shown) {
            let padding = String(repeating: " ", count: max(0, width - origin.count))
            let line = "\(origin)\(padding)  \(problem)"
            lines += line.count <= Self.columnsMax ? [line] : [origin, "    \(problem)"]
        }
        if all.count > shown.count { lines.append("… and \(all.count - shown.count) more.") }
        return lines.joined(separator: "\n")
    }
}
