import Model
import Primitives

/// The session day's texts and their numbers: each is an event before its first use.
struct VenueNames: Sendable {
    private var numbers: [String: NameID] = [:]
    private var newest: Int32 = 0
    /// The pieces of texts that were named and are not events yet.
    private(set) var unsent: [NameChunk] = []

    /// The texts of a journal.
    init(_ known: [(name: NameID, text: String)]) {
        for entry in known {
            numbers[entry.text] = entry.name
            newest = max(newest, entry.name.index)
        }
    }

    /// The texts with their numbers, by number.
    var all: [(name: NameID, text: String)] {
        numbers.map { ($0.value, $0.key) }.sorted { $0.0 < $1.0 }
    }

    /// The number of a text; a new one is put in line for an event.
    mutating func number(of text: String) -> NameID {
        guard !text.isEmpty else { return .none }
        if let known = numbers[text] { return known }
        newest += 1
        let name = NameID(index: Int(newest))
        numbers[text] = name
        unsent += NameChunk.chunks(of: text, as: name)
        return name
    }

    /// Takes the pieces that are to be events.
    mutating func takeUnsent() -> [NameChunk] {
        defer { unsent.removeAll(keepingCapacity: true) }
        return unsent
    }
}
