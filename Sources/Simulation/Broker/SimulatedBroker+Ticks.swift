import MarketState
package import Model
package import Primitives

/// Matching with quotes and trades.
///
/// - Market orders and triggered stops take the opposite quote, at most the size it shows and was
///   not taken before, and the rest from the quotes that follow. Where no quote ever came, trades
///   stand in for them, worsened by slippage.
/// - A limit that reaches the opposite quote when they first meet takes that quote's price. One that
///   rests fills at its own price when the opposite quote or a trade goes through it, at most what
///   that shows.
/// - Stops and trailing stops go by trades, or by bid and ask; see `VenueRules.StopTrigger`.
/// - The opening auction is the session's first trade, the closing auction the day's first trade at
///   or after the close.
extension SimulatedBroker {
    /// The best bid or offer changed. Where orders are matched with bars, only the spread is noted.
    ///
    /// - Parameter time: when the exchange knows; not earlier than what it has handled before.
    package mutating func quoteChanged(
        _ quote: Quote, at time: Timestamp, answers: inout [OrderReport]
    ) {
        let index = Int(quote.instrument.index)
        exchange.markets[index].topOfBook.show(quote, at: time)
        guard rules.matching == .ticks, !states[index].orders.isEmpty else { return }
        expire(index, at: time, &answers)
        let session = clock.session(at: time)
        setTurns(index)
        for turn in states[index].orders.indices {
            let slot = slot(of: turn)
            guard join(index, slot, at: time, session) else { continue }
            meetQuote(index, slot, at: time, &answers)
        }
        settle(index, at: time, &answers)
    }

    /// Others traded.
    ///
    /// - Parameter time: when the exchange knows; not earlier than what it has handled before.
    package mutating func tradeHappened(
        _ trade: Trade, at time: Timestamp, answers: inout [OrderReport]
    ) {
        let index = Int(trade.instrument.index)
        exchange.markets[index].topOfBook.last = trade.price
        guard rules.matching == .ticks, !states[index].orders.isEmpty else { return }
        exchange.note(trade, index)
        expire(index, at: time, &answers)
        let session = clock.session(at: time)
        setTurns(index)
        for turn in states[index].orders.indices {
            let slot = slot(of: turn)
            crossClosing(index, slot, trade, at: time, &answers)
            guard join(index, slot, at: time, session) else { continue }
            meetTrade(index, slot, trade, at: time, &answers)
        }
        settle(index, at: time, &answers)
    }

    @inline(__always)
    private mutating func join(
        _ index: Int, _ slot: Int, at time: Timestamp, _ session: TradingSession?
    ) -> Bool {
        join(index, slot, at: time, until: time + Duration(nanoseconds: 1), session)
    }

    // MARK: The beginning

    /// Lets an order that begins to work meet what stands then.
    mutating func meetQuoteOnArrival(
        _ index: Int, _ slot: Int, at time: Timestamp, _ answers: inout [OrderReport]
    ) {
        guard states[index].orders[slot].ends > time else {
            return end(index, slot, .expired, &answers)
        }
        start(index, slot)
        guard join(index, slot, at: time, clock.session(at: time)) else {
            guard states[index].orders[slot].ticket.request.timeInForce == .immediateOrCancel
            else { return }
            return end(index, slot, .expired, &answers)
        }
        rest(index, slot)
        meetQuote(index, slot, at: time, &answers)
    }

    /// Where only trades are known, a limit that the last one does not reach waits in the queue from the beginning.
    private mutating func rest(_ index: Int, _ slot: Int) {
        let top = exchange.markets[index].topOfBook
        guard top.quote == nil, let last = top.last, let limit = states[index].orders[slot].limit
        else { return }
        let side = states[index].orders[slot].ticket.request.side
        states[index].orders[slot].isResting = !VenueRules.LimitFill.touch.fills(
            limit, side, at: last)
    }

    /// Lets a trailing stop begin to follow, if it may. What was last paid is where it starts from, however old
    /// that is.
    private mutating func start(_ index: Int, _ slot: Int) {
        guard states[index].orders[slot].available > .zero,
            states[index].orders[slot].trailStop == nil
        else { return }
        let trigger = trigger(of: index, slot)
        let side = states[index].orders[slot].ticket.request.side
        let top = exchange.markets[index].topOfBook
        let price =
            trigger.seesTrades ? top.last : top.quote.flatMap { trigger.price(of: $0, side) }
        guard let price else { return }
        states[index].orders[slot].follow(price, instruments[index].tickSize)
    }

    // MARK: Stops

    /// What a stop goes by.
    func trigger(of index: Int, _ slot: Int) -> VenueRules.StopTrigger {
        states[index].orders[slot].terms.trigger ?? rules.stopTrigger
    }

