import Configuration
import MarketState
import Primitives
import Testing

@testable import Runtime

/// Sessions in which things go wrong at random, judged from outside.
@Suite struct ChaosTests {
    /// Two of four stocks, changed every five minutes, with and without stops; positions with stop and target.
    private static let configurations = [
        SessionRig.rotation, SessionRig.guarded, SessionRig.protected,
    ]
    private static let length = Duration.minutes(40)
    /// How many seeds one case has.
    private static let seeds: UInt64 = 20

    private static func outcome(
        _ configuration: String, seed: UInt64, first: Int? = nil
    ) throws -> ChaosRun.Outcome {
        try ChaosRun(
            try SessionRig.settings(configuration), .seed(seed, first: first), lasting: length
        ).outcome()
    }

    /// 500 seeds: whatever goes wrong, nothing is lost, doubled or left without its stop, and every session trades on.
    @Test(arguments: 0..<UInt64(25))
    func nothingBreaks(part: UInt64) throws {
        let configuration = Self.configurations[Int(part) % Self.configurations.count]
        for seed in (1...Self.seeds).map({ part * Self.seeds + $0 }) {
            let outcome = try Self.outcome(configuration, seed: seed)
            #expect(outcome.isGood, "seed \(seed): \(outcome.findings)")
        }
    }

    /// The same in configurations that follow from seeds, too: other strategies, symbols, exits and accounts.
    @Test(arguments: 0..<UInt64(5))
    func nothingBreaksInAnyConfiguration(part: UInt64) throws {
        for seed in (1...UInt64(12)).map({ part * 12 + $0 }) {
            let configuration = ChaosConfiguration(seed: seed)
            let outcome = try Self.outcome(configuration.text, seed: seed)
            #expect(outcome.isGood, "seed \(seed): \(outcome.findings)\n\(configuration.text)")
        }
    }

    /// All that is drawn of a configuration occurs, and each is one.
    @Test func configurationsAreDrawn() throws {
        var drawn: [String: Set<String>] = [:]
        for seed in 1...UInt64(100) {
            let configuration = ChaosConfiguration(seed: seed)
            #expect(throws: Never.self) { try SessionRig.settings(configuration.text) }
            for (name, value) in configuration.choices { drawn[name, default: []].insert(value) }
        }
        #expect(drawn.keys.count { $0.hasPrefix("use ") } == 5)
        #expect(drawn["account"] == ["margin", "cash"])
        #expect(drawn["stop"] == ["none", "percent", "atr", "trailing"])
        #expect(drawn["target"] == ["none", "percent", "atr"])
        #expect(drawn["on_timeout"] == ["leave", "cancel", "reprice", "escalate"])
    }

    /// Over 500 seeds every kind of fault happens, and in every session some do not.
    @Test func everyKindOfFaultHappens() {
        var counts: [ChaosFault.Kind: Int] = [:]
        for seed in 1...UInt64(500) {
            let kinds = Set(ChaosPlan(seed: seed, lasting: Self.length).faults.map(\.kind))
            #expect(kinds.count < ChaosFault.Kind.allCases.count)
            for kind in kinds { counts[kind, default: 0] += 1 }
        }
        for kind in ChaosFault.Kind.allCases { #expect(counts[kind, default: 0] > 100, "\(kind)") }
    }

    @Test func aSessionReportsWhatItHasReached() throws {
        let coverage = try Self.outcome(SessionRig.guarded, seed: 1).coverage
        #expect(coverage.links["READY"] == 1 && coverage.links["SYNC"] == 1)
        #expect(coverage.orders["working"] == 1 && coverage.orders["filled"] == 1)
        let counts = coverage.faults.values
        #expect(!counts.isEmpty && counts.allSatisfy { $0.sessions == 1 && $0.drawn > 0 })
        #expect(counts.contains { $0.happened > 0 })
    }

    /// A fault that many sessions drew and that never had anything to happen to tests nothing.
    @Test func aFaultThatNeverTakesPlaceIsReported() {
        func outcome(of count: Int, hasHappened: Bool) -> ChaosJob.Outcome {
            let runs = (0..<count).map { number in
                let reached = ChaosReached()
                reached.note("fault", hasHappened: hasHappened && number == 0)
                return ChaosRun.Outcome(
                    source: .seed(UInt64(number), first: nil), coverage: ChaosCoverage(of: reached))
            }
            return ChaosJob.Outcome(runs: runs, shortest: nil)
        }
        let never = outcome(of: 200, hasHappened: false)
        #expect(never.unreached == ["fault"] && never.exitCode == .verification)
        #expect(never.text.contains("Never     fault"))
        #expect(outcome(of: 199, hasHappened: false).exitCode == .success)
        let once = outcome(of: 200, hasHappened: true)
        #expect(once.exitCode == .success)
        #expect(once.coverage.faults["fault"]?.happened == 1)
    }

    /// Most sessions begin in the middle of a day; some see the open, and some the close.
    @Test func sessionsSeeTheOpenAndTheClose() {
        let calendar = SessionCalendar.newYork
        let day = calendar.day(of: ChaosPlan.midday)
        let starts = (1...UInt64(500)).map { ChaosPlan.start(of: $0) }
        #expect(starts.count { $0 == ChaosPlan.midday } > 350)
        #expect(starts.count { $0 < calendar.open(on: day) } > 25)
        let late = starts.filter { $0 > ChaosPlan.midday }
        #expect(late.count > 25)
        #expect(late.allSatisfy { $0 + Self.length > calendar.close(on: day) })
    }

    @Test func aSeedGivesTheSameJournal() throws {
        let digests = try (0..<2).map { _ in
            try Self.outcome(SessionRig.guarded, seed: 7).digest
        }
        #expect(digests[0] == digests[1] && digests[0].count == 64)
        let other = try Self.outcome(SessionRig.guarded, seed: 8).digest
        #expect(other != digests[0])
    }

    /// The first faults of a seed are the same whether others follow or not.
    @Test func fewerFaultsAreTheFirst() {
        let all = ChaosPlan(seed: 3, lasting: Self.length).faults
        #expect(ChaosPlan(seed: 3, lasting: Self.length, first: 5).faults == Array(all.prefix(5)))
        #expect(all.map(\.after) == all.map(\.after).sorted())
    }
}
