package import Model
package import Primitives

/// What groups and parents mean for how much may still be reduced.
///
/// An order's quantity is what its whole group shall have filled when it is done. So what is open of it is
/// its quantity without the fills of the group and without what its parent has not filled: the venue counts
/// the same, and no history is needed.
extension OrderLedger {
    /// What a request's strategy has working to reduce its position in the instrument, exits and
    /// protection together.
    ///
    /// Orders of one group take each other's place: the largest counts for all of them, and those of
    /// the request's own group do not count. What of a child waits for its parent does not count.
    package func workingExits(besides request: OrderRequest) -> Quantity {
        let sums = working.strategy(request.strategy, in: request.instrument)
        if PlantedBug.exitBesideStop.isPlanted, request.purpose == .exit { return sums.exits }
        if PlantedBug.stopBesideExit.isPlanted, request.purpose == .protection { return .zero }
        // Without protection nothing is linked: exits count in full.
        guard sums.protection > .zero || request.group != nil else { return sums.exits }
        return linkedExits(of: request.strategy, in: request.instrument) {
            $0.group == nil || $0.group != request.group
        }
    }

    /// What a strategy has working to reduce its position by exits and protection that `isMeant` picks; of
    /// each group the largest.
    package func linkedExits(
        of strategy: StrategyID, in instrument: InstrumentID, where isMeant: (OrderRequest) -> Bool
    ) -> Quantity {
        let sums = working.strategy(strategy, in: instrument)
        guard sums.exits > .zero || sums.protection > .zero else { return .zero }
        var sum = GroupedSum()
        for id in live {
            // Fields are looked at in place: mostly the order is another's.
            guard let index = index(of: id),
                records[index].ticket.request.strategy == strategy,
                records[index].ticket.request.instrument == instrument,
                records[index].ticket.request.purpose != .entry,
                isMeant(records[index].ticket.request)
            else { continue }
            sum.add(openNow(index), records[index].ticket.request.group)
        }
        return sum.quantity
    }

    /// What the whole account has working to buy and to sell in an instrument; of each group the largest.
    package func workingSides(in instrument: InstrumentID) -> (
        buys: Quantity, sells: Quantity
    ) {
        let sums = working.account(in: instrument)
        return sums.protection > .zero ? linkedSides(in: instrument) : (sums.buys, sums.sells)
    }

    private func linkedSides(in instrument: InstrumentID) -> (buys: Quantity, sells: Quantity) {
        var buys = GroupedSum()
        var sells = GroupedSum()
        for id in live {
            guard let index = index(of: id), records[index].ticket.request.instrument == instrument
            else { continue }
            let group = records[index].ticket.request.group
            switch records[index].ticket.request.side {
            case .buy: buys.add(openNow(index), group)
            case .sell: sells.add(openNow(index), group)
            }
        }
        return (buys.quantity, sells.quantity)
    }

    /// What a request's parent may still add to the position that the request reduces.
    @inline(__always)
    package func parentOpen(of request: OrderRequest) -> Quantity {
        guard let id = request.parent else { return .zero }
        return parentOpen(id, of: request)
    }

    private func parentOpen(_ id: OrderID, of request: OrderRequest) -> Quantity {
        guard let parent = self.request(of: id),
            parent.purpose == .entry, parent.side == request.side.opposite,
            parent.strategy == request.strategy, parent.instrument == request.instrument
        else { return .zero }
        return open(id)
    }

    /// What of a request's quantity its parent has not filled, be it that it still may or not.
    package func parentUnfilled(of request: OrderRequest) -> Quantity {
        request.parent.map { unfilled($0) } ?? .zero
    }

    /// Why an order was cancelled; `nil` if it was not. Brokers give no cause: one whose group has filled all of it, or
    /// whose parent left it nothing to do, ended for that.
    package func cancelCause(of record: Record) -> CancelCause? {
        guard let cause = record.cancelCause, cause == .external, record.facts.cancelled == nil
        else { return record.cancelCause }
        let request = record.ticket.request
        guard request.group != nil || request.parent != nil else { return cause }
        let gone = groupFilled(request.group).units.addingReportingOverflow(
            parentUnfilled(of: request).units)
        return gone.overflow || gone.partialValue >= request.quantity.units ? .linked : cause
    }

    /// What an order has not filled of its quantity; nothing of one that is not ours.
    private func unfilled(_ id: OrderID) -> Quantity {
        guard let index = index(of: id) else { return .zero }
        return max(records[index].ticket.request.quantity - records[index].facts.filled, .zero)
    }

    /// What of a request's quantity cannot be filled by it any more: its group has, or its parent never
    /// will.
    @inline(__always)
    package func spent(of request: OrderRequest) -> Quantity {
        request.isLinked ? linkedSpent(of: request) : .zero
    }

    private func linkedSpent(of request: OrderRequest) -> Quantity {
        let lost = max(parentUnfilled(of: request) - parentOpen(of: request), .zero)
        let sum = Int128(groupFilled(request.group).units) + Int128(lost.units)
        return Quantity(units: Int64(clamping: sum))
    }

    /// What of an order may fill by what is known now.
    package func openNow(_ id: OrderID) -> Quantity {
        index(of: id).map { openNow($0) } ?? .zero
    }

    private func openNow(_ index: Int) -> Quantity {
        let open = records[index].counted
        guard let parent = records[index].ticket.request.parent else { return max(open, .zero) }
        return max(open - unfilled(parent), .zero)
    }
}

/// A sum of what orders may fill, of which those of one group take each other's place.
private struct GroupedSum {
    // Wider: each is a quantity, their sum need not be.
    private var sum: Int128 = 0
    // Mostly there is one group: it takes no list.
    private var first: Member?
    private var others: [Member] = []

    private struct Member {
        let group: OrderGroupID
        var most: Quantity
    }

    mutating func add(_ open: Quantity, _ group: OrderGroupID?) {
        guard let group else { return sum += Int128(open.units) }
        guard let first else { return first = Member(group: group, most: open) }
        if first.group == group {
            self.first?.most = max(first.most, open)
        } else if let index = others.firstIndex(where: { $0.group == group }) {
            others[index].most = max(others[index].most, open)
        } else {
            others.append(Member(group: group, most: open))
        }
    }

    var quantity: Quantity {
        var all = sum + Int128(first?.most.units ?? 0)
        for member in others { all += Int128(member.most.units) }
        return Quantity(units: Int64(clamping: all))
    }
}
