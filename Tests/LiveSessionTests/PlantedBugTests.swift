import Configuration
import Foundation
import Model
import Primitives
import TestSupport
import Testing

@testable import Runtime

/// Defects that are planted one at a time: sessions with faults find each of them.
@Suite struct PlantedBugTests {
    /// The configurations, which seeds use in turn.
    enum Setup: String, CaseIterable, Sendable {
        /// Two of four stocks, changed every five minutes, without stops.
        case rotation
        /// The same with stops.
        case guarded
        /// Positions with stop and target.
        case protected

        /// The configuration of a seed.
        init(of seed: UInt64) { self = Self.allCases[Int(seed) % Self.allCases.count] }

        /// The configuration as YAML.
        var text: String {
            switch self {
            case .rotation: SessionRig.rotation
            case .guarded: SessionRig.guarded
            case .protected: SessionRig.protected
            }
        }
    }

    /// The first seed that finds each, as `make soak-bugs` prints it.
    private static let found: [PlantedBug: (setup: Setup, seed: UInt64)] = [
        .fillLost: (setup: .guarded, seed: 13),
        .warningCancels: (setup: .protected, seed: 23),
        .timerRejects: (setup: .guarded, seed: 4),
        .correctionAdded: (setup: .guarded, seed: 1),
        .clientIDChanges: (setup: .protected, seed: 2),
        .syntheticFill: (setup: .guarded, seed: 10),
        .orderSentAgain: (setup: .guarded, seed: 4),
        .cancelTakenAsDone: (setup: .guarded, seed: 1),
        .executionCountedTwice: (setup: .guarded, seed: 1),
        .cancelMarksFlat: (setup: .guarded, seed: 10),
        .earlyFillLost: (setup: .protected, seed: 11),
        .numberReused: (setup: .rotation, seed: 3),
        .cancelForgotten: (setup: .guarded, seed: 1),
        .othersCancelIgnored: (setup: .protected, seed: 29),
        .fillsCumulated: (setup: .guarded, seed: 1),
        .haltNotSaved: (setup: .rotation, seed: 3),
        .haltedEntriesLeave: (setup: .guarded, seed: 1),
        .haltEndsWithLink: (setup: .protected, seed: 2),
        .haltEndsWithMargin: (setup: .protected, seed: 2),
        .paceForgotten: (setup: .guarded, seed: 25),
        .exitBesideStop: (setup: .guarded, seed: 1),
        .stopBesideExit: (setup: .guarded, seed: 1),
        .sentBeforeCommit: (setup: .guarded, seed: 1),
        .sentWithoutCommit: (setup: .guarded, seed: 1),
        .chainBroken: (setup: .guarded, seed: 1),
        .fillsBookedTwice: (setup: .guarded, seed: 1),
        .numbersNotRestored: (setup: .protected, seed: 2),
        .lastBatchLost: (setup: .guarded, seed: 1),
        .chargesNotSaved: (setup: .guarded, seed: 1),
        .silenceIgnored: (setup: .guarded, seed: 4),
        .subscriptionDoubled: (setup: .protected, seed: 2),
        .subscriptionsLost: (setup: .guarded, seed: 1),
        .backoffStays: (setup: .rotation, seed: 6),
        .stopNotGrown: (setup: .guarded, seed: 1),
        .stopNotReplaced: (setup: .guarded, seed: 4),
        .pairWithoutGroup: (setup: .protected, seed: 8),
        .givenUpSilently: (setup: .guarded, seed: 10),
    ]

    /// Up to which seed each is searched for; `nil` where none is.
    private static let seedsMax = ProcessInfo.processInfo.environment["PLANTED_SEEDS"].flatMap {
        UInt64($0)
    }
    /// Up to which seed each is searched for where nothing goes wrong.
    private static let calmSeedsMax: UInt64 = 12
    private static let length = Duration.minutes(40)

    // MARK: Finding

    @Test(arguments: PlantedBug.allCases.filter { Self.found[$0] != nil })
    func isFound(bug: PlantedBug) throws {
        let known = try #require(Self.found[bug])
        let findings = try Self.findings(bug, known.setup, seed: known.seed)
        #expect(!findings.isEmpty)
        let others = try Self.findings(nil, known.setup, seed: known.seed)
        #expect(others.isEmpty, "found without the bug")
    }

