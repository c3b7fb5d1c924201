import Primitives
import Reporting

/// A value in a table.
enum TableCell: Hashable {
    /// Nothing.
    case none
    /// Words.
    case text(String)
    /// Several words.
    case texts([String])
    /// A number, exactly as it is.
    case number(String)
    /// Yes or no.
    case flag(Bool)

    /// A number, or nothing.
    static func number(_ value: (some CustomStringConvertible)?) -> TableCell {
        value.map { .number($0.description) } ?? .none
    }

    /// For people and CSV.
    var text: String {
        switch self {
        case .none: ""
        case .text(let text), .number(let text): text
        case .texts(let texts): texts.joined(separator: " ")
        case .flag(let flag): flag ? "yes" : "no"
        }
    }

    fileprivate var json: JSONValue? {
        switch self {
        case .none: nil
        case .text(let text): .text(text)
        case .texts(let texts): .texts(texts)
        case .number(let text): .number(text)
        case .flag(let flag): .bool(flag)
        }
    }

    fileprivate var isNumber: Bool { if case .number = self { true } else { false } }
}

/// Names and values.
struct PropertyTable {
    private var rows: [(name: String, value: TableCell)] = []

    mutating func add(_ name: String, _ value: TableCell) { rows.append((name, value)) }

    /// One line each.
    var text: String {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { row in
            row.name.padded(to: width) + "  " + row.value.text
        }.joined(separator: "\n")
    }

    /// One JSON object.
    var jsonObject: String {
        var object = JSONObject()
        for row in rows { object.set(row.name, row.value.json) }
        return object.compact()
    }
}

/// Rows under the names of their columns.
struct RowTable {
    let columns: [String]
    private(set) var rows: [[TableCell]] = []

    init(_ columns: [String]) { self.columns = columns }

    mutating func add(_ row: [TableCell]) {
        precondition(row.count == columns.count, "a row has a cell for each column")
        rows.append(row)
    }

    /// For people: columns in line, numbers to the right.
    var text: String {
        let widths = columns.indices.map { column in
            max(columns[column].count, rows.map { $0[column].text.count }.max() ?? 0)
        }
        let head = columns.indices.map { columns[$0].padded(to: widths[$0]) }
        let lines = rows.map { row in
            columns.indices.map { column in
                row[column].isNumber
                    ? row[column].text.indented(to: widths[column])
                    : row[column].text.padded(to: widths[column])
            }
        }
        return ([head] + lines).map { $0.joined(separator: "  ").trimmedEnd }
            .joined(separator: "\n")
    }

    /// Comma-separated values with a header; what a spreadsheet would take for a formula has a `'` in
    /// front.
    var csv: String {
        let lines = rows.map { row in row.map { $0.csv }.joined(separator: ",") }
        return ([columns.joined(separator: ",")] + lines).joined(separator: "\n")
    }

    /// One JSON object with the rows under `name`.
    func json(_ name: String) -> String {
        var object = JSONObject()
        object.set(
            name,
            .array(
                rows.map { row in
                    var entry = JSONObject()
                    for (column, cell) in zip(columns, row) { entry.set(column, cell.json) }
                    return .object(entry)
                }))
        return object.compact()
    }
}

extension TableCell {
    fileprivate var csv: String {
        guard !isNumber else { return text }
        var text = self.text
        if let first = text.first, "=+-@".contains(first) { text = "'" + text }
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\""
            + text.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    fileprivate func indented(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }

    fileprivate var trimmedEnd: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
