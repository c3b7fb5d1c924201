package import MarketState
package import Primitives

/// How the simulated venue treats orders.
package struct VenueRules: Sendable {
    /// What executions cost.
    package var commission: CommissionSchedule
    /// How much worse than the market's price an order at the market fills.
    package var slippage: SlippageModel
    /// How much an order at the market moves the price by its size; `nil` for not at all.
    package var impact: ImpactModel?
    /// The part of a bar's volume that all orders in an instrument together may take; `nil` for all
    /// they want. Of a trade on the tape it is that part of the trade's size.
    package var participation: Percent?
    /// When a limit order fills.
    package var limitFill: LimitFill
    /// What orders are matched with.
    package var matching: Matching
    /// In which order the prices of a bar are taken to have come.
    package var barPath: BarPath
    /// What triggers stops where orders are matched with quotes and trades.
    package var stopTrigger: StopTrigger
    /// How long before the open orders for the opening auction must be there. An hour or less.
    package var openingCutoff: Duration
    /// How long before the close orders for the closing auction must be there. An hour or less.
    package var closingCutoff: Duration
    /// Which bars belong to one session: a day order lives for one.
    package var calendar: SessionCalendar

    /// When a limit order fills.
    package enum LimitFill: String, CaseIterable, Sendable {
        /// When the market trades beyond its price: being first in the queue is not assumed.
        case through
        /// When the market trades at its price.
        case touch
    }

    /// What orders are matched with.
    package enum Matching: String, CaseIterable, Sendable {
        /// Bars. Quotes set the spread only.
        case bars
        /// Quotes and trades as they come. Bars are left alone.
        case ticks
    }

    /// In which order the prices of a bar are taken to have come.
    package enum BarPath: String, CaseIterable, Sendable {
        /// The order that is worst for the account: stops first, targets last.
        case pessimistic
        /// From the open to the extreme that is nearer to it (the low, if both are as near), to the
        /// other extreme, to the close.
        case ohlcPath = "ohlc_path"
    }

    /// What triggers a stop on the tape.
    package enum StopTrigger: String, CaseIterable, Sendable {
        /// A trade at or through its price.
        case last
        /// The bid for a sale, the ask for a purchase, at or through its price.
        case bidAsk = "quote"
    }

    /// Whether an order at the market may get a worse price than the market's.
    var worsensMarketPrices: Bool {
        switch slippage {
        case .none: impact != nil
        case .fixed, .basisPoints, .halfSpread, .volumeShare: true
        }
    }

    /// Rules without costs and with unlimited volume. Cut-offs are 2 minutes before the open, 10
    /// before the close, as the New York Stock Exchange has it; without sessions there are none.
    package init(calendar: SessionCalendar) {
        commission = .none
        slippage = .none
        limitFill = .through
        matching = .bars
        barPath = .pessimistic
        stopTrigger = .last
        switch calendar {
        case .always:
            openingCutoff = .zero
            closingCutoff = .zero
        case .newYork:
            openingCutoff = .minutes(2)
            closingCutoff = .minutes(10)
        }
        self.calendar = calendar
    }
}
