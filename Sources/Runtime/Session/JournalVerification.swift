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
        let parts = JournalFolder.parts(in: path).map { JournalFolder.file(of: $0, in: path) }
        let program = try SessionStart.programDigest()
        var files: [File] = []
        var previous = Ending()
        for file in parts.isEmpty ? [path] : parts {
            let verified = try Self.verify(file, program, behind: previous)
            previous = verified.ending ?? previous
            files.append(verified.file)
        }
        self.files = files
    }

    /// How a file has ended.
    private struct Ending {
        /// The digest of all rows; empty before the first file.
        var hash: [UInt8] = []
        /// By what its decisions were made.
        var opening: SessionOpening?
        /// The state by then; `nil` where it was not answered as recorded.
        var records: [OpeningRecord]?
    }

    private static func verify(
        _ file: String, _ program: UInt64, behind previous: Ending
    ) throws(RunFailure) -> (file: File, ending: Ending?) {
        // A start that was cut off before its session.
        guard try isBegun(file) else {
            return (
                File(path: file, batches: 0, events: 0, isOfThisProgram: false, fault: nil), nil
            )
        }
        var fault = try checkChain(file, behind: previous)
        let journal: JournalReplay
        do throws(JournalReplay.Failure) {
            journal = try JournalReplay(file) { begun throws(JournalReplay.Failure) in
                do throws(RunFailure) {
                    return JournalReplay.Way(
                        .decides, try begun.configuredThen(), opening: begun.recorded)
                } catch {
                    throw .run(error)
                }
            } follow: { _, _ in
            }
        } catch {
            guard case .journal(let words) = error, words.isDamage else { throw error.runFailure }
            return (
                File(
                    path: file, batches: 0, events: 0, isOfThisProgram: false, fault: "\(words)"),
                nil
            )
        }
        let batches = journal.head.batchCount
        guard let answered = journal.answered else {
            // A start that was cut off before its session.
            return (
                File(path: file, batches: 0, events: 0, isOfThisProgram: false, fault: fault), nil
            )
        }
        let recorded = answered.begun.recorded
        if let records = previous.records, previous.opening?.decidesAs(recorded) == true,
            records != answered.begun.records
        {
            fault = fault ?? "it does not begin with the state that the file before it ends with"
        }
        fault = fault ?? answered.replay.difference.map { "\($0)" }
        let events = answered.replay.eventCount
        var ending = Ending(hash: journal.head.hash, opening: recorded)
        if fault == nil {
            var ignored = EngineOutput()
            ending.records = answered.replay.finish(into: &ignored).openingRecords()
        }
        return (
            File(
                path: file, batches: batches, events: events,
                isOfThisProgram: recorded.program == program, fault: fault), ending
        )
    }

    private static func isBegun(_ file: String) throws(RunFailure) -> Bool {
        do throws(JournalError) {
            return try JournalReader(file).isBegun()
        } catch {
            // What is damaged is named behind this.
            guard error.isDamage else { throw .file("\(error)") }
            return true
        }
    }

    /// Why a file is none that goes on from the one before it; `nil` if it is.
    private static func checkChain(
        _ file: String, behind previous: Ending
    ) throws(RunFailure) -> String? {
        do throws(JournalError) {
            let first = try JournalReader(file).previousHash()
            return previous.hash.isEmpty || first == previous.hash
                ? nil : "it does not go on from the file before it"
        } catch {
            guard error.isDamage else { throw .file("\(error)") }
            return "\(error)"
        }
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
