/// Text in which what is not ASCII travels as `\u` and four hexadecimal digits for each UTF-16 unit.
enum EscapedText {
    /// The text behind the escapes. What only looks like an escape stays as it is.
    static func unescaped(_ field: UnsafeBufferPointer<UInt8>) -> String {
        guard field.contains(UInt8(ascii: "\\")) else {
            return String(decoding: field, as: UTF8.self)
        }
        var units: [UInt16] = []
        var remainder = Array(String(decoding: field, as: UTF8.self).utf16)[...]
        while let unit = remainder.popFirst() {
            guard unit == UInt16(UInt8(ascii: "\\")), remainder.first == UInt16(UInt8(ascii: "u")),
                let escaped = hexadecimal(remainder.dropFirst().prefix(4))
            else {
                units.append(unit)
                continue
            }
            units.append(escaped)
            remainder = remainder.dropFirst(5)
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Appends `text` with escapes for what is not ASCII.
    static func append(_ text: String, to bytes: inout WireOutput) {
        for unit in text.utf16 {
            if unit < 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: unit))
            } else {
                let digits = String(unit, radix: 16)
                bytes.append("\\u" as StaticString)
                for _ in digits.utf8.count..<4 { bytes.append(UInt8(ascii: "0")) }
                bytes.append(digits)
            }
        }
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt16>) -> UInt16? {
        guard digits.count == 4 else { return nil }
        var value: UInt16 = 0
        for digit in digits {
            guard let scalar = Unicode.Scalar(digit), let index = Character(scalar).hexDigitValue
            else { return nil }
            value = value << 4 | UInt16(index)
        }
        return value
    }
}
