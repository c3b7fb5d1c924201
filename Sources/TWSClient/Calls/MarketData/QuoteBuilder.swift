import Primitives
import TWSProtocol

/// Builds a quote from ticks. Value type; one for each request.
struct QuoteBuilder: Sendable {
    private(set) var quote: WireQuote

    init(mode: MarketDataMode) { quote = WireQuote(mode: mode, receivedAt: .distantPast) }

    /// Takes a tick.
    ///
    /// - Returns: true when the quote changed; `quote.changed` says how.
    mutating func take(_ tick: MarketTick) -> Bool {
        let before = quote
        switch tick.kind {
        case .price(let message): take(message)
        case .size(let message): set(message.tickType, size: message.size)
        case .number(let message): take(message)
        case .text(let message): take(message)
        case .option(let message):
            if message.tickType == .modelOption || message.tickType == .delayedModelOption {
                quote.model = message
            }
        case .mode(let mode): quote.mode = mode
        case .exchangeForPhysical, .parameters: break
        }
        if tick.isDelayedType, !quote.isDelayed { quote.mode = .delayed }
        let changes = quote.changes(since: before)
        guard !changes.isEmpty else { return false }
        quote.changed = changes
        quote.receivedAt = tick.receivedAt
        return true
    }

    private mutating func take(_ message: TickPrice) {
        let price = Self.price(message)
        switch message.tickType {
        case .bid, .delayedBid: quote.bid = price
        case .ask, .delayedAsk: quote.ask = price
        case .last, .delayedLast: quote.last = price
        case .open, .delayedOpen: quote.open = price
        case .high, .delayedHigh: quote.high = price
        case .low, .delayedLow: quote.low = price
        case .close, .delayedClose: quote.close = price
        case .markPrice: quote.mark = price
        default: return
        }
        if let type = message.tickType.size, let size = message.size {
            set(type, size: price == nil ? nil : size)
        }
    }

    /// The price, unless it is the gateway's word for none: -1 or 0 without a size.
    static func price(_ message: TickPrice) -> DecimalValue? {
        guard let price = message.price else { return nil }
        let isSentinel = price == -1 || price == .zero
        return isSentinel && (message.size ?? .zero) == .zero ? nil : price
    }

    private mutating func set(_ type: TickType, size: DecimalValue?) {
        switch type {
        // A side without a price has no size either.
        case .bidSize, .delayedBidSize: quote.bidSize = quote.bid == nil ? nil : size
        case .askSize, .delayedAskSize: quote.askSize = quote.ask == nil ? nil : size
        case .lastSize, .delayedLastSize: quote.lastSize = quote.last == nil ? nil : size
        case .volume, .delayedVolume: quote.volume = size
        default: break
        }
    }

    private mutating func take(_ message: TickGeneric) {
        guard message.tickType == .halted || message.tickType == .delayedHalted else { return }
        switch message.value {
        case DecimalValue.zero?: quote.halt = .none
        case 1: quote.halt = .general
        case 2: quote.halt = .volatility
        default: quote.halt = .unknown
        }
    }

    private mutating func take(_ message: TickString) {
        guard message.tickType == .lastTimestamp || message.tickType == .delayedLastTimestamp,
            let seconds = Int64(message.value), (1..<9_000_000_000).contains(seconds)
        else { return }
        quote.lastTradeAt = Timestamp(seconds: seconds)
    }
}

extension WireQuote {
    /// What differs between two quotes.
    fileprivate func changes(since old: WireQuote) -> Changes {
        var changes = Changes()
        if bid != old.bid || bidSize != old.bidSize { changes.insert(.bid) }
        if ask != old.ask || askSize != old.askSize { changes.insert(.ask) }
        if last != old.last || lastSize != old.lastSize || lastTradeAt != old.lastTradeAt {
            changes.insert(.last)
        }
        if volume != old.volume { changes.insert(.volume) }
        if open != old.open || high != old.high || low != old.low || close != old.close {
            changes.insert(.day)
        }
        if mark != old.mark { changes.insert(.mark) }
        if halt != old.halt { changes.insert(.halt) }
        if model != old.model { changes.insert(.model) }
        if mode != old.mode { changes.insert(.mode) }
        return changes
    }
}