    /// With a number of seeds in `PLANTED_SEEDS`: the first that finds each bug, by itself and where nothing goes wrong.
    @Test func seedsFindEveryBug() async throws {
        guard let most = Self.seedsMax else { return }
        let searches = try await withThrowingTaskGroup(
            of: Search.self, returning: [Search].self
        ) { group in
            for bug in PlantedBug.allCases {
                group.addTask {
                    let search = try Self.search(bug, upTo: most)
                    print(search.line)
                    fflush(nil)
                    return search
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        Self.report(searches)
        for search in searches { #expect(search.seed != nil, "\(search.bug)") }
    }

    /// What a search for a bug came to.
    private struct Search: Sendable {
        let bug: PlantedBug
        /// The first seed that finds it; `nil` where none does.
        var seed: UInt64?
        /// What that seed's session has found.
        var findings: [String] = []
        /// The first seed that finds it where nothing goes wrong; `nil` where none does.
        var calmSeed: UInt64?

        var line: String {
            guard let seed else { return "\(bug) not found" }
            return "\(bug) \(seed) \(findings.joined(separator: ", "))"
        }
    }

    private static func search(_ bug: PlantedBug, upTo most: UInt64) throws -> Search {
        var search = Search(bug: bug)
        for seed in 1...most {
            let findings = try findings(bug, Setup(of: seed), seed: seed)
            // What is found without it, too, is another defect.
            guard !findings.isEmpty, try self.findings(nil, Setup(of: seed), seed: seed).isEmpty
            else { continue }
            search.seed = seed
            search.findings = findings
            break
        }
        for seed in 1...min(most, calmSeedsMax) {
            let findings = try findings(bug, Setup(of: seed), seed: seed, first: 0)
            guard !findings.isEmpty else { continue }
            search.calmSeed = seed
            break
        }
        return search
    }

    /// Prints how many were found, the median seed, and the table to write down.
    private static func report(_ searches: [Search]) {
        let (seeds, calmSeeds) = (searches.compactMap(\.seed), searches.compactMap(\.calmSeed))
        let middle = median(of: searches.map(\.seed))
        let calmMiddle = median(of: searches.map(\.calmSeed))
        print("\(seeds.count) of \(searches.count) found, median seed \(middle)")
        print("with no fault \(calmSeeds.count) in \(calmSeedsMax) seeds, median \(calmMiddle)")
        for bug in PlantedBug.allCases {
            guard let seed = searches.first(where: { $0.bug == bug })?.seed else { continue }
            print("        .\(bug): (setup: .\(Setup(of: seed)), seed: \(seed)),")
        }
    }

    /// The median of seeds, with those that do not exist behind all others.
    private static func median(of seeds: [UInt64?]) -> String {
        let sorted = seeds.map { $0 ?? .max }.sorted()
        guard let middle = sorted.dropFirst(sorted.count / 2).first, middle < .max else {
            return "none"
        }
        return "\(middle)"
    }

    /// What a session with a bug has found, by the names of invariants.
    ///
    /// - Parameter first: only so many of the seed's first faults; `nil` for all.
    private static func findings(
        _ bug: PlantedBug?, _ setup: Setup, seed: UInt64, first: Int? = nil
    ) throws -> [String] {
        var document = SettingsDocument()
        document.merge(Array(setup.text.utf8), from: "session.yaml")
        let run = ChaosRun(
            try SettingsCheck(document).get(), .seed(seed, first: first), lasting: length)
        do {
            let outcome = try planting(bug) { try run.outcome() }
            return outcome.findings.keys.map(\.rawValue).sorted()
        } catch {
            // A program that cannot go on from its journal, for one.
            return ["\(error)"]
        }
    }

    private static func planting<Result>(
        _ bug: PlantedBug?, _ body: () throws -> Result
    ) rethrows -> Result {
        #if PLANTED_BUGS
            return try PlantedBug.$planted.withValue(bug, operation: body)
        #else
            return try body()
        #endif
    }

    // MARK: The bugs

    @Test func theyAreFortyInFiveClasses() throws {
        let declared = try Self.declared()
        #expect(declared.map(\.name) == PlantedBug.allCases.map(\.rawValue))
        let counts = Dictionary(grouping: declared, by: \.group).mapValues(\.count)
        #expect(counts.count == 5 && counts.values.allSatisfy { $0 == 8 })
    }

    @Test func oneIsPlantedAtATimeAndNoneByItself() {
        #expect(PlantedBug.allCases.filter(\.isPlanted).isEmpty)
        let planted = Self.planting(.fillLost) { PlantedBug.allCases.filter(\.isPlanted) }
        #expect(planted == [.fillLost], "tests are built with the flags of Scripts/test-flags")
    }

    @Test func thePageHasEveryBug() throws {
        var table = ["| class | bug | what it does wrong | found by |", "|---|---|---|---|"]
        for bug in try Self.declared() {
            let known = PlantedBug(rawValue: bug.name).flatMap { Self.found[$0] }
            let seed = known.map { "seed \($0.seed), \($0.setup)" } ?? "not yet"
            table.append("| \(bug.group) | `\(bug.name)` | \(bug.words) | \(seed) |")
        }
        let lines = try PagePart.lines(of: "docs/chaos.md", from: "<!-- bugs", made: table)
        #expect(lines == table, "docs/chaos.md is \(PagePart.advice) PlantedBugTests")
    }

    /// The bugs by the file that declares them: class, name and comment of each.
    private static func declared() throws -> [(group: String, name: String, words: String)] {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "Sources/Primitives/PlantedBug.swift")
        var (group, words) = ("", "")
        var declared: [(group: String, name: String, words: String)] = []
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("// MARK: ") { group = String(text.dropFirst(9)) }
            if text.hasPrefix("/// ") { words = String(text.dropFirst(4)) }
            if text.hasPrefix("case ") {
                declared.append((group, String(text.dropFirst(5)), words))
            }
        }
        return declared
    }
}
