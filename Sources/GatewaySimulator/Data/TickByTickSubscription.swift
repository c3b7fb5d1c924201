import MarketSimulation
import Model
import Primitives
import TWSProtocol

/// A client's subscription to every trade, quote or midpoint of an instrument.
struct TickByTickSubscription: Sendable {
    /// Whose it is.
    let client: Client
    /// What it shows.
    let listed: ListedContract
    /// What it publishes.
    let kind: TickByTickKind
    /// Whether it was cut off without a word.
    var isDead = false

    private let venues: QuoteVenues
    private let request: RequestID
    private let ignoresSize: Bool
    private var last: Quote?

    /// A subscription that has published nothing yet.
    init(
        _ request: ReqTickByTickData, of listed: ListedContract, _ venues: QuoteVenues,
        for client: Client
    ) {
        self.venues = venues
        self.client = client
        self.listed = listed
        kind = request.tickType
        self.request = request.reqId
        ignoresSize = request.ignoreSize
    }

    /// What an event of the market is to this subscription.
    mutating func publish(_ event: MarketEvent) -> GatewayMessage? {
        switch (event, kind) {
        case (.trade(let trade), .last): message(at: trade.at, .last(tick(trade)))
        case (.trade(let trade), .allLast): message(at: trade.at, .allLast(tick(trade)))
        case (.quote(let quote), .bidAsk): bidAsk(quote)
        case (.quote(let quote), .midPoint): midPoint(quote)
        case (.trade, _), (.quote, _): nil
        }
    }

    private func tick(_ trade: Trade) -> TradeTick {
        var tick = TradeTick()
        tick.price = DecimalValue(trade.price)
        tick.size = DecimalValue(trade.size)
        tick.exchange = venues.name(at: trade.price)
        return tick
    }

    private mutating func bidAsk(_ quote: Quote) -> GatewayMessage? {
        let isNews =
            ignoresSize
            ? quote.bid != last?.bid || quote.ask != last?.ask
            : true
        last = quote
        guard isNews else { return nil }
        var tick = QuoteTick()
        tick.bidPrice = quote.bid.map { DecimalValue($0) } ?? 0
        tick.askPrice = quote.ask.map { DecimalValue($0) } ?? 0
        tick.bidSize = DecimalValue(quote.bidSize ?? .zero)
        tick.askSize = DecimalValue(quote.askSize ?? .zero)
        return message(at: quote.at, .bidAsk(tick))
    }

    private mutating func midPoint(_ quote: Quote) -> GatewayMessage? {
        guard let middle = quote.middle, middle != last?.middle else { return nil }
        last = quote
        return message(at: quote.at, .midPoint(DecimalValue(middle)))
    }

    private func message(at timestamp: Timestamp, _ tick: TickByTick.Tick) -> GatewayMessage {
        var message = TickByTick()
        message.reqId = request
        message.time = timestamp.wholeSeconds
        message.tick = tick
        return .tickByTick(message)
    }
}
