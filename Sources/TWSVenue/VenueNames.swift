import Model
import Primitives

/// The texts of the newest session days and their numbers: each is an event before its first use.
struct VenueNames: Sendable {
    private var numbers: [String: NameID] = [:]
    private var newest: Int32 = 0
    /// The pieces of texts that were named and are not events yet.
    private(set) var unsent: [NameChunk] = []

    /// How many texts are kept at most. Most name executions, of which a broker lists those of a week at most.
    static let keptMax = 20_000

    /// Those of some texts that are kept: what is in use, and all that are newer than the oldest execution in use, but
    /// `keptMax` at most.
    static func kept(
        of texts: [(name: NameID, text: String)], for use: NamesInUse
    ) -> [(name: NameID, text: String)] {
        let oldest = oldestKept(behind: texts.map(\.name.index).max() ?? 0, for: use)
        return texts.filter { $0.name >= oldest || use.others.contains($0.name) }
    }

    private static func oldestKept(behind newest: Int32, for use: NamesInUse) -> NameID {
        let oldest = NameID(index: Int(max(newest - Int32(keptMax), 0)) + 1)
        return max(oldest, use.oldestExecution ?? oldest)
    }

    /// Forgets all texts but those that are kept.
    ///
    /// - Returns: the oldest that may name an execution.
    mutating func forget(allBut use: NamesInUse) -> NameID {
        let oldest = Self.oldestKept(behind: newest, for: use)
        numbers = numbers.filter { $0.value >= oldest || use.others.contains($0.value) }
        return oldest
    }

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
