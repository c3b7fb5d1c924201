import MarketSimulation
import Primitives
import TWSProtocol

/// Five-second bars.
extension Gateway {
    func subscribe(_ request: ReqRealTimeBars, _ client: Client) {
        let key = SubscriptionKey(connection: client.connection, request: request.reqId)
        guard !isTaken(data.bars.contains(key), request.reqId, client),
            let listed = listed(request.contract, for: request.reqId, client)
        else { return }
        let invalid = "Invalid Real-time Query:"
        let kinds: [WhatToShow] = [.trades, .midpoint, .bid, .ask]
        guard kinds.contains(request.whatToShow), let kind = BarKind(request.whatToShow),
            listed.hasData(kind)
        else {
            return refuse(
                420,
                "\(invalid)\(request.whatToShow.word) is not available for \(listed.listingAndKind)",
                request.reqId, client)
        }
        guard data.settings.access == .live else {
            return refuse(
                420, "\(invalid)No market data permissions for \(listed.listingAndKind)",
                request.reqId, client)
        }
        let query = PacedHistory(
            instrument: listed.id, exchange: request.contract.exchange,
            whatToShow: request.whatToShow, kind: .realTimeBars,
            regularHoursOnly: request.useRTH)
        if pacingAudit.history(query, at: now) != nil, data.settings.refusesHistoryBreaches {
            return refuse(
                420, "\(invalid)Historical data request pacing violation", request.reqId, client)
        }
        guard hasLine(request.reqId, client) else { return }
        data.bars.add(RealTimeBarSubscription(request, of: listed, kind, for: client), as: key)
        market.follow(listed.id)
    }

    func cancelBars(_ request: RequestID, _ client: Client) {
        let key = SubscriptionKey(connection: client.connection, request: request)
        guard let closed = data.bars.remove(key) else {
            return refuse(
                300, "Can't find EId with tickerId:\(request.rawValue)", request, client)
        }
        market.unfollow(closed.listed.id)
    }

    /// Publishes the bars that end now, at each full five seconds; the gateway's step divides them.
    func publishBars() {
        let period = RealTimeBarSubscription.period
        guard data.settings.access == .live, now.nanoseconds % period.nanoseconds == 0 else {
            return
        }
        for key in data.bars.keys { publishBar(key, from: now - period) }
    }

    private func publishBar(_ key: SubscriptionKey, from start: Timestamp) {
        guard let subscription = data.bars[key], !subscription.isDead else { return }
        let listed = subscription.listed
        guard isFlowing(listed.id) else { return }
        guard trades(listed, at: start, regularHoursOnly: subscription.regularHoursOnly) else {
            return
        }
        let end = start + RealTimeBarSubscription.period
        let request = BarRequest(
            step: .seconds(5), from: start, to: end, kind: subscription.kind,
            regularHoursOnly: subscription.regularHoursOnly)
        let bar = market.bars(of: listed.id, request).last
        let snapshot = market.snapshot(of: listed.id)
        if let message = data.bars[key]?.publish(
            bar, from: start, lastPrice: snapshot.price(of: subscription.kind))
        {
            answers.send(message, to: key.connection)
        }
    }
}
