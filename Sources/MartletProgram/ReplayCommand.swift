import ArgumentParser
import Primitives
import Runtime

/// `martlet replay`.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Verifies the journals of live sessions.",
        discussion: """
            Every row must be as it was written, in one chain. Then a second engine is given the recorded events, and \
            must answer as the first did, command by command. The exit code is 8 where a row was changed or an \
            answer differs; the first is named. It may be done beside a session that runs.

            martlet replay results/run/2026-11-24_momentum/journal --verify
            """)

    @Argument(help: "A journal's folder, or one of its files.")
    var path: String

    @Flag(help: "Verify chain and answers.")
    var verify = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard verify else { throw ValidationError("--verify is what can be done with a journal.") }
    }

    func run() throws {
        let verification = try JournalVerification(of: path)
        if !output.quiet {
            Console.print(output.json ? verification.json.compact() : verification.text)
        }
        if !verification.isVerified {
            throw ExitCode(Runtime.ExitCode.verification.rawValue)
        }
    }
}
