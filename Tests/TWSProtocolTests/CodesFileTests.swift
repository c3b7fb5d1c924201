import Primitives
import TWSProtocol
import Testing

@Suite struct CodesFileTests {
    @Test func rowsOfAUserHoldBeforeOurs() throws {
        let policy = try CodeFile.policy(
            adding: """
                # What our gateway says besides.

                10400 reject order Ask the desk.
                10410-10419\twarning  request   Only a note.\u{20}
                2148 information account We know.
                """)
        let added = policy.reading(of: 10400)
        #expect(added.kind == .reject && added.scope == .order && added.effect == .rejected)
        #expect(added.advice == "Ask the desk.")
        #expect(policy.reading(of: 10415).kind == .warning)
        #expect(policy.reading(of: 10415).advice == "Only a note.")
        #expect(policy.reading(of: 10420).kind == .unknown)
        #expect(policy.reading(of: 2148).kind == .information)
        #expect(CodePolicy.standard.reading(of: 2148).kind == .warning)
        #expect(policy.reading(of: 1100) == CodePolicy.standard.reading(of: 1100))
    }

    @Test func newWordsKeepWhatACodeChanges() throws {
        let policy = try CodeFile.policy(
            adding: """
                10349 warning order Siempre envíe uno.
                162 reject request Espere.
                201 warning order Not for us.
                """)
        #expect(policy.reading(of: 10349).effect == .orderAltered)
        #expect(policy.reading(of: 10349).advice == "Siempre envíe uno.")
        let pacing = policy.reading(of: 162, text: "pacing violation")
        #expect(pacing.effect == .backOff && pacing.cause == .pacing && pacing.advice == "Espere.")
        let weaker = policy.reading(of: 201, text: "margin")
        #expect(weaker.kind == .warning && weaker.effect == .none && weaker.cause == nil)
        #expect(!weaker.asksForOrderState)
    }

    @Test func allBadLinesAreNamed() throws {
        let text = """
            10400 reject order
            x10 reject order Text.
            10-5 reject order Text.
            100000 reject order Text.
            10401 dead order Text.
            10402 reject ordr Text.
            10403 unknown order Text.
            10404 connectivity session Text.
            1100 information session Text.
            2000-2105 warning session Text.
            10405 warning order Text.
            10400-10410 warning order Text.
            -5 warning order Text.
            1-2-3 warning order Text.
            """
        let error = try #require(throws: CodeFileError.self) { try CodeFile.policy(adding: text) }
        #expect(
            error.problems.map(\.reason) == [
                .incomplete, .notACode("x10"), .notACode("10-5"), .notACode("100000"),
                .noSuchKind("dead"), .noSuchScope("ordr"), .row(.kindNotGiven(.unknown)),
                .row(.kindNotGiven(.connectivity)), .row(.linkCode(1100)), .row(.linkCode(2103)),
                .row(.repeated(10405)), .notACode("-5"), .notACode("1-2-3"),
            ])
        #expect(error.problems.map(\.line) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14])
        #expect(error.description.hasPrefix("line 1: expected: code class scope advice\nline 2: "))
    }

    @Test func linesAreCounted() throws {
        let text = "\r\n# one\r\n\r\n10400 reject\r\n"
        let error = try #require(throws: CodeFileError.self) { try CodeFile.policy(adding: text) }
        #expect(error.problems.map(\.line) == [4])
        let many = (10_400...11_400).map { "\($0) warning order Text." }.joined(separator: "\n")
        let flood = try #require(throws: CodeFileError.self) { try CodeFile.policy(adding: many) }
        #expect(flood.problems.map(\.line) == [1_001])
        #expect(flood.problems.map(\.reason) == [.tooMany(max: 1_000)])
    }

    @Test func rowsAsValuesAreHeldToTheSameRules() throws {
        let row = CodeRow(10_400...10_400, .fatal, .session, advice: "Gone.")
        let policy = try CodePolicy(adding: [row])
        #expect(policy.reading(of: 10_400).effect == .sessionEnds)
        #expect(throws: CodeRowProblem.repeated(10_400)) { try CodePolicy(adding: [row, row]) }
        #expect(throws: CodeRowProblem.linkCode(326)) {
            try CodePolicy(adding: [CodeRow(300...330, .warning, .request, advice: "No.")])
        }
    }

    /// Whatever stands in a file, it is read or refused with lines of it.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func anyTextIsReadOrRefused(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "10400", "10401-10405", "99999999999999999999", "-", "reject", "warning", "order",
            "request", " ", " ", " ", "\t", "\n", "\n", "\r\n", "#", "advice", "é", "\u{0}",
        ]
        let text = (0..<200).map { _ in
            pieces[Int.random(in: 0..<pieces.count, using: &generator)]
        }.joined()
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count
        do {
            _ = try CodeFile.policy(adding: text)
        } catch {
            #expect(!error.problems.isEmpty)
            #expect(error.problems.allSatisfy { (1...lines).contains($0.line) })
        }
    }
}
