import MarketState
import Model
import Primitives

/// An order at the broker, and how far it has come.
struct WorkingOrder: Sendable {
    /// What was asked for, under the terms now in force.
    var ticket: OrderTicket
    /// What was asked for beyond that.
    var terms: BrokerTerms
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
    /// Whether its parent is in another instrument.
    var isForeignChild = false
    /// True once its parent has finished.
    var isOrphan = false
    /// Whether it has met a price that did not fill it: a limit that rests.
    var isResting = false
    /// Whether it has begun to work and not met what stands yet.
    var isBeginning = false
    /// How many prices in a row have reached its stop, where two have to.
    var reachedCount: UInt8 = 0
    /// The price within the bar in progress at which it began to work or was triggered; `nil` when
    /// it does so from the bar's open.
    var since: Price?
    /// Where a trailing stop is; `nil` before its first price.
    var trailStop: Price?
    /// The best price a trailing stop has followed; `nil` before its first.
    private(set) var best: Price?
    /// What of it has waited for its parent since that had filled `parentFilledBefore`: all, unless shares were split
    /// meanwhile.
    var waitingBase: Quantity
    var parentFilledBefore = Quantity.zero
    /// What its executions cost so far.
    var costs = OrderCosts()

    /// An order that has just come.
    @inline(__always)
    init(_ ticket: OrderTicket, _ terms: BrokerTerms, at time: Timestamp) {
        self.ticket = ticket
        self.terms = terms
        arrived = time
        left = ticket.request.quantity
        waitingBase = left
        trailStop = terms.trailStart
        switch ticket.request.timeInForce {
        case .day, .goodTillCancelled, .immediateOrCancel: ends = terms.end
        case .goodTillDate(let end): ends = min(end, terms.end)
        }
    }

    /// What may fill now.
    var available: Quantity { min(left - blocked, terms.allowance - filled) }

    /// The least that its next fill may be.
    var minimum: Quantity { filled > .zero ? .zero : terms.minimumFill }

    /// Whether something of it was taken away.
    var isReduced: Bool { takenByGroup > .zero || lost > .zero }

    /// What was taken of it.
    var taken: Quantity { takenByGroup + lost }

    /// The limit it works at now: a stop's only once it was triggered.
    var limit: Price? {
        switch ticket.request.type {
        case .limit(let price): return price
        case .stopLimit(_, let price): return isTriggered ? price : nil
        case .trailingStop:
            guard isTriggered, let stop = trailStop, let offset = terms.limitOffset else {
                return nil
            }
            let limit = ticket.request.side == .buy ? stop + offset : stop - offset
            return min(max(limit, -.magnitudeMax), .magnitudeMax)
        case .market, .stop, .marketOnOpen, .limitOnOpen, .marketOnClose, .limitOnClose:
            return nil
        }
    }

    /// Whether it trades at whatever the market gives now.
    var isAtMarket: Bool {
        switch ticket.request.type {
        case .market: true
        case .stop: isTriggered
        case .trailingStop: isTriggered && terms.limitOffset == nil
        case .limit, .stopLimit, .marketOnOpen, .limitOnOpen, .marketOnClose, .limitOnClose: false
        }
    }

    /// The price that triggers it now; `nil` for what is no stop, was triggered already or trails
    /// and has met no price.
    var stop: Price? {
        guard !isTriggered else { return nil }
        switch ticket.request.type {
        case .stop(let price), .stopLimit(let price, _): return price
        case .trailingStop: return trailStop
        case .market, .limit, .marketOnOpen, .limitOnOpen, .marketOnClose, .limitOnClose:
            return nil
        }
    }

    /// The side from which its stop is reached: prices go up for `.buy`.
    var triggerSide: Side {
        terms.isTouch ? ticket.request.side.opposite : ticket.request.side
    }

    /// Lets a trailing stop follow to `price`, if that is the way it goes.
    ///
    /// - Parameter ticks: what it is rounded to, away from being triggered.
    mutating func follow(_ price: Price, _ ticks: TickSize) {
        guard case .trailingStop(let offset) = ticket.request.type, !isTriggered else { return }
        switch ticket.request.side {
        case .sell:
            let stop = ticks.roundedDown(price - offset.distance(from: price))
            trailStop = max(trailStop ?? stop, stop)
            best = max(best ?? price, price)
        case .buy:
            let stop = ticks.roundedUp(price + offset.distance(from: price))
            trailStop = min(trailStop ?? stop, stop)
            best = min(best ?? price, price)
        }
    }

    /// Sets a trailing stop whose offset has changed to where it would be behind the best price it has followed.
    mutating func followAnew(_ ticks: TickSize) {
        guard let best else { return }
        trailStop = nil
        follow(best, ticks)
    }

    /// Brings what a trailing stop has followed to split shares.
    mutating func splitTrail(by ratio: SplitRatio, _ ticks: TickSize) {
        best = best.flatMap(ratio.adjusted)
        trailStop = trailStop.flatMap(ratio.adjusted).map {
            ticket.request.side == .sell ? ticks.roundedDown($0) : ticks.roundedUp($0)
        }
        if best != nil { followAnew(ticks) }
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
