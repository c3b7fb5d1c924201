import Model
import Primitives
import Signals

/// Intents that passed risk together, for as long as an order of theirs works or one of them is pending.
struct IntentGroups: Sendable {
    private var groups: [Group] = []
    private var newest: Int32 = 0

    /// One group.
    struct Group: Sendable {
        /// Its number, from 1.
        let number: Int32
        /// Whose it is.
        let strategy: StrategyID
        /// What happens when a leg fails at the venue.
        let response: GroupResponse
        /// The instruments of its legs.
        let legs: [InstrumentID]
        /// Its orders that have not ended.
        fileprivate(set) var orders: [OrderID] = []
    }

    /// Opens a group. It ends older ones of the strategy with a leg in one of its instruments, so that there are
    /// never more than legs.
    mutating func open(
        for strategy: StrategyID, _ response: GroupResponse, legs: [InstrumentID]
    ) -> Int32 {
        groups.removeAll { group in
            group.strategy == strategy && group.legs.contains { legs.contains($0) }
        }
        newest += 1
        groups.append(Group(number: newest, strategy: strategy, response: response, legs: legs))
        return newest
    }

    /// The orders of all groups.
    var orders: [OrderID] { groups.flatMap(\.orders) }

    /// True while there is a group of that number.
    func contains(_ number: Int32) -> Bool { groups.contains { $0.number == number } }

    /// Takes in an order of a group; 0 is none.
    mutating func add(_ id: OrderID?, for number: Int32) {
        guard number != 0, let id, let index = groups.firstIndex(where: { $0.number == number })
        else { return }
        groups[index].orders.append(id)
    }

    /// The group of an order, if it is in one.
    func group(of id: OrderID) -> Group? { groups.first { $0.orders.contains(id) } }

    /// Takes in that an order has ended. A group ends with its last order.
    mutating func orderEnded(_ id: OrderID) {
        guard let index = groups.firstIndex(where: { $0.orders.contains(id) }) else { return }
        groups[index].orders.removeAll { $0 == id }
        if groups[index].orders.isEmpty { groups.remove(at: index) }
    }

    /// Ends a group that came to no order and of which nothing is pending.
    mutating func closeIfIdle(_ number: Int32, isPending: Bool) {
        guard !isPending else { return }
        groups.removeAll { $0.number == number && $0.orders.isEmpty }
    }

    /// Ends a group.
    mutating func close(_ number: Int32) { groups.removeAll { $0.number == number } }

    /// Takes the groups into a digest.
    func hash(into hasher: inout StateHasher) {
        hasher.combine(newest)
        for group in groups {
            hasher.combine(group.number)
            hasher.combine(group.strategy.index)
            hasher.combine(Int32(group.response.rawValue))
            for leg in group.legs { hasher.combine(leg.index) }
            for id in group.orders { hasher.combine(id.number) }
        }
    }
}

// MARK: - Records

extension IntentGroups {
    /// Writes the newest number and every group.
    func write(to writer: inout RecordWriter) {
        guard newest > 0 else { return }
        writer.item(.intentGroup) { item in
            item.write(newest)
            item.write(list: groups) { item, group in
                item.write(group.number)
                item.write(group.strategy)
                item.write(group.response)
                item.write(list: group.legs) { $0.write($1) }
                item.write(list: group.orders) { $0.write($1) }
            }
        }
    }

    /// Reads them back.
    mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        newest = try reader.int32()
        groups = try reader.list { (reader) throws(RecordError) in
            let number = try reader.int32()
            let strategy = try reader.strategy()
            let response = try reader.raw(GroupResponse.self)
            let legs = try reader.list { (reader) throws(RecordError) in try reader.instrument() }
            let orders = try reader.list { (reader) throws(RecordError) in try reader.order() }
            return Group(
                number: number, strategy: strategy, response: response, legs: legs,
                orders: orders)
        }
    }
}
