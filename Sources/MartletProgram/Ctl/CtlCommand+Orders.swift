import ArgumentParser
import Primitives
import Runtime

/// Commands about orders and positions.
extension CtlCommand {
    struct Cancel: ControlSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel",
            abstract: "Cancels entries of a symbol, a strategy or all, or one order.",
            discussion: "Stops, targets and exits stay: only --order cancels one of them.")

        @OptionGroup var target: CtlOptions
        @OptionGroup var why: ReasonOptions
        @OptionGroup var scope: ScopeOptions

        @Flag(help: "With --order, also one that protects a position.")
        var includeProtective = false

        func request() throws -> JSONObject {
            try scope.request(
                self, "cancel",
                [
                    "include_protective": .bool(includeProtective), "reason": try why.text(),
                ])
        }
    }

    struct Flatten: ControlSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "flatten",
            abstract: "Closes the positions of an order, a symbol, a strategy or all.",
            discussion:
                "Entries there are cancelled. What cannot be closed now is closed as soon as it can be."
        )

        @OptionGroup var target: CtlOptions
        @OptionGroup var why: ReasonOptions
        @OptionGroup var scope: ScopeOptions

        func request() throws -> JSONObject {
            try scope.request(self, "flatten", ["reason": try why.text()])
        }
    }

    struct Resolve: ControlSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "resolve",
            abstract: "States what became of an order, by what the broker's own window shows.")

        @OptionGroup var target: CtlOptions
        @OptionGroup var why: ReasonOptions

        @Argument(help: "The order's number.")
        var order: Int

        @Argument(help: "not-at-broker, working or cancelled.")
        var outcome: String

        func request() throws -> JSONObject {
            request(
                "resolve",
                ["order": .integer(order), "as": .text(outcome), "reason": try why.text()])
        }
    }

    struct Book: ControlSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "book",
            abstract: "Books an execution of an order that no message has brought.",
            discussion: """
                The identifier is the broker's own, from its statement or the trades in TWS: the execution counts once, \
                also when its message comes later.

                martlet ctl book 12 --quantity 40 --price 101.25 --execution 0000e0d5.5c3f1a2b.01.01 --reason "statement"
                """)

        @OptionGroup var target: CtlOptions
        @OptionGroup var why: ReasonOptions

        @Argument(help: "The order's number.")
        var order: Int

        @Option(help: "How many shares.")
        var quantity: String

        @Option(help: "At what price.")
        var price: String

        @Option(help: "The broker's identifier of the execution.")
        var execution: String

        @Option(help: "When: 2026-01-05T10:00:00-05:00. Now, unless it is given.")
        var time: String?

        func request() throws -> JSONObject {
            request(
                "book",
                [
                    "order": .integer(order), "quantity": .text(quantity), "price": .text(price),
                    "execution": .text(execution), "time": time.map { .text($0) },
                    "reason": try why.text(),
                ])
        }
    }
}

/// What a command is about.
struct ScopeOptions: ParsableArguments {
    @Option(help: "One order, by its number.")
    var order: Int?

    @Option(help: "All of a symbol.")
    var symbol: String?

    @Option(help: "All of a strategy, by its name.")
    var strategy: String?

    @Flag(help: "Everything.")
    var all = false

    func validate() throws {
        let count = [order != nil, symbol != nil, strategy != nil, all].count { $0 }
        guard count == 1 else {
            throw ValidationError("Choose one of --order, --symbol, --strategy and --all.")
        }
    }

    fileprivate func request(
        _ command: some ControlSubcommand, _ name: String,
        _ others: KeyValuePairs<String, JSONValue?>
    ) throws -> JSONObject {
        var object = command.request(
            name,
            [
                "order": order.map { .integer($0) }, "symbol": symbol.map { .text($0) },
                "strategy": strategy.map { .text($0) }, "all": all ? .bool(true) : nil,
            ])
        for (name, value) in others { object.set(name, value) }
        return object
    }
}
