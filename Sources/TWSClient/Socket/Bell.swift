import Glibc

/// Ends a wait for files: a pipe to oneself.
package final class Bell: Sendable {
    /// Readable since it was rung; below 0, which a wait passes over, without a pipe.
    package let file: Int32
    private let end: Int32

    /// One that was not rung; where the system has no pipe left it never rings, and a wait lasts as long as its owner
    /// has said.
    package init() {
        var files: [Int32] = [-1, -1]
        _ = pipe(&files)
        for file in files where file >= 0 {
            _ = fcntl(file, F_SETFL, O_NONBLOCK)
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        }
        (file, end) = (files[0], files[1])
    }

    deinit {
        for file in [file, end] where file >= 0 { close(file) }
    }

    /// Ends the wait, or the next one; from any thread.
    package func ring() {
        // A full pipe is readable, too.
        withUnsafeBytes(of: UInt8(1)) { _ = write(end, $0.baseAddress, 1) }
    }

    /// Takes in that it was rung.
    package func quiet() {
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) {
            _ = read(file, $0.baseAddress, $0.count)
        }
    }
}
