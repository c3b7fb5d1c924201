import Model
import Primitives

/// The order of prices within a bar: taken as a path, or counted as unknown.
extension SimulatedVenue {
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
                case .stop: trigger(index, next.place, bar, at: price, &answers)
                case .limit:
                    fill(
                        index, next.place,
                        Moment(
                            price: price, time: bar.end, volume: bar.volume, isWithinBar: true),
                        &answers)
                }
            }
            price = end
            follow(price, index)
        }
    }

    /// An order and the price of the path at which something happens to it.
    private struct Meeting {
        let place: Int
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
        for place in books[index].orders.indices where isWithin(bar, place) {
            guard let meeting = meeting(of: place, index, from: start, to: end) else { continue }
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
        of place: Int, _ index: Int, from start: Price, to end: Price
    ) -> Meeting? {
        let side = books[index].orders[place].ticket.request.side
        if let stop = books[index].orders[place].stop(on: instruments[index].tickSize) {
            if side.triggers(stop, at: start) {
                return Meeting(place: place, price: start, kind: .stop)
            }
            // A trailing stop goes along with prices that move away from it.
            let isTowards = side == .buy ? end > start : end < start
            guard isTowards, side.triggers(stop, at: end) else { return nil }
            return Meeting(place: place, price: stop, kind: .stop)
        }
        guard let limit = books[index].orders[place].limit, books[index].volumeLeft > .zero else {
            return nil
        }
        if rules.limitFill.fills(limit, side, at: start) {
            return Meeting(place: place, price: start, kind: .limit)
        }
        guard rules.limitFill.fills(limit, side, at: end) else { return nil }
        return Meeting(place: place, price: limit, kind: .limit)
    }

    private func abs(_ left: Price, _ right: Price) -> Price { max(left - right, right - left) }

    private mutating func follow(_ price: Price, _ index: Int) {
        for place in books[index].orders.indices where books[index].orders[place].takesPart {
            books[index].orders[place].follow(price)
        }
    }

    // MARK: Ambiguity

    /// Whether the order of a bar's prices decides what becomes of orders: when two of a group are
    /// reached, a child and its parent, a trailing stop only after its other extreme, or the limit
    /// of a stop-limit that does not fill at its stop.
    func isAmbiguous(_ bar: Bar) -> Bool {
        let index = Int(bar.instrument.index)
        for place in books[index].orders.indices
        where books[index].orders[place].takesPart && books[index].orders[place].left > .zero {
            let type = books[index].orders[place].ticket.request.type
            switch type {
            case .trailingStop: if trailDependsOnPath(place, bar) { return true }
            case .stopLimit: if limitDependsOnPath(place, bar) { return true }
            case .market, .limit, .stop, .marketOnOpen, .limitOnOpen, .marketOnClose,
                .limitOnClose:
                break
            }
            if books[index].orders[place].ticket.request.isLinked, isReached(place, bar),
                linkDependsOnPath(place, bar)
            {
                return true
            }
        }
        return false
    }

    private func trailDependsOnPath(_ place: Int, _ bar: Bar) -> Bool {
        let index = Int(bar.instrument.index)
        guard books[index].orders[place].available > .zero, !isReached(place, bar) else {
            return false
        }
        let side = books[index].orders[place].ticket.request.side
        var moved = books[index].orders[place]
        moved.follow(side.limitEnd(of: bar))
        guard let stop = moved.stop(on: instruments[index].tickSize) else { return false }
        return side.triggers(stop, at: side.stopEnd(of: bar))
    }

    private func limitDependsOnPath(_ place: Int, _ bar: Bar) -> Bool {
        let index = Int(bar.instrument.index)
        guard books[index].orders[place].available > .zero, isReached(place, bar),
            let stop = books[index].orders[place].stop(on: instruments[index].tickSize),
            let limit = books[index].orders[place].ticket.request.type.limitPrice
        else { return false }
        let side = books[index].orders[place].ticket.request.side
        return !rules.limitFill.fills(limit, side, at: stop)
            && rules.limitFill.fills(limit, side, at: side.limitEnd(of: bar))
    }

    private func linkDependsOnPath(_ place: Int, _ bar: Bar) -> Bool {
        let index = Int(bar.instrument.index)
        let group = books[index].orders[place].ticket.request.group
        let parent = books[index].orders[place].ticket.request.parent
        for other in books[index].orders.indices where other != place {
            let isRival =
                group != nil && books[index].orders[other].ticket.request.group == group
                && books[index].orders[other].available > .zero
                && books[index].orders[place].available > .zero
            let isParent =
                parent == books[index].orders[other].ticket.id
                && books[index].orders[place].blocked > .zero
            if isRival || isParent, isReached(other, bar) { return true }
        }
        return false
    }

    /// Whether the range of a bar reaches an order that can meet prices within it.
    private func isReached(_ place: Int, _ bar: Bar) -> Bool {
        let index = Int(bar.instrument.index)
        guard books[index].orders[place].takesPart else { return false }
        let side = books[index].orders[place].ticket.request.side
        if let stop = books[index].orders[place].stop(on: instruments[index].tickSize) {
            return side.triggers(stop, at: side.stopEnd(of: bar))
        }
        guard let limit = books[index].orders[place].limit else { return false }
        return rules.limitFill.fills(limit, side, at: side.limitEnd(of: bar))
    }
}
