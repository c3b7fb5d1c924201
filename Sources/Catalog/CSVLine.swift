/// Comma-separated text, one line at a time.
enum CSVLine {
    /// The fields of a line, without quotation marks and outer spaces; `nil` when a quoted field
    /// does not end with a quotation mark before a comma or the line's end.
    ///
    /// - Parameter separator: what stands between fields in place of commas.
    static func fields(
        of line: ArraySlice<UInt8>, separator: UInt8 = UInt8(ascii: ",")
    ) -> [String]? {
        var remainder = trimmed(line, keeping: separator)
        var fields: [String] = []
        while true {
            guard
                let field = remainder.first == quote
                    ? quoted(&remainder) : plain(&remainder, separator)
            else { return nil }
            fields.append(String(decoding: trimmed(field), as: UTF8.self))
            guard let next = remainder.first else { return fields }
            guard next == separator else { return nil }
            remainder = remainder.dropFirst()
        }
    }

    /// The text without spaces, tabs and line ends around it, `kept` aside.
    static func trimmed(
        _ text: ArraySlice<UInt8>, keeping kept: UInt8? = nil
    ) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool {
            byte != kept && (byte == 0x20 || (0x09...0x0D).contains(byte))
        }
        guard let first = text.firstIndex(where: { !isBlank($0) }),
            let last = text.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return text[first...last]
    }

    fileprivate static let quote = UInt8(ascii: "\"")
    fileprivate static let comma = UInt8(ascii: ",")

    /// Takes what comes before the next separator.
    private static func plain(
        _ remainder: inout ArraySlice<UInt8>, _ separator: UInt8
    ) -> ArraySlice<UInt8>? {
        let field = remainder.prefix { $0 != separator }
        remainder = remainder[field.endIndex...]
        return field
    }

    /// Takes a quoted field; a doubled quotation mark in it stands for one.
    private static func quoted(_ remainder: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var field: ArraySlice<UInt8> = []
        while remainder.first == quote {
            remainder = remainder.dropFirst()
            guard let end = remainder.firstIndex(of: quote) else { return nil }
            field += remainder[..<end]
            remainder = remainder[(end + 1)...]
            if remainder.first == quote { field.append(quote) }
        }
        return field
    }
}

extension CSVLine {
    /// A field's text as it stands in a line: quoted where it has to be (RFC 4180).
    static func field(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == comma || $0 == quote }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
