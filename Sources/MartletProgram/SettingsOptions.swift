import ArgumentParser
import Configuration
import Foundation
import Runtime

/// The options every command with a configuration has.
struct SettingsOptions: ParsableArguments {
    @Option(
        name: [.short, .customLong("config")],
        help: "A configuration file, YAML or JSON; repeatable, later wins; - is standard input.")
    var configs: [String] = []

    @Option(name: .customLong("set"), help: "A setting, as path.to.key=value; repeatable.")
    var assignments: [String] = []

    /// Files, then `.env`, then the environment, then `--set`.
    func document() -> SettingsDocument {
        var document = SettingsDocument()
        for path in configs { document.merge(file: path) }
        document.mergeEnvironmentFile(beside: configs)
        document.merge(environment: ProcessInfo.processInfo.environment)
        for assignment in assignments { document.merge(assignment: assignment) }
        return document
    }

    /// Whether a configuration was named.
    var isGiven: Bool { !configs.isEmpty || !assignments.isEmpty }

    /// The settings of a valid configuration, for commands that only take some of them.
    func settings() throws -> Settings {
        let check = SettingsCheck(document())
        check.notices.forEach(Console.complain)
        return try check.get()
    }

    /// Checks a document, that of these options unless it is another, and reports which older names were
    /// used.
    func check(_ output: OutputOptions, _ document: SettingsDocument? = nil) -> SettingsCheck {
        let check = SettingsCheck(document ?? self.document())
        if !output.quiet { check.notices.forEach(Console.complain) }
        return check
    }
}

/// How much a command prints.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON document on standard output and nothing else there.")
    var json = false

    @Flag(name: [.short, .long], help: "Print nothing but errors.")
    var quiet = false
}
