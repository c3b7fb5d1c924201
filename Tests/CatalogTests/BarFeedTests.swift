import MarketState
import Model
import Primitives
import Testing

@testable import Catalog

@Suite struct BarFeedTests {
    private static func second(_ seconds: Int64) -> Timestamp { Timestamp(seconds: seconds) }

    /// Bars of `barSize` seconds at those seconds; the price tells the start.
    private static func series(_ symbol: String, barSize: Int64, starts: [Int64]) -> BarSeries {
        let rows = starts.map { start in
            let price = Price(units: start + 1)
            return BarRow(
                start: second(start), open: price, high: price, low: price, close: price,
                volume: Quantity(shares: start))
        }
        return BarSeries(
            symbol: symbol, barSize: .seconds(barSize), rows: rows,
            file: SourceFile(path: symbol, bytes: 0, modified: 0, inode: 0))
    }

    private static func data(_ series: [BarSeries]) -> DataSet {
        DataSet(series: series, basis: .raw, stamp: .start, calendar: .always)
    }

    private static func ids(_ indexes: Int...) -> [InstrumentID] {
        indexes.map(InstrumentID.init(index:))
    }

    /// What a feed hands out, one text a timestamp: time, `-` before what closes, `+` before what
    /// opens.
    private static func log(_ feed: consuming BarFeed) -> [String] {
        func name(_ bar: Bar) -> String { "\(bar.instrument.index)@\(seconds(bar.start))" }
        var feed = feed
        var log: [String] = []
        while feed.next() {
            let closes = (0..<feed.closeCount).map { " -" + name(feed.closedBar($0)) }
            let opens = (0..<feed.openCount).map { " +" + name(feed.openedBar($0)) }
            log.append("\(seconds(feed.time))" + (closes + opens).joined())
        }
        return log
    }

    private static func seconds(_ timestamp: Timestamp) -> Int64 {
        timestamp.nanoseconds / 1_000_000_000
    }

