import ArgumentParser
import Configuration
import Runtime

/// `martlet config`.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Looks at configurations.",
        subcommands: [Check.self, Show.self, Schema.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract:
                "Reports everything that is wrong with a configuration, with place and remedy.")

        @OptionGroup var settings: SettingsOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let check = settings.check(output)
            if output.json {
                Console.print(check.json)
                if check.settings == nil { throw ExitCode(Runtime.ExitCode.configuration.rawValue) }
                return
            }
            _ = try check.get()
            if !output.quiet {
                check.unread.forEach(Console.complain)
                Console.print(check.text)
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows all settings, and where each one was written.",
            discussion: "The output is a configuration itself. Secrets are masked.")

        @OptionGroup var settings: SettingsOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let check = settings.check(output)
            _ = try check.get()
            guard !output.quiet else { return }
            Console.print(output.json ? check.listingJSON : check.listingText)
        }
    }

    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema",
            abstract: "Prints a JSON Schema of configurations, for editors.")

        func run() { Console.print(SettingsSchema.text(strategies: StrategyCatalog.declarations)) }
    }
}
