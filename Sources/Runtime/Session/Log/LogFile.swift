import Glibc
import Primitives

/// Why a log cannot be written, as a sentence.
struct LogFailure: Error, Hashable, Sendable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// What the system gave for a reason.
    init(writing path: String) {
        description = "\(path): \(String(cString: strerror(errno)))."
    }
}

/// A file that lines are added to.
final class LogFile {
    private let path: String
    private let descriptor: Int32
    /// How long it is.
    private(set) var byteCount: Int

    /// Opens the file, and makes it where there is none. It is the owner's alone.
    init(appendingTo path: String) throws(LogFailure) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw LogFailure(writing: path) }
        self.path = path
        self.descriptor = descriptor
        var status = stat()
        byteCount = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        var last: UInt8 = 0x0A
        if byteCount > 0 { _ = pread(descriptor, &last, 1, off_t(byteCount - 1)) }
        // A loss of power may have cut the last line.
        if last != 0x0A { try write("\n") }
    }

    deinit { close(descriptor) }

    /// False once somebody has removed or replaced it.
    var isThere: Bool {
        var (here, there) = (stat(), stat())
        return fstat(descriptor, &here) == 0 && stat(path, &there) == 0
            && here.st_ino == there.st_ino && here.st_dev == there.st_dev
    }

    /// Takes the file for this process alone.
    ///
    /// - Returns: false if another has it.
    func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Adds whole lines, or nothing.
    func write(_ lines: String) throws(LogFailure) {
        let bytes = Array(lines.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = LogFailure(writing: path)
                // What a full disk has taken of them is no line.
                _ = ftruncate(descriptor, off_t(byteCount))
                throw failure
            }
            written += count
        }
        byteCount += bytes.count
    }

    /// Has the disk keep what was written.
    func synchronise() { _ = fdatasync(descriptor) }

    /// The day of its first line; `nil` if that has none.
    var firstDay: Day? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 10 else { return nil }
        let text = Array(String(decoding: bytes[..<count], as: UTF8.self))
        for start in 0..<max(text.count - 9, 0) {
            if let day = Day(String(text[start..<(start + 10)])) { return day }
        }
        return nil
    }
}

/// The files of a log in a folder: `martlet.log` is written to, and becomes `martlet.2026-01-05.1.log` when it is full
/// or its day is over.
final class RotatingLog {
    /// The file that is written to.
    static let current = "martlet.log"

    private let folder: String
    private let limits: Limits
    private var file: LogFile?
    /// The day of the file's lines; `nil` while it is empty.
    private var day: Day?

    /// When files end, and how many are kept.
    struct Limits: Sendable {
        /// From how many bytes on another file is begun.
        let bytesMax: Int
        /// How many earlier files are kept.
        let filesKept: Int
        /// How many days they are kept.
        let daysKept: Int
    }

    /// An earlier file.
    private struct Earlier: Comparable {
        let day: Day
        let number: Int

        var name: String { "martlet.\(day).\(number).log" }

        init(_ day: Day, _ number: Int) {
            self.day = day
            self.number = number
        }

        init?(name: String) {
            let parts = name.split(separator: ".")
            guard parts.count == 4, parts[0] == "martlet", parts[3] == "log",
                let day = Day(parts[1]), let number = Int(parts[2])
            else { return nil }
            self.init(day, number)
        }

        static func < (left: Earlier, right: Earlier) -> Bool {
            (left.day, left.number) < (right.day, right.number)
        }
    }

    /// A log in a folder that is there.
    init(in folder: String, _ limits: Limits) {
        self.folder = folder
        self.limits = limits
    }

    /// Adds a line of a day.
    func write(_ line: String, on lineDay: Day) throws(LogFailure) {
        if file?.isThere == false { file = nil }
        if file == nil { try open() }
        if let file, file.byteCount > 0,
            day.map({ $0 != lineDay }) == true
                || file.byteCount + line.utf8.count > limits.bytesMax
        {
            try rotate(before: lineDay)
        }
        try file?.write(line)
        day = day ?? lineDay
    }

    private func open() throws(LogFailure) {
        let opened = try LogFile(appendingTo: folder + "/" + Self.current)
        day = opened.firstDay
        file = opened
    }

    private func rotate(before lineDay: Day) throws(LogFailure) {
        let own = day ?? lineDay
        let names = Self.names(in: folder)
        let newest = names.compactMap { Earlier(name: $0) }.filter { $0.day == own }.max()
        let path = folder + "/" + Self.current
        let next = Earlier(own, (newest?.number ?? 0) + 1)
        guard rename(path, folder + "/" + next.name) == 0 else { throw LogFailure(writing: path) }
        try open()
        removeOld(before: lineDay)
    }

    /// Removes what is too old or too much. What cannot be removed is tried again with the next file.
    private func removeOld(before today: Day) {
        let earlier = Self.names(in: folder).compactMap { Earlier(name: $0) }.sorted()
        let surplus = earlier.dropLast(limits.filesKept)
        let old = earlier.filter { $0.day.advanced(by: limits.daysKept) < today }
        for one in Array(surplus) + old { _ = unlink(folder + "/" + one.name) }
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
    }
}
