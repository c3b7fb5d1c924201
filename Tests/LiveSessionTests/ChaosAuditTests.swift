import Foundation
import GRDB
import GatewaySimulator
import Model
import Primitives
import TWSClient
import TWSProtocol
import Testing

@testable import Runtime

/// The audit of sessions: a calm one has no findings, and one that was manipulated has.
@Suite struct ChaosAuditTests {
    /// A session that has traded for a while with its audit, and the audit behind `body`.
    private func audited(
        _ configuration: String = SessionRig.guarded,
        _ body: (SimulatedSession, inout ChaosAudit) throws -> Void
    ) throws -> ChaosAudit {
        let folder = NSTemporaryDirectory() + "martlet-chaos-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let settings = try SessionRig.settings(configuration)
        var audit = ChaosAudit(settings)
        let session = SimulatedSession(SimulatedSession.Plan(settings: settings, folder: folder))
        audit.follow(session)
        try session.begin()
        try session.pass(.minutes(12))
        try body(session, &audit)
        return audit
    }

    /// Lets time pass, and looks every second.
    private func look(
        for seconds: Int, at session: SimulatedSession, _ audit: inout ChaosAudit
    ) throws {
        for _ in 0..<seconds {
            try session.pass(.seconds(1))
            audit.look(at: session)
        }
    }

    /// What has left the session, by the time of day, and what its journal has.
    private func record(
        of session: SimulatedSession
    ) throws -> (sent: [SimulatedGateway.Received], history: ChaosHistory) {
        session.kill()
        let ahead = session.now - session.gateway.clock.now
        let sent = session.gateway.received.map {
            SimulatedGateway.Received(
                time: $0.time + ahead, connection: $0.connection, message: $0.message,
                marks: $0.marks)
        }
        return (sent, try ChaosHistory(in: session.folder, client: 1))
    }

    @Test(arguments: [SessionRig.guarded, SessionRig.protected])
    func aCalmSessionHasNoFindings(configuration: String) throws {
        let audit = try audited(configuration) { session, audit in
            try look(for: 300, at: session, &audit)
            audit.checkCalm(session)
            try audit.conclude(session, countsPacing: true)
            session.kill()
            try audit.checkJournal(of: session)
            #expect(!audit.orders.tickets.isEmpty && !audit.orders.entries.isEmpty)
        }
        #expect(audit.findings.isEmpty, "\(audit.findings)")
    }

    // MARK: Books

