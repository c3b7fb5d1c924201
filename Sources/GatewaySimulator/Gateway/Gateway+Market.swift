package import MarketSimulation
import Model
package import Primitives

/// The market, as the other modules see it.
extension Gateway {
    /// Lets the market move to this step's time: orders meet it first, then it is published.
    func passMarket() {
        var events: [MarketEvent] = []
        swap(&events, &marketEvents)
        events.removeAll(keepingCapacity: true)
        market.advance(to: now, into: &events)
        for event in events {
            switch event {
            case .quote(let quote): orderManager.quoteChanged(quote, at: quote.at)
            case .trade(let trade): orderManager.tradeHappened(trade, at: trade.at)
            }
            marketMovedData(event)
        }
        swap(&events, &marketEvents)
    }

    /// Takes in what another market shows of instruments that have no prices here: orders meet it with the next step.
    package func feed(_ events: [MarketEvent]) { for event in events { market.feed(event) } }

    /// The instruments whose market orders or accounts need, in order.
    package var marketInstruments: [InstrumentID] {
        let held = accounts.ledgers.flatMap(\.holdings).map(\.position)
            .filter { $0.quantity != .zero }.map(\.instrument.id)
        return Set(market.followedInstruments + held).sorted()
    }

    /// Watches what orders wait for, and no more what they waited for.
    func followOrders() {
        for change in orderManager.takeFollows() {
            switch change {
            case .follow(let id): market.follow(id)
            case .unfollow(let id): market.unfollow(id)
            }
        }
    }

    /// What orders meet on their arrival.
    func instrumentSnapshot(_ id: InstrumentID) -> InstrumentSnapshot {
        let shown = market.snapshot(of: id)
        var snapshot = InstrumentSnapshot()
        if shown.bid != nil || shown.ask != nil {
            snapshot.quote = Quote(
                instrument: id, at: shown.quoteTime ?? now, bid: shown.bid, ask: shown.ask,
                bidSize: shown.bidSize, askSize: shown.askSize)
        }
        snapshot.last = shown.last
        snapshot.volume = shown.volume
        snapshot.previousClose = shown.previousClose
        snapshot.isHalted = shown.isHalted
        return snapshot
    }

    /// What a position is valued at: what was last paid, else the middle of the quote, else the close
    /// before.
    func mark(_ id: InstrumentID) -> Price? {
        let shown = market.snapshot(of: id)
        if let last = shown.last { return last }
        if let bid = shown.bid, let ask = shown.ask {
            return Price(units: bid.units + (ask.units - bid.units) / 2)
        }
        return shown.previousClose
    }

    /// What scans see of an instrument.
    func scanReading(of id: InstrumentID) -> ScanReading {
        let shown = market.snapshot(of: id)
        var reading = ScanReading()
        reading.last = shown.last
        reading.open = shown.open
        reading.previousClose = shown.previousClose
        reading.volume = shown.volume
        reading.tradeCount = shown.tradeCount
        return reading
    }
}
