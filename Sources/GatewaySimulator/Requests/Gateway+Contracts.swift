import MarketState
import Model
import Primitives
import TWSProtocol

/// What clients ask about contracts.
extension Gateway {
    /// Answers a request about contracts, exchanges, price steps or options.
    func handleContracts(_ message: ClientMessage, from client: Client) {
        switch message {
        case .reqContractDetails(let request): sendDetails(request, to: client)
        case .reqMatchingSymbols(let request):
            reference.search(request, by: client, at: now)
            reference.answerSearches(at: now, in: contracts, &answers)
        case .reqMarketRule(let request): sendMarketRule(request, to: client)
        case .reqSmartComponents(let request): sendSmartComponents(request, to: client)
        case .reqMktDepthExchanges:
            var exchanges = MktDepthExchanges()
            exchanges.depthMktDataDescriptions = GatewayContractDatabase.depthExchanges
            answers.send(.mktDepthExchanges(exchanges), to: client.connection)
        case .reqSecDefOptParams(let request): sendOptionChains(request, to: client)
        case .calculateImpliedVolatility(let request): calculate(request, for: client)
        case .calculateOptionPrice(let request): calculate(request, for: client)
        // Calculations are answered at once: none is left to end.
        case .cancelCalcImpliedVolat, .cancelCalcOptionPrice: break
        default: break
        }
    }

    /// Reports to a client why a contract of its request cannot be used.
    func refuse(_ refusal: ContractRefusal, about id: RequestID, to client: Client) {
        answers.report(refusal.code, refusal.text, about: id.rawValue, to: client.connection)
    }

    private func sendDetails(_ request: ReqContractDetails, to client: Client) {
        let query = request.contract
        do throws(ContractRefusal) {
            if request.secId.isEmpty { try GatewayContractDatabase.check(query, forDetails: true) }
            let found = contracts.matches(
                query, secIdType: request.secIdType, secId: request.secId,
                includeExpired: request.includeExpired)
            guard !found.isEmpty else { throw .unknown }
            for listed in found { sendDetails(of: listed, for: request, to: client) }
            var end = ContractDataEnd()
            end.reqId = request.reqId
            answers.send(.contractDataEnd(end), to: client.connection)
        } catch { refuse(error, about: request.reqId, to: client) }
    }

    private func sendDetails(
        of listed: ListedContract, for request: ReqContractDetails, to client: Client
    ) {
        var data = contracts.details(
            of: listed, on: settings.calendar.day(of: now), calendar: settings.calendar)
        data.reqId = request.reqId
        for close in faults.earlyCloses where close.instrument ?? listed.id == listed.id {
            data.liquidHours = close.applied(to: data.liquidHours)
        }
        if request.contract.secType == .continuousFuture {
            data.contract.secType = .continuousFuture
        }
        for exchange in exchanges(of: listed, askedFor: request.contract) {
            data.contract.exchange = exchange
            answers.send(.contractData(data), to: client.connection)
        }
    }

    /// A description without number and exchange gets an answer for every exchange, any other one answer.
    private func exchanges(of listed: ListedContract, askedFor query: Contract) -> [String] {
        guard query.exchange.isEmpty else { return [query.exchange.exchangeName] }
        return query.conId == 0 && listed.isSmart ? listed.exchanges : [listed.contract.exchange]
    }

    private func sendMarketRule(_ request: ReqMarketRule, to client: Client) {
        guard let steps = contracts.steps(ofRule: request.marketRuleId) else {
            let refusal = ContractRefusal.invalid("Invalid market rule id")
            answers.report(refusal.code, refusal.text, about: nil, to: client.connection)
            return
        }
        var rule = MarketRule()
        rule.marketRuleId = request.marketRuleId
        rule.priceIncrements = steps
        answers.send(.marketRule(rule), to: client.connection)
    }

    private func sendSmartComponents(_ request: ReqSmartComponents, to client: Client) {
        guard let list = GatewayContractDatabase.smartComponents(of: request.bboExchange) else {
            refuse(.invalid("Invalid BBO exchange"), about: request.reqId, to: client)
            return
        }
        var components = SmartComponents()
        components.reqId = request.reqId
        components.components = list
        answers.send(.smartComponents(components), to: client.connection)
    }

    private func sendOptionChains(_ request: ReqSecDefOptParams, to client: Client) {
        guard let id = contracts.id(ofConId: request.underlyingConId),
            contracts[id].contract.symbol == request.underlyingSymbol,
            contracts[id].contract.secType == request.underlyingSecType
        else {
            refuse(.invalid("Invalid contract id"), about: request.reqId, to: client)
            return
        }
        // Exchanges are named for options on futures, of which there are none.
        let chains = request.futFopExchange.isEmpty ? contracts.optionChains(on: id) : []
        for var chain in chains {
            chain.reqId = request.reqId
            answers.send(.secDefOptParameter(chain), to: client.connection)
        }
        var end = SecDefOptParameterEnd()
        end.reqId = request.reqId
        answers.send(.secDefOptParameterEnd(end), to: client.connection)
    }
}