    /// A ledger that lacks an execution: positions, cash, the order's fills and orders differ.
    @Test func aMissingExecutionIsFound() throws {
        let audit = try audited { session, audit in
            // The session learns nothing of what the broker does meanwhile.
            try session.gateway.fault(#"{"do":"stall","direction":"out"}"#)
            try session.gateway.fault(#"{"do":"fill","orders":"each"}"#)
            try session.pass(.seconds(1))
            try audit.conclude(session, countsPacing: true)
        }
        #expect(
            Set(audit.findings.keys).isSuperset(of: [.positions, .cash, .fills, .knownOrders]))
    }

    /// Stops that somebody has made larger are filled: more than was asked for, and past nothing.
    @Test func whatIsFilledBeyondTheOrderIsFound() throws {
        let audit = try audited { session, audit in
            try session.gateway.fault(#"{"do":"stall","direction":"out"}"#)
            try session.gateway.fault(#"{"do":"amend","orders":"each","quantity":5000}"#)
            try session.pass(.seconds(1))
            try session.gateway.fault(#"{"do":"fill","orders":"each"}"#)
            try session.pass(.seconds(1))
            try audit.conclude(session, countsPacing: true)
            session.kill()
            try audit.checkJournal(of: session)
        }
        let words = audit.findings[.fills] ?? []
        #expect(words.contains { $0.contains("asked for") }, "\(words)")
        #expect(audit.findings[.reducing] != nil)
    }

    /// Two entries that both count as of one intent.
    @Test func aSecondOrderOfAnIntentIsFound() throws {
        let audit = try audited { session, audit in
            let entries = audit.orders.entries.keys.sorted().compactMap {
                audit.orders.entries[$0]?.first
            }
            var batch = RecordBatch()
            batch.decisions = entries.prefix(2).enumerated().map { index, order in
                Decision(
                    number: Int64(index + 1), at: session.now, .submitted(.entry),
                    about: Decision.Subject(
                        instrument: InstrumentID(index: 0), order: order, intent: 1_000_000))
            }
            audit.orders.take(batch, at: 0)
            try audit.conclude(session, countsPacing: true)
        }
        #expect(Array(audit.findings.keys) == [.intents], "\(audit.findings)")
    }

    @Test func aDamagedJournalIsFound() throws {
        let audit = try audited { session, audit in
            session.kill()
            let names = try FileManager.default.contentsOfDirectory(atPath: session.folder)
            let name = try #require(names.first { $0.hasSuffix(".sqlite") })
            try DatabaseQueue(path: session.folder + "/" + name).write {
                try $0.execute(sql: "UPDATE batch SET at = at + 1 WHERE first_seq > 100")
            }
            try audit.checkJournal(of: session)
        }
        #expect(audit.findings[.journal] != nil)
    }

    // MARK: Orders

    /// An order that left before it was decided, and before there was a link.
    @Test func anOrderBeforeItsDecisionIsFound() throws {
        let audit = try audited { session, audit in
            let (sent, history) = try record(of: session)
            let early = sent.map {
                SimulatedGateway.Received(
                    time: session.plan.start, connection: $0.connection, message: $0.message)
            }
            audit.checkAgainstJournal(early, history)
        }
        #expect(audit.findings[.written] != nil)
        let other = try audited { session, audit in
            let (sent, history) = try record(of: session)
            var lost = history
            lost.links = [ChaosHistory.Link(at: session.plan.start, state: .upstreamLost)]
            audit.checkAgainstJournal(sent, lost)
        }
        #expect(Array(other.findings.keys) == [.link], "\(other.findings)")
    }

    /// An order that is for more than was decided.
    @Test func otherTermsThanDecidedAreFound() throws {
        let audit = try audited { session, audit in
            let (sent, history) = try record(of: session)
            let changed = sent.map { received in
                guard case .placeOrder(var order) = received.message else { return received }
                order.order.totalQuantity = 100_000
                return SimulatedGateway.Received(
                    time: received.time, connection: received.connection,
                    message: .placeOrder(order), marks: received.marks)
            }
            audit.checkAgainstJournal(changed, history)
        }
        #expect(Array(audit.findings.keys) == [.written], "\(audit.findings)")
    }

    /// Orders of which the journal was not written when they left.
    @Test func anOrderThatWasNotDurableIsFound() throws {
        let audit = try audited { session, audit in
            let (sent, history) = try record(of: session)
            var other = ChaosAudit(session.plan.settings)
            other.checkAgainstJournal(sent, history)
            #expect(other.findings[.written]?.first?.contains("durable") == true)
            audit.checkAgainstJournal(sent, history)
        }
        #expect(audit.findings.isEmpty, "\(audit.findings)")
    }

    /// A cancel of an order that the session has known to be cancelled.
    @Test func aCancelOfACancelledOrderIsFound() throws {
        let audit = try audited { session, audit in
            var (sent, history) = try record(of: session)
            let order = try #require(
                sent.compactMap { received -> PlaceOrder? in
                    if case .placeOrder(let order) = received.message { order } else { nil }
                }.first)
            let id = try #require(OrderReference(parsing: order.order.orderRef)?.order)
            history.ends[order.orderId.rawValue] = session.now - .minutes(1)
            history.cancels[id, default: []].append(session.now)
            var cancel = CancelOrder()
            cancel.orderId = order.orderId
            sent.append(
                SimulatedGateway.Received(
                    time: session.now, connection: 1, message: .cancelOrder(cancel)))
            audit.checkAgainstJournal(sent, history)
        }
        #expect(audit.findings[.finished] != nil)
    }

    /// Everything that left while the user had halted trading, behind a restart too.
    @Test func anEntryWhileHaltedIsFound() throws {
        let audit = try audited { session, audit in
            let (sent, history) = try record(of: session)
            var halted = history
            halted.instructions = [
                ChaosHistory.Instruction(at: session.plan.start, action: .kill),
                // It does not end a kill.
                ChaosHistory.Instruction(at: session.plan.start + .minutes(1), action: .resumeAll),
            ]
            audit.checkAgainstJournal(sent, halted)
        }
        #expect(Array(audit.findings.keys) == [.halts], "\(audit.findings)")
    }

    @Test func moreEntriesThanMayBeSentAreFound() throws {
        let audit = try audited { session, audit in
            audit.ordersPerMinute = 1
            let (sent, history) = try record(of: session)
            audit.checkAgainstJournal(sent, history)
        }
        #expect(Array(audit.findings.keys) == [.rate], "\(audit.findings)")
    }

    // MARK: Protection

    /// Positions that should have stops and were never given any.
    @Test func aPositionWithoutItsStopIsFound() throws {
        let audit = try audited(SessionRig.rotation) { session, audit in
            audit.stops = [true]
            try look(for: 60, at: session, &audit)
        }
        #expect(Array(audit.findings.keys) == [.protection], "\(audit.findings)")
    }

    /// Stops that somebody has made larger than what they protect.
    @Test func exitsBeyondThePositionAreFound() throws {
        let audit = try audited { session, audit in
            audit.exits.limit = .zero
            try session.gateway.fault(#"{"do":"stall","direction":"out"}"#)
            try session.gateway.fault(#"{"do":"amend","orders":"each","quantity":5000}"#)
            try look(for: 4, at: session, &audit)
        }
        #expect(audit.findings[.exits] != nil)
    }

    /// Right behind a fill, too, for however short a time.
    @Test func exitsBeyondThePositionAreFoundBehindAFill() throws {
        let audit = try audited { session, audit in
            audit.lookBehindFills(session)
            #expect(audit.findings.isEmpty, "\(audit.findings)")
            try session.gateway.fault(#"{"do":"stall","direction":"out"}"#)
            try session.gateway.fault(#"{"do":"amend","orders":"each","quantity":5000}"#)
            try session.pass(.milliseconds(500))
            try session.gateway.fault(#"{"do":"fill","orders":"oldest","share":0.001}"#)
            try session.pass(.milliseconds(250)) { audit.lookBehindFills(session) }
        }
        #expect(audit.findings[.exits] != nil)
    }

    // MARK: The connection

    /// Streams that the gateway has lost without a word, and an instrument that should have none.
    @Test func aStreamThatIsMissingIsFound() throws {
        let audit = try audited { session, audit in
            try look(for: 2, at: session, &audit)
            #expect(audit.streamless.isEmpty)
            try session.gateway.fault(#"{"do":"streams","fate":"lost"}"#)
            try look(for: 2, at: session, &audit)
            #expect(audit.streamless.count == session.symbols.count)
            for key in audit.streamless.keys { audit.streamless[key] = session.plan.start }
            try look(for: 1, at: session, &audit)
        }
        #expect(audit.findings[.streams] != nil)
    }

    @Test func anotherClientIDIsFound() throws {
        let audit = try audited { session, audit in
            audit.client = 2
            try audit.conclude(session, countsPacing: true)
        }
        #expect(Array(audit.findings.keys) == [.client], "\(audit.findings)")
    }

    @Test func anAlarmInCalmIsFound() throws {
        let audit = try audited { session, audit in
            var batch = RecordBatch()
            batch.decisions = [
                Decision(
                    number: 1, at: session.now, .protectionMissing,
                    about: Decision.Subject(instrument: InstrumentID(index: 0)))
            ]
            audit.alarms.take(batch)
            audit.checkCalm(session)
        }
        #expect(Array(audit.findings.keys) == [.calm], "\(audit.findings)")
    }
}
