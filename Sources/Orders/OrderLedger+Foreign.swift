package import Model
package import Primitives

/// An order that is not ours. What is known of it is kept, so that a repeated execution is booked once, and what
/// it may fill counts as working in the account. It is never changed or cancelled.
struct ForeignOrder: Sendable {
    /// Its number, which is negative if it came by a broker's key.
    let id: OrderID
    /// The facts reported about it.
    fileprivate(set) var facts = OrderFacts()
    /// As it was listed among the open orders last; `nil` if it is not listed.
    fileprivate var listed: ListedOrder?
    /// What of it counts as working.
    fileprivate var counted = Quantity.zero

    /// Takes the order into a digest.
    func hash(into hasher: inout StateHasher) {
        hasher.combine(id.number)
        hasher.combine(facts.filled)
        if counted != .zero { hasher.combine(counted) }
    }

    /// What it may still fill, as far as is known.
    fileprivate var open: Quantity {
        guard let quantity = listed?.quantity, facts.state(ordered: quantity).isLive else {
            return .zero
        }
        return max(quantity - facts.filled, .zero)
    }
}

/// Orders that are not ours: placed by hand, by other programs, or in doubt.
extension OrderLedger {
    /// What the key of a broker's report names, and what in it contradicts what is known.
    ///
    /// The number is what the report is recorded under: `record(OrderReport(order: match.order, …))`. For an
    /// order that is not ours it is negative, so nothing sends, changes or cancels it.
    package mutating func resolve(_ key: BrokerOrderKey) -> OrderIdentity.Match {
        identity.match(key)
    }

    /// Takes in which orders that are not ours are open, by a complete list: the others are open no more.
    mutating func listForeign(_ open: [Reconciliation.ForeignListing]) {
        for one in open { _ = foreignIndex(of: one.order) }
        for index in foreign.indices {
            let id = foreign[index].id
            uncountForeign(index)
            foreign[index].listed = open.last { $0.order == id }?.listed
            if let status = foreign[index].listed?.status {
                _ = foreign[index].facts.record(.listedOpen(status))
            }
            countForeign(index)
        }
    }

    /// The instrument of an order that is not ours, as it was listed last; `nil` if that is not known.
    package func foreignInstrument(of id: OrderID) -> InstrumentID? {
        foreign.first { $0.id == id }?.listed?.instrument
    }

    /// Whether an order that is not ours was among the open ones in the last list.
    package func isForeignListed(_ id: OrderID) -> Bool {
        foreign.contains { $0.id == id && $0.listed != nil }
    }

    /// What of orders that are not ours may still fill in an instrument.
    package func openForeign(in instrument: InstrumentID) -> (buys: Quantity, sells: Quantity) {
        var (buys, sells) = (Quantity.zero, Quantity.zero)
        for order in foreign where order.listed?.instrument == instrument {
            switch order.listed?.side {
            case .buy: buys += order.counted
            case .sell: sells += order.counted
            case nil: break
            }
        }
        return (buys, sells)
    }

    mutating func recordForeign(_ report: OrderReport) -> Change {
        let index = foreignIndex(of: report.order)
        uncountForeign(index)
        let change = foreign[index].facts.record(report.fact)
        countForeign(index)
        return Change(
            owner: nil, change: change, state: nil, isAsOrdered: false, isEnd: false)
    }

    mutating func chargeForeign(_ report: CommissionReport, of id: OrderID) -> Money {
        foreign[foreignIndex(of: id)].facts.charge(report)
    }

    private mutating func uncountForeign(_ index: Int) {
        let counted = foreign[index].counted
        guard counted != .zero, let listed = foreign[index].listed,
            let instrument = listed.instrument
        else { return }
        working.addForeign(-counted, listed.side, in: instrument)
        foreign[index].counted = .zero
    }

    private mutating func countForeign(_ index: Int) {
        let open = foreign[index].open
        guard open != .zero, let listed = foreign[index].listed,
            let instrument = listed.instrument
        else { return }
        let others = openForeign(in: instrument)
        // Whatever is listed must not make sums that cannot be represented.
        let most = Self.foreignMax - (listed.side == .buy ? others.buys : others.sells)
        foreign[index].counted = min(open, most)
        working.addForeign(foreign[index].counted, listed.side, in: instrument)
    }

    /// What of orders that are not ours counts as working at most, by instrument and side.
    static var foreignMax: Quantity { Quantity(shares: 1_000_000_000) }

    /// Where an order is that is not ours; entered if it is not known yet.
    private mutating func foreignIndex(of id: OrderID) -> Int {
        // By number, so that the order of arrival leaves no trace.
        let index = foreign.firstIndex { $0.id >= id } ?? foreign.endIndex
        if index == foreign.endIndex || foreign[index].id != id {
            foreign.insert(ForeignOrder(id: id), at: index)
        }
        return index
    }
}

/// An order that is not ours as a record: the topic `foreignOrder`.
extension ForeignOrder: RecordValue {
    /// Writes all that is known of it.
    package func write(to writer: inout RecordWriter) {
        writer.write(id)
        writer.write(facts)
        writer.write(optional: listed)
        writer.write(counted)
    }

    /// The order as written. Throws when more counts as working than it may fill.
    package init(from reader: inout RecordReader) throws(RecordError) {
        id = try reader.order()
        facts = try reader.value(OrderFacts.self)
        listed = try reader.optional(ListedOrder.self)
        counted = try reader.quantity()
        guard counted == .zero || counted > .zero && counted <= open && listed?.instrument != nil
        else { throw reader.damage }
    }
}

extension OrderLedger {
    /// Takes in an order that is not ours, and what of it counts as working.
    mutating func readForeign(_ reader: inout RecordReader) throws(RecordError) {
        let order = try reader.value(ForeignOrder.self)
        guard foreign.last.map({ $0.id < order.id }) ?? true else { throw reader.damage }
        foreign.append(order)
        guard order.counted != .zero, let listed = order.listed, let instrument = listed.instrument
        else { return }
        let others = openForeign(in: instrument)
        guard Int(instrument.index) < unknown.count,
            (listed.side == .buy ? others.buys : others.sells) <= Self.foreignMax
        else { throw reader.damage }
    }

    /// Counts what orders that are not ours may fill, once all were read.
    mutating func countForeignRead() {
        for order in foreign {
            guard let listed = order.listed, let instrument = listed.instrument else { continue }
            working.addForeign(order.counted, listed.side, in: instrument)
        }
    }
}
