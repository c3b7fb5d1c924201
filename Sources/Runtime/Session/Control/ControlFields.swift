import Configuration
import Primitives

/// The members of a request, each of which is read once: what is left over is refused.
struct ControlFields {
    private let members: JSONObject
    private var known: [String] = ["do"]

    /// What is asked for.
    let name: String

    /// The members of a line.
    ///
    /// - Throws: when it is no JSON object with a `do`.
    init(_ line: [UInt8]) throws(ControlRefusal) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(line)
        } catch {
            throw ControlRefusal("The request is \(error).")
        }
        guard case .object(let members) = value, case .text(let name)? = value["do"] else {
            throw ControlRefusal(
                "A request is a JSON object with what is to be done, such as {\"do\":\"status\"}.")
        }
        self.members = members
        self.name = name
    }

    private mutating func value(_ name: String) -> JSONValue? {
        known.append(name)
        return members.first { $0.name == name }?.value
    }

    /// A text, or a number as it is written; `nil` without it.
    mutating func text(_ name: String) throws(ControlRefusal) -> String? {
        switch value(name) {
        case nil, .null: return nil
        case .text(let text), .number(let text): return text
        case .some(let other):
            throw ControlRefusal("'\(name)' of '\(self.name)' is \(other.kind), and not text.")
        }
    }

    /// A text, or a number as it is written.
    mutating func required(_ name: String) throws(ControlRefusal) -> String {
        guard let text = try text(name), !text.isEmpty else {
            throw ControlRefusal("'\(self.name)' needs '\(name)'.")
        }
        return text
    }

    /// What `read` makes of a text.
    ///
    /// - Parameter meant: what the text has to be, for the user.
    mutating func required<Value>(
        _ name: String, _ meant: String, _ read: (String) -> Value?
    ) throws(ControlRefusal) -> Value {
        let text = try required(name)
        guard let value = read(text) else {
            throw ControlRefusal(
                "'\(name)' of '\(self.name)' is \(text.printable); expected \(meant).")
        }
        return value
    }

    /// True where it is set.
    mutating func flag(_ name: String) throws(ControlRefusal) -> Bool {
        switch value(name) {
        case nil, .null: return false
        case .bool(let flag): return flag
        case .some(let other):
            throw ControlRefusal(
                "'\(name)' of '\(self.name)' is \(other.kind), and not true or false.")
        }
    }

    /// Throws if there is a member that was not asked for.
    func finish() throws(ControlRefusal) {
        guard let other = members.first(where: { !known.contains($0.name) }) else { return }
        throw ControlRefusal(
            "'\(name)' has no '\(other.name.printable)'. "
                + SettingsSuggestion.sentence(for: other.name, among: known))
    }
}
