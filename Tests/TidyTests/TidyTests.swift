import Foundation
import Testing

/// Rules of the house that the compiler does not know. Each is tested on a planted line too, so that none
/// can stop finding without anybody noticing.
@Suite struct TidyTests {
    // MARK: Modules

    @Test func manifestDeclaresTheDesignsModules() throws {
        let declared = try Modules.declared(inManifest: Repository.manifest())
        #expect(declared == Modules.allowed)
    }

    @Test func kernelImportsOnlyWhatItsModulesAllow() throws {
        try expectNone(Repository.sources().flatMap(Modules.forbiddenImports))
    }

    @Test func everyKernelModuleHasFiles() throws {
        let modules = Set(try Repository.kernel().map(\.module))
        #expect(modules == Set(Modules.allowed.keys))
    }

    @Test(
        arguments: [
            "import Foundation", "public import Foundation", "import Glibc", "import Dispatch",
            "package import Logging", "@preconcurrency import NIOCore", "import Orders",
            "import struct Foundation.Date", "internal import Synchronization",
        ])
    func forbiddenImportIsFound(line: String) throws {
        #expect(
            try Modules.forbiddenImports(planted("// words\n" + line, module: "Risk")).count == 1)
    }

    @Test func allowedImportsAreNotFound() throws {
        let text =
            "package import Model\nimport Primitives\n// import Foundation\nlet important = 1"
        #expect(try Modules.forbiddenImports(planted(text, module: "Risk")).isEmpty)
    }

    @Test func manifestIsReadAsItIsWritten() throws {
        let text = """
            func kernel(_ name: String, uses modules: [String] = []) -> Target {
                // kernel("Old"),
                kernel("One"),
                kernel("Two", uses: ["One"]),
                kernel(
                    "Three",
                    uses: [
                        "One", "Two",
                    ]),
                edge("Four", uses: ["One"]),
            """
        #expect(
            try Modules.declared(inManifest: text) == [
                "One": [], "Two": ["One"], "Three": ["One", "Two"],
            ])
    }

    // MARK: Lines

    /// Unsafe memory that was paid for with a benchmark.
    private static let unsafeFiles = [
        "Sources/Primitives/FixedArray.swift", "Sources/Primitives/GrowingArray.swift",
        "Sources/Signals/Indicators/Columns.swift",
        "Sources/Signals/SimpleMovingAveragePairs.swift",
        "Sources/Strategies/CloseHistory.swift",
    ]

    @Test func kernelHasNoForbiddenLines() throws {
        for rule in Rule.kernel {
            let isAboutMemory = rule.example.contains("Unsafe")
            try expectNone(
                Repository.kernel().flatMap { try $0.findings(rule.pattern, rule.instead) }
                    .filter { !isAboutMemory || !Self.unsafeFiles.contains($0.path) })
        }
    }

    @Test(arguments: Rule.kernel + [.approvals, .submissions, .floatingPoint])
    func ruleFindsItsExampleAndNotItsCounterexample(rule: Rule) throws {
        #expect(try planted(rule.example).findings(rule.pattern, "").count == 1)
        #expect(try planted(rule.counterexample).findings(rule.pattern, "").isEmpty)
        // Words in comments and texts are free.
        let words = "/// \(rule.example)\nlet text = \"\(rule.example)\" /* \(rule.example) */"
        #expect(try planted(words).findings(rule.pattern, "").isEmpty)
    }

    @Test func kernelDrawsOnlyFromSeeds() throws {
        expectNone(try Repository.kernel().flatMap(WideRules.unseededRandomness))
    }

    @Test func drawWithoutASeedIsFound() {
        let text = """
            let die = Int.random(in: 1...6)
            let seeded = Int.random(in: 1...6, using: &generator)
            let long = Int.random(
                in: range(from: 1, to: 6),
                using: &generator)
            """
        #expect(WideRules.unseededRandomness(planted(text)).map(\.line) == [1])
    }

    @Test func nothingIsLeftUnfinished() throws {
        try expectNone(Repository.sources().flatMap(WideRules.unfinishedWork))
    }

    @Test func unfinishedWorkIsFound() throws {
        let text = "// FIXME: later\nlet mastodon = 1\nlet done = 2  // TODO"
        #expect(try WideRules.unfinishedWork(planted(text)).map(\.line) == [1, 3])
    }

    // MARK: Hash order

    @Test func kernelNeverIteratesInHashOrder() throws {
        try expectNone(Repository.kernel().flatMap(WideRules.hashOrder))
    }

    @Test(
        arguments: [
            "for (name, value) in values {", "for value in self.values where value > 1 {",
            "let all = values.map(\\.key)", "let keys = values.keys.first",
            "values.forEach { print($0) }",
            "let sum = book.values.reduce(0) { $0 + $1.value }", "return values.sorted { $0 < $1 }",
            "let all = Array(values)", "let one = values.first",
        ])
    func iterationInHashOrderIsFound(line: String) throws {
        for declaration in [
            "    private var values: [String: Int] = [:]", "let values: Set<Int> = []",
            "var values = [String: Int]()", "let values = Set(numbers)",
            "func sum(_ values: [Int: Int]) -> Int {",
        ] {
            let findings = try WideRules.hashOrder(planted(declaration + "\n" + line))
            #expect(findings.map(\.line) == [2], "\(declaration)")
        }
    }

    @Test func lookingUpIsNoIteration() throws {
        let text = """
            private var values: [String: Int] = [:]
            private var list: [Int] = []
            static let pairs: [(from: Int, to: Int)] = []
            values["a"] = 1
            let one = values["a"] ?? 0
            let has = values.isEmpty || values.count > 1
            for entry in list { _ = entry }
            for pair in Self.pairs { _ = pair }
            let others = list.map { $0 + 1 }
            case .integer(let values): other.values
            """
        #expect(try WideRules.hashOrder(planted(text)).isEmpty)
    }

    // MARK: Floating point

    /// Modules and files in which money is counted.
    private static let moneyModules = ["Accounting", "Risk", "Orders", "Model"]
    private static let moneyFiles = [
        "Primitives/Money.swift", "Primitives/Price.swift", "Primitives/Quantity.swift",
        "Primitives/Percent.swift", "Simulation/Costs/CommissionSchedule.swift",
        "Simulation/Costs/RegulatoryFees.swift", "Simulation/Exchange/Slippage.swift",
        "Simulation/Broker/SimulatedBroker.swift", "Simulation/Broker/VenueRules.swift",
        "TradingEngine/Engine+Cash.swift", "TradingEngine/Engine+Limits.swift",
    ]

    /// Lines that may be floating point there, and why.
    private static let floatingPointLines: [(file: String, begins: String, why: String)] = [
        ("Accounting/Drawdown.swift", "package let fraction: Double", "a statistic"),
        ("Accounting/Drawdown.swift", "let fraction = (peak - equity)", "a statistic"),
        ("Model/Intent.swift", "case weight(Double)", "a strategy's wish, rounded by Percent"),
        (
            "Model/OpeningRecord.swift", "package mutating func write(_ number: Double)",
            "by its bits"
        ),
        ("Model/OpeningRecord.swift", "package mutating func double()", "by its bits"),
        ("Model/OpeningRecord.swift", "Double(bitPattern:", "by its bits"),
        (
            "Model/SessionEvents.swift", "case weight(Double)",
            "another program's, rounded by Percent"
        ),
        ("Primitives/Money.swift", "public var asDouble: Double {", "the way out, for statistics"),
        ("Primitives/Money.swift", "let high = Double(", "the way out, for statistics"),
        ("Primitives/Money.swift", "let low = Double(", "the way out, for statistics"),
        ("Primitives/Price.swift", "public init?(rounding value: Double)", "the one way back"),
        ("Primitives/Price.swift", "let scaled = (value * Double(", "the one way back"),
        ("Primitives/Price.swift", "guard scaled.magnitude <= Double(", "the one way back"),
        ("Primitives/Percent.swift", "public init?(roundingFraction", "the one way back"),
        ("Primitives/Percent.swift", "let scaled = (fraction * 100 * Double(", "the one way back"),
    ]

    @Test func moneyIsNeverFloatingPoint() throws {
        let findings = try Repository.sources()
            .filter { file in
                Self.moneyModules.contains(file.module)
                    || Self.moneyFiles.contains { file.path == "Sources/" + $0 }
            }
            .flatMap { try $0.findings(Rule.floatingPoint.pattern, Rule.floatingPoint.instead) }
        func isAllowed(_ finding: Finding, _ line: (file: String, begins: String, why: String))
            -> Bool
        {
            finding.path == "Sources/" + line.file && finding.text.hasPrefix(line.begins)
        }
        expectNone(
            findings.filter { finding in
                !Self.floatingPointLines.contains { isAllowed(finding, $0) }
            })
        // What is allowed and no longer there is to be struck off the list.
        for line in Self.floatingPointLines {
            #expect(findings.contains { isAllowed($0, line) }, "\(line.file): \(line.begins)")
        }
    }

    @Test func moneyFilesExist() throws {
        let paths = Set(try Repository.sources().map(\.path))
        for file in Self.moneyFiles { #expect(paths.contains("Sources/" + file)) }
    }

    // MARK: Orders and risk

    @Test func onlyRiskApproves() throws {
        try expectNone(
            Repository.sources().filter { $0.module != "Risk" }
                .flatMap { try $0.findings(Rule.approvals.pattern, Rule.approvals.instead) })
    }

    @Test func onlyOrdersSubmits() throws {
        try expectNone(
            Repository.sources().filter {
                // What a journal has was submitted before: it is read, and never sent again.
                $0.module != "Orders" && $0.path != "Sources/Model/RecordValues+Commands.swift"
            }
            .flatMap { try $0.findings(Rule.submissions.pattern, Rule.submissions.instead) })
    }

    @Test(
        arguments: [
            "commands = [.submit(ticket)]", "return .submit(ticket)",
            "let command = Command.submit(ticket)",
            "return .modify(ticket, revision: 1)", "tickets.map(Command.submit)",
            "push(.submit(OrderTicket(id: id, request: request)))",
        ])
    func submissionIsFound(line: String) throws {
        #expect(try planted(line).findings(Rule.submissions.pattern, "").count == 1)
    }

    @Test(
        arguments: [
            "case .submit(let ticket):", "if case .submit(let ticket) = command {",
            "commands.append(orders.submit(approved))", "venue.submit(ticket, at: now)",
            "case .submit, .cancel: break", "case .modify(let ticket, let revision):",
            "orders.modify(id, to: approved, at: now)",
        ])
    func readingASubmissionIsNone(line: String) throws {
        #expect(try planted(line).findings(Rule.submissions.pattern, "").isEmpty)
    }

    // MARK: Size and switches

    @Test func filesAreShortEnough() throws {
        expectNone(try Repository.sources().flatMap(WideRules.longFiles))
    }

    /// Long on purpose, or not long at all.
    private static let longFunctions = [
        // Switches with a line for every message of the protocol.
        "Sources/TWSProtocol/Codec/ClientMessage.swift": 2,
        "Sources/TWSProtocol/Codec/GatewayMessage.swift": 2,
        // A requirement, which has no end.
        "Sources/TWSProtocol/Values/Identifiers.swift": 1,
    ]

    @Test func functionsAreShortEnough() throws {
        for file in try Repository.sources() {
            let findings = try WideRules.longFunctions(file)
            if findings.count != Self.longFunctions[file.path, default: 0] {
                expectNone(findings)
            }
        }
    }

    @Test func longFileIsFound() {
        #expect(WideRules.longFiles(planted(String(repeating: "//\n", count: 800))).isEmpty)
        #expect(WideRules.longFiles(planted(String(repeating: "//\n", count: 801))).count == 1)
    }

    @Test func longFunctionIsFound() throws {
        func function(_ signature: String, lines: Int) -> SourceFile {
            let body = String(repeating: "        work()\n", count: lines)
            return planted("struct A {\n    \(signature) {\n\(body)    }\n}\n")
        }
        for signature in [
            "func run()", "package mutating func run(\n        _ a: Int\n    ) -> Int",
            "init(a: Int)",
            "public init?(_ text: String)", "@inlinable static func one() throws",
        ] {
            #expect(try WideRules.longFunctions(function(signature, lines: 70)).isEmpty)
            #expect(try WideRules.longFunctions(function(signature, lines: 71)).count == 1)
        }
    }

    /// Defaults over what is no enum of ours.
    private static let defaults = [
        "Sources/Primitives/Day.swift": 1,  // the number of a month
        "Sources/Primitives/DecimalText.swift": 1,  // a byte
        "Sources/Primitives/JSON/JSONParser.swift": 2,  // a byte
        "Sources/Primitives/JSON/JSONText.swift": 1,  // a character
        "Sources/Primitives/NewYork.swift": 1,  // a year
        "Sources/Primitives/ShownText.swift": 1,  // a category of Unicode
    ]

    @Test func kernelSpellsOutEveryCase() throws {
        for file in try Repository.kernel() {
            let findings = try WideRules.defaults(file)
            if findings.count != Self.defaults[file.path, default: 0] { expectNone(findings) }
        }
    }

    @Test func defaultIsFound() throws {
        let text =
            "switch a {\ncase .one: 1\n    default: 2\n}\nlet b = f(default: 3)\n@unknown default: 1"
        #expect(try WideRules.defaults(planted(text)).map(\.line) == [3, 6])
    }

    // MARK: Commands

    @Test func everyCommandNamesItself() throws {
        try expectNone(Repository.sources().flatMap(WideRules.unnamedCommands))
    }

    @Test func commandWithoutANameIsFound() {
        let text = """
            struct Named: ParsableCommand {
                static let configuration = CommandConfiguration(
                    commandName: "named", abstract: "Has a name.")
            }
            struct Unnamed: ParsableCommand {
                static let configuration = CommandConfiguration(abstract: "Has none.")
            }
            """
        #expect(WideRules.unnamedCommands(planted(text)).map(\.line) == [5])
    }

    // MARK: Reading

    @Test func commentsAndTextsAreNoCode() {
        let text = """
            let a = "x // y" // z
            /* one /* two */ three */ let b = "\\"q\\""
            let c = 1
            """
        #expect(
            planted(text).code.map { $0.replacing(#/ +/#, with: " ") } == [
                "let a = \" \" ", " let b = \" \"", "let c = 1",
            ])
    }

    @Test func repositoryHasItsSources() throws {
        // A rule that looks at no file finds nothing.
        #expect(try Repository.sources().count > 50)
    }

    private func planted(_ text: String, module: String = "Risk") -> SourceFile {
        SourceFile(path: "Sources/\(module)/Planted.swift", text: text)
    }

    private func expectNone(
        _ findings: [Finding], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for finding in findings { Issue.record("\(finding)", sourceLocation: sourceLocation) }
    }
}
