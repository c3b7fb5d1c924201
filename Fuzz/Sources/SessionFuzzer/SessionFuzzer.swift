import Glibc
import Primitives

/// Feeds whole sessions: clients' to the simulated gateway, and gateways' to the client.
///
///     session-fuzzer gateway|client [--messages N] [--seed N] [--case N] [--print]
///
/// A case follows from the seed and its number alone. Its number is written before it runs, so that the
/// last one written is the one that trapped; `--case N --print` plays that one again and prints each step.
@main
struct SessionFuzzer {
    /// How many messages a case has.
    private static let messagesPerCase = 250

    @MainActor
    static func main() async {
        guard let options = FuzzOptions(CommandLine.arguments) else {
            complain(
                "usage: session-fuzzer gateway|client [--messages N] [--seed N] [--case N] [--print]"
            )
            exit(2)
        }
        var total = FuzzCounts()
        let cases =
            options.onlyCase.map { $0..<$0 + 1 }
            ?? 0..<(options.messages + messagesPerCase - 1) / messagesPerCase
        for number in cases {
            complain("case \(number)")
            let counts = await play(number, options)
            if let unread = counts.unread.first {
                complain("case \(number): a message could not be read: \(unread)")
                exit(1)
            }
            total.add(counts)
        }
        print(
            "sessions \(options.side): seed \(options.seed), \(cases.count) cases, \(total.fed) messages fed, "
                + "\(total.answered) answered, \(total.commands) commands, no trap")
    }

    @MainActor
    private static func play(_ number: Int, _ options: FuzzOptions) async -> FuzzCounts {
        let trace = Trace(isOn: options.prints)
        switch options.side {
        case .gateway:
            var one = GatewayCase(seed: options.seed, case: number, trace: trace)
            one.run(messages: messagesPerCase)
            return one.counts
        case .client:
            let one = ClientCase(seed: options.seed, case: number, trace: trace)
            await one.run(messages: messagesPerCase)
            return one.counts
        }
    }
}

/// What was asked for.
struct FuzzOptions {
    /// Who is fed.
    enum Side: String { case gateway, client }

    let side: Side
    private(set) var messages = 100_000
    private(set) var seed: UInt64 = 1
    private(set) var onlyCase: Int?
    private(set) var prints = false

    init?(_ arguments: [String]) {
        guard arguments.count > 1, let side = Side(rawValue: arguments[1]) else { return nil }
        self.side = side
        var remainder = arguments.dropFirst(2)
        while let option = remainder.popFirst() {
            if option == "--print" {
                prints = true
                continue
            }
            guard let text = remainder.popFirst(), let value = Int(text), value >= 0 else {
                return nil
            }
            switch option {
            case "--messages": messages = value
            case "--seed": seed = UInt64(value)
            case "--case": onlyCase = value
            default: return nil
            }
        }
    }
}

/// How much was fed, and what came of it.
struct FuzzCounts {
    /// Messages handed over.
    var fed = 0
    /// Messages that came back, or elements and answers that a client's calls gave.
    var answered = 0
    /// Control commands, or calls of a client.
    var commands = 0
    /// Rounds in which something was to be fed.
    var steps = 0
    /// Why answers could not be read.
    var unread: [String] = []

    /// Adds another case's.
    mutating func add(_ other: FuzzCounts) {
        fed += other.fed
        answered += other.answered
        commands += other.commands
    }
}

/// The steps of a case, printed as they are taken.
struct Trace {
    /// Whether anything is printed.
    let isOn: Bool

    /// Prints a step before it is taken.
    func note(_ text: @autoclosure () -> String) {
        if isOn { complain(text()) }
    }

    /// A frame's fields, `|` between them.
    func readable(_ frame: [UInt8]) -> String {
        String(decoding: frame.dropFirst(4).map { $0 == 0 ? UInt8(ascii: "|") : $0 }, as: UTF8.self)
    }
}

/// Writes a line to standard error, where it stands even if the next step ends the process.
func complain(_ text: String) { _ = write(STDERR_FILENO, text + "\n", text.utf8.count + 1) }

/// Ends the process: what must hold does not.
func fail(_ text: String) -> Never {
    complain("this does not hold: \(text)")
    exit(1)
}
