import Configuration
import Primitives

/// Something that a session writes down for people.
struct LogEntry: Hashable, Sendable {
    /// When, in session time.
    let at: Timestamp
    /// How important it is.
    let level: LoggingSettings.Level
    /// What it is about.
    let category: LoggingSettings.Category
    /// What happened, in a few words.
    let text: String
    /// What belongs to it, by name.
    var fields: [Field] = []
    /// True if it goes to the log of trades, too.
    var isTrade = false
    /// True if the user was notified of it as an alarm.
    var isAlarm = false

    /// A name and its value.
    struct Field: Hashable, Sendable {
        /// The name: `order`.
        let name: String
        /// The value; absent values are no fields.
        let value: JSONValue

        /// A field.
        init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// An entry without fields.
    init(
        at time: Timestamp, _ level: LoggingSettings.Level, _ category: LoggingSettings.Category,
        _ text: String
    ) {
        at = time
        self.level = level
        self.category = category
        self.text = text
    }

    /// Adds a field, unless there is no value.
    mutating func set(_ name: String, _ value: JSONValue?) {
        if let value { fields.append(Field(name, value)) }
    }
}

/// Makes lines of entries, and hides in them what no log may hold.
struct LogFormat: Sendable {
    private let format: LoggingSettings.Format
    private let mask: LogMask

    /// Lines of that look.
    init(_ format: LoggingSettings.Format, _ mask: LogMask) {
        self.format = format
        self.mask = mask
    }

    /// The line of an entry, with its line end. Everything that is written to a log passes here.
    ///
    /// - Parameter sequence: the number of the entry, from 1 in each process.
    func line(of entry: LogEntry, _ sequence: Int) -> String {
        switch format {
        case .text: text(of: entry, sequence) + "\n"
        case .json: json(of: entry, sequence) + "\n"
        }
    }

    /// The line of an entry for people.
    ///
    /// - Parameter sequence: the number of the entry; `nil` to leave it out.
    func text(of entry: LogEntry, _ sequence: Int? = nil) -> String {
        let number = sequence.map { "\($0) " } ?? ""
        var line =
            "\(entry.at) \(number)\(entry.level.rawValue) \(entry.category.rawValue): "
            + mask.hiding(in: entry.text)
        for field in entry.fields { line += " \(field.name)=\(word(of: field.value))" }
        return ShownText.escaped(line)
    }

    /// A value as one word; what has spaces is quoted.
    private func word(of value: JSONValue) -> String {
        guard case .text(let text) = value else { return value.text }
        let shown = mask.hiding(in: text)
        let isWord = !shown.isEmpty && !shown.contains { $0 == " " || $0 == "\"" || $0 == "=" }
        return isWord ? shown : JSONValue.text(shown).text
    }

    private func json(of entry: LogEntry, _ sequence: Int) -> String {
        var object = JSONObject()
        object.set("at", .text("\(entry.at)"))
        object.set("sequence", .integer(sequence))
        object.set("level", .text(entry.level.rawValue))
        object.set("category", .text(entry.category.rawValue))
        object.set("message", .text(mask.hiding(in: entry.text)))
        for field in entry.fields {
            if case .text(let text) = field.value {
                object.set(field.name, .text(mask.hiding(in: text)))
            } else {
                object.set(field.name, field.value)
            }
        }
        return object.compact()
    }
}
