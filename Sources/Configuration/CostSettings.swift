package import Primitives

/// Section `backtest.commission`: what an execution costs.
package enum CommissionSettings: Hashable, Sendable {
    /// The broker's fixed schedule for US shares.
    case ibkrFixed
    /// The broker's tiered schedule for US shares.
    case ibkrTiered
    /// So much for each share; an order costs `minimum` at least and `maximum` of its value at most.
    case perShare(rate: Money, minimum: Money, maximum: Percent?)
    /// A part of the value, at least `minimum`.
    case percent(Percent, minimum: Money)
    /// So much for each order.
    case perOrder(Money)
    /// Nothing.
    case none

    private enum Schedule: String, CaseIterable {
        case ibkrFixed = "ibkr_fixed"
        case ibkrTiered = "ibkr_tiered"
        case perShare = "per_share"
        case percent
        case perOrder = "per_order"
        case none
    }

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        let schedule = section.value(
            "schedule", .choice(), default: Schedule.ibkrFixed, "what an execution costs")
        let perShare = section.when("schedule", schedule, is: .perShare) {
            $0.required("per_share_usd", .money(.from(0, to: 1_000)), "for each share")
        }
        let percent = section.when("schedule", schedule, is: .percent) {
            $0.required("percent_pct", .percent(.from(0, to: 100), of: "the value"), "of the value")
        }
        let minimum = section.when("schedule", schedule, is: .perShare, .percent) {
            $0.value(
                "minimum_usd", .money(.from(0, to: 1_000_000)), default: .zero,
                "the least an order costs")
        }
        let maximum = section.when("schedule", schedule, is: .perShare) {
            $0.optional(
                "maximum_pct", .percent(.above(0, to: 100), of: "the value"),
                "the most an order costs")
        }
        let perOrder = section.when("schedule", schedule, is: .perOrder) {
            $0.required("per_order_usd", .money(.from(0, to: 1_000_000)), "for each order")
        }
        self =
            switch schedule {
            case .ibkrFixed: .ibkrFixed
            case .ibkrTiered: .ibkrTiered
            case .perShare: .perShare(rate: perShare, minimum: minimum, maximum: maximum)
            case .percent: .percent(percent, minimum: minimum)
            case .perOrder: .perOrder(perOrder)
            case .none: .none
            }
    }
}

/// Section `backtest.slippage`: how much worse than the market's price an order trades.
package enum SlippageSettings: Hashable, Sendable {
    /// Not at all.
    case none
    /// So much for each share.
    case fixed(Price)
    /// A part of the price.
    case proportional(Percent)
    /// Half of what lies between bid and ask; a part of the price where there are no quotes.
    case halfSpread(otherwise: Percent)
    /// A part of the price that grows with the square of the order's share of a bar's volume; this much
    /// when the order is as large as the bar. Of that share no more counts than `shareMax`.
    case volumeShare(coefficient: Percent, shareMax: Percent)

    private enum Model: String, CaseIterable {
        case none
        case fixed
        case bps
        case halfSpread = "half_spread"
        case volumeShare = "volume_share"
    }

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        let model = section.value(
            "model", .choice(), default: Model.halfSpread,
            "how much worse than the market orders trade")
        let proportion = section.when("model", model, is: .bps, .halfSpread) {
            $0.value(
                "bps", .basisPoints(.from(0, to: 10_000), of: "the price"),
                default: Percent(units: 5 * Percent.unitsPerOne / 100),
                "of the price; with half_spread, where there are no quotes")
        }
        let amount = section.when("model", model, is: .fixed) {
            $0.required("amount_usd", .perShare(.from(0, to: 10_000)), "for each share")
        }
        let coefficient = section.when("model", model, is: .volumeShare) {
            $0.required(
                "coefficient", .ratio(.from(0, to: 1), of: "the price"),
                "of the price when an order is as large as the bar")
        }
        let shareMax = section.when("model", model, is: .volumeShare) {
            $0.value(
                "share_max_pct", .percent(.above(0, to: 100), of: "a bar's volume"),
                default: Percent(units: 25 * Percent.unitsPerOne / 10),
                "the largest share of a bar that counts")
        }
        self =
            switch model {
            case .none: .none
            case .fixed: .fixed(amount)
            case .bps: .proportional(proportion)
            case .halfSpread: .halfSpread(otherwise: proportion)
            case .volumeShare: .volumeShare(coefficient: coefficient, shareMax: shareMax)
            }
    }
}

/// Section `backtest.latency`: how long messages take.
package struct LatencySettings: Hashable, Sendable {
    /// From the exchange to us.
    package let marketData: Delay
    /// From us to the exchange.
    package let order: Delay
    /// From the exchange's answer to us.
    package let acknowledgement: Delay

    /// A delay, drawn anew for each message.
    package struct Delay: Hashable, Sendable {
        /// What every message takes.
        package let fixed: Duration
        /// The mean of what is added, exponentially distributed; zero adds nothing.
        package let extraMean: Duration
    }

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        marketData = Self.delay(&section, "market_data", "market data takes")
        order = Self.delay(&section, "order", "an order takes")
        acknowledgement = Self.delay(&section, "acknowledgement", "an answer takes")
    }

    private static func delay(
        _ section: inout SettingsReader, _ name: String, _ summary: String
    ) -> Delay {
        let range = 0...3_600_000
        return Delay(
            fixed: section.value(
                "\(name)_ms", .milliseconds(range), default: .zero, "what \(summary) at least"),
            extraMean: section.value(
                "\(name)_extra_ms", .milliseconds(range), default: .zero,
                "mean of what \(summary) beyond that, exponentially distributed"))
    }
}
