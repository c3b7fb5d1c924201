import MarketSimulation
import Primitives
import TWSProtocol

/// A client's subscription to bars of five seconds.
struct RealTimeBarSubscription: Sendable {
    /// Whose it is.
    let client: Client
    /// What it shows.
    let listed: ListedContract
    /// What the bars are made of.
    let kind: BarKind
    /// Whether only regular hours have bars.
    let regularHoursOnly: Bool
    /// Whether it was cut off without a word.
    var isDead = false

    private let request: RequestID
    private var lastClose: Price?

    /// A bar's length.
    static let period = Primitives.Duration.seconds(5)

    /// A subscription that has published nothing yet.
    init(
        _ request: ReqRealTimeBars, of listed: ListedContract, _ kind: BarKind, for client: Client
    ) {
        self.client = client
        self.listed = listed
        self.kind = kind
        self.request = request.reqId
        regularHoursOnly = request.useRTH
    }

    /// Publishes the bar that began at `start`.
    ///
    /// - Parameters:
    ///   - bar: what happened in it; `nil` for nothing, which is a bar at the last price.
    ///   - price: the last price before it, for the first bar in which nothing happens.
    mutating func publish(
        _ bar: HistoryBar?, from start: Timestamp, lastPrice price: Price?
    ) -> GatewayMessage? {
        var message = RealTimeBar()
        message.reqId = request
        message.time = start.wholeSeconds
        let isOfTrades = kind == .trades
        if let bar {
            lastClose = bar.close
            message.open = DecimalValue(bar.open)
            message.high = DecimalValue(bar.high)
            message.low = DecimalValue(bar.low)
            message.close = DecimalValue(bar.close)
            message.volume = isOfTrades ? DecimalValue(bar.volume) : -1
            message.wap = isOfTrades ? DecimalValue(bar.wap) : -1
            message.count = isOfTrades ? Int32(clamping: bar.count) : -1
        } else {
            guard let still = lastClose ?? price else { return nil }
            lastClose = still
            let value = DecimalValue(still)
            (message.open, message.high, message.low, message.close) = (value, value, value, value)
            message.volume = isOfTrades ? 0 : -1
            message.wap = isOfTrades ? value : -1
            message.count = isOfTrades ? 0 : -1
        }
        return .realTimeBar(message)
    }
}

extension Timestamp {
    /// Seconds since 1970 UTC, the fraction cut off.
    var wholeSeconds: Int64 {
        let (seconds, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return remainder < 0 ? seconds - 1 : seconds
    }
}
