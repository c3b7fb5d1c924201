import Model
package import Primitives

/// What a broker offers for an order beyond what the engine asks for. The usual terms ask for nothing.
package struct BrokerTerms: Hashable, Sendable, BitwiseCopyable {
    /// What a fill does to the others of its group.
    package var groupRule = GroupRule.reduceWithBlock
    /// What its stop goes by; `nil`: as the venue's rules say.
    package var trigger: VenueRules.StopTrigger?
    /// True for a stop that waits for a better price: market if touched, limit if touched.
    package var isTouch = false
    /// Whether what a first fill at the market leaves goes on as a limit at its price.
    package var becomesLimit = false
    /// Where a trailing stop begins; `nil`: that far from the price it begins to work at.
    package var trailStart: Price?
    /// How far the limit of a trailing stop lies behind it; `nil`: it has none.
    package var limitOffset: Price?
    /// The least that its first fill may be; zero for any.
    package var minimumFill = Quantity.zero
    /// How much of it may have filled by now, in all: who sent it holds the rest back. It keeps its group, its
    /// parent and its end meanwhile.
    package var allowance = Quantity.magnitudeMax
    /// When it ends, if its time in force does not end it before.
    package var end = Timestamp.distantFuture

    /// The usual terms.
    package init() {}

    /// What a fill of one order of a group does to the others, by the names of IBKR's OCA types.
    package enum GroupRule: UInt8, Sendable, BitwiseCopyable {
        /// They are cancelled.
        case cancelWithBlock
        /// They lose as much at once, so that together they fill no more than one.
        case reduceWithBlock
        /// They lose as much afterwards: what meets the same price in the same moment fills whole.
        case reduceWithoutBlock
    }
}

/// How far an order has come at a broker.
package struct OrderProgress: Hashable, Sendable, BitwiseCopyable {
    /// What it has filled.
    package var filled = Quantity.zero
    /// What its group and its parent have taken from it.
    package var taken = Quantity.zero
    /// Whether it is a stop that was reached.
    package var isTriggered = false
    /// Where a trailing stop is; `nil` before its first price.
    package var trailStop: Price?
    /// Whether none of it works since its parent has filled nothing.
    package var isWaitingForParent = false

    /// Nothing yet.
    package init() {}
}

/// When orders in an instrument can trade.
package enum WorkingHours: Hashable, Sendable, BitwiseCopyable {
    /// In the calendar's sessions.
    case regular
    /// In the calendar's sessions; orders that say so from 04:00 New York time until four hours after the close,
    /// too.
    case extended
    /// From 18:00 New York time of the day before to 17:00, Monday to Friday.
    case roundTheClock
}
