import Model
import Primitives
import Testing

@testable import MarketSimulation

/// History is what was told.
@Suite struct MarketHistoryTests {
    private typealias Fixture = MarketFixture

    private static var kinds: [(BarKind, (MarketEvent) -> (Int64, Int64)?)] {
        [(.trades, \.lastPrice), (.bid, \.bid), (.ask, \.ask), (.midpoint, \.middle)]
    }

    @Test(arguments: MarketFixture.everything)
    func minuteBarsAreTheStreamsMinutes(id: InstrumentID) {
        var market = Fixture.market(Fixture.at("2024-03-05", 9, 20))
        market.follow(id)
        let (from, to) = (Fixture.at("2024-03-05", 9, 25), Fixture.at("2024-03-05", 9, 45))
        let events = market.events(to: to).filter { $0.at >= from && $0.at < to }
        for (kind, value) in Self.kinds {
            let published = CountedBars.bars(events, step: 60, value)
            let bars = market.bars(
                of: id,
                BarRequest(
                    step: .seconds(60), from: from, to: to, kind: kind, regularHoursOnly: false))
            #expect(bars.count == published.count)
            for bar in bars {
                let counted = published[bar.start]
                #expect(bar.open.units == counted?.open, "\(kind) \(bar.start)")
                #expect(bar.high.units == counted?.high)
                #expect(bar.low.units == counted?.low)
                #expect(bar.close.units == counted?.close)
                guard kind == .trades else { continue }
                #expect(bar.volume.units == counted?.volume)
                #expect(bar.count == counted?.count)
                #expect(bar.low <= bar.wap && bar.wap <= bar.high)
            }
        }
    }

    @Test(arguments: [1, 5, 10, 15, 30] as [Int32])
    func barsOfSecondsAreTheStreamsToo(seconds: Int32) {
        var market = Fixture.market(Fixture.at("2024-03-05", 9, 30))
        market.follow(Fixture.a)
        let to = Fixture.at("2024-03-05", 9, 33)
        let events = market.events(to: to).filter { $0.at < to }
        let published = CountedBars.bars(events, step: Int64(seconds), \.lastPrice)
        let request = BarRequest(
            step: .seconds(seconds), from: Fixture.at("2024-03-05", 9, 30, 1), to: to)
        let bars = market.bars(of: Fixture.a, request)
        // The first begins before the time that was asked for.
        #expect(bars.count == published.count - 1)
        for bar in bars {
            #expect(bar.open.units == published[bar.start]?.open)
            #expect(bar.high.units == published[bar.start]?.high)
            #expect(bar.low.units == published[bar.start]?.low)
            #expect(bar.close.units == published[bar.start]?.close)
            #expect(bar.volume.units == published[bar.start]?.volume)
        }
        // A quote stands until the next one: every step has a bar.
        let quotes = market.bars(
            of: Fixture.a,
            BarRequest(
                step: .seconds(seconds), from: Fixture.at("2024-03-05", 9, 31), to: to, kind: .bid))
        #expect(quotes.count == 120 / Int(seconds))
        for (one, next) in zip(quotes, quotes.dropFirst()) {
            #expect(one.start + .seconds(Int64(seconds)) == next.start)
        }
    }

