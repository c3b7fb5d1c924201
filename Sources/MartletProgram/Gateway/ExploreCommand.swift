import ArgumentParser
import Configuration
import Primitives
import Runtime
import TWSClient
import TWSProtocol

/// `martlet explore`.
struct ExploreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explore",
        abstract: "Shows what a gateway knows. Reads only: no order can leave.",
        subcommands: [
            Accounts.self, Positions.self, Orders.self, Contracts.self, Quotes.self, History.self,
        ])

    /// How rows are printed.
    struct Options: ParsableArguments {
        @OptionGroup var gateway: GatewayOptions

        @Flag(help: "Print comma-separated values.")
        var csv = false

        @Option(help: "Only this account.")
        var account: String?

        func validate() throws {
            guard !(csv && gateway.output.json) else {
                throw ValidationError("--csv and --json exclude each other.")
            }
        }

        /// Connects, asks, and prints the rows under `name`.
        func show(
            _ name: String, _ columns: [String],
            _ ask: @escaping @Sendable (GatewayClient, GatewayTarget) async throws -> [Row]
        ) throws {
            let target = try gateway.target()
            let rows = try target.connected(limit: target.settings.connectTimeout) { client in
                try await ask(client, target)
            }
            var table = RowTable(columns)
            for row in rows { table.add(row.cells) }
            if gateway.output.json { return Console.print(table.json(name)) }
            guard !gateway.output.quiet else { return }
            if csv { return Console.print(table.csv) }
            Console.print(rows.isEmpty ? "No \(name)." : table.text)
        }

        /// Whether an account is asked for.
        func includes(_ account: AccountID) -> Bool {
            self.account.map { $0 == account.name } ?? true
        }
    }

    /// A row to print.
    struct Row: Sendable {
        let cells: [TableCell]
        init(_ cells: TableCell...) { self.cells = cells }
    }

    struct Accounts: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "accounts",
            abstract: "Values of the login's accounts: cash, margins, totals.")

        @OptionGroup var options: Options

        func run() throws {
            let options = options
            try options.show(
                "accounts",
                ["account", "value", "amount", "currency"]
            ) { client, _ in
                try await client.accountSummary().filter { options.includes($0.account) }.map {
                    value in
                    Row(
                        .text(options.gateway.text(of: value.account)), .text(value.tag),
                        DecimalValue(value.value) == nil
                            ? .text(value.value) : .number(value.value),
                        .text(value.currency))
                }
            }
        }
    }

    struct Positions: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "positions", abstract: "What the accounts hold.")

        @OptionGroup var options: Options

        func run() throws {
            let options = options
            try options.show(
                "positions",
                [
                    "account", "contract_id", "symbol", "type", "currency", "position",
                    "average_cost",
                ]
            ) { client, _ in
                try await client.positions().filter { options.includes($0.account) }.map { held in
                    Row(
                        .text(options.gateway.text(of: held.account)),
                        .number("\(held.contract.conId)"), .text(held.contract.symbol),
                        .text(held.contract.secType.word), .text(held.contract.currency),
                        .number("\(held.position)"), .number(held.avgCost))
                }
            }
        }
    }

    struct Orders: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "orders",
            abstract: "Orders that work, of all programs and of people.")

        @OptionGroup var options: Options

        @Flag(help: "Today's orders that have ended, instead.")
        var completed = false

        func run() throws {
            let (options, completed) = (options, completed)
            try options.show(
                "orders",
                [
                    "account", "perm_id", "symbol", "side", "quantity", "type", "limit", "stop",
                    "time_in_force", "status", "filled",
                ]
            ) { client, _ in
                if completed {
                    return try await client.completedOrders().filter {
                        options.includes($0.order.account)
                    }.map { finished in
                        Self.row(
                            finished.order, finished.contract,
                            Progress(
                                permID: finished.permId, status: finished.status.word,
                                filled: finished.filledQuantity), options)
                    }
                }
                return try await client.openOrders(.all).filter {
                    options.includes($0.order.order.account)
                }.map { working in
                    Self.row(
                        working.order.order, working.order.contract,
                        Progress(
                            permID: working.order.permId,
                            status: (working.status?.status ?? working.order.orderState.status)
                                .word,
                            filled: working.status?.filled), options)
                }
            }
        }

        private struct Progress {
            let permID: PermID
            let status: String
            let filled: DecimalValue?
        }

        private static func row(
            _ order: Order, _ contract: Contract, _ progress: Progress, _ options: Options
        ) -> Row {
            Row(
                .text(options.gateway.text(of: order.account)), .number("\(progress.permID)"),
                .text(contract.symbol), .text(order.action.word), .number(order.totalQuantity),
                .text(order.orderType.word), .number(order.lmtPrice), .number(order.auxPrice),
                .text(order.tif.word), .text(progress.status), .number(progress.filled))
        }
    }
}
