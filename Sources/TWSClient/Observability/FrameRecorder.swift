import Glibc
import Synchronization

/// Records a session's bytes as they travel, in two files for each connection, one for each direction:
/// `PREFIX-1.client` and `PREFIX-1.server`, then `PREFIX-2…`. `martlet wire decode` reads them,
/// `RecordedConnector` plays them back.
///
/// Written from the session's loop without waiting for the disk. A file that cannot be written any more
/// is left as it is: recording must not end a session.
public final class FrameRecorder: FrameSink {
    private let prefix: String
    private let state: Mutex<State>

    private struct State {
        var connection = 0
        var client: Output
        var server: Output
    }

    private struct Output {
        /// The descriptor; negative where nothing can be written.
        var file: Int32
    }

    /// Why a recording could not be begun.
    public struct Problem: Error, CustomStringConvertible {
        /// What failed, with the file's name and the system's words.
        public let description: String
    }

    /// Records into files that begin with `prefix`. Those of the first connection must not exist yet; they
    /// are made now, so that a wrong folder is noticed at once.
    public init(prefix: String) throws(Problem) {
        self.prefix = prefix
        let client = try Self.create(prefix + "-1.client")
        do throws(Problem) {
            let server = try Self.create(prefix + "-1.server")
            state = Mutex(
                State(client: Output(file: client), server: Output(file: server)))
        } catch {
            close(client)
            throw error
        }
    }

    deinit {
        state.withLock { state in
            Self.end(&state.client)
            Self.end(&state.server)
        }
    }

    private static func create(_ path: String) throws(Problem) -> Int32 {
        // Frames name accounts: the file is for its owner only.
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw Problem(
                description: "cannot record to \(path): \(String(cString: strerror(errno)))")
        }
        return file
    }

    /// The next connection begins: its frames have files of their own, since a lost one may have ended
    /// inside a frame.
    public func opened() {
        state.withLock { state in
            state.connection += 1
            guard state.connection > 1 else { return }
            Self.end(&state.client)
            Self.end(&state.server)
            let name = "\(prefix)-\(state.connection)"
            state.client.file = Self.next(name + ".client")
            state.server.file = Self.next(name + ".server")
        }
    }

    /// A file for a later connection, or none.
    private static func next(_ path: String) -> Int32 {
        do throws(Problem) {
            return try create(path)
        } catch {
            // The session matters more than its recording.
            return -1
        }
    }

    /// Records bytes that leave.
    public func sent(_ bytes: [UInt8]) {
        state.withLock { state in bytes.withUnsafeBytes { Self.append($0, to: &state.client) } }
    }

    /// Records bytes that came.
    public func received(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { Self.append(bytes, to: &$0.server) }
    }

    private static func append(_ bytes: UnsafeRawBufferPointer, to output: inout Output) {
        var remainder = bytes[...]
        while output.file >= 0, !remainder.isEmpty {
            let count = write(
                output.file, UnsafeRawBufferPointer(rebasing: remainder).baseAddress,
                remainder.count)
            if count > 0 {
                remainder = remainder.dropFirst(count)
            } else if errno != EINTR {
                end(&output)
            }
        }
    }

    private static func end(_ output: inout Output) {
        if output.file >= 0 { close(output.file) }
        output.file = -1
    }
}
