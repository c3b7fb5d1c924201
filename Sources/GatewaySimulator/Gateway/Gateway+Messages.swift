import TWSProtocol

/// What clients ask, by the room that answers.
extension Gateway {
    /// Answers one message of a client whose session has begun.
    func handle(_ message: ClientMessage, from client: Client) {
        switch message {
        // Session.
        case .startApi:
            answers.report(
                321, "Error validating request.-'bR' : cause - The API is started already.",
                about: nil, to: client.connection)
        case .reqIds, .reqManagedAccts, .reqCurrentTime, .reqCurrentTimeInMillis, .reqUserInfo,
            .setServerLogLevel, .verifyRequest, .verifyMessage, .verifyAndAuthRequest,
            .verifyAndAuthMessage:
            handleSession(message, from: client)
        // Orders.
        case .placeOrder, .cancelOrder, .reqGlobalCancel, .reqOpenOrders, .reqAllOpenOrders,
            .reqAutoOpenOrders, .reqCompletedOrders, .reqExecutions, .exerciseOptions:
            handleOrders(message, from: client)
        // Account.
        case .reqAccountUpdates, .reqAccountSummary, .cancelAccountSummary, .reqPositions,
            .cancelPositions, .reqPositionsMulti, .cancelPositionsMulti, .reqAccountUpdatesMulti,
            .cancelAccountUpdatesMulti, .reqPnL, .cancelPnL, .reqPnLSingle, .cancelPnLSingle,
            .reqFamilyCodes, .requestFA, .replaceFA:
            handleAccount(message, from: client)
        // Market data.
        case .reqMktData, .cancelMktData, .reqMarketDataType, .reqMktDepth, .cancelMktDepth,
            .reqTickByTickData, .cancelTickByTickData, .reqRealTimeBars, .cancelRealTimeBars:
            handleMarketData(message, from: client)
        // History.
        case .reqHistoricalData, .cancelHistoricalData, .reqHeadTimestamp, .cancelHeadTimestamp,
            .reqHistogramData, .cancelHistogramData, .reqHistoricalTicks:
            handleHistory(message, from: client)
        // Contracts.
        case .reqContractDetails, .reqMatchingSymbols, .reqMarketRule, .reqSmartComponents,
            .reqMktDepthExchanges, .reqSecDefOptParams, .calculateImpliedVolatility,
            .calculateOptionPrice, .cancelCalcImpliedVolat, .cancelCalcOptionPrice:
            handleContracts(message, from: client)
        // Reference data and windows.
        case .reqScannerSubscription, .cancelScannerSubscription, .reqScannerParameters,
            .reqNewsBulletins, .cancelNewsBulletins, .reqNewsArticle, .reqNewsProviders,
            .reqHistoricalNews, .reqSoftDollarTiers, .queryDisplayGroups, .subscribeToGroupEvents,
            .updateDisplayGroup, .unsubscribeFromGroupEvents, .reqWshMetaData, .cancelWshMetaData,
            .reqWshEventData, .cancelWshEventData:
            handleReference(message, from: client)
        }
    }
}
