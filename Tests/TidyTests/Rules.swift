import Foundation

/// A rule that looks at single lines of code.
struct Rule: Sendable {
    /// What must not occur.
    let pattern: String
    /// What to do instead.
    let instead: String
    /// A line that breaks it.
    let example: String
    /// A line close to it that does not.
    let counterexample: String
}

extension Rule {
    /// What has no place in the kernel, comments and texts aside.
    static let kernel = [
        Rule(
            pattern: #"\basync\b|\bawait\b"#,
            instead: "the kernel waits for nothing: take an event, return commands",
            example: "func load() async {", counterexample: "let asynchronous = 1"),
        Rule(
            pattern: #"\bclass\b|\bactor\b"#, instead: "use a struct, or an enum",
            example: "final class Book {", counterexample: "public var assetClass: AssetClass"),
        Rule(
            pattern: #"\bDate\(\)|\bDate\.now\b|ContinuousClock|SuspendingClock"#,
            instead: "take the time from the event", example: "let now = Date()",
            counterexample: "let date = day.date"),
        Rule(
            pattern: #"\bUUID\("#, instead: "count: ids are dense integers",
            example: "let id = UUID()", counterexample: "let uuid = 1"),
        Rule(
            pattern:
                #"SystemRandomNumberGenerator|\.randomElement\(\)|\.shuffled\(\)|\.shuffle\(\)"#,
            instead: "draw from a SeededGenerator that is an argument or state",
            example: "orders.shuffled()", counterexample: "orders.shuffled(using: &generator)"),
        Rule(
            pattern: #"(?:^|[^\w.])(?:debugP|p)rint\(|\bdump\("#,
            instead: "return a value; edges print", example: "        print(price)",
            counterexample: "let blueprint = footprint(3)"),
        Rule(
            pattern: #"\bfatalError\("#, instead: "precondition with a sentence, or a typed error",
            example: "fatalError()", counterexample: "preconditionFailure()"),
        Rule(
            pattern: #"\btry!|\btry\?"#, instead: "handle the error: do, catch, or typed throws",
            example: "let price = try! Price(text)", counterexample: "let price = try Price(text)"),
        Rule(
            pattern: #"\bas!"#, instead: "as? with what happens when it fails",
            example: "let bar = thing as! Bar", counterexample: "let bar = thing as? Bar"),
        Rule(
            pattern: #"[\w)\]>]!(?!=)"#, instead: "guard let, or ?? with a value that is right",
            example: "let price = prices.first!",
            counterexample: "if !isHalted && first != second {"),
        Rule(
            pattern: #":\s*[\w.<>\[\]]+!\s*(?:=|$)"#,
            instead: "an optional, or a value from the start",
            example: "var price: Price!", counterexample: "var price: Price?"),
        Rule(
            pattern: #"@unchecked"#, instead: "a type whose Sendable the compiler can check",
            example: "struct Box: @unchecked Sendable {", counterexample: "struct Box: Sendable {"),
        Rule(
            pattern: #"(?:^|[^\w])Hasher\(\)|\.hashValue\b"#,
            instead: "StateHasher: Hasher's seed changes with every process",
            example: "var hasher = Hasher()", counterexample: "var hasher = StateHasher()"),
        Rule(
            pattern: #"Unsafe\w*(?:Pointer|Continuation)|\bunsafe\w*\b|\bunowned\b|withUnsafe"#,
            instead:
                "arrays, Span or InlineArray; or bring a benchmark and a place in the allow-list",
            example: "let base: UnsafeMutablePointer<Int>", counterexample: "let isSafe = true"),
        Rule(
            pattern: #"@testable\b"#, instead: "package access", example: "@testable import Risk",
            counterexample: "import Risk"),
        Rule(
            pattern: #"\b(?:ProcessInfo|FileManager|getenv|environment)\b"#,
            instead: "an argument: the kernel reads no environment and no file",
            example: "let home = ProcessInfo.processInfo", counterexample: "let process = 1"),
    ]

    /// Also outside the kernel: who may make an approval, and who an order.
    static let approvals = Rule(
        pattern: #"\bApproved\("#, instead: "ask RiskGate.review: only Risk says yes",
        example: "let yes = Approved(request)", counterexample: "case .approved(let approved):")
    static let submissions = Rule(
        pattern:
            #"\bCommand\.(?:submit|modify)\b|(?:^|[^\w)\]?>.])\.(?:submit|modify)\((?!let\b)"#,
        instead: "OrderLedger.submit and modify: only Orders sends and changes",
        example: "commands.append(.submit(ticket))", counterexample: "venue.submit(ticket, at: now)"
    )

    /// Double and Float in whatever form.
    static let floatingPoint = Rule(
        pattern: #"\b(?:Double|Float|Float16|Float32|Float64|Float80|CGFloat)\b|\.asDouble\b"#,
        instead: "Price, Quantity, Money, ExactMoney or Percent; round in one named place",
        example: "let price: Double", counterexample: "let doubled = remaining.magnitude * 2")
}

