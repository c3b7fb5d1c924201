import Primitives
public import TWSProtocol

extension GatewayClient {
    /// Quotes of an instrument as they change. Takes one of the login's market data lines, 100 as a rule,
    /// until it ends. US stocks are sampled four times a second; see `tradeTicks` for every trade.
    ///
    /// - Parameter contract: any that the broker can distinguish from others; qualified ones do.
    public func quotes(
        _ contract: Contract, _ options: QuoteOptions = QuoteOptions()
    ) -> QuoteStream {
        let feed = QuoteFeed(contract, options, session)
        let source = SignalSource<WireQuote>(
            take: { feed.quotes($0) },
            handle: { _, reading in
                if feed.fallsBack(reading) { return .anew }
                feed.mark(reading)
                return .nothing
            })
        let subscription = subscribe(
            question("quotes", feed), .newestWins(capacity: settings.quoteCapacity), from: source)
        return QuoteStream(subscription: subscription, feed: feed)
    }

    /// The ticks behind `quotes`, each as the gateway sent it.
    public func ticks(
        _ contract: Contract, _ options: QuoteOptions = QuoteOptions()
    ) -> Subscription<MarketTick> {
        let feed = QuoteFeed(contract, options, session)
        let source = SignalSource<MarketTick>(
            take: { message in
                guard let tick = feed.tick(message) else {
                    return feed.reroutes(message) ? .anew : .nothing
                }
                feed.note(tick)
                return .elements([tick])
            },
            handle: { _, reading in
                if feed.fallsBack(reading) { return .anew }
                feed.mark(reading)
                return .nothing
            })
        return subscribe(
            question("ticks", feed), .newestWins(capacity: settings.quoteCapacity), from: source)
    }

    private func question(_ name: String, _ feed: QuoteFeed) -> Question {
        var question = Question(
            name, asking: { feed.request($0) },
            ending: { request in
                var message = CancelMktData()
                message.reqId = request
                return .cancelMktData(message)
            })
        question.mode = { feed.mode }
        return question
    }

    /// One quote with all that the gateway has: it gathers ticks for up to 11 seconds.
    ///
    /// - Throws: `ClientError.rejected` where the market's data are not subscribed and delayed ones are
    ///   not allowed.
    public func snapshot(
        _ contract: Contract, _ options: QuoteOptions = QuoteOptions()
    ) async throws -> WireQuote {
        do {
            return try await snapshot(contract, mode: options.mode)
        } catch ClientError.rejected(let notice)
            where options.allowsDelayed && options.mode == .live
            && codes.reading(of: notice.code, text: notice.text).effect == .askForDelayed
        {
            return try await snapshot(contract, mode: .delayed)
        }
    }

    private func snapshot(_ contract: Contract, mode: MarketDataMode) async throws -> WireQuote {
        var question = Question("snapshot") { request in
            var message = ReqMktData()
            message.reqId = request
            message.contract = contract
            message.snapshot = true
            return .reqMktData(message)
        } ending: { request in
            var message = CancelMktData()
            message.reqId = request
            return .cancelMktData(message)
        }
        question.mode = { mode }
        let loop = session.loop
        return try await call(
            question, into: QuoteBuilder(mode: mode), limit: settings.callLimit + .seconds(11)
        ) { builder, message in
            if case .tickSnapshotEnd = message { return .done(builder.quote) }
            if let kind = MarketTick.Kind(message) {
                _ = builder.take(
                    MarketTick(receivedAt: loop.timeOfDay, mode: builder.quote.mode, kind: kind))
            }
            return .more
        }
    }
}