    @Test(arguments: MarketFixture.everything, [true, false])
    func longBarsAreTheirMinutes(id: InstrumentID, regularHoursOnly: Bool) throws {
        var market = Fixture.market(Fixture.at("2024-03-05", 12, 34, 56))
        for kind in [BarKind.trades, .bid, .ask, .midpoint] {
            func bars(_ step: BarStep) -> [HistoryBar] {
                market.bars(
                    of: id,
                    BarRequest(
                        step: step, from: Fixture.at("2024-02-25", 0), to: .distantFuture,
                        kind: kind,
                        regularHoursOnly: regularHoursOnly))
            }
            let minutes = bars(.seconds(60))
            for step in [BarStep.seconds(3_600), .seconds(1_800), .day, .week] {
                for bar in bars(step) {
                    let part = minutes.filter {
                        switch step {
                        case .seconds(let length):
                            $0.day == bar.day && $0.start >= bar.start
                                && $0.start.nanoseconds / 1_800_000_000_000
                                    < bar.start.nanoseconds / 1_800_000_000_000
                                    + Int64(length / 1_800)
                                    - (length == 3_600
                                        ? bar.start.nanoseconds / 1_800_000_000_000 % 2 : 0)
                        case .day: $0.day == bar.day
                        case .week, .month:
                            Self.week(of: $0.day) == Self.week(of: bar.day)
                        }
                    }
                    #expect(bar.open == part.first?.open, "\(kind) \(step) \(bar.start)")
                    #expect(bar.close == part.last?.close)
                    #expect(bar.high == part.map(\.high).max())
                    #expect(bar.low == part.map(\.low).min())
                    #expect(bar.volume == part.reduce(.zero) { $0 + $1.volume })
                    #expect(bar.count == part.reduce(0) { $0 + $1.count })
                }
            }
            let count = minutes.isEmpty ? 0 : 7
            #expect(bars(.day).count == count, "\(kind)")
        }
    }

