/// How a message leaves: what it may do, how urgent it is, and which limits it falls under.
struct Departure: Sendable {
    /// What it may do at the broker.
    enum Effect: Hashable, Sendable {
        /// Asks for something, or changes something about the session.
        case reads
        /// Opens, changes or exercises something.
        case opens
        /// Cancels orders.
        case cancels
    }

    let effect: Effect
    let priority: MessagePriority
    let subject: Outgoing.Subject
    let request: PacedRequest?
}

extension ClientMessage {
    /// How the message leaves.
    var departure: Departure {
        switch self {
        case .placeOrder(let message): message.departure
        case .exerciseOptions(let message):
            Departure(
                effect: .opens, priority: .order,
                subject: .request(Int(message.reqId.rawValue)), request: nil)
        case .cancelOrder(let message):
            Departure(
                effect: .cancels, priority: .cancel,
                subject: .order(Int(message.orderId.rawValue)), request: nil)
        case .reqGlobalCancel:
            Departure(effect: .cancels, priority: .cancel, subject: .session, request: nil)
        // These change what an account does, without being orders.
        case .reqAutoOpenOrders, .replaceFA:
            Departure(effect: .opens, priority: .order, subject: .session, request: nil)
        case .cancelMktData, .cancelMktDepth, .cancelScannerSubscription, .cancelHistoricalData,
            .cancelRealTimeBars, .cancelCalcImpliedVolat, .cancelCalcOptionPrice,
            .cancelAccountSummary, .cancelPositionsMulti, .cancelAccountUpdatesMulti,
            .cancelHistogramData, .cancelHeadTimestamp, .cancelPnL, .cancelPnLSingle,
            .cancelTickByTickData, .cancelWshMetaData, .cancelWshEventData,
            .unsubscribeFromGroupEvents:
            // Behind what was asked before it, and never in the way of an order's cancel.
            Departure(effect: .reads, priority: .data, subject: subject, request: nil)
        case .cancelNewsBulletins, .cancelPositions:
            Departure(effect: .reads, priority: .data, subject: .session, request: nil)
        case .reqMktData, .reqOpenOrders, .reqAccountUpdates, .reqExecutions, .reqIds,
            .reqContractDetails, .reqMktDepth, .reqNewsBulletins, .setServerLogLevel,
            .reqAllOpenOrders, .reqManagedAccts, .requestFA, .reqHistoricalData,
            .reqScannerSubscription, .reqScannerParameters, .reqCurrentTime, .reqRealTimeBars,
            .calculateImpliedVolatility, .calculateOptionPrice, .reqMarketDataType, .reqPositions,
            .reqAccountSummary, .verifyRequest, .verifyMessage, .queryDisplayGroups,
            .subscribeToGroupEvents, .updateDisplayGroup, .startApi, .verifyAndAuthRequest,
            .verifyAndAuthMessage, .reqPositionsMulti, .reqAccountUpdatesMulti,
            .reqSecDefOptParams, .reqSoftDollarTiers, .reqFamilyCodes, .reqMatchingSymbols,
            .reqMktDepthExchanges, .reqSmartComponents, .reqNewsArticle, .reqNewsProviders,
            .reqHistoricalNews, .reqHeadTimestamp, .reqHistogramData, .reqMarketRule, .reqPnL,
            .reqPnLSingle, .reqHistoricalTicks, .reqTickByTickData, .reqCompletedOrders,
            .reqWshMetaData, .reqWshEventData, .reqUserInfo, .reqCurrentTimeInMillis:
            Departure(effect: .reads, priority: .data, subject: subject, request: paced)
        }
    }

    private var subject: Outgoing.Subject {
        requestID.map { .request(Int($0.rawValue)) } ?? .session
    }

    /// The limits that the request falls under besides messages a second.
    private var paced: PacedRequest? {
        switch self {
        case .reqMktData(let message):
            message.regulatorySnapshot ? .regulatorySnapshot : .marketData
        case .reqMktDepth: .marketDepth
        case .reqTickByTickData(let message): .tickByTick(message.contract.pacingKey)
        case .reqAccountSummary: .accountSummary
        case .reqScannerSubscription: .scanner
        case .reqHistoricalData(let message):
            .history(
                HistoryQuery(
                    .bars(seconds: Int(message.barSizeSetting.seconds ?? 0)),
                    of: message.contract.pacingKey, showing: message.whatToShow.word,
                    span: "\(message.endDateTime) \(message.durationStr.text) \(message.useRTH)"))
        case .reqRealTimeBars(let message):
            .history(
                HistoryQuery(
                    .realTimeBars, of: message.contract.pacingKey,
                    showing: message.whatToShow.word, span: "\(message.useRTH)"))
        case .reqHistoricalTicks(let message):
            .history(
                HistoryQuery(
                    .ticks, of: message.contract.pacingKey, showing: message.whatToShow.word,
                    span: "\(message.startDateTime) \(message.endDateTime)"))
        default: nil
        }
    }
}

extension PlaceOrder {
    /// How the order leaves.
    var departure: Departure {
        Departure(
            // A what-if order is a question, and still needs the right to place orders.
            effect: .opens, priority: .order, subject: .order(Int(orderId.rawValue)),
            request: order.whatIf ? .whatIf : nil)
    }
}

extension Contract {
    /// What the broker counts as the same instrument.
    fileprivate var pacingKey: ContractKey {
        guard conId == 0 else { return ContractKey(id: Int(conId.rawValue), exchange: exchange) }
        let name = [
            symbol, secType.word, lastTradeDateOrContractMonth, strike?.description ?? "",
            right.word, multiplier, primaryExchange, currency, localSymbol, tradingClass,
        ].joined(separator: "/")
        return ContractKey(name: name, exchange: exchange)
    }
}
