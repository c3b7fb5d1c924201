/// A message from a client. The large ones lie behind a reference, so that passing one on copies little.
public enum ClientMessage: Hashable, Sendable {
    /// Subscribe to market data.
    indirect case reqMktData(ReqMktData)
    /// End a market data subscription.
    case cancelMktData(CancelMktData)
    /// Place or modify an order.
    indirect case placeOrder(PlaceOrder)
    /// Cancel an order.
    indirect case cancelOrder(CancelOrder)
    /// Ask for this client's open orders.
    case reqOpenOrders(ReqOpenOrders)
    /// Subscribe to an account's values and positions.
    case reqAccountUpdates(ReqAccountUpdates)
    /// Ask for fills.
    indirect case reqExecutions(ReqExecutions)
    /// Ask for the next valid order number.
    case reqIds(ReqIds)
    /// Ask for the contracts that match.
    indirect case reqContractDetails(ReqContractDetails)
    /// Subscribe to an order book.
    indirect case reqMktDepth(ReqMktDepth)
    /// End an order book subscription.
    case cancelMktDepth(CancelMktDepth)
    /// Subscribe to the broker's announcements.
    case reqNewsBulletins(ReqNewsBulletins)
    /// End that subscription.
    case cancelNewsBulletins(CancelNewsBulletins)
    /// Choose how much the gateway logs.
    case setServerLogLevel(SetServerLogLevel)
    /// Bind manual orders to client 0 from now on.
    case reqAutoOpenOrders(ReqAutoOpenOrders)
    /// Ask for all clients' open orders.
    case reqAllOpenOrders(ReqAllOpenOrders)
    /// Ask for the accounts.
    case reqManagedAccts(ReqManagedAccts)
    /// Ask for an advisor's configuration.
    case requestFA(RequestFA)
    /// Replace an advisor's configuration.
    indirect case replaceFA(ReplaceFA)
    /// Ask for historical bars.
    indirect case reqHistoricalData(ReqHistoricalData)
    /// Exercise an option or let it lapse.
    indirect case exerciseOptions(ExerciseOptions)
    /// Subscribe to a market scanner.
    indirect case reqScannerSubscription(ReqScannerSubscription)
    /// End a scanner subscription.
    case cancelScannerSubscription(CancelScannerSubscription)
    /// Ask what the scanner can do.
    case reqScannerParameters(ReqScannerParameters)
    /// End a request for historical bars.
    case cancelHistoricalData(CancelHistoricalData)
    /// Ask for the gateway's clock in seconds.
    case reqCurrentTime(ReqCurrentTime)
    /// Subscribe to bars of five seconds.
    indirect case reqRealTimeBars(ReqRealTimeBars)
    /// End that subscription.
    case cancelRealTimeBars(CancelRealTimeBars)
    /// Ask for an option's implied volatility.
    indirect case calculateImpliedVolatility(CalculateImpliedVolatility)
    /// Ask for an option's price.
    indirect case calculateOptionPrice(CalculateOptionPrice)
    /// End a request for an implied volatility.
    case cancelCalcImpliedVolat(CancelCalcImpliedVolat)
    /// End a request for an option's price.
    case cancelCalcOptionPrice(CancelCalcOptionPrice)
    /// Cancel every order of the account.
    case reqGlobalCancel(ReqGlobalCancel)
    /// Choose live, frozen or delayed data.
    case reqMarketDataType(ReqMarketDataType)
    /// Subscribe to all positions.
    case reqPositions(ReqPositions)
    /// Subscribe to a summary of accounts.
    indirect case reqAccountSummary(ReqAccountSummary)
    /// End a summary subscription.
    case cancelAccountSummary(CancelAccountSummary)
    /// End the positions subscription.
    case cancelPositions(CancelPositions)
    /// Begin a program's authentication.
    case verifyRequest(VerifyRequest)
    /// Continue a program's authentication.
    case verifyMessage(VerifyMessage)
    /// Ask for the groups of windows.
    case queryDisplayGroups(QueryDisplayGroups)
    /// Follow a group's contract.
    indirect case subscribeToGroupEvents(SubscribeToGroupEvents)
    /// Set a group's contract.
    indirect case updateDisplayGroup(UpdateDisplayGroup)
    /// Stop following a group.
    case unsubscribeFromGroupEvents(UnsubscribeFromGroupEvents)
    /// Begin the session.
    case startApi(StartApi)
    /// Begin a program's and user's authentication.
    indirect case verifyAndAuthRequest(VerifyAndAuthRequest)
    /// Continue a program's and user's authentication.
    indirect case verifyAndAuthMessage(VerifyAndAuthMessage)
    /// Subscribe to positions by account and model.
    indirect case reqPositionsMulti(ReqPositionsMulti)
    /// End that subscription.
    case cancelPositionsMulti(CancelPositionsMulti)
    /// Subscribe to account values by account and model.
    indirect case reqAccountUpdatesMulti(ReqAccountUpdatesMulti)
    /// End that subscription.
    case cancelAccountUpdatesMulti(CancelAccountUpdatesMulti)
    /// Ask for expirations and strikes of options.
    indirect case reqSecDefOptParams(ReqSecDefOptParams)
    /// Ask for tiers of soft dollars.
    case reqSoftDollarTiers(ReqSoftDollarTiers)
    /// Ask for the accounts of a family.
    case reqFamilyCodes(ReqFamilyCodes)
    /// Ask for symbols that match a pattern.
    case reqMatchingSymbols(ReqMatchingSymbols)
    /// Ask for exchanges with order books.
    case reqMktDepthExchanges(ReqMktDepthExchanges)
    /// Ask for the exchanges behind an exchange map.
    case reqSmartComponents(ReqSmartComponents)
    /// Ask for a news article.
    indirect case reqNewsArticle(ReqNewsArticle)
    /// Ask for the providers of news.
    case reqNewsProviders(ReqNewsProviders)
    /// Ask for headlines of the past.
    indirect case reqHistoricalNews(ReqHistoricalNews)
    /// Ask since when there is history.
    indirect case reqHeadTimestamp(ReqHeadTimestamp)
    /// Ask for prices and the sizes traded at them.
    indirect case reqHistogramData(ReqHistogramData)
    /// End that request.
    case cancelHistogramData(CancelHistogramData)
    /// End a request for the first time of history.
    case cancelHeadTimestamp(CancelHeadTimestamp)
    /// Ask for the tick sizes of a market rule.
    case reqMarketRule(ReqMarketRule)
    /// Subscribe to an account's profit and loss.
    indirect case reqPnL(ReqPnL)
    /// End that subscription.
    case cancelPnL(CancelPnL)
    /// Subscribe to a position's profit and loss.
    indirect case reqPnLSingle(ReqPnLSingle)
    /// End that subscription.
    case cancelPnLSingle(CancelPnLSingle)
    /// Ask for historical ticks.
    indirect case reqHistoricalTicks(ReqHistoricalTicks)
    /// Subscribe to every trade, quote or midpoint.
    indirect case reqTickByTickData(ReqTickByTickData)
    /// End that subscription.
    case cancelTickByTickData(CancelTickByTickData)
    /// Ask for orders that have ended.
    case reqCompletedOrders(ReqCompletedOrders)
    /// Ask for Wall Street Horizon's filters.
    case reqWshMetaData(ReqWshMetaData)
    /// End that request.
    case cancelWshMetaData(CancelWshMetaData)
    /// Ask for Wall Street Horizon's events.
    indirect case reqWshEventData(ReqWshEventData)
    /// End that request.
    case cancelWshEventData(CancelWshEventData)
    /// Ask for the user's white-branding id.
    case reqUserInfo(ReqUserInfo)
    /// Ask for the gateway's clock in milliseconds.
    case reqCurrentTimeInMillis(ReqCurrentTimeInMillis)
}

