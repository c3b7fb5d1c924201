public import Primitives
public import TWSProtocol

/// Ticks of which instrument.
public struct TickQuestion: Hashable, Sendable {
    /// The instrument.
    public var contract: Contract
    /// Leaves out what traded before and behind regular hours.
    public var regularHours = true
    /// Of quotes: leaves out those in which only a size changed.
    public var pricesOnly = false
    /// Also contracts that have expired.
    public var includeExpired = false

    /// Ticks of regular hours.
    public init(_ contract: Contract) { self.contract = contract }
}

extension GatewayClient {
    /// Every trade in a range, oldest first: asked for in pages of 1,000, 60 pages in ten minutes.
    ///
    /// - Parameter end: the first time behind the range; a fraction of a second counts as none.
    public func historicalTrades(
        _ question: TickQuestion, from: Timestamp, to end: Timestamp
    ) async throws -> [TimedTick<HistoricalTickLast>] {
        try await pages(question, .trades, TickRange(from, end)) { message in
            if case .historicalTicksLast(let page) = message {
                (page.ticks.map { ($0.time, $0) }, page.done)
            } else {
                nil
            }
        }
    }

    /// Every change of the best bid and ask in a range, oldest first. Each page counts twice for the pace.
    public func historicalQuotes(
        _ question: TickQuestion, from: Timestamp, to end: Timestamp
    ) async throws -> [TimedTick<HistoricalTickBidAsk>] {
        try await pages(question, .bidAsk, TickRange(from, end)) { message in
            if case .historicalTicksBidAsk(let page) = message {
                (page.ticks.map { ($0.time, $0) }, page.done)
            } else {
                nil
            }
        }
    }

    /// Every change of the midpoint in a range, oldest first.
    public func historicalMidpoints(
        _ question: TickQuestion, from: Timestamp, to end: Timestamp
    ) async throws -> [TimedTick<HistoricalTick>] {
        try await pages(question, .midpoint, TickRange(from, end)) { message in
            if case .historicalTicks(let page) = message {
                (page.ticks.map { ($0.time, $0) }, page.done)
            } else {
                nil
            }
        }
    }

    private func pages<Tick: Hashable & Sendable>(
        _ question: TickQuestion, _ what: WhatToShow, _ range: TickRange,
        _ page: @escaping @Sendable (GatewayMessage) -> ([(Int64, Tick)], Bool)?
    ) async throws -> [TimedTick<Tick>] {
        var pages = TickPages<Tick>(range)
        while let start = pages.next {
            let asking = Question("ticks of the past") { request in
                var message = ReqHistoricalTicks()
                message.reqId = request
                message.contract = question.contract
                message.includeExpired = question.includeExpired
                message.startDateTime = WireTime(utc: Timestamp(seconds: start))
                message.numberOfTicks = Int32(TickPages<Tick>.size)
                message.whatToShow = what
                message.useRTH = question.regularHours
                message.ignoreSize = question.pricesOnly
                return .reqHistoricalTicks(message)
            }
            let ticks = try await retried(asking, emptyAnswer: [(Int64, Tick)]()) { asking in
                try await self.call(
                    asking, into: [(Int64, Tick)](), limit: self.settings.historyLimit
                ) { ticks, message in
                    guard let (rows, isLast) = page(message) else { return .more }
                    ticks += rows
                    return isLast ? .done(ticks) : .more
                }
            }
            pages.answered(ticks)
        }
        return pages.ticks.compactMap { time, tick in
            Timestamp(wireSeconds: time).map {
                TimedTick(time: $0, receivedAt: nil, value: tick)
            }
        }
    }
}

/// A range in whole seconds since 1970.
struct TickRange: Sendable {
    let first: Int64
    let end: Int64

    init(_ from: Timestamp, _ end: Timestamp) {
        first = from.nanoseconds / 1_000_000_000
        self.end = end.nanoseconds / 1_000_000_000
    }
}

/// Joins pages of ticks, oldest first.
///
/// Times are whole seconds and a page may break off within one: the last second of a full page is
/// dropped and asked for again. Where one second fills a page, the gateway gives all of it.
struct TickPages<Tick: Sendable>: Sendable {
    /// Ticks in a page; gateways add what belongs to the last second.
    static var size: Int { 1_000 }

    private let range: TickRange
    private(set) var ticks: [(Int64, Tick)] = []
    /// Where the next page begins, in seconds since 1970; `nil` when there is none.
    private(set) var next: Int64?

    init(_ range: TickRange) {
        self.range = range
        next = range.first < range.end ? range.first : nil
    }

    /// A page came.
    mutating func answered(_ page: [(Int64, Tick)]) {
        guard let start = next else { return }
        let rows = page.filter { $0.0 >= start }
        guard let last = rows.last?.0 else {
            // A page looks no further than one session: the next may begin on the next day.
            return advance(to: (start / 86_400 + 1) * 86_400)
        }
        if rows.count >= Self.size, last > start {
            ticks += rows.filter { $0.0 < last && $0.0 < range.end }
            advance(to: last)
        } else {
            ticks += rows.filter { $0.0 < range.end }
            advance(to: last + 1)
        }
    }

    private mutating func advance(to second: Int64) { next = second < range.end ? second : nil }
}
