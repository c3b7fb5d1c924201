import Foundation
import Primitives

/// Stops a program that dies and is started again, over and over: each time it might send an order.
///
/// The journal's folder has a line for each start that has not come to an end by itself. Too many within a short time set
/// a latch, which only a person clears.
struct StartLatch {
    private let folder: String

    /// How many starts may have died.
    static let startsMax = 3
    /// Within which time.
    static let interval = Duration.minutes(10)

    private var starts: String { folder + "/starts" }

    /// The file that is there while the latch is set.
    var file: String { folder + "/crash-loop" }

    /// True while the latch is set.
    var isSet: Bool { FileManager.default.fileExists(atPath: file) }

    /// The wall clock, in whole seconds.
    static var now: Timestamp { Timestamp(seconds: Int64(Date().timeIntervalSince1970)) }

    /// The latch of a journal's folder.
    init(folder: String) { self.folder = folder }

    /// Notes a start.
    ///
    /// - Parameter now: the wall clock.
    /// - Throws: when the latch is set, as a sentence that says how it is cleared.
    func begin(at now: Timestamp = Self.now) throws(RunFailure) {
        let recent = recent(at: now)
        if recent.count >= Self.startsMax { try set(at: now) }
        guard !isSet else {
            throw .notPermitted(
                "The session of \(folder) was started \(Self.startsMax) times within "
                    + "\(Self.interval) and died each time: it is not started again by itself. Look at why, "
                    + "then delete \(file).")
        }
        try write(recent + [Self.seconds(now)])
    }

    /// Notes, for whoever watches a session, that it has died: the time of its death takes the place of that of its start.
    ///
    /// - Parameters:
    ///   - begun: the wall clock when it was started, or earlier.
    ///   - now: the wall clock.
    /// - Returns: true if the latch is set with that.
    func noteDeath(begun: Timestamp, at now: Timestamp = Self.now) throws(RunFailure) -> Bool {
        var recent = recent(at: now)
        if let newest = recent.last, newest >= Self.seconds(begun) { recent.removeLast() }
        recent.append(Self.seconds(now))
        guard recent.count >= Self.startsMax else {
            try write(recent)
            return false
        }
        try set(at: now)
        return true
    }

    /// Notes an orderly end.
    func end() { try? FileManager.default.removeItem(atPath: starts) }

    /// Takes back the newest start: it has come to nothing, and says nothing of those before.
    func takeBack(at now: Timestamp = Self.now) {
        let others = recent(at: now).dropLast()
        guard !others.isEmpty else { return end() }
        // A start too many counts on the side of caution.
        try? write(Array(others))
    }

    private static func seconds(_ time: Timestamp) -> Int64 { time.nanoseconds / 1_000_000_000 }

    /// The starts, or deaths, of the interval before a time.
    private func recent(at now: Timestamp) -> [Int64] {
        let known = (try? String(contentsOfFile: starts, encoding: .utf8)) ?? ""
        let (last, first) = (Self.seconds(now), Self.seconds(now - Self.interval))
        // A file may have anything in it.
        return known.split(separator: "\n").compactMap { Int64($0) }.filter {
            $0 <= last && $0 > first
        }
    }

    private func set(at now: Timestamp) throws(RunFailure) {
        try write("\(now)\n", to: file)
        // The latch stands for them: without it they count no more.
        end()
    }

    private func write(_ times: [Int64]) throws(RunFailure) {
        try write(times.map { "\($0)\n" }.joined(), to: starts)
    }

    private func write(_ text: String, to path: String) throws(RunFailure) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw .file("\(path) cannot be written: \(error.localizedDescription)")
        }
    }
}
