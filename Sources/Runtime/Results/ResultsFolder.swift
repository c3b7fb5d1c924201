import Foundation
import Glibc

/// The folder a run writes its artefacts to.
///
/// Everything is written into a hidden neighbour first and moved into place at the end, so a run that is
/// interrupted leaves nothing half done.
struct ResultsFolder {
    /// Where the artefacts end up.
    let path: String

    private let staging: String
    /// Whether it is its user's alone.
    private let isPrivate: Bool
    private static let mark = "manifest.json"

    /// Prepares to write to `path`. An earlier run's folder is replaced; any other that is not empty is
    /// refused.
    ///
    /// - Parameter isPrivate: whether nobody but its user may read it.
    init(at path: String, isPrivate: Bool = false) throws(RunFailure) {
        self.path = path
        self.isPrivate = isPrivate
        let url = URL(fileURLWithPath: path).standardizedFileURL
        staging =
            url.deletingLastPathComponent()
            .appendingPathComponent(".\(url.lastPathComponent).unfinished").path
        try Self.checkIsFree(path)
        try Self.attempt("create", staging) {
            for former in [staging, staging + ".earlier"] {
                try? FileManager.default.removeItem(atPath: former)
            }
            try FileManager.default.createDirectory(
                atPath: staging, withIntermediateDirectories: true,
                attributes: isPrivate ? [.posixPermissions: 0o700] : nil)
        }
    }

    /// The folder for a run that names none: `results/<verb>/<start time>_<name>`.
    static func defaultPath(verb: String, name: String) -> String {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withYear, .withMonth, .withDay, .withTime]
        let base = "results/\(verb)/\(formatter.string(from: Date()))_\(name)"
        guard FileManager.default.fileExists(atPath: base) else { return base }
        // Two runs within a second.
        for number in 2...1_000 where !FileManager.default.fileExists(atPath: "\(base)_\(number)") {
            return "\(base)_\(number)"
        }
        return base
    }

    /// An artefact to write, empty so far.
    func file(_ name: String) throws(RunFailure) -> ResultsFile {
        try ResultsFile(at: staging + "/" + name, mode: isPrivate ? 0o600 : 0o666)
    }

    /// Writes one artefact.
    func write(_ text: String, as name: String) throws(RunFailure) {
        try file(name).put(text.utf8.span.bytes)
    }

    /// Moves the artefacts into place.
    func finish() throws(RunFailure) {
        try Self.attempt("create", path) {
            let earlier = staging + ".earlier"
            let isReplacing = FileManager.default.fileExists(atPath: path)
            if isReplacing { try FileManager.default.moveItem(atPath: path, toPath: earlier) }
            try FileManager.default.moveItem(atPath: staging, toPath: path)
            if isReplacing { try FileManager.default.removeItem(atPath: earlier) }
        }
    }

    /// Removes what was written of a run that failed.
    func discard() { try? FileManager.default.removeItem(atPath: staging) }

    private static func checkIsFree(_ path: String) throws(RunFailure) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return }
        guard isFolder.boolValue else {
            throw .file("\(path): is a file. Choose another folder with --output.")
        }
        let names = try attempt("read", path) {
            try FileManager.default.contentsOfDirectory(atPath: path)
        }
        guard names.isEmpty || names.contains(mark) else {
            throw .file(
                "\(path): holds other files (\(names.sorted().prefix(3).joined(separator: ", "))) "
                    + "and no earlier run. Choose another folder with --output.")
        }
    }

    private static func attempt<Value>(
        _ verb: String, _ path: String, _ body: () throws -> Value
    ) throws(RunFailure) -> Value {
        do {
            return try body()
        } catch {
            throw .file(
                Self.complaint(verb, path, (error as NSError).localizedDescription))
        }
    }

    fileprivate static func complaint(_ verb: String, _ path: String, _ cause: String) -> String {
        "cannot \(verb) \(path): \(cause) "
            + "Check the folder's permissions and the disk, or choose another with --output."
    }
}

/// A file of results that is being written.
///
/// It is not forced to the disk: a run whose results a power cut takes can be run again.
struct ResultsFile: ~Copyable {
    private let path: String
    private let descriptor: Int32

    /// An empty file in place of what is there.
    fileprivate init(at path: String, mode: mode_t) throws(RunFailure) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Self.failure(at: path) }
    }

    deinit { close(descriptor) }

    /// Writes `bytes` behind what is there.
    func put(_ bytes: RawSpan) throws(RunFailure) {
        var offset = 0
        while offset < bytes.byteCount {
            let written = bytes.extracting(offset...).withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw Self.failure(at: path) }
            offset += written
        }
    }

    private static func failure(at path: String) -> RunFailure {
        .file(ResultsFolder.complaint("write", path, String(cString: strerror(errno)) + "."))
    }
}
