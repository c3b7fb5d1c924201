import Foundation
import Glibc
import Primitives

/// The file `kill` in a journal's folder: while it is there, no session of the folder opens or enlarges a position.
///
/// It is there from before the instruction is performed until the kill is lifted, whoever set it: `ctl kill`, a signal,
/// or anybody who makes the file. The journal has the kill, too: deleting the file lifts nothing.
package struct KillFile: Sendable {
    /// Where it is.
    package let path: String
    /// The journal's folder.
    let folder: String

    /// How much of its text is read.
    private static let textMax = 500

    /// The file of a journal's folder.
    package init(folder: String) {
        self.folder = folder
        path = folder + "/kill"
    }

    /// True while it is there, whatever it is.
    package var isPresent: Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// By whom, when and why it was set, on one line; `nil` without it.
    package var words: String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return isPresent ? "it cannot be read" : nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.textMax)
        let count = read(file, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return line.isEmpty ? "without a word" : ShownText.escaped(line)
    }

    /// Sets it, durably. One that is there stays as it is. Its folder is made where there is none.
    package func set(_ words: String) throws(RunFailure) {
        _ = try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            if errno == EEXIST { return }
            throw failure("set")
        }
        defer { close(file) }
        let bytes = Array((words + "\n").utf8)
        // With its name alone it holds already.
        _ = write(file, bytes, bytes.count)
        guard fsync(file) == 0, syncFolder() else { throw failure("made durable") }
    }

    /// Removes it, durably.
    func remove() throws(RunFailure) {
        guard unlink(path) == 0 || errno == ENOENT, syncFolder() else { throw failure("removed") }
    }

    private func failure(_ verb: String) -> RunFailure {
        .file("\(path) cannot be \(verb): \(String(cString: strerror(errno))).")
    }

    private func syncFolder() -> Bool {
        let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return fsync(file) == 0
    }
}
