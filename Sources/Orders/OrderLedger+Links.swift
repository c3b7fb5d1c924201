package import Model
package import Primitives

/// What groups and parents mean for how much may still be reduced.
extension OrderLedger {
    /// What a request's strategy has working to reduce its position in the instrument, exits and
    /// protection together.
    ///
    /// Orders of one group take each other's place: the largest counts for all of them, and those of
    /// the request's own group do not count. What of a child waits for its parent does not count.
    @inline(__always)
    package func workingExits(besides request: OrderRequest) -> Quantity {
        let sums = working.strategy(request.strategy, in: request.instrument)
        // Without protection nothing is linked: exits count in full.
        return sums.protection > .zero ? linkedExits(besides: request) : sums.exits
    }

    private func linkedExits(besides request: OrderRequest) -> Quantity {
        // Wider: each is a quantity, their sum need not be.
        var sum: Int128 = 0
        var groups: [(id: OrderGroupID, most: Quantity)] = []
        for id in liveOrders(of: request.strategy, in: request.instrument) {
            guard let other = self.request(of: id), other.purpose != .entry else { continue }
            let open = openNow(id, other)
            guard let group = other.group else {
                sum += Int128(open.units)
                continue
            }
            guard group != request.group else { continue }
            if let place = groups.firstIndex(where: { $0.id == group }) {
                groups[place].most = max(groups[place].most, open)
            } else {
                groups.append((group, open))
            }
        }
        for group in groups { sum += Int128(group.most.units) }
        return Quantity(units: Int64(clamping: sum))
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

    /// What of an order may fill by what is known now: of a child at most what its parent filled.
    private func openNow(_ id: OrderID, _ request: OrderRequest) -> Quantity {
        let open = open(id)
        guard let parent = request.parent else { return open }
        return min(open, max(filled(parent) - filled(id), .zero))
    }
}
