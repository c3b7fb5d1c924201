import Primitives
import Simulation
import TWSProtocol

/// When orders work.
extension OrderManager {
    /// The hours an order works in, now or next.
    func window(of order: ManagedOrder) -> TradingWindow {
        if let window = order.window, now < window.end { return window }
        let window = window(of: order.listing, outside: order.plan.outside)
        order.window = window
        return window
    }

    /// The hours orders in a contract work in, now or next.
    func window(of listing: ListedContract, outside isOutside: Bool) -> TradingWindow {
        var clock = SessionClock(settings.rules.calendar)
        return clock.window(at: now, listing.hours.orders, outside: isOutside)
    }

    /// Whether an order's hours are now.
    func isOpen(_ order: ManagedOrder) -> Bool { window(of: order).start <= now }

    /// Sets when an order ends that names a duration.
    func setExpiry(of order: ManagedOrder) {
        guard let seconds = order.request.order.duration, seconds > 0 else {
            return order.expires = nil
        }
        order.expires = now + .seconds(Int64(seconds))
    }
}

extension TradingHours {
    /// When orders work.
    var orders: WorkingHours {
        switch self {
        case .stock: .extended
        case .stockOption, .index: .regular
        case .future, .forex, .abroad: .roundTheClock
        }
    }
}
