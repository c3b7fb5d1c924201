import MarketState
package import Model
package import Primitives

/// What the market has published of one instrument besides bars.
struct TopOfBook: Sendable {
    /// The newest quote.
    private(set) var quote: Quote?
    /// When it was published.
    private(set) var quotedAt = Timestamp.distantPast
    /// What was last paid.
    var last: Price?
    // What was taken of the sizes shown. A quote that repeats the price shows the same orders again:
    // what was taken of them stays taken.
    private var bidTaken = Quantity.zero
    private var askTaken = Quantity.zero

    /// Whether something was taken of the sizes shown.
    var isTaken: Bool { bidTaken > .zero || askTaken > .zero }

    /// What lies between bid and ask, if both are there and do not cross.
    var spread: Price? {
        guard let bid = quote?.bid, let ask = quote?.ask, ask > bid else { return nil }
        return ask - bid
    }

    /// Takes in a quote.
    mutating func show(_ quote: Quote, at time: Timestamp) {
        if quote.bid != self.quote?.bid { bidTaken = .zero }
        if quote.ask != self.quote?.ask { askTaken = .zero }
        self.quote = quote
        quotedAt = time
    }

    /// The price somebody who trades this way gets at once, if anybody is there.
    func price(for side: Side) -> Price? {
        switch side {
        case .buy: quote?.ask
        case .sell: quote?.bid
        }
    }

    /// How much there is at that price; more than anybody wants where no size is given.
    func size(for side: Side) -> Quantity {
        let (shown, taken) =
            side == .buy ? (quote?.askSize, askTaken) : (quote?.bidSize, bidTaken)
        return shown.map { max($0 - taken, .zero) } ?? .magnitudeMax
    }

    /// Notes what somebody who trades this way has taken.
    mutating func take(_ quantity: Quantity, _ side: Side) {
        switch side {
        case .buy: askTaken = min(askTaken, .magnitudeMax) + quantity
        case .sell: bidTaken = min(bidTaken, .magnitudeMax) + quantity
        }
    }
}

/// Matching with quotes and trades.
///
/// - Market orders and triggered stops take the opposite quote, at most the size it shows and was
///   not taken before, and the rest from the quotes that follow. Where no quote ever came, trades
///   stand in for them, worsened by slippage.
/// - A limit that the opposite quote betters when they first meet takes that quote's price. One that
///   rests fills at its own price when the opposite quote or a trade goes through it, at most what
///   that shows.
/// - Stops and trailing stops go by trades, or by bid and ask; see `VenueRules.StopTrigger`.
/// - The opening auction is the session's first trade, the closing auction the day's first trade at
///   or after the close.
extension SimulatedVenue {
    /// The best bid or offer changed. Where orders are matched with bars, only the spread is noted.
    ///
    /// - Parameter time: when the venue knows; not earlier than what it has handled before.
    package mutating func quoteChanged(
        _ quote: Quote, at time: Timestamp, answers: inout [OrderReport]
    ) {
        let index = Int(quote.instrument.index)
        states[index].topOfBook.show(quote, at: time)
        guard rules.matching == .ticks, !states[index].orders.isEmpty else { return }
        expire(index, at: time, &answers)
        let session = clock.session(at: time)
        for slot in states[index].orders.indices
        where join(index, slot, at: time, session) {
            meetQuote(index, slot, at: time, &answers)
        }
        dropEnded(index, &answers)
    }

    /// Others traded.
    ///
    /// - Parameter time: when the venue knows; not earlier than what it has handled before.
    package mutating func tradeHappened(
        _ trade: Trade, at time: Timestamp, answers: inout [OrderReport]
    ) {
        let index = Int(trade.instrument.index)
        states[index].topOfBook.last = trade.price
        guard rules.matching == .ticks, !states[index].orders.isEmpty else { return }
        states[index].volumeLeft = volume(of: trade)
        expire(index, at: time, &answers)
        let session = clock.session(at: time)
        for slot in states[index].orders.indices {
            crossClosing(index, slot, trade, at: time, &answers)
            guard join(index, slot, at: time, session) else { continue }
            meetTrade(index, slot, trade, at: time, &answers)
        }
        dropEnded(index, &answers)
    }

    /// Lets a new order meet what stands at its arrival.
    mutating func meetOnArrival(
        _ index: Int, _ slot: Int, at time: Timestamp, _ answers: inout [OrderReport]
    ) {
        guard states[index].orders[slot].ends > time else {
            return end(index, slot, .expired, &answers)
        }
        // What was last paid is where a trailing stop starts from, however old it is.
        let side = states[index].orders[slot].ticket.request.side
        let start =
            rules.stopTrigger == .last ? states[index].topOfBook.last : stopPrice(index, side)
        if let start, states[index].orders[slot].blocked == .zero {
            states[index].orders[slot].follow(start)
        }
        let session = clock.session(at: time)
        guard join(index, slot, at: time, session) else { return }
        meetQuote(index, slot, at: time, &answers)
    }

