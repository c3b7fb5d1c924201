import MarketState
import Model
import Primitives

/// An exchange: what its market gives to plain orders, at a limit or at the market.
///
/// It knows prices, sizes and volume, and no stops, groups, parents, hours or accounts: those are the
/// broker's, who lets one order after the other meet what the market shows. What an order takes is missing for
/// the next one: of a bar's volume the part that `VenueRules.participation` allows, of a trade its size, of a
/// quote the size it shows.
struct SimulatedExchange: ~Copyable {
    let rules: VenueRules
    let instruments: [Instrument]
    /// What is known of each instrument's market.
    var markets: FixedArray<Market>

    /// The newest prices of one instrument.
    struct Market: Sendable {
        /// The bar in progress.
        var bar: Bar?
        var barStart = Timestamp.distantPast
        /// What of the bar's volume, or of the newest trade, may still be taken.
        var volumeLeft = Quantity.magnitudeMax
        var topOfBook = TopOfBook()
    }

    /// An order as an exchange has it.
    struct PlainOrder {
        let side: Side
        /// The worst price it takes; `nil`: any.
        let limit: Price?
        /// What may fill now; positive.
        let quantity: Quantity
        /// The least that may fill at once; zero for any.
        var minimum = Quantity.zero
        /// True for a limit that has met a price before and waits in the queue.
        var isResting = false
    }

    /// What an order gets.
    struct Match {
        let quantity: Quantity
        let price: Price
    }

    /// Markets that have shown nothing yet.
    init(instruments: [Instrument], rules: VenueRules) {
        self.instruments = instruments
        self.rules = rules
        markets = FixedArray(repeating: Market(), count: instruments.count)
    }

    // MARK: What the market shows

    /// Sets the bar in progress, unless it is known.
    mutating func note(_ bar: Bar, _ index: Int) {
        guard markets[index].barStart != bar.start else { return }
        markets[index].barStart = bar.start
        markets[index].bar = bar
        guard let participation = rules.participation else { return }
        markets[index].volumeLeft = (participation.of(bar.volume) ?? .magnitudeMax).wholeShares
    }

    /// Others traded.
    mutating func note(_ trade: Trade, _ index: Int) {
        markets[index].topOfBook.last = trade.price
        if let participation = rules.participation {
            markets[index].volumeLeft = (participation.of(trade.size) ?? .magnitudeMax).wholeShares
        } else {
            markets[index].volumeLeft = trade.size > .zero ? trade.size : .magnitudeMax
        }
    }

    // MARK: One price

    /// Lets an order meet one price at which everybody trades: an open, an auction, a trade, the price of a stop
    /// that was reached. A limit fills where that price betters it, at that price; what is at the market pays
    /// slippage and impact.
    @inline(__always)
    mutating func cross(_ order: PlainOrder, _ index: Int, at moment: Moment) -> Match? {
        if let limit = order.limit {
            guard rules.limitFill.fills(limit, order.side, at: moment.price) else { return nil }
            return take(order, index, at: moment.price)
        }
        guard rules.worsensMarketPrices else { return take(order, index, at: moment.price) }
        return takeWorsened(order, index, at: moment)
    }

    private mutating func takeWorsened(
        _ order: PlainOrder, _ index: Int, at moment: Moment
    ) -> Match? {
        let quantity = min(order.quantity, markets[index].volumeLeft)
        guard quantity > .zero else { return nil }
        let market = MarketFill(
            side: order.side, quantity: quantity, barVolume: moment.volume,
            spread: rules.slippage.asksForSpread ? markets[index].topOfBook.spread : nil,
            ticks: instruments[index].tickSize)
        var amount = rules.slippage.amount(at: moment.price, for: market)
        if let impact = rules.impact {
            amount = min(amount + impact.amount(at: moment.price, for: market), .magnitudeMax)
        }
        return take(order, index, at: market.moved(moment.price, by: amount))
    }

    /// Fills an order at a price that the market has come to, as far as volume allows.
    @inline(__always)
    mutating func take(_ order: PlainOrder, _ index: Int, at price: Price) -> Match? {
        let quantity = min(order.quantity, markets[index].volumeLeft)
        guard quantity > .zero, quantity >= order.minimum else { return nil }
        if rules.participation != nil || rules.matching == .ticks {
            markets[index].volumeLeft -= quantity
        }
        return Match(quantity: quantity, price: price)
    }

    // MARK: Quotes and trades

    /// Lets an order take the opposite quote, at most the size it shows and was not taken before. A limit that
    /// reaches the quote when they first meet takes it at its price; one that rests fills at its own price once
    /// the quote goes through it, or touches it where that is enough.
    mutating func takeQuote(_ order: PlainOrder, _ index: Int) -> Match? {
        guard let shown = markets[index].topOfBook.price(for: order.side) else { return nil }
        var price = shown
        if let limit = order.limit {
            let fill = order.isResting ? rules.limitFill : .touch
            guard fill.fills(limit, order.side, at: shown) else { return nil }
            if order.isResting { price = limit }
        }
        let quantity = min(order.quantity, markets[index].topOfBook.size(for: order.side))
        guard quantity > .zero, quantity >= order.minimum else { return nil }
        markets[index].topOfBook.take(quantity, order.side)
        return Match(quantity: quantity, price: price)
    }

    /// Fills a limit that a trade goes through: at its own price, or at the trade's where no quote was there to
    /// meet before.
    mutating func takeTrade(_ order: PlainOrder, _ index: Int, at moment: Moment) -> Match? {
        guard let limit = order.limit,
            rules.limitFill.fills(limit, order.side, at: moment.price)
        else { return nil }
        let waits = order.isResting || markets[index].topOfBook.quote != nil
        return take(order, index, at: waits ? limit : moment.price)
    }
}

/// A price and its time, and what is known of the market then.
struct Moment {
    /// The price.
    var price: Price
    /// When it is reported.
    let time: Timestamp
    /// What traded in the bar, or on the tape.
    var volume = Quantity.zero
    /// Whether it is within a bar, after its open.
    var isWithinBar = false
}

extension VenueRules.LimitFill {
    /// Whether a market at `price` fills a limit.
    func fills(_ limit: Price, _ side: Side, at price: Price) -> Bool {
        switch (self, side) {
        case (.through, .buy): price < limit
        case (.touch, .buy): price <= limit
        case (.through, .sell): price > limit
        case (.touch, .sell): price >= limit
        }
    }
}
