/// A last trading date with what gateways put behind it: `20250620 08:30 US/Central`.
///
/// Some write hyphens in place of the blanks. All of them travel in one field.
struct LastTrade: Hashable {
    /// The date or month.
    var date: String
    /// The time of day; empty where none is given.
    var time: String
    /// The zone of that time; empty where none is given.
    var zone: String

    /// The parts of a last trading date.
    init(date: String, time: String, zone: String) {
        self.date = date
        self.time = time
        self.zone = zone
    }

    /// Splits the text of a last trading date. A zone may have hyphens of its own.
    init(text: String) {
        var remainder = Substring(text)
        date = Self.takePart(of: &remainder)
        time = Self.takePart(of: &remainder)
        zone = String(remainder.drop(while: Self.separates))
    }

    /// The text as it travels.
    var text: String { [date, time, zone].filter { !$0.isEmpty }.joined(separator: " ") }

    /// The one field.
    mutating func field(
        _ name: StaticString, _ coder: inout some FieldCoder & ~Copyable
    ) {
        var text = self.text
        coder.text(name, &text)
        self = LastTrade(text: text)
    }

    private static func separates(_ character: Character) -> Bool {
        character == " " || character == "-"
    }

    private static func takePart(of remainder: inout Substring) -> String {
        remainder = remainder.drop(while: separates)
        let part = remainder.prefix { !separates($0) }
        remainder = remainder[part.endIndex...]
        return String(part)
    }
}
