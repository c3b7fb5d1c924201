import MarketState
import Model
import Primitives
import Simulation
import TWSProtocol

/// When orders work, and when they end by themselves.
extension OrderManager {
    /// The window of hours an order works in, now or next.
    func window(of order: ManagedOrder) -> OrderSessionHours.Window {
        if let window = order.window, now < window.end { return window }
        let window = hours.window(
            at: now, for: order.listing.hours, outside: order.plan.outside)
        order.window = window
        return window
    }

    /// Whether an order's hours are now.
    func isOpen(_ order: ManagedOrder) -> Bool { window(of: order).start <= now }

    /// When an order works no more by itself.
    func expiry(of order: ManagedOrder) -> Timestamp? {
        if order.plan.persistence == .auction { return auctionEnd(of: order) }
        var end: Timestamp?
        switch order.request.order.tif {
        case .goodTillDate: end = OrderSessionHours.timestamp(order.request.order.goodTillDate)
        case .goodTillCancelled, .goodTillCrossing: break
        case .none, .day, .immediateOrCancel, .atTheOpening, .fillOrKill, .dayTillCancelled,
            .auction, .unknown:
            end = window(of: order).end
        }
        if let seconds = order.request.order.duration, seconds > 0 {
            let limit = now + .seconds(Int64(seconds))
            end = min(end ?? limit, limit)
        }
        return end
    }
}

extension OrderManager {
    /// When the auction is over that an order is in time for.
    private func auctionEnd(of order: ManagedOrder) -> Timestamp {
        let calendar = settings.calendar
        let rules = venue.rules
        let day = calendar.day(of: now)
        let today = calendar.session(on: day)
        switch order.plan.style {
        case .native(.marketOnOpen), .native(.limitOnOpen):
            if let today, now <= today.open - rules.openingCutoff { return today.close }
            return calendar.nextSession(after: day).close
        case .native, .stop, .trail, .touch, .marketToLimit, .peg, .snap:
            if let today, now <= today.close - rules.closingCutoff {
                return calendar.dayEnd(of: today.day)
            }
            return calendar.dayEnd(of: calendar.nextSession(after: day).day)
        }
    }
}
