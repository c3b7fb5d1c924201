import Foundation
import Primitives

/// Stops a program that dies and is started again, over and over: each time it might send an order.
///
/// The journal's folder has a line for each start that has not come to an orderly end. Too many within a short time set
/// a latch, which only a person clears.
struct StartLatch {
    private let folder: String

    /// How many starts may have died.
    static let startsMax = 3
    /// Within which time.
    static let interval = Duration.minutes(10)

    private var starts: String { folder + "/starts" }
    private var latch: String { folder + "/crash-loop" }

    /// The latch of a journal's folder.
    init(folder: String) { self.folder = folder }

    /// Notes a start.
    ///
    /// - Parameter now: the wall clock.
    /// - Throws: when the latch is set, as a sentence that says how it is cleared.
    func begin(
        at now: Timestamp = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
    ) throws(RunFailure) {
        let known = (try? String(contentsOfFile: starts, encoding: .utf8)) ?? ""
        let second: Int64 = 1_000_000_000
        let (seconds, interval) = (now.nanoseconds / second, Self.interval.nanoseconds / second)
        // A file may have anything in it.
        let recent = known.split(separator: "\n").compactMap { Int64($0) }.filter {
            $0 <= seconds && $0 > seconds - interval
        }
        if recent.count >= Self.startsMax {
            try write("\(now)\n", to: latch)
            // The latch stands for them: without it they count no more.
            end()
        }
        guard !FileManager.default.fileExists(atPath: latch) else {
            throw .notPermitted(
                "The session of \(folder) was started \(Self.startsMax) times within "
                    + "\(Self.interval) and died each time: it is not started again by itself. Look at why, "
                    + "then delete \(latch).")
        }
        try write((recent + [seconds]).map { "\($0)\n" }.joined(), to: starts)
    }

    /// Notes an orderly end.
    func end() { try? FileManager.default.removeItem(atPath: starts) }

    private func write(_ text: String, to file: String) throws(RunFailure) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            throw .file("\(file) cannot be written: \(error.localizedDescription)")
        }
    }
}