extension ClientMessage {
    /// The message's kind.
    public var kind: ClientMessageKind {
        switch self {
        case .reqMktData: .reqMktData
        case .cancelMktData: .cancelMktData
        case .placeOrder: .placeOrder
        case .cancelOrder: .cancelOrder
        case .reqOpenOrders: .reqOpenOrders
        case .reqAccountUpdates: .reqAccountUpdates
        case .reqExecutions: .reqExecutions
        case .reqIds: .reqIds
        case .reqContractDetails: .reqContractDetails
        case .reqMktDepth: .reqMktDepth
        case .cancelMktDepth: .cancelMktDepth
        case .reqNewsBulletins: .reqNewsBulletins
        case .cancelNewsBulletins: .cancelNewsBulletins
        case .setServerLogLevel: .setServerLogLevel
        case .reqAutoOpenOrders: .reqAutoOpenOrders
        case .reqAllOpenOrders: .reqAllOpenOrders
        case .reqManagedAccts: .reqManagedAccts
        case .requestFA: .requestFA
        case .replaceFA: .replaceFA
        case .reqHistoricalData: .reqHistoricalData
        case .exerciseOptions: .exerciseOptions
        case .reqScannerSubscription: .reqScannerSubscription
        case .cancelScannerSubscription: .cancelScannerSubscription
        case .reqScannerParameters: .reqScannerParameters
        case .cancelHistoricalData: .cancelHistoricalData
        case .reqCurrentTime: .reqCurrentTime
        case .reqRealTimeBars: .reqRealTimeBars
        case .cancelRealTimeBars: .cancelRealTimeBars
        case .calculateImpliedVolatility: .calculateImpliedVolatility
        case .calculateOptionPrice: .calculateOptionPrice
        case .cancelCalcImpliedVolat: .cancelCalcImpliedVolat
        case .cancelCalcOptionPrice: .cancelCalcOptionPrice
        case .reqGlobalCancel: .reqGlobalCancel
        case .reqMarketDataType: .reqMarketDataType
        case .reqPositions: .reqPositions
        case .reqAccountSummary: .reqAccountSummary
        case .cancelAccountSummary: .cancelAccountSummary
        case .cancelPositions: .cancelPositions
        case .verifyRequest: .verifyRequest
        case .verifyMessage: .verifyMessage
        case .queryDisplayGroups: .queryDisplayGroups
        case .subscribeToGroupEvents: .subscribeToGroupEvents
        case .updateDisplayGroup: .updateDisplayGroup
        case .unsubscribeFromGroupEvents: .unsubscribeFromGroupEvents
        case .startApi: .startApi
        case .verifyAndAuthRequest: .verifyAndAuthRequest
        case .verifyAndAuthMessage: .verifyAndAuthMessage
        case .reqPositionsMulti: .reqPositionsMulti
        case .cancelPositionsMulti: .cancelPositionsMulti
        case .reqAccountUpdatesMulti: .reqAccountUpdatesMulti
        case .cancelAccountUpdatesMulti: .cancelAccountUpdatesMulti
        case .reqSecDefOptParams: .reqSecDefOptParams
        case .reqSoftDollarTiers: .reqSoftDollarTiers
        case .reqFamilyCodes: .reqFamilyCodes
        case .reqMatchingSymbols: .reqMatchingSymbols
        case .reqMktDepthExchanges: .reqMktDepthExchanges
        case .reqSmartComponents: .reqSmartComponents
        case .reqNewsArticle: .reqNewsArticle
        case .reqNewsProviders: .reqNewsProviders
        case .reqHistoricalNews: .reqHistoricalNews
        case .reqHeadTimestamp: .reqHeadTimestamp
        case .reqHistogramData: .reqHistogramData
        case .cancelHistogramData: .cancelHistogramData
        case .cancelHeadTimestamp: .cancelHeadTimestamp
        case .reqMarketRule: .reqMarketRule
        case .reqPnL: .reqPnL
        case .cancelPnL: .cancelPnL
        case .reqPnLSingle: .reqPnLSingle
        case .cancelPnLSingle: .cancelPnLSingle
        case .reqHistoricalTicks: .reqHistoricalTicks
        case .reqTickByTickData: .reqTickByTickData
        case .cancelTickByTickData: .cancelTickByTickData
        case .reqCompletedOrders: .reqCompletedOrders
        case .reqWshMetaData: .reqWshMetaData
        case .cancelWshMetaData: .cancelWshMetaData
        case .reqWshEventData: .reqWshEventData
        case .cancelWshEventData: .cancelWshEventData
        case .reqUserInfo: .reqUserInfo
        case .reqCurrentTimeInMillis: .reqCurrentTimeInMillis
        }
    }

