import MarketState
package import Model
import Primitives

/// Matching with bars.
extension SimulatedVenue {
    /// Sets the bar in progress, unless the venue has it.
    package mutating func noteBar(_ bar: Bar) {
        let index = Int(bar.instrument.index)
        guard states[index].barStart != bar.start else { return }
        states[index].barStart = bar.start
        states[index].bar = bar
        guard let participation = rules.participation else { return }
        states[index].volumeLeft = (participation.of(bar.volume) ?? .magnitudeMax).wholeShares
    }

    /// A bar begins: only its open is used yet, and its volume for what may be taken of it.
    package mutating func barOpened(_ bar: Bar, answers: inout [OrderReport]) {
        guard rules.matching == .bars else { return }
        let index = Int(bar.instrument.index)
        noteBar(bar)
        guard !states[index].orders.isEmpty else { return }
        let session = clock.session(of: bar)
        for slot in states[index].orders.indices { open(slot, bar, session: session, &answers) }
        dropEnded(index, &answers)
    }

    /// A bar is over: its high and low decide about stops and limits, its close about the auction.
    package mutating func barClosed(_ bar: Bar, answers: inout [OrderReport]) {
        guard rules.matching == .bars else { return }
        let index = Int(bar.instrument.index)
        guard !states[index].orders.isEmpty else { return }
        noteBar(bar)
        if isAmbiguous(bar) { ambiguousBarCount += 1 }
        switch rules.barPath {
        case .pessimistic: meetWorst(bar, &answers)
        case .ohlcPath: walk(bar, &answers)
        }
        if let session = clock.session(of: bar), bar.end >= session.close {
            close(bar, session, &answers)
        }
        for slot in states[index].orders.indices {
            states[index].orders[slot].takesPart = false
            states[index].orders[slot].since = nil
        }
        dropEnded(index, &answers)
        expire(index, at: bar.end, &answers)
        if !laterTypes.isEmpty { takeLaterTypes(index, at: bar.end) }
    }

    // MARK: The open

    /// Lets an order take part in a bar from its open, if it works in those hours and then.
    mutating func open(
        _ slot: Int, _ bar: Bar, session: TradingSession?, _ answers: inout [OrderReport]
    ) {
        let index = Int(bar.instrument.index)
        guard states[index].orders[slot].ends > bar.start else {
            return end(index, slot, .expired, &answers)
        }
        guard join(index, slot, at: bar.start, session) else { return }
        guard states[index].orders[slot].available > .zero else { return }
        let moment = Moment(price: bar.open, time: bar.start, volume: bar.volume)
        let type = states[index].orders[slot].ticket.request.type
        switch type {
        case .market: fillAtMarket(index, slot, moment, &answers)
        case .limit: fillLimit(index, slot, moment, &answers)
        case .stop, .stopLimit, .trailingStop: openStop(index, slot, moment, &answers)
        case .marketOnOpen, .limitOnOpen:
            guard states[index].orders[slot].ends == session?.close else { return }
            cross(index, slot, moment, &answers)
        case .marketOnClose, .limitOnClose: break
        }
        guard case .immediateOrCancel = states[index].orders[slot].ticket.request.timeInForce
        else { return }
        end(index, slot, .expired, &answers)
    }

    /// Whether an order takes part at `time`; a day order that works outside hours, or where there are no
    /// sessions, learns when it ends.
    @inline(__always)
    mutating func join(
        _ index: Int, _ slot: Int, at time: Timestamp, _ session: TradingSession?
    ) -> Bool {
        let isOutside = states[index].orders[slot].ticket.request.outsideRTH
        states[index].orders[slot].takesPart = session != nil || isOutside
        guard session != nil || isOutside else { return false }
        guard isOutside || states[index].orders[slot].ends == .distantFuture,
            case .day = states[index].orders[slot].ticket.request.timeInForce
        else { return true }
        if isOutside { clock.turn(to: time) }
        let end = isOutside ? clock.dayEnd : session?.close ?? time
        states[index].orders[slot].ends = min(end, states[index].orders[slot].ends)
        earliestEnd = min(earliestEnd, end)
        return true
    }

    private mutating func openStop(
        _ index: Int, _ slot: Int, _ moment: Moment, _ answers: inout [OrderReport]
    ) {
        let side = states[index].orders[slot].ticket.request.side
        if let stop = states[index].orders[slot].stop(on: instruments[index].tickSize),
            side.triggers(stop, at: moment.price)
        {
            states[index].orders[slot].isTriggered = true
        }
        guard states[index].orders[slot].isTriggered else {
            states[index].orders[slot].follow(moment.price)
            return
        }
        if states[index].orders[slot].limit == nil {
            fillAtMarket(index, slot, moment, &answers)
        } else {
            fillLimit(index, slot, moment, &answers)
        }
    }

