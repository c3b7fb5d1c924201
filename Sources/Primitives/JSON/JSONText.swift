/// JSON under construction: on one line without spaces, or indented by two spaces.
package struct JSONText {
    /// What is written so far.
    package private(set) var text = ""
    private let isIndented: Bool
    private var depth = 0
    private var due = Due.nothing

    /// What goes before the next name or value.
    private enum Due {
        /// Nothing: it begins the text, or stands behind its name.
        case nothing
        /// A line break: it is the first in its brackets.
        case lineBreak
        /// A comma and a line break.
        case comma
    }

    /// An empty text.
    package init(isIndented: Bool = false) { self.isIndented = isIndented }

    /// Begins an object or an array.
    package mutating func open(_ bracket: String) {
        separate()
        text += bracket
        depth += 1
        due = .lineBreak
    }

    /// Ends it.
    package mutating func close(_ bracket: String) {
        depth -= 1
        if due == .comma { breakLine() }
        text += bracket
        due = .comma
    }

    /// A member's name.
    package mutating func key(_ name: String) {
        separate()
        append(quoted: name)
        text += isIndented ? ": " : ":"
        due = .nothing
    }

    /// A value that is JSON already, such as a number.
    package mutating func append(raw json: String) {
        separate()
        text += json
    }

    /// A value that is a text.
    package mutating func append(text value: String) {
        separate()
        append(quoted: value)
    }

    /// A value.
    package mutating func append(_ value: JSONValue) {
        switch value {
        case .null: append(raw: "null")
        case .bool(let flag): append(raw: flag ? "true" : "false")
        case .number(let digits): append(raw: digits)
        case .text(let text): append(text: text)
        case .array(let values):
            open("[")
            for value in values { append(value) }
            close("]")
        case .object(let members):
            open("{")
            for member in members {
                key(member.name)
                append(member.value)
            }
            close("}")
        }
    }

    /// A member whose value is JSON already.
    package mutating func member(_ name: StaticString, raw json: String) {
        key(name.description)
        append(raw: json)
    }

    /// A member that is a text.
    package mutating func member(_ name: StaticString, text value: String) {
        key(name.description)
        append(text: value)
    }

    private mutating func separate() {
        switch due {
        case .nothing: break
        case .lineBreak: breakLine()
        case .comma:
            text += ","
            breakLine()
        }
        due = .comma
    }

    private mutating func breakLine() {
        if isIndented { text += "\n" + String(repeating: "  ", count: depth) }
    }

    /// Escapes what RFC 8259 asks for, and the control characters from U+007F on, because JSON on one
    /// line also goes to terminals.
    private mutating func append(quoted value: String) {
        text += "\""
        defer { text += "\"" }
        guard value.utf8.contains(where: Self.needsALook) else {
            text += value
            return
        }
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// Whether a byte is, or may be part of, a character that is escaped.
    private static func needsALook(_ byte: UInt8) -> Bool {
        let isPlain =
            byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"")
            && byte != UInt8(ascii: "\\")
        return !isPlain
    }
}
