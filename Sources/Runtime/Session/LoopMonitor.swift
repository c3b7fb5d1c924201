import Dispatch
import Foundation
import Model
import Primitives
import Synchronization

/// Notices from a thread of its own that a session's loop does not come back: a strategy that hangs cannot be
/// stopped from within.
final class LoopMonitor: Sendable {
    private struct Turn {
        var begun: DispatchTime?
        /// When the user was notified last.
        var notified: DispatchTime?
    }

    private let turn = Mutex(Turn())
    private let isOver = DispatchSemaphore(value: 0)

    /// How long a turn may take before the user is notified.
    static let slow = Duration.seconds(2)
    /// How long it may take before no entry follows from what comes behind it.
    static let stuck = Duration.seconds(10)

    /// Begins to look.
    ///
    /// - Parameter notify: called from another thread with how long the turn takes, every ten seconds.
    init(notify: @escaping @Sendable (Duration) -> Void) {
        let isOver = isOver
        let thread = Thread { [weak self] in
            while isOver.wait(timeout: .now() + 0.5) == .timedOut {
                if let duration = self?.overdue() { notify(duration) }
            }
        }
        thread.name = "loop monitor"
        thread.start()
    }

    deinit { isOver.signal() }

    /// A turn of the loop begins.
    func begin() { turn.withLock { $0 = Turn(begun: .now()) } }

    /// It has ended.
    ///
    /// - Returns: how long it took.
    func end() -> Duration {
        turn.withLock { turn in
            defer { turn = Turn() }
            return turn.begun?.elapsed ?? .zero
        }
    }

    private func overdue() -> Duration? {
        turn.withLock { turn in
            guard let duration = turn.begun?.elapsed, duration >= Self.slow else { return nil }
            if let notified = turn.notified, notified.elapsed < .seconds(10) { return nil }
            turn.notified = .now()
            return duration
        }
    }
}

extension DispatchTime {
    fileprivate var elapsed: Duration {
        let now = DispatchTime.now().uptimeNanoseconds
        return Duration(nanoseconds: Int64(now - min(uptimeNanoseconds, now)))
    }
}

/// The conditions that follow from turns of the loop that took long; each ends a minute after the last.
struct TurnReview: Sendable {
    private var ends: [(condition: SessionCondition, at: Timestamp)] = []

    /// How long a condition holds.
    static let time = Duration.seconds(60)

    /// Takes in how long a turn took.
    mutating func note(_ duration: Duration, at now: Timestamp) -> [ConditionReport] {
        guard duration >= LoopMonitor.slow else { return [] }
        let condition: SessionCondition =
            duration >= LoopMonitor.stuck ? .strategyStuck : .strategySlow
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
