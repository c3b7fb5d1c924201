import ArgumentParser
import Dispatch
import Runtime
import Synchronization
import TWSClient
import TWSProtocol

extension WireCommand {
    /// `martlet wire replay`.
    struct Replay: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replay",
            abstract: "Plays a recording to a session and prints what it makes of it.",
            discussion: """
                FILE is what --record wrote of a gateway's side. Ends with 6 when the session could not \
                read all of it, else with 0. Connects to nothing.

                martlet wire replay seen-1.server
                """)

        @OptionGroup var codes: CodesOption

        @Flag(help: "Print accounts in clear text.")
        var showAccounts = false

        @Argument(help: "A recording of a gateway's side: PREFIX-1.server.")
        var file: String

        func run() throws {
            let policy = try codes.policy()
            let recording: RecordedConnector
            do throws(RecordedConnector.Problem) {
                recording = try RecordedConnector(path: file)
            } catch {
                Console.complain("\(error)")
                throw ExitCode(Runtime.ExitCode.data.rawValue)
            }
            var settings = SessionSettings(clientID: 0)
            settings.reconnects = false
            let lines = ReplayedLines(codes: policy, showsAccounts: showAccounts)
            let session = Session(settings: settings, codes: policy, connector: recording) {
                lines.take($0)
            }
            session.start()
            let status = lines.finished()
            session.stop()
            if status != .success { throw ExitCode(status.rawValue) }
        }
    }
}

/// Prints what a session reports, until its connection ends.
private final class ReplayedLines: Sendable {
    private let codes: CodePolicy
    private let showsAccounts: Bool
    private let end = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    private struct State {
        var version = ServerVersion.newest
        var status = Runtime.ExitCode.success
        var isOver = false
    }

    init(codes: CodePolicy, showsAccounts: Bool) {
        self.codes = codes
        self.showsAccounts = showsAccounts
    }

    /// Takes a session's events on its loop.
    func take(_ events: [SessionEvent]) {
        state.withLock { state in
            for event in events where !state.isOver { take(event, &state) }
        }
    }

    private func take(_ event: SessionEvent, _ state: inout State) {
        if case .agreed(let agreement, _) = event { state.version = agreement.version }
        let line = event.json(at: state.version, codes: codes, showsAccounts: showsAccounts)
        do throws(ByteStreamFailure) {
            try ByteOutput.write((line + "\n").utf8)
        } catch {
            Console.complain("\(error)")
            return finish(.unexpected, &state)
        }
        switch event {
        case .rejected: state.status = .data
        case .disconnected(let fault, _):
            switch fault {
            // The gateway's own end, or the recording's.
            case .connection, .closedByGateway, .code, .clientIDInUse, .closedByOwner:
                finish(state.status, &state)
            case .handshake, .noAnswer, .stream, .silent, .implausibleData, .settings:
                finish(.data, &state)
            }
        case .agreed, .message, .link, .asked, .answered, .resubscribe, .syncStalled, .silence,
            .unsent:
            break
        }
    }

    private func finish(_ status: Runtime.ExitCode, _ state: inout State) {
        state.status = status
        state.isOver = true
        end.signal()
    }

    /// Waits for the end of the connection.
    ///
    /// - Returns: the status to end with.
    func finished() -> Runtime.ExitCode {
        end.wait()
        return state.withLock { $0.status }
    }
}

/// Rows of a user's own about codes.
struct CodesOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file with rows 'code class scope advice' that hold before the known ones.",
            valueName: "file"))
    var codes: String?

    /// The most bytes a file of codes may have.
    private static let bytesMax = 1 << 20

    /// What is known, and the file's rows.
    func policy() throws(RunFailure) -> CodePolicy {
        guard let codes else { return .standard }
        var bytes: [UInt8] = []
        do throws(ByteStreamFailure) {
            let input = try ByteInput(codes)
            while let more = try input.next() {
                bytes += more
                guard bytes.count <= Self.bytesMax else { break }
            }
        } catch {
            throw .file("--codes: \(error)")
        }
        guard bytes.count <= Self.bytesMax else {
            throw .usage(
                "--codes: \(codes) has more than \(Self.bytesMax) bytes: it is no file of codes")
        }
        do throws(CodeFileError) {
            return try CodeFile.policy(adding: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw .usage("--codes: \(codes):\n\(error)")
        }
    }
}
