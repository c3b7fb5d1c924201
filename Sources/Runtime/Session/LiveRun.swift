import Configuration
import Dispatch
import Glibc
import Model
import Primitives
import TWSClient
import TWSProtocol
import TradingEngine

/// A live session on this machine: the gateway's connection, the engine and the journal on one thread, so that an order
/// follows from what comes without a hand-over. Users' programs and the terminal's signals are on others.
final class LiveRun {
    /// The session.
    let driver: SessionDriver
    /// What writes down where the program hangs, and ends it; `nil` to let it hang.
    var hung: HungProgram?
    private let log: SessionLog?
    private let clock: SessionClock
    private let end: Timestamp?
    private let inbox: SessionInbox
    private let session: Session
    private let machine: SocketLoop
    private let address: String
    private var control: ControlServer?
    private let killFile: KillFile
    /// Since when the session is to end, by this machine's clock.
    private var endBegun: Timestamp?
    private var isWaitReported = false

    /// How long the gateway may take to answer at the start: waiting without a word would look like trading.
    private static let beginningLimit = Duration.seconds(60)

    /// A run that has not connected.
    ///
    /// - Parameters:
    ///   - clock: session time; `nil` for this machine's time of day.
    ///   - duration: after how much session time the session ends by itself; `nil` for when it is stopped.
    ///   - broker: who takes the orders in mode dry; `nil` where the gateway does.
    init(
        _ plan: SessionDriver.Plan, host: String, port: Int, clock given: SessionClock?,
        lasting duration: Duration?, orderingAt broker: DryBroker? = nil
    ) throws(RunFailure) {
        let machine = SocketLoop()
        self.machine = machine
        address = "\(host):\(port)"
        let clock = given ?? SessionClock.timeOfDay(at: machine.now)
        log = plan.log
        self.clock = clock
        let start = clock.time(at: machine.now)
        end = duration.map { start + $0 }
        var settings = TWSProtocol.SessionSettings(plan.settings.ibkr)
        settings.slow(by: clock.patience)
        let inbox = SessionInbox(limit: plan.settings.ibkr.tickBuffer)
        self.inbox = inbox
        let gateway = SessionTimeConnector(
            base: SocketConnector(host: host, port: port, loop: machine), clock: clock)
        session = Session(
            settings: settings,
            connector: broker.map { DryConnector(base: gateway, broker: $0) } ?? gateway
        ) { events in
            inbox.put(events.map { .input(.gateway($0)) }, at: machine.arrival)
        }
        killFile = KillFile(folder: plan.journal.path)
        var plan = plan
        plan.patience = clock.patience
        driver = try SessionDriver(plan, outlet: session)
    }

    /// Session time.
    var now: Timestamp { clock.time(at: machine.now) }

    /// A handle with which other threads end the run.
    var stopper: @Sendable () -> Void {
        let (inbox, machine) = (inbox, machine)
        return { machine.execute { inbox.put([.stop], at: machine.now) } }
    }

    /// Opens the control socket in the journal's folder.
    ///
    /// - Returns: where it is.
    func openControl() throws(RunFailure) -> String {
        let (inbox, machine, killFile) = (inbox, machine, killFile)
        let control = try ControlServer(in: killFile.folder) { call in
            machine.execute { inbox.put([.input(.control(call))], at: machine.now) }
            // A session that hangs takes it in at its next start.
            if let words = call.killWords { try? killFile.set(words) }
        }
        self.control = control
        return control.path
    }

    /// Closes the control socket.
    func closeControl() { control?.stop() }

    /// Runs until the session is stopped, or its time is over.
    ///
    /// - Parameters:
    ///   - complain: receives what the user should look at, from any thread.
    ///   - report: called a few times a second with how the session stands.
    func run(
        complain: @escaping @Sendable (String) -> Void, report: (SessionDriver.Status) -> Void
    ) throws(RunFailure) {
        let monitor = monitor(complain)
        var (sleep, nextUsage) = (SleepReview(), Timestamp.distantPast)
        session.start()
        defer {
            session.stop()
            machine.finish()
        }
        var nextReport = Timestamp.distantPast
        let begun = machine.now
        while true {
            let waitsSince = (machine.now, Self.sleeplessClock)
            machine.turn(timeout: timeout)
            let batch = inbox.take()
            clock.passSleep(sleep.slept(SleepReview.reading()))
            let now = clock.time(at: machine.now)
            // The wait is a tenth of a second at most: the process was stopped, or the machine slept.
            standStill(max(machine.now - waitsSince.0, Self.sleeplessClock - waitsSince.1))
            let age = batch.oldest.map { machine.now - $0 } ?? .zero
            driver.note(age: age, shed: batch.shed, at: now)
            if machine.now >= nextUsage {
                nextUsage = machine.now + ResourceReview.interval
                if let usage = ResourceReview.Usage.now() { driver.note(usage) }
            }
            var inputs: [LiveSession.Input] = []
            var isStopped = false
            for item in batch.items {
                switch item {
                case .input(let input): inputs.append(input)
                case .stop: isStopped = true
                }
            }
            // Reading a long journal may take its time.
            monitor.begin(mayEnd: driver.hasBegun)
            defer { publish(at: now, complain) }
            try driver.take(inputs, at: now)
            // At most the wait for input behind what came: see `timeout`.
            driver.commit(at: now)
            let turn = monitor.end()
            standStill(turn.still)
            driver.note(turn: turn.awake, at: now)
            if machine.now >= nextReport {
                nextReport = machine.now + .milliseconds(250)
                report(driver.status(at: now))
            }
            if isStopped || end.map({ now >= $0 }) == true { beginEnd(at: now) }
            if driver.mayEnd(at: now) { return try driver.finish() }
            if let words = waitingWords() { complain(words) }
            try checkBeginning(since: begun)
        }
    }

