import Primitives
import Synchronization
public import TWSProtocol

/// A step of bars that are kept up to date.
public enum BarUpdate: Hashable, Sendable {
    /// A bar that will not change any more. Each comes once, oldest first.
    case closed(WireBar)
    /// The bar of the present, so far.
    case growing(WireBar)
}

extension GatewayClient {
    /// The newest bars, and then each new one as it grows and closes, without a seam: first what has
    /// closed as far back as `duration`, then the bar of the present every few seconds.
    ///
    /// After a lost connection, or where the gateway ends the updates (10182), it asks again from the
    /// last closed bar on: a `gap` reports it, and the bars that closed meanwhile follow. None is dropped.
    ///
    /// - Parameter question: `trades`, `midpoint`, `bid` or `ask`, of 5 seconds or longer.
    public func liveBars(
        _ question: BarQuestion, _ duration: HistoryDuration
    ) -> Subscription<BarUpdate> {
        let seam = BarSeam(question)
        let loop = session.loop
        let asking = Question("live bars") { request in
            var message = question.message(
                request, end: nil, seam.duration(at: loop.timeOfDay) ?? duration)
            message.keepUpToDate = true
            return .reqHistoricalData(message)
        } ending: { request in
            var message = CancelHistoricalData()
            message.reqId = request
            return .cancelHistoricalData(message)
        }
        let source = SignalSource<BarUpdate> { [weak self] message in
            guard let clock = self?.clock else { return .nothing }
            return seam.take(message, clock: clock).map { .elements($0) } ?? .nothing
        }
        return subscribe(asking, .neverDrops(capacity: settings.orderCapacity), from: source)
    }
}

/// Joins the answers of several requests for the same live bars.
final class BarSeam: Sendable {
    private let question: BarQuestion
    private let state = Mutex(State())

    fileprivate struct State {
        /// The last bar that was reported closed.
        var closed: BarTime?
        var growing: WireBar?
    }

    init(_ question: BarQuestion) { self.question = question }

    /// How far back to ask so that no bar is missing; `nil` before the first bar.
    func duration(at now: Timestamp) -> HistoryDuration? {
        guard let since = state.withLock({ $0.closed ?? $0.growing?.time }) else { return nil }
        let step = Int64(question.size.seconds ?? 60)
        let length = max(now - since.order, .zero) + .seconds(2 * step)
        return HistoryPlan.duration(seconds: length.secondsRoundedUp, step: step)
    }

    /// What a message brings; `nil` for one without bars.
    func take(_ message: GatewayMessage, clock: GatewayClock) -> [BarUpdate]? {
        let bars: [HistoricalBar]
        switch message {
        case .historicalData(let message): bars = message.bars
        case .historicalDataUpdate(let message): bars = [message.bar]
        default: return nil
        }
        let isMadeOfTrades = question.isMadeOfTrades
        let updates = state.withLock { state in
            bars.compactMap { WireBar($0, clock: clock, isMadeOfTrades: isMadeOfTrades) }
                .sorted { $0.time < $1.time }
                .flatMap { state.take($0) }
        }
        // Of bars that came together only the newest one still grows.
        return updates.enumerated().compactMap { index, update in
            if case .growing = update, index < updates.count - 1 { nil } else { update }
        }
    }
}

extension BarSeam.State {
    /// The newest bar grows until a newer one comes; older ones than it are reported already.
    fileprivate mutating func take(_ bar: WireBar) -> [BarUpdate] {
        guard let growing else {
            self.growing = bar
            return [.growing(bar)]
        }
        guard bar.time >= growing.time else { return [] }
        self.growing = bar
        if bar.time == growing.time { return bar == growing ? [] : [.growing(bar)] }
        closed = growing.time
        return [.closed(growing), .growing(bar)]
    }
}
