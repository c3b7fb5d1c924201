import Primitives

/// The lines of a `.env` file: `NAME=value`, with comments, `export` and quotes.
///
/// - An unquoted value ends at ` #` or at the line's end, spaces around it dropped.
/// - Between single quotes every character stands for itself.
/// - Between double quotes `\n`, `\r`, `\t`, `\"`, `\\` and `\$` are escapes.
///
/// Nothing is substituted: `$NAME` is text. Values end on their line. No message has a value in it.
struct EnvironmentFile {
    /// What the lines say.
    private(set) var variables: [Variable] = []
    /// What is wrong with lines.
    private(set) var problems: [SettingsProblem] = []
    private let path: String

    /// One line.
    struct Variable {
        /// The name.
        let name: String
        /// The value without quotes.
        let text: String
        /// Where it is.
        let origin: SettingsOrigin
    }

    /// Why a line is not understood.
    fileprivate enum Fault: Error {
        case noName
        case noClosingQuote
        case textBehindQuote
        case unknownEscape
    }

    /// Reads the lines in the content of the file at `path`.
    init(_ bytes: [UInt8], path: String) {
        self.path = path
        guard bytes.count <= SettingsParser.byteCountMax,
            let text = String(validating: bytes, as: UTF8.self)
        else {
            problems = [
                SettingsProblem(
                    at: SettingsOrigin(.environmentFile(path)), "",
                    found: "the file is too large or not UTF-8 text")
            ]
            return
        }
        let start = text.unicodeScalars.first == "\u{FEFF}" ? 1 : 0
        var names: Set<String> = []
        let lines = String(text.unicodeScalars.dropFirst(start))
            .split(omittingEmptySubsequences: false) { ["\n", "\r\n", "\r"].contains($0) }
        for (index, line) in lines.enumerated() {
            let content = line.drop { $0 == " " || $0 == "\t" }
            guard let first = content.first, first != "#" else { continue }
            let location = SettingsOrigin.Location(
                line: index + 1,
                column: line.unicodeScalars.count - content.unicodeScalars.count + 1
            )
            read(content, at: SettingsOrigin(.environmentFile(path), at: location), &names)
        }
    }

    private mutating func read(
        _ line: Substring, at origin: SettingsOrigin, _ names: inout Set<String>
    ) {
        do throws(Fault) {
            let (name, value) = try Self.parts(of: line)
            let text = try Self.text(of: value)
            if !names.insert(name).inserted {
                problems.append(
                    SettingsProblem(at: origin, "", found: "\(name.printable) is given twice"))
            }
            variables.append(Variable(name: name, text: text, origin: origin))
        } catch {
            problems.append(SettingsProblem(error, at: origin))
        }
    }

    private static func parts(of line: Substring) throws(Fault) -> (String, Substring) {
        guard let sign = line.firstIndex(of: "=") else { throw .noName }
        var name = String(line[..<sign]).trimmingSpaces
        if name.hasPrefix("export ") || name.hasPrefix("export\t") {
            name = String(name.dropFirst("export".count)).trimmingSpaces
        }
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isName, !name.isEmpty else { throw .noName }
        return (name, line[line.index(after: sign)...])
    }

    private static func text(of value: Substring) throws(Fault) -> String {
        let content = value.drop { $0 == " " || $0 == "\t" }
        switch content.first {
        case "'":
            let inside = content.dropFirst()
            guard let end = inside.firstIndex(of: "'") else { throw .noClosingQuote }
            try checkRemaining(inside[end...].dropFirst())
            return String(inside[..<end])
        case "\"": return try doubleQuoted(content.dropFirst())
        default:
            // A `#` begins a comment where a space is before it: passwords and colours have one too.
            var text = ""
            for character in value {
                if character == "#", text.last.map({ $0 == " " || $0 == "\t" }) ?? false { break }
                text.append(character)
            }
            return text.trimmingSpaces
        }
    }

    private static func doubleQuoted(_ content: Substring) throws(Fault) -> String {
        let escapes: [Character: Character] = [
            "n": "\n", "r": "\r", "t": "\t", "\"": "\"", "\\": "\\", "$": "$",
        ]
        var text = ""
        var remaining = content
        while let character = remaining.popFirst() {
            switch character {
            case "\"":
                try checkRemaining(remaining)
                return text
            case "\\":
                guard let escape = remaining.popFirst().flatMap({ escapes[$0] }) else {
                    throw .unknownEscape
                }
                text.append(escape)
            default: text.append(character)
            }
        }
        throw .noClosingQuote
    }

    /// Behind a closing quote there may be a comment.
    private static func checkRemaining(_ remaining: Substring) throws(Fault) {
        let content = remaining.drop { $0 == " " || $0 == "\t" }
        guard content.isEmpty || content.first == "#" && content.startIndex > remaining.startIndex
        else {
            throw .textBehindQuote
        }
    }
}

extension SettingsProblem {
    fileprivate init(_ fault: EnvironmentFile.Fault, at origin: SettingsOrigin) {
        switch fault {
        case .noName:
            self.init(
                at: origin, "", found: "not a variable",
                allowed: "NAME=value, or # before a comment")
        case .noClosingQuote:
            self.init(
                at: origin, "", found: "the quote is not closed on its line",
                advice: "Write a line end between double quotes as \\n.")
        case .textBehindQuote:
            self.init(
                at: origin, "", found: "there is text behind the closing quote",
                advice: "Put all of the value between quotes, and a space before a comment.")
        case .unknownEscape:
            self.init(
                at: origin, "", found: "an unknown escape between double quotes",
                allowed: #"\n, \r, \t, \", \\ and \$"#,
                advice: "Between single quotes every character stands for itself.")
        }
    }
}
