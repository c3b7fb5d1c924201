import Foundation
package import Primitives

extension ChaosJob.Outcome {
    /// What came of it, for people.
    package var text: String {
        var lines: [String] = []
        for run in runs where !run.isGood || runs.count <= Self.listedMax {
            if runs.count == 1 {
                lines += run.faults.map { "\(Self.clock($0.after)) \($0.name) \($0.words)" }
            }
            lines.append(run.line)
            for invariant in ChaosInvariant.allCases {
                for words in run.findings[invariant] ?? [] {
                    lines.append("    \(invariant.rawValue): \(words)")
                }
            }
        }
        let bad = runs.count { !$0.isGood }
        let hours = runs.reduce(0.0) { $0 + Double($1.time.nanoseconds) / 3.6e12 }
        lines.append(
            "Sessions  \(runs.count), \(Int(hours)) hours of trading, \(bad) with findings")
        lines.append("Fills     \(runs.reduce(0) { $0 + $1.fills })")
        let faults = counts
        lines.append("Faults    \(faults.reduce(0) { $0 + $1.count })")
        let coverage = coverage
        for fault in faults {
            let happened = coverage.faults[fault.name].map { ", \($0.happened) took place" } ?? ""
            lines.append("    \(fault.name): \(fault.count)\(happened)")
        }
        if runs.count >= Self.coveredMin { lines += coverage.lines }
        for name in unreached { lines.append("Never     \(name), in which nothing took place") }
        lines += areScenarios ? ChaosTable(runs).lines : held
        if let shortest {
            lines.append(
                "Repeat    martlet chaos run --first \(shortest.seed) --seeds 1 --faults \(shortest.faults), with "
                    + "the same configuration: its first \(shortest.faults) faults are enough")
        }
        return lines.joined(separator: "\n")
    }

    /// In how many sessions each invariant did not hold.
    private var held: [String] {
        ChaosInvariant.allCases.map { invariant in
            let broken = runs.count { $0.findings[invariant] != nil }
            return "\(invariant.rawValue.padded(to: 12)) "
                + (broken == 0 ? "held in all" : "broken in \(broken)")
        }
    }

    /// True for several sessions, each of a scenario.
    private var areScenarios: Bool {
        runs.count > 1
            && runs.allSatisfy { if case .scenario = $0.source { true } else { false } }
    }

    /// Writes the table of all sessions and invariants to a file, as Markdown.
    package func writeTable(to path: String) throws(RunFailure) {
        let text = ChaosTable(runs).markdown.joined(separator: "\n") + "\n"
        do {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            throw .file("The table cannot be written to \(path): \(error)")
        }
    }

    /// The same as one object.
    package var json: JSONObject {
        var object: JSONObject = [
            JSONValue.Member(
                "runs",
                .array(
                    runs.map { run in
                        .members([
                            "name": .text(run.name), "good": .bool(run.isGood),
                            "fills": .number("\(run.fills)"),
                            "journal": .text(run.digest),
                            "findings": .object(
                                ChaosInvariant.allCases.compactMap { invariant in
                                    run.findings[invariant].map {
                                        JSONValue.Member(
                                            invariant.rawValue, .array($0.map { .text($0) }))
                                    }
                                }),
                            "latches": .array(run.latches.map { .text($0) }),
                        ])
                    })),
            JSONValue.Member(
                "faults",
                .object(counts.map { JSONValue.Member($0.name, .number("\($0.count)")) })),
        ]
        object.set("coverage", coverage.json)
        if let shortest {
            object.set("seed", .number("\(shortest.seed)"))
            object.set("faults_needed", .number("\(shortest.faults)"))
        }
        return object
    }

    /// Minutes and seconds.
    private static func clock(_ time: Duration) -> String {
        let seconds = time.nanoseconds / 1_000_000_000
        return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }

    /// What all sessions have reached.
    package var coverage: ChaosCoverage {
        runs.reduce(into: ChaosCoverage()) { $0.add($1.coverage) }
    }

    /// From how many sessions on it is shown what they have reached.
    private static let coveredMin = 20

    /// How many sessions are listed one by one.
    private static let listedMax = 50

    /// How often each fault happened, by name.
    package var counts: [(name: String, count: Int)] {
        var all: [String: Int] = [:]
        for fault in runs.flatMap(\.faults) { all[fault.name, default: 0] += 1 }
        return all.sorted { $0.key < $1.key }.map { (name: $0.key, count: $0.value) }
    }
}

extension ChaosRun.Outcome {
    /// What went wrong, in short.
    var name: String {
        switch source {
        case .seed(let seed, _): "seed \(seed)"
        case .scenario(let name): name
        }
    }

    fileprivate var line: String {
        let end =
            !isGood
            ? "FINDINGS" : latches.isEmpty ? "good" : "good, \(latches.joined(separator: ", "))"
        return "\(name.padded(to: 12)) \(faults.count) faults, \(fills) fills: \(end)"
    }
}

extension String {
    /// Filled up with spaces.
    fileprivate func padded(to length: Int) -> String {
        self + String(repeating: " ", count: max(0, length - count))
    }
}
