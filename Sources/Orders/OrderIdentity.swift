package import Model
package import Primitives

/// By what names the broker knows our orders, and which of its names are ours.
///
/// The broker's own number (permId) decides once it is known. Before that the client's number of the order
/// does, and our reference at any time. What contradicts itself is never merged: it stays an order of its own
/// that is not ours, and the contradiction comes out beside it.
package struct OrderIdentity: Sendable {
    /// The account that we trade in.
    package let account: BrokerAccountID
    /// The client that we place orders as.
    package let client: BrokerClientID
    /// The instance number of the journal that our orders are written to; 0 without one.
    package let journal: Int32
    /// The highest number that an order was placed under, or the gateway would not take any more.
    package private(set) var mark: BrokerOrderID?

    /// Ours, by number.
    private var entries: [Entry] = []
    // Looked up, never iterated: their order changes from run to run.
    private var byPermanent: [PermanentID: OrderID] = [:]
    private var byClient: [ClientOrder: OrderID] = [:]
    private var byReference: [OrderReference: OrderID] = [:]
    private var byKey: [BrokerOrderKey: OrderID] = [:]
    /// How many orders that are not ours had no permanent number when they were first seen.
    private var unnumbered: Int64 = 0
    /// Names of orders that are not ours, as they were learned.
    private var others: [Entry] = []
    /// The highest number of an order of ours that was dropped; 0 before the first.
    private(set) var newestDropped: Int64 = 0
    /// The highest number that a reference of this journal named without our knowing the order; 0 before the first. No
    /// order of ours gets it or a lower one.
    package private(set) var newestUnknown: Int64 = 0

    fileprivate struct Entry: Sendable {
        let order: OrderID
        var key: BrokerOrderKey
    }

    private struct ClientOrder: Hashable, Sendable {
        let account: BrokerAccountID
        let client: BrokerClientID
        let order: BrokerOrderID
    }

    /// What a key names.
    package struct Match: Hashable, Sendable {
        /// The order. Negative numbers are orders that are not ours.
        package let order: OrderID
        /// What in the key contradicts what is known.
        package let contradiction: Contradiction?
    }

    /// What in a key contradicts what is known of one of our orders.
    package enum Contradiction: Hashable, Sendable {
        /// Another order of the broker's carries its reference, or its number with the client.
        case secondPermanentID(OrderID, known: PermanentID, reported: PermanentID)
        /// Its reference came with another client or under another number.
        case otherNumber(OrderID, known: BrokerOrderKey, reported: BrokerOrderKey)
        /// The broker's number is this order's, the reference another's.
        case otherReference(OrderID, reported: OrderReference)
        /// The reference is spelled like ours, and we know no such order.
        case unknownReference(OrderReference)
    }

    /// No orders yet.
    ///
    /// - Parameter mark: the highest number that an order was ever placed under, by the journal.
    package init(
        account: BrokerAccountID, client: BrokerClientID, journal: Int32,
        mark: BrokerOrderID? = nil
    ) {
        self.account = account
        self.client = client
        self.journal = journal
        self.mark = mark
    }

    // MARK: Numbers

    /// Takes in that numbers up to this one are used. Never lowers the mark.
    package mutating func raiseMark(to id: BrokerOrderID) { mark = max(mark ?? id, id) }

    /// Takes in the next number that the gateway takes. Returns false if it is not above the mark: then the
    /// mark stays, for the gateway has lost orders, or the user has set its count back.
    package mutating func takesNext(_ next: BrokerOrderID) -> Bool {
        if let mark, next <= mark, !PlantedBug.numberReused.isPlanted { return false }
        if next.number > 1 { mark = BrokerOrderID(number: next.number - 1) }
        return true
    }

    /// True while there is a number that an order can be placed under.
    package var hasNumberLeft: Bool { (mark?.number ?? 0) < BrokerOrderID.max.number }

    /// Numbers an order for the gateway, above all numbers that were ever used; `nil` when there is none left.
    /// An order keeps its number.
    ///
    /// - Parameter order: one of ours, newer than all that have a number.
    package mutating func assign(to order: OrderID) -> BrokerOrderID? {
        if let key = key(of: order) { return key.order }
        let number = max(mark?.number ?? 0, 0) + 1
        guard number <= BrokerOrderID.max.number else { return nil }
        let id = BrokerOrderID(number: number)
        mark = id
        enter(
            order,
            as: BrokerOrderKey(
                account: account, client: client, order: id,
                reference: OrderReference(journal: journal, order: order)))
        return id
    }

    /// Gives an order another number, as if it were another order: what only a planted defect does.
    mutating func renumber(_ order: OrderID) {
        guard let index = index(of: order) else { return }
        let id = BrokerOrderID(number: max(mark?.number ?? 0, 0) + 1)
        mark = id
        entries[index].key = BrokerOrderKey(
            account: account, client: client, order: id,
            reference: OrderReference(journal: journal, order: order))
        if let name = clientOrder(entries[index].key) { byClient[name] = order }
    }

    /// Takes in by what names the broker knows an order of ours, as the journal of an earlier day says.
    ///
    /// - Parameter order: newer than all that were taken in before.
    package mutating func enter(_ order: OrderID, as key: BrokerOrderKey) {
        precondition(
            order.number > (entries.last?.order.number ?? 0), "orders are entered by their age")
        entries.append(Entry(order: order, key: key))
        if let permanent = key.permanent { byPermanent[permanent] = order }
        if let name = clientOrder(key) { byClient[name] = order }
        if let reference = key.reference { byReference[reference] = order }
        if PlantedBug.numbersNotRestored.isPlanted { return }
        if let id = key.order, key.client == client { raiseMark(to: id) }
    }

    /// Takes the names into a digest; nothing before the first.
    package func hash(into hasher: inout StateHasher) {
        if let mark { hasher.combine(mark.number) }
        for entry in entries {
            hasher.combine(entry.order.number)
            hasher.combine(entry.key.order?.number ?? 0)
            hasher.combine(entry.key.permanent?.number ?? 0)
        }
        if unnumbered != 0 { hasher.combine(unnumbered) }
        if newestUnknown != 0 { hasher.combine(newestUnknown) }
    }

    // MARK: Names

    /// By what names the broker knows an order of ours; `nil` until it has a number.
    package func key(of order: OrderID) -> BrokerOrderKey? {
        index(of: order).map { entries[$0].key }
    }

    /// Whether a key is of another account than ours: nothing in it concerns us.
    package func isElsewhere(_ key: BrokerOrderKey) -> Bool {
        key.account.map { $0 != account } ?? false
    }

    /// Which order a key names, learning from it what was not known. Every key names an order: ours, one
    /// that is not ours and was seen before, or a new one that is not ours.
    package mutating func match(_ key: BrokerOrderKey) -> Match {
        if let permanent = key.permanent, let order = byPermanent[permanent] {
            return matched(order, key)
        }
        if let reference = key.reference {
            guard let order = byReference[reference] else {
                // One that was dropped is ours all the same: what it traded is booked already.
                let isDropped = isDropped(reference)
                if !isDropped { noteUnknown(reference) }
                let order = isDropped ? reference.order : foreign(key)
                return Match(order: order, contradiction: .unknownReference(reference))
            }
            return claimed(order, key)
        }
        if let name = clientOrder(key), let order = byClient[name] { return claimed(order, key) }
        return Match(order: foreign(key), contradiction: nil)
    }

    /// A key whose permanent number is that of a known order.
    private mutating func matched(_ order: OrderID, _ key: BrokerOrderKey) -> Match {
        guard let known = self.key(of: order) else {
            return Match(order: order, contradiction: rivalry(key))
        }
        var contradiction: Contradiction?
        if let reference = key.reference, reference != known.reference {
            contradiction = .otherReference(order, reported: reference)
        } else if isOtherNumber(key, known) {
            contradiction = .otherNumber(order, known: known, reported: key)
        }
        return Match(order: order, contradiction: contradiction)
    }

    /// A key that names one of our orders by reference or number, under a permanent number that is not known.
    private mutating func claimed(_ order: OrderID, _ key: BrokerOrderKey) -> Match {
        guard let known = self.key(of: order) else {
            // Not ours: it had no permanent number before, and may have one now.
            if key.permanent != nil { learn(Entry(order: order, key: key)) }
            return Match(order: order, contradiction: nil)
        }
        if key.reference != nil, isOtherNumber(key, known) {
            return Match(
                order: foreign(key),
                contradiction: .otherNumber(order, known: known, reported: key))
        }
        guard let permanent = key.permanent else { return Match(order: order, contradiction: nil) }
        if let other = known.permanent {
            return Match(
                order: foreign(key),
                contradiction: .secondPermanentID(order, known: other, reported: permanent))
        }
        learn(permanent, of: order)
        return Match(order: order, contradiction: nil)
    }

    /// What an order that is not ours has of the names of one that is.
    private func rivalry(_ key: BrokerOrderKey) -> Contradiction? {
        if let reference = key.reference {
            guard let order = byReference[reference] else { return .unknownReference(reference) }
            return rivalry(key, with: order)
        }
        guard let name = clientOrder(key), let order = byClient[name] else { return nil }
        return rivalry(key, with: order)
    }

    private func rivalry(_ key: BrokerOrderKey, with order: OrderID) -> Contradiction? {
        guard let known = self.key(of: order) else { return nil }
        if let reported = key.permanent, let permanent = known.permanent, reported != permanent {
            return .secondPermanentID(order, known: permanent, reported: reported)
        }
        return .otherNumber(order, known: known, reported: key)
    }

    /// The number under which an order that is not ours is kept. The permanent number, so that such orders
    /// never collide; what has none is numbered below all of those.
    private mutating func foreign(_ key: BrokerOrderKey) -> OrderID {
        let order: OrderID
        if let permanent = key.permanent, permanent.number <= Self.permanentMax {
            order = OrderID(number: -permanent.number)
        } else {
            if let name = clientOrder(key), let known = byClient[name], known.isForeign {
                return known
            }
            if let known = byKey[key] { return known }
            unnumbered += 1
            order = OrderID(number: Self.unnumberedMax - unnumbered)
        }
        learn(Entry(order: order, key: key))
        return order
    }

    /// Learns the names of an order that is not ours.
    private mutating func learn(_ entry: Entry) {
        others.append(entry)
        if entry.order.number < Self.unnumberedMax { byKey[entry.key] = entry.order }
        if let permanent = entry.key.permanent { byPermanent[permanent] = entry.order }
        if let name = clientOrder(entry.key), byClient[name] == nil {
            byClient[name] = entry.order
        }
    }

    /// Whether a reference is that of an order of ours that was dropped.
    private func isDropped(_ reference: OrderReference) -> Bool {
        reference.journal == journal && reference.order.number <= newestDropped
    }

    /// Takes in that the broker knows an order by a reference of this journal, and we do not: an older copy of the
    /// journal was put back.
    private mutating func noteUnknown(_ reference: OrderReference) {
        let number = reference.order.number
        // What is beyond this was never reached by counting.
        guard reference.journal == journal, number <= Self.numberMax else { return }
        newestUnknown = max(newestUnknown, number)
    }

    /// Forgets the names of orders of ours.
    ///
    /// - Parameter orders: oldest first.
    mutating func drop(_ orders: [OrderID]) {
        guard let newest = orders.last else { return }
        newestDropped = max(newestDropped, newest.number)
        guard !entries.isEmpty else { return }
        for order in orders {
            guard let key = key(of: order) else { continue }
            if let permanent = key.permanent, byPermanent[permanent] == order {
                byPermanent[permanent] = nil
            }
            if let name = clientOrder(key), byClient[name] == order { byClient[name] = nil }
            if let reference = key.reference, byReference[reference] == order {
                byReference[reference] = nil
            }
        }
        let gone = Set(orders)
        entries.removeAll { gone.contains($0.order) }
    }

    /// The highest number of an order that is taken for one that a program has counted to.
    private static let numberMax: Int64 = 1 << 40
    private static let permanentMax: Int64 = 1 << 61
    private static let unnumberedMax: Int64 = -(1 << 62)

    private mutating func learn(_ permanent: PermanentID, of order: OrderID) {
        guard let index = index(of: order) else { return }
        entries[index].key = entries[index].key.with(permanent: permanent)
        byPermanent[permanent] = order
    }

    /// Whether a key that names a client and a number names others than are known.
    private func isOtherNumber(_ key: BrokerOrderKey, _ known: BrokerOrderKey) -> Bool {
        guard let reported = clientOrder(key), let ours = clientOrder(known) else { return false }
        return reported != ours
    }

    /// The number with the client that a key says. Who says neither account nor client means ours.
    private func clientOrder(_ key: BrokerOrderKey) -> ClientOrder? {
        guard let order = key.order else { return nil }
        return ClientOrder(
            account: key.account ?? account, client: key.client ?? client, order: order)
    }

    private func index(of order: OrderID) -> Int? {
        var range = entries.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if entries[middle].order == order { return middle }
            range =
                entries[middle].order < order
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}

extension OrderID {
    /// Whether it is an order at the broker that is not ours.
    package var isForeign: Bool { number < 0 }
}

/// Names as records: the topic `identity`, with 0, 1, 2 or 3 before what follows.
extension OrderIdentity {
    /// Writes 0 and what all orders have in common, 1 and each of our orders with its names, 2 and names of each
    /// that is not ours, 3 and the highest number of an order of ours that we do not know.
    func write(to writer: inout RecordWriter) {
        writer.item(.identity) { writer in
            writer.write(0)
            writer.write(account.index)
            writer.write(client.number)
            writer.write(journal)
            writer.write(optional: mark?.number)
            writer.write(unnumbered)
            writer.write(newestDropped)
        }
        for entry in entries { entry.write(1, to: &writer) }
        for entry in others { entry.write(2, to: &writer) }
        guard newestUnknown != 0 else { return }
        writer.item(.identity) { writer in
            writer.write(3)
            writer.write(newestUnknown)
        }
    }

    /// Takes in one item.
    mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        switch try reader.word() {
        case 0: self = try OrderIdentity(from: &reader)
        case 1:
            let (order, key) = (try reader.order(), try reader.value(BrokerOrderKey.self))
            guard order.number > entries.last?.order.number ?? 0,
                key.order ?? .max <= .max
            else { throw reader.damage }
            enter(order, as: key)
        case 2:
            let (order, key) = (try reader.order(), try reader.value(BrokerOrderKey.self))
            guard order.isForeign else { throw reader.damage }
            learn(Entry(order: order, key: key))
        case 3:
            newestUnknown = try reader.word()
            guard newestUnknown > 0, newestUnknown <= Self.numberMax else { throw reader.damage }
        case _: throw reader.damage
        }
    }

    private init(from reader: inout RecordReader) throws(RecordError) {
        let account = BrokerAccountID(index: try reader.count())
        let client = BrokerClientID(number: try reader.int32())
        let journal = try reader.int32()
        let mark = try reader.optional(Int32.self).map(BrokerOrderID.init)
        self.init(
            account: account, client: client, journal: journal,
            mark: PlantedBug.numbersNotRestored.isPlanted ? nil : mark)
        unnumbered = try reader.word()
        newestDropped = try reader.word()
        guard mark ?? .max <= .max, unnumbered >= 0, unnumbered < 1 << 60, newestDropped >= 0,
            newestDropped < 1 << 60
        else { throw reader.damage }
    }
}

extension OrderIdentity.Entry {
    fileprivate func write(_ kind: Int, to writer: inout RecordWriter) {
        writer.item(.identity) { writer in
            writer.write(kind)
            writer.write(order)
            writer.write(key)
        }
    }
}
