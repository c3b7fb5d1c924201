import MarketState
import Model
import Primitives

/// An order at the venue, and how far it has come.
struct WorkingOrder: Sendable {
    /// What was asked for, under the terms now in force.
    var ticket: OrderTicket
    /// When it came, or its price was changed.
    var arrived: Timestamp
    /// What it may still fill; its group and its parent may have taken some away. None: it is over.
    var left: Quantity
    /// What of `left` waits for its parent to fill.
    var blocked = Quantity.zero
    /// What it has filled.
    var filled = Quantity.zero
    /// When it ends. Without sessions a day order learns that when it first takes part.
    var ends: Timestamp
    /// Whether it takes part now: in the bar in progress, or in the quotes and trades that come.
    var takesPart = false
    /// Whether it is a stop that was reached.
    var isTriggered = false
    /// What others of its group have filled.
    var takenByGroup = Quantity.zero
    /// What its parent ended without.
    var lost = Quantity.zero
    /// True once its parent has ended.
    var isOrphan = false
    /// Whether it has met a price that did not fill it: a limit that rests.
    var isResting = false
    /// The price within the bar in progress at which it began to work or was triggered; `nil` when
    /// it does so from the bar's open.
    var since: Price?
    /// The best price a trailing stop has followed; `nil` before its first.
    var best: Price?
    /// What its executions cost so far.
    var costs = OrderCosts()

    /// An order that has just come.
    @inline(__always)
    init(_ ticket: OrderTicket, at time: Timestamp) {
        self.ticket = ticket
        arrived = time
        left = ticket.request.quantity
        switch ticket.request.timeInForce {
        case .day, .goodTillCancelled, .immediateOrCancel: ends = .distantFuture
        case .goodTillDate(let end): ends = end
        }
    }

    /// What may fill now.
    var available: Quantity { left - blocked }

    /// Whether something of it was taken away.
    var isReduced: Bool { takenByGroup > .zero || lost > .zero }

    /// The limit it works at now: a stop-limit's only once it was triggered.
    var limit: Price? {
        switch ticket.request.type {
        case .limit(let price): price
        case .stopLimit(_, let price): isTriggered ? price : nil
        case .market, .stop, .trailingStop, .marketOnOpen, .limitOnOpen, .marketOnClose,
            .limitOnClose:
            nil
        }
    }

    /// The price that triggers it now; `nil` for what is no stop, was triggered already or trails
    /// and has met no price.
    ///
    /// - Parameter ticks: what a trailing stop is rounded to, away from being triggered.
    func stop(on ticks: TickSize) -> Price? {
        guard !isTriggered else { return nil }
        switch ticket.request.type {
        case .stop(let price), .stopLimit(let price, _): return price
        case .trailingStop(let offset):
            return best.map { Self.trail(offset, behind: $0, ticket.request.side, ticks) }
        case .market, .limit, .marketOnOpen, .limitOnOpen, .marketOnClose, .limitOnClose:
            return nil
        }
    }

    /// Where a trailing stop is that has followed the price to `best`.
    static func trail(
        _ offset: TrailingOffset, behind best: Price, _ side: Side, _ ticks: TickSize
    ) -> Price {
        switch side {
        case .sell: ticks.roundedDown(best - offset.distance(from: best))
        case .buy: ticks.roundedUp(best + offset.distance(from: best))
        }
    }

    /// Lets a trailing stop follow to `price`, if that is the way it goes.
    mutating func follow(_ price: Price) {
        guard case .trailingStop = ticket.request.type, !isTriggered else { return }
        switch ticket.request.side {
        case .sell: best = max(best ?? price, price)
        case .buy: best = min(best ?? price, price)
        }
    }
}

extension Side {
    /// Whether a stop of this side is triggered by `price`.
    func triggers(_ stop: Price, at price: Price) -> Bool {
        switch self {
        case .buy: price >= stop
        case .sell: price <= stop
        }
    }

    /// The price that is worse for who trades this way.
    func worse(_ left: Price, _ right: Price) -> Price {
        switch self {
        case .buy: max(left, right)
        case .sell: min(left, right)
        }
    }

    /// The end of a bar's range that triggers stops of this side.
    func stopEnd(of bar: Bar) -> Price {
        switch self {
        case .buy: bar.high
        case .sell: bar.low
        }
    }

    /// The end of a bar's range that fills limits of this side.
    func limitEnd(of bar: Bar) -> Price {
        switch self {
        case .buy: bar.low
        case .sell: bar.high
        }
    }
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
