package import Primitives
import Synchronization

/// A session's loop that its owner empties by hand, with a clock that the owner sets.
///
/// Work and timers may come from any thread. Only the owner runs the loop, so that nothing of a session happens unless
/// the owner lets it.
package final class ManualLoop: SessionLoop {
    private let state = Mutex(State())

    /// A loop whose clock stands at 1000 seconds, and 2023-11-14 22:30 UTC.
    package init() {}

    private struct State {
        var now = Timestamp(seconds: 1_000)
        /// What the time of day is ahead of the clock.
        var ahead = Duration.seconds(1_700_000_000)
        var work: [@Sendable () -> Void] = []
        var timers: [Entry] = []
        var nextTimer = 0
    }

    private struct Entry {
        let id: Int
        let time: Timestamp
        let work: @Sendable () -> Void
    }

    private struct Timer: SessionTimer {
        let loop: ManualLoop
        let id: Int
        func cancel() { loop.state.withLock { $0.timers.removeAll { $0.id == id } } }
    }

    /// The clock: it moves when its owner moves it.
    package var now: Timestamp { state.withLock { $0.now } }

    /// The time of day that the session sees.
    package var timeOfDay: Timestamp { state.withLock { $0.now + $0.ahead } }

    /// Timers that wait.
    package var timerCount: Int { state.withLock { $0.timers.count } }

    /// Takes work for the next run.
    package func execute(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.work.append(work) }
    }

    /// Takes work for a later time.
    package func schedule(
        at time: Timestamp, _ work: @escaping @Sendable () -> Void
    ) -> any SessionTimer {
        let id = state.withLock { state in
            state.nextTimer += 1
            state.timers.append(Entry(id: state.nextTimer, time: time, work: work))
            return state.nextTimer
        }
        return Timer(loop: self, id: id)
    }

    /// Runs what waits and what is due, until there is nothing more at this time.
    ///
    /// - Returns: whether there was anything.
    @discardableResult package func run() -> Bool {
        var hasRun = false
        // Whatever makes work without end at one time is a fault of the session.
        for _ in 0..<10_000_000 {
            guard let work = next(until: now) else { return hasRun }
            work()
            hasRun = true
        }
        preconditionFailure("the loop does not come to rest at \(now)")
    }

    /// Lets time pass: timers fire in their order, each at its own time.
    package func advance(by duration: Duration) {
        let target = now + duration
        while let work = next(until: target) { work() }
        state.withLock { $0.now = max($0.now, target) }
        run()
    }

    /// Sets the time of day without touching the clock, as a person or a time server does.
    package func setTimeOfDay(ahead: Duration) { state.withLock { $0.ahead = ahead } }

    /// The next piece of work, and the clock moved to its time.
    private func next(until limit: Timestamp) -> (@Sendable () -> Void)? {
        state.withLock { state in
            if !state.work.isEmpty { return state.work.removeFirst() }
            let due = state.timers.indices.filter { state.timers[$0].time <= limit }
            let first = due.min {
                (state.timers[$0].time, state.timers[$0].id)
                    < (state.timers[$1].time, state.timers[$1].id)
            }
            guard let first else { return nil }
            let timer = state.timers.remove(at: first)
            state.now = max(state.now, timer.time)
            return timer.work
        }
    }
}
