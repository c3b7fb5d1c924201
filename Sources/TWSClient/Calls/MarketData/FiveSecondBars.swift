public import Primitives
import Synchronization
public import TWSProtocol

/// A bar of five seconds as it came.
public struct FiveSecondBar: Hashable, Sendable {
    /// The bar's start; a multiple of five seconds.
    public let start: Timestamp
    /// First price.
    public let open: DecimalValue
    /// Highest price.
    public let high: DecimalValue
    /// Lowest price.
    public let low: DecimalValue
    /// Last price.
    public let close: DecimalValue
    /// Units traded; `nil` where the bar is not made of trades.
    public let volume: DecimalValue?
    /// Average price, weighted by volume; `nil` where the bar is not made of trades.
    public let average: DecimalValue?
    /// Trades; `nil` where the bar is not made of trades.
    public let trades: Int?
    /// When it came, by this machine's time of day.
    public let receivedAt: Timestamp
    /// Bars that should have come between the newest before it and it. A market that was closed in
    /// between counts as well: see `BarCounts`.
    public let missing: Int
    /// It came behind a newer one, or more than `BarCounts.lateAfter` behind its end.
    public let isLate: Bool
}

/// What has come of a stream of bars.
public struct BarCounts: Hashable, Sendable {
    /// How long behind its end a bar may come; this machine's clock has to be right for it.
    public static let lateAfter = Duration.seconds(5)
    /// A hole longer than this is a closed market or a lost connection, counted in `breaks`.
    public static let missingMax = Duration.minutes(15)
    /// Bars delivered.
    public internal(set) var delivered = 0
    /// Of these, late ones.
    public internal(set) var late = 0
    /// Bars that came again and were dropped.
    public internal(set) var duplicate = 0
    /// Bars that never came.
    public internal(set) var missing = 0
    /// Long holes.
    public internal(set) var breaks = 0
}

/// Bars of five seconds, with the count of what was late, repeated or missing. One reader.
public struct FiveSecondBarStream: AsyncSequence, Sendable {
    let subscription: Subscription<FiveSecondBar>
    let order: BarOrder

    /// The reader.
    public func makeAsyncIterator() -> Subscription<FiveSecondBar>.Iterator {
        subscription.makeAsyncIterator()
    }

    /// Ends the subscription, here and at the gateway.
    public func cancel() { subscription.cancel() }

    /// What has come so far.
    public var counts: BarCounts { order.counts }
}

/// Finds late, repeated and missing bars.
final class BarOrder: Sendable {
    private let state = Mutex(State())
    private static let step: Int64 = 5
    /// A bar that comes behind this many newer ones is dropped as a repetition.
    private static let holesMax = 180

    private struct State {
        var newest: Int64?
        /// Starts of bars that are missing, oldest first.
        var holes: [Int64] = []
        var counts = BarCounts()
    }

    var counts: BarCounts { state.withLock { $0.counts } }

    /// The bar to deliver; `nil` for one that came before.
    func take(_ message: RealTimeBar, at now: Timestamp) -> FiveSecondBar? {
        guard let start = Timestamp(wireSeconds: message.time) else { return nil }
        let isSlow = now > start + .seconds(Self.step) + BarCounts.lateAfter
        return state.withLock { state in
            guard let (missing, isBehind) = Self.index(message.time, in: &state) else {
                state.counts.duplicate += 1
                return nil
            }
            state.counts.delivered += 1
            if isBehind || isSlow { state.counts.late += 1 }
            return FiveSecondBar(
                message, start: start, receivedAt: now, missing: missing, isLate: isBehind || isSlow
            )
        }
    }

    /// How many bars are missing in front of one that starts at `time`, and whether newer ones came before
    /// it; `nil` for a repetition.
    private static func index(
        _ time: Int64, in state: inout State
    ) -> (missing: Int, isBehind: Bool)? {
        guard let newest = state.newest else {
            state.newest = time
            return (0, false)
        }
        if time <= newest {
            guard let index = state.holes.firstIndex(of: time) else { return nil }
            state.holes.remove(at: index)
            state.counts.missing -= 1
            return (0, true)
        }
        state.newest = time
        let missing = Int((time - newest - 1) / step)
        guard missing > 0 else { return (0, false) }
        if Duration.seconds(time - newest) > BarCounts.missingMax {
            state.counts.breaks += 1
        } else {
            state.counts.missing += missing
            state.holes += stride(from: newest + step, to: time, by: Int(step))
            state.holes.removeFirst(max(0, state.holes.count - holesMax))
        }
        return (missing, false)
    }
}

extension FiveSecondBar {
    fileprivate init(
        _ message: RealTimeBar, start: Timestamp, receivedAt: Timestamp, missing: Int, isLate: Bool
    ) {
        self.start = start
        open = message.open
        high = message.high
        low = message.low
        close = message.close
        volume = message.volume.flatMap { $0 == -1 ? nil : $0 }
        average = message.wap.flatMap { $0 == -1 ? nil : $0 }
        trades = message.count.flatMap { $0 == -1 ? nil : Int($0) }
        self.receivedAt = receivedAt
        self.missing = missing
        self.isLate = isLate
    }
}

extension GatewayClient {
    /// Bars of five seconds as they close, each some moments after its end. None is dropped.
    ///
    /// Needs live data: there are none of delayed data. Starting many takes minutes, since the broker
    /// lets 60 such requests through in ten minutes.
    ///
    /// - Parameters:
    ///   - what: `trades`, `midpoint`, `bid` or `ask`.
    ///   - regularHours: leaves out what trades before and behind regular hours.
    public func fiveSecondBars(
        _ contract: Contract, of what: WhatToShow = .trades, regularHours: Bool = false
    ) -> FiveSecondBarStream {
        let question = Question("five-second bars") { request in
            var message = ReqRealTimeBars()
            message.reqId = request
            message.contract = contract
            message.whatToShow = what
            message.useRTH = regularHours
            return .reqRealTimeBars(message)
        } ending: { request in
            var message = CancelRealTimeBars()
            message.reqId = request
            return .cancelRealTimeBars(message)
        }
        let order = BarOrder()
        let loop = session.loop
        let subscription = subscribe(
            question, .neverDrops(capacity: settings.orderCapacity),
            from: SignalSource<FiveSecondBar> { message in
                guard case .realTimeBar(let bar) = message else { return .nothing }
                return .elements(order.take(bar, at: loop.timeOfDay).map { [$0] } ?? [])
            })
        return FiveSecondBarStream(subscription: subscription, order: order)
    }
}
