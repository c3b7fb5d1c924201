/// The terms of an order: how it finds its price, how long it works and in which hours.
///
/// Only builders make one, and each takes only what goes together; whatever else there is to set of an
/// order is on `Order` itself. Which way, how much, whose and in what comes with `request(_:for:in:)`,
/// which puts every price on the instrument's ladder.
///
/// ```swift
/// let ticket = try WireOrderTicket(.buy, 100, for: owner)
/// let request = try OrderDraft.limit(187.253, for: .day).request(7, for: ticket, in: apple)
/// ```
public struct OrderDraft: Hashable, Sendable {
    /// What the builders set, its prices as they were asked for.
    var template = Order()
    /// The one exchange it can go to, if there is one.
    var exchange: String?

    init(_ type: WireOrderType, for time: WorkingTime, in hours: OrderHours = .regular) {
        template.orderType = type
        template.work(for: time)
        template.outsideRth = hours == .extended
    }

    // MARK: At once

    /// At the market, in regular hours.
    public static func market(for time: WorkingTime) -> OrderDraft {
        OrderDraft(.market, for: time)
    }

    /// At `price` or better.
    public static func limit(
        _ price: DecimalValue, for time: WorkingTime, in hours: OrderHours = .regular
    ) -> OrderDraft {
        var draft = OrderDraft(.limit, for: time, in: hours)
        draft.template.lmtPrice = price
        return draft
    }

    // MARK: In an auction

    /// In the next opening auction (`MKT`, `OPG`).
    public static var marketOnOpen: OrderDraft {
        var draft = OrderDraft(.market, for: .day)
        draft.template.tif = .atTheOpening
        return draft
    }

    /// In the next opening auction at `price` or better (`LMT`, `OPG`).
    public static func limitOnOpen(_ price: DecimalValue) -> OrderDraft {
        var draft = OrderDraft.limit(price, for: .day)
        draft.template.tif = .atTheOpening
        return draft
    }

    /// In the closing auction of the day.
    public static var marketOnClose: OrderDraft { OrderDraft(.marketOnClose, for: .day) }

    /// In the closing auction of the day at `price` or better.
    public static func limitOnClose(_ price: DecimalValue) -> OrderDraft {
        var draft = OrderDraft(.limitOnClose, for: .day)
        draft.template.lmtPrice = price
        return draft
    }

    // MARK: Once a worse price is reached

    /// At the market once `price` is reached. In regular hours only, unless set otherwise, like every
    /// order that waits for a price.
    public static func stop(
        _ price: DecimalValue, for time: RestingTime, in hours: OrderHours = .regular
    ) -> OrderDraft {
        var draft = OrderDraft(.stop, for: time.working, in: hours)
        draft.template.auxPrice = price
        return draft
    }

    /// At a limit once a price is reached.
    public static func stopLimit(
        _ prices: StopLimit, for time: RestingTime, in hours: OrderHours = .regular
    ) -> OrderDraft {
        var draft = OrderDraft(.stopLimit, for: time.working, in: hours)
        draft.template.auxPrice = prices.stop
        draft.template.lmtPrice = prices.limit
        return draft
    }

    /// A stop that follows the market.
    public static func trailingStop(
        _ trail: Trail, for time: RestingTime, in hours: OrderHours = .regular
    ) -> OrderDraft {
        var draft = OrderDraft(.trailingStop, for: time.working, in: hours)
        draft.template.trail(trail)
        return draft
    }

    /// A stop with a limit that follows the market.
    public static func trailingStopLimit(
        _ trail: TrailLimit, for time: RestingTime, in hours: OrderHours = .regular
    ) -> OrderDraft {
        var draft = OrderDraft(.trailingStopLimit, for: time.working, in: hours)
        draft.template.trail(Trail(by: trail.distance, from: trail.start))
        draft.template.adjusted.lmtPriceOffset = trail.limitOffset
        return draft
    }

    // MARK: Once a better price is reached

    /// At the market once `price` is touched.
    public static func marketIfTouched(
        _ price: DecimalValue, for time: RestingTime, in hours: OrderHours = .regular
    ) -> OrderDraft {
        var draft = OrderDraft(.marketIfTouched, for: time.working, in: hours)
        draft.template.auxPrice = price
        return draft
    }

