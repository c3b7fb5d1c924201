/// Asks for Wall Street Horizon's filters (server version 161).
public struct ReqWshMetaData: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
    }
}

/// Ends that request (server version 161).
public struct CancelWshMetaData: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
    }
}

/// Asks for Wall Street Horizon's events (server version 161), by instrument or by filter.
public struct ReqWshEventData: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The instrument; `nil` where a filter is given.
    public var conId: ContractID?
    /// The filter as JSON (server version 171).
    public var filter = ""
    /// Of all watch lists (server version 171).
    public var fillWatchlist = false
    /// Of the portfolio (server version 171).
    public var fillPortfolio = false
    /// Of competitors (server version 171).
    public var fillCompetitors = false
    /// The first day (server version 173).
    public var startDate = WireTime.none
    /// The last day (server version 173).
    public var endDate = WireTime.none
    /// Events at most, up to 100 (server version 173).
    public var totalLimit: Int32?

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.id("conId", &conId, .sentinel)
        coder.since(171) {
            $0.text("filter", &filter)
            $0.flag("fillWatchlist", &fillWatchlist)
            $0.flag("fillPortfolio", &fillPortfolio)
            $0.flag("fillCompetitors", &fillCompetitors)
        }
        coder.since(173) {
            $0.time("startDate", &startDate)
            $0.time("endDate", &endDate)
            $0.integer("totalLimit", &totalLimit, .sentinel)
        }
    }
}

/// Ends that request (server version 161).
public struct CancelWshEventData: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
    }
}

/// Wall Street Horizon's filters (server version 161).
public struct WshMetaData: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The filters as JSON.
    public var dataJson = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.text("dataJson", &dataJson)
    }
}

/// Wall Street Horizon's events (server version 161).
public struct WshEventData: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The events as JSON.
    public var dataJson = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.text("dataJson", &dataJson)
    }
}
