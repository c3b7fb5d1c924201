import ArgumentParser
import Primitives
import Runtime

/// `martlet ctl`.
struct CtlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl",
        abstract: "Operates a running session: shows how it stands, halts, cancels, closes, kills.",
        discussion: """
            Without an option the one session of this user is meant; with several, --journal FOLDER says which. What \
            changes something needs a reason, which the journal keeps with the user's name. Repeating a command leads \
            to the same end.

            Exit codes: 0 done, 2 usage, 4 no session answers, 5 not permitted.

            martlet ctl status
            martlet ctl halt --reason "news"
            martlet ctl flatten --symbol AAPL --reason "earnings tonight"
            martlet ctl kill
            """,
        subcommands: [
            Status.self, Positions.self, Orders.self, Decisions.self, Halt.self, Resume.self,
            Stop.self, Start.self, Cancel.self, Flatten.self, Resolve.self, Book.self, Adopt.self,
            Disown.self, Split.self, Cashflow.self, Clear.self, Kill.self,
        ])
}

/// A command that asks a running session for something.
protocol ControlSubcommand: ArgumentParser.ParsableCommand {
    var target: CtlOptions { get }
    /// What is asked for.
    func request() throws -> JSONObject
}

extension ControlSubcommand {
    /// The request that does `name`.
    func request(_ name: String, _ members: KeyValuePairs<String, JSONValue?> = [:]) -> JSONObject {
        var object: JSONObject = [.init("do", .text(name))]
        for (name, value) in members { object.set(name, value) }
        return object
    }

    func run() throws { try target.perform(try request()) }
}

extension CtlCommand {
    struct Status: ControlSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Shows what the session is at, and what keeps it from trading.")

        @OptionGroup var target: CtlOptions

        func request() -> JSONObject { request("status") }
    }

    struct Positions: ControlSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "positions", abstract: "Shows what is held, by strategy and symbol.")

        @OptionGroup var target: CtlOptions

        func request() -> JSONObject { request("positions") }
    }

    struct Orders: ControlSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "orders", abstract: "Shows orders and where they stand.")

        @OptionGroup var target: CtlOptions

        @Flag(help: "Also those that have ended.")
        var finished = false

        func request() -> JSONObject { request("orders", ["all": .bool(finished)]) }
    }

    struct Decisions: ControlSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "decisions",
            abstract: "Shows the newest decisions since the session's start, with their reasons.")

        @OptionGroup var target: CtlOptions

        @Argument(help: "How many, up to 1000.")
        var count = 20

        func request() -> JSONObject { request("decisions", ["count": .integer(count)]) }
    }

    struct Halt: ControlSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "halt",
            abstract: "Opens nothing more and cancels entries; exits and protection go on.")

        @OptionGroup var target: CtlOptions
        @OptionGroup var why: ReasonOptions

        func request() throws -> JSONObject { request("halt", ["reason": try why.text()]) }
    }

    struct Resume: ControlSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "resume",
            abstract: "Lifts one halt, or with 'all' every halt but a kill and every latch.",
            discussion: """
                'martlet ctl status' names the causes. A kill is lifted by 'resume killed' alone, with the account's \
                number typed once more.
                """)

        @OptionGroup var target: CtlOptions
        @OptionGroup var why: ReasonOptions

        @Argument(
            help: """
                The halt to lift, as 'ctl status' shows it: halt (your own), drawdown, daily_loss, \
                …; or all.
                """)
        var cause: String

        @Option(help: "The number of the account that is traded, for lifting a kill.")
        var account: String?

        func request() throws -> JSONObject {
            let isKill = ["kill", "killed"].contains(cause.lowercased())
            let account = isKill ? account ?? Question.ask("The account's number: ") : account
            return request(
                "resume",
                [
                    "cause": .text(cause), "account": account.map { .text($0) },
                    "reason": try why.text(),
                ])
        }
    }

    struct Stop: ControlSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "stop",
            abstract: "Stops a strategy's entries and cancels those that work; its exits go on.")

        @OptionGroup var target: CtlOptions
        @OptionGroup var why: ReasonOptions

        @Argument(help: "The strategy's name.")
        var strategy: String

        func request() throws -> JSONObject {
            request("stop", ["strategy": .text(strategy), "reason": try why.text()])
        }
    }

    struct Start: ControlSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "start", abstract: "Lets a strategy's entries go on.")

        @OptionGroup var target: CtlOptions
        @OptionGroup var why: ReasonOptions

        @Argument(help: "The strategy's name.")
        var strategy: String

        func request() throws -> JSONObject {
            request("start", ["strategy": .text(strategy), "reason": try why.text()])
        }
    }
}
