import Foundation
import MarketState
import Model
import Primitives
import Testing

@testable import Catalog

/// What a repair writes, leaves out and lists.
@Suite struct DataRepairTests {
    private static let header = "date,open,high,low,close,volume,note\n"

    /// The repaired text of a file and what was done.
    private func repaired(_ text: String) throws -> (text: String?, changes: [DataRepair.Change]) {
        let sandbox = try Sandbox()
        try sandbox.write(text, to: "T.csv")
        try sandbox.makeFolder("fixed")
        var source = DataSource(path: sandbox.path, calendar: .newYork)
        let file = try #require(try DataFolder.files(of: source).first)
        let result = try DataRepair.repair(file, source: source, into: sandbox.path + "/fixed")
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == text, "left alone")
        guard let path = result.path else { return (nil, result.changes) }
        source.path = path
        // What could be repaired loads.
        if !result.changes.contains(where: { $0.what.hasPrefix("kept: conflict") }) {
            _ = try DataLoader.load(source)
        }
        return (try String(contentsOfFile: path, encoding: .utf8), result.changes)
    }

    @Test func soundFileIsCopiedAsItIs() throws {
        let text =
            Self.header + "2024-01-03,10,11,9,10.50,100,\"a, b\"\n2024-01-04,10,11,9,10.5,100,\n"
        let result = try repaired(text)
        #expect(result.text == text)
        #expect(result.changes.isEmpty)
    }

    @Test func rowsAreSortedWithAllTheirColumns() throws {
        let result = try repaired(
            Self.header + "2024-01-05,10,11,9,10.5,1,c\n2024-01-03,10,11,9,10.5,1,a\n"
                + "2024-01-04,10,11,9,10.5,1,b\n")
        #expect(
            result.text == Self.header + "2024-01-03,10,11,9,10.5,1,a\n"
                + "2024-01-04,10,11,9,10.5,1,b\n2024-01-05,10,11,9,10.5,1,c\n")
        // Moving one row does it.
        #expect(result.changes.map(\.what) == ["moved: into the order of time"])
        #expect(result.changes.map(\.line) == [2])
        #expect(result.changes.map(\.after) == ["line 4"])
    }

    @Test func rowsThatStateTheSameAreLeftOutAndOthersKept() throws {
        let result = try repaired(
            Self.header + "2024-01-03,10,11,9,10.5,1,\n2024-01-03,10.0,11,9,10.5,1,\n"
                + "2024-01-04,10,11,9,10.5,1,\n2024-01-04,10,11,9,10.6,1,\n")
        #expect(
            result.text == Self.header + "2024-01-03,10,11,9,10.5,1,\n"
                + "2024-01-04,10,11,9,10.5,1,\n2024-01-04,10,11,9,10.6,1,\n")
        #expect(result.changes.map(\.what) == ["dropped: the same as line 2", "kept: conflict"])
        #expect(result.changes.map(\.line) == [3, 5])
    }

    @Test func valuesThatCanBeRepairedAreAndOtherRowsAreLeftOut() throws {
        let result = try repaired(
            Self.header + "2024-01-03,10,9,11,10.5,1,\n2024-01-04,10,11,9,NaN,1,\n"
                + "2024-01-05,10,11,9,10.5,,\n\nnonsense\n2024-01-08,$10,11,9,10.5,1e3,\n")
        #expect(
            result.text == Self.header + "2024-01-03,10,11,9,10.5,1,\n"
                + "2024-01-05,10,11,9,10.5,0,\n2024-01-08,10,11,9,10.5,1e3,\n")
        #expect(
            result.changes.map { $0.what.prefix { $0 != ":" } } == [
                "changed", "dropped", "changed", "kept", "dropped", "dropped", "changed",
            ])
        #expect(result.changes.map(\.line) == [2, 3, 4, 4, 5, 6, 7])
        #expect(result.changes[0].before == "2024-01-03,10,9,11,10.5,1,")
        #expect(result.changes[0].after == "2024-01-03,10,11,9,10.5,1,")
    }

    @Test func nothingIsWrittenOverAFile() throws {
        let sandbox = try Sandbox()
        try sandbox.write(Self.header + "2024-01-03,10,11,9,10.5,1,\n", to: "T.csv")
        let source = DataSource(path: sandbox.path, calendar: .newYork)
        let file = try #require(try DataFolder.files(of: source).first)
        let error = #expect(throws: DataError.self) {
            try DataRepair.repair(file, source: source, into: sandbox.path)
        }
        #expect(error?.finding == "is there already")
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.path) == ["T.csv"])
    }

    @Test func packedFileStaysPacked() throws {
        let sandbox = try Sandbox()
        let text = Self.header + "2024-01-04,10,11,9,10.5,1,\n2024-01-03,10,11,9,10.5,1,\n"
        try sandbox.write(Sandbox.packed(Array(text.utf8)), to: "T.csv.gz")
        try sandbox.makeFolder("fixed")
        var source = DataSource(path: sandbox.path, calendar: .newYork)
        let file = try #require(try DataFolder.files(of: source).first)
        let path = try DataRepair.repair(file, source: source, into: sandbox.path + "/fixed").path
        source.path = try #require(path)
        #expect(source.path.hasSuffix("T.csv.gz"))
        #expect(try DataLoader.load(source).series.first?.rows.count == 2)
    }

    @Test func changeListIsACSVFileWithoutFormulas() throws {
        let sandbox = try Sandbox()
        let change = DataRepair.Change(
            line: 3, what: "dropped: no usable prices", before: "=1,\"x\"", after: "")
        try ChangeList.write([("a.csv", [change])], to: sandbox.path + "/changes.csv")
        #expect(
            try String(contentsOfFile: sandbox.path + "/changes.csv", encoding: .utf8)
                == "file,line,what,before,after\n"
                + "a.csv,3,dropped: no usable prices,\"'=1,\"\"x\"\"\",\n")
    }

    /// Whatever was damaged: nothing vanishes without being listed, and what is left is in order.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func everyLineIsWrittenOrListed(seed: UInt64) throws {
        var random = RandomBars(seed: seed)
        var lines = random.text(random.rows(20, step: .minutes(1)))
            .split(whereSeparator: \.isNewline).map(String.init)
        for _ in 0..<4 {
            let line = Int(random.int(1...Int64(lines.count - 1)))
            switch random.int(0...3) {
            case 0: lines.swapAt(line, Int(random.int(1...Int64(lines.count - 1))))
            case 1: lines.insert(lines[line], at: line)
            case 2: lines[line] = lines[line].replacing(",", with: ",x", maxReplacements: 2)
            default: lines[line] = ""
            }
        }
        let sandbox = try Sandbox()
        try sandbox.write(lines.joined(separator: "\n") + "\n", to: "T.csv")
        try sandbox.makeFolder("fixed")
        var source = DataSource(path: sandbox.path, calendar: .always)
        source.barSize = .minutes(1)
        let file = try #require(try DataFolder.files(of: source).first)
        let result = try DataRepair.repair(file, source: source, into: sandbox.path + "/fixed")
        let written = try String(contentsOfFile: try #require(result.path), encoding: .utf8)
            .split(separator: "\n").map(String.init)
        let dropped = result.changes.count { $0.what.hasPrefix("dropped") }
        #expect(written.count + dropped == lines.count)
        #expect(Set(written).isSubset(of: Set(lines)))
        source.path = try #require(result.path)
        #expect(try DataLoader.load(source).series[0].rows.count == written.count - 1)
    }
}