    @Test func barsOpenAndCloseInTimeOrderAndInstrumentOrder() {
        let data = Self.data([
            Self.series("A", barSize: 10, starts: [0, 10, 30]),
            Self.series("B", barSize: 20, starts: [0, 20]),
            Self.series("C", barSize: 5, starts: [12]),
        ])
        let feed = BarFeed(data, instruments: Self.ids(2, 0, 1))
        let count = feed.barCount
        #expect(count == 6)
        #expect(
            Self.log(feed) == [
                "0 +0@0 +2@0", "10 -2@0 +2@10", "12 +1@12", "17 -1@12", "20 -0@0 -2@10 +0@20",
                "30 +2@30", "40 -0@20 -2@30",
            ])
    }

    @Test func barsKeepTheirValues() {
        let data = Self.data([Self.series("A", barSize: 10, starts: [7])])
        var feed = BarFeed(data, instruments: Self.ids(3))
        let price = Price(units: 8)
        let bar = Bar(
            instrument: InstrumentID(index: 3), start: Self.second(7), barSize: .seconds(10),
            open: price, high: price, low: price, close: price, volume: Quantity(shares: 7))
        let opens = feed.next()
        let opened = feed.openedBar(0)
        let inProgress = feed.barInProgress(of: bar.instrument)
        #expect(opens && opened == bar && inProgress == bar)
        let closes = feed.next()
        let closed = feed.closedBar(0)
        let stillInProgress = feed.barInProgress(of: bar.instrument)
        #expect(closes && closed == bar && stillInProgress == nil)
        let goesOn = feed.next()
        #expect(!goesOn)
    }

    @Test func onlyWholeBarsBetweenFromAndToTakePart() {
        let data = Self.data([Self.series("A", barSize: 10, starts: [0, 10, 20, 30, 40])])
        func starts(_ from: Int64?, _ to: Int64?) -> [String] {
            let feed = BarFeed(
                data, instruments: Self.ids(0), from: from.map(Self.second), to: to.map(Self.second)
            )
            let count = feed.barCount
            let log = Self.log(feed)
            #expect(count == log.count { $0.contains("-") })
            return log
        }
        #expect(starts(10, 30) == ["10 +0@10", "20 -0@10 +0@20", "30 -0@20"])
        #expect(starts(11, 39) == ["20 +0@20", "30 -0@20"])
        #expect(starts(nil, 10) == ["0 +0@0", "10 -0@0"])
        #expect(starts(40, nil) == ["40 +0@40", "50 -0@40"])
        #expect(starts(41, nil).isEmpty)
        #expect(starts(nil, 9).isEmpty)
        #expect(starts(30, 20).isEmpty)
    }

    @Test func feedOfNothingEndsAtOnce() {
        let feed = BarFeed(Self.data([]), instruments: [])
        let count = feed.barCount
        #expect(count == 0)
        #expect(Self.log(feed).isEmpty)
    }

    @Test func historyIsTheLastBarsOfEachSeriesThatEndedInTimeOrder() {
        let data = Self.data([
            Self.series("A", barSize: 10, starts: [0, 10, 20, 30]),
            Self.series("B", barSize: 5, starts: [3, 15, 26]),
        ])
        let feed = BarFeed(data, instruments: Self.ids(1, 0), from: Self.second(30))
        func history(_ before: Int64, _ count: Int) -> [String] {
            feed.history(before: Self.second(before), count: count)
                .map { "\($0.instrument.index)@\($0.start.nanoseconds / 1_000_000_000)" }
        }
        #expect(history(30, 2) == ["0@3", "0@15", "1@10", "1@20"])
        // Both end at 20.
        #expect(history(20, 1) == ["0@15", "1@10"])
        #expect(history(31, 100) == ["0@3", "1@0", "0@15", "1@10", "1@20", "0@26"])
        #expect(history(8, 5) == ["0@3"])
        #expect(history(7, 5).isEmpty)
        #expect(history(100, 0).isEmpty)
    }

    /// Against a sort of all openings and closings.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func orderIsThatOfASort(seed: UInt64) {
        var random = RandomBars(seed: seed)
        let series = (0..<Int(random.int(1...8))).map { index in
            let length = random.int(1...6)
            var start = random.int(0...20)
            let starts = (0..<random.int(1...40)).map { _ in
                start += length + random.element([0, 0, 0, 1, 2, 7])
                return start
            }
            return Self.series("S\(index)", barSize: length, starts: starts)
        }
        Self.compareWithSort(series, from: random.int(0...60), to: random.int(0...200))
    }

    /// Series that begin bars together for a while, then do not, and do again.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func orderIsThatOfASortForSeriesInStep(seed: UInt64) {
        var random = RandomBars(seed: seed)
        let length = random.int(1...3)
        var start: Int64 = 0
        let common = (0..<120).map { _ in
            start += length + random.element([0, 0, 0, 0, 5])
            return start
        }
        let holes = random.element([0, 0, 1, 3] as [Int64])
        let series = (0..<Int(random.int(2...6))).map { index in
            var starts = common
            for _ in 0..<holes { starts.remove(at: Int(random.int(0...100))) }
            starts.removeLast(Int(random.element([0, 0, 5])))
            return Self.series("S\(index)", barSize: length, starts: starts)
        }
        let isWhole = random.bool()
        Self.compareWithSort(
            series, from: isWhole ? 0 : random.int(0...60), to: isWhole ? 10_000 : 300)
    }

    private static func compareWithSort(_ series: [BarSeries], from: Int64, to: Int64) {
        var expected: [Int64: (closes: [Int], opens: [Int])] = [:]
        for (index, series) in series.enumerated() {
            for row in series.rows {
                let start = row.start.nanoseconds / 1_000_000_000
                let end = start + series.barSize.nanoseconds / 1_000_000_000
                guard start >= from, end <= to else { continue }
                expected[start, default: ([], [])].opens.append(index)
                expected[end, default: ([], [])].closes.append(index)
            }
        }
        var feed = BarFeed(
            Self.data(series), instruments: series.indices.map(InstrumentID.init(index:)),
            from: Self.second(from), to: Self.second(to))
        for time in expected.keys.sorted() {
            let goesOn = feed.next()
            let now = feed.time
            #expect(goesOn && now == Self.second(time))
            let closes = (0..<feed.closeCount).map { feed.closedBar($0) }
            let opens = (0..<feed.openCount).map { feed.openedBar($0) }
            #expect(closes.map { Int($0.instrument.index) } == expected[time]?.closes)
            #expect(opens.map { Int($0.instrument.index) } == expected[time]?.opens)
            #expect(closes.allSatisfy { $0.end == now })
            #expect(opens.allSatisfy { $0.start == now })
            #expect(closes.allSatisfy { $0.open == Price(units: Self.seconds($0.start) + 1) })
            #expect(opens.allSatisfy { $0.open == Price(units: Self.seconds($0.start) + 1) })
            for (index, series) in series.enumerated() {
                let begun = series.rows.last {
                    let end = $0.start + series.barSize
                    return $0.start <= now && $0.start >= second(from) && end <= second(to)
                }
                let bar = feed.barInProgress(of: InstrumentID(index: index))
                let isOpen = begun.map { $0.start + series.barSize > now } == true
                #expect(bar?.start == (isOpen ? begun?.start : nil))
            }
        }
        let goesOn = feed.next()
        #expect(!goesOn)
    }
}
