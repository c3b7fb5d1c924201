import Foundation
import Testing

/// Runs `martlet data` as a user would.
@Suite struct DataCommandTests {
    private let program: BuiltProgram

    init() throws {
        program = try BuiltProgram()
        // Only the files of these tests.
        try FileManager.default.removeItem(
            at: program.folder.appendingPathComponent("data/AAA.csv"))
        try write(
            "date,open,high,low,close,volume\n2024-01-04,10,11,9,10.5,100\n"
                + "2024-01-03,10,11,9,10.5,100\n2024-01-03,10,11,9,10.5,100\n"
                + "2024-01-05,10,11,9,NaN,100\n", to: "data/BAD.csv")
        try write(
            "date,open,high,low,close,volume\n2024-01-03,10,11,9,10.5,100\n"
                + "2024-01-05,10,11,9,10.5,100\n", to: "data/GAP.csv")
    }

    @Test func faultyFilesFailTheirCheckWithLineNumbers() throws {
        let run = try martlet("data", "check", "data")
        #expect(run.status == 6)
        #expect(run.errors.isEmpty)
        for text in [
            "BAD: 4 rows of 1d", "unsorted", "line 3", "duplicate", "line 4", "missing_value",
            "line 5",
            "GAP: 2 rows of 1d, 2024-01-03 to 2024-01-05: 0 errors, 1 warning",
            "found no bar on 2024-01-04",
        ] { #expect(run.output.contains(text), "\(text)") }
    }

    @Test func warningsAloneDoNotFailUnlessTheCheckIsStrict() throws {
        #expect(try martlet("data", "check", "data/GAP.csv").status == 0)
        #expect(try martlet("data", "check", "data/GAP.csv", "--strict").status == 6)
    }

    @Test func jsonHasEveryFinding() throws {
        let run = try martlet("data", "check", "data", "--json")
        #expect(run.status == 6)
        let object = try json(run.output)
        let files = try #require(object["files"] as? [[String: Any]])
        #expect(files.map { $0["symbol"] as? String } == ["BAD", "GAP"])
        let findings = try #require(files[0]["findings"] as? [[String: Any]])
        #expect(
            Set(findings.compactMap { $0["kind"] as? String }) == [
                "unsorted", "duplicate", "missing_value",
            ])
        #expect(object["passed"] as? Bool == false)
    }

