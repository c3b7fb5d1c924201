import MarketSimulation
import Model
import Primitives
import TWSProtocol

/// Every tick.
extension Gateway {
    func subscribe(_ request: ReqTickByTickData, _ client: Client) {
        let key = SubscriptionKey(connection: client.connection, request: request.reqId)
        guard !isTaken(data.everyTick.contains(key), request.reqId, client),
            let listed = listed(request.contract, for: request.reqId, client),
            admits(request, listed, client)
        else { return }
        let venues = QuoteVenues(of: listed, in: contracts)
        data.everyTick.add(
            TickByTickSubscription(request, of: listed, venues, for: client), as: key)
        market.follow(listed.id)
        if request.numberOfTicks > 0 { sendPast(request, of: listed, client) }
    }

    private func admits(
        _ request: ReqTickByTickData, _ listed: ListedContract, _ client: Client
    ) -> Bool {
        let failed = "Failed to request tick-by-tick data."
        let kind = listed.contract.secType
        if case .unknown(let word) = request.tickType {
            refuse(
                321,
                "Error validating request.-'bV' : cause - Invalid tick type '\(word)': Last, AllLast, "
                    + "BidAsk and MidPoint are known", request.reqId, client)
            return false
        }
        guard (0...1_000).contains(request.numberOfTicks) else {
            refuse(
                321,
                "Error validating request.-'bV' : cause - Number of ticks must be between 0 and 1000",
                request.reqId, client)
            return false
        }
        guard kind != .option, listed.hasData(request.tickType) else {
            refuse(
                10189, "\(failed)\(request.tickType.word) is not available for \(kind.word)",
                request.reqId, client)
            return false
        }
        guard data.settings.access == .live else {
            refuse(
                10189, "\(failed)No market data permissions for \(listed.listingAndKind)",
                request.reqId, client)
            return false
        }
        guard data.everyTick.count < data.settings.tickByTick else {
            pacingAudit.count(.tickByTick)
            refuse(
                10190, "Max number of tick-by-tick requests has been reached", request.reqId, client
            )
            return false
        }
        guard pacingAudit.tickByTick(listed.id, from: client.connection, at: now) else {
            refuse(
                10189, "\(failed)Requests for one instrument must be 15 seconds apart",
                request.reqId, client)
            return false
        }
        return true
    }

    /// Sends what was ticked before, as asked for.
    private func sendPast(
        _ request: ReqTickByTickData, of listed: ListedContract, _ client: Client
    ) {
        let kind: WhatToShow =
            switch request.tickType {
            case .last, .allLast, .unknown: .trades
            case .bidAsk: .bidAsk
            case .midPoint: .midpoint
            }
        let past = PastTicks(
            request: request.reqId, venues: QuoteVenues(of: listed, in: contracts), kind: kind,
            ignoresSize: request.ignoreSize)
        let found = market.ticks(
            of: listed.id,
            TickRequest(
                kind == .trades ? .trades : .quotes, from: nil, to: nil,
                limit: Int(request.numberOfTicks)))
        answers.send(past.message(found), to: client.connection)
    }

    func cancelEveryTick(_ request: RequestID, _ client: Client) {
        let key = SubscriptionKey(connection: client.connection, request: request)
        guard let closed = data.everyTick.remove(key) else {
            return refuse(
                300, "Can't find EId with tickerId:\(request.rawValue)", request, client)
        }
        market.unfollow(closed.listed.id)
    }

    /// Publishes what happened to who wants every tick.
    func publishEveryTick(_ event: MarketEvent) {
        guard isFlowing(event.instrument), data.settings.access == .live else { return }
        for key in data.everyTick.keys {
            guard let subscription = data.everyTick[key], !subscription.isDead,
                subscription.listed.id == event.instrument
            else { continue }
            if let message = data.everyTick[key]?.publish(event) {
                answers.send(message, to: key.connection)
            }
        }
    }
}
