public import Primitives
public import TWSProtocol

/// Something that happened at the exchange.
public struct TimedTick<Value: Hashable & Sendable>: Hashable, Sendable {
    /// When, in whole seconds.
    public let time: Timestamp
    /// When it came to this program, by this machine's time of day; `nil` for ticks of the past.
    public let receivedAt: Timestamp?
    /// What.
    public let value: Value
}

/// Which trades are published.
public enum TradeScope: Hashable, Sendable {
    /// Those that count for the last price.
    case counted
    /// All of them: odd lots, averages and late reports, too.
    case all
}

extension GatewayClient {
    /// Every trade of an instrument as it happens. Not for options and combinations, and for few
    /// instruments at once: 5 % of the market data lines.
    public func tradeTicks(
        _ contract: Contract, _ scope: TradeScope = .counted
    ) -> Subscription<TimedTick<TradeTick>> {
        let kind: TickByTickKind = scope == .all ? .allLast : .last
        return tickByTick(contract, kind) { tick in
            switch tick {
            case .last(let trade), .allLast(let trade): trade
            case .bidAsk, .midPoint, .unknown: nil
            }
        }
    }

    /// Every change of the best bid and ask.
    ///
    /// - Parameter pricesOnly: without those in which only a size changed.
    public func quoteTicks(
        _ contract: Contract, pricesOnly: Bool = false
    ) -> Subscription<TimedTick<QuoteTick>> {
        tickByTick(contract, .bidAsk, pricesOnly: pricesOnly) { tick in
            if case .bidAsk(let quote) = tick { quote } else { nil }
        }
    }

    /// Every change of the middle between bid and ask.
    public func midpointTicks(_ contract: Contract) -> Subscription<TimedTick<DecimalValue>> {
        tickByTick(contract, .midPoint) { tick in
            if case .midPoint(let price) = tick { price } else { nil }
        }
    }

    private func tickByTick<Value: Hashable & Sendable>(
        _ contract: Contract, _ kind: TickByTickKind, pricesOnly: Bool = false,
        _ value: @escaping @Sendable (TickByTick.Tick) -> Value?
    ) -> Subscription<TimedTick<Value>> {
        let question = Question("ticks by tick") { request in
            var message = ReqTickByTickData()
            message.reqId = request
            message.contract = contract
            message.tickType = kind
            message.ignoreSize = pricesOnly
            return .reqTickByTickData(message)
        } ending: { request in
            var message = CancelTickByTickData()
            message.reqId = request
            return .cancelTickByTickData(message)
        }
        let loop = session.loop
        return subscribe(question, .newestWins(capacity: settings.tickCapacity)) { message in
            guard case .tickByTick(let message) = message, let value = value(message.tick),
                let time = Timestamp(wireSeconds: message.time)
            else { return nil }
            return TimedTick(time: time, receivedAt: loop.timeOfDay, value: value)
        }
    }
}

extension Timestamp {
    /// Seconds since 1970 from the wire; `nil` beyond the years 1685 to 2255.
    init?(wireSeconds seconds: Int64) {
        guard seconds.magnitude <= 9_000_000_000 else { return nil }
        self.init(seconds: seconds)
    }
}
