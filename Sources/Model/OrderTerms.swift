public import Primitives

/// The terms on which a strategy wants an order: how it finds its price, for how long it works and in
/// which hours.
///
/// Only builders make one, and each takes only what goes together. Those whose price has to come
/// take the hours in which they work; what trades at the market or in an auction works in regular
/// hours, since the broker takes it then only.
///
/// ```swift
/// context.enter(.buy, id, using: .limit(price, for: .day), because: "cheap enough")
/// context.exit(id, using: .marketNow, because: "bad news")
/// ```
public struct OrderTerms: Hashable, Codable, Sendable, BitwiseCopyable {
    /// How the order finds its price.
    public let type: OrderType
    /// How long it works.
    public let timeInForce: TimeInForce
    /// In which hours it works; `nil`: as configured.
    public let hours: Hours?
    /// Whether the run's execution window decides when it goes.
    public let isLeftToWindow: Bool

    /// The hours in which an order works.
    public enum Hours: Hashable, Codable, Sendable, BitwiseCopyable {
        /// The session's regular hours.
        case regular
        /// These, and those before and after them in which the market trades.
        case extended
    }

    /// How long an order rests that waits for its price: a stop cannot be immediate.
    public enum RestingTime: Hashable, Codable, Sendable, BitwiseCopyable {
        /// Until the end of the session it first takes part in.
        case day
        /// Until it fills or is cancelled.
        case goodTillCancelled
        /// Until this timestamp, which it does not live to see.
        case goodTillDate(Timestamp)
    }

    private init(
        _ type: OrderType, _ timeInForce: TimeInForce = .day, _ hours: Hours? = .regular,
        isLeftToWindow: Bool = false
    ) {
        self.type = type
        self.timeInForce = timeInForce
        self.hours = hours
        self.isLeftToWindow = isLeftToWindow
    }

    /// At the market in the run's execution window, for the day.
    public static var market: OrderTerms { OrderTerms(.market, isLeftToWindow: true) }

    /// At the market at once, whatever the execution window, for the day.
    public static var marketNow: OrderTerms { OrderTerms(.market) }

    /// At `price` or better; for the day, unless set otherwise.
    public static func limit(
        _ price: Price, for time: TimeInForce = .day, in hours: Hours? = nil
    ) -> OrderTerms {
        OrderTerms(.limit(price), time, hours)
    }

    /// At the market once the price has traded at or through `price`; until it is cancelled, unless
    /// set otherwise: it may be all that protects a position.
    public static func stop(
        _ price: Price, for time: RestingTime = .goodTillCancelled, in hours: Hours? = nil
    ) -> OrderTerms {
        OrderTerms(.stop(price), time.timeInForce, hours)
    }

    /// At `limit` or better once the price has traded at or through `stop`; until it is cancelled,
    /// unless set otherwise.
    public static func stopLimit(
        stop: Price, limit: Price, for time: RestingTime = .goodTillCancelled,
        in hours: Hours? = nil
    ) -> OrderTerms {
        OrderTerms(.stopLimit(stop: stop, limit: limit), time.timeInForce, hours)
    }

    /// A stop that follows the price at a distance; until it is cancelled, unless set otherwise.
    public static func trailingStop(
        by offset: TrailingOffset, for time: RestingTime = .goodTillCancelled,
        in hours: Hours? = nil
    ) -> OrderTerms {
        OrderTerms(.trailingStop(offset), time.timeInForce, hours)
    }

    /// At the price of the next opening auction it is in time for.
    public static var marketOnOpen: OrderTerms { OrderTerms(.marketOnOpen) }

    /// At the price of the next opening auction it is in time for, if that is `price` or better.
    public static func limitOnOpen(_ price: Price) -> OrderTerms { OrderTerms(.limitOnOpen(price)) }

    /// At the price of the next closing auction it is in time for.
    public static var marketOnClose: OrderTerms { OrderTerms(.marketOnClose) }

    /// At the price of the next closing auction it is in time for, if that is `price` or better.
    public static func limitOnClose(_ price: Price) -> OrderTerms {
        OrderTerms(.limitOnClose(price))
    }

    /// The terms of an order, as a strategy would have named them.
    package init(of request: OrderRequest) {
        self.init(
            request.type, request.timeInForce, request.outsideRTH ? .extended : .regular)
    }

    /// The terms with each of their prices replaced, a trailing amount too.
    package func mapPrices(_ replacement: (Price) -> Price) -> OrderTerms {
        OrderTerms(
            type.mapPrices(replacement), timeInForce, hours, isLeftToWindow: isLeftToWindow)
    }

    /// What is left to the execution window, as an order for the day that trades at the market or in
    /// an auction.
    package func placed(_ placement: MarketPlacement) -> OrderTerms {
        precondition(isLeftToWindow, "explicit terms go as said")
        return OrderTerms(placement.type, isLeftToWindow: true)
    }
}

extension OrderTerms {
    /// Saved terms. Throws when no builder makes such.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        type = try container.decode(OrderType.self, forKey: .type)
        timeInForce = try container.decode(TimeInForce.self, forKey: .timeInForce)
        hours = try container.decodeIfPresent(Hours.self, forKey: .hours)
        isLeftToWindow = try container.decode(Bool.self, forKey: .isLeftToWindow)
        guard areSound else {
            throw DecodingError.dataCorruptedError(
                forKey: .type, in: container, debugDescription: "terms that do not go together")
        }
    }
}

extension OrderTerms {
    /// Whether a builder makes such terms.
    var areSound: Bool {
        let isForTheDay = timeInForce == .day && hours == .regular && !type.isPriced
        return type.goes(with: timeInForce, outsideRTH: hours != .regular)
            && (isForTheDay || !isLeftToWindow)
    }
}

