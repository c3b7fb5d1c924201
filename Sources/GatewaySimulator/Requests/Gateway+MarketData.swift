import MarketSimulation
import Primitives
import TWSProtocol

extension Gateway {
    /// Answers what belongs to this room.
    func handleMarketData(_ message: ClientMessage, from client: Client) {
        switch message {
        case .reqMktData(let request): subscribe(request, client)
        case .cancelMktData(let request): cancelTicks(request.reqId, client)
        case .reqMarketDataType(let request): allow(request.marketDataType, client)
        case .reqMktDepth(let request): subscribe(request, client)
        case .cancelMktDepth(let request): cancelOrderBook(request.reqId, client)
        case .reqTickByTickData(let request): subscribe(request, client)
        case .cancelTickByTickData(let request): cancelEveryTick(request.reqId, client)
        case .reqRealTimeBars(let request): subscribe(request, client)
        case .cancelRealTimeBars(let request): cancelBars(request.reqId, client)
        default: return
        }
    }

    /// The contract of a request; `nil` where the client received the reason why there is none.
    func listed(_ contract: Contract, for request: RequestID, _ client: Client) -> ListedContract? {
        do throws(ContractRefusal) {
            return try contracts.resolve(contract)
        } catch {
            refuse(error.code, error.text, request, client)
            return nil
        }
    }

    /// Refuses a request.
    func refuse(_ code: Int32, _ text: String, _ request: RequestID, _ client: Client) {
        answers.report(code, text, about: request.rawValue, to: client.connection)
    }

    /// Refuses a number that is in use.
    func isTaken(_ isTaken: Bool, _ request: RequestID, _ client: Client) -> Bool {
        if isTaken { refuse(102, "Duplicate ticker ID", request, client) }
        return isTaken
    }

    /// Refuses one more market data line than there are.
    func hasLine(_ request: RequestID, _ client: Client) -> Bool {
        guard data.linesUsed < data.settings.marketDataLines else {
            pacingAudit.count(.marketDataLines)
            refuse(101, "Max number of tickers has been reached", request, client)
            return false
        }
        return true
    }

    private func allow(_ mode: MarketDataMode, _ client: Client) {
        if case .unknown(let code) = mode {
            answers.report(
                321,
                "Error validating request.-'bR' : cause - Invalid market data type \(code): 1 live, 2 "
                    + "frozen, 3 delayed, 4 delayed frozen", about: nil, to: client.connection)
            return
        }
        data.allowed[client.connection] = mode
    }
}

/// Ticks.
extension Gateway {
    private func subscribe(_ request: ReqMktData, _ client: Client) {
        let key = SubscriptionKey(connection: client.connection, request: request.reqId)
        guard !isTaken(data.ticks.contains(key), request.reqId, client),
            let listed = listed(request.contract, for: request.reqId, client)
        else { return }
        let generics: GenericTicks
        do throws(GenericTicks.Refusal) {
            generics = try GenericTicks(request.genericTickList, for: listed.contract.secType)
        } catch {
            return refuse(321, error.text, request.reqId, client)
        }
        let isSnapshot = request.snapshot || request.regulatorySnapshot
        guard !isSnapshot || request.genericTickList.isEmpty else {
            return refuse(
                414, "Snapshot market data subscription is not applicable to generic ticks",
                request.reqId, client)
        }
        guard hasLine(request.reqId, client) else { return }
        if request.regulatorySnapshot, !pacingAudit.regulatorySnapshot(at: now) {
            return refuse(
                322,
                "Error processing request.-'bX' : cause - Only one regulatory snapshot a second",
                request.reqId, client)
        }
        open(
            TickSubscription(
                request, generics, of: listed, QuoteVenues(of: listed, in: contracts), for: client,
                allowed: data.allowed[client.connection] ?? .live,
                endsBy: isSnapshot ? now + data.settings.snapshotPatience : nil), as: key)
    }

    private func open(_ subscription: TickSubscription, as key: SubscriptionKey) {
        let listed = subscription.listed
        let isOpen = market.snapshot(of: listed.id).isOpen
        let mode = subscription.mode(with: data.settings.access, isOpen: isOpen)
        if let notice = data.settings.access.notice(mode, on: listed) {
            refuse(notice.code, notice.text, key.request, subscription.client)
        }
        guard mode != nil else { return }
        data.ticks.add(subscription, as: key)
        market.follow(listed.id)
        showTicks(key)
    }

    private func cancelTicks(_ request: RequestID, _ client: Client) {
        let key = SubscriptionKey(connection: client.connection, request: request)
        guard let closed = data.ticks.remove(key) else {
            return refuse(
                300, "Can't find EId with tickerId:\(request.rawValue)", request, client)
        }
        market.unfollow(closed.listed.id)
    }

    /// Publishes to a subscription what is new, and ends a snapshot that is complete or late.
    func showTicks(_ key: SubscriptionKey) {
        guard let subscription = data.ticks[key], !subscription.isDead else { return }
        let view = isFlowing(subscription.listed.id) ? view(for: subscription) : nil
        if let view, let mode = subscription.mode(with: data.settings.access, isOpen: view.isOpen) {
            let news = data.ticks[key]?.show(view, as: mode) ?? []
            for message in news { answers.send(message, to: key.connection) }
        }
        guard let endsBy = subscription.endsBy else { return }
        guard now >= endsBy || data.ticks[key]?.isComplete == true else { return }
        if let closed = data.ticks.remove(key) { market.unfollow(closed.listed.id) }
        var end = TickSnapshotEnd()
        end.reqId = key.request
        answers.send(.tickSnapshotEnd(end), to: key.connection)
    }
}

extension DataAccess {
    /// The notice to a client that asks for live data that it gets as `mode`, or not at all.
    func notice(
        _ mode: MarketDataMode?, on listed: ListedContract
    ) -> (code: Int32, text: String)? {
        let contract = listed.contract
        let listing =
            contract.primaryExchange.isEmpty ? contract.exchange : contract.primaryExchange
        let what = "\(contract.symbol) \(listing)/TOP/ALL"
        switch (self, mode) {
        case (.live, _): return nil
        case (.programSubscriptionMissing, _):
            return (
                10089,
                "Requested market data requires additional subscription for API. See link in 'Market "
                    + "Data Connections' dialog for more details.Delayed market data is "
                    + "available.\(what)"
            )
        case (.competingSession, _):
            return (10197, "No market data during competing live session")
        case (.delayed, .some), (.unsubscribed, .some):
            return (
                10167,
                "Requested market data is not subscribed. Displaying delayed market data.\(what)"
            )
        case (.delayed, nil):
            return (
                10168,
                "Requested market data is not subscribed. Delayed market data is not enabled.\(what)"
            )
        case (.unsubscribed, nil):
            return (
                354,
                "Requested market data is not subscribed.Check API status by selecting the Account "
                    + "menu then under Management choose Market Data Subscription Manager and/or "
                    + "availability of delayed data.\(what)"
            )
        }
    }
}
