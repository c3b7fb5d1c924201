/// A message from a gateway. The large ones lie behind a reference, so that passing one on copies little.
public enum GatewayMessage: Hashable, Sendable {
    /// A price of a market data subscription.
    case tickPrice(TickPrice)
    /// A size of a market data subscription.
    case tickSize(WireTickSize)
    /// Where an order stands.
    indirect case orderStatus(OrderStatus)
    /// A notice, a warning, a refusal or a change of the connection.
    indirect case error(ErrorMessage)
    /// An order with everything known of it.
    indirect case openOrder(OpenOrder)
    /// One value of the account.
    case accountValue(WireAccountValue)
    /// One position with its value.
    indirect case portfolioValue(PortfolioValue)
    /// When the account values were taken.
    case accountUpdateTime(AccountUpdateTime)
    /// The lowest order number that may be used.
    case nextValidId(NextValidId)
    /// A contract's details.
    indirect case contractData(ContractData)
    /// A fill.
    indirect case execDetails(ExecDetails)
    /// A change of an order book.
    case marketDepth(MarketDepth)
    /// A change of an order book with market makers.
    indirect case marketDepthL2(MarketDepthL2)
    /// An announcement of the broker.
    case newsBulletin(NewsBulletin)
    /// The accounts this login may use.
    case managedAccounts(ManagedAccounts)
    /// An advisor's configuration.
    case receiveFA(ReceiveFA)
    /// Historical bars.
    case historicalData(HistoricalData)
    /// A bond's details.
    indirect case bondContractData(BondContractData)
    /// What the scanner can do, as XML.
    case scannerParameters(ScannerParameters)
    /// A scanner's rows.
    case scannerData(ScannerData)
    /// An option's implied volatility and sensitivities.
    indirect case tickOptionComputation(TickOptionComputation)
    /// A number of a market data subscription.
    case tickGeneric(TickGeneric)
    /// A text of a market data subscription.
    case tickString(TickString)
    /// An exchange for physical.
    indirect case tickEFP(TickEFP)
    /// The gateway's clock, in seconds.
    case currentTime(CurrentTime)
    /// A bar of five seconds.
    indirect case realTimeBar(RealTimeBar)
    /// The last contract was sent.
    case contractDataEnd(ContractDataEnd)
    /// The last open order was sent.
    case openOrderEnd(OpenOrderEnd)
    /// The last account value was sent.
    case accountDownloadEnd(AccountDownloadEnd)
    /// The last fill was sent.
    case execDetailsEnd(ExecDetailsEnd)
    /// The answer to a delta-neutral request for quote.
    case deltaNeutralValidation(DeltaNeutralValidation)
    /// A snapshot is complete.
    case tickSnapshotEnd(TickSnapshotEnd)
    /// Whether a subscription is live, frozen or delayed.
    case marketDataType(MarketDataType)
    /// What a fill cost.
    indirect case commissionAndFeesReport(CommissionAndFeesReport)
    /// A position.
    indirect case position(Position)
    /// The last position was sent.
    case positionEnd(PositionEnd)
    /// One value of an account summary.
    indirect case accountSummary(AccountSummary)
    /// The last value of a summary was sent.
    case accountSummaryEnd(AccountSummaryEnd)
    /// A step of a program's authentication.
    case verifyMessageApi(VerifyMessageApi)
    /// The end of a program's authentication.
    case verifyCompleted(VerifyCompleted)
    /// The groups of windows that share a contract.
    case displayGroupList(DisplayGroupList)
    /// A group's contract changed.
    case displayGroupUpdated(DisplayGroupUpdated)
    /// A step of a program's and user's authentication.
    case verifyAndAuthMessageApi(VerifyAndAuthMessageApi)
    /// The end of a program's and user's authentication.
    case verifyAndAuthCompleted(VerifyAndAuthCompleted)
    /// A position by account and model.
    indirect case positionMulti(PositionMulti)
    /// The last such position was sent.
    case positionMultiEnd(PositionMultiEnd)
    /// An account value by account and model.
    indirect case accountUpdateMulti(AccountUpdateMulti)
    /// The last such value was sent.
    case accountUpdateMultiEnd(AccountUpdateMultiEnd)
    /// Expirations and strikes of a class of options.
    indirect case secDefOptParameter(SecDefOptParameter)
    /// The last class was sent.
    case secDefOptParameterEnd(SecDefOptParameterEnd)
    /// Tiers of soft dollars.
    case softDollarTiers(SoftDollarTiers)
    /// Accounts of a family.
    case familyCodes(FamilyCodes)
    /// Symbols that match a pattern.
    case symbolSamples(SymbolSamples)
    /// Exchanges with order books.
    case mktDepthExchanges(MktDepthExchanges)
    /// A subscription's tick size and exchange map.
    case tickReqParams(TickReqParams)
    /// The exchanges behind an exchange map.
    case smartComponents(SmartComponents)
    /// A news article.
    case newsArticle(NewsArticle)
    /// A headline of a news subscription.
    indirect case tickNews(TickNews)
    /// Providers of news.
    case newsProviders(NewsProviders)
    /// A headline of the past.
    indirect case historicalNews(HistoricalNews)
    /// The last headline was sent.
    case historicalNewsEnd(HistoricalNewsEnd)
    /// Since when there is history.
    case headTimestamp(HeadTimestamp)
    /// Prices and the sizes traded at them.
    case histogramData(HistogramData)
    /// A growing bar of kept-up-to-date history.
    indirect case historicalDataUpdate(HistoricalDataUpdate)
    /// Market data of a contract for difference are another instrument's.
    case rerouteMktDataReq(RerouteMktDataReq)
    /// The order book of a contract for difference is another instrument's.
    case rerouteMktDepthReq(RerouteMktDepthReq)
    /// Tick sizes by price.
    case marketRule(MarketRule)
    /// Profit and loss of an account.
    case pnl(Pnl)
    /// Profit and loss of a position.
    indirect case pnlSingle(PnlSingle)
    /// Historical midpoints.
    case historicalTicks(HistoricalTicks)
    /// Historical quotes.
    case historicalTicksBidAsk(HistoricalTicksBidAsk)
    /// Historical trades.
    case historicalTicksLast(HistoricalTicksLast)
    /// One trade, quote or midpoint as it happened.
    indirect case tickByTick(TickByTick)
    /// A manual order was given an API number.
    case orderBound(OrderBound)
    /// An order that has ended.
    indirect case completedOrder(CompletedOrder)
    /// The last ended order was sent.
    case completedOrdersEnd(CompletedOrdersEnd)
    /// An advisor's configuration was taken.
    case replaceFaEnd(ReplaceFaEnd)
    /// Wall Street Horizon's filters, as JSON.
    case wshMetaData(WshMetaData)
    /// Wall Street Horizon's events, as JSON.
    case wshEventData(WshEventData)
    /// Historical trading sessions.
    indirect case historicalSchedule(HistoricalSchedule)
    /// The user's white-branding id.
    case userInfo(UserInfo)
    /// The last historical bar was sent.
    case historicalDataEnd(HistoricalDataEnd)
    /// The gateway's clock, in milliseconds.
    case currentTimeInMillis(CurrentTimeInMillis)
}

