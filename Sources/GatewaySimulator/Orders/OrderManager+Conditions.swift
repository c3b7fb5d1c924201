import Model
import Primitives
import Simulation
import TWSProtocol

/// What must hold before an order works, or cancels it.
extension OrderManager {
    /// Looks whether an order's conditions hold. Once they did, they count as met.
    mutating func lookAtConditions(of order: ManagedOrder) {
        let terms = order.request.order
        guard !terms.conditions.isEmpty, order.stage == .accepted,
            !order.monitor.areConditionsMet || terms.conditionsCancelOrder
        else { return }
        let isLooking =
            terms.conditionsIgnoreRth
            || window(of: order.listing, outside: false).start <= now
        guard isLooking, isMet(terms.conditions, for: order) else { return }
        if terms.conditionsCancelOrder {
            return end(order, .cancelled, because: .condition)
        }
        order.monitor.areConditionsMet = true
        markStale(order)
        touch(order)
    }

    /// Whether conditions hold together: `and` binds them closer than `or`.
    private func isMet(_ conditions: [OrderCondition], for order: ManagedOrder) -> Bool {
        var areAllMet = true
        for (index, condition) in conditions.enumerated() {
            areAllMet = areAllMet && isMet(condition, for: order)
            let isLastOfGroup =
                index == conditions.count - 1 || condition.conjunction == .or
            guard isLastOfGroup else { continue }
            if areAllMet { return true }
            areAllMet = true
        }
        return false
    }

    private func isMet(_ condition: OrderCondition, for order: ManagedOrder) -> Bool {
        switch condition {
        case .time(let own):
            guard let timestamp = own.time.orderTimestamp else { return false }
            return own.isMore ? now >= timestamp : now <= timestamp
        case .margin(let own):
            let cushion = dependencies.cushion(order.account)
            return own.isMore ? cushion >= own.percent : cushion <= own.percent
        case .execution: return order.monitor.hasSeenExecution
        case .price(let own):
            guard let seen = price(of: own, order), let bound = own.price.price else {
                return false
            }
            return own.isMore ? seen >= bound : seen <= bound
        case .volume(let own):
            guard let id = contracts.id(ofConId: own.conId) else { return false }
            let volume = dependencies.snapshot(id).volume
            let bound = DecimalValue(own.volume)
            return own.isMore ? DecimalValue(volume) >= bound : DecimalValue(volume) <= bound
        case .percentChange(let own):
            guard let id = contracts.id(ofConId: own.conId) else { return false }
            return isChange(own, in: dependencies.snapshot(id))
        }
    }

    private func price(of condition: PriceCondition, _ order: ManagedOrder) -> Price? {
        guard let id = contracts.id(ofConId: condition.conId) else { return nil }
        let cursor = snapshots[Int(id.index)]
        switch condition.triggerMethod {
        case .standard, .last, .doubleLast, .lastOrBidAsk, .unknown: return cursor.last
        case .bidAsk, .doubleBidAsk: return condition.isMore ? cursor.quote?.bid : cursor.quote?.ask
        case .midpoint: return cursor.quote?.middle
        }
    }

    private func isChange(_ condition: PercentChangeCondition, in market: InstrumentSnapshot)
        -> Bool
    {
        guard let last = market.last, let close = market.previousClose, close > .zero else {
            return false
        }
        let change = (Double(last.units) / Double(close.units) - 1) * 100
        let bound = Double(condition.changePercent)
        return condition.isMore ? change >= bound : change <= bound
    }

    /// Notifies orders that wait for an execution in an instrument that there was one.
    mutating func meetExecutionConditions(of filled: ManagedOrder) {
        for order in live where order !== filled && !order.request.order.conditions.isEmpty {
            let waits = order.request.order.conditions.contains { condition in
                guard case .execution(let own) = condition else { return false }
                let contract = filled.request.contract
                return own.symbol == contract.symbol
                    && (own.secType == .none || own.secType == contract.secType)
                    && (own.exchange.isEmpty || own.exchange == "SMART"
                        || own.exchange == contract.exchange)
            }
            guard waits, order.stage == .accepted else { continue }
            order.monitor.hasSeenExecution = true
            markStale(order)
            conditionsToLookAt.append(order)
        }
    }

    /// Looks at the conditions of orders that an execution may have met.
    mutating func lookAtExecutionConditions() {
        let orders = conditionsToLookAt
        conditionsToLookAt.removeAll()
        for order in orders where !order.stage.isOver { lookAtConditions(of: order) }
    }
}

extension OrderRejection {
    /// The conditions that cancel an order hold.
    static let condition = OrderRejection(202, "Order Canceled - reason:Condition met")
}

extension OrderCondition {
    /// The number of the contract whose market it looks at.
    var monitoredContract: ContractID? {
        switch self {
        case .price(let own): own.conId
        case .volume(let own): own.conId
        case .percentChange(let own): own.conId
        case .time, .margin, .execution: nil
        }
    }
}
