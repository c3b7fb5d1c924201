import MarketSimulation
import Primitives
import TWSProtocol

/// Order books.
extension Gateway {
    func subscribe(_ request: ReqMktDepth, _ client: Client) {
        let key = SubscriptionKey(connection: client.connection, request: request.reqId)
        guard !isTaken(data.orderBooks.contains(key), request.reqId, client),
            let listed = listed(request.contract, for: request.reqId, client)
        else { return }
        guard listed.hasOrderBook(by: request.contract.exchange, isSmart: request.isSmartDepth)
        else {
            return refuse(
                10092,
                "Deep market data is not supported for this combination of security type/exchange",
                request.reqId, client)
        }
        guard request.numRows > 0 else {
            return refuse(
                321,
                "Error validating request.-'bS' : cause - Invalid number of rows \(request.numRows)",
                request.reqId, client)
        }
        guard data.orderBooks.count < data.settings.marketDepth else {
            pacingAudit.count(.marketDepth)
            return refuse(
                309,
                "Max number (\(data.settings.marketDepth)) of market depth requests has been reached",
                request.reqId, client)
        }
        guard data.settings.access == .live else {
            let notice = data.settings.access.notice(nil, on: listed)
            return refuse(notice?.code ?? 354, notice?.text ?? "", request.reqId, client)
        }
        let venues = QuoteVenues(of: listed, in: contracts)
        data.orderBooks.add(DepthSubscription(request, of: listed, venues, for: client), as: key)
        market.follow(listed.id)
        if request.isSmartDepth {
            let names = venues.names.joined(separator: "; ")
            refuse(2152, "Exchanges - Depth: \(names); Top: ", request.reqId, client)
        }
        showOrderBook(key)
    }

    func cancelOrderBook(_ request: RequestID, _ client: Client) {
        let key = SubscriptionKey(connection: client.connection, request: request)
        guard let closed = data.orderBooks.remove(key) else {
            return refuse(
                310, "Can't find the subscribed market depth with tickerId:\(request.rawValue)",
                request, client)
        }
        market.unfollow(closed.listed.id)
    }

    /// Publishes to a subscription what changes its order book to the market's. A closed or halted
    /// market has an empty one.
    func showOrderBook(_ key: SubscriptionKey) {
        guard let subscription = data.orderBooks[key], !subscription.isDead,
            isFlowing(subscription.listed.id)
        else { return }
        let snapshot = market.snapshot(of: subscription.listed.id)
        let shown = snapshot.isOpen && !snapshot.isHalted ? snapshot : nil
        let changes = data.orderBooks[key]?.show(shown, seed: settings.seed) ?? []
        for message in changes { answers.send(message, to: key.connection) }
    }
}
