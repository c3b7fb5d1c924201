import ArgumentParser
import Primitives
import Runtime
import TWSClient
import TWSProtocol

/// `martlet gateway`.
struct GatewayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "Runs a simulated gateway; looks at TWS or IB Gateway itself.",
        subcommands: [Run.self, Control.self, Ping.self])

    struct Ping: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ping",
            abstract: "Connects once and prints version, accounts, next order id and clock.",
            discussion: """
                Ends with 4 and the cause within 5 seconds when that does not work. Places no order.

                martlet gateway ping --port 4002
                """)

        @OptionGroup var gateway: GatewayOptions

        func run() throws {
            let target = try gateway.target()
            do {
                // Together below five seconds: the connection, then the clock.
                let answer = try target.connected(limit: .milliseconds(3_500)) { client in
                    try await PingAnswer(client)
                }
                guard !gateway.output.quiet else { return }
                Console.print(
                    gateway.output.json
                        ? answer.table(target, gateway).jsonObject
                        : answer.table(target, gateway).text)
            } catch RunFailure.gateway(let words) where gateway.output.json {
                var table = PropertyTable()
                table.add("connected", .flag(false))
                table.add("cause", .text(words))
                Console.print(table.jsonObject)
                throw RunFailure.gateway(words)
            }
        }
    }
}

/// What a ping brings.
private struct PingAnswer: Sendable {
    let version: Int
    let accounts: [AccountID]
    let nextOrderID: APIOrderID?
    let clock: ClockReading?

    init(_ client: GatewayClient) async throws {
        version = client.serverVersion?.number ?? 0
        accounts = client.accounts
        nextOrderID = client.nextOrderID
        clock = try await withThrowingTaskGroup(of: ClockReading?.self) { group in
            group.addTask { try await client.clockReading() }
            // A gateway that begins a session and knows no time is still one that works.
            group.addTask {
                try await Task.sleep(for: .milliseconds(1_000))
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    func table(_ target: GatewayTarget, _ options: GatewayOptions) -> PropertyTable {
        var table = PropertyTable()
        table.add("connected", .flag(true))
        table.add("host", .text(target.host))
        table.add("port", .number("\(target.port)"))
        table.add("client_id", .number("\(target.clientID)"))
        table.add("server_version", .number("\(version)"))
        table.add("accounts", .texts(accounts.map { options.text(of: $0) }))
        if let nextOrderID { table.add("next_order_id", .number("\(nextOrderID)")) }
        if let clock {
            table.add("clock_skew_ms", .number("\(clock.skew.nanoseconds / 1_000_000)"))
            table.add("clock_resolution_ms", .number("\(clock.resolution.nanoseconds / 1_000_000)"))
            table.add("round_trip_ms", .number("\(clock.roundTrip.nanoseconds / 1_000_000)"))
        }
        return table
    }
}
