import Primitives
import Reporting

/// A session's answer for people.
struct ControlAnswer {
    private let members: JSONObject

    init(_ members: JSONObject) { self.members = members }

    /// Names and values, then a table for each list of objects.
    var text: String {
        let isInstruction = members.contains { $0.name == "done" }
        var properties = PropertyTable()
        var parts: [String] = []
        for member in members {
            switch member.value {
            case .array(let values) where values.contains(where: Self.isObject):
                parts.append(Self.table(member.name, values, isBrief: isInstruction))
            case .array(let values):
                // A list of what is wrong, or was done, is left out where it is empty.
                guard !values.isEmpty else { continue }
                guard member.name != "notes" else {
                    parts += values.map { "note: \(Self.words($0))" }
                    continue
                }
                properties.add(member.name, .texts(values.map(Self.words)))
            case .object, .null: continue
            case .bool, .number, .text:
                properties.add(member.name, .text(Self.words(member.value)))
            }
        }
        let head = properties.text
        let all = ([head] + parts).filter { !$0.isEmpty }
        return all.isEmpty ? "none" : all.joined(separator: "\n\n")
    }

    private static func isObject(_ value: JSONValue) -> Bool {
        if case .object = value { true } else { false }
    }

    private static func words(_ value: JSONValue) -> String {
        switch value {
        case .text(let text), .number(let text): text
        case .bool(let flag): flag ? "yes" : "no"
        case .object(let members):
            members.map { "\($0.name)=\(words($0.value))" }.joined(separator: " ")
        case .array(let values): values.map(words).joined(separator: ", ")
        case .null: ""
        }
    }

    /// Rows under the names of all their members.
    private static func table(_ name: String, _ rows: [JSONValue], isBrief: Bool) -> String {
        let hidden: Set<String> =
            isBrief ? ["number", "at", "severity", "submitted", "reference"] : []
        var columns: [String] = []
        for case .object(let row) in rows {
            for member in row where !columns.contains(member.name) && !hidden.contains(member.name)
            {
                columns.append(member.name)
            }
        }
        var table = RowTable(columns)
        for row in rows {
            table.add(
                columns.map { column in
                    switch row[column] {
                    case nil, .null: .none
                    case .number(let text): .number(text)
                    case .some(let value): .text(words(value))
                    }
                })
        }
        return "\(name)\n" + table.text
    }
}
