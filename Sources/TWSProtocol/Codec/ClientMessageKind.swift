/// The messages a client sends, by their numbers on the wire.
public enum ClientMessageKind: Int, CaseIterable, Sendable {
    /// Subscribe to market data.
    case reqMktData = 1
    /// End a market data subscription.
    case cancelMktData = 2
    /// Place or modify an order.
    case placeOrder = 3
    /// Cancel an order.
    case cancelOrder = 4
    /// Ask for this client's open orders.
    case reqOpenOrders = 5
    /// Subscribe to an account's values and positions.
    case reqAccountUpdates = 6
    /// Ask for fills.
    case reqExecutions = 7
    /// Ask for the next valid order number.
    case reqIds = 8
    /// Ask for the contracts that match.
    case reqContractDetails = 9
    /// Subscribe to an order book.
    case reqMktDepth = 10
    /// End an order book subscription.
    case cancelMktDepth = 11
    /// Subscribe to the broker's announcements.
    case reqNewsBulletins = 12
    /// End that subscription.
    case cancelNewsBulletins = 13
    /// Choose how much the gateway logs.
    case setServerLogLevel = 14
    /// Bind manual orders to client 0 from now on.
    case reqAutoOpenOrders = 15
    /// Ask for all clients' open orders.
    case reqAllOpenOrders = 16
    /// Ask for the accounts.
    case reqManagedAccts = 17
    /// Ask for an advisor's configuration.
    case requestFA = 18
    /// Replace an advisor's configuration.
    case replaceFA = 19
    /// Ask for historical bars.
    case reqHistoricalData = 20
    /// Exercise an option or let it lapse.
    case exerciseOptions = 21
    /// Subscribe to a market scanner.
    case reqScannerSubscription = 22
    /// End a scanner subscription.
    case cancelScannerSubscription = 23
    /// Ask what the scanner can do.
    case reqScannerParameters = 24
    /// End a request for historical bars.
    case cancelHistoricalData = 25
    /// Ask for the gateway's clock in seconds.
    case reqCurrentTime = 49
    /// Subscribe to bars of five seconds.
    case reqRealTimeBars = 50
    /// End that subscription.
    case cancelRealTimeBars = 51
    /// Ask for an option's implied volatility.
    case calculateImpliedVolatility = 54
    /// Ask for an option's price.
    case calculateOptionPrice = 55
    /// End a request for an implied volatility.
    case cancelCalcImpliedVolat = 56
    /// End a request for an option's price.
    case cancelCalcOptionPrice = 57
    /// Cancel every order of the account.
    case reqGlobalCancel = 58
    /// Choose live, frozen or delayed data.
    case reqMarketDataType = 59
    /// Subscribe to all positions.
    case reqPositions = 61
    /// Subscribe to a summary of accounts.
    case reqAccountSummary = 62
    /// End a summary subscription.
    case cancelAccountSummary = 63
    /// End the positions subscription.
    case cancelPositions = 64
    /// Begin a program's authentication.
    case verifyRequest = 65
    /// Continue a program's authentication.
    case verifyMessage = 66
    /// Ask for the groups of windows.
    case queryDisplayGroups = 67
    /// Follow a group's contract.
    case subscribeToGroupEvents = 68
    /// Set a group's contract.
    case updateDisplayGroup = 69
    /// Stop following a group.
    case unsubscribeFromGroupEvents = 70
    /// Begin the session.
    case startApi = 71
    /// Begin a program's and user's authentication.
    case verifyAndAuthRequest = 72
    /// Continue a program's and user's authentication.
    case verifyAndAuthMessage = 73
    /// Subscribe to positions by account and model.
    case reqPositionsMulti = 74
    /// End that subscription.
    case cancelPositionsMulti = 75
    /// Subscribe to account values by account and model.
    case reqAccountUpdatesMulti = 76
    /// End that subscription.
    case cancelAccountUpdatesMulti = 77
    /// Ask for expirations and strikes of options.
    case reqSecDefOptParams = 78
    /// Ask for tiers of soft dollars.
    case reqSoftDollarTiers = 79
    /// Ask for the accounts of a family.
    case reqFamilyCodes = 80
    /// Ask for symbols that match a pattern.
    case reqMatchingSymbols = 81
    /// Ask for exchanges with order books.
    case reqMktDepthExchanges = 82
    /// Ask for the exchanges behind an exchange map.
    case reqSmartComponents = 83
    /// Ask for a news article.
    case reqNewsArticle = 84
    /// Ask for the providers of news.
    case reqNewsProviders = 85
    /// Ask for headlines of the past.
    case reqHistoricalNews = 86
    /// Ask since when there is history.
    case reqHeadTimestamp = 87
    /// Ask for prices and the sizes traded at them.
    case reqHistogramData = 88
    /// End that request.
    case cancelHistogramData = 89
    /// End a request for the first time of history.
    case cancelHeadTimestamp = 90
    /// Ask for the tick sizes of a market rule.
    case reqMarketRule = 91
    /// Subscribe to an account's profit and loss.
    case reqPnL = 92
    /// End that subscription.
    case cancelPnL = 93
    /// Subscribe to a position's profit and loss.
    case reqPnLSingle = 94
    /// End that subscription.
    case cancelPnLSingle = 95
    /// Ask for historical ticks.
    case reqHistoricalTicks = 96
    /// Subscribe to every trade, quote or midpoint.
    case reqTickByTickData = 97
    /// End that subscription.
    case cancelTickByTickData = 98
    /// Ask for orders that have ended.
    case reqCompletedOrders = 99
    /// Ask for Wall Street Horizon's filters.
    case reqWshMetaData = 100
    /// End that request.
    case cancelWshMetaData = 101
    /// Ask for Wall Street Horizon's events.
    case reqWshEventData = 102
    /// End that request.
    case cancelWshEventData = 103
    /// Ask for the user's white-branding id.
    case reqUserInfo = 104
    /// Ask for the gateway's clock in milliseconds.
    case reqCurrentTimeInMillis = 105

    /// The server version from which the message exists.
    public var firstVersion: Int {
        switch self {
        case .reqWshMetaData, .cancelWshMetaData, .reqWshEventData, .cancelWshEventData: 161
        case .reqUserInfo: 167
        case .reqCurrentTimeInMillis: 197
        default: ServerVersion.supported.lowerBound
        }
    }
}
