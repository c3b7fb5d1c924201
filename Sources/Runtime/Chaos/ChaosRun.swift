package import Configuration
import Foundation
import GatewaySimulator
import Journal
import Model
package import Primitives

/// One session in which things go wrong, judged from outside.
package struct ChaosRun: Sendable {
    /// What goes wrong.
    package enum Source: Hashable, Sendable {
        /// What follows from a seed; only the first faults of it, where a number is given.
        case seed(UInt64, first: Int?)
        /// Scenarios of the gateway, by name, joined by `+`.
        case scenario(String)
    }

    /// What came of it.
    package struct Outcome: Sendable {
        /// What went wrong.
        package let source: Source
        /// What did not hold, in sentences; empty where all did.
        package fileprivate(set) var findings: [ChaosInvariant: [String]] = [:]
        /// What happened, by the names of the kinds of faults, and when after the session's beginning.
        package fileprivate(set) var faults: [(name: String, after: Duration, words: String)] = []
        /// The digest of the journal at the end, in hexadecimal: the same for the same session, wherever it runs.
        package fileprivate(set) var digest = ""
        /// Executions booked.
        package fileprivate(set) var fills = 0
        /// How much session time passed.
        package fileprivate(set) var time = Duration.zero
        /// Why entries were halted and which symbols latched at the end; empty for a session that trades on.
        package fileprivate(set) var latches: [String] = []
        /// What the session has reached.
        package fileprivate(set) var coverage = ChaosCoverage()
        /// How long it took to come to rest once nothing went wrong any more; `nil` where it did not.
        package fileprivate(set) var recovery: Duration?

        /// True where everything held.
        package var isGood: Bool { findings.isEmpty }
    }

    private let settings: Settings
    private let source: Source
    private let length: Duration
    /// Where the journal stays; `nil` to remove it.
    private let kept: String?

    /// How long a session may take to come to rest.
    static let recoveryLimit = Duration.minutes(2)
    private static let uncountedKinds = [
        ChaosFault.Kind.connectionStalled, .bytesLate, .killed, .killedTwice, .rowsLost, .notSynced,
    ].map(\.rawValue)
    private static let uncountedScenarios = ["half-open", "slow-gateway"]
    /// What ends whatever lasts.
    private static let cures = [
        #"{"do":"stop"}"#, #"{"do":"heal"}"#, #"{"do":"restore-link"}"#,
        #"{"do":"farm","state":"ok"}"#, #"{"do":"freeze","on":false}"#,
        #"{"do":"halt","on":false}"#, #"{"do":"login","done":true}"#,
        #"{"do":"access","access":"live"}"#, #"{"do":"margin","on":false}"#,
    ]

    /// A session of a configuration.
    ///
    /// - Parameters:
    ///   - length: how long things go wrong, in session time.
    ///   - kept: a new folder, in which the journal stays; `nil` to remove it.
    package init(
        _ settings: Settings, _ source: Source, lasting length: Duration,
        keeping kept: String? = nil
    ) {
        self.kept = kept
        self.settings = settings
        self.source = source
        self.length = length
    }

    /// Runs it.
    package func outcome() throws(RunFailure) -> Outcome {
        let folder = kept ?? NSTemporaryDirectory() + "martlet-chaos-\(UUID().uuidString)"
        defer { if kept == nil { try? FileManager.default.removeItem(atPath: folder) } }
        var outcome = Outcome(source: source)
        var audit = ChaosAudit(settings)
        let session = SimulatedSession(
            SimulatedSession.Plan(settings: settings, folder: folder, start: start, seed: seed))
        audit.follow(session)
        try session.begin()
        try disturb(session, &audit, &outcome)
        try rest(session, &audit, &outcome)
        // What was held back comes at once, and a program does not know what the one before it has asked.
        let isUncounted = outcome.faults.contains { fault in
            Self.uncountedKinds.contains(fault.name)
                || Self.uncountedScenarios.contains { fault.name.contains($0) }
        }
        try audit.conclude(session, countsPacing: !isUncounted)
        if let driver = session.driver {
            outcome.fills = driver.fillCount
            let snapshot = SessionSnapshot(of: driver, symbols: session.symbols, at: session.now)
            outcome.latches = snapshot.halts + snapshot.latched
        }
        outcome.time = session.now - session.plan.start
        outcome.digest = session.journalHash.map(Self.hexadecimal).joined()
        session.kill()
        try audit.checkJournal(of: session)
        outcome.findings = audit.findings
        outcome.coverage = ChaosCoverage(of: audit.reached)
        return outcome
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    private var seed: UInt64 {
        if case .seed(let seed, _) = source { seed } else { 1 }
    }

    /// Scenarios may carry orders out in silence.
    private var isScenario: Bool {
        if case .scenario = source { true } else { false }
    }

    private var start: Timestamp {
        if case .seed(let seed, _) = source { ChaosPlan.start(of: seed) } else { ChaosPlan.midday }
    }

    // MARK: Faults

    private func disturb(
        _ session: SimulatedSession, _ audit: inout ChaosAudit, _ outcome: inout Outcome
    ) throws(RunFailure) {
        let begun = session.now
        var plan = ChaosPlan(seed: seed, lasting: length, first: 0)
        switch source {
        case .seed(let seed, let limit):
            plan = ChaosPlan(seed: seed, lasting: length, first: limit)
        case .scenario(let name):
            pass(to: begun + ChaosPlan.calm, session, &audit)
            audit.checkCalm(session)
            try session.gateway.play(name)
            outcome.faults = [(name, ChaosPlan.calm, "")]
        }
        for (index, fault) in plan.faults.enumerated() {
            pass(to: begun + fault.after, session, &audit)
            if index == 0 { audit.checkCalm(session) }
            outcome.faults.append((fault.kind.rawValue, fault.after, fault.action.words))
            let hasHappened = try perform(fault, on: session, &audit)
            audit.reached.note(fault.kind.rawValue, hasHappened: hasHappened)
        }
        pass(to: begun + length, session, &audit)
        if outcome.faults.isEmpty { audit.checkCalm(session) }
    }

    /// Lets time pass, and looks at stops, exits and streams once a second.
    private func pass(to time: Timestamp, _ session: SimulatedSession, _ audit: inout ChaosAudit) {
        while session.now < time {
            step(min(.seconds(1), time - session.now), session, &audit)
            audit.look(at: session)
        }
    }

    /// Lets a short time pass. A program that has ended by itself is started again behind it, as its user would.
    private func step(_ time: Duration, _ session: SimulatedSession, _ audit: inout ChaosAudit) {
        let end = session.now + time
        do throws(RunFailure) { try session.pass(time) { audit.lookBehindFills(session) } } catch {
            noteEnd(of: session, error, &audit)
            session.stall(end - session.now)
        }
        do throws(RunFailure) { try session.begin() } catch {
            audit.note(.program, "it does not start: \(error)")
        }
    }

    /// The program has ended by itself: the reason counts as a finding, but where it may not go on.
    private func noteEnd(
        of session: SimulatedSession, _ failure: RunFailure, _ audit: inout ChaosAudit
    ) {
        if session.disk.failure?.endsSession == true { session.disk.failure = nil }
        let expected = "\(JournalError.notSynced(session.folder))"
        if !"\(failure)".contains(expected) { audit.note(.program, "\(failure)") }
        session.kill()
    }

    /// Lets something go wrong.
    ///
    /// - Returns: false where there was nothing that it could happen to.
    private func perform(
        _ fault: ChaosFault, on session: SimulatedSession, _ audit: inout ChaosAudit
    ) throws(RunFailure) -> Bool {
        switch fault.action {
        case .gateway(let command):
            let isMoot =
                fault.kind.needsWorkingOrders && session.gateway.act { $0.workingOrders.isEmpty }
            // There may be no order, no execution, no connection: then it is refused, or nothing happens.
            return session.gateway.control(command).hasPrefix(#"{"done""#) && !isMoot
        case .instruct(let action):
            let hasBegun = session.driver?.hasBegun == true
            instruct(action, session, &audit)
            return hasBegun
        case .kill(let downtime):
            let isRunning = session.driver != nil
            try restart(session, after: downtime)
            return isRunning
        case .freeze(let time):
            session.stall(time)
            session.driver?.stoodStill(for: time)
        case .disk(let time):
            session.disk.fill(session.folder)
            pass(to: session.now + time, session, &audit)
            session.disk.heal()
        case .lose(let time, let downtime):
            session.disk.fill(session.folder)
            pass(to: session.now + time, session, &audit)
            try restart(session, after: downtime)
        case .write(let time):
            session.disk.failure = .file(session.folder, "the disk has failed")
            pass(to: session.now + time, session, &audit)
            session.disk.heal()
        case .sync: session.disk.failure = .notSynced(session.folder)
        }
        return true
    }

    /// Kills the program, and starts it again on a disk without faults.
    private func restart(
        _ session: SimulatedSession, after downtime: Duration
    ) throws(RunFailure) {
        session.kill()
        session.disk.heal()
        session.stall(downtime)
        try session.begin()
    }

    private func instruct(
        _ action: OperatorRequest.Action, _ session: SimulatedSession, _ audit: inout ChaosAudit
    ) {
        do throws(RunFailure) { try session.instruct(action) } catch {
            noteEnd(of: session, error, &audit)
        }
    }

    // MARK: Rest

    /// Nothing goes wrong any more: the session has to come to rest.
    private func rest(
        _ session: SimulatedSession, _ audit: inout ChaosAudit, _ outcome: inout Outcome
    ) throws(RunFailure) {
        session.disk.heal()
        for cure in Self.cures { _ = session.gateway.control(cure) }
        // What happened to an order that nothing was told of is in the lists of a new connection alone.
        let isMuted = outcome.faults.contains { $0.name == ChaosFault.Kind.orderMuted.rawValue }
        if isMuted || isScenario {
            _ = session.gateway.control(#"{"do":"drop"}"#)
        }
        instruct(.resumeAll, session, &audit)
        instruct(.resume(.killed), session, &audit)
        let begun = session.now
        while try !audit.isAtRest(session) {
            guard session.now - begun < Self.recoveryLimit else {
                return audit.note(.recovery, try audit.words(for: session))
            }
            step(.seconds(1), session, &audit)
        }
        outcome.recovery = session.now - begun
    }
}