    /// At a limit once a better price is touched.
    public static func limitIfTouched(
        _ prices: TouchLimit, for time: RestingTime, in hours: OrderHours = .regular
    ) -> OrderDraft {
        var draft = OrderDraft(.limitIfTouched, for: time.working, in: hours)
        draft.template.auxPrice = prices.touch
        draft.template.lmtPrice = prices.limit
        return draft
    }

    // MARK: Worked by the broker

    /// Worked by an algorithm over the day in regular hours, at the market or at `limit` or better.
    /// Algorithms take no stops: this is the only builder that has one.
    public static func worked(
        by algorithm: OrderAlgorithm, limit: DecimalValue? = nil
    ) -> OrderDraft {
        var draft = OrderDraft(limit == nil ? .market : .limit, for: .day)
        draft.template.lmtPrice = limit
        draft.template.algoStrategy = algorithm.strategy
        draft.template.algoParams = algorithm.parameters
        return draft
    }
}

extension OrderDraft {
    /// The terms with conditions; the last ones given count.
    ///
    /// - Throws: when a condition says nothing that could hold.
    public func when(_ conditions: OrderConditions) throws(OrderRefusal) -> OrderDraft {
        var draft = self
        try conditions.apply(to: &draft.template)
        return draft
    }

    /// The terms in a group in which a fill cancels or reduces the others.
    public func inGroup(_ group: OCAGroup) -> OrderDraft {
        var draft = self
        group.apply(to: &draft.template)
        return draft
    }

    /// The terms with other prices to release it than the instrument's usual ones.
    ///
    /// - Throws: when the order waits for no price, or the method is none that is known.
    public func triggered(by method: TriggerMethod) throws(OrderRefusal) -> OrderDraft {
        if case .unknown(let code) = method {
            throw .outOfRange(field: "triggerMethod", DecimalValue(Int64(code)))
        }
        guard template.orderType.waitsForPrice else {
            throw .outOfRange(field: "triggerMethod", DecimalValue(Int64(method.code)))
        }
        var draft = self
        draft.template.triggerMethod = method
        return draft
    }
}

/// A price that releases an order, and the worst it takes then.
public struct StopLimit: Hashable, Sendable {
    /// The price that releases it.
    public var stop: DecimalValue
    /// The worst price it takes.
    public var limit: DecimalValue

    /// A limit behind a stop.
    public init(stop: DecimalValue, limit: DecimalValue) {
        self.stop = stop
        self.limit = limit
    }
}

/// A better price that releases an order, and the worst it takes then.
public struct TouchLimit: Hashable, Sendable {
    /// The price that releases it.
    public var touch: DecimalValue
    /// The worst price it takes.
    public var limit: DecimalValue

    /// A limit behind a touch.
    public init(touch: DecimalValue, limit: DecimalValue) {
        self.touch = touch
        self.limit = limit
    }
}

/// How far a trailing stop is behind the market.
public enum TrailDistance: Hashable, Sendable {
    /// An amount of the currency, more than 0.
    case amount(DecimalValue)
    /// Percent of the price, more than 0 and less than 100.
    case percent(DecimalValue)
}

/// How a trailing stop follows the market.
public struct Trail: Hashable, Sendable {
    /// How far behind.
    public var distance: TrailDistance
    /// The stop price it begins with; `nil`: from the market as it is then.
    public var start: DecimalValue?

    /// A stop at a distance.
    public init(by distance: TrailDistance, from start: DecimalValue? = nil) {
        self.distance = distance
        self.start = start
    }
}

/// How a trailing stop with a limit follows the market. It begins with a stop price of its own.
public struct TrailLimit: Hashable, Sendable {
    /// How far behind.
    public var distance: TrailDistance
    /// The stop price it begins with.
    public var start: DecimalValue
    /// How far beyond the stop its limit is, 0 or more.
    public var limitOffset: DecimalValue

    /// A stop at a distance, with a limit beyond it.
    public init(by distance: TrailDistance, from start: DecimalValue, limitOffset: DecimalValue) {
        self.distance = distance
        self.start = start
        self.limitOffset = limitOffset
    }
}

extension Order {
    fileprivate mutating func trail(_ trail: Trail) {
        trailStopPrice = trail.start
        switch trail.distance {
        case .amount(let amount): auxPrice = amount
        case .percent(let percent): trailingPercent = percent
        }
    }
}
