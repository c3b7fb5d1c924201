package import Primitives

/// A JSON value that knows its exact text.
package enum JSONValue: Hashable, Sendable {
    /// A string.
    case text(String)
    /// A number, `true` or `false` by its JSON text.
    case numeral(String)
    /// A list.
    case array([JSONValue])
    /// Named values.
    case object(JSONObject)

    /// True or false.
    package static func flag(_ flag: Bool) -> JSONValue { .numeral(flag ? "true" : "false") }

    /// A whole number.
    package static func integer(_ number: some BinaryInteger) -> JSONValue {
        .numeral(String(number))
    }

    /// The shortest text that reads back as `number`; `nil` for NaN and infinity.
    package static func number(_ number: Double) -> JSONValue? {
        number.isFinite ? .numeral(number.description) : nil
    }

    /// An amount, exactly.
    package static func exact(_ money: Money) -> JSONValue { .numeral(money.description) }

    /// A price, exactly.
    package static func exact(_ price: Price) -> JSONValue { .numeral(price.description) }

    /// A quantity, exactly.
    package static func exact(_ quantity: Quantity) -> JSONValue { .numeral(quantity.description) }

    /// A percentage, exactly.
    package static func exact(_ percent: Percent) -> JSONValue { .numeral(percent.description) }

    /// A length of time in seconds, exactly.
    package static func seconds(_ duration: Duration) -> JSONValue {
        var digits: [UInt8] = []
        digits.append(seconds: duration)
        return .numeral(String(decoding: digits, as: UTF8.self))
    }

    /// A list of strings.
    package static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .text($0) }) }
}

/// A JSON object whose keys stay in the order they were first set.
package struct JSONObject: Hashable, Sendable {
    private var members: [Member] = []

    private struct Member: Hashable {
        let key: String
        var value: JSONValue
    }

    /// An object without keys.
    package init() {}

    /// Adds a key at the end, or changes the value of one that is there; with `nil`, does nothing:
    /// an absent value is an absent key.
    package mutating func set(_ key: String, _ value: JSONValue?) {
        guard let value else { return }
        if let position = members.firstIndex(where: { $0.key == key }) {
            members[position].value = value
        } else {
            members.append(Member(key: key, value: value))
        }
    }

    /// On one line without spaces and without a line end.
    package func compact() -> String { text(.compact) }

    /// Indented by two spaces, with a line end: the content of a file.
    package func pretty() -> String { text(.pretty(depth: 0)) + "\n" }

    private func text(_ layout: JSONLayout) -> String {
        var bytes: [UInt8] = []
        bytes.append(self, layout)
        return String(decoding: bytes, as: UTF8.self)
    }

    fileprivate func forEach(_ body: (_ key: String, _ value: JSONValue) -> Void) {
        for member in members { body(member.key, member.value) }
    }
}

/// Where line breaks go.
private enum JSONLayout {
    case compact
    case pretty(depth: Int)

    var inner: JSONLayout {
        switch self {
        case .compact: .compact
        case .pretty(let depth): .pretty(depth: depth + 1)
        }
    }

    var keyEnd: String {
        switch self {
        case .compact: ":"
        case .pretty: ": "
        }
    }

    var lineBreak: String {
        switch self {
        case .compact: ""
        case .pretty(let depth): "\n" + String(repeating: "  ", count: depth)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ value: JSONValue, _ layout: JSONLayout) {
        switch value {
        case .text(let text): append(quoted: text)
        case .numeral(let digits): append(text: digits)
        case .object(let object): append(object, layout)
        case .array(let values):
            append(text: "[")
            for (position, value) in values.enumerated() {
                append(text: (position == 0 ? "" : ",") + layout.inner.lineBreak)
                append(value, layout.inner)
            }
            append(text: (values.isEmpty ? "" : layout.lineBreak) + "]")
        }
    }

    fileprivate mutating func append(_ object: JSONObject, _ layout: JSONLayout) {
        append(text: "{")
        var isEmpty = true
        object.forEach { key, value in
            append(text: (isEmpty ? "" : ",") + layout.inner.lineBreak)
            append(quoted: key)
            append(text: layout.keyEnd)
            append(value, layout.inner)
            isEmpty = false
        }
        append(text: (isEmpty ? "" : layout.lineBreak) + "}")
    }

    /// Appends a JSON string. Escapes what RFC 8259 asks for, and the control characters from
    /// U+007F on, because compact JSON also goes to terminals.
    private mutating func append(quoted text: String) {
        append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": append(text: "\\\"")
            case "\\": append(text: "\\\\")
            case "\n": append(text: "\\n")
            case "\r": append(text: "\\r")
            case "\t": append(text: "\\t")
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
                let digits = String(scalar.value, radix: 16)
                append(text: "\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            default: append(text: String(scalar))
            }
        }
        append(UInt8(ascii: "\""))
    }
}
