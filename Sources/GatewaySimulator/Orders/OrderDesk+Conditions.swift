import Model
import Primitives
import TWSProtocol

/// What must hold before an order works, or cancels it.
extension OrderDesk {
    /// Looks whether an order's conditions hold. Once they did, they count as met.
    mutating func lookAtConditions(of order: DeskOrder) {
        let terms = order.request.order
        guard !terms.conditions.isEmpty, order.stage == .accepted,
            !order.watch.areConditionsMet || terms.conditionsCancelOrder
        else { return }
        let isLooking =
            terms.conditionsIgnoreRth
            || hours.window(at: now, for: order.listing.hours, outside: false).start <= now
        guard isLooking, holds(terms.conditions, for: order) else { return }
        if terms.conditionsCancelOrder {
            return end(order, .cancelled, because: .condition)
        }
        order.watch.areConditionsMet = true
        markStale(order)
        touch(order)
    }

    /// Whether conditions hold together: `and` binds them closer than `or`.
    private func holds(_ conditions: [OrderCondition], for order: DeskOrder) -> Bool {
        var doAllHold = true
        for (index, condition) in conditions.enumerated() {
            doAllHold = doAllHold && holds(condition, for: order)
            let isLastOfGroup =
                index == conditions.count - 1 || condition.conjunction == .or
            guard isLastOfGroup else { continue }
            if doAllHold { return true }
            doAllHold = true
        }
        return false
    }

    private func holds(_ condition: OrderCondition, for order: DeskOrder) -> Bool {
        switch condition {
        case .time(let own):
            guard let instant = DeskHours.instant(own.time) else { return false }
            return own.isMore ? now >= instant : now <= instant
        case .margin(let own):
            let cushion = world.cushion(order.account)
            return own.isMore ? cushion >= own.percent : cushion <= own.percent
        case .execution: return order.watch.hasSeenExecution
        case .price(let own):
            guard let seen = price(of: own, order), let bound = own.price.price else {
                return false
            }
            return own.isMore ? seen >= bound : seen <= bound
        case .volume(let own):
            guard let id = book.id(ofConId: own.conId) else { return false }
            let volume = world.standing(id).volume
            let bound = DecimalValue(own.volume)
            return own.isMore ? DecimalValue(volume) >= bound : DecimalValue(volume) <= bound
        case .percentChange(let own):
            guard let id = book.id(ofConId: own.conId) else { return false }
            return isChange(own, in: world.standing(id))
        }
    }

    private func price(of condition: PriceCondition, _ order: DeskOrder) -> Price? {
        guard let id = book.id(ofConId: condition.conId) else { return nil }
        let tape = tapes[Int(id.index)]
        switch condition.triggerMethod {
        case .standard, .last, .doubleLast, .lastOrBidAsk, .unknown: return tape.last
        case .bidAsk, .doubleBidAsk: return condition.isMore ? tape.quote?.bid : tape.quote?.ask
        case .midpoint: return tape.quote?.middle
        }
    }

    private func isChange(_ condition: PercentChangeCondition, in market: StandingMarket) -> Bool {
        guard let last = market.last, let close = market.previousClose, close > .zero else {
            return false
        }
        let change = (Double(last.units) / Double(close.units) - 1) * 100
        let bound = Double(condition.changePercent)
        return condition.isMore ? change >= bound : change <= bound
    }

    /// Tells orders that wait for an execution in an instrument that there was one.
    mutating func meetExecutionConditions(of filled: DeskOrder) {
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
            order.watch.hasSeenExecution = true
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

extension DeskRefusal {
    /// The conditions that cancel an order hold.
    static let condition = DeskRefusal(202, "Order Canceled - reason:Condition met")
}

extension OrderCondition {
    /// The number of the contract whose market it looks at.
    var watchedContract: ContractID? {
        switch self {
        case .price(let own): own.conId
        case .volume(let own): own.conId
        case .percentChange(let own): own.conId
        case .time, .margin, .execution: nil
        }
    }
}
