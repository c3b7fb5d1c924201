import Foundation
import Testing

@testable import Runtime

@Suite struct ResultsFolderTests {
    private let base = FileManager.default.temporaryDirectory
        .appendingPathComponent("martlet-\(UUID().uuidString)")

    private var path: String { base.appendingPathComponent("run").path }
    private var staging: String { base.appendingPathComponent(".run.unfinished").path }

    @Test func artefactsAppearTogetherAtTheEnd() throws {
        defer { try? FileManager.default.removeItem(at: base) }
        let folder = try ResultsFolder(at: path)
        let text = String(repeating: "é,1\n", count: 100_000)
        try folder.write("{}", as: "manifest.json")
        let file = try folder.file("fills.csv")
        try file.put("a,b\n".utf8.span.bytes)
        try file.put("".utf8.span.bytes)
        try file.put(text.utf8.span.bytes)
        #expect(!FileManager.default.fileExists(atPath: path))

        try folder.finish()
        #expect(try String(contentsOfFile: path + "/fills.csv", encoding: .utf8) == "a,b\n" + text)
        #expect(try String(contentsOfFile: path + "/manifest.json", encoding: .utf8) == "{}")
        #expect(!FileManager.default.fileExists(atPath: staging))
    }

    @Test func anEarlierRunIsReplacedWhole() throws {
        defer { try? FileManager.default.removeItem(at: base) }
        for name in ["first.csv", "second.csv"] {
            let folder = try ResultsFolder(at: path)
            try folder.write("{}", as: "manifest.json")
            try folder.write("", as: name)
            try folder.finish()
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(names.sorted() == ["manifest.json", "second.csv"])
    }

    @Test func aFileThatCannotBeOpenedIsNamed() throws {
        defer { try? FileManager.default.removeItem(at: base) }
        let folder = try ResultsFolder(at: path)
        folder.discard()
        try expectFailure("cannot write \(staging)/fills.csv: No such file or directory.") {
            try folder.write("a", as: "fills.csv")
        }
    }

    /// `/dev/full` opens, and has no room.
    @Test func aFullDiskIsReported() throws {
        defer { try? FileManager.default.removeItem(at: base) }
        let folder = try ResultsFolder(at: path)
        try FileManager.default.createSymbolicLink(
            atPath: staging + "/fills.csv", withDestinationPath: "/dev/full")
        try expectFailure("cannot write \(staging)/fills.csv: No space left on device.") {
            try folder.write("a", as: "fills.csv")
        }
    }

    private func expectFailure(_ beginning: String, _ body: () throws -> Void) throws {
        let failure = try #require(throws: RunFailure.self) { try body() }
        #expect("\(failure)".hasPrefix(beginning))
        #expect("\(failure)".contains("--output"))
    }
}
