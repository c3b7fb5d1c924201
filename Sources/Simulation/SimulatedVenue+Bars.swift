import MarketState
package import Model
import Primitives

/// Matching with bars.
extension SimulatedVenue {
    /// Tells the venue of the bar in progress, unless it knows.
    package mutating func noteBar(_ bar: Bar) {
        let index = Int(bar.instrument.index)
        guard books[index].barStart != bar.start else { return }
        books[index].barStart = bar.start
        books[index].bar = bar
        guard let participation = rules.participation else { return }
        books[index].volumeLeft = (participation.of(bar.volume) ?? .magnitudeMax).wholeShares
    }

    /// A bar begins: only its open is used yet, and its volume for what may be taken of it.
    package mutating func barOpened(_ bar: Bar, answers: inout [OrderReport]) {
        guard rules.matching == .bars else { return }
        let index = Int(bar.instrument.index)
        noteBar(bar)
        guard !books[index].orders.isEmpty else { return }
        let session = clock.session(of: bar)
        for place in books[index].orders.indices { open(place, bar, session: session, &answers) }
        dropEnded(index, &answers)
    }

    /// A bar is over: its high and low decide about stops and limits, its close about the auction.
    package mutating func barClosed(_ bar: Bar, answers: inout [OrderReport]) {
        guard rules.matching == .bars else { return }
        let index = Int(bar.instrument.index)
        guard !books[index].orders.isEmpty else { return }
        noteBar(bar)
        if isAmbiguous(bar) { ambiguousBarCount += 1 }
        switch rules.barPath {
        case .pessimistic: meetWorst(bar, &answers)
        case .ohlcPath: walk(bar, &answers)
        }
        if let session = clock.session(of: bar), bar.end >= session.close {
            close(bar, session, &answers)
        }
        for place in books[index].orders.indices {
            books[index].orders[place].takesPart = false
            books[index].orders[place].since = nil
        }
        dropEnded(index, &answers)
        expire(index, at: bar.end, &answers)
        if !laterTypes.isEmpty { takeLaterTypes(index, at: bar.end) }
    }

    // MARK: The open

    /// Lets an order take part in a bar from its open, if it works in those hours and then.
    mutating func open(
        _ place: Int, _ bar: Bar, session: TradingSession?, _ answers: inout [OrderReport]
    ) {
        let index = Int(bar.instrument.index)
        guard books[index].orders[place].ends > bar.start else {
            return end(index, place, .expired, &answers)
        }
        guard join(index, place, at: bar.start, session) else { return }
        guard books[index].orders[place].available > .zero else { return }
        let moment = Moment(price: bar.open, time: bar.start, volume: bar.volume)
        let type = books[index].orders[place].ticket.request.type
        switch type {
        case .market: fillAtMarket(index, place, moment, &answers)
        case .limit: fillLimit(index, place, moment, &answers)
        case .stop, .stopLimit, .trailingStop: openStop(index, place, moment, &answers)
        case .marketOnOpen, .limitOnOpen:
            guard books[index].orders[place].ends == session?.close else { return }
            cross(index, place, moment, &answers)
        case .marketOnClose, .limitOnClose: break
        }
        guard case .immediateOrCancel = books[index].orders[place].ticket.request.timeInForce
        else { return }
        end(index, place, .expired, &answers)
    }

    /// Whether an order takes part at `instant`; a day order that works outside hours, or where there are no
    /// sessions, learns when it ends.
    @inline(__always)
    mutating func join(
        _ index: Int, _ place: Int, at instant: Timestamp, _ session: TradingSession?
    ) -> Bool {
        let isOutside = books[index].orders[place].ticket.request.worksOutsideHours
        books[index].orders[place].takesPart = session != nil || isOutside
        guard session != nil || isOutside else { return false }
        guard isOutside || books[index].orders[place].ends == .distantFuture,
            case .day = books[index].orders[place].ticket.request.timeInForce
        else { return true }
        if isOutside { clock.turn(to: instant) }
        let end = isOutside ? clock.dayEnd : session?.close ?? instant
        books[index].orders[place].ends = min(end, books[index].orders[place].ends)
        earliestEnd = min(earliestEnd, end)
        return true
    }

    private mutating func openStop(
        _ index: Int, _ place: Int, _ moment: Moment, _ answers: inout [OrderReport]
    ) {
        let side = books[index].orders[place].ticket.request.side
        if let stop = books[index].orders[place].stop(on: instruments[index].tickSize),
            side.triggers(stop, at: moment.price)
        {
            books[index].orders[place].isTriggered = true
        }
        guard books[index].orders[place].isTriggered else {
            books[index].orders[place].follow(moment.price)
            return
        }
        if books[index].orders[place].limit == nil {
            fillAtMarket(index, place, moment, &answers)
        } else {
            fillLimit(index, place, moment, &answers)
        }
    }

