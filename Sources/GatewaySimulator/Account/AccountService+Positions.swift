import Primitives
import TWSProtocol

/// A subscription to positions.
struct PositionUpdates: Sendable {
    /// Who.
    let connection: ConnectionID
    /// Under which number; `nil` for the one without.
    let reqId: RequestID?
    /// Of which ledgers.
    let ledgers: [Int]
    /// Of which model.
    let modelCode: String
    /// What was published.
    var published: [Name: Line] = [:]

    /// Which position.
    struct Name: Hashable, Sendable {
        let ledger: Int
        let instrument: InstrumentID
    }

    /// What was published of it.
    struct Line: Hashable, Sendable {
        let quantity: Quantity
        let averageCost: Money
    }
}

extension AccountService {
    /// Begins the subscription to all positions; again, it begins anew.
    mutating func answerPositions(
        from client: Client, _ view: AccountView, into answers: inout Answers
    ) {
        positions.removeAll { $0.connection == client.connection && $0.reqId == nil }
        begin(
            PositionUpdates(
                connection: client.connection, reqId: nil, ledgers: Array(ledgers.indices),
                modelCode: ""), view, &answers)
        answers.send(.positionEnd(PositionEnd()), to: client.connection)
    }

    /// Begins a subscription to positions by account and model. The same number again replaces it.
    mutating func answer(
        _ request: ReqPositionsMulti, from client: Client, _ view: AccountView,
        into answers: inout Answers
    ) {
        guard let indexes = indexes(of: request.account) else {
            return refuse("Invalid account code", request.reqId, client, &answers)
        }
        positions.removeAll { $0.connection == client.connection && $0.reqId == request.reqId }
        begin(
            PositionUpdates(
                connection: client.connection, reqId: request.reqId, ledgers: indexes,
                modelCode: request.modelCode), view, &answers)
        var end = PositionMultiEnd()
        end.reqId = request.reqId
        answers.send(.positionMultiEnd(end), to: client.connection)
    }

    /// Publishes to who is subscribed which positions changed; a closed one has the quantity 0.
    mutating func publishPositions(_ view: AccountView, into answers: inout Answers) {
        for index in positions.indices { publish(&positions[index], view, &answers) }
    }

    private mutating func begin(
        _ subscription: PositionUpdates, _ view: AccountView, _ answers: inout Answers
    ) {
        var subscription = subscription
        publish(&subscription, view, &answers)
        positions.append(subscription)
    }

    private func publish(
        _ subscription: inout PositionUpdates, _ view: AccountView, _ answers: inout Answers
    ) {
        for index in subscription.ledgers {
            for holding in ledgers[index].holdings {
                let position = holding.position
                let name = PositionUpdates.Name(ledger: index, instrument: position.instrument.id)
                let line = PositionUpdates.Line(
                    quantity: position.quantity,
                    averageCost: AccountMath.money(position.averageCost))
                let former = subscription.published[name]
                guard former != line, former != nil || line.quantity != .zero else { continue }
                subscription.published[name] = line
                let message = Self.message(
                    line, position.instrument.contract(view), of: ledgers[index].settings.account,
                    for: subscription)
                answers.send(message, to: subscription.connection)
            }
        }
    }

    private static func message(
        _ line: PositionUpdates.Line, _ contract: Contract, of account: AccountID,
        for subscription: PositionUpdates
    ) -> GatewayMessage {
        var contract = contract
        // The field names where it is listed; nothing for what has no such place.
        contract.exchange = contract.primaryExchange
        guard let reqId = subscription.reqId else {
            var message = Position()
            message.account = account
            message.contract = contract
            message.position = DecimalValue(line.quantity)
            message.avgCost = .amount(line.averageCost)
            return .position(message)
        }
        var message = PositionMulti()
        message.reqId = reqId
        message.account = account
        message.contract = contract
        message.position = DecimalValue(line.quantity)
        message.avgCost = .amount(line.averageCost)
        message.modelCode = subscription.modelCode
        return .positionMulti(message)
    }
}
