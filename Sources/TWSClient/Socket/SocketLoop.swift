import CLinux
import Glibc
package import Primitives
import Synchronization

/// A session's loop on the thread of its owner, who calls `turn`: what the sockets bring, what follows from it and what
/// leaves need no other thread, and so no hand-over.
///
/// `turn` and `finish` are the owner's alone; everything else may be called from any thread.
package final class SocketLoop: SessionLoop {
    private let state = Mutex(State())
    /// Readable once the owner, who waits in `turn`, has something to do.
    private let bell = Bell()

    private struct State {
        /// To be run, in this order.
        var work: [@Sendable () -> Void] = []
        /// By time, and by number at one time.
        var timers: [Timer] = []
        var nextTimer = 0
        /// What is read from.
        var pipes: [SocketPipe] = []
        /// True while the owner waits for the sockets.
        var isWaiting = false
        /// When the sockets were last known to hold nothing unread.
        var emptied = Timestamp.distantFuture
        /// The earliest time at which what was read in this turn can have come.
        var arrival = Timestamp.distantPast
    }

    /// A shorter time is none: what is there is read at once.
    private static let shortest = Duration(nanoseconds: 50_000)

    private struct Timer {
        let number: Int
        let time: Timestamp
        let work: @Sendable () -> Void
    }

    /// A timer that can be called off.
    private struct SocketTimer: SessionTimer {
        let loop: SocketLoop
        let number: Int

        func cancel() {
            loop.state.withLock { state in state.timers.removeAll { $0.number == number } }
        }
    }

    /// A loop with nothing to do.
    package init() {}

    package var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Timestamp(time)
    }

    package var timeOfDay: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(time)
    }

    /// The earliest time at which what is delivered now can have come in: while the owner was busy, it lay in the socket.
    package var arrival: Timestamp { state.withLock(\.arrival) }

    package func execute(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.work.append(work) }
        ring()
    }

    package func schedule(
        at time: Timestamp, _ work: @escaping @Sendable () -> Void
    ) -> any SessionTimer {
        let number = state.withLock { state in
            state.nextTimer += 1
            let index = state.timers.firstIndex { $0.time > time } ?? state.timers.count
            state.timers.insert(
                Timer(number: state.nextTimer, time: time, work: work), at: index)
            return state.nextTimer
        }
        ring()
        return SocketTimer(loop: self, number: number)
    }

    /// Ends the owner's wait, if it waits.
    func ring() {
        if state.withLock(\.isWaiting) { bell.ring() }
    }

    /// Reads from a pipe from now on. On the loop.
    func open(_ pipe: SocketPipe) { state.withLock { $0.pipes.append(pipe) } }

    /// Reads from it no more. On the loop.
    func shut(_ pipe: SocketPipe) { state.withLock { $0.pipes.removeAll { $0 === pipe } } }

    /// Waits for something to do, for as long as `timeout`, and does it: what came on the sockets first, then what was
    /// given to be executed, then timers.
    package func turn(timeout: Duration) {
        let (pipes, wait) = state.withLock { state in
            let now = now
            let until = state.timers.first.map { max($0.time - now, .zero) } ?? timeout
            state.isWaiting = state.work.isEmpty
            return (state.pipes, state.isWaiting ? min(until, max(timeout, .zero)) : .zero)
        }
        var isEmpty = true
        for (pipe, events) in zip(pipes, poll(pipes, for: wait)) where events != 0 {
            isEmpty = pipe.handle(events) && isEmpty
        }
        if isEmpty { state.withLock { $0.emptied = now } }
        runWork()
        runTimers()
    }

    /// Runs what was given to be executed, and what follows from that.
    package func finish() {
        while state.withLock({ !$0.work.isEmpty }) { runWork() }
    }

    /// Waits until a pipe can be read or written, or somebody rings.
    ///
    /// - Returns: what each pipe is ready for.
    private func poll(_ pipes: [SocketPipe], for wait: Duration) -> [Int16] {
        var files = pipes.map { pipe in
            pollfd(
                fd: pipe.file, events: Int16(POLLIN | (pipe.hasUnsent ? POLLOUT : 0)), revents: 0)
        }
        files.append(pollfd(fd: bell.file, events: Int16(POLLIN), revents: 0))
        let before = now
        let count = martlet_poll(&files, UInt(files.count), wait.nanoseconds)
        let after = now
        state.withLock { state in
            state.isWaiting = false
            // Where there was no wait, it may have lain there since it was last looked.
            let hasWaited = after - before > Self.shortest
            state.arrival = hasWaited ? after : min(state.emptied, after)
        }
        // Interrupted by a signal: as if nothing were ready.
        guard count > 0 else { return [] }
        if files[pipes.count].revents != 0 { bell.quiet() }
        return files.dropLast().map(\.revents)
    }

    private func runWork() {
        let work = state.withLock { state in
            defer { state.work.removeAll() }
            return state.work
        }
        for one in work { one() }
    }

    private func runTimers() {
        while let due = takeDue() { due() }
    }

    private func takeDue() -> (@Sendable () -> Void)? {
        let now = now
        return state.withLock { state in
            guard let first = state.timers.first, first.time <= now else { return nil }
            state.timers.removeFirst()
            return first.work
        }
    }
}

extension Timestamp {
    /// A reading of one of this machine's clocks.
    fileprivate init(_ time: timespec) {
        self.init(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
