import ArgumentParser
import Configuration
import Foundation
import Primitives
import Runtime

/// `martlet demo`.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Shows a live session: no account, no network, half a minute.",
        discussion: """
            A simulated gateway replays real one-minute prices of February 2019, and a momentum strategy trades \
            them over a real socket, 300 times as fast as they were. The gateway restarts in the middle of an \
            order. At the end the session's ledger is compared with the gateway's own: the exit \
            code is 8 unless they are equal, the restart was survived and there were at least 20 \
            fills.
            """)

    @OptionGroup var output: OutputOptions

    @Flag(name: [.short, .long], help: "Print what is logged, from level info on, besides alarms.")
    var verbose = false

    @Option(help: "The folder with the prices and the configuration; default: Samples.")
    var samples: String?

    /// Where the session begins: the open of the second day of the prices. Those of the first are its past bars.
    private static let start = Timestamp(seconds: 1_549_981_800)
    /// The length of the session, in session time.
    private static let minutes: Int64 = 120
    private static let speed = 300.0
    /// The order at whose placing the gateway restarts.
    private static let orderBeforeRestart = 9
    private static let fillsMin = 20

    func run() throws {
        let folder = try samplesFolder()
        var document = SettingsDocument()
        document.merge(file: folder + "/momentum-session.yaml")
        let settings = try SettingsCheck(document).get()
        var options = SessionJob.Options()
        options.data = folder + "/data/minute"
        options.start = "\(Self.start)"
        options.speed = Self.speed
        options.duration = .minutes(Self.minutes)
        options.restartsWhenHung = false
        options.console = try output.console(isVerbose: verbose)
        options.commands = [
            "{\"do\":\"script\",\"steps\":[{\"do\":\"restart\",\"seconds\":90,\"on\":\"placeOrder\","
                + "\"nth\":\(Self.orderBeforeRestart)}]}"
        ]
        let job = try SessionJob(settings, options)
        if !output.quiet, !output.json {
            Console.complain(
                "A momentum strategy trades eight stocks at a simulated gateway: two hours of 12 "
                    + "February 2019 in half a minute.")
        }
        let outcome = try job.run(output)
        var faults = outcome.differences.map { "The ledgers differ: \($0)." }
        if outcome.reconnections < 1 { faults.append("The gateway's restart did not happen.") }
        if outcome.fills < Self.fillsMin {
            faults.append("There were \(outcome.fills) fills, and not \(Self.fillsMin).")
        }
        for fault in faults { Console.complain(fault) }
        if !faults.isEmpty { throw ExitCode(Runtime.ExitCode.verification.rawValue) }
    }

    /// The folder of the samples: the one that was given, the one here, or that of the source tree the program was
    /// built in.
    private func samplesFolder() throws -> String {
        let files = FileManager.default
        var folders = [samples].compactMap(\.self)
        if folders.isEmpty {
            folders = ["Samples"]
            var folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            for _ in 0..<5 {
                folder.deleteLastPathComponent()
                folders.append(folder.appendingPathComponent("Samples").path)
            }
        }
        let found = folders.first {
            files.fileExists(atPath: $0 + "/momentum-session.yaml")
        }
        guard let found else {
            throw RunFailure.usage(
                "The demo's prices are not in \(folders[0]): give --samples the folder Samples of the "
                    + "source tree.")
        }
        return found
    }
}