    /// What a trade lets our orders have.
    private func volume(of trade: Trade) -> Quantity {
        if let participation = rules.participation {
            return (participation.of(trade.size) ?? .magnitudeMax).wholeShares
        }
        return trade.size > .zero ? trade.size : .magnitudeMax
    }

    /// The price of the quote that triggers stops of a side.
    private func stopPrice(_ index: Int, _ side: Side) -> Price? {
        // Bid for a sale, ask for a purchase: what it would get.
        states[index].topOfBook.price(for: side)
    }

    // MARK: Quotes

    private mutating func meetQuote(
        _ index: Int, _ slot: Int, at time: Timestamp, _ answers: inout [OrderReport]
    ) {
        // What is older than the order is no news to it.
        guard states[index].topOfBook.quotedAt >= states[index].orders[slot].arrived,
            states[index].orders[slot].available > .zero
        else { return }
        let side = states[index].orders[slot].ticket.request.side
        if rules.stopTrigger == .bidAsk, let price = stopPrice(index, side) {
            meetTrigger(index, slot, price)
        }
        takeQuote(index, slot, at: time, &answers)
        guard states[index].orders[slot].ticket.request.timeInForce == .immediateOrCancel
        else { return }
        end(index, slot, .expired, &answers)
    }

    /// Triggers a stop that a price reaches; a trailing one follows the price otherwise.
    private mutating func meetTrigger(_ index: Int, _ slot: Int, _ price: Price) {
        let side = states[index].orders[slot].ticket.request.side
        if let stop = states[index].orders[slot].stop(on: instruments[index].tickSize),
            side.triggers(stop, at: price)
        {
            states[index].orders[slot].isTriggered = true
        } else {
            states[index].orders[slot].follow(price)
        }
    }

    /// Whether an order trades at whatever the market gives now.
    private func isAtMarket(_ index: Int, _ slot: Int) -> Bool {
        switch states[index].orders[slot].ticket.request.type {
        case .market: true
        case .stop, .trailingStop: states[index].orders[slot].isTriggered
        case .limit, .stopLimit, .marketOnOpen, .limitOnOpen, .marketOnClose, .limitOnClose: false
        }
    }

    /// Lets an order at the market or at a limit take the opposite quote.
    private mutating func takeQuote(
        _ index: Int, _ slot: Int, at time: Timestamp, _ answers: inout [OrderReport]
    ) {
        let side = states[index].orders[slot].ticket.request.side
        guard let shown = states[index].topOfBook.price(for: side) else { return }
        var price = shown
        if let limit = states[index].orders[slot].limit {
            let isResting = states[index].orders[slot].isResting
            states[index].orders[slot].isResting = true
            guard rules.limitFill.fills(limit, side, at: shown) else { return }
            if isResting { price = limit }
        } else {
            guard isAtMarket(index, slot) else { return }
        }
        let quantity = min(
            states[index].orders[slot].available, states[index].topOfBook.size(for: side))
        guard quantity > .zero else { return }
        states[index].topOfBook.take(quantity, side)
        execute(index, slot, quantity, Moment(price: price, time: time), &answers)
    }

    // MARK: Trades

    private mutating func meetTrade(
        _ index: Int, _ slot: Int, _ trade: Trade, at time: Timestamp,
        _ answers: inout [OrderReport]
    ) {
        guard states[index].orders[slot].available > .zero else { return }
        let hasQuotes = states[index].topOfBook.quote != nil
        let isImmediate =
            states[index].orders[slot].ticket.request.timeInForce == .immediateOrCancel
        // Where there are quotes, the next one is the first price an immediate order meets.
        guard !hasQuotes || !isImmediate else { return }
        if rules.stopTrigger == .last { meetTrigger(index, slot, trade.price) }
        let moment = Moment(price: trade.price, time: time, volume: trade.size)
        if states[index].orders[slot].limit != nil {
            takeTrade(index, slot, moment, hasQuotes: hasQuotes, &answers)
        } else if isAtMarket(index, slot) {
            if !hasQuotes {
                fillAtMarket(index, slot, moment, &answers)
            } else if states[index].topOfBook.quotedAt >= states[index].orders[slot].arrived {
                takeQuote(index, slot, at: time, &answers)
            }
        } else if isOpening(index, slot) {
            cross(index, slot, moment, &answers)
        }
        if isImmediate { end(index, slot, .expired, &answers) }
    }

    /// Fills a limit that a trade goes through.
    private mutating func takeTrade(
        _ index: Int, _ slot: Int, _ moment: Moment, hasQuotes: Bool,
        _ answers: inout [OrderReport]
    ) {
        let side = states[index].orders[slot].ticket.request.side
        let isResting = states[index].orders[slot].isResting || hasQuotes
        states[index].orders[slot].isResting = true
        guard let limit = states[index].orders[slot].limit,
            rules.limitFill.fills(limit, side, at: moment.price)
        else { return }
        var own = moment
        if isResting { own.price = limit }
        fill(index, slot, own, &answers)
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
        cross(
            index, slot, Moment(price: trade.price, time: time, volume: trade.size), &answers)
    }
}
