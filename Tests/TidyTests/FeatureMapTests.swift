import Foundation
import Testing

/// `docs/features.md` says which tests prove what the program owes its users.
@Suite struct FeatureMapTests {
    /// A row of one of the page's tables.
    struct Row: Equatable {
        let id: String
        let what: String
        /// As they stand there: `File.function`.
        let tests: [String]
    }

    /// A row of one of the tables of faults.
    struct FaultRow: Equatable {
        let id: String
        let what: String
        /// For whom it holds.
        let holdsIn: String
        let tests: [String]
    }

    /// The rows that must be there.
    private static let ids = ids(
        ("DAT", Array(2...8) + Array(13...17) + [19, 21, 22]),
        ("CON", [1, 2, 4, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 18]), ("GWY", Array(1...3)),
        ("STR", Array(1...6) + Array(10...20)),
        ("ORD", Array(1...14) + [16, 17]), ("SIZ", [1, 2, 3, 4, 6, 7]),
        ("RSK", Array(1...5) + Array(10...13)), ("EVT", [1, 2]), ("OPS", [11, 2]),
        ("PRT", [6]), ("LOG", Array(1...6)),
        ("CFG", Array(1...10)),
        ("ANA", Array(1...4)),
        ("BT", Array(1...12) + [17]), ("TST", [2]),
        (
            "C",
            [
                1, 2, 3, 4, 5, 6, 8, 9, 10, 13, 14, 15, 18, 19, 20, 21, 22, 23, 25, 26, 27, 39, 41,
                42, 50, 55, 56,
            ]
        ))

    private static func ids(_ groups: (name: String, numbers: [Int])...) -> [String] {
        groups.flatMap { group in
            group.numbers.map { "\(group.name)-\($0 < 10 ? "0" : "")\($0)" }
        }
    }

    @Test func everyRowIsThereOnceAndHasTests() throws {
        let rows = try Self.rows()
        #expect(rows.map(\.id) == Self.ids)
        for row in rows {
            #expect(!row.what.isEmpty && !row.tests.isEmpty, "\(row.id)")
            #expect(Set(row.tests).count == row.tests.count, "\(row.id) names a test twice")
        }
    }

    @Test func everyFaultScenarioHasTests() throws {
        let folder = Repository.root.appending(path: "Sources/GatewaySimulator/Faults/Scenarios")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let scenarios = try files.flatMap { file in
            try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                .matches(of: #/Scenario\(\s*"([a-z0-9-]+)"/#).map { "`\($0.output.1)`" }
        }
        let rows = try Self.allRows().filter { $0.id.hasPrefix("`") }
        #expect(rows.map(\.id).sorted() == scenarios.sorted())
        #expect(rows.allSatisfy { !$0.what.isEmpty && !$0.tests.isEmpty })
    }

    /// The rows of which the section "Faults" says where they hold, and by which tests.
    private static let faults =
        [
            ("N", 12), ("G", 18), ("O", 18), ("E", 11), ("X", 7), ("T", 7), ("S", 11), ("P", 7),
            ("A", 8),
        ]
        .flatMap { group in (1...group.1).map { "\(group.0)\($0)" } } + (1...30).map { "AIS-\($0)" }
        + ids(
            ("CON", [6, 8, 9, 10, 12, 14, 18]), ("EVT", [1, 2, 4, 8, 9, 11]), ("DAT", [1, 6]),
            ("ORD", Array(11...20)), ("PRT", [1, 4, 5, 11]), ("OPS", [2]),
            ("C", Array(1...20) + [39, 40, 44, 45, 46, 52]))

    /// Every row of the fault catalogue has a test, or stands under "Not yet" with what is missing.
    @Test func everyFaultHasTestsOrIsListedAsMissing() throws {
        let page = try Self.page()
        let rows = Self.faultRows(in: page)
        let missing = Self.missingRows(in: page)
        let shown = rows.filter { !$0.tests.isEmpty }.map(\.id)
        let without = Self.faults.filter { !shown.contains($0) && !missing.contains($0) }
        #expect(without.isEmpty, "name a test for these, or what is missing")
        let unknown = (rows.map(\.id) + missing).filter { !Self.faults.contains($0) }
        #expect(unknown.isEmpty, "no such rows")
        #expect(Set(rows.map(\.id)).count == rows.count, "a row stands there twice")
        #expect(Set(missing).count == missing.count, "a row is missing twice")
        for row in rows {
            #expect(!row.what.isEmpty && !row.tests.isEmpty, "\(row.id)")
            #expect(!row.holdsIn.isEmpty, "\(row.id): say in what it holds")
        }
        let tests = try Self.testsOfTheRepository()
        let wrong = rows.flatMap { row in
            row.tests.filter { !tests.contains($0) }.map { "\(row.id): \($0)" }
        }
        #expect(wrong.isEmpty, "name other tests, or write these")
    }

    @Test func faultsAreReadFromTheirTables() {
        let page = """
            | id | what | holds in | tests |
            |---|---|---|---|
            | N1 | b | session | `X.y`, `Z.c` |

            ### Not yet

            | id | what is missing |
            |---|---|
            | G2 | much |
            """
        let rows = Self.faultRows(in: page)
        #expect(rows == [FaultRow(id: "N1", what: "b", holdsIn: "session", tests: ["X.y", "Z.c"])])
        #expect(Self.missingRows(in: page) == ["G2"])
    }

    @Test func everyNamedTestExists() throws {
        let tests = try Self.testsOfTheRepository()
        let missing = try Self.allRows().flatMap { row in
            row.tests.filter { !tests.contains($0) }.map { "\(row.id): \($0)" }
        }
        #expect(missing.isEmpty, "name other tests, or write these")
    }

    @Test func onlyFunctionsMarkedAsTestsCount() throws {
        let text = """
            struct SomeTests {
                /// @Test func described() {}
                @Test func plain() {}
                @Test(arguments: [(1, "a)"), (2, "b")] as [(Int, String)])
                func listed(number: Int, name: String) {}
                @Test(
                    arguments: values, 0..<3)
                func multiplied(
                    number: Int
                ) {}
                private func helper() {}
                @Test func raw() { use(#"{"do":"list", "@Test func quoted"}"#) }
                @Test func last() {}
            }
            """
        #expect(
            Self.tests(in: text) == ["plain", "listed", "multiplied", "raw", "last"])
    }

