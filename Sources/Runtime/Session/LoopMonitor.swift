import Dispatch
import Foundation
import Model
import Primitives
import Synchronization

/// Notices from a thread of its own that a session's loop does not come back: a strategy that hangs cannot be
/// stopped from within.
final class LoopMonitor: Sendable {
    private let turn: Mutex<TurnMonitor>
    private let isOver = DispatchSemaphore(value: 0)

    /// Begins to look.
    ///
    /// - Parameters:
    ///   - limit: with which turn the program is ended; `nil` for none.
    ///   - perform: called from another thread with what is to be done.
    init(limit: Duration? = nil, perform: @escaping @Sendable (TurnMonitor.Step) -> Void) {
        turn = Mutex(TurnMonitor(limit: limit))
        let isOver = isOver
        let interval = Double(TurnMonitor.interval.nanoseconds) / 1e9
        let thread = Thread { [weak self] in
            while isOver.wait(timeout: .now() + interval) == .timedOut {
                for step in self?.look() ?? [] { perform(step) }
            }
        }
        thread.name = "loop monitor"
        thread.start()
    }

    deinit { isOver.signal() }

    /// A turn of the loop begins.
    ///
    /// - Parameter mayEnd: false where it may take as long as it needs.
    func begin(mayEnd: Bool = true) {
        turn.withLock { $0.begin(at: Self.now, mayEnd: mayEnd) }
    }

    /// It has ended.
    func end() -> TurnMonitor.Length { turn.withLock { $0.end(at: Self.now) } }

    private func look() -> [TurnMonitor.Step] { turn.withLock { $0.look(at: Self.now) } }

    private static var now: Timestamp {
        Timestamp(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
    }
}

/// The conditions that follow from turns of the loop that took long; each ends a minute after the last.
struct TurnReview: Sendable {
    private var ends: [(condition: SessionCondition, at: Timestamp)] = []

    /// How long a condition holds.
    static let time = Duration.seconds(60)

    /// Takes in how long a turn took.
    mutating func note(_ duration: Duration, at now: Timestamp) -> [ConditionReport] {
        guard duration >= TurnMonitor.slow else { return [] }
        let condition: SessionCondition =
            duration >= TurnMonitor.stuck ? .strategyStuck : .strategySlow
        let isNew = !ends.contains { $0.condition == condition }
        ends.removeAll { $0.condition == condition }
        ends.append((condition, now + Self.time))
        return isNew
            ? [ConditionReport(condition, isPresent: true, value: duration.nanoseconds)] : []
    }

    /// Takes in that time has passed.
    mutating func review(at now: Timestamp) -> [ConditionReport] {
        let over = ends.filter { $0.at <= now }
        ends.removeAll { $0.at <= now }
        return over.map { ConditionReport($0.condition, isPresent: false) }
    }
}
