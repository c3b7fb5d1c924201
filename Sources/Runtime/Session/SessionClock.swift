import Glibc
import Primitives
import Synchronization
import TWSClient

/// The clock of a session: the time of day, or session time that begins anywhere and runs at any speed.
///
/// It stands until it is begun, so that it and a simulated gateway's clock begin together. It never goes back.
final class SessionClock: Sendable {
    /// Seconds of session time in one second of this machine.
    let speed: Double
    private let start: Timestamp
    private let state = Mutex(State())

    private struct State {
        /// The machine's clock when it was begun; `nil` before.
        var origin: Timestamp?
        /// How long the machine's clock has stood while the machine slept.
        var slept = Duration.zero
    }

    /// A clock that stands at `start`.
    ///
    /// - Parameter speed: above 0.
    init(start: Timestamp, speed: Double = 1) {
        self.start = start
        self.speed = speed
    }

    /// A clock that runs already and shows this machine's time of day.
    ///
    /// It is read once: a later change of the machine's clock is no jump of session time, and the gateway's clock is
    /// compared all the time.
    static func timeOfDay(at machine: Timestamp) -> SessionClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let clock = SessionClock(
            start: Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)))
        clock.begin(at: machine)
        return clock
    }

    /// Lets it run, if it does not yet.
    func begin(at machine: Timestamp) { state.withLock { $0.origin = $0.origin ?? machine } }

    /// The machine has slept, and its clock stood: time has passed all the same.
    func passSleep(_ time: Duration) {
        state.withLock { if $0.origin != nil { $0.slept = $0.slept + time } }
    }

    /// Session time at a time of the machine's clock.
    func time(at machine: Timestamp) -> Timestamp {
        let state = state.withLock(\.self)
        guard let origin = state.origin else { return start }
        return start + scaled(machine - origin + state.slept, by: speed)
    }

    /// The time of the machine's clock at which session time will be reached.
    func machineTime(of time: Timestamp, now machine: Timestamp) -> Timestamp {
        let state = state.withLock(\.self)
        return (state.origin ?? machine) + scaled(time - start, by: 1 / speed) - state.slept
    }

    /// How many times as long answers are waited for, where session time runs fast: what a message takes on this machine
    /// does not shrink.
    var patience: Int64 { max(1, Int64(speed / 20)) }

    /// How long the machine's clock takes for a length of session time.
    func machineDuration(of duration: Duration) -> Duration { scaled(duration, by: 1 / speed) }

    private func scaled(_ duration: Duration, by factor: Double) -> Duration {
        if factor == 1 { return duration }
        let limit = Double(Int64.max / 4)
        return Duration(
            nanoseconds: Int64(min(max(Double(duration.nanoseconds) * factor, -limit), limit)))
    }
}

/// A network library's loop in session time.
struct SessionTimeLoop: SessionLoop {
    let base: any SessionLoop
    let clock: SessionClock

    var now: Timestamp { clock.time(at: base.now) }

    var timeOfDay: Timestamp { now }

    func execute(_ work: @escaping @Sendable () -> Void) { base.execute(work) }

    func schedule(at time: Timestamp, _ work: @escaping @Sendable () -> Void) -> any SessionTimer {
        base.schedule(at: clock.machineTime(of: time, now: base.now), work)
    }
}

/// Opens connections whose sessions live in session time.
struct SessionTimeConnector: PipeConnector {
    let base: any PipeConnector
    let clock: SessionClock

    var loop: any SessionLoop { SessionTimeLoop(base: base.loop, clock: clock) }

    func connect(_ listener: PipeListener) {
        let machine = base.loop
        base.connect(
            PipeListener(
                opened: { pipe in
                    clock.begin(at: machine.now)
                    listener.opened(pipe)
                }, received: listener.received, closed: listener.closed))
    }
}
