import Configuration
import Journal
import Model
package import Primitives
import Signals
import TradingEngine

/// `martlet replay --verify`: journals of live sessions, whose chains are verified and whose events are answered once
/// more by a second engine.
package struct JournalVerification: Sendable {
    /// What one file has come to.
    package struct File: Sendable {
        /// Its path.
        package let path: String
        /// Batches in it.
        package let batches: Int
        /// Events in it, those of the opening left out.
        package let events: Int
        /// The digest of the program that wrote it is this program's.
        package let isOfThisProgram: Bool
        /// What is wrong, in a sentence; `nil` where every answer is the recorded one.
        package let fault: String?
    }

    /// The files, oldest first.
    package let files: [File]

    /// True if every chain is whole and every answer the recorded one.
    package var isVerified: Bool { files.allSatisfy { $0.fault == nil } }

    /// Reads and answers journals.
    ///
    /// - Parameter path: a journal's folder, or one of its files.
    package init(of path: String) throws(RunFailure) {
        let parts = JournalFolder.parts(in: path).map { "\(path)/\($0.name)" }
        let program = try SessionStart.programDigest()
        var files: [File] = []
        var previous: [UInt8] = []
        for file in parts.isEmpty ? [path] : parts {
            let (verified, hash) = try Self.verify(file, program)
            var fault = verified.fault
            if let first = verified.previousHash, !previous.isEmpty, first != previous {
                fault = fault ?? "it does not go on from the file before it"
            }
            if let hash { previous = hash }
            files.append(
                File(
                    path: file, batches: verified.batches, events: verified.events,
                    isOfThisProgram: verified.isOfThisProgram, fault: fault))
        }
        self.files = files
    }

    private struct Verified {
        var batches = 0
        var events = 0
        var isOfThisProgram = false
        var previousHash: [UInt8]?
        var fault: String?
    }

    private static func verify(
        _ file: String, _ program: UInt64
    ) throws(RunFailure) -> (Verified, head: [UInt8]?) {
        var verified = Verified()
        var batches: [RecordBatch] = []
        let head: JournalReader.Head
        let pieces: [Journal.SavedPiece]
        do throws(JournalError) {
            let reader = try JournalReader(file)
            // A start that was cut off before its session.
            guard try reader.isBegun() else { return (verified, nil) }
            pieces = try reader.saved()
            head = try reader.forEachBatch { batches.append($0) }
            verified.previousHash = try reader.previousHash()
        } catch {
            if case .file = error { throw .file("\(error)") }
            verified.fault = "\(error)"
            return (verified, nil)
        }
        verified.batches = head.batchCount
        guard let first = batches.first,
            case .sessionOpened(let recorded)? = first.events.first?.kind
        else {
            // A start that was cut off before its session.
            return (verified, nil)
        }
        verified.isOfThisProgram = recorded.program == program
        let saved = try SavedOpening(pieces, of: file)
        let (configured, problem) = saved.configured(pieces, of: file)
        if let problem { throw problem }
        do throws(SavedStateError) {
            var replay = try Replay(
                configured, from: saved.state(first.openingRecords, recorded), opening: recorded,
                under: .decides)
            for batch in batches.dropFirst() where replay.take(batch) != nil { break }
            verified.events = replay.eventCount
            verified.fault = replay.difference.map { "\($0)" }
        } catch {
            verified.fault = "its state cannot be read: \(error)"
        }
        return (verified, head.hash)
    }
}

extension RecordBatch {
    /// The records of the state in the batch that opens a session.
    var openingRecords: [OpeningRecord] {
        events.compactMap { if case .opening(let record) = $0.kind { record } else { nil } }
    }
}

extension JournalVerification {
    /// A line for each file, for people.
    package var text: String {
        files.map { file in
            let answers =
                file.fault
                ?? "\(file.events) events were answered as recorded"
                + (file.isOfThisProgram ? "" : ", by another build of the program")
            return "\(file.path): \(file.batches) batches, chain whole; \(answers)"
        }.joined(separator: "\n")
    }

    /// The same for programs.
    package var json: JSONObject {
        [
            JSONValue.Member("verified", .bool(isVerified)),
            JSONValue.Member(
                "files",
                .array(
                    files.map { file in
                        var object: JSONObject = [
                            JSONValue.Member("path", .text(file.path)),
                            JSONValue.Member("batches", .number("\(file.batches)")),
                            JSONValue.Member("events", .number("\(file.events)")),
                            JSONValue.Member("this_program", .bool(file.isOfThisProgram)),
                        ]
                        object.set("fault", file.fault.map { .text($0) })
                        return .object(object)
                    })),
        ]
    }
}
