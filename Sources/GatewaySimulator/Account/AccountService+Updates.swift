import Primitives
import TWSProtocol

/// A subscription to one account's values and positions.
struct AccountUpdates: Sendable {
    /// Who.
    let connection: ConnectionID
    /// Which of the ledgers.
    let ledger: Int
    /// The values that were published.
    var published = PublishedValues()
    /// The positions that were published.
    var portfolio: [InstrumentID: PortfolioValue] = [:]
}

/// A subscription to values by account and model.
struct MultiUpdates: Sendable {
    /// Who.
    let connection: ConnectionID
    /// Under which number.
    let reqId: RequestID
    /// Of which ledgers.
    let ledgers: [Int]
    /// Of which model.
    let modelCode: String
    /// Whether only values by currency and the net liquidation value are wanted.
    let isLedgerOnly: Bool
    /// The values that were published.
    var published = PublishedValues()
}

extension AccountService {
    /// Begins or ends a subscription to an account.
    mutating func answer(
        _ request: ReqAccountUpdates, from client: Client, at now: Timestamp, _ view: AccountView,
        into answers: inout Answers
    ) {
        let connection = client.connection
        guard request.subscribe else {
            guard let index = updates.firstIndex(where: { $0.connection == connection }) else {
                return
            }
            updates.remove(at: index)
            return answers.report(
                2100, "API client has been unsubscribed from account data.", about: nil,
                to: connection)
        }
        // A login with one account does not look at the name.
        let isOnly = ledgers.count == 1
        guard isOnly || request.acctCode != .none else {
            return refuse("The account code is required for this operation.", nil, client, &answers)
        }
        guard let index = isOnly ? 0 : self.index(of: request.acctCode) else {
            return refuse(
                "Invalid account code '\(request.acctCode.name)'.", nil, client, &answers)
        }
        guard !updates.contains(where: { $0.connection == connection && $0.ledger == index })
        else { return }
        takeOver(from: index, into: &answers)
        mark(view)
        var subscription = AccountUpdates(connection: connection, ledger: index)
        let rows = ledgers.map { $0.rows(at: now) }
        publish(&subscription, rows, at: now, view, into: &answers)
        updates.append(subscription)
        var end = AccountDownloadEnd()
        end.accountName = ledgers[index].settings.account
        answers.send(.accountDownloadEnd(end), to: connection)
    }

    /// A gateway follows one account at a time: who received another receives nothing more.
    private mutating func takeOver(from ledger: Int, into answers: inout Answers) {
        for other in updates where other.ledger != ledger {
            answers.report(
                2100,
                "New account data requested from TWS.  API client has been unsubscribed from "
                    + "account data.", about: nil, to: other.connection)
        }
        updates.removeAll { $0.ledger != ledger }
    }

    /// Begins a subscription to values by account and model.
    mutating func answer(
        _ request: ReqAccountUpdatesMulti, from client: Client, at now: Timestamp,
        _ view: AccountView, into answers: inout Answers
    ) {
        guard
            !multiUpdates.contains(where: {
                $0.connection == client.connection && $0.reqId == request.reqId
            })
        else {
            return answers.report(
                322, "Error processing request.-'b4' : cause - Duplicate ticker id",
                about: request.reqId.rawValue, to: client.connection)
        }
        guard let indexes = indexes(of: request.account) else {
            return refuse("Invalid account code", request.reqId, client, &answers)
        }
        mark(view)
        var subscription = MultiUpdates(
            connection: client.connection, reqId: request.reqId, ledgers: indexes,
            modelCode: request.modelCode, isLedgerOnly: request.ledgerAndNLV)
        publish(&subscription, ledgers.map { $0.rows(at: now) }, into: &answers)
        multiUpdates.append(subscription)
        var end = AccountUpdateMultiEnd()
        end.reqId = request.reqId
        answers.send(.accountUpdateMultiEnd(end), to: client.connection)
    }

    /// Publishes what is new of an account: values, positions, the time.
    func publish(
        _ subscription: inout AccountUpdates, _ rows: [[AccountRow]], at now: Timestamp,
        _ view: AccountView, into answers: inout Answers
    ) {
        let ledger = ledgers[subscription.ledger]
        let account = ledger.settings.account
        let connection = subscription.connection
        var isNews = false
        for row in rows[subscription.ledger] where subscription.published.isNews(row, of: account) {
            var value = WireAccountValue()
            (value.key, value.value, value.currency) = (row.key, row.value, row.currency)
            value.accountName = account
            answers.send(.accountValue(value), to: connection)
            isNews = true
        }
        for holding in ledger.holdings {
            let instrument = holding.position.instrument
            let line = ledger.portfolioValue(of: holding, view)
            let former = subscription.portfolio[instrument.id]
            // What was closed before anybody asked is published only where it was closed today.
            let isRequested =
                former != nil || line.position != .zero || holding.realizedToday != .zero
            guard isRequested, former != line else { continue }
            subscription.portfolio[instrument.id] = line
            answers.send(.portfolioValue(line), to: connection)
            isNews = true
        }
        guard isNews else { return }
        var time = AccountUpdateTime()
        time.timeStamp = WireClock.hourAndMinute(now)
        answers.send(.accountUpdateTime(time), to: connection)
    }

    /// Publishes what is new of values by account and model.
    func publish(
        _ subscription: inout MultiUpdates, _ rows: [[AccountRow]], into answers: inout Answers
    ) {
        for index in subscription.ledgers {
            let account = ledgers[index].settings.account
            for row in rows[index] {
                let isRequested =
                    !subscription.isLedgerOnly || row.isLedger || row.key == "NetLiquidation"
                guard isRequested, subscription.published.isNews(row, of: account) else { continue }
                var value = AccountUpdateMulti()
                value.reqId = subscription.reqId
                value.account = account
                value.modelCode = subscription.modelCode
                (value.key, value.value, value.currency) = (row.key, row.value, row.currency)
                answers.send(.accountUpdateMulti(value), to: subscription.connection)
            }
        }
    }

    /// The places a request means by an account's name: all for none or `All`.
    func indexes(of account: AccountID) -> [Int]? {
        if account == .none || account == "All" { return Array(ledgers.indices) }
        return index(of: account).map { [$0] }
    }

    /// Refuses a request that names something that is not there.
    func refuse(
        _ cause: String, _ reqId: RequestID?, _ client: Client, _ answers: inout Answers
    ) {
        answers.report(
            321, "Error validating request.-'b4' : cause - \(cause)", about: reqId?.rawValue,
            to: client.connection)
    }
}

extension AccountLedger {
    /// A holding as account updates report it.
    fileprivate func portfolioValue(
        of holding: AccountHolding, _ view: AccountView
    ) -> PortfolioValue {
        let position = holding.position
        var line = PortfolioValue()
        line.contract = position.instrument.contract(view)
        line.position = DecimalValue(position.quantity)
        line.marketPrice = DecimalValue(position.mark)
        line.marketValue = .amount(position.value)
        line.averageCost = .amount(AccountMath.money(position.averageCost))
        line.unrealizedPNL = position.quantity == .zero ? .zero : .amount(position.unrealized)
        line.realizedPNL = .amount(holding.realizedToday)
        line.accountName = settings.account
        return line
    }
}

extension WireClock {
    /// New York's wall clock as `hh:mm`.
    fileprivate static func hourAndMinute(_ timestamp: Timestamp) -> String {
        let minute = Int(clock(timestamp).second) / 60
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }
}
