import Model
import Primitives
package import TWSProtocol

/// What clients ask of orders.
extension OrderManager {
    /// A client asked for its open orders; client 0 gets orders entered by hand, too, and binds them.
    package mutating func listOpenOrders(for client: Client) {
        for order in listed where order.clientID == client.id {
            if client.id == 0, order.isManual { bind(order) }
            list(order, for: client)
        }
        answer(.openOrderEnd(OpenOrderEnd()), to: client)
    }

    /// A client asked for every client's open orders.
    package mutating func listAllOpenOrders(for client: Client) {
        for order in listed { list(order, for: client) }
        answer(.openOrderEnd(OpenOrderEnd()), to: client)
    }

    /// A client asked for orders entered by hand to be bound to it from now on.
    package mutating func bindManualOrders(_ isOn: Bool, for client: Client) {
        guard client.id == 0 else {
            return report(.autoBind, about: -1, to: .connection(client.connection))
        }
        bindsManualOrders = isOn
    }

    /// Gives an order entered by hand a number at client 0.
    mutating func bind(_ order: ManagedOrder) {
        guard order.isManual, order.orderID == 0 else { return }
        counters.boundOrder -= 1
        order.orderID = APIOrderID(rawValue: counters.boundOrder)
        byKey[OrderKey(client: order.clientID, order: order.orderID), default: []].append(order)
        order.lastReported?.orderId = order.orderID
        var bound = OrderBound()
        bound.permId = order.permID
        bound.clientId = order.clientID
        bound.orderId = order.orderID
        notes.append(OrderNote(audience: .client(0), message: .orderBound(bound)))
    }

    /// The orders that are listed as open: while the broker is not reached, those the gateway knew.
    private var listed: [ManagedOrder] {
        guard link.isUp else { return link.frozen.keys.sorted().compactMap { orders[$0] } }
        return live.filter { order in
            switch order.stage {
            case .accepted, .inactive: true
            case .untransmitted, .underWay, .filled, .cancelled, .apiCancelled: false
            }
        }
    }

    private mutating func list(_ order: ManagedOrder, for client: Client) {
        let known = link.isUp ? nil : link.frozen[order.number]
        answer(.openOrder(known?.order ?? open(order)), to: client)
        answer(.orderStatus(known?.status ?? status(message: order)), to: client)
    }

    private mutating func answer(_ message: GatewayMessage, to client: Client) {
        notes.append(OrderNote(audience: .connection(client.connection), message: message))
    }

    // MARK: Completed orders

    /// A client asked for the orders that ended today.
    package mutating func listCompletedOrders(_ request: ReqCompletedOrders, for client: Client) {
        let today = NewYork.day(at: now)
        for order in finished {
            guard let time = order.endedAt, NewYork.day(at: time) == today,
                order.stage != .apiCancelled, !(request.apiOnly && order.isManual),
                link.isUp || order.lastReported.map({ $0.status == status(of: order) }) ?? false
            else { continue }
            answer(.completedOrder(completed(order, at: time)), to: client)
        }
        answer(.completedOrdersEnd(CompletedOrdersEnd()), to: client)
    }

    private func completed(_ order: ManagedOrder, at time: Timestamp) -> CompletedOrder {
        var message = CompletedOrder()
        message.contract = Self.answered(order.request.contract)
        message.order = order.request.order
        message.order.totalQuantity = .zero
        Self.state(absences: &message.order)
        message.permId = order.permID
        message.status = status(of: order)
        message.filledQuantity = DecimalValue(order.filled)
        message.completedTime = WireClock.time(time)
        message.completedStatus = order.endText
        message.parentPermId = order.parent?.permID
        return message
    }

    // MARK: Executions

    /// A client asked for fills.
    package mutating func listExecutions(_ request: ReqExecutions, for client: Client) {
        let days = days(of: request)
        let since = request.time.orderTimestamp
        guard request.time == .none || since != nil else {
            var refusal = ErrorMessage()
            refusal.id = request.reqId.rawValue
            refusal.errorCode = 321
            refusal.errorString =
                "Error validating request.-'bX' : cause - Invalid time of the execution filter: "
                + request.time.description
            return answer(.error(refusal), to: client)
        }
        let chosen = executions.indices.filter { index in
            let execution = executions[index]
            return isKnown(execution) && days.contains(execution.time)
                && (since.map { execution.time >= $0 } ?? true) && Self.fits(execution, request)
        }
        for index in chosen {
            var message = details(of: executions[index])
            message.reqId = request.reqId
            answer(.execDetails(message), to: client)
        }
        for index in chosen {
            answer(.commissionAndFeesReport(Self.report(on: executions[index])), to: client)
        }
        var end = ExecDetailsEnd()
        end.reqId = request.reqId
        answer(.execDetailsEnd(end), to: client)
    }

    private func isKnown(_ execution: ManagedExecution) -> Bool {
        link.isUp || execution.isReported
    }

    /// The days asked for: today, some days back, or days by name.
    private func days(of request: ReqExecutions) -> ExecutionDays {
        guard request.specificDates.isEmpty else {
            return ExecutionDays(named: request.specificDates.map(\.date))
        }
        let back = max(min(Int(request.lastNDays ?? 1), OrderManagerSettings.daysKept), 1)
        let first = NewYork.day(at: now).advanced(by: 1 - back)
        return ExecutionDays(since: NewYork.timestamp(on: first, at: .zero))
    }

    private static func fits(_ execution: ManagedExecution, _ request: ReqExecutions) -> Bool {
        let order = execution.order
        let contract = order.request.contract
        let side: Side? =
            switch request.side {
            case .buy: .buy
            case .sell, .sellShort: .sell
            case .none, .unknown: nil
            }
        return (request.clientId == 0 || request.clientId == order.clientID)
            && (request.acctCode == .none || request.acctCode == order.account)
            && (request.symbol.isEmpty || request.symbol == contract.symbol)
            && (request.secType == .none || request.secType == contract.secType)
            && (request.exchange.isEmpty || request.exchange == execution.exchange
                || request.exchange == contract.exchange)
            && (side == nil || side == order.side)
    }

    /// Drops fills that are kept no more.
    mutating func dropExecutions(before oldest: Timestamp) {
        executions.removeFirst(executions.prefix { $0.time < oldest }.count)
    }
}

/// Days of New York whose fills are asked for.
private struct ExecutionDays {
    private var since = Timestamp.distantPast
    private var named: [Int32] = []

    init(since: Timestamp) { self.since = since }
    init(named: [Int32]) { self.named = named }

    func contains(_ timestamp: Timestamp) -> Bool {
        guard !named.isEmpty else { return timestamp >= since }
        let (year, month, day) = NewYork.day(at: timestamp).date
        return named.contains(Int32(year * 10_000 + month * 100 + day))
    }
}
