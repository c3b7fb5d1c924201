import Primitives
import Testing

@testable import Configuration

/// What holds for every key, also for those that later sections will declare.
@Suite struct SettingsKeyTests {
    /// Every declared key once, with a configuration in which it belongs.
    static let cases: [(key: SettingsKey, set: [String])] = {
        var cases: [(key: SettingsKey, set: [String])] = []
        for set in [[]] + Sample.alternatives {
            let document = Sample.document(Sample.full, set: set)
            let inspection = Settings.inspect(document, strategies: Sample.strategies)
            precondition(
                inspection.problems.isEmpty, "\(SettingsProblems(inspection.problems))")
            for case .value(let key, _, _) in inspection.listing.leaves
            where !cases.contains(where: { $0.key.path == key.path }) {
                cases.append((key, set))
            }
        }
        return cases
    }()

    @Test func noDeclaredKeyIsUntested() {
        let document = Sample.document(Sample.full)
        let listing = Settings.inspect(document, strategies: Sample.strategies).listing
        let declared = Set(listing.keys.map(\.path))
        #expect(declared == Set(Self.cases.map(\.key.path)))
        // 9 account, 8 trading, 20 ibkr, 5 + 3 + 1 strategies, 3 sizing, 6 stop, 5 target, 16 risk, 9 execution,
        // 16 logging, 4 performance, 1 benchmarking, 2 monitoring, 2 alerts, 10 backtest, 6 data, 6 commission,
        // 5 slippage, 6 latency, 2 cash flows, 9 system.
        #expect(declared.count == 160)
    }

