import Configuration
import Foundation
import Primitives
import Testing

@testable import Runtime

/// D.3, TH20: what has to hold before a session orders with money.
@Suite struct ArmingTests {
    private static let version = SessionVersion(program: 1, configuration: 2, strategies: 3)
    /// Monday, 5 January 2026, ten in the morning in New York.
    private static let monday = Timestamp(seconds: 1_767_625_200)

    private static func session(
        _ mode: TradingMode = .paper, _ version: SessionVersion = ArmingTests.version,
        _ change: (inout ListedSession) -> Void = { _ in }
    ) -> ListedSession {
        var session = ListedSession(
            mode: mode, account: mode == .live ? "U1234567" : "DU1234567", version: version,
            begun: monday)
        session.finished = monday + .hours(8)
        session.wholeDays = 1
        change(&session)
        return session
    }

    private static func changed(_ change: (inout SessionVersion) -> Void) -> SessionVersion {
        var version = version
        change(&version)
        return version
    }

    /// What a condition is given: the facts, and the refusal that follows; `nil` where it holds.
    private struct Choice: Sendable {
        let refusal: ArmingRefusal?
        let set: @Sendable (inout Arming) -> Void

        init(_ refusal: ArmingRefusal?, _ set: @escaping @Sendable (inout Arming) -> Void) {
            self.refusal = refusal
            self.set = set
        }
    }

    /// Each condition in its order, the way in which it holds first, then every way in which it does not.
    private static let conditions: [[Choice]] = [
        [
            Choice(nil) { $0.fileMode = .live }, Choice(.modeNotInFile) { $0.fileMode = nil },
            Choice(.modeNotInFile) { $0.fileMode = .paper },
        ],
        [
            Choice(nil) { $0.hasLiveOption = true },
            Choice(.noOption) { $0.hasLiveOption = false },
        ],
        [
            Choice(nil) { ($0.account, $0.typedAccount) = ("U1234567", "U1234567") },
            Choice(.noAccount) { ($0.account, $0.typedAccount) = (nil, "U1234567") },
            Choice(.notTyped) { ($0.account, $0.typedAccount) = ("U1234567", nil) },
            Choice(.otherTyped) { ($0.account, $0.typedAccount) = ("U1234567", "U7654321") },
        ],
        [
            Choice(nil) { $0.port = 4_001 }, Choice(.paperPort) { $0.port = 4_002 },
            Choice(.paperPort) { $0.port = 7_497 },
        ],
        [
            Choice(nil) { $0.managedAccounts = ["U1234567", "U2345678"] },
            Choice(.accountsUnread) { $0.managedAccounts = nil },
            Choice(.otherLogin) { $0.managedAccounts = [] },
            Choice(.otherLogin) { $0.managedAccounts = ["U7654321"] },
            Choice(.paperLogin) { $0.managedAccounts = ["U1234567", "DU1234567"] },
        ],
        [Choice(nil) { $0.hasLimits = true }, Choice(.noLimits) { $0.hasLimits = false }],
        [
            Choice(nil) { $0.orderCap = Money(cents: 25_000_00) },
            Choice(.orderCap) { $0.orderCap = Money(cents: 25_000_01) },
        ],
        [
            Choice(nil) { $0.lastSession = session(.live) },
            Choice(.unclean) { $0.lastSession = session(.live) { $0.finished = nil } },
            Choice(.unknownOrders) { $0.lastSession = session(.live) { $0.unknownOrders = 1 } },
            Choice(.latched) { $0.lastSession = session(.live) { $0.latched = 1 } },
            Choice(.criticalAlarms) { $0.lastSession = session(.live) { $0.criticalAlarms = 1 } },
        ],
        [
            Choice(nil) { $0.evidence = [session()] },
            Choice(.noPaperSession) { $0.evidence = [] },
            Choice(.noPaperSession) { $0.evidence = [session(.sim)] },
            Choice(.noPaperSession) { $0.evidence = [session { $0.wholeDays = 0 }] },
            Choice(.noPaperSession) { $0.evidence = [session { $0.finished = nil }] },
            Choice(.noPaperSession) { $0.evidence = [session(changed { $0.program = 9 })] },
            Choice(.noPaperSession) { $0.evidence = [session(changed { $0.configuration = 9 })] },
            Choice(.noPaperSession) { $0.evidence = [session(changed { $0.strategies = 9 })] },
        ],
        [
            Choice(nil) { $0.hasAnsweredAlert = true },
            Choice(.noAlertChannel) { $0.hasAnsweredAlert = false },
        ],
        [
            Choice(nil) { $0.grant = grant() }, Choice(.expired) { $0.grant = grant("U7654321") },
            Choice(.expired) { $0.grant = grant(changed { $0.program = 9 }) },
            Choice(.expired) { $0.grant = grant(changed { $0.configuration = 9 }) },
            Choice(.expired) { $0.grant = grant(at: monday - .days(2)) },
            Choice(.expired) { $0.grant = grant(at: monday + .hours(1)) },
        ],
    ]

    private static func session(_ version: SessionVersion) -> ListedSession {
        session(.paper, version)
    }

    private static func session(_ change: (inout ListedSession) -> Void) -> ListedSession {
        session(.paper, version, change)
    }

