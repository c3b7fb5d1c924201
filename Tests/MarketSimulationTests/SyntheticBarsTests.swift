import Foundation
import MarketState
import Model
import Primitives
import Testing

@testable import MarketSimulation

/// What synthetic bars promise.
@Suite struct SyntheticBarsTests {
    private static func rows(
        _ count: Int, of symbol: String = "A", every length: Duration = .minutes(1),
        from day: String = "2019-01-02", price: Price = Price(cents: 100_00), seed: UInt64 = 7,
        _ configure: (inout SyntheticTraits) -> Void = { _ in }
    ) -> [BarRow] {
        var traits = SyntheticTraits()
        traits.volatility = 0.15
        traits.hasIntradayShape = false
        traits.cut = .every(length)
        configure(&traits)
        var history = MarketFixture.history(of: symbol, traits, from: day, price: price, seed: seed)
        return (0..<count).compactMap { _ in history.nextBar() }
    }

    private static func returns(_ rows: [BarRow]) -> [Double] {
        zip(rows, rows.dropFirst()).map {
            log(Double($0.1.close.units) / Double($0.0.close.units))
        }
    }

    /// The standard deviation about the mean.
    private static func deviation(_ values: [Double]) -> Double {
        let mean = values.reduce(0, +) / Double(values.count)
        return sqrt(values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1))
    }

    @Test(arguments: [7, 42] as [UInt64])
    func realisedVolatilityIsTheRequestedOne(seed: UInt64) throws {
        let rows = Self.rows(100_000, seed: seed)
        #expect(rows.count == 100_000)
        let realised = Self.deviation(Self.returns(rows)) * sqrt(252 * 390)
        #expect(abs(realised / 0.15 - 1) < 0.05, "\(realised)")
    }

    @Test func volatilityIsTheSameWithTheShapeOfADay() {
        let returns = Self.returns(Self.rows(39_000) { $0.hasIntradayShape = true })
        let realised = Self.deviation(returns) * sqrt(252 * 390)
        #expect(abs(realised / 0.15 - 1) < 0.05, "\(realised)")
    }

    /// Also where there are more jumps than sessions.
    @Test(arguments: [(6, 0.04), (600, 0.005)])
    func jumpsArePartOfTheVolatility(jumps: Double, size: Double) {
        let rows = Self.rows(40_000, every: .days(1), from: "1990-01-01") {
            $0.jumps = jumps
            $0.jumpSize = size
        }
        let returns = Self.returns(rows)
        let realised = Self.deviation(returns) * sqrt(252)
        #expect(abs(realised / 0.15 - 1) < 0.05, "\(realised)")
        // Jumps of more than six deviations of a day do not happen without.
        #expect(returns.contains { abs($0) > 6 * 0.15 / sqrt(252) } == (jumps == 6))
    }

    @Test func regimesMakeVolatilityComeInIntervals() throws {
        func kurtosis(_ values: [Double]) -> Double {
            let mean = values.reduce(0, +) / Double(values.count)
            let second = values.reduce(0) { $0 + pow($1 - mean, 2) } / Double(values.count)
            return values.reduce(0) { $0 + pow($1 - mean, 4) } / Double(values.count) / second
                / second
        }
        let plain = Self.returns(Self.rows(10_000, every: .days(1)))
        let intervals = Self.returns(Self.rows(10_000, every: .days(1)) { $0.hasRegimes = true })
        // 3 for a normal distribution; for this mixture 3 * (0.8 * 0.625^2 + 0.2 * 2.5^2) = 4.7.
        #expect(abs(kurtosis(plain) - 3) < 0.3)
        #expect(abs(kurtosis(intervals) - 4.7) < 0.7)
    }

    @Test func symbolsAreCorrelatedAsRequested() throws {
        func correlation(_ rho: Double) -> Double {
            let (a, b) = (
                Self.returns(Self.rows(20_000, of: "A") { $0.correlation = rho }),
                Self.returns(Self.rows(20_000, of: "B") { $0.correlation = rho })
            )
            let product = zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } / Double(a.count)
            return product / Self.deviation(a) / Self.deviation(b)
        }
        #expect(abs(correlation(0)) < 0.03)
        #expect(abs(correlation(0.6) - 0.6) < 0.03)
    }

    @Test func theDayHasItsShape() throws {
        let rows = Self.rows(390 * 60) { $0.hasIntradayShape = true }
        func volume(_ minutes: Range<Int>) -> Double {
            rows.enumerated().reduce(0) { sum, row in
                minutes.contains(row.offset % 390)
                    ? sum + Double(row.element.volume.units) / 1e8 : sum
            } / Double(minutes.count)
        }
        // (1 + 3) / 2 at the ends, 1 / 2 in the middle; over a tenth of the day at the ends 1.72, over a
        // fifth in the middle 0.52.
        #expect(abs(volume(0..<39) / volume(156..<234) / (1.72 / 0.52) - 1) < 0.1)
        #expect(abs(volume(351..<390) / volume(156..<234) / (1.72 / 0.52) - 1) < 0.1)
    }

    @Test func driftIsTheExpectedReturn() throws {
        let ends = try (0..<200).map { seed in
            let rows = Self.rows(252, every: .days(1), seed: UInt64(seed)) { $0.drift = 0.1 }
            return Double(try #require(rows.last).close.units) / 1e10
        }
        let mean = ends.reduce(0, +) / 200
        // The deviation of the mean of 200 years is 0.012.
        #expect(abs(mean - 1.1) < 0.04, "\(mean)")
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func barsAreSoundAndLieInSessions(seed: UInt64) throws {
        let rows = Self.rows(
            3_000, every: .minutes(seed % 2 == 0 ? 1 : 15),
            price: Price(cents: seed % 5 == 0 ? 5 : 100_00), seed: seed
        ) {
            $0.volatility = Double(seed) / 4
            $0.jumps = seed % 3 == 0 && seed > 0 ? 50 : 0
            $0.jumpSize = 0.01
            $0.hasRegimes = seed % 4 == 0
        }
        #expect(rows.count == 3_000)
        for row in rows {
            #expect(row.low > .zero && row.low <= min(row.open, row.close))
            #expect(row.high >= max(row.open, row.close))
            #expect(row.close.units % Price(cents: 1).units == 0)
            #expect(SessionCalendar.newYork.session(containing: row.start) != nil)
        }
        #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.0.close == $0.1.open })
    }

    @Test func sessionsAreWholeAndEarlyClosesShort() throws {
        // 2019-07-03 closes at 13:00 and the 4th is a holiday.
        let rows = Self.rows(210 + 390, from: "2019-07-03")
        #expect(rows[0].start == MarketFixture.at("2019-07-03", 9, 30))
        #expect(rows[209].start == MarketFixture.at("2019-07-03", 12, 59))
        #expect(rows[210].start == MarketFixture.at("2019-07-05", 9, 30))
        #expect(rows[599].start == MarketFixture.at("2019-07-05", 15, 59))
    }

    /// The mean of the highest point of driftless Brownian motion is its deviation times √(2 / π), and each side is
    /// as likely as the other.
    @Test func extremesAreThoseOfBrownianMotion() {
        let rows = Self.rows(20_000, every: .days(1), price: Price(cents: 10_000_00)) {
            $0.drift = exp(0.15 * 0.15 / 2) - 1
        }
        func mean(_ price: (BarRow) -> Price) -> Double {
            rows.reduce(0) { $0 + log(Double(price($1).units) / Double($1.open.units)) }
                / Double(rows.count)
        }
        let expected = 0.15 / sqrt(252) * sqrt(2 / Double.pi)
        #expect(abs(mean(\.high) / expected - 1) < 0.03)
        #expect(abs(mean(\.low) / -expected - 1) < 0.03)
    }

    @Test(arguments: [Duration.seconds(10), .minutes(7), .hours(1)])
    func sessionsCloseAlikeAtEveryBarSize(length: Duration) {
        func change(_ traits: inout SyntheticTraits) {
            traits.jumps = 200
            traits.jumpSize = 0.004
            traits.hasIntradayShape = true
            traits.correlation = 0.5
        }
        let rows = Self.rows(30_000, every: length, change)
        var closes: [Day: Price] = [:]
        for row in rows { closes[SessionCalendar.newYork.day(of: row.start)] = row.close }
        for day in Self.rows(10, every: .days(1), change) {
            #expect(closes[SessionCalendar.newYork.day(of: day.start)] == day.close)
        }
    }

    @Test func barsAreThoseOfAMarketWithTheSameTraits() {
        var traits = SyntheticTraits()
        traits.firstDay = MarketFixture.day("2024-03-04")
        var market = MarketFixture.market(MarketFixture.at("2024-03-08", 20)) { $0 = traits }
        var history = SyntheticHistory(
            of: MarketFixture.listings()[0], traits, calendar: .newYork, seed: 7,
            firstDay: MarketFixture.day("2024-03-04"))
        let bars = market.bars(
            of: MarketFixture.a,
            BarRequest(
                step: .seconds(60), from: .distantPast, to: .distantFuture,
                regularHoursOnly: false))
        var rows: [Timestamp: BarRow] = [:]
        while let row = history.nextBar(), row.start < market.now { rows[row.start] = row }
        #expect(bars.count > 390 * 5)
        for bar in bars {
            #expect(rows[bar.start]?.close == bar.close)
            #expect(rows[bar.start]?.volume == bar.volume)
        }
    }
}
