import MarketSimulation
import Primitives
import TWSProtocol

/// What happens to accounts and the market from outside, and to subscriptions.
extension Gateway {
    /// Shares are split, with what is held and, unless they are kept, without what rests.
    func split(_ fault: SplitFault) throws(FaultRefusal) {
        let listed = try listing(fault.symbol)
        var (new, old) = (fault.new, fault.old)
        if let near = fault.near {
            guard let targetPrice = near.price, targetPrice > .zero, let price = mark(listed.id)
            else {
                throw FaultRefusal("'near' needs a price above 0, and a market that has one")
            }
            new = Int(min(1_000, max(1, (price.units + targetPrice.units / 2) / targetPrice.units)))
            old = 1
        }
        guard new != old else { throw FaultRefusal("a split of \(new) for \(old) changes nothing") }
        guard market.split(listed.id, new, for: old) else {
            throw FaultRefusal("\(listed.contract.symbol) cannot be split \(new) for \(old)")
        }
        let ratio = AccountService.Change.split(listed.id, new: Int64(new), old: Int64(old))
        for account in accounts.ledgers.map(\.settings.account) {
            guard let held = accounts.ledger(of: account)?.position(of: listed.id),
                held.quantity != .zero
            else { continue }
            try change(ratio, of: account)
        }
        guard !fault.keepsOrders else { return }
        orderManager.cancelAtBroker(in: listed.id, reason: "corporate action")
        publishOrderNotes()
    }

    /// Money comes or goes.
    func move(_ fault: CashFault) throws(FaultRefusal) {
        guard let text = fault.amount?.description, let amount = try? Money(text) else {
            throw FaultRefusal("'amount' is no amount: at most 6 decimals, below 9000000000000")
        }
        let account = fault.account.map { AccountID($0) } ?? .none
        let currency = accounts.ledger(of: account)?.settings.currency ?? "USD"
        try change(
            .cash(.deposit, amount, currency: currency), of: account)
    }

    /// A dividend is paid on what is held.
    func pay(_ fault: DividendFault) throws(FaultRefusal) {
        let listed = try listing(fault.symbol)
        guard let perShare = fault.perShare?.price else {
            throw FaultRefusal("'per-share' is no price: at most 8 decimals, at most 100000000")
        }
        for account in accounts.ledgers.map(\.settings.account) {
            guard let held = accounts.ledger(of: account)?.position(of: listed.id),
                held.quantity != .zero
            else { continue }
            try change(.dividend(listed.id, perShare: perShare), of: account)
        }
    }

    /// Trading is halted, or goes on.
    func halt(_ fault: HaltFault) throws(FaultRefusal) {
        let id = try listing(fault.symbol).id
        market.setHalted(fault.isOn, id)
        faults.halted.removeAll { $0 == id }
        if fault.isOn { faults.halted.append(id) }
    }

    /// Data stop without a word, or go on.
    func freeze(_ fault: FreezeFault) throws(FaultRefusal) {
        var id: InstrumentID?
        if let symbol = fault.symbol { id = try listing(symbol).id }
        market.setSilent(fault.isOn, id)
    }

    /// Asking too fast is punished, or only counted.
    func setPacing(_ fault: PacingFault) {
        faults.punishesPacingViolations = fault.isStrict
        pacingAudit.limits.messagesPerSecond = fault.perSecond
        data.settings.refusesHistoryBreaches = fault.isStrict
    }

    /// Subscriptions end.
    func end(_ fault: StreamsFault) {
        switch fault.fate {
        case .dead: silence(fault.streams)
        case .failed: failHistoryUpdates(every: fault.every)
        case .lost: loseSubscriptions()
        case .reset: resetOrderBooks()
        }
    }

    /// Ends what was done to the market and to data.
    func healMarket() {
        market.setSilent(false, nil)
        for id in faults.halted { market.setHalted(false, id) }
        faults.halted = []
        setAccess(.live)
        faults.punishesPacingViolations = false
        let usual = PacingAudit.Limits()
        pacingAudit.limits.messagesPerSecond = usual.messagesPerSecond
        data.settings.refusesHistoryBreaches = GatewayDataSettings().refusesHistoryBreaches
    }

    /// Counts a message of a client; warns one that sends too fast, and in the end disconnects it.
    ///
    /// - Returns: whether its connection is still there.
    func passesPacingAudit(_ client: Client) -> Bool {
        guard
            case .tooMany(let received, let times) = pacingAudit.message(
                from: client.connection, at: now), faults.punishesPacingViolations
        else { return true }
        answers.report(
            100,
            "Max rate of messages per second has been exceeded:"
                + "max=\(pacingAudit.limits.messagesPerSecond) rec=\(received) (\(times))",
            about: nil, to: client.connection)
        guard times >= 3 else { return true }
        close(client.connection)
        return false
    }

    private func change(
        _ change: AccountService.Change, of account: AccountID
    ) throws(FaultRefusal) {
        do throws(AccountFault) {
            try book(change, for: account)
        } catch {
            throw FaultRefusal(error.description)
        }
    }
}
