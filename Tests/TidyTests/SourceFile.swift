import Foundation

/// One Swift file of ours, as text and as code alone.
struct SourceFile: Sendable {
    /// From the repository's root: `Sources/Risk/RiskGate.swift`.
    let path: String
    /// Its lines as they are.
    let lines: [String]
    /// Its lines with comments and the insides of string literals replaced by blanks.
    let code: [String]
    /// The indices of the lines with code in them. A third of all lines has none.
    let linesOfCode: [Int]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let code = CodeText.stripped(text).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        self.code = code
        linesOfCode = code.indices.filter { index in
            code[index].utf8.contains { $0 != UInt8(ascii: " ") }
        }
    }

    /// The target it belongs to: `Risk`.
    var module: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 ? String(parts[1]) : ""
    }

    /// Places in its code that match. The pattern must not match an empty line.
    func findings(_ pattern: String, _ message: String) throws -> [Finding] {
        // Simple boundaries: by Unicode's rules `a.b` is one word.
        let expression = try Regex(pattern).wordBoundaryKind(.simple)
        return linesOfCode.compactMap { index in
            code[index].contains(expression) ? finding(index, message) : nil
        }
    }

    /// A finding in the line at `index`, from 0.
    func finding(_ index: Int, _ message: String) -> Finding {
        Finding(
            path: path, line: index + 1, text: lines[index].trimmingCharacters(in: .whitespaces),
            message: message)
    }
}

/// A line that breaks a rule, and what to do instead.
struct Finding: CustomStringConvertible {
    let path: String
    let line: Int
    let text: String
    let message: String

    var description: String { "\(path):\(line): \(message)\n    \(text)" }
}

/// The repository as it lies on disk.
enum Repository {
    /// Found from this file's own place, links followed.
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// All Swift files below `Sources`, by path.
    static func sources() throws -> [SourceFile] { try readSources.get() }

    /// All Swift files below `Tests`, by path.
    static func tests() throws -> [SourceFile] { try readTests.get() }

    /// Read once: every rule looks at all of them.
    private static let readSources = Result { try files(below: "Sources") }
    private static let readTests = Result { try files(below: "Tests") }

    private static func files(below folder: String) throws -> [SourceFile] {
        let enumerator = FileManager.default.enumerator(
            atPath: root.appending(path: folder).path)
        let names = (enumerator?.compactMap { $0 as? String } ?? []).filter {
            $0.hasSuffix(".swift")
        }
        return try names.sorted().map { name in
            let path = folder + "/" + name
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            return SourceFile(path: path, text: text)
        }
    }

    /// The files of the kernel's modules.
    static func kernel() throws -> [SourceFile] {
        try sources().filter { Modules.allowed[$0.module] != nil }
    }

    static func manifest() throws -> String {
        try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
    }
}

/// Swift text without what is not code.
enum CodeText {
    private enum State: Equatable {
        case code
        case lineComment
        case blockComment(depth: Int)
        case string
        case longString
        case rawString
        case rawLongString
    }

    /// `text` with comments and the insides of string literals as blanks; lines stay where they are.
    static func stripped(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var state = State.code
        var index = 0
        while index < bytes.count {
            // Most bytes change nothing.
            if !mayMatter(bytes[index]) {
                result.append(state == .code ? bytes[index] : UInt8(ascii: " "))
                index += 1
                continue
            }
            let (next, length, isKept) = step(bytes, index, state)
            for offset in index..<min(index + length, bytes.count) {
                let isNewline = bytes[offset] == UInt8(ascii: "\n")
                result.append(isKept || isNewline ? bytes[offset] : UInt8(ascii: " "))
            }
            state = next
            index += length
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// False for a byte with which nothing begins or ends in any state.
    private static func mayMatter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "#"), UInt8(ascii: "\""),
            UInt8(ascii: "\\"), UInt8(ascii: "\n"):
            true
        default: false
        }
    }

    /// What the bytes from `index` on are: the state behind them, how many, and whether they are code.
    private static func step(
        _ bytes: [UInt8], _ index: Int, _ state: State
    ) -> (next: State, length: Int, isKept: Bool) {
        func begins(_ text: StaticString) -> Bool {
            guard index + text.utf8CodeUnitCount <= bytes.count else { return false }
            return text.withUTF8Buffer { expected in
                expected.indices.allSatisfy { bytes[index + $0] == expected[$0] }
            }
        }
        switch state {
        case .code:
            if begins("//") { return (.lineComment, 2, false) }
            if begins("/*") { return (.blockComment(depth: 1), 2, false) }
            if begins("#\"\"\"") { return (.rawLongString, 4, true) }
            if begins("#\"") { return (.rawString, 2, true) }
            if begins("\"\"\"") { return (.longString, 3, true) }
            if begins("\"") { return (.string, 1, true) }
            return (.code, 1, true)
        case .lineComment: return (begins("\n") ? .code : .lineComment, 1, false)
        case .blockComment(let depth):
            if begins("/*") { return (.blockComment(depth: depth + 1), 2, false) }
            if begins("*/") {
                return (depth == 1 ? .code : .blockComment(depth: depth - 1), 2, false)
            }
            return (state, 1, false)
        case .string:
            if begins("\\") { return (.string, 2, false) }
            return begins("\"") ? (.code, 1, true) : (.string, 1, false)
        case .longString: return begins("\"\"\"") ? (.code, 3, true) : (.longString, 1, false)
        case .rawString: return begins("\"#") ? (.code, 2, true) : (.rawString, 1, false)
        case .rawLongString:
            return begins("\"\"\"#") ? (.code, 4, true) : (.rawLongString, 1, false)
        }
    }
}
