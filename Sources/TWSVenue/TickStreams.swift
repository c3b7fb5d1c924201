package import Model
package import Primitives
import TWSClient
package import TWSProtocol

/// The broker's quotes and trades for the instruments of a run: the requests that ask for them, and the ticks in the
/// answers.
///
/// Each kind has one source: the top of book of a market data subscription, and every trade tick by tick. Sentinels of
/// the wire are absent here: a price of -1, or of 0 without a size, is none. Data that are delayed or frozen count as
/// refused. Quotes have no time of the exchange's on the wire: they are of their receipt.
package struct TickStreams: Sendable {
    private let contracts: ContractIndex
    private let codes: CodePolicy
    private var nextRequest = Self.firstRequest
    private var open: [RequestID: Line] = [:]

    /// The first number of its requests: between those of bars and of closes.
    private static let firstRequest: Int32 = GatewayVenue.firstDataRequest + 1 << 26

    /// What a subscription is for.
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// Bid and ask.
        case quotes
        /// Every trade.
        case trades
    }

    /// What a message brings.
    package enum Update: Sendable {
        /// The best prices may have changed.
        case quote(Quote)
        /// Others have traded.
        case trade(Trade)
        /// Something came of a stream, and nothing that strategies are shown.
        case sign(InstrumentID, Kind)
        /// A stream does not come, or no more.
        case refused(InstrumentID, Kind, code: Int)
    }

    /// One subscription.
    private struct Line: Sendable {
        let instrument: InstrumentID
        let kind: Kind
        var top = TopOfBook()
    }

    /// Bid and ask, as far as they are known.
    private struct TopOfBook: Sendable {
        var bid: Price?
        var bidSize: Quantity?
        var ask: Price?
        var askSize: Quantity?
        /// False while data are delayed or frozen.
        var isLive = true
    }

    /// No requests.
    package init(_ contracts: [TradedContract], codes: CodePolicy = .standard) {
        self.contracts = ContractIndex(contracts)
        self.codes = codes
    }

    // MARK: Asking

    /// The request for a stream of an instrument; `nil` for one without a contract.
    package mutating func subscribe(_ instrument: InstrumentID, _ kind: Kind) -> ClientMessage? {
        guard let contract = contracts.contract(of: instrument) else { return nil }
        let request = RequestID(rawValue: nextRequest)
        nextRequest += 1
        open[request] = Line(instrument: instrument, kind: kind)
        switch kind {
        case .quotes:
            var message = ReqMktData()
            message.reqId = request
            message.contract = contract
            return .reqMktData(message)
        case .trades:
            var message = ReqTickByTickData()
            message.reqId = request
            message.contract = contract
            message.tickType = .allLast
            return .reqTickByTickData(message)
        }
    }

    /// The messages that end a stream, if there is one, and ask for it anew; none while the request before waits to leave:
    /// its turn would be lost.
    package mutating func renew(
        _ instrument: InstrumentID, _ kind: Kind, _ isQueued: (RequestID) -> Bool
    ) -> [ClientMessage] {
        let former = open.filter { $0.value.instrument == instrument && $0.value.kind == kind }
        guard !former.keys.contains(where: isQueued) else { return [] }
        var messages = former.keys.sorted().map { Self.end(of: $0, kind) }
        for request in former.keys { open[request] = nil }
        if let message = subscribe(instrument, kind) { messages.append(message) }
        return messages
    }

    /// The messages that end all streams: one that was under way while the broker lost the others may live.
    package var ends: [ClientMessage] {
        open.sorted { $0.key < $1.key }.map { Self.end(of: $0.key, $0.value.kind) }
    }

    private static func end(of request: RequestID, _ kind: Kind) -> ClientMessage {
        switch kind {
        case .quotes:
            var end = CancelMktData()
            end.reqId = request
            return .cancelMktData(end)
        case .trades:
            var end = CancelTickByTickData()
            end.reqId = request
            return .cancelTickByTickData(end)
        }
    }

    /// Forgets all requests: they were of another connection, or the broker has lost them.
    ///
    /// - Returns: those that were open.
    @discardableResult
    package mutating func forget() -> [RequestID] {
        defer { open.removeAll() }
        return open.keys.sorted()
    }

    /// Forgets an instrument's prices: what changed meanwhile may have been missed. Each side is known again when it is
    /// published next.
    package mutating func forgetPrices(of instrument: InstrumentID) {
        for (request, line) in open where line.instrument == instrument {
            open[request]?.top = TopOfBook(isLive: line.top.isLive)
        }
    }

    // MARK: Answers

    /// Takes in an event of the session.
    ///
    /// - Parameter now: the receipt, which is a quote's time.
    /// - Returns: what it brings, and the request that is over with it.
    package mutating func take(
        _ event: SessionEvent, at now: Timestamp
    ) -> (update: Update?, finished: RequestID?) {
        guard case .message(let message, _) = event else { return (nil, nil) }
        switch message {
        case .tickPrice(let message): return (price(message, at: now), nil)
        case .tickSize(let message): return (size(message, at: now), nil)
        case .tickByTick(let message): return (trade(message), nil)
        case .marketDataType(let message): return (mode(message), nil)
        case .tickString(let message): return (sign(message.reqId), nil)
        case .tickGeneric(let message): return (sign(message.reqId), nil)
        case .error(let message): return refusal(message)
        default: return (nil, nil)
        }
    }

    private func sign(_ request: RequestID) -> Update? {
        open[request].flatMap { sign($0) }
    }

    /// What is delayed is no sign of life.
    private func sign(_ line: Line) -> Update? {
        line.top.isLive ? .sign(line.instrument, line.kind) : nil
    }

    private mutating func price(_ message: TickPrice, at now: Timestamp) -> Update? {
        guard var line = open[message.reqId], line.kind == .quotes else { return nil }
        let price = Self.price(message)
        let size = price == nil ? nil : Self.size(message.size)
        switch message.tickType {
        case .bid:
            line.top.bid = price
            line.top.bidSize = size
        case .ask:
            line.top.ask = price
            line.top.askSize = size
        default: return sign(line)
        }
        return quote(line, message.reqId, at: now)
    }

    private mutating func size(_ message: WireTickSize, at now: Timestamp) -> Update? {
        guard var line = open[message.reqId], line.kind == .quotes else { return nil }
        let size = Self.size(message.size)
        switch message.tickType {
        // A side without a price has no size either.
        case .bidSize: line.top.bidSize = line.top.bid == nil ? nil : size
        case .askSize: line.top.askSize = line.top.ask == nil ? nil : size
        default: return sign(line)
        }
        return quote(line, message.reqId, at: now)
    }

    private mutating func quote(
        _ line: Line, _ request: RequestID, at now: Timestamp
    ) -> Update? {
        open[request] = line
        let top = line.top
        guard top.isLive else { return nil }
        return .quote(
            Quote(
                instrument: line.instrument, at: now, bid: top.bid, ask: top.ask,
                bidSize: top.bidSize, askSize: top.askSize))
    }

    /// A change between live data and others. Prices of before are of the other kind.
    private mutating func mode(_ message: MarketDataType) -> Update? {
        guard let line = open[message.reqId], line.kind == .quotes else { return nil }
        let isLive = message.marketDataType == .live
        open[message.reqId]?.top = TopOfBook(isLive: isLive)
        guard !isLive else { return nil }
        return .refused(line.instrument, .quotes, code: Self.delayedCode)
    }

    /// The gateway's code for data that are delayed.
    private static let delayedCode = 10_167

    /// A price; `nil` for the gateway's words for none. Shares have prices above 0.
    private static func price(_ message: TickPrice) -> Price? {
        guard let price = message.price?.roundedPrice, price > .zero else { return nil }
        return price
    }

    private static func size(_ size: DecimalValue?) -> Quantity? {
        guard let units = size?.roundedUnits(digits: Quantity.digits), units > 0 else {
            return nil
        }
        let quantity = Quantity(units: units)
        return quantity <= .magnitudeMax ? quantity : nil
    }

    /// A trade as it happened; what is not reported to the tape, such as averages and late reports, is no price.
    private func trade(_ message: TickByTick) -> Update? {
        guard let line = open[message.reqId], line.kind == .trades else { return nil }
        guard case .allLast(let tick) = message.tick, !tick.unreported,
            let price = tick.price.roundedPrice, price > .zero,
            let time = WireTime.epoch(message.time).timestamp
        else { return .sign(line.instrument, .trades) }
        return .trade(
            Trade(
                instrument: line.instrument, at: time, price: price,
                size: Self.size(tick.size) ?? .zero))
    }

    private mutating func refusal(_ message: ErrorMessage) -> (Update?, RequestID?) {
        guard let id = message.id, let line = open[RequestID(rawValue: id)] else {
            return (nil, nil)
        }
        let code = Int(message.errorCode)
        switch codes.reading(of: code, text: message.errorString, after: .begin).effect {
        case .none, .subscriptionStays: return (nil, nil)
        case .delayedFollows:
            open[RequestID(rawValue: id)]?.top = TopOfBook(isLive: false)
            return (.refused(line.instrument, line.kind, code: code), nil)
        default: break
        }
        let request = RequestID(rawValue: id)
        open[request] = nil
        return (.refused(line.instrument, line.kind, code: code), request)
    }
}
