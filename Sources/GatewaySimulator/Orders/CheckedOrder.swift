import Model
import Primitives
import TWSProtocol

/// An order whose terms were found in order, as the order manager keeps them.
struct CheckedOrder: Hashable {
    /// What was asked for: with the contract as gateways print it, and what was left open filled in.
    var request: PlaceOrder
    /// What it is for.
    let listing: ListedContract
    /// Which way it goes.
    let side: Side
    /// How much; positive.
    let quantity: Quantity
    /// How it is worked.
    let plan: OrderPlan
    /// What is reported to the client although it is taken.
    var warnings: [OrderRejection] = []
}

extension OrderManager {
    /// Looks whether an order can be taken.
    ///
    /// - Throws: why not, as a gateway reports it.
    func check(_ request: PlaceOrder) throws(OrderRejection) -> CheckedOrder {
        let listing: ListedContract
        do throws(ContractRefusal) {
            listing = try contracts.resolve(request.contract, for: .order)
        } catch { throw OrderRejection(error.code, error.text) }
        guard listing.instrument.assetClass.isTradable else { throw .type }
        try Self.checkSupport(request)
        var request = request
        request.contract = Self.printed(listing.contract, asked: request.contract)
        if request.order.account == .none {
            guard settings.accounts.count == 1, let only = settings.accounts.first else {
                throw .noAccount
            }
            request.order.account = only
        } else if !settings.accounts.contains(request.order.account) {
            throw .invalid("Invalid account code '\(request.order.account.name)'.")
        }
        let side = try Self.side(of: request.order)
        let quantity = try quantity(of: request.order, listing)
        let plan = try OrderPlan(request.order)
        try checkTicks(plan, request.order, listing)
        try checkConditions(request.order)
        var checked = CheckedOrder(
            request: request, listing: listing, side: side, quantity: quantity, plan: plan)
        Self.fillIn(&checked)
        guard OrderManagerSnapshot.text(of: checked.request) != nil else {
            throw .invalid("Attributes that do not go together")
        }
        return checked
    }

    /// The contract as answers print it: with the exchange that was asked for.
    private static func printed(_ own: Contract, asked: Contract) -> Contract {
        var contract = own
        if !asked.exchange.isEmpty { contract.exchange = asked.exchange }
        return contract
    }

    private static func checkSupport(_ request: PlaceOrder) throws(OrderRejection) {
        let order = request.order
        guard request.contract.secType != .combo, request.deltaNeutralContract == nil else {
            throw .type
        }
        guard order.hedgeType == .none else {
            throw .invalid("Hedging orders are not offered for this account")
        }
        guard order.scale.scalePriceIncrement == nil else {
            throw .invalid("Scale orders are not offered for this account")
        }
        switch order.adjusted.adjustedOrderType {
        case .none, .statedNone: break
        default: throw .invalid("Adjusted orders are not offered for this account")
        }
        guard order.cashQty == nil || order.cashQty == .zero else {
            throw OrderRejection(10244, "Cash Quantity cannot be used for this order")
        }
    }

    private static func side(of order: Order) throws(OrderRejection) -> Side {
        switch order.action {
        case .buy: return .buy
        case .sell, .sellShort: return .sell
        case .none, .unknown: throw .action
        }
    }

    private func quantity(
        of order: Order, _ listing: ListedContract
    ) throws(OrderRejection) -> Quantity {
        guard let stated = order.totalQuantity, stated != .zero else { throw .zeroSize }
        guard stated > .zero else { throw .invalid("The order size cannot be negative") }
        guard stated <= DecimalValue(OrderManagerSettings.sizeMax) else { throw .size }
        guard let quantity = stated.quantity else { throw .fractionOfType }
        // What it is worth must be money that can be reckoned.
        let units = Int128(quantity.units) * Int128(max(listing.instrument.multiplier, 1))
        let isReckoned =
            units <= Int128(OrderManagerSettings.sizeMax) * Int128(Quantity.unitsPerOne)
        guard isReckoned else { throw .size }
        guard !quantity.isWhole else { return quantity }
        switch listing.instrument.assetClass {
        case .stock, .etf: throw .fraction
        case .index, .future, .option, .forex: throw .fractionOfType
        }
    }

    /// Whether the prices of an order are on the contract's ticks. A trailing amount and the offset of a
    /// peg need not be.
    private func checkTicks(
        _ plan: OrderPlan, _ order: Order, _ listing: ListedContract
    ) throws(OrderRejection) {
        let prices: [Price?]
        switch plan.style {
        case .native(let type): prices = [type.limitPrice]
        case .stop(let price, let limit), .touch(let price, let limit): prices = [price, limit]
        case .trail: prices = [order.trailStopPrice?.price]
        case .peg(_, _, let cap): prices = [cap]
        case .marketToLimit, .snap: prices = []
        }
        for price in prices {
            guard let price else { continue }
            guard contracts.isOnTick(price, of: listing.id) else { throw .offTick }
            guard price > .zero || !listing.isShare else {
                throw .invalid("Please enter a positive price")
            }
        }
    }

    private func checkConditions(_ order: Order) throws(OrderRejection) {
        for condition in order.conditions {
            switch condition {
            case .price(let own): try checkKnown(own.conId)
            case .volume(let own): try checkKnown(own.conId)
            case .percentChange(let own): try checkKnown(own.conId)
            case .time(let own):
                guard own.time.orderTimestamp != nil else {
                    throw .invalid("Invalid time in condition")
                }
            case .margin, .execution: break
            }
        }
        guard
            order.goodAfterTime == .none || order.goodAfterTime.orderTimestamp != nil
        else {
            throw .invalid("Invalid goodAfterTime")
        }
    }

    private func checkKnown(_ number: ContractID) throws(OrderRejection) {
        guard contracts.id(ofConId: number) != nil else {
            throw .invalid("Invalid contract in condition: \(number)")
        }
    }

    /// Fills in what the order left open, as gateways do from their presets.
    private static func fillIn(_ checked: inout CheckedOrder) {
        if checked.request.order.tif == .none {
            checked.request.order.tif = .day
            checked.warnings.append(
                OrderRejection(10349, "Order TIF was set to DAY based on order preset."))
        }
        if checked.request.order.outsideRth, !checked.plan.outside {
            checked.request.order.outsideRth = false
            checked.warnings.append(
                OrderRejection(
                    2109,
                    "Order Event Warning:Attribute 'Outside Regular Trading Hours' is ignored based "
                        + "on the order type and destination. PlaceOrder is now being processed."))
        }
        if checked.request.order.ocaType == .none {
            checked.request.order.ocaType = .reduceWithoutBlock
        }
        if checked.request.order.clearingIntent.isEmpty {
            checked.request.order.clearingIntent = "IB"
        }
        checked.request.order.dontUseAutoPriceForHedge = true
        checked.request.order.lmtPrice = checked.request.order.lmtPrice ?? .zero
        checked.request.order.auxPrice = checked.request.order.auxPrice ?? .zero
    }
}

extension ListedContract {
    /// Whether its price cannot be below zero.
    var isShare: Bool {
        switch instrument.assetClass {
        case .stock, .etf, .option: true
        case .index, .future, .forex: false
        }
    }
}