    /// Fills an order at a limit where the market is better than it, at the market's price.
    private mutating func fillLimit(
        _ index: Int, _ slot: Int, _ moment: Moment, _ answers: inout [OrderReport]
    ) {
        let side = states[index].orders[slot].ticket.request.side
        guard let limit = states[index].orders[slot].limit,
            rules.limitFill.fills(limit, side, at: moment.price)
        else { return }
        fill(index, slot, moment, &answers)
    }

    // MARK: Auctions

    /// Fills an order in an auction, and ends what is left of it.
    mutating func cross(
        _ index: Int, _ slot: Int, _ moment: Moment, _ answers: inout [OrderReport]
    ) {
        let side = states[index].orders[slot].ticket.request.side
        if let limit = states[index].orders[slot].ticket.request.type.limitPrice {
            if rules.limitFill.fills(limit, side, at: moment.price) {
                fill(index, slot, moment, &answers)
            }
        } else {
            fillAtMarket(index, slot, moment, &answers)
        }
        end(index, slot, .expired, &answers)
    }

    /// Holds the closing auction at a bar's close.
    private mutating func close(
        _ bar: Bar, _ session: TradingSession, _ answers: inout [OrderReport]
    ) {
        let index = Int(bar.instrument.index)
        let moment = Moment(
            price: bar.close, time: bar.end, volume: bar.volume, isWithinBar: true)
        for slot in states[index].orders.indices {
            switch states[index].orders[slot].ticket.request.type {
            case .marketOnClose, .limitOnClose:
                guard states[index].orders[slot].ends == session.close else { continue }
                cross(index, slot, moment, &answers)
            case .market, .limit, .stop, .stopLimit, .trailingStop, .marketOnOpen, .limitOnOpen:
                continue
            }
        }
    }

    // MARK: Within a bar

    /// Whether an order can meet prices within a bar: nobody knows which of them came before the
    /// date until which it is good.
    func isWithin(_ bar: Bar, _ slot: Int) -> Bool {
        let index = Int(bar.instrument.index)
        guard states[index].orders[slot].takesPart, states[index].orders[slot].available > .zero
        else { return false }
        switch states[index].orders[slot].ticket.request.timeInForce {
        case .goodTillDate(let end): return bar.end <= end
        case .day, .goodTillCancelled: return true
        case .immediateOrCancel: return false
        }
    }

    /// Stops first, then limits; again while fills let children begin.
    private mutating func meetWorst(_ bar: Bar, _ answers: inout [OrderReport]) {
        let index = Int(bar.instrument.index)
        var answered = -1
        while answered != answers.count {
            answered = answers.count
            for slot in states[index].orders.indices { meetStop(slot, bar, &answers) }
            for slot in states[index].orders.indices { meetLimit(slot, bar, &answers) }
            if linkCount == 0 { break }
        }
        for slot in states[index].orders.indices
        where states[index].orders[slot].takesPart && states[index].orders[slot].available > .zero {
            // What came before a child began is not known: only the close surely came after.
            let side = states[index].orders[slot].ticket.request.side
            let isLate = states[index].orders[slot].since != nil
            states[index].orders[slot].follow(isLate ? bar.close : side.limitEnd(of: bar))
        }
    }

    private mutating func meetStop(_ slot: Int, _ bar: Bar, _ answers: inout [OrderReport]) {
        let index = Int(bar.instrument.index)
        guard isWithin(bar, slot),
            let stop = states[index].orders[slot].stop(on: instruments[index].tickSize)
        else { return }
        let side = states[index].orders[slot].ticket.request.side
        guard side.triggers(stop, at: side.stopEnd(of: bar)) else { return }
        let price = states[index].orders[slot].since.map { side.worse($0, stop) } ?? stop
        trigger(index, slot, bar, at: price, &answers)
    }

    /// Triggers a stop within a bar.
    mutating func trigger(
        _ index: Int, _ slot: Int, _ bar: Bar, at price: Price, _ answers: inout [OrderReport]
    ) {
        states[index].orders[slot].isTriggered = true
        states[index].orders[slot].since = price
        let moment = Moment(price: price, time: bar.end, volume: bar.volume, isWithinBar: true)
        if states[index].orders[slot].limit == nil {
            fillAtMarket(index, slot, moment, &answers)
        } else {
            fillLimit(index, slot, moment, &answers)
        }
    }

    private mutating func meetLimit(_ slot: Int, _ bar: Bar, _ answers: inout [OrderReport]) {
        let index = Int(bar.instrument.index)
        guard isWithin(bar, slot), states[index].orders[slot].since == nil,
            let limit = states[index].orders[slot].limit
        else { return }
        let side = states[index].orders[slot].ticket.request.side
        guard rules.limitFill.fills(limit, side, at: side.limitEnd(of: bar)) else { return }
        fill(
            index, slot,
            Moment(price: limit, time: bar.end, volume: bar.volume, isWithinBar: true), &answers)
    }
}
