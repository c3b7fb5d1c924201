/// What is wrong with a text of codes: all of it, by line.
public struct CodeFileError: Error, Hashable, Sendable {
    /// The problems in the order of the lines; never empty.
    public let problems: [Problem]

    /// What is wrong with a line.
    public struct Problem: Hashable, Sendable {
        /// The line, from 1.
        public let line: Int
        /// What is wrong.
        public let reason: Reason
    }

    /// Why a line cannot be read.
    public enum Reason: Hashable, Sendable {
        /// Not `code class scope advice`.
        case incomplete
        /// Neither a number up to 99999 nor two of them in order with a hyphen between.
        case notACode(String)
        /// No such class.
        case noSuchKind(String)
        /// No such scope.
        case noSuchScope(String)
        /// The row may not be added.
        case row(CodeRowProblem)
        /// More lines with codes than there may be.
        case tooMany(max: Int)
    }
}

extension CodeFileError: CustomStringConvertible {
    /// A line for each problem.
    public var description: String {
        problems.map { "line \($0.line): \($0.reason.description)" }.joined(separator: "\n")
    }
}

extension CodeFileError.Reason: CustomStringConvertible {
    /// One sentence without its end.
    public var description: String {
        switch self {
        case .incomplete: "expected: code class scope advice"
        case .notACode(let text): "'\(text)' is not a code or a range such as 10242-10252"
        case .noSuchKind(let text):
            "'\(text)' is not one of \(CodeFile.kinds.map(\.rawValue).joined(separator: ", "))"
        case .noSuchScope(let text):
            "'\(text)' is not one of "
                + CodeScope.allCases.map(\.rawValue).joined(separator: ", ")
        case .row(let problem): problem.description
        case .tooMany(let max): "more than \(max) codes"
        }
    }
}

/// Rows of codes as text, one a line: `code class scope advice`.
///
/// The code is a number or a range such as `10242-10252`; the class one of `information`, `warning`,
/// `reject`, `fatal`; the scope a word of `CodeScope`; the rest of the line is the advice. Empty lines
/// and lines that begin with `#` count for nothing.
public enum CodeFile {
    /// The most rows a text may have.
    public static let rowsMax = 1_000
    /// The classes a row may have.
    static let kinds: [CodeKind] = [.information, .warning, .reject, .fatal]

    /// The policy with the rows of `text` added.
    public static func policy(adding text: String) throws(CodeFileError) -> CodePolicy {
        let rows = try rows(of: text)
        do {
            return try CodePolicy(adding: rows.map(\.row))
        } catch {
            // `rows` found each of them fit.
            throw CodeFileError(problems: [.init(line: rows.last?.line ?? 0, reason: .row(error))])
        }
    }

    private static func rows(of text: String) throws(CodeFileError) -> [(line: Int, row: CodeRow)] {
        var rows: [(line: Int, row: CodeRow)] = []
        var problems: [CodeFileError.Problem] = []
        for (index, line) in text.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).enumerated() {
            let words = line.split(maxSplits: 3, whereSeparator: \.isWhitespace)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            guard rows.count < rowsMax else {
                problems.append(.init(line: index + 1, reason: .tooMany(max: rowsMax)))
                break
            }
            do throws(LineProblem) {
                let row = try row(of: words)
                if let problem = CodePolicy.problem(with: row, besides: rows.map(\.row.codes)) {
                    throw LineProblem(reason: .row(problem))
                }
                rows.append((index + 1, row))
            } catch {
                problems.append(.init(line: index + 1, reason: error.reason))
            }
        }
        guard problems.isEmpty else { throw CodeFileError(problems: problems) }
        return rows
    }

    private struct LineProblem: Error {
        let reason: CodeFileError.Reason
    }

    private static func row(of words: [Substring]) throws(LineProblem) -> CodeRow {
        guard words.count == 4 else { throw LineProblem(reason: .incomplete) }
        guard let codes = codes(words[0]) else {
            throw LineProblem(reason: .notACode(String(words[0])))
        }
        guard let kind = CodeKind(rawValue: String(words[1])) else {
            throw LineProblem(reason: .noSuchKind(String(words[1])))
        }
        guard let scope = CodeScope(rawValue: String(words[2])) else {
            throw LineProblem(reason: .noSuchScope(String(words[2])))
        }
        var advice = words[3].drop(while: \.isWhitespace)
        while advice.last?.isWhitespace == true { advice.removeLast() }
        return CodeRow(codes, kind, scope, advice: String(advice))
    }

    private static func codes(_ text: Substring) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = ends.compactMap { end in
            end.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) ? Int(end) : nil
        }.filter { $0 <= 99_999 }
        guard numbers.count == ends.count, let first = numbers.first, let last = numbers.last,
            numbers.count <= 2, first <= last
        else { return nil }
        return first...last
    }
}
