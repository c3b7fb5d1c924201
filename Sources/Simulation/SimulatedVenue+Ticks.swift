import MarketState
package import Model
package import Primitives

/// What the market has told of one instrument besides bars.
struct Tape: Sendable {
    /// The newest quote.
    private(set) var quote: Quote?
    /// When it was told.
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
    mutating func show(_ quote: Quote, at instant: Timestamp) {
        if quote.bid != self.quote?.bid { bidTaken = .zero }
        if quote.ask != self.quote?.ask { askTaken = .zero }
        self.quote = quote
        quotedAt = instant
    }

    /// The price somebody who trades this way gets at once, if anybody is there.
    func price(for side: Side) -> Price? {
        switch side {
        case .buy: quote?.ask
        case .sell: quote?.bid
        }
    }

    /// How much there is at that price; more than anybody wants where no size is told.
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
    /// - Parameter instant: when the venue knows; not earlier than what it was told before.
    package mutating func quoteChanged(
        _ quote: Quote, at instant: Timestamp, answers: inout [OrderReport]
    ) {
        let index = Int(quote.instrument.index)
        books[index].tape.show(quote, at: instant)
        guard rules.matching == .ticks, !books[index].orders.isEmpty else { return }
        expire(index, at: instant, &answers)
        let session = clock.session(at: instant)
        for place in books[index].orders.indices
        where join(index, place, at: instant, session) {
            meetQuote(index, place, at: instant, &answers)
        }
        dropEnded(index, &answers)
    }

    /// Others traded.
    ///
    /// - Parameter instant: when the venue knows; not earlier than what it was told before.
    package mutating func tradeHappened(
        _ trade: Trade, at instant: Timestamp, answers: inout [OrderReport]
    ) {
        let index = Int(trade.instrument.index)
        books[index].tape.last = trade.price
        guard rules.matching == .ticks, !books[index].orders.isEmpty else { return }
        books[index].volumeLeft = volume(of: trade)
        expire(index, at: instant, &answers)
        let session = clock.session(at: instant)
        for place in books[index].orders.indices {
            crossClosing(index, place, trade, at: instant, &answers)
            guard join(index, place, at: instant, session) else { continue }
            meetTrade(index, place, trade, at: instant, &answers)
        }
        dropEnded(index, &answers)
    }

    /// Lets a new order meet what stands at its arrival.
    mutating func meetStanding(
        _ index: Int, _ place: Int, at instant: Timestamp, _ answers: inout [OrderReport]
    ) {
        guard books[index].orders[place].ends > instant else {
            return end(index, place, .expired, &answers)
        }
        // What was last paid is where a trailing stop starts from, however old it is.
        let side = books[index].orders[place].ticket.request.side
        let start = rules.stopTrigger == .last ? books[index].tape.last : stopPrice(index, side)
        if let start, books[index].orders[place].blocked == .zero {
            books[index].orders[place].follow(start)
        }
        let session = clock.session(at: instant)
        guard join(index, place, at: instant, session) else { return }
        meetQuote(index, place, at: instant, &answers)
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
        books[index].tape.price(for: side)
    }

    // MARK: Quotes

    private mutating func meetQuote(
        _ index: Int, _ place: Int, at instant: Timestamp, _ answers: inout [OrderReport]
    ) {
        // What is older than the order is no news to it.
        guard books[index].tape.quotedAt >= books[index].orders[place].arrived,
            books[index].orders[place].available > .zero
        else { return }
        let side = books[index].orders[place].ticket.request.side
        if rules.stopTrigger == .bidAsk, let price = stopPrice(index, side) {
            meetTrigger(index, place, price)
        }
        takeQuote(index, place, at: instant, &answers)
        guard books[index].orders[place].ticket.request.timeInForce == .immediateOrCancel
        else { return }
        end(index, place, .expired, &answers)
    }

    /// Triggers a stop that a price reaches; a trailing one follows the price otherwise.
    private mutating func meetTrigger(_ index: Int, _ place: Int, _ price: Price) {
        let side = books[index].orders[place].ticket.request.side
        if let stop = books[index].orders[place].stop(on: instruments[index].tickSize),
            side.triggers(stop, at: price)
        {
            books[index].orders[place].isTriggered = true
        } else {
            books[index].orders[place].follow(price)
        }
    }

