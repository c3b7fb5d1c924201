import Glibc
import NIOCore
import Primitives

/// A network library's event loop as a session's loop.
struct NIOLoop: SessionLoop {
    let loop: any EventLoop

    /// The loop's own clock: monotonic, and the one its timers use.
    var now: Timestamp {
        Timestamp(nanoseconds: Int64(clamping: NIODeadline.now().uptimeNanoseconds))
    }

    var timeOfDay: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    func execute(_ work: @escaping @Sendable () -> Void) { loop.execute(work) }

    func schedule(
        at time: Timestamp, _ work: @escaping @Sendable () -> Void
    ) -> any SessionTimer {
        let deadline = NIODeadline.uptimeNanoseconds(UInt64(clamping: time.nanoseconds))
        return NIOTimer(scheduled: loop.scheduleTask(deadline: deadline, work))
    }
}

/// Work scheduled on an event loop.
struct NIOTimer: SessionTimer {
    let scheduled: Scheduled<Void>
    func cancel() { scheduled.cancel() }
}
