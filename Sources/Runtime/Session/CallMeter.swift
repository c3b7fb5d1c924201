import Glibc
import Model
import Primitives
import Synchronization

/// Measures how long a session's strategies take, call by call.
///
/// The engine reads no clock: what took too long becomes an event, and what follows from it is the engine's.
final class CallMeter: Sendable {
    /// From which time on a call counts as slow.
    static let slow = Duration.milliseconds(50)
    /// From which time on the entries of a strategy are stopped, once its call has returned.
    static let budget = Duration.seconds(2)

    /// The slow calls of a strategy.
    struct SlowCalls: Hashable, Sendable {
        /// How many there were.
        var count = 0
        /// How long the longest took.
        var longest = Duration.zero
    }

    private struct State {
        /// By strategy; those behind the last have none.
        var slow: [SlowCalls] = []
        var overruns: [ConditionReport] = []
    }

    private let state = Mutex(State())
    private let clock: @Sendable (StrategyID) -> Timestamp

    /// A meter that has measured nothing.
    ///
    /// - Parameter clock: this machine's clock, asked right before and right behind a strategy's call.
    init(clock: @escaping @Sendable (StrategyID) -> Timestamp = { _ in CallMeter.monotonic }) {
        self.clock = clock
    }

    /// The time of the clock.
    func now(_ strategy: StrategyID) -> Timestamp { clock(strategy) }

    /// Takes in that a call has returned.
    func note(_ strategy: StrategyID, took time: Duration) {
        guard time >= Self.slow else { return }
        let index = Int(strategy.index)
        state.withLock { state in
            while state.slow.count <= index { state.slow.append(SlowCalls()) }
            state.slow[index].count += 1
            state.slow[index].longest = max(state.slow[index].longest, time)
            guard time > Self.budget else { return }
            state.overruns.append(
                ConditionReport(
                    .strategyOverBudget, isPresent: true, of: strategy, value: time.nanoseconds))
        }
    }

    /// Takes the calls over budget since the last call, in their order.
    func takeOverruns() -> [ConditionReport] {
        state.withLock { state in
            defer { state.overruns.removeAll() }
            return state.overruns
        }
    }

    /// The slow calls of each of so many strategies.
    func slowCalls(of count: Int) -> [SlowCalls] {
        state.withLock { state in
            (0..<count).map { $0 < state.slow.count ? state.slow[$0] : SlowCalls() }
        }
    }

    private static var monotonic: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
