/// The messages a gateway sends, by their numbers on the wire.
public enum GatewayMessageKind: Int, CaseIterable, Sendable {
    /// A price of a market data subscription.
    case tickPrice = 1
    /// A size of a market data subscription.
    case tickSize = 2
    /// Where an order stands.
    case orderStatus = 3
    /// A notice, a warning, a refusal or a change of the connection.
    case error = 4
    /// An order with everything known of it.
    case openOrder = 5
    /// One value of the account.
    case accountValue = 6
    /// One position with its value.
    case portfolioValue = 7
    /// When the account values were taken.
    case accountUpdateTime = 8
    /// The lowest order number that may be used.
    case nextValidId = 9
    /// A contract's details.
    case contractData = 10
    /// A fill.
    case execDetails = 11
    /// A change of an order book.
    case marketDepth = 12
    /// A change of an order book with market makers.
    case marketDepthL2 = 13
    /// An announcement of the broker.
    case newsBulletin = 14
    /// The accounts this login may use.
    case managedAccounts = 15
    /// An advisor's configuration.
    case receiveFA = 16
    /// Historical bars.
    case historicalData = 17
    /// A bond's details.
    case bondContractData = 18
    /// What the scanner can do, as XML.
    case scannerParameters = 19
    /// A scanner's rows.
    case scannerData = 20
    /// An option's implied volatility and sensitivities.
    case tickOptionComputation = 21
    /// A number of a market data subscription.
    case tickGeneric = 45
    /// A text of a market data subscription.
    case tickString = 46
    /// An exchange for physical.
    case tickEFP = 47
    /// The gateway's clock, in seconds.
    case currentTime = 49
    /// A bar of five seconds.
    case realTimeBar = 50
    /// The last contract was sent.
    case contractDataEnd = 52
    /// The last open order was sent.
    case openOrderEnd = 53
    /// The last account value was sent.
    case accountDownloadEnd = 54
    /// The last fill was sent.
    case execDetailsEnd = 55
    /// The answer to a delta-neutral request for quote.
    case deltaNeutralValidation = 56
    /// A snapshot is complete.
    case tickSnapshotEnd = 57
    /// Whether a subscription is live, frozen or delayed.
    case marketDataType = 58
    /// What a fill cost.
    case commissionAndFeesReport = 59
    /// A position.
    case position = 61
    /// The last position was sent.
    case positionEnd = 62
    /// One value of an account summary.
    case accountSummary = 63
    /// The last value of a summary was sent.
    case accountSummaryEnd = 64
    /// A step of a program's authentication.
    case verifyMessageApi = 65
    /// The end of a program's authentication.
    case verifyCompleted = 66
    /// The groups of windows that share a contract.
    case displayGroupList = 67
    /// A group's contract changed.
    case displayGroupUpdated = 68
    /// A step of a program's and user's authentication.
    case verifyAndAuthMessageApi = 69
    /// The end of a program's and user's authentication.
    case verifyAndAuthCompleted = 70
    /// A position by account and model.
    case positionMulti = 71
    /// The last such position was sent.
    case positionMultiEnd = 72
    /// An account value by account and model.
    case accountUpdateMulti = 73
    /// The last such value was sent.
    case accountUpdateMultiEnd = 74
    /// Expirations and strikes of a class of options.
    case secDefOptParameter = 75
    /// The last class was sent.
    case secDefOptParameterEnd = 76
    /// Tiers of soft dollars.
    case softDollarTiers = 77
    /// Accounts of a family.
    case familyCodes = 78
    /// Symbols that match a pattern.
    case symbolSamples = 79
    /// Exchanges with order books.
    case mktDepthExchanges = 80
    /// A subscription's tick size and exchange map.
    case tickReqParams = 81
    /// The exchanges behind an exchange map.
    case smartComponents = 82
    /// A news article.
    case newsArticle = 83
    /// A headline of a news subscription.
    case tickNews = 84
    /// Providers of news.
    case newsProviders = 85
    /// A headline of the past.
    case historicalNews = 86
    /// The last headline was sent.
    case historicalNewsEnd = 87
    /// Since when there is history.
    case headTimestamp = 88
    /// Prices and the sizes traded at them.
    case histogramData = 89
    /// A growing bar of kept-up-to-date history.
    case historicalDataUpdate = 90
    /// Market data of a contract for difference are another instrument's.
    case rerouteMktDataReq = 91
    /// The order book of a contract for difference is another instrument's.
    case rerouteMktDepthReq = 92
    /// Tick sizes by price.
    case marketRule = 93
    /// Profit and loss of an account.
    case pnl = 94
    /// Profit and loss of a position.
    case pnlSingle = 95
    /// Historical midpoints.
    case historicalTicks = 96
    /// Historical quotes.
    case historicalTicksBidAsk = 97
    /// Historical trades.
    case historicalTicksLast = 98
    /// One trade, quote or midpoint as it happened.
    case tickByTick = 99
    /// A manual order was given an API number.
    case orderBound = 100
    /// An order that has ended.
    case completedOrder = 101
    /// The last ended order was sent.
    case completedOrdersEnd = 102
    /// An advisor's configuration was taken.
    case replaceFaEnd = 103
    /// Wall Street Horizon's filters, as JSON.
    case wshMetaData = 104
    /// Wall Street Horizon's events, as JSON.
    case wshEventData = 105
    /// Historical trading sessions.
    case historicalSchedule = 106
    /// The user's white-branding id.
    case userInfo = 107
    /// The last historical bar was sent.
    case historicalDataEnd = 108
    /// The gateway's clock, in milliseconds.
    case currentTimeInMillis = 109

    /// The server version from which the message exists.
    public var firstVersion: Int {
        switch self {
        case .wshMetaData, .wshEventData: 161
        case .historicalSchedule: 165
        case .userInfo: 167
        case .historicalDataEnd: 196
        case .currentTimeInMillis: 197
        default: ServerVersion.supported.lowerBound
        }
    }
}
