import ArgumentParser
import Runtime

/// `martlet strategy`.
struct StrategyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "strategy", abstract: "What strategies there are.",
        subcommands: [List.self, Show.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Names all strategies.")

        @OptionGroup var output: OutputOptions

        func run() {
            Console.say(output.json ? StrategyCatalog.listJSON : StrategyCatalog.listText)
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows a strategy's parameters with their ranges and defaults.")

        @Argument(help: "The strategy's name.")
        var name: String

        @OptionGroup var output: OutputOptions

        func run() throws {
            let declaration = try StrategyCatalog.declaration(named: name)
            Console.say(
                output.json
                    ? StrategyCatalog.json(of: declaration) : StrategyCatalog.text(of: declaration))
        }
    }
}