/// Rules that see more than one line.
enum WideRules {
    /// `random(in:)` without a generator, also where the call goes on in the next lines.
    static func unseededRandomness(_ file: SourceFile) -> [Finding] {
        file.code.indices.compactMap { index in
            guard let range = file.code[index].range(of: ".random(") else { return nil }
            let remainder = file.code[index][range.upperBound...]
            let following = file.code[(index + 1)...].prefix(3)
            let call = ([String(remainder)] + following).joined(separator: " ")
            guard !argumentList(call).contains("using:") else { return nil }
            return file.finding(
                index, "draw from a SeededGenerator: .random(in: …, using: &generator)")
        }
    }

    /// Commands without a name of their own: the parser would find it by reflection, at each start of the
    /// program a tenth of a millisecond for each command, be it called or not.
    static func unnamedCommands(_ file: SourceFile) -> [Finding] {
        file.code.indices.compactMap { index in
            guard file.code[index].contains(": ParsableCommand {") else { return nil }
            let beginning = file.code[index...].prefix(4).joined(separator: " ")
            guard !beginning.contains("commandName:") else { return nil }
            return file.finding(
                index, "name the command first: CommandConfiguration(commandName: …")
        }
    }

    /// Text up to the parenthesis that closes the one before it.
    private static func argumentList(_ text: String) -> Substring {
        var depth = 1
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return text[..<index] }
        }
        return text[...]
    }

    /// Marks of unfinished work, which stand in comments.
    static func unfinishedWork(_ file: SourceFile) throws -> [Finding] {
        let expression = try Regex(#"\b(?:FIXME|TODO|XXX|HACK)\b"#).wordBoundaryKind(.simple)
        return file.lines.enumerated().compactMap { index, line in
            line.contains(expression) ? file.finding(index, "do it, or open an issue") : nil
        }
    }

    /// Iteration over what a file declares as a dictionary or set: its order changes from run to run.
    static func hashOrder(_ file: SourceFile) throws -> [Finding] {
        let declaration = try Regex(
            #"\b(?:let|var)\s+(\w+)\s*(?::\s*(?:\[[^\[\]()]+:[^\]]+\]|Set<|Dictionary<)|=\s*(?:\[[^\[\]()"]+:[^\]]+\]\(|Set[<(]|Dictionary[<(]))|(?:^|[(,]\s*)(?:\w+\s+)?(\w+):\s*(?:inout\s+)?(?:\[[^\[\]()]+:[^\]]+\]|Set<|Dictionary<)"#,
            as: (Substring, Substring?, Substring?).self
        ).wordBoundaryKind(.simple)
        var names: Set<String> = []
        for index in file.linesOfCode {
            for match in file.code[index].matches(of: declaration) {
                names.formUnion(
                    [match.output.1, match.output.2].compactMap { $0.map(String.init) })
            }
        }
        return try names.sorted().flatMap { name in
            try file.findings(
                #"\bin\s+(?:\w+\.)*\#(name)\s*(?:\{|where\b|$)|\b\#(name)\??\s*\.(?:map|compactMap|flatMap|forEach|filter|reduce|sorted|keys|values|first|min|max|enumerated|contains\s*[({]\s*where|allSatisfy|mapValues|makeIterator|elements|randomElement|popFirst|removeFirst|description|prefix|dropFirst|joined)\b|\bzip\([^)]*\b\#(name)\b|\bArray\(\s*\#(name)\b"#,
                "\(name) has hash order: keep an array beside it, and look up only")
        }
    }

    /// Switches with a default where a new case should break the build.
    static func defaults(_ file: SourceFile) throws -> [Finding] {
        try file.findings(
            #"^\s*(?:@unknown\s+)?default\s*:"#,
            "spell out every case, so that a new one needs thought")
    }

    static let linesMax = 800
    static let bodyLinesMax = 70

    /// Files of more than 800 lines.
    static func longFiles(_ file: SourceFile) -> [Finding] {
        let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
        guard count > linesMax else { return [] }
        return [file.finding(linesMax, "\(count) lines, \(linesMax) at most: Type+Aspect.swift")]
    }

    /// Bodies of more than 70 lines, told by indentation: from the line of `func` or `init` to the brace
    /// below it at the same column.
    static func longFunctions(_ file: SourceFile) throws -> [Finding] {
        let start = try Regex(#"^\s*(?:[\w@()]+\s+)*(?:func\s|init[?(<]|deinit\b|subscript[(<])"#)
            .wordBoundaryKind(.simple)
        return file.linesOfCode.compactMap { index in
            guard file.code[index].contains(start) else { return nil }
            let indentation = file.code[index].prefix { $0 == " " }
            guard let open = file.code[index...].firstIndex(where: endsSignature),
                file.code[open].hasSuffix("{"),
                let close = file.code[(open + 1)...].firstIndex(where: {
                    $0.hasPrefix(indentation + "}")
                }),
                close - open - 1 > bodyLinesMax
            else { return nil }
            return file.finding(
                index, "\(close - open - 1) lines, \(bodyLinesMax) at most: split it by meaning")
        }
    }

    /// Whether a signature ends on a line: the body begins or is there, or there is none.
    private static func endsSignature(_ line: String) -> Bool {
        line.hasSuffix("{") || line.hasSuffix("}") || line.allSatisfy(\.isWhitespace)
    }
}
