import Model
import Primitives

/// The texts of the newest session days and their numbers: each is an event before its first use.
struct VenueNames: Sendable {
    private var numbers: [String: NameID] = [:]
    private var newest: Int32 = 0
    /// The pieces of texts that were named and are not events yet.
    private(set) var unsent: [NameChunk] = []

    /// How many texts are kept. Most name executions, of which a broker lists those of a week at most.
    static let keptMax = 20_000

    /// The newest of some texts: as many as are kept.
    static func newest(
        of texts: [(name: NameID, text: String)]
    ) -> [(name: NameID, text: String)] {
        let least = oldestKept(behind: texts.map(\.name.index).max() ?? 0)
        return texts.filter { $0.name.index >= least }
    }

    /// The number of the oldest text that is kept.
    private static func oldestKept(behind newest: Int32) -> Int32 {
        max(newest - Int32(keptMax), 0) + 1
    }

    /// Forgets all texts but the newest.
    ///
    /// - Returns: the number of the oldest that is kept.
    mutating func forgetOldest() -> Int32 {
        let least = Self.oldestKept(behind: newest)
        if numbers.count > Self.keptMax { numbers = numbers.filter { $0.value.index >= least } }
        return least
    }

    /// The texts of a journal.
    init(_ known: [(name: NameID, text: String)]) {
        for entry in Self.newest(of: known) {
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