/// Where an order without a price of its own trades.
package enum MarketPlacement: Hashable, Sendable {
    /// With whoever is there.
    case market
    /// In the session's opening auction.
    case openingAuction
    /// In the session's closing auction.
    case closingAuction

    fileprivate var type: OrderType {
        switch self {
        case .market: .market
        case .openingAuction: .marketOnOpen
        case .closingAuction: .marketOnClose
        }
    }
}

extension OrderTerms.RestingTime {
    fileprivate var timeInForce: TimeInForce {
        switch self {
        case .day: .day
        case .goodTillCancelled: .goodTillCancelled
        case .goodTillDate(let end): .goodTillDate(end)
        }
    }
}

/// How an order finds its price.
public enum OrderType: Hashable, Codable, Sendable, BitwiseCopyable {
    /// At whatever the market gives.
    case market
    /// At this price or better.
    case limit(Price)
    /// At the market once the price has traded at or through this one.
    case stop(Price)
    /// At `limit` or better once the price has traded at or through `stop`.
    case stopLimit(stop: Price, limit: Price)
    /// A stop that starts that far from the price at which the order begins to work, and then
    /// follows the price in the order's favour, never back.
    case trailingStop(TrailingOffset)
    /// At the price of the session's opening auction.
    case marketOnOpen
    /// At the price of the session's opening auction, if that is this one or better.
    case limitOnOpen(Price)
    /// At the price of the session's closing auction.
    case marketOnClose
    /// At the price of the session's closing auction, if that is this one or better.
    case limitOnClose(Price)
}

/// How far a trailing stop stays behind the price.
public enum TrailingOffset: Hashable, Codable, Sendable, BitwiseCopyable {
    /// By an amount a share; positive.
    case amount(Price)
    /// By a part of the price; above zero and below the whole.
    case percent(Percent)

    /// The distance from `price`, rounded up to a price unit.
    ///
    /// - Parameter price: within what an edge accepts; so is the distance, if the offset is.
    public func distance(from price: Price) -> Price {
        switch self {
        case .amount(let amount): return amount
        case .percent(let percent):
            let product = Int128(price.units.magnitude) * Int128(percent.units)
            let whole = Int128(Percent.hundred.units)
            return Price(units: Int64(clamping: (product + whole - 1) / whole))
        }
    }
}

/// How long an order works. Explicit on every order: a venue's preset never decides.
public enum TimeInForce: Hashable, Codable, Sendable, BitwiseCopyable {
    /// Until the end of the session it first takes part in.
    case day
    /// Until it fills or is cancelled.
    case goodTillCancelled
    /// Until this timestamp, which it does not live to see.
    case goodTillDate(Timestamp)
    /// For the first price it meets; what that does not fill is cancelled.
    case immediateOrCancel
}

/// What an order is for. Halts, kills and working-time limits act on entries only.
public enum OrderPurpose: Hashable, Codable, Sendable, BitwiseCopyable {
    /// Opens or enlarges a position.
    case entry
    /// Reduces a position, at most to nothing.
    case exit
    /// Rests to reduce a position when its price comes, at most to nothing: a stop or a target.
    case protection
}

/// Orders of which one takes the place of the others: what one fills, the others lose.
///
/// This is "reduce with block", type 2 of IBKR's one-cancels-all groups. All are in one instrument.
public struct OrderGroupID: Hashable, Comparable, Codable, Sendable, BitwiseCopyable {
    /// The number, from 1.
    public let number: Int32

    /// The group of that number.
    public init(number: Int) { self.number = Int32(number) }

    /// Orders by age.
    public static func < (left: OrderGroupID, right: OrderGroupID) -> Bool {
        left.number < right.number
    }
}

extension OrderType {
    /// Whether it trades in an auction only.
    public var isAuction: Bool {
        switch self {
        case .marketOnOpen, .limitOnOpen, .marketOnClose, .limitOnClose: true
        case .market, .limit, .stop, .stopLimit, .trailingStop: false
        }
    }

    /// Whether a price or a distance belongs to it.
    @inlinable public var isPriced: Bool {
        switch self {
        case .market, .marketOnOpen, .marketOnClose: false
        case .limit, .stop, .stopLimit, .trailingStop, .limitOnOpen, .limitOnClose: true
        }
    }

    /// The worst price it may trade at, if it has one.
    public var limitPrice: Price? {
        switch self {
        case .limit(let price), .stopLimit(_, let price), .limitOnOpen(let price),
            .limitOnClose(let price):
            price
        case .market, .stop, .trailingStop, .marketOnOpen, .marketOnClose: nil
        }
    }

    /// The price that triggers it, if that stands from the start.
    public var stopPrice: Price? {
        switch self {
        case .stop(let price), .stopLimit(let price, _): price
        case .market, .limit, .trailingStop, .marketOnOpen, .limitOnOpen, .marketOnClose,
            .limitOnClose:
            nil
        }
    }

    /// Whether an order of this type can work for that long and in those hours.
    ///
    /// Auctions are held in regular hours, once, so their orders are for the day. A stop waits by
    /// its nature, so it cannot be immediate. Everything else goes together.
    public func goes(with timeInForce: TimeInForce, outsideRTH: Bool) -> Bool {
        switch (self, timeInForce) {
        case (.marketOnOpen, .day), (.limitOnOpen, .day), (.marketOnClose, .day),
            (.limitOnClose, .day):
            !outsideRTH
        case (.marketOnOpen, _), (.limitOnOpen, _), (.marketOnClose, _), (.limitOnClose, _): false
        case (.stop, .immediateOrCancel), (.stopLimit, .immediateOrCancel),
            (.trailingStop, .immediateOrCancel):
            false
        case (.market, _), (.limit, _), (.stop, _), (.stopLimit, _), (.trailingStop, _): true
        }
    }
}
