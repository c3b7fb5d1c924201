import Foundation
import Glibc
package import Primitives

/// The folder in which the journals of one account and configuration lie.
///
/// While it is open nobody else can open it.
package final class JournalFolder: Sendable {
    /// Where it is.
    package let path: String
    /// The number in the references of its orders: positive, and the same for as long as the folder is there.
    package let instance: Int32
    private let lock: Int32
    private let mark: Int32

    /// Opens a folder, and makes it where there is none.
    ///
    /// - Parameter newInstance: the number of a folder that has none yet; random, so that no other folder's orders at
    ///   the broker are taken for its own.
    package init(path: String, newInstance: Int32) throws(JournalError) {
        precondition(newInstance > 0, "an instance's number is positive")
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw Self.refusal(path, making: error)
        }
        try Self.checkPlace(path)
        let file = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.refusal(path) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let owner = Self.text(of: file)
            close(file)
            throw .inUse(folder: path, by: owner.isEmpty ? "another session" : "process \(owner)")
        }
        do throws(JournalError) {
            try Self.replace(file, with: "\(getpid())", path)
            instance = try Self.instance(in: path, newInstance)
            mark = open(Self.mark(in: path), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard mark >= 0 else { throw Self.refusal(path) }
        } catch {
            close(file)
            throw error
        }
        lock = file
    }

    deinit {
        releaseReserve()
        close(mark)
        close(lock)
    }

    // MARK: The mark

    private static func mark(in path: String) -> String { path + "/head" }

    /// Notes how far a file was written: a start that finds less there is refused.
    ///
    /// It waits for no disk: behind a loss of power it may say less than what is there, never more.
    package func note(_ part: Part, nextSequence: Int64) {
        let number = String(nextSequence)
        let text = part.name + " " + String(repeating: "0", count: 19 - number.count) + number
        _ = Array(text.utf8).withUnsafeBytes { pwrite(mark, $0.baseAddress, $0.count, 0) }
        // It has the same length but for a part with another name; a look costs a tenth of cutting it.
        var status = stat()
        if fstat(mark, &status) != 0 || status.st_size != off_t(text.utf8.count) {
            _ = ftruncate(mark, off_t(text.utf8.count))
        }
    }

    /// Throws if more was written than what is there.
    ///
    /// - Parameters:
    ///   - part: the newest file with a session; `nil` for none.
    ///   - nextSequence: the number behind its last event.
    package func checkMark(_ part: Part?, nextSequence: Int64) throws(JournalError) {
        guard let (marked, next) = Self.marked(Self.text(of: mark, 128)) else { return }
        guard let part, part >= marked else {
            throw .missing(file(of: marked), sequence: 1, mark: Self.mark(in: path))
        }
        guard part > marked || nextSequence >= next else {
            throw .missing(file(of: part), sequence: nextSequence, mark: Self.mark(in: path))
        }
    }

    /// How far a folder's mark says that it was written; `nil` where it says nothing.
    static func marked(in path: String) -> (part: Part, nextSequence: Int64)? {
        let file = open(mark(in: path), O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return marked(text(of: file, 128))
    }

    /// A mark that makes no sense is what a loss of power has left.
    private static func marked(_ text: String) -> (part: Part, nextSequence: Int64)? {
        let words = text.split(separator: " ")
        guard words.count == 2, let part = Part(name: String(words[0])), let next = Int64(words[1])
        else { return nil }
        return (part, next)
    }

    /// The number in a folder's order references.
    static func instance(in path: String) throws(JournalError) -> Int32 {
        let name = path + "/instance"
        let file = open(name, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .file(name, String(cString: strerror(errno))) }
        defer { close(file) }
        return try instance(text(of: file), name)
    }

    private static func instance(_ text: String, _ name: String) throws(JournalError) -> Int32 {
        guard let number = Int32(text), number > 0 else {
            throw .damaged(name, sequence: 0, "it has no number")
        }
        return number
    }

    /// Throws while a process has a folder open; otherwise none can open it until the lock's file is closed.
    ///
    /// - Returns: the lock's file, to be closed; `nil` where there is none.
    static func shareLock(of path: String) throws(JournalError) -> Int32? {
        let file = open(path + "/lock", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        guard flock(file, LOCK_SH | LOCK_NB) == 0 else {
            let owner = text(of: file)
            close(file)
            throw .inUse(folder: path, by: owner.isEmpty ? "another session" : "process \(owner)")
        }
        return file
    }

    // MARK: Room

    /// How many bytes there is room for; `nil` if the system does not say.
    package var freeSpace: Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int64(clamping: UInt64(status.f_bavail)) * Int64(clamping: UInt64(status.f_frsize))
    }

    /// What is kept free for the day on which the disk is full: 8 mebibytes, some days of a session's events.
    private static let reserveBytes: off_t = 8 << 20

    private var reserve: String { path + "/reserve" }

    /// Keeps room in a file of its own, where there is any.
    package func keepReserve() {
        let file = open(reserve, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        if posix_fallocate(file, 0, Self.reserveBytes) != 0 { unlink(reserve) }
    }

    /// Gives the room free.
    ///
    /// - Returns: false where none was kept.
    @discardableResult package func releaseReserve() -> Bool { unlink(reserve) == 0 }

    // MARK: Files

    /// A file of the folder: one for each session day, and one more for each time the program was started on it.
    package struct Part: Hashable, Comparable, Sendable {
        /// The session day.
        package let day: Day
        /// The place among the files of the day, from 1.
        package let number: Int

        /// A file's place.
        package init(day: Day, number: Int) {
            self.day = day
            self.number = number
        }

        /// Orders by age.
        package static func < (left: Part, right: Part) -> Bool {
            (left.day, left.number) < (right.day, right.number)
        }

        /// The part of a file's name; `nil` for other files.
        init?(name: String) {
            let suffixes = [JournalFolder.suffix, JournalFolder.packedSuffix]
            guard let suffix = suffixes.first(where: { name.hasSuffix($0) }) else { return nil }
            let pieces = name.dropLast(suffix.count).split(separator: ".")
            guard pieces.count == 2, let day = Day(pieces[0]), let number = Int(pieces[1]),
                number > 0
            else { return nil }
            self.init(day: day, number: number)
        }

        /// The name of the file while it is not compressed.
        package var name: String { "\(day).\(number)\(JournalFolder.suffix)" }
    }

    /// The files, oldest first.
    package var parts: [Part] { Self.parts(in: path) }

    /// The files of a folder, oldest first, whether or not a session has it open.
    package static func parts(in path: String) -> [Part] {
        // A file that is being compressed is there twice.
        Set(names(in: path).compactMap { Part(name: $0) }).sorted()
    }

    /// The names of all that is in a folder.
    static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }

    /// The path of a file, compressed or not.
    package func file(of part: Part) -> String { Self.file(of: part, in: path) }

    /// The path of a file in a folder, compressed or not.
    package static func file(of part: Part, in path: String) -> String {
        let plain = "\(path)/\(part.name)"
        let packed = plain + packedEnding
        return access(plain, F_OK) != 0 && access(packed, F_OK) == 0 ? packed : plain
    }

    /// The part that a start of the program on a day begins.
    package func newPart(on day: Day) -> Part {
        let newest = parts.last { $0.day == day }
        return Part(day: day, number: (newest?.number ?? 0) + 1)
    }

    fileprivate static let suffix = ".sqlite"
    /// What the name of a compressed file has behind that of the file.
    static let packedEnding = ".gz"
    static var packedSuffix: String { suffix + packedEnding }

    private static func text(of file: Int32, _ length: Int = 32) -> String {
        var bytes = [UInt8](repeating: 0, count: length)
        let count = pread(file, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    private static func replace(
        _ file: Int32, with text: String, _ path: String
    ) throws(JournalError) {
        let bytes = Array(text.utf8)
        guard ftruncate(file, 0) == 0, pwrite(file, bytes, bytes.count, 0) == bytes.count,
            fsync(file) == 0
        else { throw refusal(path) }
    }

    private static func instance(
        in path: String, _ newInstance: Int32
    ) throws(JournalError) -> Int32 {
        let name = path + "/instance"
        let file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.refusal(path) }
        defer { close(file) }
        let known = text(of: file)
        guard known.isEmpty else { return try instance(known, name) }
        try replace(file, with: "\(newInstance)", path)
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0, fsync(folder) == 0 else {
            throw refusal(path)
        }
        close(folder)
        return newInstance
    }
}
