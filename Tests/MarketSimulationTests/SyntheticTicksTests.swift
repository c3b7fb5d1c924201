import Foundation
import MarketState
import Model
import Primitives
import Testing

@testable import MarketSimulation

@Suite struct SyntheticTicksTests {
    private static func rows(
        _ count: Int, perSession: Int, of symbol: String = "A",
        price: Price = Price(cents: 100_00), seed: UInt64 = 1,
        _ configure: (inout SyntheticTraits) -> Void = { _ in }
    ) -> [TickRow] {
        var traits = SyntheticTraits()
        traits.volatility = 0.2
        traits.hasIntradayShape = false
        traits.cut = .quotes(perSession: 0.8 * Double(perSession))
        configure(&traits)
        var history = MarketFixture.history(
            of: symbol, traits, from: "2019-01-02", price: price, seed: seed)
        var ticks: [MarketEvent] = []
        while ticks.count < count, history.appendTicks(to: &ticks) {}
        return ticks.prefix(count).map {
            switch $0 {
            case .quote(let quote): TickRow(quote)
            case .trade(let trade): TickRow(trade)
            }
        }
    }

    /// Over 257 sessions, 100,000 bars of a minute made of the trades.
    @Test(arguments: [false, true])
    func volatilityOfBarsOfTheTradesIsThatAskedFor(hasShape: Bool) {
        let rows = Self.rows(257 * 2_340, perSession: 2_340) { $0.hasIntradayShape = hasShape }
        var closes: [(minute: Int64, price: Double)] = []
        for row in rows where row.isTrade {
            let minute = row.at.nanoseconds / 60_000_000_000
            let price = log(Double(row.trade(of: MarketFixture.a).price.units))
            if closes.last?.minute == minute { closes.removeLast() }
            closes.append((minute, price))
        }
        // Minutes without a trade have no bar: their change is in the next.
        let minutes = 257.0 * 390
        #expect(Double(closes.count) > 0.6 * minutes)
        let variance = zip(closes, closes.dropFirst()).reduce(0) {
            $0 + pow($1.1.price - $1.0.price, 2)
        }
        let realised = (variance / 257 * 252).squareRoot()
        #expect(abs(realised / 0.2 - 1) < 0.05, "\(realised)")
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func rowsAreSoundAndLieInSessions(seed: UInt64) throws {
        let rows = Self.rows(
            4_000, perSession: 500, price: Price(cents: seed % 4 == 0 ? 3 : 350_00), seed: seed
        ) {
            $0.volatility = Double(seed) / 4
            $0.hasRegimes = seed % 2 == 0
            $0.hasIntradayShape = seed % 3 == 0
            $0.jumps = seed > 4 ? 20 : 0
            $0.jumpSize = 0.01
        }
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
    @Test func theDayHasItsShape() {
        let rows = Self.rows(200_000, perSession: 20_000) { $0.hasIntradayShape = true }
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

    @Test(arguments: [1, 7, 500])
    func sessionsHaveSoManyTicksOnAverage(perSession: Int) {
        let rows = Self.rows(20_000, perSession: perSession)
        let days = Set(rows.map { SessionCalendar.newYork.day(of: $0.at) }).count
        // Each session has a quote at least, and early closes fewer than others.
        let expected = max(1.25, Double(perSession))
        #expect(abs(Double(rows.count) / Double(days) / expected - 1) < 0.05)
    }

    @Test func anotherSeedOrSymbolHasOtherTicks() {
        let rows = Self.rows(3_000, perSession: 900)
        #expect(Self.rows(3_000, perSession: 900) == rows)
        #expect(Self.rows(3_000, perSession: 900, seed: 2) != rows)
        #expect(Self.rows(3_000, perSession: 900, of: "B") != rows)
    }
}