extension GatewayMessage {
    /// The message's kind.
    public var kind: GatewayMessageKind {
        switch self {
        case .tickPrice: .tickPrice
        case .tickSize: .tickSize
        case .orderStatus: .orderStatus
        case .error: .error
        case .openOrder: .openOrder
        case .accountValue: .accountValue
        case .portfolioValue: .portfolioValue
        case .accountUpdateTime: .accountUpdateTime
        case .nextValidId: .nextValidId
        case .contractData: .contractData
        case .execDetails: .execDetails
        case .marketDepth: .marketDepth
        case .marketDepthL2: .marketDepthL2
        case .newsBulletin: .newsBulletin
        case .managedAccounts: .managedAccounts
        case .receiveFA: .receiveFA
        case .historicalData: .historicalData
        case .bondContractData: .bondContractData
        case .scannerParameters: .scannerParameters
        case .scannerData: .scannerData
        case .tickOptionComputation: .tickOptionComputation
        case .tickGeneric: .tickGeneric
        case .tickString: .tickString
        case .tickEFP: .tickEFP
        case .currentTime: .currentTime
        case .realTimeBar: .realTimeBar
        case .contractDataEnd: .contractDataEnd
        case .openOrderEnd: .openOrderEnd
        case .accountDownloadEnd: .accountDownloadEnd
        case .execDetailsEnd: .execDetailsEnd
        case .deltaNeutralValidation: .deltaNeutralValidation
        case .tickSnapshotEnd: .tickSnapshotEnd
        case .marketDataType: .marketDataType
        case .commissionAndFeesReport: .commissionAndFeesReport
        case .position: .position
        case .positionEnd: .positionEnd
        case .accountSummary: .accountSummary
        case .accountSummaryEnd: .accountSummaryEnd
        case .verifyMessageApi: .verifyMessageApi
        case .verifyCompleted: .verifyCompleted
        case .displayGroupList: .displayGroupList
        case .displayGroupUpdated: .displayGroupUpdated
        case .verifyAndAuthMessageApi: .verifyAndAuthMessageApi
        case .verifyAndAuthCompleted: .verifyAndAuthCompleted
        case .positionMulti: .positionMulti
        case .positionMultiEnd: .positionMultiEnd
        case .accountUpdateMulti: .accountUpdateMulti
        case .accountUpdateMultiEnd: .accountUpdateMultiEnd
        case .secDefOptParameter: .secDefOptParameter
        case .secDefOptParameterEnd: .secDefOptParameterEnd
        case .softDollarTiers: .softDollarTiers
        case .familyCodes: .familyCodes
        case .symbolSamples: .symbolSamples
        case .mktDepthExchanges: .mktDepthExchanges
        case .tickReqParams: .tickReqParams
        case .smartComponents: .smartComponents
        case .newsArticle: .newsArticle
        case .tickNews: .tickNews
        case .newsProviders: .newsProviders
        case .historicalNews: .historicalNews
        case .historicalNewsEnd: .historicalNewsEnd
        case .headTimestamp: .headTimestamp
        case .histogramData: .histogramData
        case .historicalDataUpdate: .historicalDataUpdate
        case .rerouteMktDataReq: .rerouteMktDataReq
        case .rerouteMktDepthReq: .rerouteMktDepthReq
        case .marketRule: .marketRule
        case .pnl: .pnl
        case .pnlSingle: .pnlSingle
        case .historicalTicks: .historicalTicks
        case .historicalTicksBidAsk: .historicalTicksBidAsk
        case .historicalTicksLast: .historicalTicksLast
        case .tickByTick: .tickByTick
        case .orderBound: .orderBound
        case .completedOrder: .completedOrder
        case .completedOrdersEnd: .completedOrdersEnd
        case .replaceFaEnd: .replaceFaEnd
        case .wshMetaData: .wshMetaData
        case .wshEventData: .wshEventData
        case .historicalSchedule: .historicalSchedule
        case .userInfo: .userInfo
        case .historicalDataEnd: .historicalDataEnd
        case .currentTimeInMillis: .currentTimeInMillis
        }
    }

