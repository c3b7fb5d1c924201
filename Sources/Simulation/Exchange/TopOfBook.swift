import MarketState
import Model
import Primitives

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

    /// Takes in a quote; `nil` where none is known.
    mutating func show(_ quote: Quote?, at time: Timestamp) {
        if quote?.bid != self.quote?.bid { bidTaken = .zero }
        if quote?.ask != self.quote?.ask { askTaken = .zero }
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
