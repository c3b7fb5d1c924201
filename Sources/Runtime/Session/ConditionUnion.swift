import Model
import Primitives

/// Unites what several sources report of one condition: it holds for an instrument while any of them says so.
struct ConditionUnion: Sendable {
    /// Which sources say that it holds.
    private var holding: [Key: Set<Int>] = [:]

    private struct Key: Hashable {
        let condition: SessionCondition
        let instrument: InstrumentID?
    }

    /// Takes in what a source reports.
    ///
    /// - Returns: what of it is news, repetitions by the same source among them.
    mutating func take(_ reports: [ConditionReport], from source: Int) -> [ConditionReport] {
        reports.filter { report in
            let key = Key(condition: report.condition, instrument: report.instrument)
            let others = (holding[key] ?? []).subtracting([source])
            guard report.isPresent else {
                holding[key] = others.isEmpty ? nil : others
                return others.isEmpty
            }
            let isKnownOnlyHere = others.isEmpty
            holding[key, default: []].insert(source)
            return isKnownOnlyHere
        }
    }
}