    @Test func everyKeyStatesWhatItIs() {
        for (key, _) in Self.cases {
            #expect(!key.summary.isEmpty && !key.summary.contains("\n"), "\(key.path)")
            #expect(!key.allowed.isEmpty, "\(key.path)")
            let unit = key.unit ?? ""
            if key.path.hasSuffix("_pct") { #expect(unit.hasPrefix("percent of"), "\(key.path)") }
            if key.path.hasSuffix("_usd") { #expect(unit.hasPrefix("USD"), "\(key.path)") }
            if key.path.hasSuffix("_ms") { #expect(unit == "milliseconds", "\(key.path)") }
            if key.path.hasSuffix("_seconds") { #expect(unit == "seconds", "\(key.path)") }
            let isSecret = if case .secret = key.domain { true } else { false }
            let name = key.path.split(separator: ".").last.map(String.init) ?? ""
            #expect(SecretName.matches(name) == isSecret, "\(key.path)")
        }
    }

    @Test func everyKeyRefusesOtherTypes() {
        for (key, set) in Self.cases {
            for value in ["[[1]]", "{a: 1}", "\"\\0\""] {
                expectProblem(with: key, set, value)
            }
            if key.allowed.contains("the path") { continue }
            expectProblem(with: key, set, "no such thing")
        }
    }

    @Test func everyNumberHasItsRange() {
        for (key, set) in Self.cases {
            switch key.domain {
            case .integer(let range):
                expectProblem(with: key, set, "\(range.lowerBound - 1)")
                expectFine(with: key, set, "\(range.lowerBound)")
                expectFine(with: key, set, "\(range.upperBound)")
                if range.upperBound < Int.max {
                    expectProblem(with: key, set, "\(range.upperBound + 1)")
                }
                expectProblem(with: key, set, "\(range.lowerBound).5")
            case .decimal(let bounds, let decimals):
                let step =
                    decimals == 0 ? "1" : "0." + String(repeating: "0", count: decimals - 1) + "1"
                expectFine(
                    with: key, set,
                    bounds.lowest == 0 && bounds.excludesLowest ? step : "\(bounds.lowest)")
                expectFine(with: key, set, "\(bounds.highest)")
                expectProblem(
                    with: key, set,
                    bounds.excludesLowest ? "\(bounds.lowest)" : "\(bounds.lowest - 1)")
                expectProblem(
                    with: key, set,
                    decimals == 0 ? "\(bounds.highest + 1)" : "\(bounds.highest)\(step.dropFirst())"
                )
                expectProblem(with: key, set, decimals == 0 ? "1.5" : "\(step)1")
            case .number(let range):
                expectProblem(with: key, set, "\(range.lowerBound - 0.1)")
                expectProblem(with: key, set, "\(range.upperBound + 0.1)")
                expectFine(with: key, set, "\(range.upperBound)")
            case .duration(let range):
                expectProblem(with: key, set, "0s")
                expectProblem(with: key, set, "999ms")
                expectFine(with: key, set, "\(range.lowerBound)")
                expectFine(with: key, set, "\(range.upperBound)")
                expectProblem(with: key, set, "8d")
            case .text, .texts, .choice, .flag, .day, .secret: continue
            }
            for value in [
                "1e400", "-1e400", ".nan", ".inf", "nan", "inf", "0x10", "99999999999999999999999",
            ] {
                expectProblem(with: key, set, value)
            }
        }
    }

    /// One letter more, less or other, at every place of every key.
    @Test func everyMisspeltKeyIsCaughtWithItsName() throws {
        var seen: Set<String> = []
        for set in [[]] + Sample.alternatives {
            let text = try Sample.settings(Sample.full, set: set).text
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(
                String.init)
            for (number, line) in lines.enumerated() where seen.insert(line).inserted {
                guard let colon = line.firstIndex(of: ":") else { continue }
                let start = line.firstIndex { $0.isLetter } ?? colon
                let key = String(line[start..<colon])
                for mutated in Self.misspellings(of: key) {
                    var changed = lines
                    changed[number] = line[..<start] + mutated + line[colon...]
                    let problems = Sample.problems(changed.joined(separator: "\n"))
                    let caught = problems.contains {
                        $0.found == "unknown key" && $0.path.hasSuffix(mutated)
                            && $0.advice?.contains("'\(key)'") == true
                            && $0.origin?.location?.line == number + 1
                    }
                    #expect(caught, "\(key) as \(mutated): \(problems)")
                }
            }
        }
    }

    private static func misspellings(of key: String) -> [String] {
        key.indices.flatMap { index -> [String] in
            let (front, back) = (key[..<index], key[key.index(after: index)...])
            let other: Character = key[index] == "x" ? "y" : "x"
            return ["\(front)\(back)", "\(front)\(other)\(back)", "\(front)z\(key[index])\(back)"]
        }
    }

    private func expectProblem(with key: SettingsKey, _ set: [String], _ value: String) {
        let path = Self.concrete(key)
        let problems = Sample.problems(Sample.full, set: set + ["\(path)=\(value)"])
        #expect(problems.contains { $0.path.hasPrefix(path) }, "\(path)=\(value)")
    }

    private func expectFine(with key: SettingsKey, _ set: [String], _ value: String) {
        let path = Self.concrete(key)
        let problems = Sample.problems(
            Sample.full, set: set + Self.besides(path) + ["\(path)=\(value)"])
        #expect(problems.isEmpty, "\(path)=\(value): \(problems)")
    }

    /// The times of silence rise from one to the next: beside one of them the others are as far away as they may be.
    private static func besides(_ path: String) -> [String] {
        let times = [
            ("ibkr.probe_seconds", 1, 60), ("ibkr.stale_seconds", 2, 600),
            ("ibkr.alarm_seconds", 3, 1_200), ("ibkr.tear_down_seconds", 4, 3_600),
        ]
        guard let index = times.firstIndex(where: { $0.0 == path }) else { return [] }
        return times[..<index].map { "\($0.0)=\($0.1)" }
            + times[(index + 1)...].map { "\($0.0)=\($0.2)" }
    }

    /// The path in `Sample.full`, whose first strategy has whole shares and whose second a percentage.
    private static func concrete(_ key: SettingsKey) -> String {
        let isOfSecond = key.path.hasSuffix("equity_pct") || key.path.hasSuffix("threshold")
        return key.path.split(separator: ".").map {
            $0 == "*" ? (isOfSecond ? "1" : "0") : String($0)
        }
        .joined(separator: ".")
    }
}

extension SettingsListing {
    /// The keys with their values, without the sections around them.
    var leaves: [SettingsListing] {
        switch self {
        case .value, .unused: [self]
        case .section(let entries): entries.flatMap(\.1.leaves)
        case .list(let elements): elements.flatMap(\.leaves)
        }
    }
}
