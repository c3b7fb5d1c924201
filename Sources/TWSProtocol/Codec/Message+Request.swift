extension GatewayMessage {
    /// The number of the request the message belongs to; `nil` for messages without one.
    public var requestID: RequestID? {
        switch self {
        case .tickPrice(let message): message.reqId
        case .tickSize(let message): message.reqId
        case .contractData(let message): message.reqId
        case .execDetails(let message): message.reqId
        case .marketDepth(let message): message.reqId
        case .marketDepthL2(let message): message.reqId
        case .historicalData(let message): message.reqId
        case .bondContractData(let message): message.reqId
        case .scannerData(let message): message.reqId
        case .tickOptionComputation(let message): message.reqId
        case .tickGeneric(let message): message.reqId
        case .tickString(let message): message.reqId
        case .tickEFP(let message): message.reqId
        case .realTimeBar(let message): message.reqId
        case .contractDataEnd(let message): message.reqId
        case .execDetailsEnd(let message): message.reqId
        case .deltaNeutralValidation(let message): message.reqId
        case .tickSnapshotEnd(let message): message.reqId
        case .marketDataType(let message): message.reqId
        case .accountSummary(let message): message.reqId
        case .accountSummaryEnd(let message): message.reqId
        case .displayGroupList(let message): message.reqId
        case .displayGroupUpdated(let message): message.reqId
        case .positionMulti(let message): message.reqId
        case .positionMultiEnd(let message): message.reqId
        case .accountUpdateMulti(let message): message.reqId
        case .accountUpdateMultiEnd(let message): message.reqId
        case .secDefOptParameter(let message): message.reqId
        case .secDefOptParameterEnd(let message): message.reqId
        case .softDollarTiers(let message): message.reqId
        case .symbolSamples(let message): message.reqId
        case .tickReqParams(let message): message.reqId
        case .smartComponents(let message): message.reqId
        case .newsArticle(let message): message.reqId
        case .tickNews(let message): message.reqId
        case .historicalNews(let message): message.reqId
        case .historicalNewsEnd(let message): message.reqId
        case .headTimestamp(let message): message.reqId
        case .histogramData(let message): message.reqId
        case .historicalDataUpdate(let message): message.reqId
        case .rerouteMktDataReq(let message): message.reqId
        case .rerouteMktDepthReq(let message): message.reqId
        case .pnl(let message): message.reqId
        case .pnlSingle(let message): message.reqId
        case .historicalTicks(let message): message.reqId
        case .historicalTicksBidAsk(let message): message.reqId
        case .historicalTicksLast(let message): message.reqId
        case .tickByTick(let message): message.reqId
        case .replaceFaEnd(let message): message.reqId
        case .wshMetaData(let message): message.reqId
        case .wshEventData(let message): message.reqId
        case .historicalSchedule(let message): message.reqId
        case .userInfo(let message): message.reqId
        case .historicalDataEnd(let message): message.reqId
        case .orderStatus, .error, .openOrder, .accountValue, .portfolioValue, .accountUpdateTime,
            .nextValidId, .newsBulletin, .managedAccounts, .receiveFA, .scannerParameters,
            .currentTime, .openOrderEnd, .accountDownloadEnd, .commissionAndFeesReport, .position,
            .positionEnd, .verifyMessageApi, .verifyCompleted, .verifyAndAuthMessageApi,
            .verifyAndAuthCompleted, .familyCodes, .mktDepthExchanges, .newsProviders, .marketRule,
            .orderBound, .completedOrder, .completedOrdersEnd, .currentTimeInMillis:
            nil
        }
    }
}

extension ClientMessage {
    /// The number of the request the message belongs to; `nil` for messages without one.
    public var requestID: RequestID? {
        switch self {
        case .reqMktData(let message): message.reqId
        case .cancelMktData(let message): message.reqId
        case .reqExecutions(let message): message.reqId
        case .reqContractDetails(let message): message.reqId
        case .reqMktDepth(let message): message.reqId
        case .cancelMktDepth(let message): message.reqId
        case .replaceFA(let message): message.reqId
        case .reqHistoricalData(let message): message.reqId
        case .exerciseOptions(let message): message.reqId
        case .reqScannerSubscription(let message): message.reqId
        case .cancelScannerSubscription(let message): message.reqId
        case .cancelHistoricalData(let message): message.reqId
        case .reqRealTimeBars(let message): message.reqId
        case .cancelRealTimeBars(let message): message.reqId
        case .calculateImpliedVolatility(let message): message.reqId
        case .calculateOptionPrice(let message): message.reqId
        case .cancelCalcImpliedVolat(let message): message.reqId
        case .cancelCalcOptionPrice(let message): message.reqId
        case .reqAccountSummary(let message): message.reqId
        case .cancelAccountSummary(let message): message.reqId
        case .queryDisplayGroups(let message): message.reqId
        case .subscribeToGroupEvents(let message): message.reqId
        case .updateDisplayGroup(let message): message.reqId
        case .unsubscribeFromGroupEvents(let message): message.reqId
        case .reqPositionsMulti(let message): message.reqId
        case .cancelPositionsMulti(let message): message.reqId
        case .reqAccountUpdatesMulti(let message): message.reqId
        case .cancelAccountUpdatesMulti(let message): message.reqId
        case .reqSecDefOptParams(let message): message.reqId
        case .reqSoftDollarTiers(let message): message.reqId
        case .reqMatchingSymbols(let message): message.reqId
        case .reqSmartComponents(let message): message.reqId
        case .reqNewsArticle(let message): message.reqId
        case .reqHistoricalNews(let message): message.reqId
        case .reqHeadTimestamp(let message): message.reqId
        case .reqHistogramData(let message): message.reqId
        case .cancelHistogramData(let message): message.reqId
        case .cancelHeadTimestamp(let message): message.reqId
        case .reqPnL(let message): message.reqId
        case .cancelPnL(let message): message.reqId
        case .reqPnLSingle(let message): message.reqId
        case .cancelPnLSingle(let message): message.reqId
        case .reqHistoricalTicks(let message): message.reqId
        case .reqTickByTickData(let message): message.reqId
        case .cancelTickByTickData(let message): message.reqId
        case .reqWshMetaData(let message): message.reqId
        case .cancelWshMetaData(let message): message.reqId
        case .reqWshEventData(let message): message.reqId
        case .cancelWshEventData(let message): message.reqId
        case .reqUserInfo(let message): message.reqId
        case .placeOrder, .cancelOrder, .reqOpenOrders, .reqAccountUpdates, .reqIds,
            .reqNewsBulletins, .cancelNewsBulletins, .setServerLogLevel, .reqAutoOpenOrders,
            .reqAllOpenOrders, .reqManagedAccts, .requestFA, .reqScannerParameters, .reqCurrentTime,
            .reqGlobalCancel, .reqMarketDataType, .reqPositions, .cancelPositions, .verifyRequest,
            .verifyMessage, .startApi, .verifyAndAuthRequest, .verifyAndAuthMessage,
            .reqFamilyCodes, .reqMktDepthExchanges, .reqNewsProviders, .reqMarketRule,
            .reqCompletedOrders, .reqCurrentTimeInMillis:
            nil
        }
    }
}
