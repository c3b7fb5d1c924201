import MarketState
import Model
import Primitives
import Testing

@testable import MarketSimulation

/// Recorded prices are told again.
@Suite struct ReplayTests {
    private typealias Fixture = MarketFixture

    private static func row(
        _ start: Timestamp, _ cents: (Int64, Int64, Int64, Int64), _ volume: Int64
    ) -> BarRow {
        BarRow(
            start: start, open: Price(cents: cents.0), high: Price(cents: cents.1),
            low: Price(cents: cents.2), close: Price(cents: cents.3),
            volume: Quantity(shares: volume))
    }

    /// Rows of any shape: flat ones, ones that begin or end with an extreme, small and large volumes.
    private static func rows(
        _ starts: [Timestamp], _ seed: UInt64, unit: Int64 = 1_000_000
    ) -> [BarRow] {
        var generator = SeededGenerator(seed: seed)
        func draw(_ bound: Int64) -> Int64 { Int64(generator.next() % UInt64(bound)) }
        return starts.map { start in
            let range = [0, 1, 2, 500][Int(draw(4))] as Int64
            let low = 1 + draw(20_000)
            func within() -> Int64 {
                [low, low + range, low + draw(range + 1), low + draw(range + 1)][Int(draw(4))]
            }
            let volume = [0, 1, 3, 700, 5_000_123][Int(draw(5))] as Int64
            return BarRow(
                start: start, open: Price(units: within() * unit),
                high: Price(units: (low + range) * unit), low: Price(units: low * unit),
                close: Price(units: within() * unit), volume: Quantity(shares: volume))
        }
    }

    private static func expect(
        _ bars: [HistoryBar], are rows: [BarRow], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(bars.count == rows.count, sourceLocation: sourceLocation)
        for (bar, row) in zip(bars, rows) {
            #expect(bar.start == row.start, sourceLocation: sourceLocation)
            #expect(bar.open == row.open, "\(row)", sourceLocation: sourceLocation)
            #expect(bar.high == row.high, "\(row)", sourceLocation: sourceLocation)
            #expect(bar.low == row.low, "\(row)", sourceLocation: sourceLocation)
            #expect(bar.close == row.close, "\(row)", sourceLocation: sourceLocation)
            #expect(bar.volume == row.volume, "\(row)", sourceLocation: sourceLocation)
        }
    }

