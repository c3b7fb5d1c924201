import Foundation
import Journal
package import Primitives

/// `martlet replay --salvage`: what is whole of a damaged journal, in a folder from which a session can start.
///
/// What was lost may have been an order. So a session that starts from it is killed until its user has looked: the file
/// `kill` is in the folder. What the broker knows of lost orders, the session finds out and says when it starts.
package struct SalvagedJournal: Sendable {
    private let salvage: JournalSalvage
    private let source: String
    private let target: String

    /// Copies what is whole.
    ///
    /// - Parameters:
    ///   - source: the damaged journal's folder, which is only read.
    ///   - target: the new folder, which must not be there.
    package init(of source: String, into target: String) throws(RunFailure) {
        (self.source, self.target) = (source, target)
        do throws(JournalError) {
            salvage = try JournalSalvage(of: source, into: target)
        } catch {
            throw .file("\(error)")
        }
        guard !salvage.isWhole else {
            try? FileManager.default.removeItem(atPath: target)
            throw .usage(
                "The journal in \(source) is whole: a session starts from it as it is, and nothing was copied."
            )
        }
        do throws(RunFailure) {
            try KillFile(folder: target).set(
                "salvaged from \(source): compare with the broker first")
            try copy(SessionHistory.file)
            try copy(DryBroker.file)
        } catch {
            // Without these a session must not start from it.
            try? FileManager.default.removeItem(atPath: target)
            throw error
        }
        // Without them contracts are asked for again, and scores of earlier days are lost.
        try? copy("contracts")
        try? copy(ScoreFiles.folderName)
    }

    private func copy(_ name: String) throws(RunFailure) {
        let path = source + "/" + name
        guard FileManager.default.fileExists(atPath: path) else { return }
        do {
            try FileManager.default.copyItem(atPath: path, toPath: target + "/" + name)
        } catch {
            throw .file("\(path) cannot be copied: \(error.localizedDescription)")
        }
    }
}

extension SalvagedJournal {
    /// What was kept and lost, and what to do, for people.
    package var text: String {
        let (kept, lost) = (salvage.kept, salvage.lost)
        var lines = [
            "Kept   \(target)/\(kept.file): \(kept.batchCount) batches, events 1 to \(kept.nextSequence - 1), up to "
                + "\(kept.newest)",
            "       \(kept.olderFiles) older files as they are",
        ]
        if let next = lost.nextSequence, next > kept.nextSequence {
            lines.append(
                "Lost   events \(kept.nextSequence) to \(next - 1)"
                    + (lost.newest.map { ", up to about \($0)" } ?? ""))
        } else if !lost.faults.isEmpty {
            lines.append("Lost   events from \(kept.nextSequence) on, as far as there were any")
        }
        lines += lost.files.map { "Lost   \($0): nothing of it is whole" }
        lines += lost.faults.map { "Fault  \($0)" }
        return lines.joined(separator: "\n") + """


            Look at orders and positions in TWS first. Then put the folder in the other's place and start the session:

                mv \(source) \(source).damaged
                mv \(target) \(source)

            It begins killed, reads the broker's lists, and opens nothing. When orders and positions are what you expect:

                martlet ctl resume killed --account NUMBER --reason TEXT
            """
    }

    /// The same for programs.
    package var json: JSONObject {
        let (kept, lost) = (salvage.kept, salvage.lost)
        return [
            .init("folder", .text(target)), .init("file", .text(kept.file)),
            .init("batches", .number("\(kept.batchCount)")),
            .init("kept_to_event", .number("\(kept.nextSequence - 1)")),
            .init("kept_to", .text("\(kept.newest)")),
            .init("older_files", .number("\(kept.olderFiles)")),
            .init("lost_to_event", lost.nextSequence.map { .number("\($0 - 1)") } ?? .null),
            .init("lost_to", lost.newest.map { .text("\($0)") } ?? .null),
            .init("lost_files", .array(lost.files.map { .text($0) })),
            .init("faults", .array(lost.faults.map { .text("\($0)") })),
        ]
    }
}