    @Test func repairedCopiesPassAndChangesAreListed() throws {
        // Two of four rows would go.
        let refused = try martlet("data", "check", "data", "--fix", "-o", "fixed")
        #expect(refused.status == 6)
        #expect(
            refused.errors.contains(
                "data/BAD.csv: would lose 2 of 4 rows by a repair. Look at what the check finds first; "
                    + "--force repairs it all the same."))
        let run = try martlet("data", "check", "data", "--fix", "--force", "-o", "fixed")
        #expect(run.status == 0)
        #expect(
            try text("fixed/BAD.csv")
                == "date,open,high,low,close,volume\n2024-01-03,10,11,9,10.5,100\n"
                + "2024-01-04,10,11,9,10.5,100\n")
        let list = try text("fixed/report/changes.csv")
        #expect(list.hasPrefix("file,line,what,before,after\n"))
        for what in [
            "moved:", "dropped: the same as line", "dropped: no usable", "kept: missing_session",
        ] {
            #expect(list.contains(what), "\(what)")
        }
        #expect(try martlet("data", "check", "fixed").status == 0)
        // Never over what is there.
        let repeated = try martlet("data", "check", "data", "--fix", "--force", "-o", "fixed")
        #expect(repeated.status == 6)
        #expect(repeated.errors.contains("is there already"))
        #expect(try martlet("data", "check", "data", "--fix").status == 2)
        #expect(try martlet("data", "check", "data", "--force").status == 2)
    }

    @Test func filesAreListedWithTheirChecksums() throws {
        let run = try martlet("data", "list", "data", "--json")
        #expect(run.status == 0)
        let files = try #require(try json(run.output)["files"] as? [[String: Any]])
        #expect(files.map { $0["missing_sessions"] as? Int } == [0, 1])
        #expect(files.allSatisfy { ($0["sha256"] as? String)?.count == 64 })
        let table = try martlet("data", "list", "data").output.split(separator: "\n")
        #expect(table.count == 3)
        #expect(table[0].hasPrefix("symbol"))
        #expect(table[2].contains("1 session"))
    }

    @Test func syntheticBarsAreTheSameForTheSameSeedAndRun() throws {
        let options = [
            "data", "generate", "--symbols", "AAA,BBB", "--bars", "400", "--bar-size", "1m",
            "--seed", "7", "--volatility", "0.2", "--regimes", "--intraday-shape", "--jumps", "1",
            "--correlation", "0.4", "-o",
        ]
        #expect(try martlet(options + ["one"]).status == 0)
        #expect(try martlet(options + ["two"]).status == 0)
        #expect(try text("one/AAA.csv") == text("two/AAA.csv"))
        #expect(try text("one/AAA.csv") != text("one/BBB.csv"))
        #expect(try text("one/AAA.csv").split(separator: "\n").count == 401)
        #expect(try martlet("data", "check", "one", "--strict").status == 0)
        let refused = try martlet("data", "generate", "--symbols", "A", "--bars", "0", "-o", "x")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("number of bars or ticks"))
    }

    @Test func foreignTablesAreConverted() throws {
        try write(
            "date,symbol,open,high,low,close,volume\n2018-01-02,A,67.42,67.89,67.34,67.6,10\n"
                + "2018-01-02,B,1,1,1,1,1\nnever,A,1,1,1,1,1\n", to: "long.csv")
        let run = try martlet("data", "import", "long.csv", "-o", "out")
        #expect(run.status == 6)
        #expect(run.output.contains("2 rows of 2 symbols"))
        #expect(run.output.contains("line 4: found 'never'"))
        #expect(try text("out/A.csv").contains("2018-01-02,67.42,67.89,67.34,67.60,10"))
        #expect(try martlet("data", "check", "out").status == 0)
        let refused = try martlet("data", "import", "long.csv", "-o", "out", "--format", "excel")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("yahoo, alpha_vantage"))
    }

    @Test func packedFilesAreReadLikeText() throws {
        let run = try martlet("data", "pack", "data/GAP.csv", "-o", "packed")
        #expect(run.status == 0)
        #expect(run.output.contains("packed/GAP.mbars: 2 bars"))
        let text = try martlet("data", "check", "data/GAP.csv").output
        // Lines of text begin with the header.
        #expect(
            try martlet("data", "check", "packed").output
                == text.replacing("line 3", with: "line 2"))
        let refused = try martlet("data", "pack", "data/BAD.csv", "-o", "packed")
        #expect(refused.status == 6)
        #expect(refused.errors.contains("BAD.csv:3:1"))
    }

    /// Colours and titles of a terminal in a header, a field and a file's name.
    @Test func nothingFromAFileReachesTheTerminalRaw() throws {
        let escape = "\u{1B}]0;title\u{7}"
        try write(
            "date,open,high,low,close,adj\(escape)\n2024-01-03,10,11,9,10.5,1\n"
                + "2024-01-04,10,11,9,\(escape),1\n", to: "data/ODD.csv")
        for arguments in [["check"], ["list"], ["check", "--json"], ["pack", "-o", "packed"]] {
            let run = try martlet(["data", arguments[0], "data/ODD.csv"] + arguments.dropFirst())
            let printed = run.output + run.errors
            #expect(printed.contains("]0;title"), "\(arguments)")
            #expect(!printed.contains("\u{1B}") && !printed.contains("\u{7}"), "\(arguments)")
        }
        try write("date,open,high,low,close\n2024-01-03,10,11,9,10.5\n", to: "data/A\(escape).csv")
        let run = try martlet("data", "check", "data")
        #expect(run.status == 6)
        #expect(run.errors.contains("A\\u001B]0;title\\u0007.csv: has a name that is no symbol"))
        #expect(!run.errors.contains("\u{1B}"))
    }

    @Test func aMissingFolderIsNamed() throws {
        let run = try martlet("data", "check", "nowhere")
        #expect(run.status == 6)
        #expect(run.errors.contains("nowhere") && run.errors.contains("SYMBOL.csv"))
        #expect(try martlet("data", "check", "data", "--zone", "mars").status == 2)
        #expect(try martlet("data", "check", "data", "--bar-size", "1x").status == 2)
    }

    // MARK: Running

    private func martlet(_ arguments: String...) throws -> BuiltProgram.Run {
        try program.run(arguments)
    }

    private func martlet(_ arguments: [String]) throws -> BuiltProgram.Run {
        try program.run(arguments)
    }

    private func write(_ content: String, to name: String) throws {
        try program.write(content, to: name)
    }

    private func text(_ name: String) throws -> String { try program.text(name) }

    private func json(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
}
