import Model
import Primitives

/// The order of prices within a bar: taken as a path, or counted as unknown.
extension SimulatedBroker {
    // MARK: The path

    /// Lets orders meet the prices of a bar one after the other.
    mutating func walk(_ bar: Bar, _ answers: inout [OrderReport]) {
        let index = Int(bar.instrument.index)
        let isHighFirst = bar.high - bar.open < bar.open - bar.low
        var price = bar.open
        for end in [isHighFirst ? bar.high : bar.low, isHighFirst ? bar.low : bar.high, bar.close] {
            while let next = nextMeeting(from: price, to: end, bar) {
                price = next.price
                follow(price, index)
                switch next.kind {
                case .stop: trigger(index, next.slot, bar, at: price, &answers)
                case .limit: fillWithin(bar, next.slot, at: price, &answers)
                }
            }
            price = end
            follow(price, index)
        }
    }

    /// An order and the price of the path at which something happens to it.
    private struct Meeting {
        let slot: Int
        let price: Price
        let kind: Kind

        enum Kind {
            case stop
            case limit
        }
    }

    /// What comes first on the way: of two at one price the stop, of two of a kind the older.
    ///
    /// Each meeting triggers a stop or fills all of a limit that the volume allows, so they end.
    private func nextMeeting(from start: Price, to end: Price, _ bar: Bar) -> Meeting? {
        let index = Int(bar.instrument.index)
        var first: Meeting?
        for slot in states[index].orders.indices where isWithin(bar, slot) {
            guard let meeting = meeting(of: slot, index, from: start, to: end) else { continue }
            guard let best = first else {
                first = meeting
                continue
            }
            let (distance, least) = (abs(meeting.price, start), abs(best.price, start))
            let comesBefore =
                distance == least ? meeting.kind == .stop && best.kind == .limit : distance < least
            if comesBefore { first = meeting }
        }
        return first
    }

    private func meeting(
        of slot: Int, _ index: Int, from start: Price, to end: Price
    ) -> Meeting? {
        let side = states[index].orders[slot].ticket.request.side
        if let stop = states[index].orders[slot].stop {
            let side = states[index].orders[slot].triggerSide
            if side.triggers(stop, at: start) {
                return Meeting(slot: slot, price: start, kind: .stop)
            }
            // A trailing stop goes along with prices that move away from it.
            let isTowards = side == .buy ? end > start : end < start
            guard isTowards, side.triggers(stop, at: end) else { return nil }
            return Meeting(slot: slot, price: stop, kind: .stop)
        }
        guard let limit = states[index].orders[slot].limit,
            exchange.markets[index].volumeLeft > .zero
        else { return nil }
        if rules.limitFill.fills(limit, side, at: start) {
            return Meeting(slot: slot, price: start, kind: .limit)
        }
        guard rules.limitFill.fills(limit, side, at: end) else { return nil }
        return Meeting(slot: slot, price: limit, kind: .limit)
    }

    private func abs(_ left: Price, _ right: Price) -> Price { max(left - right, right - left) }

    /// Lets trailing stops follow the price, but for those that still wait for their parent: they begin with it.
    private mutating func follow(_ price: Price, _ index: Int) {
        for slot in states[index].orders.indices
        where states[index].orders[slot].takesPart && states[index].orders[slot].available > .zero {
            states[index].orders[slot].follow(price, instruments[index].tickSize)
        }
    }

    // MARK: Ambiguity

    /// Whether the order of a bar's prices decides what becomes of orders: when two of a group are
    /// reached, a child and its parent, a trailing stop only after its other extreme, or the limit
    /// of a stop-limit that does not fill at its stop.
    func isAmbiguous(_ bar: Bar) -> Bool {
        let index = Int(bar.instrument.index)
        for slot in states[index].orders.indices
        where states[index].orders[slot].takesPart && states[index].orders[slot].left > .zero {
            let type = states[index].orders[slot].ticket.request.type
            switch type {
            case .trailingStop: if trailDependsOnPath(slot, bar) { return true }
            case .stopLimit: if limitDependsOnPath(slot, bar) { return true }
            case .market, .limit, .stop, .marketOnOpen, .limitOnOpen, .marketOnClose,
                .limitOnClose:
                break
            }
            if states[index].orders[slot].ticket.request.isLinked, isReached(slot, bar),
                linkDependsOnPath(slot, bar)
            {
                return true
            }
        }
        return false
    }

    private func trailDependsOnPath(_ slot: Int, _ bar: Bar) -> Bool {
        let index = Int(bar.instrument.index)
        guard states[index].orders[slot].available > .zero, !isReached(slot, bar) else {
            return false
        }
        let side = states[index].orders[slot].ticket.request.side
        var moved = states[index].orders[slot]
        moved.follow(side.limitEnd(of: bar), instruments[index].tickSize)
        guard let stop = moved.stop else { return false }
        return side.triggers(stop, at: side.stopEnd(of: bar))
    }

    private func limitDependsOnPath(_ slot: Int, _ bar: Bar) -> Bool {
        let index = Int(bar.instrument.index)
        guard states[index].orders[slot].available > .zero, isReached(slot, bar),
            let stop = states[index].orders[slot].stop,
            let limit = states[index].orders[slot].ticket.request.type.limitPrice
        else { return false }
        let side = states[index].orders[slot].ticket.request.side
        return !rules.limitFill.fills(limit, side, at: stop)
            && rules.limitFill.fills(limit, side, at: side.limitEnd(of: bar))
    }

    private func linkDependsOnPath(_ slot: Int, _ bar: Bar) -> Bool {
        let index = Int(bar.instrument.index)
        let group = states[index].orders[slot].ticket.request.group
        let parent = states[index].orders[slot].ticket.request.parent
        for other in states[index].orders.indices where other != slot {
            let isRival =
                group != nil && states[index].orders[other].ticket.request.group == group
                && states[index].orders[other].available > .zero
                && states[index].orders[slot].available > .zero
            let isParent =
                parent == states[index].orders[other].ticket.id
                && states[index].orders[slot].blocked > .zero
            if isRival || isParent, isReached(other, bar) { return true }
        }
        return false
    }

    /// Whether the range of a bar reaches an order that can meet prices within it.
    private func isReached(_ slot: Int, _ bar: Bar) -> Bool {
        let index = Int(bar.instrument.index)
        guard states[index].orders[slot].takesPart else { return false }
        let side = states[index].orders[slot].ticket.request.side
        if let stop = states[index].orders[slot].stop {
            let side = states[index].orders[slot].triggerSide
            return side.triggers(stop, at: side.stopEnd(of: bar))
        }
        guard let limit = states[index].orders[slot].limit else { return false }
        return rules.limitFill.fills(limit, side, at: side.limitEnd(of: bar))
    }
}
