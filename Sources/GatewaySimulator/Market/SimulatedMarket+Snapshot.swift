import Model
package import Primitives

/// What the market shows now.
extension SimulatedMarket {
    /// What an instrument shows at the present, followed or not.
    package mutating func snapshot(of id: InstrumentID) -> MarketSnapshot {
        var shown = MarketSnapshot()
        guard let index = index(of: id) else { return shown }
        catchUp(index)
        findLast(index)
        let tape = tapes[index]
        shown.isHalted = faults[index].isHaltedNow
        shown.day = tape.day
        shown.previousClose = tape.previousClose
        if let quote = tape.quote {
            shown.bid = quote.bid
            shown.ask = quote.ask
            shown.bidSize = quote.bidSize ?? .zero
            shown.askSize = quote.askSize ?? .zero
            shown.quoteTime = quote.at
        }
        if let trade = tape.trade {
            shown.last = trade.price
            shown.lastSize = trade.size
            shown.lastTime = trade.at
        }
        let totals = tape.live
        shown.open = totals.regular.map { Price(units: $0.open) }
        shown.high = totals.regular.map { Price(units: $0.high) }
        shown.low = totals.regular.map { Price(units: $0.low) }
        shown.volume = Quantity(units: min(totals.volume, Quantity.magnitudeMax.units))
        shown.tradeCount = totals.count
        if totals.volume > 0, totals.volume < .max {
            let mean = totals.turnover / Int128(totals.volume)
            shown.vwap = Price(units: Int64(clamping: mean))
        }
        if tape.sliceIndex < tape.slices.count, tape.slices[tape.sliceIndex].start <= now {
            shown.isOpen = true
            shown.isRegular = tape.slices[tape.sliceIndex].isRegular
        }
        return shown
    }

    /// Looks for the last quote and trade where slices were passed over.
    private mutating func findLast(_ index: Int) {
        guard !tapes[index].knowsQuote || !tapes[index].knowsTrade, let last = tapes[index].place
        else { return }
        var (quote, trade): (Quote?, Trade?)
        if tapes[index].knowsQuote { quote = tapes[index].quote }
        if tapes[index].knowsTrade { trade = tapes[index].trade }
        var wants = (
            quote: quote == nil && listings[index].hasQuotes,
            trade: trade == nil && listings[index].hasTrades
        )
        var (slices, end) = (tapes[index].slices, tapes[index].sliceIndex)
        for back in 0..<Self.daysBack where wants.quote || wants.trade {
            if back > 0 {
                guard last >= back, let day = tradingDay(index, last - back) else { break }
                (slices, end) = (day.slices, day.slices.count)
            }
            for slice in slices[..<end].reversed() where wants.quote || wants.trade {
                let hasTrade = slice.count > 0 || slice.isLoose
                let hasQuote = slice.hasQuotes || slice.isLoose
                guard (wants.quote && hasQuote) || (wants.trade && hasTrade) else { continue }
                for tick in ticks(index, slice).reversed() {
                    switch tick {
                    case .quote(let found) where wants.quote: (quote, wants.quote) = (found, false)
                    case .trade(let found) where wants.trade: (trade, wants.trade) = (found, false)
                    case .quote, .trade: break
                    }
                }
            }
        }
        tapes[index].quote = quote
        tapes[index].trade = trade
        (tapes[index].knowsQuote, tapes[index].knowsTrade) = (true, true)
    }

    /// How many trading days back a last trade is looked for.
    private static let daysBack = 10
}
