import Model
package import Primitives
package import TWSProtocol

// The wire's values in the engine's words.

extension BrokerOrderID {
    /// The number of an order that its client has numbered; `nil` for one entered by hand.
    init?(_ number: APIOrderID) {
        guard number != 0, number.rawValue != .max else { return nil }
        self.init(number: number.rawValue)
    }
}

extension PermanentID {
    /// The broker's number of an order; `nil` before it has one.
    init?(_ number: PermID) {
        guard number > 0 else { return nil }
        self.init(number: number.rawValue)
    }
}

extension Side {
    /// The side of an execution; `nil` for a word that is not known.
    init?(_ side: ExecutionSide) {
        switch side {
        case .bought: self = .buy
        case .sold: self = .sell
        case .none, .unknown: return nil
        }
    }
}

extension BrokerStatus {
    /// The status in the engine's words; `nil` for a word that is not known, which says nothing.
    init?(_ status: OrderStatus.Status) {
        switch status {
        case .apiPending, .pendingSubmit: self = .pendingSubmit
        case .pendingCancel: self = .pendingCancel
        case .preSubmitted: self = .preSubmitted
        case .submitted: self = .submitted
        case .apiCancelled: self = .apiCancelled
        case .cancelled: self = .cancelled
        case .filled: self = .filled
        case .inactive: self = .inactive
        case .none, .unknown: return nil
        }
    }

    /// Whether an order of that status has ended.
    var isEnd: Bool {
        switch self {
        case .apiCancelled, .cancelled, .filled: true
        case .pendingSubmit, .preSubmitted, .submitted, .pendingCancel, .inactive: false
        }
    }
}

extension OrderType {
    /// The type of an order on the wire; `nil` for one that the engine does not place.
    init?(_ order: Order) {
        let limit = order.lmtPrice?.price
        let auxiliary = order.auxPrice?.price
        let isAtOpen = order.tif == .atTheOpening
        switch order.orderType {
        case .market: self = isAtOpen ? .marketOnOpen : .market
        case .limit:
            guard let limit else { return nil }
            self = isAtOpen ? .limitOnOpen(limit) : .limit(limit)
        case .stop:
            guard let auxiliary else { return nil }
            self = .stop(auxiliary)
        case .stopLimit:
            guard let auxiliary, let limit else { return nil }
            self = .stopLimit(stop: auxiliary, limit: limit)
        case .trailingStop:
            if let percent = order.trailingPercent?.percent {
                self = .trailingStop(.percent(percent))
            } else if let auxiliary {
                self = .trailingStop(.amount(auxiliary))
            } else {
                return nil
            }
        case .marketOnClose: self = .marketOnClose
        case .limitOnClose:
            guard let limit else { return nil }
            self = .limitOnClose(limit)
        default: return nil
        }
    }
}

extension AccountValue.Key {
    /// The figure of one of the gateway's keys; `nil` for one from which nothing follows.
    init?(wire key: String) {
        switch key {
        case "NetLiquidation": self = .netLiquidation
        case "TotalCashValue": self = .totalCash
        case "SettledCash": self = .settledCash
        case "BuyingPower": self = .buyingPower
        case "AvailableFunds": self = .availableFunds
        case "ExcessLiquidity": self = .excessLiquidity
        case "InitMarginReq": self = .initialMargin
        case "MaintMarginReq": self = .maintenanceMargin
        case "TotalCashBalance": self = .ownCurrencyCash
        case "AccruedDividend": self = .accruedDividend
        case "AccruedCash": self = .accruedInterest
        case "UnrealizedPnL": self = .unrealizedProfit
        case "RealizedPnL": self = .realizedProfit
        case _: return nil
        }
    }
}

extension DecimalValue {
    /// The number as a price, rounded half to even beyond eight decimals; `nil` beyond what an edge accepts.
    package var roundedPrice: Price? {
        guard let units = roundedUnits(digits: Price.digits),
            units.magnitude <= Price.magnitudeMax.units.magnitude
        else { return nil }
        return Price(units: units)
    }

    /// The number as an amount of money, rounded half to even; `nil` beyond what records can have.
    package var money: Money? {
        guard let units = roundedUnits(digits: Money.digits), units.magnitude <= 1 << 61 else {
            return nil
        }
        return Money(units: units)
    }

    /// The number as a percentage, rounded half to even; `nil` beyond what can be expressed.
    var percent: Percent? { roundedUnits(digits: Percent.digits).map { Percent(units: $0) } }

    /// A percentage, exactly.
    init(_ percent: Percent) { self = DecimalValue(percent.description) ?? .zero }
}
