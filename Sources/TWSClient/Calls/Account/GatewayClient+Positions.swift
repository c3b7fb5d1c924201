public import TWSProtocol

extension GatewayClient {
    /// The positions of all accounts now.
    public func positions() async throws -> [Position] {
        try await calls.gate.alone(.positions) {
            if settings.session.placesOrders, linkState == .sync {
                try await ready(limit: settings.callLimit)
            }
            var question = positionsQuestion
            question.goesOn = true
            return try await call(question, into: [Position]()) { positions, message in
                switch message {
                case .position(let position): Self.put(position, into: &positions)
                case .positionEnd: return .done(positions)
                default: break
                }
                return .more
            }
        }
    }

    /// The newest of an account and instrument counts; one that was closed is none.
    private static func put(_ position: Position, into positions: inout [Position]) {
        positions.removeAll {
            $0.account == position.account && $0.contract.conId == position.contract.conId
        }
        if position.position != .zero { positions.append(position) }
    }

    /// The positions of all accounts as they change: all of them first, then each change; 0 of one that
    /// was closed. None is dropped.
    public func positionUpdates() -> Subscription<Position> {
        subscribe(positionsQuestion, .neverDrops(capacity: settings.orderCapacity)) { message in
            if case .position(let position) = message { position } else { nil }
        }
    }

    private var positionsQuestion: Question {
        Question("positions", topic: .positions) { _ in
            .reqPositions(ReqPositions())
        } ending: { _ in
            .cancelPositions(CancelPositions())
        }
    }

    /// An account's profit and loss, about once a second.
    ///
    /// - Parameter model: an advisor's model; empty for none.
    public func profitAndLoss(
        _ account: AccountID, model: String = ""
    ) -> Subscription<Pnl> {
        let question = Question("profit and loss") { request in
            var message = ReqPnL()
            message.reqId = request
            message.account = account
            message.modelCode = model
            return .reqPnL(message)
        } ending: { request in
            var message = CancelPnL()
            message.reqId = request
            return .cancelPnL(message)
        }
        return subscribe(question, .newestWins(capacity: settings.quoteCapacity)) { message in
            if case .pnl(let value) = message { value } else { nil }
        }
    }

    /// A position's profit and loss, about once a second. An instrument that is not known gets no answer.
    ///
    /// - Parameter model: an advisor's model; empty for none.
    public func profitAndLoss(
        _ account: AccountID, of instrument: ContractID, model: String = ""
    ) -> Subscription<PnlSingle> {
        let question = Question("profit and loss of a position") { request in
            var message = ReqPnLSingle()
            message.reqId = request
            message.account = account
            message.modelCode = model
            message.conId = instrument
            return .reqPnLSingle(message)
        } ending: { request in
            var message = CancelPnLSingle()
            message.reqId = request
            return .cancelPnLSingle(message)
        }
        return subscribe(question, .newestWins(capacity: settings.quoteCapacity)) { message in
            if case .pnlSingle(let value) = message { value } else { nil }
        }
    }
}