    /// A message of that kind with nothing set, its fields walked over by `coder`.
    public init(_ kind: GatewayMessageKind, from coder: inout some FieldCoder & ~Copyable) {
        switch kind {
        case .tickPrice: self = .tickPrice(Self.made(by: &coder))
        case .tickSize: self = .tickSize(Self.made(by: &coder))
        case .orderStatus: self = .orderStatus(Self.made(by: &coder))
        case .error: self = .error(Self.made(by: &coder))
        case .openOrder: self = .openOrder(Self.made(by: &coder))
        case .accountValue: self = .accountValue(Self.made(by: &coder))
        case .portfolioValue: self = .portfolioValue(Self.made(by: &coder))
        case .accountUpdateTime: self = .accountUpdateTime(Self.made(by: &coder))
        case .nextValidId: self = .nextValidId(Self.made(by: &coder))
        case .contractData: self = .contractData(Self.made(by: &coder))
        case .execDetails: self = .execDetails(Self.made(by: &coder))
        case .marketDepth: self = .marketDepth(Self.made(by: &coder))
        case .marketDepthL2: self = .marketDepthL2(Self.made(by: &coder))
        case .newsBulletin: self = .newsBulletin(Self.made(by: &coder))
        case .managedAccounts: self = .managedAccounts(Self.made(by: &coder))
        case .receiveFA: self = .receiveFA(Self.made(by: &coder))
        case .historicalData: self = .historicalData(Self.made(by: &coder))
        case .bondContractData: self = .bondContractData(Self.made(by: &coder))
        case .scannerParameters: self = .scannerParameters(Self.made(by: &coder))
        case .scannerData: self = .scannerData(Self.made(by: &coder))
        case .tickOptionComputation: self = .tickOptionComputation(Self.made(by: &coder))
        case .tickGeneric: self = .tickGeneric(Self.made(by: &coder))
        case .tickString: self = .tickString(Self.made(by: &coder))
        case .tickEFP: self = .tickEFP(Self.made(by: &coder))
        case .currentTime: self = .currentTime(Self.made(by: &coder))
        case .realTimeBar: self = .realTimeBar(Self.made(by: &coder))
        case .contractDataEnd: self = .contractDataEnd(Self.made(by: &coder))
        case .openOrderEnd: self = .openOrderEnd(Self.made(by: &coder))
        case .accountDownloadEnd: self = .accountDownloadEnd(Self.made(by: &coder))
        case .execDetailsEnd: self = .execDetailsEnd(Self.made(by: &coder))
        case .deltaNeutralValidation: self = .deltaNeutralValidation(Self.made(by: &coder))
        case .tickSnapshotEnd: self = .tickSnapshotEnd(Self.made(by: &coder))
        case .marketDataType: self = .marketDataType(Self.made(by: &coder))
        case .commissionAndFeesReport: self = .commissionAndFeesReport(Self.made(by: &coder))
        case .position: self = .position(Self.made(by: &coder))
        case .positionEnd: self = .positionEnd(Self.made(by: &coder))
        case .accountSummary: self = .accountSummary(Self.made(by: &coder))
        case .accountSummaryEnd: self = .accountSummaryEnd(Self.made(by: &coder))
        case .verifyMessageApi: self = .verifyMessageApi(Self.made(by: &coder))
        case .verifyCompleted: self = .verifyCompleted(Self.made(by: &coder))
        case .displayGroupList: self = .displayGroupList(Self.made(by: &coder))
        case .displayGroupUpdated: self = .displayGroupUpdated(Self.made(by: &coder))
        case .verifyAndAuthMessageApi: self = .verifyAndAuthMessageApi(Self.made(by: &coder))
        case .verifyAndAuthCompleted: self = .verifyAndAuthCompleted(Self.made(by: &coder))
        case .positionMulti: self = .positionMulti(Self.made(by: &coder))
        case .positionMultiEnd: self = .positionMultiEnd(Self.made(by: &coder))
        case .accountUpdateMulti: self = .accountUpdateMulti(Self.made(by: &coder))
        case .accountUpdateMultiEnd: self = .accountUpdateMultiEnd(Self.made(by: &coder))
        case .secDefOptParameter: self = .secDefOptParameter(Self.made(by: &coder))
        case .secDefOptParameterEnd: self = .secDefOptParameterEnd(Self.made(by: &coder))
        case .softDollarTiers: self = .softDollarTiers(Self.made(by: &coder))
        case .familyCodes: self = .familyCodes(Self.made(by: &coder))
        case .symbolSamples: self = .symbolSamples(Self.made(by: &coder))
        case .mktDepthExchanges: self = .mktDepthExchanges(Self.made(by: &coder))
        case .tickReqParams: self = .tickReqParams(Self.made(by: &coder))
        case .smartComponents: self = .smartComponents(Self.made(by: &coder))
        case .newsArticle: self = .newsArticle(Self.made(by: &coder))
        case .tickNews: self = .tickNews(Self.made(by: &coder))
        case .newsProviders: self = .newsProviders(Self.made(by: &coder))
        case .historicalNews: self = .historicalNews(Self.made(by: &coder))
        case .historicalNewsEnd: self = .historicalNewsEnd(Self.made(by: &coder))
        case .headTimestamp: self = .headTimestamp(Self.made(by: &coder))
        case .histogramData: self = .histogramData(Self.made(by: &coder))
        case .historicalDataUpdate: self = .historicalDataUpdate(Self.made(by: &coder))
        case .rerouteMktDataReq: self = .rerouteMktDataReq(Self.made(by: &coder))
        case .rerouteMktDepthReq: self = .rerouteMktDepthReq(Self.made(by: &coder))
        case .marketRule: self = .marketRule(Self.made(by: &coder))
        case .pnl: self = .pnl(Self.made(by: &coder))
        case .pnlSingle: self = .pnlSingle(Self.made(by: &coder))
        case .historicalTicks: self = .historicalTicks(Self.made(by: &coder))
        case .historicalTicksBidAsk: self = .historicalTicksBidAsk(Self.made(by: &coder))
        case .historicalTicksLast: self = .historicalTicksLast(Self.made(by: &coder))
        case .tickByTick: self = .tickByTick(Self.made(by: &coder))
        case .orderBound: self = .orderBound(Self.made(by: &coder))
        case .completedOrder: self = .completedOrder(Self.made(by: &coder))
        case .completedOrdersEnd: self = .completedOrdersEnd(Self.made(by: &coder))
        case .replaceFaEnd: self = .replaceFaEnd(Self.made(by: &coder))
        case .wshMetaData: self = .wshMetaData(Self.made(by: &coder))
        case .wshEventData: self = .wshEventData(Self.made(by: &coder))
        case .historicalSchedule: self = .historicalSchedule(Self.made(by: &coder))
        case .userInfo: self = .userInfo(Self.made(by: &coder))
        case .historicalDataEnd: self = .historicalDataEnd(Self.made(by: &coder))
        case .currentTimeInMillis: self = .currentTimeInMillis(Self.made(by: &coder))
        }
    }