    /// The process was stopped for a while, or the machine slept.
    private func standStill(_ time: Duration) {
        if time > PauseReview.limit { driver.stoodStill(for: time) }
    }

    /// The session is to end: from now on the time of its exit policy runs, by this machine's clock.
    private func beginEnd(at now: Timestamp) {
        guard !driver.isEnding else { return }
        endBegun = machine.now
        driver.end(by: max(now, clock.time(at: machine.now + driver.endLimit)))
    }

    /// What is said once about an end that takes its time.
    private func waitingWords() -> String? {
        guard let begun = endBegun, machine.now - begun > .seconds(1), !isWaitReported else {
            return nil
        }
        isWaitReported = true
        return "the session ends as soon as its exit policy is carried out, within "
            + "\(driver.endLimit) at the latest; a second Ctrl+C or SIGTERM ends it at once"
    }

    /// Shows the alarms, and hands the log what has happened.
    private func publish(at now: Timestamp, _ complain: (String) -> Void) {
        for alarm in driver.takeAlarms() {
            if let log { log.show(alarm) } else { complain("\(alarm)") }
        }
        driver.writeLog(at: now)
    }

    private func monitor(_ complain: @escaping @Sendable (String) -> Void) -> LoopMonitor {
        let hung = hung
        // On a thread of its own: where the disk hangs, the user is notified all the same.
        let queue = DispatchQueue(label: "hung program")
        return LoopMonitor(limit: hung?.limit) { step in
            switch step {
            case .notify(let duration):
                complain(
                    "critical: the session has been stuck for \(duration): a strategy, or the "
                        + "disk, takes too long. Nothing is decided meanwhile; protection stays at "
                        + "the broker. If you kill it (kill -9 \(getpid())), the next start "
                        + "continues from the journal.")
            case .writeStack: queue.async { hung?.writeStack() }
            case .end: queue.async { hung?.end() }
            }
        }
    }

    /// A clock of this machine that also runs while it sleeps.
    private static var sleeplessClock: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    private var timeout: Duration {
        let longest = Duration.milliseconds(100)
        guard let wake = driver.wake else { return longest }
        return min(clock.machineTime(of: wake, now: machine.now) - machine.now, longest)
    }

    private func checkBeginning(since begun: Timestamp) throws(RunFailure) {
        guard !driver.hasBegun, machine.now - begun > Self.beginningLimit else { return }
        if let fault = driver.lastFault { throw .gateway("\(fault)") }
        throw .gateway(
            "The gateway at \(address) did not answer for "
                + driver.missingSymbols.joined(separator: ", ")
                + ", asked \(driver.askedCount) times.")
    }
}

extension TWSProtocol.SessionSettings {
    /// A session that places orders, as configured.
    init(_ settings: GatewaySettings) {
        self.init(clientID: ClientID(rawValue: Int32(clamping: settings.clientID)))
        placesOrders = true
        marketDataLines = settings.marketDataLines
        silence.probe = settings.silence.probe
        silence.stale = settings.silence.stale
        silence.alarm = settings.silence.alarm
        silence.tearDown = settings.silence.tearDown
    }

    /// Gives answers more session time where that runs fast.
    fileprivate mutating func slow(by factor: Int64) {
        func slow(_ limit: inout Duration) {
            limit = Duration(nanoseconds: limit.nanoseconds * factor)
        }
        slow(&beginningLimit)
        slow(&answerLimit)
        slow(&silence.probe)
        slow(&silence.alarm)
        slow(&silence.tearDown)
        slow(&silence.stale)
    }
}
