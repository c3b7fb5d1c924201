import Foundation

/// One Swift file of ours, as text and as code alone.
struct SourceFile: Sendable {
    /// From the repository's root: `Sources/Risk/RiskGate.swift`.
    let path: String
    /// Its lines as they are.
    let lines: [String]
    /// Its lines with comments and the insides of string literals replaced by blanks.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        code = CodeText.stripped(text).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// The target it belongs to: `Risk`.
    var room: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 ? String(parts[1]) : ""
    }

    /// Places in its code that match.
    func findings(_ pattern: String, _ message: String) throws -> [Finding] {
        // Simple boundaries: by Unicode's rules `a.b` is one word.
        let expression = try Regex(pattern).wordBoundaryKind(.simple)
        return code.enumerated().compactMap { number, line in
            line.contains(expression) ? finding(number, message) : nil
        }
    }

    /// A finding in the line at `place`, from 0.
    func finding(_ place: Int, _ message: String) -> Finding {
        Finding(
            path: path, line: place + 1, text: lines[place].trimmingCharacters(in: .whitespaces),
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
    static func sources() throws -> [SourceFile] { try read.get() }

    /// Read once: every rule looks at all of them.
    private static let read = Result { try readSources() }

    private static func readSources() throws -> [SourceFile] {
        let folder = root.appending(path: "Sources")
        let enumerator = FileManager.default.enumerator(atPath: folder.path)
        let names = (enumerator?.compactMap { $0 as? String } ?? []).filter {
            $0.hasSuffix(".swift")
        }
        return try names.sorted().map { name in
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            return SourceFile(path: "Sources/" + name, text: text)
        }
    }

    /// The files of the kernel's rooms.
    static func kernel() throws -> [SourceFile] {
        try sources().filter { Rooms.allowed[$0.room] != nil }
    }

    static func manifest() throws -> String {
        try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
    }
}

/// Swift text without what is not code.
enum CodeText {
    private enum Place: Equatable {
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
        var place = Place.code
        var index = 0
        while index < bytes.count {
            let (next, length, isKept) = step(bytes, index, place)
            for offset in index..<min(index + length, bytes.count) {
                let isNewline = bytes[offset] == UInt8(ascii: "\n")
                result.append(isKept || isNewline ? bytes[offset] : UInt8(ascii: " "))
            }
            place = next
            index += length
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// What the bytes from `index` on are: the place behind them, how many, and whether they are code.
    private static func step(
        _ bytes: [UInt8], _ index: Int, _ place: Place
    ) -> (next: Place, length: Int, isKept: Bool) {
        func begins(_ text: StaticString) -> Bool {
            guard index + text.utf8CodeUnitCount <= bytes.count else { return false }
            return text.withUTF8Buffer { wanted in
                wanted.indices.allSatisfy { bytes[index + $0] == wanted[$0] }
            }
        }
        switch place {
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
            return (place, 1, false)
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
