import ArgumentParser
import Runtime

/// `martlet config`.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Looks at configurations.", subcommands: [Check.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Reports everything that is wrong with a configuration, with place and remedy.")

        @OptionGroup var settings: SettingsOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let check = SettingsCheck(settings.document())
            if output.json {
                Console.say(check.json)
                if check.settings == nil { throw ExitCode(Runtime.ExitCode.configuration.rawValue) }
                return
            }
            _ = try check.get()
            if !output.quiet { Console.say(check.text) }
        }
    }
}
