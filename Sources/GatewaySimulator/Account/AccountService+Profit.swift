import Primitives
import TWSProtocol

/// A subscription to profit and loss.
struct ProfitUpdates: Sendable {
    /// Who.
    let connection: ConnectionID
    /// Under which number.
    let reqId: RequestID
    /// Of which ledger.
    let ledger: Int
    /// Of which position; `nil` for the whole account.
    let contract: ContractID?
    /// What was published last.
    var published: GatewayMessage?
}

extension AccountService {
    /// Begins a subscription to an account's profit and loss.
    mutating func answer(
        _ request: ReqPnL, from client: Client, _ view: AccountView, into answers: inout Answers
    ) {
        begin(request.reqId, request.account, nil, client, view, &answers)
    }

    /// Begins a subscription to a position's profit and loss.
    mutating func answer(
        _ request: ReqPnLSingle, from client: Client, _ view: AccountView,
        into answers: inout Answers
    ) {
        begin(request.reqId, request.account, request.conId, client, view, &answers)
    }

    /// Ends a subscription to profit and loss, of an account or of a position.
    mutating func cancelProfit(
        _ reqId: RequestID, isSingle: Bool, from client: Client, into answers: inout Answers
    ) {
        let index = profits.firstIndex {
            $0.connection == client.connection && $0.reqId == reqId
                && ($0.contract != nil) == isSingle
        }
        if let index {
            profits.remove(at: index)
        } else if isSingle {
            answers.report(
                10186, "Failed to cancel PNL single (not subscribed)", about: reqId.rawValue,
                to: client.connection)
        } else {
            answers.report(
                10185, "Failed to cancel PNL (not subscribed)", about: reqId.rawValue,
                to: client.connection)
        }
    }

    /// Publishes to who is subscribed which profits changed.
    mutating func publishProfits(_ view: AccountView, into answers: inout Answers) {
        guard !profits.isEmpty else { return }
        let figures = ledgers.map(\.figures)
        for index in profits.indices { publish(&profits[index], figures, view, &answers) }
    }

    private mutating func begin(
        _ reqId: RequestID, _ account: AccountID, _ contract: ContractID?, _ client: Client,
        _ view: AccountView, _ answers: inout Answers
    ) {
        guard account.name.contains(where: { $0 != " " }) else {
            return refuse("Account must not be empty", reqId, client, &answers)
        }
        guard let index = index(of: account) else {
            return refuse("Invalid account code", reqId, client, &answers)
        }
        let isRunning = profits.contains {
            $0.connection == client.connection && $0.reqId == reqId
                && ($0.contract == nil) == (contract == nil)
        }
        guard !isRunning else {
            return answers.report(
                102, "Duplicate ticker id", about: reqId.rawValue, to: client.connection)
        }
        mark(view)
        var subscription = ProfitUpdates(
            connection: client.connection, reqId: reqId, ledger: index, contract: contract)
        publish(&subscription, ledgers.map(\.figures), view, &answers)
        profits.append(subscription)
    }

    private func publish(
        _ subscription: inout ProfitUpdates, _ figures: [AccountFigures], _ view: AccountView,
        _ answers: inout Answers
    ) {
        let message =
            if let contract = subscription.contract {
                single(contract, subscription, view)
            } else {
                whole(figures[subscription.ledger], subscription)
            }
        guard let message, message != subscription.published else { return }
        subscription.published = message
        answers.send(message, to: subscription.connection)
    }

    private func whole(
        _ figures: AccountFigures, _ subscription: ProfitUpdates
    ) -> GatewayMessage? {
        var message = Pnl()
        message.reqId = subscription.reqId
        message.dailyPnL = .amount(figures.dailyProfit)
        message.unrealizedPnL = .amount(figures.unrealized)
        message.realizedPnL = .amount(figures.realizedToday)
        return .pnl(message)
    }

    /// Nothing for a contract that does not exist.
    private func single(
        _ contract: ContractID, _ subscription: ProfitUpdates, _ view: AccountView
    ) -> GatewayMessage? {
        var message = PnlSingle()
        message.reqId = subscription.reqId
        let holding = ledgers[subscription.ledger].holdings.first {
            $0.position.instrument.conId == contract
        }
        guard let holding else {
            guard view.contract(contract) != nil else { return nil }
            message.position = .zero
            message.value = .zero
            return .pnlSingle(message)
        }
        let position = holding.position
        message.position = DecimalValue(position.quantity)
        message.dailyPnL = .amount(holding.dailyProfit)
        message.unrealizedPnL = position.quantity == .zero ? nil : .amount(position.unrealized)
        message.realizedPnL = .amount(holding.realizedToday)
        message.value = .amount(position.value)
        return .pnlSingle(message)
    }
}
