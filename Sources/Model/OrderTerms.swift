public import Primitives

/// How an order finds its price.
public enum OrderType: Hashable, Sendable, BitwiseCopyable {
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
public enum TrailingOffset: Hashable, Sendable, BitwiseCopyable {
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
public enum TimeInForce: Hashable, Sendable, BitwiseCopyable {
    /// Until the end of the session it first takes part in.
    case day
    /// Until it fills or is cancelled.
    case goodTillCancelled
    /// Until this instant, which it does not live to see.
    case goodTillDate(Timestamp)
    /// For the first price it meets; what that does not fill is cancelled.
    case immediateOrCancel
}

/// What an order is for. Halts, kills and working-time limits act on entries only.
public enum OrderPurpose: Hashable, Sendable, BitwiseCopyable {
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
public struct OrderGroupID: Hashable, Comparable, Sendable, BitwiseCopyable {
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
    public func goes(with timeInForce: TimeInForce, outsideHours: Bool) -> Bool {
        switch (self, timeInForce) {
        case (.marketOnOpen, .day), (.limitOnOpen, .day), (.marketOnClose, .day),
            (.limitOnClose, .day):
            !outsideHours
        case (.marketOnOpen, _), (.limitOnOpen, _), (.marketOnClose, _), (.limitOnClose, _): false
        case (.stop, .immediateOrCancel), (.stopLimit, .immediateOrCancel),
            (.trailingStop, .immediateOrCancel):
            false
        case (.market, _), (.limit, _), (.stop, _), (.stopLimit, _), (.trailingStop, _): true
        }
    }
}
