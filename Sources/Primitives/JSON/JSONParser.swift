extension JSONValue {
    /// Arrays and objects may lie this deep in each other.
    package static let depthMax = 32

    /// Reads one value that fills `bytes`, white space aside.
    ///
    /// - Throws: when it is no JSON (RFC 8259), a name occurs twice in one object, or values lie deeper
    ///   than `depthMax`.
    package init(_ bytes: [UInt8]) throws(JSONError) {
        var parser = JSONParser(bytes)
        self = try parser.document()
    }
}

/// Why text is no JSON.
package struct JSONError: Error, Hashable, Sendable {
    /// The byte at which it was seen, from 0.
    package let offset: Int
    /// What is wrong.
    package let reason: String
}

extension JSONError: CustomStringConvertible {
    /// `no JSON at byte 12: …`.
    package var description: String { "no JSON at byte \(offset): \(reason)" }
}

/// Reads JSON from bytes.
private struct JSONParser {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(JSONError) -> JSONValue {
        let result = try value()
        skipBlanks()
        guard position == bytes.count else { throw failure("more text behind the value") }
        return result
    }

    private func failure(_ reason: String) -> JSONError {
        JSONError(offset: position, reason: reason)
    }

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard byte == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        skipBlanks()
        switch byte {
        case nil: throw failure("a value is missing")
        case UInt8(ascii: "{"):
            return try nested { (parser) throws(JSONError) in try parser.object() }
        case UInt8(ascii: "["):
            return try nested { (parser) throws(JSONError) in try parser.array() }
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(
        _ word: String, _ value: JSONValue
    ) throws(JSONError) -> JSONValue {
        guard bytes[position...].starts(with: word.utf8) else { throw failure("no value") }
        position += word.utf8.count
        return value
    }

    private mutating func nested(
        _ read: (inout JSONParser) throws(JSONError) -> JSONValue
    ) throws(JSONError) -> JSONValue {
        guard depth < JSONValue.depthMax else {
            throw failure("values lie more than \(JSONValue.depthMax) deep in each other")
        }
        position += 1
        depth += 1
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func array() throws(JSONError) -> JSONValue {
        var values: [JSONValue] = []
        skipBlanks()
        if skip("]") { return .array([]) }
        while true {
            values.append(try value())
            skipBlanks()
            if skip("]") { return .array(values) }
            guard skip(",") else { throw failure("neither a comma nor the array's end") }
        }
    }

    private mutating func object() throws(JSONError) -> JSONValue {
        var members: [JSONValue.Member] = []
        var names: Set<String> = []
        skipBlanks()
        if skip("}") { return .object([]) }
        while true {
            skipBlanks()
            guard byte == UInt8(ascii: "\"") else { throw failure("no name") }
            let start = position
            let name = try text()
            guard names.insert(name).inserted else {
                throw JSONError(offset: start, reason: "the name '\(name)' occurs twice")
            }
            skipBlanks()
            guard skip(":") else { throw failure("no colon behind the name '\(name)'") }
            members.append(JSONValue.Member(name, try value()))
            skipBlanks()
            if skip("}") { return .object(members) }
            guard skip(",") else { throw failure("neither a comma nor the object's end") }
        }
    }

    // MARK: Numbers

    /// `-?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?`.
    private mutating func number() throws(JSONError) -> String {
        let start = position
        _ = skip("-")
        let first = byte
        let whole = skipDigits()
        guard whole > 0, whole == 1 || first != UInt8(ascii: "0") else {
            throw failure(whole == 0 ? "no value" : "a number with a zero in front")
        }
        if skip("."), skipDigits() == 0 { throw failure("no digit behind the point") }
        if skip("e") || skip("E") {
            if !skip("-") { _ = skip("+") }
            guard skipDigits() > 0 else { throw failure("no digit in the exponent") }
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position - start
    }

    // MARK: Text

    private mutating func text() throws(JSONError) -> String {
        position += 1
        let start = position
        // Most texts have no escape.
        while let byte, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            position += 1
        }
        var units = Array(bytes[start..<position])
        while !skip("\"") {
            guard let byte else { throw failure("a text without its end") }
            guard byte >= 0x20 else { throw failure("a control character in a text") }
            position += 1
            if byte == UInt8(ascii: "\\") {
                units.append(contentsOf: try escape().utf8)
            } else {
                units.append(byte)
            }
        }
        guard let text = String(validating: units, as: UTF8.self) else {
            throw JSONError(offset: start, reason: "a text that is not UTF-8")
        }
        return text
    }

    private mutating func escape() throws(JSONError) -> String {
        guard let byte else { throw failure("a text without its end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw failure("an escape that JSON does not have")
        }
    }

    /// Behind `\u`: one UTF-16 unit, or two with another `\u` between.
    private mutating func unicodeEscape() throws(JSONError) -> String {
        var units = [try hexadecimal()]
        if UTF16.isLeadSurrogate(units[0]), skip("\\") {
            guard skip("u") else { throw failure("half a character") }
            units.append(try hexadecimal())
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw failure("half a character")
        }
        return text
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("an escape needs four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