    /// Triggers a stop that prices reach, as many in a row as it needs; a trailing one follows the price
    /// otherwise.
    private mutating func meetTrigger(
        _ index: Int, _ slot: Int, _ price: Price, _ trigger: VenueRules.StopTrigger
    ) {
        guard let stop = states[index].orders[slot].stop,
            states[index].orders[slot].triggerSide.triggers(stop, at: price)
        else {
            states[index].orders[slot].reachedCount = 0
            return states[index].orders[slot].follow(price, instruments[index].tickSize)
        }
        states[index].orders[slot].reachedCount += 1
        guard states[index].orders[slot].reachedCount >= trigger.neededCount else { return }
        states[index].orders[slot].isTriggered = true
    }

    // MARK: Quotes

    /// Whether the quote counts for an order: one that is older than the order mostly does not.
    @inline(__always)
    private func knowsQuote(_ index: Int, _ slot: Int) -> Bool {
        rules.meetsQuoteOnArrival
            || exchange.markets[index].topOfBook.quotedAt >= states[index].orders[slot].arrived
    }

    private mutating func meetQuote(
        _ index: Int, _ slot: Int, at time: Timestamp, _ answers: inout [OrderReport]
    ) {
        states[index].orders[slot].isBeginning = false
        guard knowsQuote(index, slot),
            let quote = exchange.markets[index].topOfBook.quote,
            states[index].orders[slot].available > .zero
        else { return }
        let side = states[index].orders[slot].ticket.request.side
        let trigger = trigger(of: index, slot)
        if let price = trigger.price(of: quote, side) { meetTrigger(index, slot, price, trigger) }
        takeQuote(index, slot, at: time, &answers)
        guard states[index].orders[slot].ticket.request.timeInForce == .immediateOrCancel
        else { return }
        end(index, slot, .expired, &answers)
    }

    /// Lets an order at the market or at a limit take the opposite quote.
    private mutating func takeQuote(
        _ index: Int, _ slot: Int, at time: Timestamp, _ answers: inout [OrderReport]
    ) {
        let limit = states[index].orders[slot].limit
        guard limit != nil || states[index].orders[slot].isAtMarket else { return }
        let match = exchange.takeQuote(plain(index, slot, at: limit), index)
        let side = states[index].orders[slot].ticket.request.side
        if limit != nil, exchange.markets[index].topOfBook.price(for: side) != nil {
            states[index].orders[slot].isResting = true
        }
        guard let match else { return }
        execute(index, slot, match, Moment(price: match.price, time: time), &answers)
    }

    // MARK: Trades

    private mutating func meetTrade(
        _ index: Int, _ slot: Int, _ trade: Trade, at time: Timestamp,
        _ answers: inout [OrderReport]
    ) {
        guard states[index].orders[slot].available > .zero else { return }
        states[index].orders[slot].isBeginning = false
        let hasQuotes = exchange.markets[index].topOfBook.quote != nil
        let isImmediate =
            states[index].orders[slot].ticket.request.timeInForce == .immediateOrCancel
        // Where there are quotes, the next one is the first price an immediate order meets.
        guard !hasQuotes || !isImmediate else { return }
        let trigger = trigger(of: index, slot)
        if trigger.seesTrades { meetTrigger(index, slot, trade.price, trigger) }
        let moment = Moment(price: trade.price, time: time, volume: trade.size)
        if let limit = states[index].orders[slot].limit {
            let match = exchange.takeTrade(plain(index, slot, at: limit), index, at: moment)
            states[index].orders[slot].isResting = true
            if let match { execute(index, slot, match, moment, &answers) }
        } else if states[index].orders[slot].isAtMarket {
            if !hasQuotes {
                cross(index, slot, at: nil, moment, &answers)
            } else if knowsQuote(index, slot) {
                takeQuote(index, slot, at: time, &answers)
            }
        } else if isOpening(index, slot) {
            crossAuction(index, slot, moment, &answers)
        }
        if isImmediate { end(index, slot, .expired, &answers) }
    }

    // MARK: Auctions

    /// Whether an order is for the opening auction of the session that is on.
    private func isOpening(_ index: Int, _ slot: Int) -> Bool {
        switch states[index].orders[slot].ticket.request.type {
        case .marketOnOpen, .limitOnOpen:
            states[index].orders[slot].ends == clock.close
        case .market, .limit, .stop, .stopLimit, .trailingStop, .marketOnClose, .limitOnClose:
            false
        }
    }

    private mutating func crossClosing(
        _ index: Int, _ slot: Int, _ trade: Trade, at time: Timestamp,
        _ answers: inout [OrderReport]
    ) {
        switch states[index].orders[slot].ticket.request.type {
        case .marketOnClose, .limitOnClose: break
        case .market, .limit, .stop, .stopLimit, .trailingStop, .marketOnOpen, .limitOnOpen: return
        }
        guard states[index].orders[slot].ends == clock.dayEnd, let close = clock.close,
            time >= close
        else { return }
        crossAuction(
            index, slot, Moment(price: trade.price, time: time, volume: trade.size), &answers)
    }
}
