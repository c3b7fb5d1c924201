import ArgumentParser
import Glibc
import Runtime

/// The command line: parses, builds, runs; no logic.
struct Martlet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "martlet",
        abstract: "Backtests and trades strategies for Interactive Brokers accounts.",
        discussion: "Exit codes: 0 ok, 1 unexpected failure, 2 usage, 3 configuration invalid, "
            + "4 gateway not reached, 5 not permitted, 6 data missing or failed its check, 7 a backtest ended halted, 8 verification failed, "
            + "9 the exit policy was not carried out, 10 a supervised session died too often, "
            + "130 and 143 ended at once by a second signal.",
        version: ProgramVersion.current,
        subcommands: [
            DemoCommand.self, RunCommand.self, CtlCommand.self, ReplayCommand.self,
            DoctorCommand.self, ChaosCommand.self,
            BacktestCommand.self,
            OptimizeCommand.self,
            DataCommand.self, StrategyCommand.self,
            ConfigCommand.self, GatewayCommand.self, ExploreCommand.self, WireCommand.self,
        ])

    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let failure as RunFailure {
            Console.complain("\(failure)")
            Glibc.exit(failure.exitCode.rawValue)
        } catch let code as ArgumentParser.ExitCode {
            Glibc.exit(code.rawValue)
        } catch {
            end(error)
        }
    }

    /// Help and version are no errors; anything else the parser throws is a matter of usage.
    private static func end(_ error: any Error) -> Never {
        let message = fullMessage(for: error)
        guard exitCode(for: error) != .success else {
            Console.print(message)
            Glibc.exit(Runtime.ExitCode.success.rawValue)
        }
        Console.complain(message)
        Glibc.exit(Runtime.ExitCode.usage.rawValue)
    }
}