    /// Walks over the message's fields.
    public func fields(_ coder: inout some FieldCoder & ~Copyable) {
        switch self {
        case .tickPrice(var message): message.fields(&coder)
        case .tickSize(var message): message.fields(&coder)
        case .orderStatus(var message): message.fields(&coder)
        case .error(var message): message.fields(&coder)
        case .openOrder(var message): message.fields(&coder)
        case .accountValue(var message): message.fields(&coder)
        case .portfolioValue(var message): message.fields(&coder)
        case .accountUpdateTime(var message): message.fields(&coder)
        case .nextValidId(var message): message.fields(&coder)
        case .contractData(var message): message.fields(&coder)
        case .execDetails(var message): message.fields(&coder)
        case .marketDepth(var message): message.fields(&coder)
        case .marketDepthL2(var message): message.fields(&coder)
        case .newsBulletin(var message): message.fields(&coder)
        case .managedAccounts(var message): message.fields(&coder)
        case .receiveFA(var message): message.fields(&coder)
        case .historicalData(var message): message.fields(&coder)
        case .bondContractData(var message): message.fields(&coder)
        case .scannerParameters(var message): message.fields(&coder)
        case .scannerData(var message): message.fields(&coder)
        case .tickOptionComputation(var message): message.fields(&coder)
        case .tickGeneric(var message): message.fields(&coder)
        case .tickString(var message): message.fields(&coder)
        case .tickEFP(var message): message.fields(&coder)
        case .currentTime(var message): message.fields(&coder)
        case .realTimeBar(var message): message.fields(&coder)
        case .contractDataEnd(var message): message.fields(&coder)
        case .openOrderEnd(var message): message.fields(&coder)
        case .accountDownloadEnd(var message): message.fields(&coder)
        case .execDetailsEnd(var message): message.fields(&coder)
        case .deltaNeutralValidation(var message): message.fields(&coder)
        case .tickSnapshotEnd(var message): message.fields(&coder)
        case .marketDataType(var message): message.fields(&coder)
        case .commissionAndFeesReport(var message): message.fields(&coder)
        case .position(var message): message.fields(&coder)
        case .positionEnd(var message): message.fields(&coder)
        case .accountSummary(var message): message.fields(&coder)
        case .accountSummaryEnd(var message): message.fields(&coder)
        case .verifyMessageApi(var message): message.fields(&coder)
        case .verifyCompleted(var message): message.fields(&coder)
        case .displayGroupList(var message): message.fields(&coder)
        case .displayGroupUpdated(var message): message.fields(&coder)
        case .verifyAndAuthMessageApi(var message): message.fields(&coder)
        case .verifyAndAuthCompleted(var message): message.fields(&coder)
        case .positionMulti(var message): message.fields(&coder)
        case .positionMultiEnd(var message): message.fields(&coder)
        case .accountUpdateMulti(var message): message.fields(&coder)
        case .accountUpdateMultiEnd(var message): message.fields(&coder)
        case .secDefOptParameter(var message): message.fields(&coder)
        case .secDefOptParameterEnd(var message): message.fields(&coder)
        case .softDollarTiers(var message): message.fields(&coder)
        case .familyCodes(var message): message.fields(&coder)
        case .symbolSamples(var message): message.fields(&coder)
        case .mktDepthExchanges(var message): message.fields(&coder)
        case .tickReqParams(var message): message.fields(&coder)
        case .smartComponents(var message): message.fields(&coder)
        case .newsArticle(var message): message.fields(&coder)
        case .tickNews(var message): message.fields(&coder)
        case .newsProviders(var message): message.fields(&coder)
        case .historicalNews(var message): message.fields(&coder)
        case .historicalNewsEnd(var message): message.fields(&coder)
        case .headTimestamp(var message): message.fields(&coder)
        case .histogramData(var message): message.fields(&coder)
        case .historicalDataUpdate(var message): message.fields(&coder)
        case .rerouteMktDataReq(var message): message.fields(&coder)
        case .rerouteMktDepthReq(var message): message.fields(&coder)
        case .marketRule(var message): message.fields(&coder)
        case .pnl(var message): message.fields(&coder)
        case .pnlSingle(var message): message.fields(&coder)
        case .historicalTicks(var message): message.fields(&coder)
        case .historicalTicksBidAsk(var message): message.fields(&coder)
        case .historicalTicksLast(var message): message.fields(&coder)
        case .tickByTick(var message): message.fields(&coder)
        case .orderBound(var message): message.fields(&coder)
        case .completedOrder(var message): message.fields(&coder)
        case .completedOrdersEnd(var message): message.fields(&coder)
        case .replaceFaEnd(var message): message.fields(&coder)
        case .wshMetaData(var message): message.fields(&coder)
        case .wshEventData(var message): message.fields(&coder)
        case .historicalSchedule(var message): message.fields(&coder)
        case .userInfo(var message): message.fields(&coder)
        case .historicalDataEnd(var message): message.fields(&coder)
        case .currentTimeInMillis(var message): message.fields(&coder)
        }
    }

    private static func made<R: FieldRecord>(by coder: inout some FieldCoder & ~Copyable) -> R {
        var record = R()
        record.fields(&coder)
        return record
    }
}
