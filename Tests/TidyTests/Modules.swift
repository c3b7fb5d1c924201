/// Who may import whom.
enum Modules {
    /// The kernel's modules and the modules each may import, as the design's table has them.
    static let allowed: [String: Set<String>] = {
        let words: Set = ["Primitives", "Model"]
        return [
            "Primitives": [],
            "Model": ["Primitives"],
            "MarketState": words,
            "Signals": words.union(["MarketState"]),
            "Accounting": words,
            "Risk": words.union(["MarketState", "Accounting"]),
            "Orders": words.union(["Risk"]),
            "TradingEngine": words.union(["MarketState", "Signals", "Accounting", "Risk", "Orders"]
            ),
            "Strategies": words.union(["MarketState", "Signals"]),
            "Simulation": words.union(["MarketState"]),
            "MarketSimulation": words.union(["MarketState"]),
        ]
    }()

    /// Edges that touch nothing of the world, and what each may import.
    static let pureEdges: [String: Set<String>] = ["TWSProtocol": ["Primitives"]]

    /// The modules `Package.swift` declares with `kernel(…)`, and what each uses.
    static func declared(inManifest text: String) throws -> [String: Set<String>] {
        let code = text.split(separator: "\n").filter {
            !$0.drop { $0 == " " }.hasPrefix("//") && !$0.contains("func kernel(")
        }.joined(separator: "\n")
        let expression = try Regex(
            #"kernel\(\s*"(\w+)"\s*(?:,\s*uses:\s*\[([^\]]*)\])?\s*\)"#,
            as: (Substring, Substring, Substring?).self)
        var modules: [String: Set<String>] = [:]
        for match in code.matches(of: expression) {
            let names = (match.output.2 ?? "").split(separator: ",").map {
                $0.filter { $0.isLetter || $0.isNumber }
            }
            modules[String(match.output.1)] = Set(names.filter { !$0.isEmpty })
        }
        return modules
    }

    /// Imports that a file's module does not allow.
    static func forbiddenImports(_ file: SourceFile) throws -> [Finding] {
        guard let allowed = allowed[file.module] ?? pureEdges[file.module] else { return [] }
        let expression = try Regex(
            #"^\s*(?:@\S+\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)"#,
            as: (Substring, Substring).self)
        return file.linesOfCode.compactMap { index in
            guard let match = file.code[index].firstMatch(of: expression),
                !allowed.contains(String(match.output.1))
            else { return nil }
            return file.finding(
                index,
                "\(file.module) may import only \(allowed.sorted().joined(separator: ", ")): move the line "
                    + "to a module that may, or pass in what is needed")
        }
    }
}
