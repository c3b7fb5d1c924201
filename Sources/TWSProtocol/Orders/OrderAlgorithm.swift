public import Primitives

/// An algorithm of the broker that works an order.
public struct OrderAlgorithm: Hashable, Sendable {
    /// Its name as it travels.
    public let strategy: String
    /// Its parameters as they travel.
    public let parameters: [TagValue]

    private init(_ strategy: String, _ parameters: [TagValue]) {
        self.strategy = strategy
        self.parameters = parameters
    }

    /// How soon an Adaptive order should fill, against how good its price should be.
    public enum Priority: Hashable, Sendable {
        /// Soon.
        case urgent
        /// In between.
        case normal
        /// At a better price, more slowly.
        case patient

        fileprivate var word: String {
            switch self {
            case .urgent: "Urgent"
            case .normal: "Normal"
            case .patient: "Patient"
            }
        }
    }

    /// Between bid and ask, with a balance of speed and price.
    public static func adaptive(_ priority: Priority) -> OrderAlgorithm {
        OrderAlgorithm("Adaptive", [TagValue("adaptivePriority", priority.word)])
    }

    /// Evenly over time.
    ///
    /// - Throws: when the span does not end after it begins.
    public static func timeWeighted(_ terms: TimeWeighted) throws(OrderRefusal) -> OrderAlgorithm {
        OrderAlgorithm(
            "Twap",
            [TagValue("strategyType", terms.style.word)] + (try terms.span.parameters()))
    }

    /// As the market's volume goes.
    ///
    /// - Throws: when the span does not end after it begins, or the share of the volume is not above 0
    ///   and at most a half.
    public static func volumeWeighted(
        _ terms: VolumeWeighted
    ) throws(OrderRefusal) -> OrderAlgorithm {
        guard terms.volumeShareMax > .zero, terms.volumeShareMax <= 0.5 else {
            throw .outOfRange(field: "maxPctVol", terms.volumeShareMax)
        }
        let flags = [
            TagValue("noTakeLiq", terms.avoidsTaking ? "1" : "0"),
            TagValue("speedUp", terms.speedsUp ? "1" : "0"),
        ]
        let share = TagValue("maxPctVol", "\(terms.volumeShareMax)")
        return OrderAlgorithm("Vwap", [share] + (try terms.span.parameters()) + flags)
    }

    /// Any other, by its name and parameters in the broker's words.
    ///
    /// - Throws: when the name or a tag is empty, or has other characters than printable ASCII.
    public static func other(
        _ strategy: String, _ parameters: [TagValue]
    ) throws(OrderRefusal) -> OrderAlgorithm {
        try OrderOwner.check(strategy, as: "algoStrategy")
        for parameter in parameters {
            try OrderOwner.check(parameter.tag, as: "algoParams")
            if !parameter.value.isEmpty {
                try OrderOwner.check(parameter.value, as: "algoParams")
            }
        }
        return OrderAlgorithm(strategy, parameters)
    }
}

/// When an algorithm works.
public struct AlgorithmSpan: Hashable, Sendable {
    /// When it begins; `nil`: at once.
    public var start: Timestamp?
    /// When it ends; `nil`: with the session.
    public var end: Timestamp?
    /// Whether it may go on behind the end until it is filled.
    public var mayPassEnd = false

    /// Over the session.
    public init() {}
    /// From one time to another.
    public init(from start: Timestamp, to end: Timestamp) {
        self.start = start
        self.end = end
    }

    fileprivate func parameters() throws(OrderRefusal) -> [TagValue] {
        if let start, let end, end <= start { throw .endsBeforeBegin(field: "endTime") }
        return [
            TagValue("startTime", start.map { WireTime(utc: $0).text } ?? ""),
            TagValue("endTime", end.map { WireTime(utc: $0).text } ?? ""),
            TagValue("allowPastEndTime", mayPassEnd ? "1" : "0"),
        ]
    }
}

/// How an order is worked evenly over time (TWAP).
public struct TimeWeighted: Hashable, Sendable {
    /// How each slice trades.
    public var style: Style
    /// When it works.
    public var span: AlgorithmSpan

    /// How a slice trades.
    public enum Style: Hashable, Sendable {
        /// At the other side's price.
        case marketable
        /// At the midpoint.
        case midpoint
        /// At its own side's price.
        case sameSide
        /// At the last price.
        case last

        fileprivate var word: String {
            switch self {
            case .marketable: "Marketable"
            case .midpoint: "Matching Midpoint"
            case .sameSide: "Matching Same Side"
            case .last: "Matching Last"
            }
        }
    }

    /// Slices of that style over a span.
    public init(_ style: Style, over span: AlgorithmSpan = AlgorithmSpan()) {
        self.style = style
        self.span = span
    }
}

/// How an order is worked as the market's volume goes (VWAP).
public struct VolumeWeighted: Hashable, Sendable {
    /// The largest share of the market's volume, above 0 and at most 0.5.
    public var volumeShareMax: DecimalValue
    /// When it works.
    public var span: AlgorithmSpan
    /// Whether it tries not to take liquidity.
    public var avoidsTaking = false
    /// Whether it may run ahead to be filled in time.
    public var speedsUp = false

    /// At most that share of the volume over a span.
    public init(volumeShareMax: DecimalValue, over span: AlgorithmSpan = AlgorithmSpan()) {
        self.volumeShareMax = volumeShareMax
        self.span = span
    }
}
