import TWSProtocol

/// How prices, sizes and numbers are made wrong on their way to a client. The market itself and all fills
/// stay as they are.
package enum WrongData: String, CaseIterable, Sendable {
    /// Prices of -1 with sizes of 0: "no quote".
    case missing
    /// Prices of 0.
    case zero
    /// Prices below 0.
    case negative
    /// Bids 2 % higher and asks 2 % lower, so that they cross.
    case crossed
    /// Prices half as high again.
    case spike
    /// Prices and sizes beyond all reason.
    case huge
    /// Bars whose high is below their low.
    case invertedBars = "inverted-bars"

    /// Makes a message wrong; one without prices stays as it is.
    func apply(to message: inout GatewayMessage) {
        switch message {
        case .tickPrice(var tick):
            tick.price = tick.price.map { price($0, of: tick.tickType) }
            tick.size = tick.size.map(size)
            message = .tickPrice(tick)
        case .tickSize(var tick):
            tick.size = tick.size.map(size)
            message = .tickSize(tick)
        case .tickByTick(var tick):
            tick.tick = wrong(tick.tick)
            message = .tickByTick(tick)
        case .realTimeBar(var bar):
            wrong(&bar.open, &bar.high, &bar.low, &bar.close)
            bar.volume = bar.volume.map(size)
            message = .realTimeBar(bar)
        case .historicalDataUpdate(var update):
            wrong(&update.bar)
            message = .historicalDataUpdate(update)
        case .historicalData(var data):
            for index in data.bars.indices { wrong(&data.bars[index]) }
            message = .historicalData(data)
        default: break
        }
    }

    private func wrong(_ bar: inout HistoricalBar) {
        wrong(&bar.open, &bar.high, &bar.low, &bar.close)
        bar.volume = bar.volume.map(size)
    }

    private func wrong(
        _ open: inout DecimalValue, _ high: inout DecimalValue, _ low: inout DecimalValue,
        _ close: inout DecimalValue
    ) {
        if self == .invertedBars {
            high = price(high, times: 0.99)
            low = price(low, times: 1.01)
            swap(&high, &low)
            // A bar of one price would stay right otherwise.
            if high >= low { low = price(high, times: 1.02) }
            return
        }
        open = price(open, of: .last)
        high = price(high, of: .last)
        low = price(low, of: .last)
        close = price(close, of: .last)
    }

    private func wrong(_ tick: TickByTick.Tick) -> TickByTick.Tick {
        switch tick {
        case .last(let trade): return .last(wrong(trade))
        case .allLast(let trade): return .allLast(wrong(trade))
        case .bidAsk(var quote):
            quote.bidPrice = price(quote.bidPrice, of: .bid)
            quote.askPrice = price(quote.askPrice, of: .ask)
            quote.bidSize = quote.bidSize.map(size)
            quote.askSize = quote.askSize.map(size)
            return .bidAsk(quote)
        case .midPoint(let middle): return .midPoint(price(middle, of: .last))
        case .unknown: return tick
        }
    }

    private func wrong(_ trade: TradeTick) -> TradeTick {
        var trade = trade
        trade.price = price(trade.price, of: .last)
        trade.size = trade.size.map(size)
        return trade
    }

    private func price(_ value: DecimalValue, of type: TickType) -> DecimalValue {
        switch self {
        case .missing: return -1
        case .zero: return 0
        case .negative: return price(value, times: -1)
        case .crossed:
            switch type {
            case .bid, .delayedBid: return price(value, times: 1.02)
            case .ask, .delayedAsk: return price(value, times: 0.98)
            default: return value
            }
        case .spike: return price(value, times: 1.5)
        case .huge: return price(value, times: 1e9)
        case .invertedBars: return value
        }
    }

    private func size(_ value: DecimalValue) -> DecimalValue {
        switch self {
        case .missing: 0
        case .huge: 1e18
        case .zero, .negative, .crossed, .spike, .invertedBars: value
        }
    }

    /// To two decimals, as the venue would print it.
    private func price(_ value: DecimalValue, times factor: Double) -> DecimalValue {
        let cents = (Double(value) * factor * 100).rounded()
        return DecimalValue(cents / 100) ?? value
    }
}
