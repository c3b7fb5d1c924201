extension OrderDraft {
    /// The order as it is sent, its prices on the instrument's ladder.
    ///
    /// Buys' prices are rounded down and sells' up, of whatever kind:
    /// - a limit never becomes worse than asked for, and moves away from the market;
    /// - a stop, which is above the market for buys and below it for sells, moves towards the market: one
    ///   that protects is never further away than asked for, but may be released a step earlier;
    /// - a touched price moves away from the market.
    ///
    /// Distances are rounded down: a trailing stop follows no further behind than asked for. Their step
    /// is the one at the price they start from, or the coarsest of the ladder without such a price. A
    /// price on a step stays as it is.
    ///
    /// - Throws: when no price fits, a number makes no sense, or the order cannot go to the contract's
    ///   exchange.
    public func request(
        _ id: APIOrderID, for ticket: WireOrderTicket, in tradable: TradableContract
    ) throws(OrderRefusal) -> PlaceOrder {
        guard id > 0 else { throw .outOfRange(field: "orderId", DecimalValue(Int64(id.rawValue))) }
        if let exchange, tradable.contract.exchange != exchange {
            throw .wrongExchange(needed: exchange, given: tradable.contract.exchange)
        }
        var order = template
        order.action = ticket.side.action
        order.totalQuantity = ticket.quantity
        order.account = ticket.owner.account
        order.orderRef = ticket.owner.reference
        let snap = PriceSnap(ladder: tradable.ladder, side: ticket.side)
        try order.snapPrices(snap)
        try order.snapDistances(snap)
        try order.checkPegs()
        var request = PlaceOrder(id, tradable.contract, order)
        request.combo = tradable.combo
        return request
    }
}

/// Puts an order's prices on a ladder.
struct PriceSnap {
    let ladder: PriceLadder
    let side: OrderSide

    /// Down for buys, up for sells.
    func price(_ field: String, _ price: DecimalValue) throws(OrderRefusal) -> DecimalValue {
        let result =
            switch side {
            case .buy: ladder.roundedDown(price)
            case .sell: ladder.roundedUp(price)
            }
        guard let result else { throw .noStepFits(field: field, price) }
        return result
    }

    /// Down to whole steps at `start`.
    ///
    /// - Throws: for less than 0, and where nothing is left of it.
    func distance(
        _ field: String, _ distance: DecimalValue, from start: DecimalValue?
    ) throws(OrderRefusal) -> DecimalValue {
        let step = ladder.step(at: start)
        guard distance.isFinite, distance >= .zero,
            let result = distance.roundedDown(toMultipleOf: step)
        else { throw .outOfRange(field: field, distance) }
        guard result > .zero || distance == .zero else {
            throw .belowStep(field: field, distance, step: step)
        }
        return result
    }
}

extension WireOrderType {
    /// Whether a price has to be reached before it works.
    var waitsForPrice: Bool {
        auxiliary == .price || self == .trailingStop || self == .trailingStopLimit
    }

    /// What `auxPrice` means.
    fileprivate enum Auxiliary {
        case nothing
        case price
        case distance
    }

    fileprivate var auxiliary: Auxiliary {
        switch self {
        case .stop, .stopLimit, .marketIfTouched, .limitIfTouched: .price
        case .trailingStop, .trailingStopLimit, .relative, .peggedToMarket: .distance
        case .none, .statedNone, .market, .limit, .marketOnClose, .limitOnClose,
            .trailingMarketIfTouched, .trailingLimitIfTouched, .marketToLimit,
            .marketWithProtection, .stopWithProtection, .passiveRelative, .peggedToMidpoint,
            .peggedToBest, .peggedToBenchmark, .peggedToStock, .midPrice, .volatility,
            .limitAndMarket, .relativeAndLimit, .relativeAndMarket, .snapToMidpoint, .snapToMarket,
            .snapToPrimary, .boxTop, .unknown:
            .nothing
        }
    }
}

extension Order {
    fileprivate mutating func snapPrices(_ snap: PriceSnap) throws(OrderRefusal) {
        if let price = lmtPrice { lmtPrice = try snap.price("lmtPrice", price) }
        if let price = trailStopPrice { trailStopPrice = try snap.price("trailStopPrice", price) }
        if let price = auxPrice, orderType.auxiliary == .price {
            auxPrice = try snap.price("auxPrice", price)
        }
        if let price = auction.startingPrice {
            auction.startingPrice = try snap.price("startingPrice", price)
        }
    }

    fileprivate mutating func snapDistances(_ snap: PriceSnap) throws(OrderRefusal) {
        let start = trailStopPrice ?? lmtPrice
        if let distance = auxPrice, orderType.auxiliary == .distance {
            auxPrice = try snap.distance("auxPrice", distance, from: start)
            if orderType.waitsForPrice, auxPrice == .zero {
                throw .outOfRange(field: "auxPrice", .zero)
            }
        }
        if let offset = adjusted.lmtPriceOffset {
            adjusted.lmtPriceOffset = try snap.distance("lmtPriceOffset", offset, from: start)
        }
        if let percent = trailingPercent {
            guard percent > .zero, percent < 100 else {
                throw .outOfRange(field: "trailingPercent", percent)
            }
        }
        if let fraction = percentOffset {
            guard fraction >= .zero, fraction < 1 else {
                throw .outOfRange(field: "percentOffset", fraction)
            }
        }
    }

    fileprivate func checkPegs() throws(OrderRefusal) {
        let offsets = pegOffsets
        try Self.check("minTradeQty", offsets.minTradeQty.map { DecimalValue(Int64($0)) })
        try Self.check("minCompeteSize", offsets.minCompeteSize.map { DecimalValue(Int64($0)) })
        for (field, value) in [
            ("midOffsetAtWhole", offsets.midOffsetAtWhole),
            ("midOffsetAtHalf", offsets.midOffsetAtHalf),
        ] {
            if let value, !value.isFinite { throw .outOfRange(field: field, value) }
        }
        if let offset = offsets.competeAgainstBestOffset {
            // Infinity stands for the midpoint and comes with its offsets.
            guard offset >= .zero, offset.isFinite || offsets.midOffsetAtWhole != nil else {
                throw .outOfRange(field: "competeAgainstBestOffset", offset)
            }
        }
        guard orderType == .peggedToBenchmark else { return }
        guard benchmark.referenceContractId > 0 else {
            throw .missing(field: "referenceContractId")
        }
        guard !benchmark.referenceExchangeId.isEmpty else {
            throw .missing(field: "referenceExchangeId")
        }
        try Self.check("peggedChangeAmount", benchmark.peggedChangeAmount)
        try Self.check("referenceChangeAmount", benchmark.referenceChangeAmount)
        try Self.check("stockRefPrice", auction.stockRefPrice)
        try Self.check("stockRangeLower", auction.stockRangeLower)
        try Self.check("stockRangeUpper", auction.stockRangeUpper)
    }

    /// Refuses what is given and not a finite number above 0.
    private static func check(_ field: String, _ value: DecimalValue?) throws(OrderRefusal) {
        guard let value else { return }
        guard value.isFinite, value > .zero else { throw .outOfRange(field: field, value) }
    }
}
