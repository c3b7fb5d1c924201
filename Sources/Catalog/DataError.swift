import Primitives

/// Why historical data could not be read, where, and what to do about it.
package struct DataError: Error, Hashable, Sendable {
    /// The file or folder.
    package var file: String
    /// The line, from 1 for the header, when one line is at fault.
    package var line: Int?
    /// The column, from 1, when one field is at fault.
    package var column: Int?
    /// What the header calls that column.
    package var columnName: String?
    /// What was found, as a sentence without its stop: `found 'abc', which is not a decimal
    /// number`.
    package var finding: String
    /// What to do, as a whole sentence.
    package var remedy: String

    /// A fault in `file`, as a whole or at `line`.
    package init(file: String, line: Int? = nil, finding: String, remedy: String) {
        self.file = file
        self.line = line
        self.finding = finding
        self.remedy = remedy
    }

    /// The usual remedy for a faulty row.
    static let correctRow = "Correct the row or remove it."

    /// Text of a file as messages quote it: at most 40 characters, those escaped that a terminal would act on.
    package static func quoted(_ text: some StringProtocol) -> String {
        var start = String.UnicodeScalarView()
        start.append(contentsOf: text.unicodeScalars.prefix(40))
        let shown = ShownText.escaped(String(start))
        return text.unicodeScalars.count > 40 ? "'\(shown)…'" : "'\(shown)'"
    }
}

extension DataError: CustomStringConvertible {
    /// For example `data/AAPL.csv:17:3 (high): found 'abc', which is not a decimal number. Correct
    /// the row or remove it.`
    package var description: String {
        var location = file
        if let line { location += ":\(line)" }
        if let column { location += ":\(column)" }
        if let columnName { location += " (\(columnName))" }
        // Names of files and columns are from outside, too.
        return ShownText.escaped("\(location): \(finding). \(remedy)")
    }
}
