public import TWSProtocol

extension GatewayClient {
    /// The tick sizes of a market rule by price. Asked once and kept.
    ///
    /// - Parameter id: a number of `ContractData.marketRuleIds`.
    /// - Throws: `ClientError.timedOut` where the broker has no such rule: it reports that without naming the
    ///   question.
    public func marketRule(_ id: Int32) async throws -> MarketRule {
        try await calls.marketRules.answer(id) { [self] in
            let question = Question("market rule \(id)", topic: .marketRule(id)) { _ in
                var message = ReqMarketRule()
                message.marketRuleId = id
                return .reqMarketRule(message)
            }
            return try await call(question, into: ()) { _, message in
                if case .marketRule(let rule) = message { .done(rule) } else { .more }
            }
        }
    }

    /// The steps in which an instrument's prices move at an exchange, lowest prices first: the last one
    /// whose `lowEdge` is at most the price holds.
    ///
    /// - Parameters:
    ///   - details: from `contractDetails`.
    ///   - exchange: one of its valid exchanges; `nil` for the one of its contract.
    public func priceIncrements(
        of details: ContractData, at exchange: String? = nil
    ) async throws -> [PriceIncrement] {
        let exchange = exchange ?? details.contract.exchange
        let exchanges = details.validExchanges.split(separator: ",")
        let rules = details.marketRuleIds.split(separator: ",")
        guard let index = exchanges.firstIndex(where: { $0 == exchange }), index < rules.count,
            let rule = Int32(rules[index])
        else {
            throw ClientError.badQuestion(
                "\(details.contract.summary) has no market rule at \(exchange); it trades at "
                    + details.validExchanges)
        }
        return try await marketRule(rule).priceIncrements
    }

    /// The exchanges behind a quote under `SMART`, with the letters that quotes name them by.
    ///
    /// - Parameter code: from a quote's `TickReqParams.bboExchange`.
    public func smartComponents(_ code: String) async throws -> [SmartComponent] {
        let question = Question("smart components") { request in
            var message = ReqSmartComponents()
            message.reqId = request
            message.bboExchange = code
            return .reqSmartComponents(message)
        }
        return try await call(question, into: ()) { _, message in
            if case .smartComponents(let answer) = message {
                .done(answer.components)
            } else {
                .more
            }
        }
    }

    /// The exchanges that have order books, and of which kind.
    public func depthExchanges() async throws -> [DepthExchange] {
        let question = Question("depth exchanges", topic: .depthExchanges) { _ in
            .reqMktDepthExchanges(ReqMktDepthExchanges())
        }
        return try await call(question, into: ()) { _, message in
            if case .mktDepthExchanges(let answer) = message {
                .done(answer.depthMktDataDescriptions)
            } else {
                .more
            }
        }
    }
}
