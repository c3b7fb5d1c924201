extension WireJSONValue {
    /// The value as JSON on one line, without blanks.
    package var text: String {
        var output = JSONText()
        output.append(self)
        return output.text
    }

    /// A whole number.
    package static func integer(_ value: some FixedWidthInteger) -> WireJSONValue {
        .number(String(value))
    }

    /// Named values.
    package static func members(_ members: KeyValuePairs<String, WireJSONValue>) -> WireJSONValue {
        .object(members.map { Member($0.key, $0.value) })
    }
}

extension JSONText {
    /// A value where one is due.
    mutating func append(_ value: WireJSONValue) {
        separate()
        switch value {
        case .null: append(bare: "null")
        case .bool(let flag): append(bare: flag ? "true" : "false")
        case .number(let text): append(bare: text)
        case .text(let text): append(quoted: text)
        case .array(let values):
            open("[")
            for value in values { append(value) }
            close("]")
        case .object(let members):
            open("{")
            for member in members {
                separate()
                append(quoted: member.name)
                open(":")
                append(member.value)
            }
            close("}")
        }
    }
}
