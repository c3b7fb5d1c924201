import ArgumentParser
import Runtime
import TWSProtocol

/// `martlet wire`.
struct WireCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wire",
        abstract: "Reads and writes what TWS and its clients say to each other.",
        subcommands: [Decode.self, Encode.self, Replay.self])

    /// Whose messages, at which version, from where.
    struct Stream: ParsableArguments {
        @Option(help: "The server version that both sides agreed on: 157 to 200.")
        var serverVersion: Int

        @Option(help: "Whose messages they are: server or client.")
        var from: Side

        @Argument(help: "A file, or - for standard input.")
        var file: String

        /// Who wrote a stream.
        enum Side: String, ExpressibleByArgument, CaseIterable {
            case server
            case client

            var role: WireRole {
                switch self {
                case .server: .gateway
                case .client: .client
                }
            }
        }

        func validate() throws {
            guard ServerVersion(serverVersion) == nil else { return }
            let known = ServerVersion.supported
            throw ValidationError(
                "--server-version is \(serverVersion): known are \(known.lowerBound) to "
                    + "\(known.upperBound).")
        }

        var version: ServerVersion { ServerVersion(serverVersion) ?? .newest }
    }

    struct Decode: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "decode",
            abstract: "Prints frames as lines of JSON.",
            discussion: """
                Ends with 6 when a frame could not be read, else with 0.

                martlet wire decode --server-version 178 --from server capture.bin
                """)

        @OptionGroup var stream: Stream

        @Flag(help: "Print accounts in clear text.")
        var showAccounts = false

        func run() throws {
            try WireCommand.ending(decode)
        }

        /// Whether no frame had an error.
        private func decode() throws(ByteStreamFailure) -> Bool {
            var printer = StreamPrinter(
                version: stream.version, role: stream.from.role, showsAccounts: showAccounts)
            let input = try ByteInput(stream.file)
            var lines = ""
            while !printer.isBroken, let bytes = try input.next() {
                printer.take(bytes[...], into: &lines)
                try ByteOutput.write(lines.utf8)
                lines = ""
            }
            printer.finish(into: &lines)
            try ByteOutput.write(lines.utf8)
            if let agreed = printer.agreedVersion, Int(agreed) != stream.serverVersion {
                Console.complain(
                    "the stream agrees on server version \(agreed); it was read as "
                        + "\(stream.serverVersion)")
            }
            return !printer.hasErrors
        }
    }

    struct Encode: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "encode",
            abstract: "Writes lines of JSON as frames on standard output.",
            discussion: """
                A line that gives no frame is named on standard error, the others are written, and the \
                command ends with 6.

                martlet wire encode --server-version 178 --from client requests.jsonl
                """)

        @OptionGroup var stream: Stream

        func run() throws {
            try WireCommand.ending(encode)
        }

        /// Whether every line gave a frame.
        private func encode() throws(ByteStreamFailure) -> Bool {
            let writer = StreamWriter(version: stream.version, role: stream.from.role)
            var lines = InputLineReader(try ByteInput(stream.file))
            var frames: [UInt8] = []
            var hasErrors = false
            while let line = try lines.next(beforeReading: { () throws(ByteStreamFailure) in
                try ByteOutput.flush(&frames)
            }) {
                do throws(LineFailure) {
                    try writer.write(line, into: &frames)
                } catch {
                    hasErrors = true
                    Console.complain("line \(lines.number): \(error)")
                }
            }
            try ByteOutput.flush(&frames)
            return !hasErrors
        }
    }

    /// Ends with the status that fits what `body` says or throws.
    private static func ending(
        _ body: () throws(ByteStreamFailure) -> Bool
    ) throws {
        let status: Runtime.ExitCode
        do throws(ByteStreamFailure) {
            status = try body() ? .success : .data
        } catch {
            Console.complain("\(error)")
            switch error {
            case .input: status = .data
            case .output: status = .unexpected
            }
        }
        if status != .success { throw ExitCode(status.rawValue) }
    }
}
