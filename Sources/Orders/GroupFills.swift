import Model
import Primitives

/// What each group of orders has filled, by its number. The newest group is kept whatever else goes, so that
/// numbers rise.
struct GroupFills: Sendable {
    private var entries: [Entry] = []

    private struct Entry: Hashable, Sendable, BitwiseCopyable {
        let group: OrderGroupID
        var filled: Quantity
    }

    /// True if there was no group yet.
    var isEmpty: Bool { entries.isEmpty }

    /// What all orders of a group have filled; nothing of one that is not known.
    subscript(group: OrderGroupID) -> Quantity {
        let index = place(of: group)
        return holds(group, at: index) ? entries[index].filled : .zero
    }

    /// A group that no order is in yet.
    mutating func make() -> OrderGroupID {
        let group = OrderGroupID(number: Int(entries.last?.group.number ?? 0) + 1)
        entries.append(Entry(group: group, filled: .zero))
        return group
    }

    /// Sets what the orders of a group have filled.
    mutating func set(_ filled: Quantity, of group: OrderGroupID) {
        let index = place(of: group)
        if !holds(group, at: index) {
            entries.insert(Entry(group: group, filled: .zero), at: index)
        }
        entries[index].filled = filled
    }

    /// Forgets groups that are not needed, all but the newest.
    mutating func keep(_ needed: Marks) {
        var index = -1
        let newest = entries.count - 1
        entries.removeAll { _ in
            index += 1
            return index < newest && !needed.flags[index]
        }
    }

    /// Some of the groups. For as long as no group is made or forgotten.
    struct Marks {
        fileprivate var flags: [Bool]

        /// None of them.
        init(of groups: GroupFills) {
            flags = Array(repeating: false, count: groups.entries.count)
        }
    }

    /// Marks a group, if it is known.
    func mark(_ group: OrderGroupID, in marks: inout Marks) {
        let index = place(of: group)
        if holds(group, at: index) { marks.flags[index] = true }
    }

    /// Whether a group is marked.
    func isMarked(_ group: OrderGroupID, in marks: Marks) -> Bool {
        let index = place(of: group)
        return holds(group, at: index) && marks.flags[index]
    }

    private func holds(_ group: OrderGroupID, at index: Int) -> Bool {
        index < entries.count && entries[index].group == group
    }

    /// Where a group is, or where it would be.
    private func place(of group: OrderGroupID) -> Int {
        // Without gaps behind it, the number says how far it is from the end.
        let newest = entries.last?.group.number ?? 0
        let dense = entries.count - 1 - (Int(newest) - Int(group.number))
        if entries.indices.contains(dense), entries[dense].group == group { return dense }
        var range = entries.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range =
                entries[middle].group < group
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}

/// The fills of groups as records: the topic `group`.
extension GroupFills {
    /// Writes a record a group.
    func write(to writer: inout RecordWriter) {
        for entry in entries {
            writer.item(.group) { writer in
                writer.write(entry.group.number)
                writer.write(entry.filled)
            }
        }
    }

    /// Takes in a group that is newer than those before it.
    mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        let number = try reader.int32()
        // What was filled may have been cut to what can be represented.
        let filled = Quantity(units: try reader.word())
        guard number > entries.last?.group.number ?? 0, number <= OrderGroupID.numberMax,
            filled >= .zero
        else { throw reader.damage }
        entries.append(Entry(group: OrderGroupID(number: Int(number)), filled: filled))
    }
}
