import MarketSimulation
import Primitives
import TWSProtocol

/// What time and the market bring to subscriptions.
extension Gateway {
    /// Handles what the market did, in the order it did it.
    func marketMovedData(_ event: MarketEvent) {
        data.note(event.instrument)
        publishEveryTick(event)
    }

    /// Publishes what is due now. Called once each step of the gateway's clock, after the market's events.
    func advanceData() {
        if history.openCount > 0 {
            answerDueHistory()
            updateHistory()
        }
        guard !data.isIdle else { return }
        publishBars()
        switch data.sample(at: now) {
        case .none: return
        case .moved: publishSample(isFull: false)
        case .all: publishSample(isFull: true)
        }
        data.sampled()
    }

    /// Whether data of an instrument reach clients: the broker and its farm are there, and its streams
    /// were not cut off. What changed meanwhile is published when they flow again.
    func isFlowing(_ instrument: InstrumentID) -> Bool {
        isServed(.data) && !market.isSilent(instrument)
    }

    /// Whether the broker and a farm of a kind are there.
    func isServed(_ service: FarmService) -> Bool {
        !faults.isLinkLost && faults.farms[service]?.isDown != true
    }

    /// - Parameter isFull: whether subscriptions without news are looked at too.
    private func publishSample(isFull: Bool) {
        func isRequested(_ instrument: InstrumentID) -> Bool { isFull || data.hasMoved(instrument) }
        for key in data.ticks.keys {
            guard let subscription = data.ticks[key] else { continue }
            // Delayed data have no news when the market has.
            let isLate = subscription.mode == .delayed || subscription.mode == .delayedFrozen
            let isDue = isRequested(subscription.listed.id) && (isFull || !isLate)
            if subscription.endsBy != nil || isDue { showTicks(key) }
        }
        for key in data.orderBooks.keys {
            guard let subscription = data.orderBooks[key] else { continue }
            if isRequested(subscription.listed.id) { showOrderBook(key) }
        }
    }

    /// Ends all that a client's connection had.
    func forgetData(of connection: ConnectionID) {
        let closed = data.forget(connection) + history.forget(connection)
        for instrument in closed { market.unfollow(instrument) }
        pacingAudit.forget(connection)
    }
}
