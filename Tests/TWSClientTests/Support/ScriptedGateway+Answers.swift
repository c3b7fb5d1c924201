import ClientTestSupport
import Primitives
import Synchronization
import TWSClient
import TWSProtocol

extension ScriptedGateway {
    /// The client did something.
    func took(_ event: GatewaySession.Event, from connection: Connection) {
        switch event {
        case .agreed:
            if let word = manner.firstWord { connection.deliver(word) } else { connection.greet() }
        case .started: begin()
        case .message(let message, _):
            let script = state.withLock { state in
                state.received.append(
                    Received(time: clock.now, connection: connection.number, message: message))
                note(message, in: &state)
                return state.scripts[message.kind]
            }
            send(script.map { $0(message) } ?? answers(to: message))
        case .rejected(let failure): state.withLock { $0.unreadable.append(failure) }
        case .failed(let fault):
            state.withLock { $0.failures.append(fault) }
            drop()
        }
    }

    /// Answers `startApi`.
    private func begin() {
        let manner = manner
        guard manner.idsReservedUntil <= clock.now else {
            send(code: 326, "Unable to connect as the client id is already in use.")
            return drop()
        }
        var accounts = ManagedAccounts()
        accounts.accountsList = manner.accounts
        var next = NextValidId()
        next.orderId = manner.nextOrderID
        send(manner.beforeStart)
        if manner.sendsAccountsFirst { send(.managedAccounts(accounts)) }
        if manner.nextOrderIDDelay == .zero {
            send(.nextValidId(next))
        } else {
            let connection = connection
            let message = next
            after(manner.nextOrderIDDelay) { gateway in
                if gateway.connection == connection { gateway.send(.nextValidId(message)) }
            }
        }
        if !manner.sendsAccountsFirst { send(.managedAccounts(accounts)) }
    }

    /// What a gateway with nothing special to say answers.
    private func answers(to message: ClientMessage) -> [GatewayMessage] {
        let manner = manner
        switch message {
        case .reqManagedAccts:
            var answer = ManagedAccounts()
            answer.accountsList = manner.accounts
            return [.managedAccounts(answer)]
        case .reqIds:
            var answer = NextValidId()
            answer.orderId = manner.nextOrderID
            return [.nextValidId(answer)]
        case .reqCurrentTime:
            var answer = CurrentTime()
            answer.time = clock.timeOfDay.nanoseconds / 1_000_000_000
            return [.currentTime(answer)]
        case .reqCurrentTimeInMillis:
            var answer = CurrentTimeInMillis()
            answer.timeInMillis = clock.timeOfDay.nanoseconds / 1_000_000
            return [.currentTimeInMillis(answer)]
        case .reqOpenOrders, .reqAllOpenOrders:
            return manner.openOrders.map { .openOrder($0) } + [.openOrderEnd(OpenOrderEnd())]
        case .reqCompletedOrders:
            return manner.completedOrders.map { .completedOrder($0) }
                + [.completedOrdersEnd(CompletedOrdersEnd())]
        case .reqExecutions(let question):
            var end = ExecDetailsEnd()
            end.reqId = question.reqId
            return manner.executions.map { execution in
                var execution = execution
                execution.reqId = question.reqId
                return .execDetails(execution)
            } + [.execDetailsEnd(end)]
        case .reqPositions:
            return manner.positions.map { .position($0) } + [.positionEnd(PositionEnd())]
        default: return []
        }
    }

    /// Keeps account of what it serves.
    private func note(_ message: ClientMessage, in state: inout State) {
        switch message {
        case .placeOrder(let order):
            let next = max(state.manner.nextOrderID.rawValue, order.orderId.rawValue &+ 1)
            state.manner.nextOrderID = APIOrderID(rawValue: next)
        case .reqMktData, .reqMktDepth, .reqRealTimeBars, .reqTickByTickData, .reqHistoricalData,
            .reqScannerSubscription, .reqAccountSummary, .reqPnL, .reqPnLSingle,
            .reqPositionsMulti, .reqAccountUpdatesMulti:
            if let request = message.requestID { state.live.append(request) }
        case .cancelMktData, .cancelMktDepth, .cancelRealTimeBars, .cancelTickByTickData,
            .cancelHistoricalData, .cancelScannerSubscription, .cancelAccountSummary, .cancelPnL,
            .cancelPnLSingle, .cancelPositionsMulti, .cancelAccountUpdatesMulti:
            if let request = message.requestID { state.live.removeAll { $0 == request } }
        default: break
        }
    }
}

extension GatewayMessage {
    /// A code about a request, an order, or with -1 about the session.
    static func code(_ code: Int32, id: Int32 = -1, _ text: String = "words") -> GatewayMessage {
        var message = ErrorMessage()
        message.id = id == -1 ? nil : id
        message.errorCode = code
        message.errorString = text
        return .error(message)
    }
}
