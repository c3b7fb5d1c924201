import Foundation
import Primitives

/// A file in the journal's folder that says that the program was ended because its loop did not come back: the next
/// start halts entries, and takes the file away once that is in its journal.
struct HangMark: Sendable {
    /// The file.
    let path: String

    /// The mark of a journal's folder.
    init(folder: String) { path = folder + "/hung" }

    /// How long the loop had not come back; `nil` without a mark. A mark that cannot be read is one.
    func read() -> Duration? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let seconds = text.split(separator: "\n").first.flatMap { Int64($0) } ?? 0
        return .seconds(min(max(seconds, 1), 1_000_000))
    }

    /// Takes it away.
    func clear() { try? FileManager.default.removeItem(atPath: path) }
}