    /// A message of that kind with nothing set, its fields walked over by `coder`.
    public init(_ kind: ClientMessageKind, from coder: inout some FieldCoder & ~Copyable) {
        switch kind {
        case .reqMktData: self = .reqMktData(Self.made(by: &coder))
        case .cancelMktData: self = .cancelMktData(Self.made(by: &coder))
        case .placeOrder: self = .placeOrder(Self.made(by: &coder))
        case .cancelOrder: self = .cancelOrder(Self.made(by: &coder))
        case .reqOpenOrders: self = .reqOpenOrders(Self.made(by: &coder))
        case .reqAccountUpdates: self = .reqAccountUpdates(Self.made(by: &coder))
        case .reqExecutions: self = .reqExecutions(Self.made(by: &coder))
        case .reqIds: self = .reqIds(Self.made(by: &coder))
        case .reqContractDetails: self = .reqContractDetails(Self.made(by: &coder))
        case .reqMktDepth: self = .reqMktDepth(Self.made(by: &coder))
        case .cancelMktDepth: self = .cancelMktDepth(Self.made(by: &coder))
        case .reqNewsBulletins: self = .reqNewsBulletins(Self.made(by: &coder))
        case .cancelNewsBulletins: self = .cancelNewsBulletins(Self.made(by: &coder))
        case .setServerLogLevel: self = .setServerLogLevel(Self.made(by: &coder))
        case .reqAutoOpenOrders: self = .reqAutoOpenOrders(Self.made(by: &coder))
        case .reqAllOpenOrders: self = .reqAllOpenOrders(Self.made(by: &coder))
        case .reqManagedAccts: self = .reqManagedAccts(Self.made(by: &coder))
        case .requestFA: self = .requestFA(Self.made(by: &coder))
        case .replaceFA: self = .replaceFA(Self.made(by: &coder))
        case .reqHistoricalData: self = .reqHistoricalData(Self.made(by: &coder))
        case .exerciseOptions: self = .exerciseOptions(Self.made(by: &coder))
        case .reqScannerSubscription: self = .reqScannerSubscription(Self.made(by: &coder))
        case .cancelScannerSubscription: self = .cancelScannerSubscription(Self.made(by: &coder))
        case .reqScannerParameters: self = .reqScannerParameters(Self.made(by: &coder))
        case .cancelHistoricalData: self = .cancelHistoricalData(Self.made(by: &coder))
        case .reqCurrentTime: self = .reqCurrentTime(Self.made(by: &coder))
        case .reqRealTimeBars: self = .reqRealTimeBars(Self.made(by: &coder))
        case .cancelRealTimeBars: self = .cancelRealTimeBars(Self.made(by: &coder))
        case .calculateImpliedVolatility: self = .calculateImpliedVolatility(Self.made(by: &coder))
        case .calculateOptionPrice: self = .calculateOptionPrice(Self.made(by: &coder))
        case .cancelCalcImpliedVolat: self = .cancelCalcImpliedVolat(Self.made(by: &coder))
        case .cancelCalcOptionPrice: self = .cancelCalcOptionPrice(Self.made(by: &coder))
        case .reqGlobalCancel: self = .reqGlobalCancel(Self.made(by: &coder))
        case .reqMarketDataType: self = .reqMarketDataType(Self.made(by: &coder))
        case .reqPositions: self = .reqPositions(Self.made(by: &coder))
        case .reqAccountSummary: self = .reqAccountSummary(Self.made(by: &coder))
        case .cancelAccountSummary: self = .cancelAccountSummary(Self.made(by: &coder))
        case .cancelPositions: self = .cancelPositions(Self.made(by: &coder))
        case .verifyRequest: self = .verifyRequest(Self.made(by: &coder))
        case .verifyMessage: self = .verifyMessage(Self.made(by: &coder))
        case .queryDisplayGroups: self = .queryDisplayGroups(Self.made(by: &coder))
        case .subscribeToGroupEvents: self = .subscribeToGroupEvents(Self.made(by: &coder))
        case .updateDisplayGroup: self = .updateDisplayGroup(Self.made(by: &coder))
        case .unsubscribeFromGroupEvents: self = .unsubscribeFromGroupEvents(Self.made(by: &coder))
        case .startApi: self = .startApi(Self.made(by: &coder))
        case .verifyAndAuthRequest: self = .verifyAndAuthRequest(Self.made(by: &coder))
        case .verifyAndAuthMessage: self = .verifyAndAuthMessage(Self.made(by: &coder))
        case .reqPositionsMulti: self = .reqPositionsMulti(Self.made(by: &coder))
        case .cancelPositionsMulti: self = .cancelPositionsMulti(Self.made(by: &coder))
        case .reqAccountUpdatesMulti: self = .reqAccountUpdatesMulti(Self.made(by: &coder))
        case .cancelAccountUpdatesMulti: self = .cancelAccountUpdatesMulti(Self.made(by: &coder))
        case .reqSecDefOptParams: self = .reqSecDefOptParams(Self.made(by: &coder))
        case .reqSoftDollarTiers: self = .reqSoftDollarTiers(Self.made(by: &coder))
        case .reqFamilyCodes: self = .reqFamilyCodes(Self.made(by: &coder))
        case .reqMatchingSymbols: self = .reqMatchingSymbols(Self.made(by: &coder))
        case .reqMktDepthExchanges: self = .reqMktDepthExchanges(Self.made(by: &coder))
        case .reqSmartComponents: self = .reqSmartComponents(Self.made(by: &coder))
        case .reqNewsArticle: self = .reqNewsArticle(Self.made(by: &coder))
        case .reqNewsProviders: self = .reqNewsProviders(Self.made(by: &coder))
        case .reqHistoricalNews: self = .reqHistoricalNews(Self.made(by: &coder))
        case .reqHeadTimestamp: self = .reqHeadTimestamp(Self.made(by: &coder))
        case .reqHistogramData: self = .reqHistogramData(Self.made(by: &coder))
        case .cancelHistogramData: self = .cancelHistogramData(Self.made(by: &coder))
        case .cancelHeadTimestamp: self = .cancelHeadTimestamp(Self.made(by: &coder))
        case .reqMarketRule: self = .reqMarketRule(Self.made(by: &coder))
        case .reqPnL: self = .reqPnL(Self.made(by: &coder))
        case .cancelPnL: self = .cancelPnL(Self.made(by: &coder))
        case .reqPnLSingle: self = .reqPnLSingle(Self.made(by: &coder))
        case .cancelPnLSingle: self = .cancelPnLSingle(Self.made(by: &coder))
        case .reqHistoricalTicks: self = .reqHistoricalTicks(Self.made(by: &coder))
        case .reqTickByTickData: self = .reqTickByTickData(Self.made(by: &coder))
        case .cancelTickByTickData: self = .cancelTickByTickData(Self.made(by: &coder))
        case .reqCompletedOrders: self = .reqCompletedOrders(Self.made(by: &coder))
        case .reqWshMetaData: self = .reqWshMetaData(Self.made(by: &coder))
        case .cancelWshMetaData: self = .cancelWshMetaData(Self.made(by: &coder))
        case .reqWshEventData: self = .reqWshEventData(Self.made(by: &coder))
        case .cancelWshEventData: self = .cancelWshEventData(Self.made(by: &coder))
        case .reqUserInfo: self = .reqUserInfo(Self.made(by: &coder))
        case .reqCurrentTimeInMillis: self = .reqCurrentTimeInMillis(Self.made(by: &coder))
        }
    }

