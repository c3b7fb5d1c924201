import ArgumentParser
import Primitives
import Runtime

/// `martlet replay`.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Verifies the journals of live sessions, and makes tables of them.",
        discussion: """
            Every row must be as it was written, in one chain. Then a second engine is given the recorded events, and \
            must answer as the first did, command by command. The exit code is 8 where a row was changed or an \
            answer differs; the first is named. It may be done beside a session that runs.

            With --tables, orders, executions, positions, equity and decisions become tables of an SQLite file, which may \
            be deleted and made anew at any time.

            martlet replay results/run/2026-11-24_momentum/journal --verify
            martlet replay results/run/2026-11-24_momentum/journal --tables session.sqlite
            """)

    @Argument(help: "A journal's folder, or one of its files.")
    var path: String

    @Flag(help: "Verify chain and answers.")
    var verify = false

    @Option(help: "Make tables of the journal in this file, in the place of one that is there.")
    var tables: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard verify != (tables != nil) else {
            throw ValidationError("Choose --verify or --tables FILE: one of them at a time.")
        }
    }

    func run() throws {
        if let tables { return try makeTables(in: tables) }
        let verification = try JournalVerification(of: path)
        if !output.quiet {
            Console.print(output.json ? verification.json.compact() : verification.text)
        }
        if !verification.isVerified {
            throw ExitCode(Runtime.ExitCode.verification.rawValue)
        }
    }

    private func makeTables(in file: String) throws {
        let made = try JournalTables(of: path, into: file)
        guard !output.quiet else { return }
        if output.json {
            var object: JSONObject = [JSONValue.Member("file", .text(file))]
            for (table, rows) in made.counts { object.set(table, .number("\(rows)")) }
            Console.print(object.compact())
        } else {
            let rows = made.counts.map { "\($0.rows) \($0.table)" }.joined(separator: ", ")
            Console.print("\(file): \(rows)")
        }
    }
}