    /// Whether an order trades at whatever the market gives now.
    private func isAtMarket(_ index: Int, _ place: Int) -> Bool {
        switch books[index].orders[place].ticket.request.type {
        case .market: true
        case .stop, .trailingStop: books[index].orders[place].isTriggered
        case .limit, .stopLimit, .marketOnOpen, .limitOnOpen, .marketOnClose, .limitOnClose: false
        }
    }

    /// Lets an order at the market or at a limit take the opposite quote.
    private mutating func takeQuote(
        _ index: Int, _ place: Int, at instant: Timestamp, _ answers: inout [OrderReport]
    ) {
        let side = books[index].orders[place].ticket.request.side
        guard let shown = books[index].tape.price(for: side) else { return }
        var price = shown
        if let limit = books[index].orders[place].limit {
            let isResting = books[index].orders[place].isResting
            books[index].orders[place].isResting = true
            guard rules.limitFill.fills(limit, side, at: shown) else { return }
            if isResting { price = limit }
        } else {
            guard isAtMarket(index, place) else { return }
        }
        let quantity = min(
            books[index].orders[place].available, books[index].tape.size(for: side))
        guard quantity > .zero else { return }
        books[index].tape.take(quantity, side)
        execute(index, place, quantity, Moment(price: price, time: instant), &answers)
    }

    // MARK: Trades

    private mutating func meetTrade(
        _ index: Int, _ place: Int, _ trade: Trade, at instant: Timestamp,
        _ answers: inout [OrderReport]
    ) {
        guard books[index].orders[place].available > .zero else { return }
        let hasQuotes = books[index].tape.quote != nil
        let isImmediate =
            books[index].orders[place].ticket.request.timeInForce == .immediateOrCancel
        // Where there are quotes, the next one is the first price an immediate order meets.
        guard !hasQuotes || !isImmediate else { return }
        if rules.stopTrigger == .last { meetTrigger(index, place, trade.price) }
        let moment = Moment(price: trade.price, time: instant, volume: trade.size)
        if books[index].orders[place].limit != nil {
            takeTrade(index, place, moment, hasQuotes: hasQuotes, &answers)
        } else if isAtMarket(index, place) {
            if !hasQuotes {
                fillAtMarket(index, place, moment, &answers)
            } else if books[index].tape.quotedAt >= books[index].orders[place].arrived {
                takeQuote(index, place, at: instant, &answers)
            }
        } else if isOpening(index, place) {
            cross(index, place, moment, &answers)
        }
        if isImmediate { end(index, place, .expired, &answers) }
    }

    /// Fills a limit that a trade goes through.
    private mutating func takeTrade(
        _ index: Int, _ place: Int, _ moment: Moment, hasQuotes: Bool,
        _ answers: inout [OrderReport]
    ) {
        let side = books[index].orders[place].ticket.request.side
        let isResting = books[index].orders[place].isResting || hasQuotes
        books[index].orders[place].isResting = true
        guard let limit = books[index].orders[place].limit,
            rules.limitFill.fills(limit, side, at: moment.price)
        else { return }
        var own = moment
        if isResting { own.price = limit }
        fill(index, place, own, &answers)
    }

    // MARK: Auctions

    /// Whether an order is for the opening auction of the session that is on.
    private func isOpening(_ index: Int, _ place: Int) -> Bool {
        switch books[index].orders[place].ticket.request.type {
        case .marketOnOpen, .limitOnOpen:
            books[index].orders[place].ends == clock.close
        case .market, .limit, .stop, .stopLimit, .trailingStop, .marketOnClose, .limitOnClose:
            false
        }
    }

    private mutating func crossClosing(
        _ index: Int, _ place: Int, _ trade: Trade, at instant: Timestamp,
        _ answers: inout [OrderReport]
    ) {
        switch books[index].orders[place].ticket.request.type {
        case .marketOnClose, .limitOnClose: break
        case .market, .limit, .stop, .stopLimit, .trailingStop, .marketOnOpen, .limitOnOpen: return
        }
        guard books[index].orders[place].ends == clock.dayEnd, let close = clock.close,
            instant >= close
        else { return }
        cross(
            index, place, Moment(price: trade.price, time: instant, volume: trade.size), &answers)
    }
}
