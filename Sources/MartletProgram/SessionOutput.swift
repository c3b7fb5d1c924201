import ArgumentParser
import Configuration
import Dispatch
import Primitives
import Runtime

extension SessionJob {
    /// Runs the session until it ends or is interrupted: draws how it stands, and prints what it has come to.
    func run(_ output: OutputOptions) throws -> Outcome {
        let isDrawing = Console.isInteractive && !output.quiet && !output.json
        var signals: [any DispatchSourceSignal] = []
        defer { for signal in signals { signal.cancel() } }
        let outcome = try run(
            complain: { text in
                if isDrawing { Console.eraseProgress() }
                Console.complain(text)
            },
            follow: { handle in
                switch handle {
                case .stop(let stop): signals += Interruption.call(stop)
                case .kill(let kill): signals += Interruption.callOnKill(kill)
                }
            },
            during: { if isDrawing { Console.draw($0) } })
        if isDrawing { Console.eraseProgress() }
        if !output.quiet { Console.print(output.json ? outcome.json.compact() : outcome.text) }
        if let words = outcome.end.shortfall { Console.complain(words) }
        return outcome
    }
}

extension OutputOptions {
    /// How much of a session the terminal shows.
    func console(isVerbose: Bool) throws(RunFailure) -> SessionConsole {
        guard isVerbose else { return quiet ? .quiet : .usual }
        guard !quiet else { throw .usage("--verbose and --quiet exclude each other.") }
        return .verbose
    }
}

extension Console {
    /// Draws in place how a session stands.
    static func draw(_ progress: SessionJob.Progress) {
        drawLine(
            "\(progress.now.description.prefix(16))  \(progress.step)  \(progress.link)  orders \(progress.orders)  "
                + "fills \(progress.fills)  equity \(progress.equity)")
    }
}

extension SessionJob.Outcome {
    /// The summary for people.
    var text: String {
        var lines = [
            "Orders     \(orders)", "Fills      \(fills)", "Reconnects \(reconnections)",
            "Equity     \(equity)", "Cash       \(cash)",
        ]
        for position in positions {
            lines.append("Position   \(position.symbol) \(position.quantity)")
        }
        for one in untraded { lines.append("Not traded \(one.symbol): \(one.words)") }
        if let recovery { lines.append("Recovered  \(recovery)") }
        if !snapshot.halts.isEmpty {
            lines.append("Halted     entries: \(snapshot.halts.joined(separator: ", "))")
        }
        if !snapshot.latched.isEmpty {
            lines.append("Latched    \(snapshot.latched.joined(separator: ", "))")
        }
        if !snapshot.unknownOrders.isEmpty {
            let orders = snapshot.unknownOrders.map { "\($0)" }.joined(separator: ", ")
            lines.append("Unknown    what became of orders \(orders)")
        }
        if !snapshot.provisional.isEmpty {
            lines.append(
                "Cash       provisional: executions are missing in "
                    + snapshot.provisional.joined(separator: ", "))
        }
        if let ratio = snapshot.orderEfficiency {
            let tenths = (ratio * 10).rounded() / 10
            lines.append("Efficiency \(tenths) messages for an executed order")
        }
        for slow in snapshot.slowStrategies {
            lines.append(
                "Slow       \(slow.name): \(slow.count) calls of more than 50 milliseconds, the longest of "
                    + "\(slow.longest.nanoseconds / 1_000_000)")
        }
        lines.append("Ended      exit policy \(end.policy.rawValue); \(end.words)")
        lines += end.entries.map { "Left       \($0.words)" }
        if let results { lines.append("Results    \(results)") }
        lines.append("Journal    \(journal) (\(journalBytes / 1_000) kB)")
        if !isCompared { return lines.joined(separator: "\n") }
        if differences.isEmpty {
            lines.append("Ledger     equal to the gateway's own")
        } else {
            lines += differences.map { "Difference \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    /// The summary for programs.
    var json: JSONObject {
        [
            .init("orders", .number("\(orders)")), .init("fills", .number("\(fills)")),
            .init("reconnections", .number("\(reconnections)")),
            .init("equity", .number("\(equity)")), .init("cash", .number("\(cash)")),
            .init(
                "positions",
                .object(positions.map { .init($0.symbol, .number("\($0.quantity)")) })),
            .init(
                "untraded", .object(untraded.map { .init($0.symbol, .text($0.words)) })),
            .init("differences", .array(differences.map { .text($0) })),
            .init("state", .text(snapshot.step)), .init("link", .text(snapshot.link)),
            .init("line", .text(snapshot.line)),
            .init(
                "data_age_seconds",
                .object(snapshot.dataAges.map { .init($0.symbol, .object($0.age.members)) })),
            .init("halts", .array(snapshot.halts.map { .text($0) })),
            .init("latched", .array(snapshot.latched.map { .text($0) })),
            .init("unknown", .array(snapshot.unknownOrders.map { .number("\($0)") })),
            .init("provisional", .array(snapshot.provisional.map { .text($0) })),
            .init(
                "order_efficiency_ratio",
                snapshot.orderEfficiency.map {
                    .number("\(($0 * 1_000).rounded() / 1_000)")
                } ?? .null),
            .init(
                "slow",
                .object(
                    snapshot.slowStrategies.map {
                        .init(
                            $0.name,
                            .object([
                                .init("calls", .number("\($0.count)")),
                                .init(
                                    "longest_ms", .number("\($0.longest.nanoseconds / 1_000_000)")),
                            ]))
                    })),
            .init("results", results.map { .text($0) } ?? .null),
            .init("recovered", recovery.map { .text($0) } ?? .null),
            .init("exit_policy", .text(end.policy.rawValue)),
            .init("exit_complete", .bool(end.isComplete)),
            .init("left", .array(end.orders.map { .object($0.members) })),
        ]
    }
}

extension SessionEndReport.LeftOrder {
    /// The order for programs.
    fileprivate var members: JSONObject {
        [
            .init("order", .number("\(number)")), .init("symbol", .text(symbol)),
            .init("purpose", .text("\(purpose)")), .init("side", .text("\(side)")),
            .init("quantity", .number("\(quantity)")), .init("state", .text(state)),
        ]
    }
}

extension DataAge {
    /// The ages in seconds of what has come.
    fileprivate var members: JSONObject {
        let ages = [("bars", bars), ("quotes", quotes), ("trades", trades)]
        return ages.compactMap { name, age in
            age.map { JSONValue.Member(name, .number("\($0.nanoseconds / 1_000_000_000)")) }
        }
    }
}
