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
        let cursor = cursors[index]
        shown.isHalted = faults[index].isHaltedNow
        shown.day = cursor.day
        shown.previousClose = cursor.previousClose
        if let quote = cursor.quote {
            shown.bid = quote.bid
            shown.ask = quote.ask
            shown.bidSize = quote.bidSize ?? .zero
            shown.askSize = quote.askSize ?? .zero
            shown.quoteTime = quote.at
        }
        if let trade = cursor.trade {
            shown.last = trade.price
            shown.lastSize = trade.size
            shown.lastTime = trade.at
        }
        let totals = cursor.live
        shown.open = totals.regular.map { Price(units: $0.open) }
        shown.high = totals.regular.map { Price(units: $0.high) }
        shown.low = totals.regular.map { Price(units: $0.low) }
        shown.volume = Quantity(units: min(totals.volume, Quantity.magnitudeMax.units))
        shown.tradeCount = totals.count
        if totals.volume > 0, totals.volume < .max {
            let mean = totals.turnover / Int128(totals.volume)
            shown.vwap = Price(units: Int64(clamping: mean))
        }
        if cursor.sliceIndex < cursor.slices.count, cursor.slices[cursor.sliceIndex].start <= now {
            shown.isOpen = true
            shown.isRegular = cursor.slices[cursor.sliceIndex].isRegular
        }
        return shown
    }

    /// Looks for the last quote and trade where slices were passed over.
    private mutating func findLast(_ index: Int) {
        guard !cursors[index].knowsQuote || !cursors[index].knowsTrade,
            let last = cursors[index].index
        else { return }
        var (quote, trade): (Quote?, Trade?)
        if cursors[index].knowsQuote { quote = cursors[index].quote }
        if cursors[index].knowsTrade { trade = cursors[index].trade }
        var missing = (
            quote: quote == nil && listings[index].hasQuotes,
            trade: trade == nil && listings[index].hasTrades
        )
        var (slices, end) = (cursors[index].slices, cursors[index].sliceIndex)
        for back in 0..<Self.daysBack where missing.quote || missing.trade {
            if back > 0 {
                guard last >= back, let day = tradingDay(index, last - back) else { break }
                (slices, end) = (day.slices, day.slices.count)
            }
            for slice in slices[..<end].reversed() where missing.quote || missing.trade {
                let hasTrade = slice.count > 0 || slice.isLoose
                let hasQuote = slice.hasQuotes || slice.isLoose
                guard (missing.quote && hasQuote) || (missing.trade && hasTrade) else { continue }
                for tick in ticks(index, slice).reversed() {
                    switch tick {
                    case .quote(let found) where missing.quote:
                        (quote, missing.quote) = (found, false)
                    case .trade(let found) where missing.trade:
                        (trade, missing.trade) = (found, false)
                    case .quote, .trade: break
                    }
                }
            }
        }
        cursors[index].quote = quote
        cursors[index].trade = trade
        (cursors[index].knowsQuote, cursors[index].knowsTrade) = (true, true)
    }

    /// How many trading days back a last trade is looked for.
    private static let daysBack = 10
}
