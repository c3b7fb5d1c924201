package import MarketState
package import Model
internal import Primitives

/// Quotes and trades as lines of a tick file.
package struct TickText {
    private var times: BarText

    /// The first line.
    package static let header = "timestamp,bid,bid_size,ask,ask_size,price,size\n"

    /// Lines with timestamps on the calendar's clock.
    package init(calendar: SessionCalendar) { times = BarText(isDated: false, calendar: calendar) }

    /// The line of a quote or trade; what it lacks is empty.
    package mutating func line(_ row: TickRow) -> String {
        let stamp = times.stamp(row.at)
        let instrument = InstrumentID(index: 0)
        guard !row.isTrade else {
            let trade = row.trade(of: instrument)
            return "\(stamp),,,,,\(trade.price),\(trade.size)\n"
        }
        let quote = row.quote(of: instrument)
        func text(_ value: (some CustomStringConvertible)?) -> String {
            value.map { $0.description } ?? ""
        }
        return "\(stamp),\(text(quote.bid)),\(text(quote.bidSize)),\(text(quote.ask)),"
            + "\(text(quote.askSize)),,\n"
    }
}
