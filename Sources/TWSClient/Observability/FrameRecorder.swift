import Glibc
import Synchronization

/// Records a session's bytes in two files, one for each direction, as they travel; `martlet wire decode`
/// reads them.
///
/// Written from the session's loop without waiting for the disk. A file that cannot be written any more
/// is told once and left: recording must not end a session.
public final class FrameRecorder: FrameSink {
    private let fromClient: Mutex<Output>
    private let fromServer: Mutex<Output>

    private struct Output {
        let file: Int32
        var isBroken = false
    }

    /// Why a recording could not be begun.
    public struct Problem: Error, CustomStringConvertible {
        /// What failed, with the file's name and the system's words.
        public let description: String
    }

    /// Records into `PREFIX.client` and `PREFIX.server`, which must not exist yet.
    public init(prefix: String) throws(Problem) {
        let client = try Self.create(prefix + ".client")
        do throws(Problem) {
            fromServer = Mutex(Output(file: try Self.create(prefix + ".server")))
        } catch {
            close(client)
            throw error
        }
        fromClient = Mutex(Output(file: client))
    }

    deinit {
        fromClient.withLock { _ = close($0.file) }
        fromServer.withLock { _ = close($0.file) }
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

    /// Records bytes that leave.
    public func sent(_ bytes: [UInt8]) {
        fromClient.withLock { output in bytes.withUnsafeBytes { Self.append($0, to: &output) } }
    }

    /// Records bytes that came.
    public func received(_ bytes: UnsafeRawBufferPointer) {
        fromServer.withLock { Self.append(bytes, to: &$0) }
    }

    private static func append(_ bytes: UnsafeRawBufferPointer, to output: inout Output) {
        var rest = bytes[...]
        while !output.isBroken, !rest.isEmpty {
            let count = write(
                output.file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                output.isBroken = true
            }
        }
    }
}
