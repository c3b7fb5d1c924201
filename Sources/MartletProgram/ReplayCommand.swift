import ArgumentParser
import Primitives
import Runtime

/// `martlet replay`.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract:
            "Verifies the journals of live sessions, makes tables of them, salvages a damaged one.",
        discussion: """
            Every row must be as it was written, in one chain. Then a second engine is given the recorded events, and \
            must answer as the first did, command by command. The exit code is 8 where a row was changed or an \
            answer differs; the first is named. It may be done beside a session that runs.

            With --tables, orders, executions, positions, equity and decisions become tables of an SQLite file, which may \
            be deleted and made anew at any time.

            With --salvage, what is whole of a damaged journal is copied into a new folder, from which a session can \
            start; the damaged one is only read. It says what is lost, and what to do then.

            martlet replay results/run/20261124T035206_momentum/journal --verify
            martlet replay results/run/20261124T035206_momentum/journal --tables session.sqlite
            martlet replay results/run/20261124T035206_momentum/journal --salvage salvaged
            """)

    @Argument(help: "A journal's folder, or one of its files.")
    var path: String

    @Flag(help: "Verify chain and answers.")
    var verify = false

    @Option(help: "Make tables of the journal in this file, in the place of one that is there.")
    var tables: String?

    @Option(help: "Copy what is whole of a damaged journal into this new folder.")
    var salvage: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard [verify, tables != nil, salvage != nil].count(where: \.self) == 1 else {
            throw ValidationError(
                "Choose --verify, --tables FILE or --salvage FOLDER: one of them at a time.")
        }
    }

    func run() throws {
        if let salvage {
            let salvaged = try SalvagedJournal(of: path, into: salvage)
            guard !output.quiet else { return }
            return Console.print(output.json ? salvaged.json.compact() : salvaged.text)
        }
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
