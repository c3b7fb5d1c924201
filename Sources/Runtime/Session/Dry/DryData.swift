import GatewaySimulator
import MarketSimulation
import MarketState
import Model
import Primitives
import TWSProtocol
import TWSVenue

/// The market of the orders of a session in mode dry: subscriptions to the gateway's quotes and trades, and what they show.
///
/// Quotes are bid and ask with their sizes, trades the gateway's texts of each (generic tick 233). Nothing is known of data
/// that are delayed or frozen: no order fills by them.
struct DryData {
    private var lines: [RequestID: Line] = [:]
    private var subscribed: Set<InstrumentID> = []
    private var nextRequest = Self.firstRequest

    /// The first number of its requests: above those of sessions.
    private static let firstRequest: Int32 = 1_900_000_000
    /// The generic tick with every trade: its price, size and time.
    private static let everyTrade = "233"

    private var trades: [MarketEvent] = []

    /// One subscription.
    fileprivate struct Line {
        let instrument: InstrumentID
        let symbol: String
        /// Trades before are old news.
        let since: Timestamp
        var bid: (price: Price, size: Quantity)?
        var ask: (price: Price, size: Quantity)?
        var isLive = true
        /// Time and day's volume of the newest trade: the gateway repeats the last one.
        var newest = (milliseconds: Int64.min, volume: Quantity.zero)

        /// The quote that was shown last. One without sides is none: where there are no quotes, trades alone count.
        private var shown: (bid: (Price, Quantity)?, ask: (Price, Quantity)?)

        /// The quote, where it is another than before.
        mutating func newQuote(at time: Timestamp) -> MarketEvent? {
            let (bid, ask) = isLive ? (bid, ask) : (nil, nil)
            let isSame =
                shown.bid?.0 == bid?.price && shown.bid?.1 == bid?.size
                && shown.ask?.0 == ask?.price && shown.ask?.1 == ask?.size
            guard !isSame else { return nil }
            shown = (bid, ask)
            return .quote(
                Quote(
                    instrument: instrument, at: time, bid: bid?.price, ask: ask?.price,
                    bidSize: bid?.size, askSize: ask?.size))
        }

        init(_ instrument: InstrumentID, _ symbol: String, since: Timestamp) {
            self.instrument = instrument
            self.symbol = symbol
            self.since = since
        }
    }

    // MARK: Asking

    /// The request for an instrument's quotes and trades; `nil` where they are asked for.
    mutating func subscribe(
        _ instrument: InstrumentID, _ contract: Contract, at now: Timestamp
    ) -> ReqMktData? {
        guard subscribed.insert(instrument).inserted else { return nil }
        var message = ReqMktData()
        message.reqId = RequestID(rawValue: nextRequest)
        message.contract = contract
        message.genericTickList = Self.everyTrade
        nextRequest += 1
        lines[message.reqId] = Line(instrument, contract.symbol, since: now)
        return message
    }

    /// Forgets all subscriptions: they were of another connection, or the gateway has lost them.
    ///
    /// - Returns: what the market shows then: nothing.
    mutating func forget(at now: Timestamp) -> [MarketEvent] {
        let quotes = silence(at: now)
        lines.removeAll()
        subscribed.removeAll()
        return quotes
    }

    /// The link to the market is lost: what was quoted counts no more, until each side is published anew.
    mutating func silence(at now: Timestamp) -> [MarketEvent] {
        for request in lines.keys {
            lines[request]?.bid = nil
            lines[request]?.ask = nil
        }
        return takeEvents(at: now)
    }

    // MARK: Answers

    /// Takes in a message of the gateway.
    ///
    /// - Returns: `nil` for one that answers none of these requests; otherwise what the user should know.
    mutating func take(_ message: GatewayMessage, at now: Timestamp) -> [String]? {
        switch message {
        case .tickPrice(let message):
            return change(message.reqId) { line in
                let price = message.price?.roundedPrice.flatMap { $0 > .zero ? $0 : nil }
                let side = price.map { ($0, message.size?.quantity ?? .zero) }
                switch message.tickType {
                case .bid: line.bid = side
                case .ask: line.ask = side
                default: break
                }
                return nil
            }
        case .tickSize(let message):
            return change(message.reqId) { line in
                guard let size = message.size?.quantity, size > .zero else { return nil }
                switch message.tickType {
                case .bidSize: line.bid?.size = size
                case .askSize: line.ask?.size = size
                default: break
                }
                return nil
            }
        case .tickString(let message):
            var trade: MarketEvent?
            let isOurs = change(message.reqId) { line in
                guard message.tickType == .realTimeVolume else { return nil }
                trade = line.newTrade(message.value, at: now)
                return nil
            }
            if let trade { trades.append(trade) }
            return isOurs
        case .marketDataType(let message):
            return change(message.reqId) { line in
                let isLive = message.marketDataType == .live
                defer { line.isLive = isLive }
                return isLive || !line.isLive ? nil : line.complaint("not live")
            }
        case .error(let message):
            guard let id = message.id else { return nil }
            return change(RequestID(rawValue: id)) { line in
                let (code, text) = (Int(message.errorCode), message.errorString)
                let reading = CodePolicy.standard.reading(of: code, text: text, after: .begin)
                switch reading.effect {
                case .none, .subscriptionStays: return nil
                default:
                    line.isLive = false
                    return line.complaint("refused (\(code): \(text))")
                }
            }
        default: return message.requestID.flatMap { lines[$0] == nil ? nil : [] }
        }
    }

    /// What the market has shown since the last call: both sides of a quote come in messages of their own.
    mutating func takeEvents(at now: Timestamp) -> [MarketEvent] {
        var events: [MarketEvent] = []
        for request in lines.keys.sorted() {
            if let quote = lines[request]?.newQuote(at: now) { events.append(quote) }
        }
        defer { trades.removeAll() }
        return events + trades
    }

    private mutating func change(
        _ request: RequestID, _ body: (inout Line) -> String?
    ) -> [String]? {
        guard var line = lines[request] else { return nil }
        defer { lines[request] = line }
        return body(&line).map { [$0] } ?? []
    }
}

extension DryData.Line {
    /// What is said once about data that no order fills by.
    fileprivate func complaint(_ words: String) -> String {
        "warning: the gateway's data for \(symbol) are \(words): the simulated account's orders in it do not fill."
    }

    /// The trade of a text, `price;size;milliseconds;volume;average;single`; `nil` for one of before.
    fileprivate mutating func newTrade(_ text: String, at now: Timestamp) -> MarketEvent? {
        let fields = text.split(separator: ";", omittingEmptySubsequences: false)
        guard isLive, fields.count >= 4, let price = DecimalValue(fields[0])?.roundedPrice,
            price > .zero, let size = DecimalValue(fields[1])?.quantity, size > .zero,
            let milliseconds = Int64(fields[2]),
            milliseconds >= since.nanoseconds / 1_000_000,
            let volume = DecimalValue(fields[3])?.quantity,
            (milliseconds, volume) > newest
        else { return nil }
        newest = (milliseconds, volume)
        return .trade(Trade(instrument: instrument, at: now, price: price, size: size))
    }
}
