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
        var sum = GroupedSum()
        for id in liveOrders(of: strategy, in: instrument) {
            guard let request = self.request(of: id), request.purpose != .entry, isMeant(request)
            else { continue }
            sum.add(openNow(id, request), request.group)
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
            guard let request = self.request(of: id), request.instrument == instrument else {
                continue
            }
            switch request.side {
            case .buy: buys.add(openNow(id, request), request.group)
            case .sell: sells.add(openNow(id, request), request.group)
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
        guard let id = request.parent, let parent = self.request(of: id) else { return .zero }
        return max(parent.quantity - filled(id), .zero)
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
        request(of: id).map { openNow(id, $0) } ?? .zero
    }

    private func openNow(_ id: OrderID, _ request: OrderRequest) -> Quantity {
        max(open(id) - parentUnfilled(of: request), .zero)
    }
}

/// A sum of what orders may fill, of which those of one group take each other's place.
private struct GroupedSum {
    // Wider: each is a quantity, their sum need not be.
    private var sum: Int128 = 0
    private var groups: [(id: OrderGroupID, most: Quantity)] = []

    mutating func add(_ open: Quantity, _ group: OrderGroupID?) {
        guard let group else { return sum += Int128(open.units) }
        guard let index = groups.firstIndex(where: { $0.id == group }) else {
            return groups.append((group, open))
        }
        groups[index].most = max(groups[index].most, open)
    }

    var quantity: Quantity {
        let all = groups.reduce(sum) { $0 + Int128($1.most.units) }
        return Quantity(units: Int64(clamping: all))
    }
}
