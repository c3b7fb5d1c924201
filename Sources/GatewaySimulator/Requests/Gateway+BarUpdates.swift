import MarketSimulation
import Primitives
import TWSProtocol

/// Histories that are kept up to date.
extension Gateway {
    /// Publishes the bars that grew or began since the last time, of the histories that are due.
    func updateHistory() {
        guard isServed(.history), data.settings.access != .competingSession else {
            return
        }
        for key in history.live.keys {
            guard let live = history.live[key], live.due <= now else { continue }
            history.live[key]?.due = now + data.settings.historyUpdatePeriod
            if !live.isDead, !market.isSilent(live.listed.id) { publishGrowth(of: live, key) }
        }
    }

    private func publishGrowth(of live: LiveHistory, _ key: SubscriptionKey) {
        guard let last = live.last, let step = BarStep(live.request.barSizeSetting) else { return }
        let bars = market.bars(
            of: live.listed.id,
            BarRequest(
                step: step, from: last.start, to: historyEnd, kind: live.kind,
                regularHoursOnly: live.request.useRTH))
        for bar in bars where bar.start >= last.start && bar != last {
            var update = HistoricalDataUpdate()
            update.reqId = key.request
            update.bar = wire(bar, live.request, live.listed, live.client)
            answers.send(.historicalDataUpdate(update), to: key.connection)
        }
        if let newest = bars.last { history.live[key]?.last = newest }
    }
}
