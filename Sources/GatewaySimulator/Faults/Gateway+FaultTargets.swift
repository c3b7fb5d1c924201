import Model
import Primitives
import TWSProtocol

/// What faults name: symbols, prices, orders, fills and accounts.
extension Gateway {
    /// What a fault is about: what it names, what was ordered last, or SPY.
    func listing(_ symbol: String?) throws(FaultRefusal) -> ListedContract {
        if symbol == nil, let last = orderAudit.lastContract,
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
    func price(
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

    /// The orders of a choice.
    func orders(_ choice: OrderChoice) -> [ManagedOrder] {
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

    /// An order as somebody else gives it.
    func order(
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

    /// A fill by its name, or the last one.
    func execution(_ name: String?) throws(FaultRefusal) -> ManagedExecution {
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

    /// Every stock there is.
    var stocks: [InstrumentID] {
        contracts.listed.filter { $0.contract.secType == .stock }.map(\.id)
    }

    // MARK: What is done to them

    /// Does something at the order manager, and publishes what came of it.
    func atOrderManager(
        _ action: (inout OrderManager) throws(OrderManagerFault) -> Void
    ) throws(FaultRefusal) {
        defer { publishOrderNotes() }
        do throws(OrderManagerFault) {
            try action(&orderManager)
        } catch {
            throw FaultRefusal(error.description)
        }
    }

    /// Books a change at an account.
    func book(
        _ change: AccountService.Change, at account: AccountID
    ) throws(FaultRefusal) {
        do throws(AccountFault) {
            try book(change, for: account)
        } catch {
            throw FaultRefusal(error.description)
        }
    }

    /// Books a change at every account that holds an instrument.
    func book(
        _ change: AccountService.Change, whereHeld id: InstrumentID
    ) throws(FaultRefusal) {
        for ledger in accounts.ledgers {
            guard let held = ledger.position(of: id), held.quantity != .zero else { continue }
            try book(change, at: ledger.settings.account)
        }
    }
}
