import MarketState
package import Model
import Primitives

/// Matching with bars.
extension SimulatedBroker {
    /// Sets the bar in progress, unless the exchange has it.
    package mutating func noteBar(_ bar: Bar) {
        exchange.note(bar, Int(bar.instrument.index))
    }

    /// A bar begins: only its open is used yet, and its volume for what may be taken of it.
    package mutating func barOpened(_ bar: Bar, answers: inout [OrderReport]) {
        guard rules.matching == .bars else { return }
        let index = Int(bar.instrument.index)
        noteBar(bar)
        guard !states[index].orders.isEmpty else { return }
        let session = clock.session(of: bar)
        setTurns(index)
        for turn in states[index].orders.indices {
            open(slot(of: turn), bar, session: session, &answers)
        }
        settle(index, at: bar.start, &answers)
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
        settle(index, at: bar.end, &answers)
        expire(index, at: bar.end, &answers)
        if !laterTypes.isEmpty { takeLaterTypes(index, at: bar.end) }
    }

    // MARK: The open

    /// Lets an order take part in a bar from its open, if it works in those hours and then.
    mutating func open(
        _ slot: Int, _ bar: Bar, session: TradingSession?, _ answers: inout [OrderReport]
    ) {
        let index = Int(bar.instrument.index)
        states[index].orders[slot].isBeginning = false
        guard states[index].orders[slot].ends > bar.start else {
            return end(index, slot, .expired, &answers)
        }
        guard join(index, slot, at: bar.start, until: bar.end, session) else { return }
        guard states[index].orders[slot].available > .zero else { return }
        let moment = Moment(price: bar.open, time: bar.start, volume: bar.volume)
        let type = states[index].orders[slot].ticket.request.type
        switch type {
        case .market, .limit:
            cross(index, slot, at: states[index].orders[slot].limit, moment, &answers)
        case .stop, .stopLimit, .trailingStop: openStop(index, slot, moment, &answers)
        case .marketOnOpen, .limitOnOpen:
            guard states[index].orders[slot].ends == session?.close else { return }
            crossAuction(index, slot, moment, &answers)
        case .marketOnClose, .limitOnClose: break
        }
        guard case .immediateOrCancel = states[index].orders[slot].ticket.request.timeInForce
        else { return }
        end(index, slot, .expired, &answers)
    }

    private mutating func openStop(
        _ index: Int, _ slot: Int, _ moment: Moment, _ answers: inout [OrderReport]
    ) {
        if let stop = states[index].orders[slot].stop,
            states[index].orders[slot].triggerSide.triggers(stop, at: moment.price)
        {
            states[index].orders[slot].isTriggered = true
        }
        guard states[index].orders[slot].isTriggered else {
            return states[index].orders[slot].follow(
                moment.price, instruments[index].tickSize)
        }
        cross(index, slot, at: states[index].orders[slot].limit, moment, &answers)
    }

    // MARK: Auctions

    /// Fills an order in an auction, and ends what is left of it.
    mutating func crossAuction(
        _ index: Int, _ slot: Int, _ moment: Moment, _ answers: inout [OrderReport]
    ) {
        let limit = states[index].orders[slot].ticket.request.type.limitPrice
        cross(index, slot, at: limit, moment, &answers)
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
                crossAuction(index, slot, moment, &answers)
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
            setTurns(index)
            for turn in states[index].orders.indices { meetLimit(slot(of: turn), bar, &answers) }
            if linkCount == 0 { break }
        }
        for slot in states[index].orders.indices
        where states[index].orders[slot].takesPart && states[index].orders[slot].available > .zero {
            // What came before a child began is not known: only the close surely came after.
            let side = states[index].orders[slot].ticket.request.side
            let isLate = states[index].orders[slot].since != nil
            states[index].orders[slot].follow(
                isLate ? bar.close : side.limitEnd(of: bar), instruments[index].tickSize)
        }
    }

    private mutating func meetStop(_ slot: Int, _ bar: Bar, _ answers: inout [OrderReport]) {
        let index = Int(bar.instrument.index)
        guard isWithin(bar, slot), let stop = states[index].orders[slot].stop else { return }
        let trigger = states[index].orders[slot].triggerSide
        guard trigger.triggers(stop, at: trigger.stopEnd(of: bar)) else { return }
        let side = states[index].orders[slot].ticket.request.side
        let price = states[index].orders[slot].since.map { side.worse($0, stop) } ?? stop
        self.trigger(index, slot, bar, at: price, &answers)
    }

    /// Triggers a stop within a bar.
    mutating func trigger(
        _ index: Int, _ slot: Int, _ bar: Bar, at price: Price, _ answers: inout [OrderReport]
    ) {
        states[index].orders[slot].isTriggered = true
        states[index].orders[slot].since = price
        let moment = Moment(price: price, time: bar.end, volume: bar.volume, isWithinBar: true)
        cross(index, slot, at: states[index].orders[slot].limit, moment, &answers)
    }

    private mutating func meetLimit(_ slot: Int, _ bar: Bar, _ answers: inout [OrderReport]) {
        let index = Int(bar.instrument.index)
        guard isWithin(bar, slot), states[index].orders[slot].since == nil,
            let limit = states[index].orders[slot].limit
        else { return }
        let side = states[index].orders[slot].ticket.request.side
        guard rules.limitFill.fills(limit, side, at: side.limitEnd(of: bar)) else { return }
        fillWithin(bar, slot, at: limit, &answers)
    }

    /// Fills a limit at a price that a bar has come to.
    mutating func fillWithin(
        _ bar: Bar, _ slot: Int, at price: Price, _ answers: inout [OrderReport]
    ) {
        let index = Int(bar.instrument.index)
        let order = plain(index, slot, at: price)
        guard let match = exchange.take(order, index, at: price) else { return }
        let moment = Moment(price: price, time: bar.end, volume: bar.volume, isWithinBar: true)
        execute(index, slot, match, moment, &answers)
    }
}
