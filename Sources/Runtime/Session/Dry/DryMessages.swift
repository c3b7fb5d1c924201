import TWSProtocol

/// Which messages of a session in mode dry are the gateway's, and which the simulated account's.
extension ClientMessage {
    /// True if it asks for data, or ends what was asked for: it orders nothing, and touches no account.
    var asksForData: Bool {
        switch self {
        case .startApi, .setServerLogLevel, .reqCurrentTime, .reqCurrentTimeInMillis,
            .reqMktData, .cancelMktData, .reqMarketDataType, .reqMktDepth, .cancelMktDepth,
            .reqMktDepthExchanges, .reqSmartComponents, .reqRealTimeBars, .cancelRealTimeBars,
            .reqTickByTickData, .cancelTickByTickData, .reqHistoricalData,
            .cancelHistoricalData, .reqHistoricalTicks, .reqHeadTimestamp, .cancelHeadTimestamp,
            .reqHistogramData, .cancelHistogramData, .reqContractDetails, .reqMatchingSymbols,
            .reqMarketRule, .reqSecDefOptParams, .calculateImpliedVolatility,
            .calculateOptionPrice, .cancelCalcImpliedVolat, .cancelCalcOptionPrice,
            .reqScannerSubscription, .cancelScannerSubscription, .reqScannerParameters,
            .reqNewsBulletins, .cancelNewsBulletins, .reqNewsArticle, .reqNewsProviders,
            .reqHistoricalNews, .reqWshMetaData, .cancelWshMetaData, .reqWshEventData,
            .cancelWshEventData:
            true
        default: false
        }
    }

    /// The contract that it is about, where it asks for one's data.
    var contract: Contract? {
        switch self {
        case .reqMktData(let message): message.contract
        case .reqRealTimeBars(let message): message.contract
        case .reqHistoricalData(let message): message.contract
        case .reqTickByTickData(let message): message.contract
        default: nil
        }
    }
}

extension GatewayMessage {
    /// True if it is about orders, an account or the session's beginning: that is the simulated account's to say.
    var isOfBroker: Bool {
        switch self {
        case .managedAccounts, .nextValidId, .orderStatus, .openOrder, .openOrderEnd, .orderBound,
            .execDetails, .execDetailsEnd, .commissionAndFeesReport, .completedOrder,
            .completedOrdersEnd, .position, .positionEnd, .positionMulti, .positionMultiEnd,
            .accountValue, .portfolioValue, .accountUpdateTime, .accountDownloadEnd,
            .accountSummary, .accountSummaryEnd, .accountUpdateMulti, .accountUpdateMultiEnd,
            .pnl, .pnlSingle, .familyCodes, .softDollarTiers, .receiveFA, .replaceFaEnd, .userInfo:
            true
        default: false
        }
    }

    /// True for a notice about the state of data services: the gateway's own counts.
    var isOfFarms: Bool {
        guard case .error(let message) = self else { return false }
        return message.id == nil && (2_100..<2_200).contains(message.errorCode)
    }

    /// Changes the contract that it is about, if it is about one.
    mutating func changeContract(_ change: (inout Contract) -> Void) {
        switch self {
        case .openOrder(var message):
            change(&message.contract)
            self = .openOrder(message)
        case .execDetails(var message):
            change(&message.contract)
            self = .execDetails(message)
        case .completedOrder(var message):
            change(&message.contract)
            self = .completedOrder(message)
        case .position(var message):
            change(&message.contract)
            self = .position(message)
        case .positionMulti(var message):
            change(&message.contract)
            self = .positionMulti(message)
        case .portfolioValue(var message):
            change(&message.contract)
            self = .portfolioValue(message)
        default: break
        }
    }
}
