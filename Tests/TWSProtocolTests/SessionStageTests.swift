import Primitives
import TWSProtocol
import Testing

/// Every input in every stage of a connection.
@Suite struct SessionStageTests {
    private enum Stage: CaseIterable { case idle, opening, shaking, beginning, begun, waiting }

    private enum Input: CaseIterable { case start, opened, closed, stop, bytes, early, late, send }

    /// What an input came to.
    private enum Result {
        /// Nothing is told and nothing is done to the connection.
        case nothing
        /// An attempt begins.
        case opens
        /// The handshake begins.
        case shakes
        /// The connection ended; the next attempt is planned.
        case ends
        /// The same, and this side ends it.
        case drops
        /// It is over for good.
        case stops
        /// The bytes, or the time, are heeded.
        case goesOn
        /// The message is refused.
        case refuses
    }

    private static let table: [(stage: Stage, results: [Result])] = [
        // start, opened, closed, stop, bytes, early, late, send
        (.idle, [.opens, .nothing, .nothing, .nothing, .nothing, .nothing, .nothing, .refuses]),
        (.opening, [.nothing, .shakes, .ends, .stops, .nothing, .nothing, .nothing, .refuses]),
        (.shaking, [.nothing, .nothing, .ends, .stops, .goesOn, .nothing, .drops, .refuses]),
        (.beginning, [.nothing, .nothing, .ends, .stops, .goesOn, .nothing, .drops, .refuses]),
        (.begun, [.nothing, .nothing, .ends, .stops, .goesOn, .nothing, .drops, .goesOn]),
        (.waiting, [.nothing, .nothing, .nothing, .stops, .nothing, .nothing, .opens, .refuses]),
    ]

    @Test func everyStageTakesEveryInputAsTheTableStates() throws {
        #expect(Self.table.map(\.stage) == Stage.allCases)
        for (stage, results) in Self.table {
            for (input, expected) in zip(Input.allCases, results) {
                try Self.check(input, in: stage, is: expected)
            }
        }
    }

    private static func check(_ input: Input, in stage: Stage, is expected: Result) throws {
        var bench = try Bench(stage)
        let before = bench.session.state
        let refusal = try bench.apply(input)
        let outcome = bench.outcome
        let words: Comment = "\(input) in \(stage)"
        let ending = outcome.events.last { if case .disconnected = $0 { true } else { false } }
        var isRefused = false
        switch expected {
        case .nothing:
            #expect(outcome.events.isEmpty && outcome.connection == .keep, words)
            #expect(bench.session.state == before, words)
        case .opens: #expect(outcome.connection == .open, words)
        case .shakes:
            #expect(bench.session.state == .handshake, words)
            #expect(!outcome.bytes.isEmpty, words)
        case .ends, .drops:
            #expect(outcome.connection == (expected == .drops ? .close : .keep), words)
            guard case .disconnected(_, .some) = ending else {
                Issue.record("no end is told: \(input) in \(stage)")
                return
            }
            #expect(bench.session.state == .down, words)
        case .stops:
            #expect(outcome.connection == .close, words)
            #expect(
                outcome.events.last == .disconnected(.closedByOwner, nextAttemptIn: nil), words)
            #expect(outcome.wake == nil, words)
        case .goesOn: #expect(outcome.connection == .keep, words)
        case .refuses:
            isRefused = true
            #expect(outcome.bytes.isEmpty && outcome.events.isEmpty, words)
        }
        #expect((refusal != nil) == isRefused, words)
        // Whoever has something to wait for says until when.
        if bench.awaits, !isRefused { #expect(outcome.wake != nil, words) }
    }

    /// A session brought into a stage.
    private struct Bench {
        var session: ClientSession
        var outcome = SessionOutcome()
        let stage: Stage
        var now = Timestamp(seconds: 100)

        init(_ stage: Stage) throws {
            var settings = SessionSettings(clientID: 7)
            settings.placesOrders = true
            session = ClientSession(settings: settings)
            self.stage = stage
            switch stage {
            case .idle: break
            case .opening: _ = try apply(.start)
            case .shaking: try shake()
            case .beginning: try begin()
            case .begun:
                try begin()
                try receive([.accounts("DU1"), .nextID(1)])
            case .waiting:
                _ = try apply(.start)
                _ = try apply(.closed)
            }
            outcome.clear()
        }

        /// Whether the session has something to wait for after the inputs so far.
        var awaits: Bool {
            outcome.events.contains {
                if case .disconnected(_, .some) = $0 { true } else { false }
            } || session.state != .down
        }

        private mutating func shake() throws {
            _ = try apply(.start)
            _ = try apply(.opened)
        }

        private mutating func begin() throws {
            try shake()
            receive([0, 0, 0, 26] + Array("200\u{0}20231114 17:13:20 EST\u{0}".utf8))
        }

        mutating func receive(_ messages: [GatewayMessage]) throws {
            var bytes: [UInt8] = []
            for message in messages {
                try TextCodec(version: .newest).encode(message, into: &bytes)
            }
            receive(bytes)
        }

        mutating func receive(_ bytes: [UInt8]) {
            bytes.withUnsafeBytes { session.received($0, at: now, into: &outcome) }
        }

        mutating func apply(_ input: Input) throws -> SendRefusal? {
            switch input {
            case .start: session.start(at: now, into: &outcome)
            case .opened: session.opened(at: now, into: &outcome)
            case .closed: session.closed(.closedByGateway, at: now, into: &outcome)
            case .stop: session.stop(at: now, into: &outcome)
            // Half a message: nothing can come of it yet.
            case .bytes: receive([0])
            case .early: session.timeReached(at: now, into: &outcome)
            case .late: session.timeReached(at: now + .seconds(45), into: &outcome)
            case .send:
                do throws(SendRefusal) {
                    try session.send(.details(1), at: now, into: &outcome)
                } catch {
                    return error
                }
            }
            return nil
        }
    }

    @Test(arguments: [false, true])
    func stoppedSessionsCanBeStartedAnew(whileWaiting: Bool) {
        var rig = SessionRig()
        rig.isListening = !whileWaiting
        rig.start()
        rig.stop()
        #expect(rig.events.last == .disconnected(.closedByOwner, nextAttemptIn: nil))
        rig.advance(by: .hours(1))
        #expect(rig.attempts.count == 1)
        rig.isListening = true
        rig.start()
        #expect(rig.session.state == .ready)
    }

    /// A second start changes nothing, the clock of the first included.
    @Test func startingTwiceKeepsTheClockRunning() {
        var rig = SessionRig.begun()
        rig.answered = []
        rig.start()
        rig.advance(by: .seconds(45))
        #expect(rig.faults == [.silent(.seconds(45))])
    }
}
