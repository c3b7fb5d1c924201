import Synchronization
import TWSProtocol

extension GatewayClient {
    /// Sends a question, behind the word on how fresh its data have to be where that differs from the
    /// last one: the gateway holds one such choice for all requests to come.
    func ask(_ question: Question, as request: RequestID) throws(SendRefusal) {
        guard let mode = question.mode?() else {
            return try session.send(question.asking(request))
        }
        // One lock over both messages: no other request may come between them.
        let result = asking.withLock { _ -> Result<Void, SendRefusal> in
            do throws(SendRefusal) {
                try choose(mode)
                try session.send(question.asking(request))
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private func choose(_ mode: MarketDataMode) throws(SendRefusal) {
        let epoch = session.epoch
        let chosen = state.withLock { state -> MarketDataMode in
            guard let chosen = state.dataMode, chosen.epoch == epoch else { return .live }
            return chosen.mode
        }
        guard chosen != mode else { return }
        var message = ReqMarketDataType()
        message.marketDataType = mode
        try session.send(.reqMarketDataType(message))
        state.withLock { $0.dataMode = (mode, epoch) }
    }
}
