import Catalog
import MarketState
import Model
import Primitives
import Reporting
import Simulation
import Strategies
import TestSupport
import Testing
import TradingEngine

@testable import Runtime

/// Whole runs of a crossover on 15-minute bars whose intents wait for a window, or whose orders for volume.
@Suite struct NewestSignalRunTests {
    /// Sessions of 26 bars from 2024-01-02 on.
    private static func bars(_ chance: inout SeededGenerator, days: Int) -> BarSeries {
        var rows: [BarRow] = []
        var day = Day(year: 2024, month: 1, day: 1) ?? Day(number: 0)
        var price: Int64 = 100_00
        for _ in 0..<days {
            let session = SessionCalendar.newYork.nextSession(after: day)
            day = session.day
            var start = session.open
            while start < session.close {
                let open = price
                price = max(20_00, price + chance.number(in: -60...60))
                rows.append(
                    BarRow(
                        start: start, open: Price(cents: open),
                        high: Price(cents: max(open, price)),
                        low: Price(cents: min(open, price)), close: Price(cents: price),
                        volume: Quantity(shares: chance.number(in: 0...900))))
                start = start + .minutes(15)
            }
        }
        return BarSeries(
            symbol: "TEST", barSize: .minutes(15), rows: rows,
            file: SourceFile(path: "TEST", bytes: 0, modified: 0, inode: 0))
    }

    /// The side that averages of 3 and 8 closes are on behind each bar; a tie changes nothing.
    private static func signals(_ rows: [BarRow]) -> [(at: Timestamp, side: Side)] {
        var signals: [(at: Timestamp, side: Side)] = []
        for end in 8...rows.count {
            let closes = rows[..<end].map(\.close.units)
            let fast = 8 * closes.suffix(3).reduce(0, +)
            let slow = 3 * closes.suffix(8).reduce(0, +)
            guard fast != slow else { continue }
            signals.append((rows[end - 1].start + .minutes(15), fast > slow ? .buy : .sell))
        }
        return signals
    }

    /// Property: no fill goes against the newest signal there was when it happened.
    @Test(arguments: 0..<24 as Range<UInt64>)
    func noFillGoesAgainstTheNewestSignal(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed &+ 400)
        let series = Self.bars(&chance, days: 40)
        var trial = Trial([series], try crossover(fast: 3, slow: 8))
        trial.venue = VenueRules(calendar: .newYork)
        trial.venue.participation = chance.one(of: [nil, Percent(10)])
        trial.execution.window = [.now, .open, .close, .afterOpen(.minutes(30))][Int(seed % 4)]
        let record = try trial.run()
        let signals = Self.signals(series.rows)
        #expect(record.fills.count > 10)
        for fill in record.fills {
            // What ends with the fill's own bar came behind it: an auction is held at its open or its close.
            let newest = signals.last { $0.at <= fill.execution.time }
            let before = signals.last { $0.at < fill.execution.time }
            let isSignalled =
                fill.execution.side == newest?.side || fill.execution.side == before?.side
            #expect(isSignalled, "\(seed): \(fill.execution.side) at \(fill.execution.time)")
        }
    }
}
