import TWSProtocol

extension GatewayMessage {
    /// Who may be waiting for the message, besides those who follow orders and the connection.
    var routes: [Route] {
        if let request = requestID { return request.rawValue >= 0 ? [.request(request)] : [] }
        switch self {
        case .currentTime: return [.topic(.currentTime)]
        case .currentTimeInMillis: return [.topic(.currentTimeInMillis)]
        case .managedAccounts: return [.topic(.managedAccounts)]
        case .nextValidId: return [.topic(.nextValidID)]
        case .openOrder(let open): return [.topic(.openOrders), .order(open.orderId)]
        case .orderStatus, .openOrderEnd: return [.topic(.openOrders)]
        case .commissionAndFeesReport: return [.topic(.commissions)]
        case .completedOrder, .completedOrdersEnd: return [.topic(.completedOrders)]
        case .position, .positionEnd: return [.topic(.positions)]
        case .accountValue, .portfolioValue, .accountUpdateTime, .accountDownloadEnd:
            return [.topic(.accountUpdates)]
        case .scannerParameters: return [.topic(.scannerParameters)]
        case .newsProviders: return [.topic(.newsProviders)]
        case .newsBulletin: return [.topic(.newsBulletins)]
        case .familyCodes: return [.topic(.familyCodes)]
        case .mktDepthExchanges: return [.topic(.depthExchanges)]
        case .marketRule(let rule): return [.topic(.marketRule(rule.marketRuleId))]
        case .receiveFA: return [.topic(.advisor)]
        default: return []
        }
    }
}
