import Model
import Primitives
import Simulation
import TWSProtocol

/// What clients receive.
///
/// Every `openOrder` is followed by an `orderStatus`. A fill is reported by `execDetails`, the order's new
/// state and the commission; the fill that completes an order has its last state twice, the second time with
/// the commission, as live gateways do.
extension OrderManager {
    /// Reports a code.
    mutating func report(
        _ refusal: OrderRejection, about id: Int32, to audience: OrderNote.Audience,
        of order: ManagedOrder? = nil
    ) {
        if let order, !link.isUp { return link.keep(order, refusal) }
        var message = ErrorMessage()
        message.id = id
        message.errorCode = refusal.code
        message.errorString = refusal.text
        notes.append(OrderNote(audience: audience, message: .error(message)))
    }

    /// Publishes every order whose state is another than was published.
    mutating func publishTouched() {
        for order in touched {
            order.isTouched = false
            refresh(order)
            guard order.stage != .untransmitted, order.stage != .underWay,
                status(message: order) != order.lastReported
            else { continue }
            if order.isCancelAsked, order.lastReported != nil {
                publishStatus(of: order)
            } else {
                publishState(of: order)
            }
        }
        touched.removeAll(keepingCapacity: true)
    }

    /// Publishes an order with everything known of it, and where it stands.
    mutating func publishState(of order: ManagedOrder, as word: OrderStatus.Status? = nil) {
        guard link.isUp else { return retouch(order) }
        let audience = OrderNote.Audience.subscribers(of: order.clientID)
        notes.append(OrderNote(audience: audience, message: .openOrder(open(order, as: word))))
        var message = status(message: order)
        if let word { message.status = word }
        notes.append(OrderNote(audience: audience, message: .orderStatus(message)))
        order.lastReported = message
    }

    /// Publishes where an order stands.
    private mutating func publishStatus(of order: ManagedOrder) {
        guard link.isUp else { return retouch(order) }
        let message = status(message: order)
        notes.append(
            OrderNote(audience: .subscribers(of: order.clientID), message: .orderStatus(message)))
        order.lastReported = message
    }

    /// Notes that something about an order is to be reported once that is possible.
    private mutating func retouch(_ order: ManagedOrder) { link.remember(order) }

    // MARK: Fills

    /// Publishes a fill and what follows from it.
    mutating func publishFill(_ index: Int) {
        let order = executions[index].order
        guard link.isUp else { return retouch(order) }
        publishExecution(index)
        publishState(of: order)
        if order.stage == .filled { publishState(of: order) }
        publishCommission(index)
    }

    /// Publishes a fill as it is now.
    mutating func publishExecution(_ index: Int) {
        executions[index].isReported = true
        let message = details(of: executions[index])
        notes.append(
            OrderNote(
                audience: .subscribers(of: executions[index].order.clientID),
                message: .execDetails(message)))
    }

    /// Publishes what a fill cost.
    mutating func publishCommission(_ index: Int) {
        executions[index].isCommissionReported = true
        notes.append(
            OrderNote(
                audience: .subscribers(of: executions[index].order.clientID),
                message: .commissionAndFeesReport(Self.report(on: executions[index]))))
    }

    /// A fill's message, live.
    func details(of execution: ManagedExecution) -> ExecDetails {
        let order = execution.order
        var message = ExecDetails()
        message.orderId = order.orderID
        message.contract = Self.answered(order.request.contract)
        message.execId = execution.id
        message.time = WireClock.time(execution.time)
        message.account = order.account
        message.executionExchange = execution.exchange
        message.side = order.side == .buy ? .bought : .sold
        message.shares = DecimalValue(execution.quantity)
        message.price = DecimalValue(execution.price)
        message.permId = order.permID
        message.clientId = order.clientID
        message.cumQty = DecimalValue(execution.cumulative)
        message.avgPrice = DecimalValue(execution.average)
        message.orderRef = order.request.order.orderRef
        message.lastLiquidity = execution.liquidity
        if order.isLiquidation { message.liquidation = 1 }
        return message
    }

    /// A commission's message.
    static func report(on execution: ManagedExecution) -> CommissionAndFeesReport {
        var message = CommissionAndFeesReport()
        message.execId = execution.id
        message.commission = DecimalValue(execution.commission)
        message.currency = execution.order.listing.contract.currency
        message.realizedPNL = execution.realized.map { DecimalValue($0) }
        return message
    }

    // MARK: Orders

    /// Where an order stands.
    func status(of order: ManagedOrder) -> OrderStatus.Status {
        switch order.stage {
        case .untransmitted: return .pendingSubmit
        case .inactive: return .inactive
        case .filled: return .filled
        case .cancelled: return .cancelled
        case .apiCancelled: return .apiCancelled
        case .underWay: return order.isCancelAsked ? .pendingCancel : .pendingSubmit
        case .accepted:
            if order.isCancelAsked { return .pendingCancel }
            if order.filled > .zero { return .submitted }
            let isReleased = !order.plan.isTriggered || order.monitor.isReleased
            let isHeld = order.sent?.terms.allowance ?? .zero <= .zero || order.isWaitingForParent
            return !isHeld && isReleased && isOpen(order) ? .submitted : .preSubmitted
        }
    }

