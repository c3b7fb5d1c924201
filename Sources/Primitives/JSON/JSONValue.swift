/// One JSON value. Numbers stay text, so that decimals stay exact.
package enum JSONValue: Hashable, Sendable {
    /// Nothing.
    case null
    /// Yes or no.
    case bool(Bool)
    /// A number as it is written, in JSON's own form.
    case number(String)
    /// Text.
    case text(String)
    /// Values in order.
    case array([JSONValue])
    /// Named values in order; each name occurs once.
    case object(JSONObject)

    /// A named value.
    package struct Member: Hashable, Sendable {
        /// The name.
        package let name: String
        /// The value.
        package fileprivate(set) var value: JSONValue

        /// A named value.
        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// A whole number.
    package static func integer(_ number: some BinaryInteger) -> JSONValue {
        .number(String(number))
    }

    /// The shortest text that reads back as `number`; `nil` for NaN and infinity.
    package static func number(_ number: Double) -> JSONValue? {
        number.isFinite ? .number(number.description) : nil
    }

    /// An amount, exactly.
    package static func exact(_ money: Money) -> JSONValue { .number(money.description) }

    /// A price, exactly.
    package static func exact(_ price: Price) -> JSONValue { .number(price.description) }

    /// A quantity, exactly.
    package static func exact(_ quantity: Quantity) -> JSONValue { .number(quantity.description) }

    /// A percentage, exactly.
    package static func exact(_ percent: Percent) -> JSONValue { .number(percent.description) }

    /// A list of strings.
    package static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .text($0) }) }

    /// Named values.
    package static func members(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        .object(members.map { Member($0.key, $0.value) })
    }

    /// The value of a member; `nil` without it, or where this is no object.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// What it is, for messages to people.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .text: "text"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The value on one line without spaces and without a line end.
    package var text: String {
        var output = JSONText()
        output.append(self)
        return output.text
    }
}

/// The members of a JSON object, in their order.
package typealias JSONObject = [JSONValue.Member]

extension JSONObject {
    /// Adds a member at the end, or changes the value of one that is there; with `nil`, does nothing:
    /// an absent value is an absent member.
    package mutating func set(_ name: String, _ value: JSONValue?) {
        guard let value else { return }
        if let index = firstIndex(where: { $0.name == name }) {
            self[index].value = value
        } else {
            append(JSONValue.Member(name, value))
        }
    }

    /// On one line without spaces and without a line end.
    package func compact() -> String { JSONValue.object(self).text }

    /// Indented by two spaces, with a line end: the content of a file.
    package func pretty() -> String {
        var output = JSONText(isIndented: true)
        output.append(.object(self))
        return output.text + "\n"
    }
}