    @Test func rowsAreReadFromTables() {
        let page =
            "# A\n| id | what | tests |\n|---|---|---|\n| AB-01 | b | `X.y`, `Z+A.c` |\n| no |\n"
        #expect(Self.rows(in: page) == [Row(id: "AB-01", what: "b", tests: ["X.y", "Z+A.c"])])
        let scenario = "| scenario | what | tests |\n|---|---|---|\n| `half-open` | b | `X.y` |\n"
        #expect(Self.rows(in: scenario) == [Row(id: "`half-open`", what: "b", tests: ["X.y"])])
    }

    // MARK: The page

    private static func rows() throws -> [Row] {
        try allRows().filter { !$0.id.hasPrefix("`") }
    }

    /// The rows of every table, those of the fault scenarios too: their names stand in backquotes.
    private static func allRows() throws -> [Row] { rows(in: try page()) }

    private static func page() throws -> String {
        let page = Repository.root.appending(path: "docs/features.md")
        return try String(contentsOf: page, encoding: .utf8)
    }

    /// The rows of tables that also say in what they hold.
    private static func faultRows(in page: String) -> [FaultRow] {
        tableRows(in: page, cellCount: 4).map {
            FaultRow(id: $0[0], what: $0[1], holdsIn: $0[2], tests: testNames($0[3]))
        }
    }

    /// The ids of the rows under "Not yet".
    private static func missingRows(in page: String) -> [String] {
        guard let start = page.firstRange(of: "### Not yet") else { return [] }
        return tableRows(in: String(page[start.upperBound...]), cellCount: 2).map { $0[0] }
    }

    /// The cells of rows that have so many of them, those of heads left out.
    private static func tableRows(in page: String, cellCount: Int) -> [[String]] {
        page.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard line.hasPrefix("|"), cells.count == cellCount, let first = cells.first?.first,
                first.isUppercase
            else { return nil }
            return cells
        }
    }

    private static func testNames(_ cell: String) -> [String] {
        cell.split(separator: ",").map {
            $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
        }
    }

    private static func rows(in page: String) -> [Row] {
        page.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard cells.count == 3, let first = cells[0].first,
                first == "`" || (first.isUppercase && cells[0].contains("-"))
            else { return nil }
            return Row(id: cells[0], what: cells[1], tests: testNames(cells[2]))
        }
    }

    // MARK: The tests

    /// Every test as `File.function`, with the file's name only.
    private static func testsOfTheRepository() throws -> Set<String> {
        let folder = Repository.root.appending(path: "Tests")
        let enumerator = FileManager.default.enumerator(atPath: folder.path)
        var found: Set<String> = []
        for case let name as String in enumerator ?? .init() {
            guard name.hasSuffix(".swift") || name == "Kill/faults.py" else { continue }
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            let file = URL(filePath: name).deletingPathExtension().lastPathComponent
            // Tests of real processes.
            for match in text.matches(of: #/(?m)^def (\w+)\(arguments\):/#) {
                found.insert("\(file).\(match.output.1)")
            }
            for test in tests(in: text) { found.insert("\(file).\(test)") }
        }
        return found
    }

    /// The functions that bear `@Test`: the first `func` behind each, in code.
    private static func tests(in text: String) -> [String] {
        CodeText.stripped(text).split(separator: "@Test").dropFirst().compactMap { remainder in
            guard let range = remainder.firstRange(of: "func ") else { return nil }
            return String(
                remainder[range.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        }
    }
}