    /// Where an order stands, as a message.
    func status(message order: ManagedOrder) -> OrderStatus {
        var message = OrderStatus()
        message.orderId = order.orderID
        message.status = status(of: order)
        message.filled = DecimalValue(order.filled)
        message.remaining = DecimalValue(order.remaining)
        message.avgFillPrice = DecimalValue(order.averagePrice)
        message.permId = order.permID
        message.parentId = order.request.order.parentId
        message.lastFillPrice = DecimalValue(order.lastPrice)
        message.clientId = order.clientID
        message.whyHeld = whyHeld(order)
        return message
    }

    private func whyHeld(_ order: ManagedOrder) -> String {
        guard order.stage == .accepted else { return "" }
        var reasons: [String] = []
        if order.isLocating { reasons.append("locate") }
        if order.isWaitingForParent { reasons.append("child") }
        if order.plan.isTriggered, !order.monitor.isReleased, order.filled == .zero {
            reasons.append("trigger")
        }
        return reasons.joined(separator: ",")
    }

    /// An order with everything known of it.
    func open(_ order: ManagedOrder, as word: OrderStatus.Status? = nil) -> OpenOrder {
        var message = OpenOrder(of: order.request)
        message.contract = Self.answered(order.request.contract)
        message.orderId = order.orderID
        message.clientId = order.clientID
        message.permId = order.permID
        message.order.totalQuantity = DecimalValue(order.total)
        message.order.transmit = true
        Self.state(absences: &message.order)
        if let stop = order.monitor.trailStop {
            message.order.trailStopPrice = DecimalValue(stop)
            message.adjustedTrailStopPrice = DecimalValue(stop)
        }
        message.orderState.status = word ?? status(of: order)
        if order.filled > .zero, hasReportedCommission(order) {
            message.orderState.commission = DecimalValue(order.commission)
            message.orderState.commissionCurrency = order.listing.contract.currency
        }
        return message
    }

    /// Whether an order that is open or has just filled is reported with its commission: not the first time.
    private func hasReportedCommission(_ order: ManagedOrder) -> Bool {
        order.lastReported?.filled == DecimalValue(order.filled)
    }

    /// Gateways name what an order has not, in the attributes that may name a second type.
    static func state(absences order: inout Order) {
        if order.volatilityTerms.deltaNeutralOrderType == .none {
            order.volatilityTerms.deltaNeutralOrderType = .statedNone
        }
        if order.adjusted.adjustedOrderType == .none {
            order.adjusted.adjustedOrderType = .statedNone
        }
    }

    /// A contract as answers about orders have it.
    static func answered(_ contract: Contract) -> Contract {
        var contract = contract
        contract.primaryExchange = ""
        contract.strike = contract.strike ?? .zero
        return contract
    }

    /// Answers what an order would need and cost: one `openOrder`, no status.
    mutating func publishWhatIf(
        _ checked: CheckedOrder, _ preview: WhatIfPreview, _ proposal: OrderProposal,
        to client: Client
    ) {
        var message = OpenOrder(of: checked.request)
        message.contract = Self.answered(checked.request.contract)
        message.clientId = client.id
        Self.state(absences: &message.order)
        var state = WireOrderState()
        state.status = .preSubmitted
        state.initMarginBefore = DecimalValue(preview.initialMargin.before)
        state.initMarginChange = DecimalValue(preview.initialMargin.change)
        state.initMarginAfter = DecimalValue(preview.initialMargin.after)
        state.maintMarginBefore = DecimalValue(preview.maintenanceMargin.before)
        state.maintMarginChange = DecimalValue(preview.maintenanceMargin.change)
        state.maintMarginAfter = DecimalValue(preview.maintenanceMargin.after)
        state.equityWithLoanBefore = DecimalValue(preview.equityWithLoan.before)
        state.equityWithLoanChange = DecimalValue(preview.equityWithLoan.change)
        state.equityWithLoanAfter = DecimalValue(preview.equityWithLoan.after)
        state.commission = DecimalValue(proposal.commission)
        state.commissionCurrency = checked.listing.contract.currency
        message.orderState = state
        notes.append(
            OrderNote(audience: .connection(client.connection), message: .openOrder(message)))
    }
}

extension DecimalValue {
    /// An amount of money, exactly.
    init(_ money: Money) {
        // In steps of a millionth, as prices are in steps of a hundred-millionth.
        let scaled = money.units.multipliedReportingOverflow(by: 100)
        if scaled.overflow {
            self = DecimalValue(money.units / Money.unitsPerOne)
        } else {
            self = DecimalValue(Price(units: scaled.partialValue))
        }
    }
}
