import Model
import Primitives
import TWSProtocol

/// What the broker, the exchange and other people do to orders.
extension Gateway {
    /// Performs an action at the order manager, and publishes what came of it.
    func atOrderManager(_ action: () throws(OrderManagerFault) -> Void) throws(FaultRefusal) {
        defer { publishOrderNotes() }
        do throws(OrderManagerFault) {
            try action()
        } catch {
            throw FaultRefusal(error.description)
        }
    }

    // MARK: What actions name

    /// What an action is about: what it names, what was ordered last, or SPY.
    func listing(_ symbol: String?) throws(FaultRefusal) -> ListedContract {
        if symbol == nil, let last = faults.orderAudit.lastContract,
            let found = try? contracts.resolve(last)
        {
            return found
        }
        let name = symbol ?? "SPY"
        let found = contracts.listed.first {
            $0.contract.symbol == name && $0.contract.secType == .stock
                && $0.contract.currency == "USD"
        }
        guard let found = found ?? contracts.listed.first(where: { $0.contract.symbol == name })
        else {
            throw FaultRefusal("there is no '\(name)' at this gateway: name a symbol it lists")
        }
        return found
    }

    /// A price that is given, or the market's.
    private func price(
        _ given: DecimalValue?, of id: InstrumentID
    ) throws(FaultRefusal) -> Price {
        if let given {
            guard let price = given.price else {
                throw FaultRefusal("\(given) is no price: at most 8 decimals, at most 100000000")
            }
            return price
        }
        let market = instrumentSnapshot(id)
        guard let price = market.last ?? market.quote?.ask ?? market.previousClose else {
            throw FaultRefusal(
                "\(contracts[id].contract.symbol) has no price in this market: name a 'price'")
        }
        return price
    }

    private func chosen(_ choice: OrderChoice) -> [ManagedOrder] {
        let working = orderManager.live.filter {
            $0.stage == .accepted && !$0.isWaitingForParent && $0.remaining > .zero
        }
        switch choice {
        case .last: return Array(working.suffix(1))
        case .oldest: return Array(working.prefix(1))
        case .each: return working
        case .cancelled:
            let finished = orderManager.finished.last {
                $0.stage == .cancelled && $0.remaining > .zero
            }
            return finished.map { [$0] } ?? []
        }
    }

    // MARK: Other people

    private func order(
        _ side: FaultSide, _ quantity: Int, _ limit: DecimalValue?
    ) -> TWSProtocol.Order {
        var order = TWSProtocol.Order()
        order.action = side == .buy ? .buy : .sell
        order.totalQuantity = DecimalValue(Int64(quantity))
        order.orderType = limit == nil ? .market : .limit
        order.lmtPrice = limit
        order.tif = .goodTillCancelled
        order.account = settings.accounts.first ?? .none
        return order
    }

    /// Somebody else orders.
    func enter(_ fault: OrderFault) throws(FaultRefusal) {
        let contract = try listing(fault.symbol).contract
        let order = order(fault.side, fault.quantity, fault.limit)
        try atOrderManager { () throws(OrderManagerFault) in
            try orderManager.enter(contract, order, for: fault.client)
        }
    }

    /// Somebody else trades.
    func trade(_ fault: TradeFault) throws(FaultRefusal) {
        let listed = try listing(fault.symbol)
        let price = try price(fault.price, of: listed.id)
        let order = order(fault.side, fault.quantity, nil)
        try atOrderManager { () throws(OrderManagerFault) in
            try orderManager.trade(listed.contract, order, at: price, for: fault.client)
        }
    }

    // MARK: The broker

    /// The broker fills orders.
    func fill(_ fault: FillFault) throws(FaultRefusal) {
        for order in chosen(fault.orders) {
            let limit = order.request.order.lmtPrice?.price
            let price =
                try fault.price == nil && limit != nil
                ? limit ?? .zero : price(fault.price, of: order.instrument)
            let whole = Double(order.remaining.units) / Double(Quantity.unitsPerOne)
            let part = Quantity(shares: max(1, Int64((whole * fault.share).rounded(.down))))
            let quantity = fault.share == 1 ? order.remaining : min(part, order.remaining)
            try atOrderManager { () throws(OrderManagerFault) in
                try orderManager.execute(order.permID, quantity, at: price)
            }
        }
    }

    /// The broker cancels orders.
    func cancel(_ fault: CancelFault) throws(FaultRefusal) {
        for order in chosen(fault.orders) {
            try atOrderManager { () throws(OrderManagerFault) in
                try orderManager.cancelAtBroker(order.permID, reason: fault.reason ?? "")
            }
        }
    }

    /// A fill is corrected.
    func correct(_ fault: CorrectFault) throws(FaultRefusal) {
        let execution = try execution(fault.execution)
        var price: Price?
        if let given = fault.price {
            price = try self.price(given, of: execution.order.instrument)
        } else if fault.quantity == nil {
            price = execution.price + Price(cents: 1)
        }
        try atOrderManager { () throws(OrderManagerFault) in
            try orderManager.correct(
                execution.id, price: price,
                quantity: fault.quantity.map { Quantity(shares: Int64($0)) })
        }
    }

    /// A fill is taken back.
    func bust(_ fault: BustFault) throws(FaultRefusal) {
        let id = try execution(fault.execution).id
        try atOrderManager { () throws(OrderManagerFault) in
            try orderManager.correct(id, quantity: .zero)
        }
    }

    private func execution(_ name: String?) throws(FaultRefusal) -> ManagedExecution {
        guard let name else {
            guard let last = orderManager.executions.last(where: { $0.quantity > .zero }) else {
                throw FaultRefusal("there is no fill yet")
            }
            return last
        }
        let root = WireExecutionID(name)?.root
        guard let found = orderManager.executions.last(where: { $0.root == root }) else {
            throw FaultRefusal("there is no fill '\(name)'; {\"do\":\"ledger\"} tells them")
        }
        return found
    }

    /// Shares are hard to borrow, or found.
    func setHardToBorrow(_ fault: BorrowFault) throws(FaultRefusal) {
        var ids = contracts.listed.filter { $0.contract.secType == .stock }.map(\.id)
        if fault.symbol != nil { ids = [try listing(fault.symbol).id] }
        for id in ids { orderManager.setHardToBorrow(id, !fault.isFound) }
        publishOrderNotes()
    }

    /// The next order numbers are lower.
    func rollBack(_ fault: RollBackFault) {
        var clients = faults.orderAudit.clients
        if let client = fault.client { clients = [client] }
        for client in clients {
            let next = Int(orderManager.nextValidID(for: client).rawValue) - fault.count
            orderManager.setNextValidID(
                APIOrderID(rawValue: Int32(clamping: max(1, next))), for: client)
        }
    }
}
