import Primitives
import Testing

@testable import Runtime

/// Turns of a session's loop that do not end, as the thread beside it sees them.
@Suite struct TurnMonitorTests {
    private static let start = Timestamp(seconds: 1_000)

    /// What is to be done, with the time since the turn began at which it was; looks come twice a second.
    private func steps(
        _ turn: inout TurnMonitor, until end: Duration, from first: Duration = .zero
    ) -> [(at: Duration, step: TurnMonitor.Step)] {
        var found: [(at: Duration, step: TurnMonitor.Step)] = []
        var time = first
        while time < end {
            time = time + TurnMonitor.interval
            for step in turn.look(at: Self.start + time) { found.append((time, step)) }
        }
        return found
    }

    /// P3, A2: the user is notified after two seconds and every ten from then on, the stack is written after ten, and
    /// with the limit the program is ended, once.
    @Test func aTurnThatHangsIsWrittenDownAndEnded() {
        var turn = TurnMonitor(limit: .seconds(25))
        turn.begin(at: Self.start, mayEnd: true)
        let found = steps(&turn, until: .seconds(40))
        let notices = found.compactMap { one -> Duration? in
            if case .notify(let time) = one.step { time } else { nil }
        }
        #expect(notices == [2, 12, 22, 32].map { Duration.seconds($0) })
        #expect(found.filter { $0.step == .writeStack }.map(\.at) == [.seconds(10)])
        #expect(found.filter { $0.step == .end }.map(\.at) == [.seconds(25)])
    }

    /// A limit below ten seconds: the stack is written before the program is ended.
    @Test func theStackIsWrittenBeforeTheEnd() {
        var turn = TurnMonitor(limit: .seconds(5))
        turn.begin(at: Self.start, mayEnd: true)
        let found = steps(&turn, until: .seconds(15))
        #expect(
            found.filter { $0.at == .seconds(5) }.map(\.step) == [.writeStack, .end])
    }

    /// T6: while nobody looks the whole program stands still, or the machine does: that is no turn that hangs.
    @Test func aStandstillOfTheProgramIsNoHang() {
        var turn = TurnMonitor(limit: .seconds(60))
        turn.begin(at: Self.start, mayEnd: true)
        #expect(steps(&turn, until: .seconds(1)).isEmpty)
        // Ten minutes without a look count as a second, two intervals: 1 + 1 + 3 seconds are below any limit.
        let found = steps(&turn, until: .minutes(10) + .seconds(4), from: .minutes(10))
        #expect(found.map(\.step) == [.notify(.seconds(2))])
        #expect(
            turn.end(at: Self.start + .minutes(10) + .seconds(4))
                == TurnMonitor.Length(
                    awake: .milliseconds(5_500), still: .milliseconds(598_500)))
    }

    /// Reading a long journal at the start may take its time.
    @Test func aTurnThatMayTakeItsTimeIsNotEnded() {
        var turn = TurnMonitor(limit: .seconds(5))
        turn.begin(at: Self.start, mayEnd: false)
        #expect(!steps(&turn, until: .minutes(2)).contains { $0.step == .end })
        #expect(turn.end(at: Self.start + .minutes(2)).awake == .minutes(2))
        #expect(turn.look(at: Self.start + .minutes(3)).isEmpty)
    }
}