    @Test func barsOfHoursBeginWithTheSessionAndThenWithTheHour() {
        var market = Fixture.market(Fixture.at("2024-03-06", 20))
        func starts(_ seconds: Int32, regularHoursOnly: Bool) -> [Timestamp] {
            market.bars(
                of: Fixture.a,
                BarRequest(
                    step: .seconds(seconds), from: Fixture.at("2024-03-06", 0), to: .distantFuture,
                    regularHoursOnly: regularHoursOnly)
            ).map(\.start)
        }
        let day = "2024-03-06"
        #expect(
            starts(3_600, regularHoursOnly: true)
                == [Fixture.at(day, 9, 30)] + (10..<16).map { Fixture.at(day, $0) })
        #expect(starts(3_600, regularHoursOnly: false) == (4..<20).map { Fixture.at(day, $0) })
        #expect(
            starts(14_400, regularHoursOnly: true)
                == [Fixture.at(day, 9, 30), Fixture.at(day, 12)])
    }

    @Test func averagesOfBidsAndAsksLieBetweenTheirExtremes() {
        var market = Fixture.market(Fixture.at("2024-03-06", 16))
        for step in [BarStep.seconds(5), .seconds(60), .day] {
            let bars = market.bars(
                of: Fixture.a,
                BarRequest(
                    step: step, from: Fixture.at("2024-03-06", 9, 30), to: .distantFuture,
                    kind: .bidAsk))
            #expect(!bars.isEmpty)
            #expect(
                bars.allSatisfy { $0.low <= $0.open && $0.open < $0.close && $0.close <= $0.high })
        }
    }

    @Test func nothingIsKnownBeforeItHappens() {
        var market = Fixture.market(Fixture.at("2024-03-05", 10, 0, 20))
        let request = BarRequest(
            step: .seconds(60), from: Fixture.at("2024-03-05", 9, 59),
            to: Fixture.at("2024-03-05", 11))
        let early = market.bars(of: Fixture.a, request)
        #expect(
            early.map(\.start) == [Fixture.at("2024-03-05", 9, 59), Fixture.at("2024-03-05", 10)])
        market.wait(until: Fixture.at("2024-03-05", 10, 1))
        let late = market.bars(of: Fixture.a, request)
        #expect(early[0] == late[0])
        #expect(early[1].open == late[1].open)
        #expect(early[1].volume < late[1].volume)
        let ticks = market.ticks(
            of: Fixture.a,
            TickRequest(.quotes, from: Fixture.at("2024-03-05", 10), to: nil, limit: 10_000))
        #expect(ticks.allSatisfy { $0.at <= market.now })
    }

    @Test func theDaysFiguresAreTheDaysBars() throws {
        var market = Fixture.market(Fixture.at("2024-03-06", 13, 13, 13))
        let shown = market.snapshot(of: Fixture.a)
        func days(_ regularHoursOnly: Bool) -> [HistoryBar] {
            market.bars(
                of: Fixture.a,
                BarRequest(
                    step: .day, from: Fixture.at("2024-03-05", 0), to: .distantFuture,
                    regularHoursOnly: regularHoursOnly))
        }
        let regular = days(true)
        try #require(regular.count == 2)
        #expect(shown.previousClose == regular[0].close)
        #expect(shown.open == regular[1].open)
        #expect(shown.high == regular[1].high)
        #expect(shown.low == regular[1].low)
        #expect(shown.last == regular[1].close)
        #expect(shown.volume == days(false)[1].volume)
        #expect(shown.tradeCount == days(false)[1].count)
        #expect(shown.day == Fixture.day("2024-03-06"))
        #expect(shown.isOpen && shown.isRegular)
    }

    @Test func ticksOfThePastAreThoseThatWereReported() {
        var market = Fixture.market()
        market.follow(Fixture.a)
        let end = Fixture.at("2024-03-05", 9, 40)
        let published = market.events(to: end).filter { $0.at < end }
        let from = Fixture.at("2024-03-05", 9, 33)
        for kind in [TickRequest.Kind.trades, .quotes] {
            let requested = published.filter { $0.isTrade == (kind == .trades) }
            let first = market.ticks(
                of: Fixture.a, TickRequest(kind, from: from, to: nil, limit: 100))
            let later = requested.filter { $0.at >= from }
            #expect(first.count >= 100 && first == Array(later.prefix(first.count)))
            #expect(Self.second(first.last) != Self.second(later[first.count]))
            let last = market.ticks(
                of: Fixture.a, TickRequest(kind, from: nil, to: end, limit: 100))
            #expect(last.count >= 100 && last == Array(requested.suffix(last.count)))
            #expect(
                Self.second(last.first) != Self.second(requested[requested.count - last.count - 1]))
            let few = market.ticks(
                of: Fixture.a, TickRequest(kind, from: from, to: from + .seconds(10), limit: 1_000))
            #expect(few == later.filter { $0.at < from + .seconds(10) })
        }
    }

    private static func week(of day: Day) -> Int32 {
        day.number - Int32(day.weekday.rawValue)
    }

    private static func second(_ event: MarketEvent?) -> Int64? {
        event.map { $0.at.nanoseconds / 1_000_000_000 }
    }

    @Test func theHistogramHasTheVolumeOfTheBars() {
        var market = Fixture.market(Fixture.at("2024-03-15", 12))
        for days in [3, 21] as [Int64] {
            let from = Fixture.at("2024-03-15", 12) - .days(days)
            let rows = market.histogram(
                of: Fixture.a, from: from, to: market.now, regularHoursOnly: true)
            let bars = market.bars(
                of: Fixture.a, BarRequest(step: .seconds(60), from: from, to: market.now))
            let sum = rows.reduce(Quantity.zero) { $0 + $1.size }
            #expect(sum == bars.reduce(.zero) { $0 + $1.volume })
            #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.price < $1.price })
            #expect(rows.first.map { $0.price >= bars.map(\.low).min() ?? .zero } == true)
        }
    }

    @Test func theHistoryBeginsOnTheFirstDay() {
        var market = Fixture.market()
        // The second of January 2024 was a Tuesday; the market opens at 4.
        #expect(market.firstTime(of: Fixture.a) == Fixture.at("2024-01-02", 4))
        #expect(market.firstTime(of: Fixture.index) == Fixture.at("2024-01-02", 9, 30))
        #expect(market.firstTime(of: Fixture.pair) == Fixture.at("2024-01-01", 17, 15))
        #expect(market.firstTime(of: Fixture.call) == Fixture.at("2024-01-02", 9, 30))
    }

    @Test func theScheduleIsTheCalendars() {
        let market = Fixture.market()
        // Good Friday is on the 29th.
        let sessions = market.schedule(
            of: Fixture.a, from: Fixture.at("2024-03-27", 0), to: Fixture.at("2024-04-02", 0))
        #expect(
            sessions.map(\.day)
                == ["2024-03-27", "2024-03-28", "2024-04-01"].map { Fixture.day($0) })
        #expect(sessions.first?.open == Fixture.at("2024-03-27", 9, 30))
        #expect(sessions.first?.close == Fixture.at("2024-03-27", 16))
    }
}
