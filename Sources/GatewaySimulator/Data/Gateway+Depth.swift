import Primitives
import TWSProtocol

/// Order books.
extension Gateway {
    func subscribe(_ request: ReqMktDepth, _ client: Client) {
        let key = SubscriptionKey(connection: client.connection, request: request.reqId)
        guard !isTaken(data.books.contains(key), request.reqId, client),
            let listed = listed(request.contract, for: request.reqId, client)
        else { return }
        guard listed.hasBook(by: request.contract.exchange, isSmart: request.isSmartDepth) else {
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
        guard data.books.count < data.settings.marketDepth else {
            police.count(.marketDepth)
            return refuse(
                309,
                "Max number (\(data.settings.marketDepth)) of market depth requests has been reached",
                request.reqId, client)
        }
        guard data.settings.access == .live else {
            let notice = data.settings.access.notice(nil, on: listed)
            return refuse(notice?.code ?? 354, notice?.text ?? "", request.reqId, client)
        }
        let venues = QuoteVenues(of: listed, in: book)
        data.books.add(DepthSubscription(request, of: listed, venues, for: client), as: key)
        market.follow(listed.id)
        if request.isSmartDepth {
            let names = venues.names.joined(separator: "; ")
            refuse(2152, "Exchanges - Depth: \(names); Top: ", request.reqId, client)
        }
        showBook(key)
    }

    func cancelBook(_ request: RequestID, _ client: Client) {
        let key = SubscriptionKey(connection: client.connection, request: request)
        guard let ended = data.books.remove(key) else {
            return refuse(
                310, "Can't find the subscribed market depth with tickerId:\(request.rawValue)",
                request, client)
        }
        market.unfollow(ended.listed.id)
    }

    /// Tells a subscription what changes its book to the market's. A closed or halted market has an
    /// empty one.
    func showBook(_ key: SubscriptionKey) {
        guard let subscription = data.books[key], !subscription.isDead,
            isFlowing(subscription.listed.id)
        else { return }
        let snapshot = market.snapshot(of: subscription.listed.id)
        let shown = snapshot.isOpen && !snapshot.isHalted ? snapshot : nil
        let changes = data.books[key]?.show(shown, seed: settings.seed) ?? []
        for message in changes { answers.send(message, to: key.connection) }
    }
}
