import Catalog
import Crypto
import Foundation
import Synchronization

/// SHA-256 of data files, worked out on another thread while a run goes on.
///
/// A file whose path, size, time and inode are as they were is not read again: its checksum is kept in
/// `martlet/checksums` of the user's cache folder. Losing that file costs time, nothing else.
final class Checksums: Sendable {
    private let result = Mutex<[String: String]?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    /// Starts working.
    init(of files: [SourceFile]) {
        DispatchQueue.global(qos: .utility).async { [self] in
            let sums = Self.compute(files)
            result.withLock { $0 = sums }
            isDone.signal()
        }
    }

    /// Waits for the checksums, in hexadecimal, by path. A file that vanished has none.
    func wait() -> [String: String] {
        isDone.wait()
        isDone.signal()
        return result.withLock { $0 ?? [:] }
    }

    private static func compute(_ files: [SourceFile]) -> [String: String] {
        var cache = ChecksumCache()
        var sums: [String: String] = [:]
        for file in files {
            sums[file.path] = cache.checksum(of: file) ?? digest(ofFileAt: file.path)
            if let sum = sums[file.path] { cache.keep(sum, for: file) }
        }
        cache.save()
        return sums
    }

    private static func digest(ofFileAt path: String) -> String? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        var hash = SHA256()
        while true {
            do {
                guard let chunk = try handle.read(upToCount: 1 << 18), !chunk.isEmpty else { break }
                hash.update(data: chunk)
            } catch {
                return nil
            }
        }
        return hexadecimal(hash.finalize())
    }
}

/// Checksums of earlier runs: a line a file, `checksum size modified inode path`.
///
/// Lines are looked for in the file's bytes: taking all of them apart took longer than most runs.
private struct ChecksumCache {
    private let lines: Data
    private var added: [String: String] = [:]

    private static let entriesMax = 20_000
    private static let digits = 64

    init() {
        lines = Self.file.flatMap { try? Data(contentsOf: $0) } ?? Data()
    }

    func checksum(of file: SourceFile) -> String? {
        guard let key = lines.range(of: Data(" \(Self.key(file))\n".utf8)),
            key.lowerBound >= Self.digits
        else { return nil }
        return String(data: lines[key.lowerBound - Self.digits..<key.lowerBound], encoding: .utf8)
    }

    mutating func keep(_ sum: String, for file: SourceFile) {
        guard checksum(of: file) != sum else { return }
        added[Self.key(file)] = sum
    }

    /// Best effort: a cache that cannot be written is done without.
    func save() {
        guard !added.isEmpty, let file = Self.file else { return }
        var sums: [String: String] = [:]
        for line in String(decoding: lines, as: UTF8.self).split(separator: "\n") {
            guard let space = line.firstIndex(of: " ") else { continue }
            sums[String(line[line.index(after: space)...])] = String(line[..<space])
        }
        sums.merge(added) { _, new in new }
        let text = sums.sorted { $0.key < $1.key }.suffix(Self.entriesMax)
            .map { "\($0.value) \($0.key)\n" }
        let folder = file.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? Data(text.joined().utf8).write(to: file, options: .atomic)
    }

    private static func key(_ file: SourceFile) -> String {
        let path = URL(fileURLWithPath: file.path).standardizedFileURL.path
        return "\(file.bytes) \(file.modified) \(file.inode) \(path)"
    }

    private static var file: URL? {
        let environment = ProcessInfo.processInfo.environment
        let base =
            environment["XDG_CACHE_HOME"].map { URL(fileURLWithPath: $0) }
            ?? environment["HOME"].map { URL(fileURLWithPath: $0).appendingPathComponent(".cache") }
        return base?.appendingPathComponent("martlet/checksums")
    }
}
