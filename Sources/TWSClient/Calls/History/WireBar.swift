public import Primitives
public import TWSProtocol

/// Prices over an interval of time.
public struct WireBar: Hashable, Sendable {
    /// When it begins.
    public let time: BarTime
    /// First price.
    public let open: DecimalValue
    /// Highest price.
    public let high: DecimalValue
    /// Lowest price.
    public let low: DecimalValue
    /// Last price.
    public let close: DecimalValue
    /// Units traded; `nil` where it is not made of trades.
    public let volume: DecimalValue?
    /// Average price, weighted by volume; `nil` where it is not made of trades.
    public let average: DecimalValue?
    /// Trades; `nil` where it is not made of trades.
    public let trades: Int?

    /// The bar on the wire.
    ///
    /// - Returns: `nil` when its time cannot be read.
    init?(_ bar: HistoricalBar, clock: GatewayClock, isMadeOfTrades: Bool) {
        if case .day(let day) = bar.date {
            time = .day(day)
        } else if let timestamp = clock.timestamp(of: bar.date) {
            time = .timestamp(timestamp)
        } else {
            return nil
        }
        open = bar.open
        high = bar.high
        low = bar.low
        close = bar.close
        volume = isMadeOfTrades ? bar.volume.flatMap { $0 < .zero ? nil : $0 } : nil
        average = isMadeOfTrades ? bar.wap.flatMap { $0 < .zero ? nil : $0 } : nil
        trades = isMadeOfTrades ? bar.barCount.flatMap { $0 < 0 ? nil : Int($0) } : nil
    }
}

/// When a bar begins: a timestamp, or the date of a trading day for bars of a day and longer. The bars of
/// one answer have all the same form.
public enum BarTime: Hashable, Sendable, Comparable {
    /// The date, by the exchange's calendar; of a week or month, of its last trading day.
    case day(Day)
    /// The timestamp.
    case timestamp(Timestamp)

    /// The timestamp; of a day, its midnight in UTC, which is good for ordering only.
    public var order: Timestamp {
        switch self {
        case .day(let day): Timestamp(day: day)
        case .timestamp(let timestamp): timestamp
        }
    }

    /// Earlier first.
    public static func < (left: BarTime, right: BarTime) -> Bool { left.order < right.order }
}

extension BarTime: CustomStringConvertible {
    /// The date, or date and time in UTC.
    public var description: String {
        switch self {
        case .day(let day): day.description
        case .timestamp(let timestamp): timestamp.description
        }
    }
}

/// Which bars of which instrument.
public struct BarQuestion: Hashable, Sendable {
    /// The instrument; qualified ones save the gateway a search.
    public var contract: Contract
    /// A bar's length.
    public var size: WireBarSize
    /// What the bars are made of.
    public var what = WhatToShow.trades
    /// Leaves out what traded before and behind regular hours.
    public var regularHours = true
    /// Also contracts that have expired.
    public var includeExpired = false
    /// The legs of a combination.
    public var comboLegs: [ComboLeg] = []

    /// Bars of regular hours, made of trades.
    public init(_ contract: Contract, _ size: WireBarSize) {
        self.contract = contract
        self.size = size
    }

    /// Whether volumes mean something.
    var isMadeOfTrades: Bool {
        switch what {
        case .trades, .adjustedLast, .aggregatedTrades, .unknown: true
        case .midpoint, .bid, .ask, .bidAsk, .historicalVolatility, .optionImpliedVolatility,
            .feeRate, .yieldBid, .yieldAsk, .yieldBidAsk, .yieldLast, .schedule:
            false
        }
    }

    /// The request for what lies before `end`.
    ///
    /// - Parameter end: `nil` for the present.
    func message(
        _ request: RequestID, end: Timestamp?, _ duration: HistoryDuration
    ) -> ReqHistoricalData {
        var message = ReqHistoricalData()
        message.reqId = request
        message.contract = contract
        message.includeExpired = includeExpired
        message.endDateTime = end.map { WireTime(utc: $0) } ?? .none
        message.barSizeSetting = size
        message.durationStr = duration
        message.useRTH = regularHours
        message.whatToShow = what
        message.formatDate = .epoch
        message.comboLegs = comboLegs
        return message
    }
}

/// History that could not be read to the end: what is there, and what is not.
public struct IncompleteHistory: Error, Sendable {
    /// The bars behind what is missing, in order, without a hole.
    public let bars: [WireBar]
    /// What is missing: from the first, up to and without the second.
    public let missing: Range<Timestamp>
    /// Why.
    public let cause: any Error
}

extension IncompleteHistory: CustomStringConvertible {
    /// What is missing and why.
    public var description: String {
        "history from \(missing.lowerBound) to \(missing.upperBound) is missing, \(bars.count) bars "
            + "behind it are there: \(cause)"
    }
}
