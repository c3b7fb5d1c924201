import Glibc
import Primitives
import Synchronization

/// A TCP connection that a `SocketLoop` reads from, and its way out.
final class SocketPipe: BytePipe {
    /// The socket.
    let file: Int32
    private let loop: SocketLoop
    private let listener: PipeListener
    private let output = Mutex(Output())
    private let isClosed = Mutex(false)

    private struct Output {
        /// What the socket has not taken yet.
        var unsent: [UInt8] = []
        /// How much of its beginning it has.
        var sent = 0

        var count: Int { unsent.count - sent }
    }

    /// How much is read at a time.
    private static let chunk = 1 << 16
    /// How much is read in one turn at most: the owner shall come to what it has.
    private static let turnMax = 1 << 22
    /// From how many unsent bytes on the other side is taken not to read.
    private static let unsentMax = 1 << 16

    /// The pipe of a connected socket that does not block; it closes the socket when it goes.
    init(_ file: Int32, _ loop: SocketLoop, _ listener: PipeListener) {
        self.file = file
        self.loop = loop
        self.listener = listener
    }

    deinit { Glibc.close(file) }

    /// Begins to read. On the loop.
    func begin() {
        loop.open(self)
        listener.opened(self)
    }

    /// True while bytes wait for the other side.
    var hasUnsent: Bool { output.withLock { $0.count > 0 } }

    var isWritable: Bool { output.withLock { $0.count <= Self.unsentMax } }

    func write(_ bytes: [UInt8]) {
        let waits = output.withLock { output in
            output.unsent += bytes
            Self.send(&output, to: file)
            return output.count > 0
        }
        if waits { loop.ring() }
    }

    func close() {
        loop.execute { self.end() }
    }

    /// Takes in what the socket is ready for. On the loop.
    ///
    /// - Returns: false where more may be there than was read.
    func handle(_ events: Int16) -> Bool {
        if Int32(events) & POLLOUT != 0 {
            output.withLock { Self.send(&$0, to: file) }
        }
        return Int32(events) & ~POLLOUT == 0 || read()
    }

    private static func send(_ output: inout Output, to file: Int32) {
        while output.count > 0 {
            let count = output.unsent.withUnsafeBytes { bytes in
                Glibc.send(
                    file, bytes.baseAddress.map { $0 + output.sent }, output.count,
                    Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            // The reader learns why a connection ends.
            guard count >= 0 else { break }
            output.sent += count
        }
        if output.count == 0 {
            output.unsent.removeAll(keepingCapacity: output.unsent.count <= unsentMax)
            output.sent = 0
        }
    }

    /// Reads and delivers what is there.
    ///
    /// - Returns: false where more may be there.
    private func read() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 16) { buffer in
            var total = 0
            while total < Self.turnMax, !isClosed.withLock(\.self) {
                let count = recv(file, buffer.baseAddress, buffer.count, 0)
                if count > 0 {
                    total += count
                    listener.received(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    // There was no more.
                    if count < buffer.count { return true }
                } else if count == 0 {
                    end(nil)
                } else if errno == EAGAIN {
                    return true
                } else if errno != EINTR {
                    end("the connection broke: \(String(cString: strerror(errno)))")
                }
            }
            return false
        }
    }

    /// The connection is over, which the other side did, or the network: the listener is notified.
    private func end(_ words: String?) {
        guard !isClosed.withLock(\.self) else { return }
        end()
        listener.closed(words)
    }

    private func end() {
        isClosed.withLock { $0 = true }
        loop.shut(self)
        shutdown(file, Int32(SHUT_RDWR))
    }
}