    /// Cents and hundredths of them, off the contract's steps.
    @Test(arguments: 1...6 as ClosedRange<UInt64>, [1_000_000, 10_000] as [Int64])
    func minutesAreReportedAsTheyWere(seed: UInt64, unit: Int64) throws {
        let start = Fixture.at("2024-03-05", 9, 30)
        let starts = (0..<60).map { start + .minutes($0) }
        let rows = Self.rows(starts, seed, unit: unit)
        var data = ReplayData()
        try data.add(rows, length: .minutes(1), of: "AAA")
        var market = Fixture.replay(data, start - .minutes(1))
        market.follow(Fixture.a)
        let end = start + .minutes(60)
        let events = market.events(to: end, step: .seconds(7))
        Self.expect(
            market.bars(of: Fixture.a, BarRequest(step: .seconds(60), from: start, to: end)),
            are: rows)
        let published = CountedBars.bars(events, step: 60, \.lastPrice)
        for row in rows {
            #expect(published[row.start]?.open == row.open.units)
            #expect(published[row.start]?.high == row.high.units)
            #expect(published[row.start]?.low == row.low.units)
            #expect(published[row.start]?.close == row.close.units)
            #expect(published[row.start]?.volume == row.volume.units)
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func longBarsAreCutIntoTicksThatAddUp(seed: UInt64) throws {
        let days = ["2024-03-04", "2024-03-05", "2024-03-06"]
        let daily = Self.rows(days.map { Fixture.at($0, 9, 30) }, seed)
        let hours = days.flatMap { day in
            [Fixture.at(day, 9, 30)] + (10..<16).map { Fixture.at(day, $0) }
        }
        let hourly = Self.rows(hours, seed + 100)
        var data = ReplayData()
        try data.add(daily, length: nil, of: "AAA")
        try data.add(hourly, length: .hours(1), of: "BBB")
        var market = Fixture.replay(data, Fixture.at("2024-03-04", 9))
        market.follow(Fixture.a)
        let end = Fixture.at("2024-03-06", 20)
        let events = market.events(to: end)
        func request(_ step: BarStep) -> BarRequest {
            BarRequest(step: step, from: Fixture.at("2024-03-04", 0), to: end)
        }
        Self.expect(market.bars(of: Fixture.a, request(.day)), are: daily)
        Self.expect(market.bars(of: Fixture.b, request(.seconds(3_600))), are: hourly)
        #expect(
            market.bars(of: Fixture.a, request(.day)).map(\.day) == days.map { Fixture.day($0) })
        for row in daily {
            let day = events.filter { NewYork.day(at: $0.at) == NewYork.day(at: row.start) }
            let trades = day.compactMap(\.lastPrice)
            #expect(trades.first?.0 == row.open.units)
            #expect(trades.map(\.0).max() == row.high.units)
            #expect(trades.map(\.0).min() == row.low.units)
            #expect(trades.last?.0 == row.close.units)
            #expect(trades.reduce(0) { $0 + $1.1 } == row.volume.units)
        }
    }

    @Test func shortBarsKeepTheirSeconds() throws {
        let start = Fixture.at("2024-03-05", 11)
        let rows = Self.rows((0..<50).map { start + .seconds($0 * 5) }, 3)
        var data = ReplayData()
        try data.add(rows, length: .seconds(5), of: "AAA")
        var market = Fixture.replay(data, start + .minutes(10))
        let request = BarRequest(step: .seconds(5), from: start, to: market.now)
        Self.expect(market.bars(of: Fixture.a, request), are: rows)
    }

    @Test func ticksAreReportedAsTheyWere() throws {
        let start = Fixture.at("2024-03-05", 10)
        let ticks: [MarketEvent] = (0..<500).map { (index: Int64) in
            let at = start + .milliseconds(index * 777)
            if index % 3 == 0 {
                return .trade(
                    Trade(
                        instrument: Fixture.b, at: at, price: Price(cents: 5_000 + index % 17),
                        size: Quantity(shares: 1 + index)))
            }
            return .quote(
                Quote(
                    instrument: Fixture.b, at: at, bid: Price(cents: 4_990 + index % 7),
                    ask: Price(cents: 5_010 + index % 5), bidSize: Quantity(shares: index),
                    askSize: Quantity(shares: 200)))
        }
        var data = ReplayData()
        try data.add(ticks: ticks, of: "AAA")
        var market = Fixture.replay(data, start - .minutes(1))
        var asked = Fixture.replay(data, start - .minutes(1))
        market.follow(Fixture.a)
        let middle = start + .minutes(3)
        var events = market.events(to: middle)
        asked.wait(until: middle)
        #expect(market.snapshot(of: Fixture.a) == asked.snapshot(of: Fixture.a))
        events += market.events(to: start + .minutes(20))
        #expect(events == ticks.map { $0.of(Fixture.a) })
        let published = CountedBars.bars(events, step: 60, \.lastPrice)
        let bars = market.bars(
            of: Fixture.a, BarRequest(step: .seconds(60), from: start, to: market.now))
        #expect(bars.count == 7)
        for bar in bars {
            #expect(bar.open.units == published[bar.start]?.open)
            #expect(bar.close.units == published[bar.start]?.close)
            #expect(bar.volume.units == published[bar.start]?.volume)
        }
        // The quote of the minute before stands at the beginning of the next.
        let bids = market.bars(
            of: Fixture.a, BarRequest(step: .seconds(60), from: start, to: market.now, kind: .bid))
        let before = events.last { $0.at < bids[1].start && !$0.isTrade }
        #expect(bids[1].open.units == before?.bid?.0)
    }

    @Test func afterTheLastBarNothingMoves() throws {
        let start = Fixture.at("2024-03-05", 9, 30)
        var data = ReplayData()
        try data.add([Self.row(start, (100, 110, 90, 105), 5_000)], length: .minutes(5), of: "AAA")
        var market = Fixture.replay(data, start - .minutes(5))
        market.follow(Fixture.a)
        #expect(
            market.snapshot(of: Fixture.a)
                == {
                    var none = MarketSnapshot(); none.isOpen = false; return none
                }())
        _ = market.events(to: start + .minutes(5))
        let last = market.snapshot(of: Fixture.a)
        #expect(last.last == Price(cents: 105))
        #expect(market.events(to: start + .days(30)).isEmpty)
        var later = market.snapshot(of: Fixture.a)
        #expect(!later.isOpen)
        later.isOpen = last.isOpen
        later.isRegular = last.isRegular
        #expect(later == last)
    }

    @Test func whatWasNotRecordedHasNoPrices() throws {
        var data = ReplayData()
        let start = Fixture.at("2024-03-05", 9, 30)
        try data.add(
            [Self.row(start, (10_000, 10_100, 9_900, 10_050), 5_000)], length: nil, of: "AAA")
        var market = Fixture.replay(data, Fixture.at("2024-03-05", 12))
        #expect(market.snapshot(of: Fixture.b) == MarketSnapshot())
        #expect(market.firstTime(of: Fixture.b) == nil)
        #expect(market.firstTime(of: Fixture.a) == start)
        // An option's price follows from its underlying's.
        #expect(market.snapshot(of: Fixture.call).bid != nil)
    }

    @Test func badRecordingsAreRefused() throws {
        let start = Fixture.at("2024-03-05", 9, 30)
        func problem(_ rows: [BarRow], _ length: Duration? = .minutes(1)) -> String? {
            var data = ReplayData()
            do {
                try data.add(rows, length: length, of: "AAA")
                return nil
            } catch { return error.description }
        }
        let good = Self.row(start, (100, 110, 90, 105), 1)
        #expect(problem([good]) == nil)
        #expect(problem([]) == "AAA: has 0 rows: give 1 to 500000000.")
        #expect(
            problem([good, good])
                == "AAA, row 2: does not begin after the row before: sort the rows by time.")
        #expect(
            problem([Self.row(start, (100, 110, 101, 105), 1)])
                == "AAA, row 1: its open or close is not between its low and its high.")
        #expect(problem([Self.row(start, (100, 110, 0, 105), 1)])?.contains("price") == true)
        #expect(problem([Self.row(start, (100, 110, 90, 105), -1)])?.contains("volume") == true)
        #expect(problem([good], .days(2)) == "AAA: bars last 2d: give bars of a second to a day.")
        var data = ReplayData()
        try data.add([good], length: nil, of: "AAA")
        #expect(throws: ReplayData.Problem.self) { try data.add([good], length: nil, of: "AAA") }
        let tick = MarketEvent.trade(
            Trade(instrument: Fixture.a, at: start, price: .zero, size: .zero))
        #expect(throws: ReplayData.Problem.self) { try data.add(ticks: [tick], of: "B") }
    }
}
