import ArgumentParser
import Primitives
import Runtime

/// Commands about symbols, money, and the kill.
extension CtlCommand {
    struct Adopt: ControlSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "adopt",
            abstract: "Lets entries of a symbol go on beside what others hold or order in it.")

        @OptionGroup var target: CtlOptions
        @OptionGroup var why: ReasonOptions

        @Argument(help: "The symbol.")
        var symbol: String

        func request() throws -> JSONObject {
            request("adopt", ["symbol": .text(symbol), "reason": try why.text()])
        }
    }

    struct Disown: ControlSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "disown",
            abstract: "Leaves a symbol to you: no entries; what is held stays protected.")

        @OptionGroup var target: CtlOptions
        @OptionGroup var why: ReasonOptions

        @Argument(help: "The symbol.")
        var symbol: String

        func request() throws -> JSONObject {
            request("disown", ["symbol": .text(symbol), "reason": try why.text()])
        }
    }

    struct Clear: ControlSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "clear",
            abstract: "Clears a symbol's latch: you have looked, and its entries go on.")

        @OptionGroup var target: CtlOptions
        @OptionGroup var why: ReasonOptions

        @Argument(help: "The symbol.")
        var symbol: String

        func request() throws -> JSONObject {
            request("clear", ["symbol": .text(symbol), "reason": try why.text()])
        }
    }

    struct Split: ControlSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "split",
            abstract: "Confirms a split of today: positions, stops and targets are converted.")

        @OptionGroup var target: CtlOptions
        @OptionGroup var why: ReasonOptions

        @Argument(help: "The symbol.")
        var symbol: String

        @Argument(help: "New shares to old ones, such as 4:1.")
        var ratio: String

        func request() throws -> JSONObject {
            request(
                "split",
                ["symbol": .text(symbol), "ratio": .text(ratio), "reason": try why.text()])
        }
    }

    struct Cashflow: ControlSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "cashflow",
            abstract: "Names money that came into the account, or went (below 0).",
            discussion: """
                A transfer moves what losses are counted from and the highest equity; the others are profit and loss.

                martlet ctl cashflow 5000 --cause transfer --reason "paid in"
                martlet ctl cashflow -12.50 --cause fee --reason "market data"
                """)

        @OptionGroup var target: CtlOptions
        @OptionGroup var why: ReasonOptions

        // An amount below zero looks like an option.
        @Argument(parsing: .allUnrecognized, help: "How much, in the account's currency.")
        var amount: [String]

        @Option(help: "transfer, dividend, interest, fee or unknown.")
        var cause: String

        @Option(help: "The symbol that it is about.")
        var symbol: String?

        @Flag(help: "Book it though the same was booked before.")
        var repeated = false

        func validate() throws {
            guard amount.count == 1 else {
                throw ValidationError(
                    "cashflow takes one amount, and not '\(amount.joined(separator: " "))'.")
            }
        }

        func request() throws -> JSONObject {
            request(
                "cashflow",
                [
                    "amount": .text(amount[0]), "cause": .text(cause),
                    "symbol": symbol.map { .text($0) }, "repeat": .bool(repeated),
                    "reason": try why.text(),
                ])
        }
    }

    struct Kill: ControlSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "kill",
            abstract: "Opens nothing any more, also behind a restart, until 'resume killed'.",
            discussion: """
                Entries are cancelled; exits and protection stay. It needs no reason and asks nothing. The file 'kill' \
                in the journal's folder is set first: with --journal also where no session runs, and it holds for the \
                next start. Anybody may make that file by hand, and SIGUSR1 to the session's process does the same.
                """)

        @OptionGroup var target: CtlOptions

        @Option(help: "Why, for the journal.")
        var reason: String?

        func request() -> JSONObject { request("kill", ["reason": reason.map { .text($0) }]) }

        func run() throws {
            do {
                try target.perform(request())
            } catch RunFailure.gateway(let words) {
                guard let folder = target.folder else { throw RunFailure.gateway(words) }
                try setFile(in: folder)
            }
        }

        private func setFile(in folder: String) throws {
            guard Question.isFolder(folder) else {
                throw RunFailure.usage("There is no folder \(folder).")
            }
            let file = KillFile(folder: folder)
            try file.set("\(Question.user): \(reason ?? "no reason given")")
            let note = "no session answers: \(file.path) is set, and holds for the next start"
            target.show([.init("done", .text("kill")), .init("notes", .texts([note]))])
        }
    }
}
