import ArgumentParser
import Runtime

/// `martlet data`.
struct DataCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "data", abstract: "Checks, lists, converts and generates historical prices.",
        subcommands: [
            Check.self, List.self, Import.self, Aggregate.self, Pack.self, Generate.self,
        ])

    /// Which files, and how they are meant.
    struct Selection: ParsableArguments {
        @Argument(help: "A folder of SYMBOL.csv or SYMBOL.csv.gz files, or one such file.")
        var path: String

        @Option(help: "Only these, separated by commas.")
        var symbols: String?

        @OptionGroup var times: Times

        func selection() throws -> DataSelection {
            try DataSelection(path: path, symbols: symbols ?? "", reading: times.reading)
        }
    }

    /// How times are meant.
    struct Times: ParsableArguments {
        @Option(help: "The sessions bars should lie in: new_york, or always for none.")
        var calendar = "new_york"

        @Option(help: "Whose clock times without a zone are from: utc or new_york.")
        var zone: String?

        @Option(help: "Which end of a bar a time marks: start or end.")
        var stamp = "start"

        @Option(help: "How long a bar lasts, such as 1m; the most frequent step when left out.")
        var barSize: String?

        var reading: DataReading {
            var reading = DataReading()
            reading.calendar = calendar
            reading.zone = zone
            reading.stamp = stamp
            reading.barSize = barSize
            return reading
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract:
                "Reports everything that is wrong or doubtful in data files, with line numbers.",
            discussion: """
                Ends with 6 when a file has errors, with 0 when it is clean or has warnings only. \
                What is looked for: docs/data.md.

                martlet data check Samples/data/minute
                """)

        @OptionGroup var selection: Selection
        @OptionGroup var output: OutputOptions

        @Flag(help: "Write repaired copies and a list of changes to --output.")
        var fix = false

        @Option(name: [.customShort("o"), .customLong("output")], help: "The folder for --fix.")
        var folder: String?

        @Flag(help: "With --fix, write copies that lack more than 5 % of a file's rows, too.")
        var force = false

        @Flag(help: "Let warnings fail the check, too.")
        var strict = false

        @Option(help: "How many findings of each kind to print; JSON has them all.")
        var details = 5

        func validate() throws {
            guard fix == (folder != nil) else {
                throw ValidationError("--fix and --output belong together.")
            }
            guard fix || !force else { throw ValidationError("--force goes with --fix.") }
            guard details >= 0 else { throw ValidationError("--details must not be negative.") }
        }

        func run() throws {
            let job = DataCheckJob(
                try selection.selection(), isStrict: strict, isForced: force)
            let outcome = try DataCommand.withProgress(output, "checking") { progress in
                try job.run(repairingInto: folder, progress: progress)
            }
            if !output.quiet {
                Console.print(output.json ? outcome.json : outcome.text(details: details))
            }
            if outcome.exitCode != .success { throw ExitCode(outcome.exitCode.rawValue) }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists data files: size of bars, range, gaps, hints at the basis, checksum.")

        @OptionGroup var selection: Selection
        @OptionGroup var output: OutputOptions

        func run() throws {
            let job = DataListJob(try selection.selection())
            let outcome = try DataCommand.withProgress(output, "reading") { progress in
                try job.run(progress: progress)
            }
            if !output.quiet { Console.print(output.json ? outcome.json : outcome.text) }
        }
    }

    struct Pack: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pack",
            abstract: "Writes bar files in binary form: smaller, and read faster.",
            discussion: "The files load as SYMBOL.mbars wherever SYMBOL.csv does.")

        @OptionGroup var selection: Selection

        @Option(name: [.customShort("o"), .customLong("output")], help: "The folder to write to.")
        var folder: String

        @OptionGroup var output: OutputOptions

        func run() throws {
            let job = DataPackJob(try selection.selection())
            let outcome = try DataCommand.withProgress(output, "packing") { progress in
                try job.run(into: folder, progress: progress)
            }
            if !output.quiet { Console.print(output.json ? outcome.json : outcome.text) }
        }
    }

    /// Runs `body` with a progress bar where somebody sees it.
    static func withProgress<Value>(
        _ output: OutputOptions, _ label: String, _ body: (((Int, Int) -> Void)?) throws -> Value
    ) throws -> Value {
        let isDrawing = Console.isInteractive && !output.quiet && !output.json
        defer { if isDrawing { Console.eraseProgress() } }
        return try body(isDrawing ? { Console.draw(label, $0, of: $1) } : nil)
    }
}
