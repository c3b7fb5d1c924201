import Foundation
import MarketState
import Model
import Primitives
import Testing

@testable import Catalog

@Suite struct SyntheticTicksTests {
    private static func market(
        _ count: Int, seed: UInt64 = 1, volatility: Double = 0.2,
        _ change: (inout SyntheticMarket) -> Void = { _ in }
    ) throws -> SyntheticMarket {
        var market = SyntheticMarket(
            symbols: ["A"], barCount: count, barSize: nil,
            from: try #require(Day("2019-01-02")), seed: seed, volatility: volatility)
        change(&market)
        return market
    }

    private static func rows(
        _ market: SyntheticMarket, perSession: Int, of symbol: String = "A"
    ) -> [TickRow] {
        var ticks = SyntheticTicks(of: symbol, in: market, ticksPerSession: perSession)
        var rows: [TickRow] = []
        while let row = ticks.next() { rows.append(row) }
        return rows
    }

    /// Over 257 sessions, 100,000 bars of a minute made of the trades.
    @Test(arguments: [false, true])
    func volatilityOfBarsOfTheTradesIsThatAskedFor(hasShape: Bool) throws {
        let market = try Self.market(257 * 2_340) {
            $0.hasIntradayShape = hasShape
            $0.calendar = .newYork
        }
        let rows = Self.rows(market, perSession: 2_340)
        let instrument = InstrumentID(index: 0)
        var bars = LongerBars(
            of: [instrument], from: [.parts], barSize: .minutes(1), calendar: .newYork)
        for row in rows { bars.add(row, of: instrument) }
        let closes = bars.finish().map { log(Double($0.close.units)) }
        // Minutes without a trade have no bar: their change is in the next.
        let minutes = 257.0 * 390
        #expect(Double(closes.count) > 0.6 * minutes)
        let variance = zip(closes, closes.dropFirst()).reduce(0) { $0 + pow($1.1 - $1.0, 2) }
        let realised = (variance / 257 * 252).squareRoot()
        #expect(abs(realised / 0.2 - 1) < 0.05, "\(realised)")
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func rowsAreSoundAndLieInSessions(seed: UInt64) throws {
        let market = try Self.market(4_000, seed: seed, volatility: Double(seed) / 4) {
            $0.hasRegimes = seed % 2 == 0
            $0.hasIntradayShape = seed % 3 == 0
            $0.jumps = seed > 4 ? 20 : 0
            $0.jumpSize = 0.01
            $0.startPrice = seed % 4 == 0 ? 0.03 : 350
        }
        let rows = Self.rows(market, perSession: 500)
        #expect(rows.count == 4_000)
        let instrument = InstrumentID(index: 0)
        var quote: Quote?
        var day: Day?
        for (row, next) in zip(rows, rows.dropFirst()) {
            #expect(row.at <= next.at)
            #expect(SessionCalendar.newYork.session(containing: row.at) != nil)
            if row.isTrade {
                let trade = row.trade(of: instrument)
                let isAtAsk = trade.price == quote?.ask
                #expect(isAtAsk || trade.price == quote?.bid)
                #expect(trade.size > .zero)
                #expect(
                    trade.size <= max(quote?.askSize ?? .zero, quote?.bidSize ?? .zero))
            } else {
                let now = row.quote(of: instrument)
                let bid = try #require(now.bid)
                let ask = try #require(now.ask)
                #expect(bid > .zero && bid < ask)
                let sizes = [try #require(now.bidSize), try #require(now.askSize)]
                #expect(sizes.allSatisfy { $0 > .zero })
                quote = now
            }
            // Each day begins with a quote.
            let today = SessionCalendar.newYork.day(of: row.at)
            if today != day { #expect(!row.isTrade) }
            day = today
        }
        let trades = rows.count { $0.isTrade }
        #expect(abs(Double(trades) / 4_000 - 0.2) < 0.03)
    }

    /// (1 + 3 s²) / 2 over the first and last tenth of a day averages 1.72, over the fifth in the middle
    /// 0.52.
    @Test func theDayHasItsShape() throws {
        let rows = Self.rows(
            try Self.market(200_000) { $0.hasIntradayShape = true }, perSession: 20_000)
        func count(_ minutes: Range<Int64>) -> Double {
            Double(
                rows.count { row in
                    let day = SessionCalendar.newYork.day(of: row.at)
                    let since = row.at - SessionCalendar.newYork.open(on: day)
                    return minutes.contains(since.nanoseconds / 60_000_000_000)
                }) / Double(minutes.count)
        }
        #expect(abs(count(0..<39) / count(156..<234) / (1.72 / 0.52) - 1) < 0.05)
        #expect(abs(count(351..<390) / count(156..<234) / (1.72 / 0.52) - 1) < 0.05)
    }

    @Test func theSameSeedGivesTheSameFileAndTheFileItsRows() throws {
        let market = try Self.market(3_000)
        var texts: [Data] = []
        for _ in 0..<2 {
            let sandbox = try Sandbox()
            let file = try SyntheticFiles.writeTicks(
                "A", of: market, perSession: 900, to: sandbox.path, ending: ".csv")
            #expect(file.rowCount == 3_000)
            texts.append(try Data(contentsOf: URL(fileURLWithPath: file.path)))
            let source = DataSource(path: file.path, calendar: .newYork)
            let series = try #require(try DataLoader.loadTicks(source).series.first)
            #expect(series.rows == Self.rows(market, perSession: 900))
            let report = DataCheck.check(
                DataFolder.File(symbol: "A", path: file.path, bytes: file.rowCount),
                source: source)
            #expect(report.findings.kept.isEmpty)
        }
        #expect(texts[0] == texts[1])
        let other = try Self.market(3_000, seed: 2)
        #expect(Self.rows(other, perSession: 900) != Self.rows(market, perSession: 900))
        #expect(
            Self.rows(market, perSession: 900, of: "B") != Self.rows(market, perSession: 900))
    }
}