    /// Walks over the message's fields.
    public func fields(_ coder: inout some FieldCoder & ~Copyable) {
        switch self {
        case .reqMktData(var message): message.fields(&coder)
        case .cancelMktData(var message): message.fields(&coder)
        case .placeOrder(var message): message.fields(&coder)
        case .cancelOrder(var message): message.fields(&coder)
        case .reqOpenOrders(var message): message.fields(&coder)
        case .reqAccountUpdates(var message): message.fields(&coder)
        case .reqExecutions(var message): message.fields(&coder)
        case .reqIds(var message): message.fields(&coder)
        case .reqContractDetails(var message): message.fields(&coder)
        case .reqMktDepth(var message): message.fields(&coder)
        case .cancelMktDepth(var message): message.fields(&coder)
        case .reqNewsBulletins(var message): message.fields(&coder)
        case .cancelNewsBulletins(var message): message.fields(&coder)
        case .setServerLogLevel(var message): message.fields(&coder)
        case .reqAutoOpenOrders(var message): message.fields(&coder)
        case .reqAllOpenOrders(var message): message.fields(&coder)
        case .reqManagedAccts(var message): message.fields(&coder)
        case .requestFA(var message): message.fields(&coder)
        case .replaceFA(var message): message.fields(&coder)
        case .reqHistoricalData(var message): message.fields(&coder)
        case .exerciseOptions(var message): message.fields(&coder)
        case .reqScannerSubscription(var message): message.fields(&coder)
        case .cancelScannerSubscription(var message): message.fields(&coder)
        case .reqScannerParameters(var message): message.fields(&coder)
        case .cancelHistoricalData(var message): message.fields(&coder)
        case .reqCurrentTime(var message): message.fields(&coder)
        case .reqRealTimeBars(var message): message.fields(&coder)
        case .cancelRealTimeBars(var message): message.fields(&coder)
        case .calculateImpliedVolatility(var message): message.fields(&coder)
        case .calculateOptionPrice(var message): message.fields(&coder)
        case .cancelCalcImpliedVolat(var message): message.fields(&coder)
        case .cancelCalcOptionPrice(var message): message.fields(&coder)
        case .reqGlobalCancel(var message): message.fields(&coder)
        case .reqMarketDataType(var message): message.fields(&coder)
        case .reqPositions(var message): message.fields(&coder)
        case .reqAccountSummary(var message): message.fields(&coder)
        case .cancelAccountSummary(var message): message.fields(&coder)
        case .cancelPositions(var message): message.fields(&coder)
        case .verifyRequest(var message): message.fields(&coder)
        case .verifyMessage(var message): message.fields(&coder)
        case .queryDisplayGroups(var message): message.fields(&coder)
        case .subscribeToGroupEvents(var message): message.fields(&coder)
        case .updateDisplayGroup(var message): message.fields(&coder)
        case .unsubscribeFromGroupEvents(var message): message.fields(&coder)
        case .startApi(var message): message.fields(&coder)
        case .verifyAndAuthRequest(var message): message.fields(&coder)
        case .verifyAndAuthMessage(var message): message.fields(&coder)
        case .reqPositionsMulti(var message): message.fields(&coder)
        case .cancelPositionsMulti(var message): message.fields(&coder)
        case .reqAccountUpdatesMulti(var message): message.fields(&coder)
        case .cancelAccountUpdatesMulti(var message): message.fields(&coder)
        case .reqSecDefOptParams(var message): message.fields(&coder)
        case .reqSoftDollarTiers(var message): message.fields(&coder)
        case .reqFamilyCodes(var message): message.fields(&coder)
        case .reqMatchingSymbols(var message): message.fields(&coder)
        case .reqMktDepthExchanges(var message): message.fields(&coder)
        case .reqSmartComponents(var message): message.fields(&coder)
        case .reqNewsArticle(var message): message.fields(&coder)
        case .reqNewsProviders(var message): message.fields(&coder)
        case .reqHistoricalNews(var message): message.fields(&coder)
        case .reqHeadTimestamp(var message): message.fields(&coder)
        case .reqHistogramData(var message): message.fields(&coder)
        case .cancelHistogramData(var message): message.fields(&coder)
        case .cancelHeadTimestamp(var message): message.fields(&coder)
        case .reqMarketRule(var message): message.fields(&coder)
        case .reqPnL(var message): message.fields(&coder)
        case .cancelPnL(var message): message.fields(&coder)
        case .reqPnLSingle(var message): message.fields(&coder)
        case .cancelPnLSingle(var message): message.fields(&coder)
        case .reqHistoricalTicks(var message): message.fields(&coder)
        case .reqTickByTickData(var message): message.fields(&coder)
        case .cancelTickByTickData(var message): message.fields(&coder)
        case .reqCompletedOrders(var message): message.fields(&coder)
        case .reqWshMetaData(var message): message.fields(&coder)
        case .cancelWshMetaData(var message): message.fields(&coder)
        case .reqWshEventData(var message): message.fields(&coder)
        case .cancelWshEventData(var message): message.fields(&coder)
        case .reqUserInfo(var message): message.fields(&coder)
        case .reqCurrentTimeInMillis(var message): message.fields(&coder)
        }
    }

    private static func made<R: FieldRecord>(by coder: inout some FieldCoder & ~Copyable) -> R {
        var record = R()
        record.fields(&coder)
        return record
    }
}
