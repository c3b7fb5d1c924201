/// JSON under construction, on one line.
struct JSONText {
    /// What is written so far.
    private(set) var text = ""
    private var needsSeparator = false

    /// Begins an object or an array.
    mutating func open(_ bracket: String) {
        text += bracket
        needsSeparator = false
    }

    /// Ends it.
    mutating func close(_ bracket: String) {
        text += bracket
        needsSeparator = true
    }

    /// A comma where one is due.
    mutating func separate() {
        if needsSeparator { text += "," }
        needsSeparator = true
    }

    /// A member's name.
    mutating func key(_ name: StaticString) {
        separate()
        append(quoted: name.description)
        text += ":"
        needsSeparator = false
    }

    /// A member whose value is JSON already.
    mutating func member(_ name: StaticString, raw: String) {
        key(name)
        text += raw
        needsSeparator = true
    }

    /// A member that is a text.
    mutating func member(_ name: StaticString, text value: String) {
        key(name)
        append(quoted: value)
        needsSeparator = true
    }

    /// A text in an array.
    mutating func element(text value: String) {
        separate()
        append(quoted: value)
    }

    /// A number or a word, as it is.
    mutating func append(bare word: String) { text += word }

    /// A text as JSON has it.
    mutating func append(quoted value: String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
