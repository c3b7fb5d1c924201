package import MarketState
import Model
package import Primitives

/// How a simulated broker and its exchange treat orders: all rules that can be chosen, for backtests and for
/// the gateway simulator alike.
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
    /// Whether an order that begins to work meets the quote that stands then. Otherwise it waits for the next
    /// one: what stood when a decision was made is gone by the time its order comes.
    package var meetsQuoteOnArrival = false
    /// Whether prices must be on the instrument's tick: not where the one who sends orders has looked at that.
    package var checksTicks = true
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

    /// What triggers a stop on the tape, by the names of IBKR's trigger methods. The price at which it stands is
    /// enough.
    package enum StopTrigger: String, CaseIterable, Sendable, BitwiseCopyable {
        /// A trade.
        case last
        /// Two trades in a row.
        case doubleLast = "double_last"
        /// The bid for a sale, the ask for a purchase.
        case bidAsk = "quote"
        /// Two quotes in a row.
        case doubleBidAsk = "double_quote"
        /// A trade, or the bid for a sale, the ask for a purchase.
        case lastOrBidAsk = "last_or_quote"
        /// The middle of bid and ask.
        case midpoint

        /// How many prices in a row have to reach the stop.
        var neededCount: UInt8 {
            switch self {
            case .last, .bidAsk, .lastOrBidAsk, .midpoint: 1
            case .doubleLast, .doubleBidAsk: 2
            }
        }

        /// Whether it goes by trades.
        var seesTrades: Bool {
            switch self {
            case .last, .doubleLast, .lastOrBidAsk: true
            case .bidAsk, .doubleBidAsk, .midpoint: false
            }
        }

        /// The price that a quote has for a stop of a side; `nil` where it has none, or trades count.
        func price(of quote: Quote, _ side: Side) -> Price? {
            switch self {
            case .last, .doubleLast: nil
            case .bidAsk, .doubleBidAsk, .lastOrBidAsk: side == .buy ? quote.ask : quote.bid
            case .midpoint: quote.middle
            }
        }
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
