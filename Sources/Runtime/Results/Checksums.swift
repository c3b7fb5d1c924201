import Digests
import Catalog
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
        let keys = files.map(ChecksumCache.key)
        var cache = ChecksumCache(for: keys)
        var sums: [String: String] = [:]
        for (file, key) in zip(files, keys) {
            sums[file.path] = cache.checksum(for: key) ?? digest(ofFileAt: file.path)
            if let sum = sums[file.path] { cache.keep(sum, for: key) }
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
                hash.update(chunk)
            } catch {
                return nil
            }
        }
        return hexadecimal(hash.digest())
    }
}

/// Checksums of earlier runs: a line a file, `checksum size modified inode path`.
///
/// Only lines as long as one that is looked for are taken apart: all of them took longer than most runs,
/// and so did a search of the whole file for each.
private struct ChecksumCache {
    private let lines: [UInt8]
    /// By key; of those that were looked for.
    private let known: [String: String]
    private var added: [String: String] = [:]

    private static let entriesMax = 20_000
    private static let digits = 64

    init(for keys: [String]) {
        lines = Self.file.flatMap { try? Data(contentsOf: $0) }.map { [UInt8]($0) } ?? []
        known = Self.find(keys, in: lines)
    }

    func checksum(for key: String) -> String? { known[key] }

    mutating func keep(_ sum: String, for key: String) {
        guard known[key] != sum else { return }
        added[key] = sum
    }

    private static func find(_ keys: [String], in lines: [UInt8]) -> [String: String] {
        let expected = Set(keys)
        let lengths = Set(keys.map { digits + 1 + $0.utf8.count })
        var found: [String: String] = [:]
        var start = 0
        while let end = lines[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = lines[start..<end]
            start = end + 1
            guard lengths.contains(line.count) else { continue }
            let key = String(decoding: line.dropFirst(digits + 1), as: UTF8.self)
            guard expected.contains(key), found[key] == nil else { continue }
            found[key] = String(decoding: line.prefix(digits), as: UTF8.self)
        }
        return found
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

    static func key(_ file: SourceFile) -> String {
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
