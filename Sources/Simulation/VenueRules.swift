package import MarketState
package import Primitives

/// How the simulated venue treats orders.
package struct VenueRules: Sendable {
    /// What executions cost.
    package var commission: CommissionSchedule
    /// How much worse than the market's price an order at the market fills.
    package var slippage: SlippageModel
    /// The part of a bar's volume that all orders in an instrument together may take; `nil` for all
    /// they want.
    package var participation: Percent?
    /// When a limit order fills.
    package var limitFill: LimitFill
    /// Which bars belong to one session: a day order lives for one.
    package var calendar: SessionCalendar

    /// When a limit order fills.
    package enum LimitFill: String, CaseIterable, Sendable {
        /// When the market trades beyond its price: being first in the queue is not assumed.
        case through
        /// When the market trades at its price.
        case touch
    }

    /// Rules without costs and with unlimited volume.
    package init(calendar: SessionCalendar) {
        commission = .none
        slippage = .none
        limitFill = .through
        self.calendar = calendar
    }
}
