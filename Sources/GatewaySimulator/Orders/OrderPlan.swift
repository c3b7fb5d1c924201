import Model
import Primitives
import Simulation
import TWSProtocol

/// How an order is worked: what of it the broker knows itself, and what is done here.
struct OrderPlan: Hashable {
    /// How it finds its price.
    let style: Style
    /// How long it works, as far as that is not a matter of time alone.
    let persistence: Persistence
    /// Whether it works outside regular hours.
    let outside: Bool
    /// How it is cut into slices; `nil` for not at all.
    var slicing: Slicing?
    /// The smallest fill that is taken; zero for any.
    var minimum = Quantity.zero
    /// What its stop goes by; `nil`: as the rules say.
    let trigger: VenueRules.StopTrigger?

    /// How an order finds its price.
    enum Style: Hashable {
        /// At the market, at a limit, or in an auction.
        case native(OrderType)
        /// A stop.
        case stop(Price, limit: Price?)
        /// A stop that follows the market. `limitOffset` is what the limit lies behind it.
        case trail(TrailingOffset, limitOffset: Price?)
        /// At the market, or at a limit, once a better price is touched.
        case touch(Price, limit: Price?)
        /// At the market; what is left at the price of the fill.
        case marketToLimit
        /// At a price that follows the quote, at most (or at least) `cap`.
        case peg(Anchor, offset: Price, cap: Price?)
        /// At the price that quote showed when it came.
        case snap(Anchor, offset: Price)
    }

    /// What of a quote a price follows.
    enum Anchor: Hashable {
        /// The best price of its own side.
        case ownSide
        /// The best price of the other side.
        case otherSide
        /// The middle.
        case middle
    }

    /// How long an order works.
    enum Persistence: Hashable {
        /// Until it fills, is cancelled or its time is over.
        case resting
        /// At once, as far as possible.
        case immediateOrCancel
        /// At once and whole, or not at all.
        case fillOrKill
        /// Until it can be filled whole, at once.
        case allOrNone
        /// In an auction.
        case auction
    }

    /// How an order is cut into slices over time.
    struct Slicing: Hashable {
        /// When it begins; `nil`: at once.
        let start: Timestamp?
        /// When all of it may have been filled; `nil`: with the session.
        let end: Timestamp?
    }

    /// Whether its price is that of a stop, a trigger, or waits for one.
    var isTriggered: Bool {
        switch style {
        case .stop, .trail, .touch: true
        case .native, .marketToLimit, .peg, .snap: false
        }
    }

    /// Whether its price follows quotes.
    var followsQuotes: Bool {
        if case .peg = style { true } else { false }
    }
}

extension OrderPlan {
    /// The plan of an order's attributes.
    ///
    /// - Throws: what of them is missing or does not go together.
    init(_ order: Order) throws(OrderRejection) {
        let persistence = try Self.persistence(of: order)
        style = try Self.style(of: order, persistence)
        self.persistence = persistence
        outside = order.outsideRth && Self.canWorkOutside(style)
        slicing = try Self.slicing(of: order)
        minimum = Quantity(shares: Int64(max(order.minQty ?? 0, 0)))
        trigger = Self.trigger(of: order)
        try check(order)
    }

    private func check(_ order: Order) throws(OrderRejection) {
        switch persistence {
        case .immediateOrCancel, .fillOrKill, .allOrNone:
            guard !isTriggered, slicing == nil else { throw .timeAgainstType }
        case .resting, .auction: break
        }
        guard slicing != nil || !order.algoStrategy.isEmpty else { return }
        switch style {
        case .native(.market), .native(.limit): break
        case .native, .stop, .trail, .touch, .marketToLimit, .peg, .snap: throw .algorithmType
        }
    }

    /// Orders at the market and in auctions trade in regular hours only.
    private static func canWorkOutside(_ style: Style) -> Bool {
        switch style {
        case .native(.market), .native(.marketOnOpen), .native(.limitOnOpen),
            .native(.marketOnClose), .native(.limitOnClose), .marketToLimit:
            false
        case .native, .stop, .trail, .touch, .peg, .snap: true
        }
    }

    private static func persistence(of order: Order) throws(OrderRejection) -> Persistence {
        switch order.orderType {
        case .marketOnClose, .limitOnClose:
            guard order.tif == .day || order.tif == .none else { throw .timeOfAuction }
            return .auction
        default: break
        }
        switch order.tif {
        case .none, .day, .goodTillCancelled, .dayTillCancelled: break
        case .goodTillDate:
            guard order.goodTillDate.orderTimestamp != nil else {
                throw .invalid(
                    "Invalid or missing goodTillDate; the format is yyyymmdd hh:mm:ss US/Eastern "
                        + "or yyyymmdd-hh:mm:ss in UTC")
            }
        case .immediateOrCancel: return .immediateOrCancel
        case .fillOrKill: return .fillOrKill
        case .atTheOpening: return .auction
        case .goodTillCrossing, .auction, .unknown: throw .timeAgainstType
        }
        return order.allOrNone ? .allOrNone : .resting
    }

