public import TWSProtocol

extension GatewayClient {
    /// The volatility that an option's price implies, with the sensitivities that follow from it.
    ///
    /// - Parameters:
    ///   - option: qualified.
    ///   - price: the option's price.
    ///   - underlying: the underlying's price.
    public func impliedVolatility(
        of option: Contract, price: DecimalValue, underlying: DecimalValue
    ) async throws -> TickOptionComputation {
        let question = Question("implied volatility") { request in
            var message = CalculateImpliedVolatility()
            message.reqId = request
            message.contract = option
            message.optionPrice = price
            message.underPrice = underlying
            return .calculateImpliedVolatility(message)
        } ending: { request in
            var message = CancelCalcImpliedVolat()
            message.reqId = request
            return .cancelCalcImpliedVolat(message)
        }
        return try await computation(question)
    }

    /// The price that a volatility gives an option, with its sensitivities.
    ///
    /// - Parameters:
    ///   - option: qualified.
    ///   - volatility: 0.2 for 20 %.
    ///   - underlying: the underlying's price.
    public func optionPrice(
        of option: Contract, volatility: DecimalValue, underlying: DecimalValue
    ) async throws -> TickOptionComputation {
        let question = Question("option price") { request in
            var message = CalculateOptionPrice()
            message.reqId = request
            message.contract = option
            message.volatility = volatility
            message.underPrice = underlying
            return .calculateOptionPrice(message)
        } ending: { request in
            var message = CancelCalcOptionPrice()
            message.reqId = request
            return .cancelCalcOptionPrice(message)
        }
        return try await computation(question)
    }

    private func computation(_ question: Question) async throws -> TickOptionComputation {
        try await call(question, into: ()) { _, message in
            if case .tickOptionComputation(let answer) = message { .done(answer) } else { .more }
        }
    }
}
