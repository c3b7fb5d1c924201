import ArgumentParser
import Runtime

/// `martlet strategy`.
struct StrategyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "strategy", abstract: "What strategies there are.",
        subcommands: [List.self, Show.self, New.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Names all strategies.")

        @OptionGroup var output: OutputOptions

        func run() {
            Console.print(output.json ? StrategyCatalog.listJSON : StrategyCatalog.listText)
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows a strategy's parameters with their ranges and defaults.",
            discussion: "Says as well whether its state is saved between sessions.")

        @Argument(help: "The strategy's name.")
        var name: String

        @OptionGroup var output: OutputOptions

        func run() throws {
            let type = try StrategyCatalog.type(named: name)
            Console.print(
                output.json ? StrategyCatalog.json(of: type) : StrategyCatalog.text(of: type))
        }
    }

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Writes a package with a strategy to begin one's own with.",
            discussion: """
                It builds, tests and backtests as it stands.

                martlet strategy new BuyTheDip --martlet ~/martlet
                """)

        @Argument(help: "The strategy's name, such as BuyTheDip.")
        var name: String

        @Option(
            help: "Martlet's repository, a folder or URL; default: the working directory.")
        var martlet: String?

        @Option(
            name: [.customShort("o"), .customLong("output")],
            help: "The package's folder; default: the strategy's name.")
        var folder: String?

        @OptionGroup var output: OutputOptions

        func run() throws {
            let template = try StrategyTemplate(name: name, repository: martlet)
            let written = try template.write(into: folder)
            guard !output.quiet else { return }
            Console.print(
                output.json
                    ? StrategyTemplate.json(folder: written) : template.nextSteps(in: written))
        }
    }
}
