import MarketSimulation
import Model
import Primitives
import TWSProtocol

/// Ticks of the past.
extension Gateway {
    func answer(
        _ request: ReqHistoricalTicks, _ waiting: WaitingHistory
    ) throws(HistoryAnswer) {
        let listed = waiting.listed
        guard (1...1_000).contains(request.numberOfTicks) else {
            throw .invalid("Number of ticks must be between 1 and 1000")
        }
        guard let kind = BarKind(request.whatToShow), kind != .bid, kind != .ask else {
            throw .invalid(
                "What to show of historical ticks must be TRADES, BID_ASK or MIDPOINT, not "
                    + request.whatToShow.word)
        }
        guard listed.hasData(kind) else {
            throw HistoryAnswer(
                code: 10_187,
                text:
                    "Failed to request historical ticks:\(request.whatToShow.word) is not available "
                    + "for \(listed.listingAndKind)")
        }
        let start = try moment(request.startDateTime, "Start Date/Time")
        let end = try moment(request.endDateTime, "End Date/Time")
        guard (start == nil) != (end == nil) else {
            throw .invalid("Please specify either start date/time or end date/time, but not both")
        }
        let limit = Int(request.numberOfTicks)
        let found = market.ticks(
            of: listed.id,
            TickRequest(
                kind == .trades ? .trades : .quotes, from: start, to: end, limit: limit,
                regularHoursOnly: request.useRTH))
        let past = PastTicks(
            request: request.reqId, venues: QuoteVenues(of: listed, in: contracts),
            kind: request.whatToShow,
            ignoresSize: request.ignoreSize)
        answers.send(past.message(found), to: waiting.client.connection)
    }

    private func moment(_ time: WireTime, _ name: String) throws(HistoryAnswer) -> Timestamp? {
        guard time != .none else { return nil }
        guard let moment = HistoryMoment(time) else {
            throw HistoryAnswer(code: 10_314, text: "\(name): \(HistoryMoment.advice)")
        }
        return moment.timestamp
    }
}

/// Writes ticks of the past, each kind as a message of its own.
struct PastTicks {
    /// The request.
    let request: RequestID
    /// Where it is traded.
    let venues: QuoteVenues
    /// Trades, quotes or midpoints.
    let kind: WhatToShow
    /// Whether quotes in which only a size changed are left out.
    let ignoresSize: Bool

    /// The answer, which is complete.
    ///
    /// - Parameter events: oldest first; those of another kind are left out.
    func message(_ events: [MarketEvent]) -> GatewayMessage {
        switch kind {
        case .bidAsk: bidAsk(events)
        case .midpoint: midpoint(events)
        default: trades(events)
        }
    }

    private func trades(_ events: [MarketEvent]) -> GatewayMessage {
        var message = HistoricalTicksLast()
        message.reqId = request
        message.done = true
        for case .trade(let trade) in events {
            var tick = HistoricalTickLast()
            tick.time = trade.at.wholeSeconds
            tick.price = DecimalValue(trade.price)
            tick.size = DecimalValue(trade.size)
            tick.exchange = venues.name(at: trade.price)
            message.ticks.append(tick)
        }
        return .historicalTicksLast(message)
    }

    private func bidAsk(_ events: [MarketEvent]) -> GatewayMessage {
        var message = HistoricalTicksBidAsk()
        message.reqId = request
        message.done = true
        var last: Quote?
        for case .quote(let quote) in events {
            defer { last = quote }
            if ignoresSize, let last, last.bid == quote.bid, last.ask == quote.ask { continue }
            var tick = HistoricalTickBidAsk()
            tick.time = quote.at.wholeSeconds
            tick.priceBid = quote.bid.map { DecimalValue($0) } ?? 0
            tick.priceAsk = quote.ask.map { DecimalValue($0) } ?? 0
            tick.sizeBid = DecimalValue(quote.bidSize ?? .zero)
            tick.sizeAsk = DecimalValue(quote.askSize ?? .zero)
            message.ticks.append(tick)
        }
        return .historicalTicksBidAsk(message)
    }

    private func midpoint(_ events: [MarketEvent]) -> GatewayMessage {
        var message = HistoricalTicks()
        message.reqId = request
        message.done = true
        var last: Price?
        for case .quote(let quote) in events {
            guard let middle = quote.middle, middle != last else { continue }
            last = middle
            var tick = HistoricalTick()
            tick.time = quote.at.wholeSeconds
            tick.price = DecimalValue(middle)
            tick.size = 0
            message.ticks.append(tick)
        }
        return .historicalTicks(message)
    }
}