    private static func style(
        of order: Order, _ persistence: Persistence
    ) throws(OrderRejection) -> Style {
        switch order.orderType {
        case .market, .marketWithProtection:
            return .native(persistence == .auction ? .marketOnOpen : .market)
        case .limit:
            let price = try required(order.lmtPrice, "limit price")
            return .native(persistence == .auction ? .limitOnOpen(price) : .limit(price))
        case .marketOnClose: return .native(.marketOnClose)
        case .limitOnClose:
            return .native(.limitOnClose(try required(order.lmtPrice, "limit price")))
        default: break
        }
        guard persistence != .auction else { throw .timeAgainstType }
        switch order.orderType {
        case .stop, .stopWithProtection:
            return .stop(try required(order.auxPrice, "stop price"), limit: nil)
        case .stopLimit:
            return .stop(
                try required(order.auxPrice, "stop price"),
                limit: try required(order.lmtPrice, "limit price"))
        case .trailingStop: return .trail(try trailing(order), limitOffset: nil)
        case .trailingStopLimit:
            return .trail(try trailing(order), limitOffset: try limitOffset(order))
        case .marketIfTouched:
            return .touch(try required(order.auxPrice, "trigger price"), limit: nil)
        case .limitIfTouched:
            return .touch(
                try required(order.auxPrice, "trigger price"),
                limit: try required(order.lmtPrice, "limit price"))
        case .marketToLimit: return .marketToLimit
        default: return try pegged(order)
        }
    }

    private static func pegged(_ order: Order) throws(OrderRejection) -> Style {
        let offset = (order.auxPrice?.price).map { min($0, .magnitudeMax) } ?? .zero
        let cap = order.lmtPrice?.price.flatMap { $0 > .zero ? $0 : nil }
        switch order.orderType {
        case .relative: return .peg(.ownSide, offset: offset, cap: cap)
        case .passiveRelative: return .peg(.ownSide, offset: -offset, cap: cap)
        case .peggedToMarket: return .peg(.otherSide, offset: -offset, cap: cap)
        case .peggedToMidpoint, .midPrice: return .peg(.middle, offset: .zero, cap: cap)
        case .peggedToBest:
            let own = order.pegOffsets.competeAgainstBestOffset
            // Infinity: up to the midpoint.
            if own == .infinity { return .peg(.middle, offset: .zero, cap: cap) }
            return .peg(.ownSide, offset: own?.price ?? Price(cents: 1), cap: cap)
        case .snapToMidpoint: return .snap(.middle, offset: .zero)
        case .snapToMarket: return .snap(.otherSide, offset: -offset)
        case .snapToPrimary: return .snap(.ownSide, offset: -offset)
        case .none: throw .invalid("Please enter a valid order type")
        default: throw .type
        }
    }

    private static func required(
        _ value: DecimalValue?, _ name: String
    ) throws(OrderRejection) -> Price {
        guard let value, value != .zero else { throw .invalid("Please enter a \(name)") }
        guard let price = value.price,
            price.units.magnitude <= OrderManagerSettings.priceMax.units.magnitude
        else { throw .offTick }
        return price
    }

    private static func trailing(_ order: Order) throws(OrderRejection) -> TrailingOffset {
        if let percent = order.trailingPercent, percent > .zero {
            guard let units = percent.price?.units, percent < 100 else {
                throw .invalid("Please enter a trailing percent below 100")
            }
            let rounded = Percent(units: units / (Price.unitsPerOne / Percent.unitsPerOne))
            guard rounded > .zero else {
                throw .invalid("Please enter a trailing percent of at least 0.000001")
            }
            return .percent(rounded)
        }
        let amount = try required(order.auxPrice, "trailing amount or percent")
        guard amount > .zero else { throw .invalid("Please enter a positive trailing amount") }
        return .amount(amount)
    }

    private static func limitOffset(_ order: Order) throws(OrderRejection) -> Price {
        if let offset = order.adjusted.lmtPriceOffset?.price { return offset }
        let limit = try required(order.lmtPrice, "limit price or limit price offset")
        let stop = try required(order.trailStopPrice, "trailing stop price")
        return order.action == .buy ? limit - stop : stop - limit
    }

    private static func trigger(of order: Order) -> VenueRules.StopTrigger? {
        switch order.triggerMethod {
        case .standard, .unknown: nil
        case .last: .last
        case .doubleLast: .doubleLast
        case .bidAsk: .bidAsk
        case .doubleBidAsk: .doubleBidAsk
        case .lastOrBidAsk: .lastOrBidAsk
        case .midpoint: .midpoint
        }
    }

    private static func slicing(of order: Order) throws(OrderRejection) -> Slicing? {
        switch order.algoStrategy {
        case "", "Adaptive", "ArrivalPx", "DarkIce", "PctVol", "ClosePx", "BalanceImpactRisk",
            "MinImpact":
            return nil
        case "Twap", "Vwap":
            let start = try timestamp(order.algoParams, "startTime")
            let end = try timestamp(order.algoParams, "endTime")
            if let start, let end, end <= start {
                throw OrderRejection(
                    441, "Algo attributes validation failed: endTime is not after startTime")
            }
            return Slicing(start: start, end: end)
        default: throw .algorithm
        }
    }

    private static func timestamp(
        _ parameters: [TagValue], _ tag: String
    ) throws(OrderRejection) -> Timestamp? {
        guard let text = parameters.first(where: { $0.tag == tag })?.value, !text.isEmpty
        else { return nil }
        guard let timestamp = WireTime(text: text).orderTimestamp else {
            throw OrderRejection(
                441, "Algo attributes validation failed: \(tag) is no time: \(text)")
        }
        return timestamp
    }
}