    private static func session(
        _ mode: TradingMode, _ change: (inout ListedSession) -> Void
    ) -> ListedSession {
        session(mode, version, change)
    }

    private static func grant(
        _ account: String = "U1234567", _ version: SessionVersion = ArmingTests.version,
        at time: Timestamp = monday
    ) -> Arming.Grant {
        Arming.Grant(account: account, version: version, at: time)
    }

    private static func grant(_ version: SessionVersion) -> Arming.Grant {
        grant("U1234567", version)
    }

    private static var facts: Arming {
        Arming(
            port: 0, orderCap: .zero, capital: Money(cents: 100_000_00), version: version,
            now: monday)
    }

    /// Every combination of what the eleven conditions can be given: exactly one permits, and each other is refused by
    /// the first condition that does not hold.
    @Test func exactlyOneCombinationPermits() {
        let sizes = Self.conditions.map(\.count)
        var permitted: [[Int]] = []
        var wrong = 0
        var (indexes, count) = ([Int](repeating: 0, count: sizes.count), 0)
        var isOver = false
        while !isOver {
            count += 1
            var facts = Self.facts
            var expected: ArmingRefusal?
            for (condition, index) in zip(Self.conditions, indexes) {
                condition[index].set(&facts)
                expected = expected ?? condition[index].refusal
            }
            if facts.refusal != expected { wrong += 1 }
            if facts.refusal == nil { permitted.append(indexes) }
            isOver = true
            for index in sizes.indices {
                indexes[index] += 1
                if indexes[index] < sizes[index] {
                    isOver = false
                    break
                }
                indexes[index] = 0
            }
        }
        // 3 · 2 · 4 · 3 · 5 · 2 · 2 · 5 · 8 · 2 · 6
        #expect(count == 691_200)
        #expect(wrong == 0)
        #expect(permitted == [[Int](repeating: 0, count: sizes.count)])
    }

    /// A paper account in the configuration is refused at any port, also where the login has it.
    @Test func aPaperAccountIsRefused() {
        var facts = permitting
        (facts.account, facts.typedAccount) = ("DU1234567", "DU1234567")
        facts.managedAccounts = ["DU1234567"]
        #expect(facts.refusal == .paperAccount)
    }

    /// An override is a reason in words: a blank one is none.
    @Test func overridesNeedAReason() {
        var facts = permitting
        facts.orderCap = Money(cents: 60_000_00)
        facts.evidence = []
        facts.capReason = " "
        #expect(facts.refusal == .orderCap)
        facts.capReason = "one position at a time"
        facts.evidenceReason = ""
        #expect(facts.refusal == .noPaperSession)
        facts.evidenceReason = "a typing error in a name"
        #expect(facts.refusal == nil)
    }

    /// Neither a session before nor an arming before is needed; a port of one's own is as good as a usual one.
    @Test func nothingBeforeIsNeeded() {
        var facts = permitting
        (facts.lastSession, facts.grant, facts.port) = (nil, nil, 5_001)
        #expect(facts.refusal == nil)
    }

    private var permitting: Arming {
        var facts = Self.facts
        for condition in Self.conditions { condition[0].set(&facts) }
        return facts
    }

    /// The weekly login: Sunday, one in the morning in New York, in winter and in summer; not every day.
    @Test func anArmingLastsToTheWeeklyLogin() {
        // Sunday, 11 January 2026, 06:00 UTC.
        let login = Timestamp(seconds: 1_768_111_200)
        #expect(Arming.expiry(of: Self.monday) == login)
        #expect(Arming.expiry(of: login - .seconds(1)) == login)
        #expect(Arming.expiry(of: login) == login + .days(7))
        // Sunday, 8 March 2026: clocks go forward at two, behind the login.
        #expect(
            Arming.expiry(of: Timestamp(seconds: 1_772_701_200))
                == Timestamp(seconds: 1_772_949_600))
    }

    /// Each refusal has its own words.
    @Test func refusalsDiffer() {
        let words = ArmingRefusal.allCases.map(\.words)
        #expect(Set(words).count == words.count)
    }

    // MARK: The list of sessions

    /// A journal belongs to one mode and one account, and what was written is read again.
    @Test func aJournalBelongsToOneModeAndAccount() throws {
        let folder = NSTemporaryDirectory() + "martlet-sessions-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let list = SessionHistory(folder: folder)
        try list.check(mode: .paper, isEmpty: true)
        // A journal without a list is a simulator's.
        #expect(throws: RunFailure.self) { try list.check(mode: .paper, isEmpty: false) }
        try list.check(mode: .sim, isEmpty: false)
        let begun = Self.session { ($0.finished, $0.wholeDays) = (nil, 0) }
        try list.begin(begun)
        #expect(list.sessions == [begun])
        try list.end { ($0.finished, $0.wholeDays) = (Self.monday + .hours(8), 1) }
        #expect(list.sessions == [Self.session()])
        try list.check(mode: .paper, isEmpty: false)
        for mode in [TradingMode.sim, .live] {
            #expect(throws: RunFailure.self) { try list.check(mode: mode, isEmpty: false) }
        }
        var other = begun
        other.account = "DU7654321"
        #expect(throws: RunFailure.self) { try list.begin(other) }
        #expect(list.sessions.count == 1)
    }
}
