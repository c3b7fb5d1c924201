import ArgumentParser
import Dispatch
import Glibc
import Runtime

extension GatewayCommand {
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Runs a simulated gateway that any TWS client can connect to.",
            discussion: """
                Speaks the TWS socket protocol, with simulated money, on synthetic or replayed prices. Its \
                first line is "listening on HOST:PORT". It ends cleanly on Ctrl+C and SIGTERM.

                Orders fill as in backtests; with a configuration, by the rules of its sections backtest and \
                execution.

                martlet gateway run --port 4002 --market synthetic --seed 7
                """)

        @OptionGroup var configuration: SettingsOptions

        @Option(help: "The address to listen on. Anybody who reaches it can trade.")
        var host = "127.0.0.1"

        @Option(help: "The port; 0 takes a free one.")
        var port = 4002

        @Option(help: "The highest protocol version to agree to, 157 to 200.")
        var maxServerVersion: Int?

        @Option(help: "Where prices come from: synthetic, or replay of the files in --data.")
        var market = "synthetic"

        @Option(help: "With --market replay, the folder of bars or ticks.")
        var data: String?

        @Option(help: "What every draw follows from.")
        var seed: UInt64 = 1

        @Option(help: "Seconds of session time in a second; 0: time moves by gateway ctl only.")
        var speed = 1.0

        @Option(
            help:
                "When session time begins: 2026-01-05T10:00:00-05:00, now, or a day (10:00 New York time)."
        )
        var start: String?

        @Option(help: "What goes wrong, by name; several joined by +. See gateway ctl list.")
        var scenario: String?

        @Option(help: "The Unix socket for gateway ctl.")
        var control: String?

        @Option(help: "The file that keeps orders, account and numbers between runs.")
        var state: String?

        @Option(help: "The account; several joined by commas.")
        var account = "DU1234567"

        @Option(help: "margin or cash.")
        var accountType = "margin"

        @Option(help: "The cash to begin with, in dollars.")
        var cash = 1_000_000

        @Option(help: "The client that receives every client's orders, besides client 0.")
        var masterClient: Int?

        @Option(
            help:
                "What becomes of messages beyond the limit: they wait (pace), are warned of (reject), or are taken (off)."
        )
        var pacing = "pace"

        @Option(help: "Market data lines; half as many messages a second are allowed.")
        var lines = 100

        func run() throws {
            let job = try GatewayRunJob(
                GatewayRunJob.Options(
                    host: host, port: port, maxServerVersion: maxServerVersion, market: market,
                    data: data, seed: seed, speed: speed, start: start, scenario: scenario,
                    control: control, state: state, accounts: account, accountType: accountType,
                    cash: cash, masterClient: masterClient, pacing: pacing, lines: lines),
                following: try configuration.isGiven ? configuration.settings() : nil)
            let running = try job.start { Console.complain($0) }
            Console.print("listening on \(host):\(running.port)")
            Interruption.wait()
            try running.stop()
        }
    }

    struct Control: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ctl", abstract: "Tells a running simulated gateway what to do.",
            discussion: """
                Commands are JSON objects, a line each; so are the answers. Without one, they are read from \
                standard input. {"do":"list"} lists them all.

                martlet gateway ctl --socket /tmp/gateway.ctl '{"do":"ledger"}'
                """)

        @Option(help: "The socket given to gateway run as --control.")
        var socket: String

        @Argument(help: "The command.")
        var commands: [String] = []

        func run() throws {
            let control = try ControlSocket(path: socket, of: .gateway)
            defer { control.close() }
            var isRejected = false
            func perform(_ command: String) throws {
                let answer = try control.execute(command)
                isRejected = isRejected || answer.isRefusal
                Console.print(answer.text)
            }
            if commands.isEmpty {
                while let line = readLine() {
                    if !line.allSatisfy(\.isWhitespace) { try perform(line) }
                }
            } else {
                for command in commands { try perform(command) }
            }
            if isRejected { throw ArgumentParser.ExitCode(Runtime.ExitCode.usage.rawValue) }
        }
    }
}

/// Ctrl+C, SIGTERM and the end of the terminal (SIGHUP).
enum Interruption {
    private static let ends = [SIGINT, SIGTERM, SIGHUP]

    /// Returns when the process is asked to end; asked again, it ends at once.
    static func wait() {
        let asked = DispatchSemaphore(value: 0)
        let followed = followed
        let sources = follow(followed) { asked.signal() }
        asked.wait()
        for source in sources { source.cancel() }
        for number in followed { signal(number, SIG_DFL) }
    }

    /// Calls `body` when the process is asked to end; asked again, it ends at once. What comes within half a second is the
    /// same request: a service's manager asks all of its processes, and so does our supervisor.
    ///
    /// - Returns: what follows the signals, for as long as it is kept.
    static func call(_ body: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        // A reader that goes away, as of a pipe, is no reason to end.
        signal(SIGPIPE, SIG_IGN)
        let followed = followed
        return follow(followed) {
            body()
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.5) {
                for number in followed { signal(number, SIG_DFL) }
            }
        }
    }

    /// The signals that end the process; not that of the terminal's end where the user has it ignored (`nohup`).
    private static var followed: [Int32] {
        ends.filter { number in
            var action = sigaction()
            sigaction(number, nil, &action)
            let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            return number != SIGHUP || handler != unsafeBitCast(SIG_IGN, to: Int.self)
        }
    }

    /// Calls `body` with each SIGUSR1, which kills a session's trading and not the process.
    ///
    /// - Returns: what follows the signal, for as long as it is kept.
    static func callOnKill(_ body: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        follow([SIGUSR1], body)
    }

    private static func follow(
        _ numbers: [Int32], _ body: @escaping @Sendable () -> Void
    ) -> [any DispatchSourceSignal] {
        numbers.map { number in
            // The default action would end the process before anything is put in order.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { body() }
            source.resume()
            return source
        }
    }
}
