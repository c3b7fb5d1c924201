import Configuration
import Foundation
import GatewayTestSupport
import Journal
import MarketState
import Model
import Orders
import Primitives
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// Runs of many session days: each day has a file of the journal.
@Suite struct SessionRotationTests {
    /// A Monday, 15:30 in New York.
    private static let afternoon = Timestamp(seconds: 1_709_582_400 + 1_800)

    /// What a session has decided, without what is only about its connection.
    private struct Answers: Equatable {
        var submitted: [OrderTicket] = []
        var executions: [Execution] = []
        var decisions: [Conclusion] = []

        struct Conclusion: Equatable {
            let at: Timestamp
            let kind: Decision.Kind
            let subject: Decision.Subject
        }

        init(_ rig: SessionRig) {
            for batch in rig.history.batches {
                for command in batch.commands {
                    if case .submit(let ticket) = command.command { submitted.append(ticket) }
                }
                for event in batch.events {
                    guard case .brokerOrder(let report) = event.kind,
                        case .executed(let execution) = report.fact
                    else { continue }
                    executions.append(execution)
                }
            }
            decisions = rig.decisions.compactMap { decision in
                switch decision.kind {
                case .linkChanged, .reconciliationBegun, .reconciled: nil
                default: Conclusion(at: decision.at, kind: decision.kind, subject: decision.subject)
                }
            }
        }
    }

    private func session(_ configuration: String, rotates: Bool) throws -> SessionRig {
        let rig = try SessionRig(
            configuration, at: Self.afternoon, keepsHistory: true, rotates: rotates)
        try rig.pass(.hours(18) + .minutes(50))
        return rig
    }

    private func files(of rig: SessionRig) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: rig.folder)
            .filter { $0.hasSuffix(".sqlite") || $0.hasSuffix(".gz") }.sorted()
    }

    private func stateHash(of rig: SessionRig) throws -> UInt64? {
        try rig.driver.withEngine { engine in
            Result { () throws(SavedStateError) in try EngineState.hash(of: engine) }
        }?.get()
    }

    /// EVT-02, C-40: a new file with the new day, and decisions, orders, fills and the whole state as without one. The
    /// day before is compressed; a crash and an upgrade behind it go on from the newest file.
    @Test(arguments: [SessionRig.rotation, SessionRig.protected])
    func aNewDayHasANewFileAndNothingElseChanges(configuration: String) throws {
        let rig = try session(configuration, rotates: true)
        let other = try session(configuration, rotates: false)
        #expect(try files(of: rig) == ["2024-03-04.1.sqlite.gz", "2024-03-05.1.sqlite"])
        #expect(try files(of: other) == ["2024-03-04.1.sqlite"])
        let (answers, expected) = (Answers(rig), Answers(other))
        #expect(answers.submitted == expected.submitted)
        #expect(answers.executions == expected.executions)
        #expect(answers.decisions == expected.decisions)
        #expect(answers.executions.count > 4)
        // What the broker's lists say of orders that work is a part of the state: they are read anew.
        if configuration == SessionRig.rotation {
            #expect(try stateHash(of: rig) == stateHash(of: other))
        }
        try rig.expectEqualLedgers()

        try rig.crash()
        try rig.pass(.minutes(2))
        #expect(rig.driver.recovery?.contains("answered as before") == true)
        try rig.expectEqualLedgers()
        let sent = rig.gateway.received(.placeOrder).count
        let batch = rig.history.batches.count
        try rig.crash(program: 2)
        try rig.pass(.seconds(30))
        let entries = rig.history.batches[batch...].flatMap(\.commands).count { command in
            guard case .submit(let ticket) = command.command else { return false }
            return ticket.request.purpose == .entry
        }
        #expect(entries == 0)
        #expect(rig.driver.recovery?.contains("entries are halted") == true)
        if configuration == SessionRig.rotation {
            #expect(rig.gateway.received(.placeOrder).count == sent)
        }
        try rig.expectEqualLedgers()

        let verification = try JournalVerification(of: rig.folder)
        #expect(verification.isVerified, "\(verification.text)")
        #expect(verification.files.map { $0.events > 20 } == [true, true, true, true])
        #expect(rig.gateway.violations.isEmpty)
    }
}