    /// Fills an order at a limit where the market is better than it, at the market's price.
    private mutating func fillLimit(
        _ index: Int, _ place: Int, _ moment: Moment, _ answers: inout [OrderReport]
    ) {
        let side = books[index].orders[place].ticket.request.side
        guard let limit = books[index].orders[place].limit,
            rules.limitFill.fills(limit, side, at: moment.price)
        else { return }
        fill(index, place, moment, &answers)
    }

    // MARK: Auctions

    /// Fills an order in an auction, and ends what is left of it.
    mutating func cross(
        _ index: Int, _ place: Int, _ moment: Moment, _ answers: inout [OrderReport]
    ) {
        let side = books[index].orders[place].ticket.request.side
        if let limit = books[index].orders[place].ticket.request.type.limitPrice {
            if rules.limitFill.fills(limit, side, at: moment.price) {
                fill(index, place, moment, &answers)
            }
        } else {
            fillAtMarket(index, place, moment, &answers)
        }
        end(index, place, .expired, &answers)
    }

    /// Holds the closing auction at a bar's close.
    private mutating func close(
        _ bar: Bar, _ session: TradingSession, _ answers: inout [OrderReport]
    ) {
        let index = Int(bar.instrument.index)
        let moment = Moment(
            price: bar.close, time: bar.end, volume: bar.volume, isWithinBar: true)
        for place in books[index].orders.indices {
            switch books[index].orders[place].ticket.request.type {
            case .marketOnClose, .limitOnClose:
                guard books[index].orders[place].ends == session.close else { continue }
                cross(index, place, moment, &answers)
            case .market, .limit, .stop, .stopLimit, .trailingStop, .marketOnOpen, .limitOnOpen:
                continue
            }
        }
    }

    // MARK: Within a bar

    /// Whether an order can meet prices within a bar: nobody knows which of them came before the
    /// date until which it is good.
    func isWithin(_ bar: Bar, _ place: Int) -> Bool {
        let index = Int(bar.instrument.index)
        guard books[index].orders[place].takesPart, books[index].orders[place].available > .zero
        else { return false }
        switch books[index].orders[place].ticket.request.timeInForce {
        case .goodTillDate(let end): return bar.end <= end
        case .day, .goodTillCancelled: return true
        case .immediateOrCancel: return false
        }
    }

    /// Stops first, then limits; again while fills let children begin.
    private mutating func meetWorst(_ bar: Bar, _ answers: inout [OrderReport]) {
        let index = Int(bar.instrument.index)
        var told = -1
        while told != answers.count {
            told = answers.count
            for place in books[index].orders.indices { meetStop(place, bar, &answers) }
            for place in books[index].orders.indices { meetLimit(place, bar, &answers) }
            if linkCount == 0 { break }
        }
        for place in books[index].orders.indices where books[index].orders[place].takesPart {
            // What came before a child began is not known: only the close surely came after.
            let side = books[index].orders[place].ticket.request.side
            let isLate = books[index].orders[place].since != nil
            books[index].orders[place].follow(isLate ? bar.close : side.limitEnd(of: bar))
        }
    }

    private mutating func meetStop(_ place: Int, _ bar: Bar, _ answers: inout [OrderReport]) {
        let index = Int(bar.instrument.index)
        guard isWithin(bar, place),
            let stop = books[index].orders[place].stop(on: instruments[index].tickSize)
        else { return }
        let side = books[index].orders[place].ticket.request.side
        guard side.triggers(stop, at: side.stopEnd(of: bar)) else { return }
        let price = books[index].orders[place].since.map { side.worse($0, stop) } ?? stop
        trigger(index, place, bar, at: price, &answers)
    }

    /// Triggers a stop within a bar.
    mutating func trigger(
        _ index: Int, _ place: Int, _ bar: Bar, at price: Price, _ answers: inout [OrderReport]
    ) {
        books[index].orders[place].isTriggered = true
        books[index].orders[place].since = price
        let moment = Moment(price: price, time: bar.end, volume: bar.volume, isWithinBar: true)
        if books[index].orders[place].limit == nil {
            fillAtMarket(index, place, moment, &answers)
        } else {
            fillLimit(index, place, moment, &answers)
        }
    }

    private mutating func meetLimit(_ place: Int, _ bar: Bar, _ answers: inout [OrderReport]) {
        let index = Int(bar.instrument.index)
        guard isWithin(bar, place), books[index].orders[place].since == nil,
            let limit = books[index].orders[place].limit
        else { return }
        let side = books[index].orders[place].ticket.request.side
        guard rules.limitFill.fills(limit, side, at: side.limitEnd(of: bar)) else { return }
        fill(
            index, place,
            Moment(price: limit, time: bar.end, volume: bar.volume, isWithinBar: true), &answers)
    }
}
