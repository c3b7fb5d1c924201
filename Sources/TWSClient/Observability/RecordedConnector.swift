import Glibc
import NIOCore
import NIOPosix

/// Plays one recorded connection back, as if its gateway answered again: what a session makes of it can be
/// looked at as often as one likes. What the session sends goes nowhere, and the connection ends with the
/// recording; a session that plays it should not reconnect.
public struct RecordedConnector: PipeConnector {
    /// The loop on which everything is delivered.
    public let loop: any SessionLoop
    private let bytes: [UInt8]
    private let pieceBytes: Int

    /// Why a recording could not be read.
    public struct Problem: Error, CustomStringConvertible {
        /// What failed, with the file's name and the system's words.
        public let description: String
    }

    /// Plays the file that `FrameRecorder` wrote for the gateway's side: `PREFIX-1.server`.
    public init(path: String) throws(Problem) {
        try self.init(
            path: path, loop: NIOLoop(loop: MultiThreadedEventLoopGroup.singleton.any()))
    }

    /// - Parameter pieceBytes: how much is handed over at a time.
    package init(
        path: String, loop: any SessionLoop, pieceBytes: Int = 16_384
    ) throws(Problem) {
        self.loop = loop
        self.pieceBytes = pieceBytes
        guard let file = fopen(path, "rb") else {
            throw Problem(
                description: "cannot read \(path): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&piece, 1, piece.count, file)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        guard ferror(file) == 0 else { throw Problem(description: "cannot read \(path)") }
        self.bytes = bytes
    }

    /// Plays the recording from its beginning.
    public func connect(_ listener: PipeListener) {
        let bytes = bytes
        let pieceBytes = pieceBytes
        loop.execute {
            let pipe = Unheard()
            listener.opened(pipe)
            for start in stride(from: 0, to: bytes.count, by: pieceBytes) {
                bytes[start..<min(start + pieceBytes, bytes.count)].withUnsafeBytes {
                    listener.received($0)
                }
            }
            listener.closed("the recording ends here")
        }
    }

    /// A way out that leads nowhere.
    private struct Unheard: BytePipe {
        func write(_ bytes: [UInt8]) {}
        func close() {}
    }
}
