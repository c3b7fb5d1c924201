import Foundation
import MarketState
import Model
import Primitives
import Testing

@testable import Catalog

/// What synthetic bars promise.
@Suite struct SyntheticBarsTests {
    private static func market(
        _ count: Int, barSize: Duration? = .minutes(1), seed: UInt64 = 7,
        _ configure: (inout SyntheticMarket) -> Void = { _ in }
    ) throws -> SyntheticMarket {
        let from = try #require(Day("2019-01-02"))
        var market = SyntheticMarket(
            symbols: ["A", "B"], barCount: count, barSize: barSize, from: from, seed: seed,
            volatility: 0.15)
        configure(&market)
        return market
    }

    private static func rows(of symbol: String, in market: SyntheticMarket) -> [BarRow] {
        var bars = SyntheticBars(of: symbol, in: market)
        var rows: [BarRow] = []
        while let row = bars.next() { rows.append(row) }
        return rows
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
        let rows = Self.rows(of: "A", in: try Self.market(100_000, seed: seed))
        #expect(rows.count == 100_000)
        let realised = Self.deviation(Self.returns(rows)) * sqrt(252 * 390)
        #expect(abs(realised / 0.15 - 1) < 0.05, "\(realised)")
    }

    @Test func volatilityIsTheSameWithTheShapeOfADay() throws {
        let market = try Self.market(39_000) { $0.hasIntradayShape = true }
        let returns = Self.returns(Self.rows(of: "A", in: market))
        let realised = Self.deviation(returns) * sqrt(252 * 390)
        #expect(abs(realised / 0.15 - 1) < 0.05, "\(realised)")
    }

    @Test func jumpsArePartOfTheVolatility() throws {
        let market = try Self.market(40_000, barSize: nil) {
            $0.from = Day(number: 7_305)
            $0.jumps = 6
            $0.jumpSize = 0.04
        }
        let returns = Self.returns(Self.rows(of: "A", in: market))
        let realised = Self.deviation(returns) * sqrt(252)
        #expect(abs(realised / 0.15 - 1) < 0.05, "\(realised)")
        // Jumps of more than six deviations of a day do not happen without.
        #expect(returns.contains { abs($0) > 6 * 0.15 / sqrt(252) })
    }

    @Test func regimesMakeVolatilityComeInIntervals() throws {
        func kurtosis(_ values: [Double]) -> Double {
            let mean = values.reduce(0, +) / Double(values.count)
            let second = values.reduce(0) { $0 + pow($1 - mean, 2) } / Double(values.count)
            return values.reduce(0) { $0 + pow($1 - mean, 4) } / Double(values.count) / second
                / second
        }
        let plain = Self.returns(Self.rows(of: "A", in: try Self.market(10_000, barSize: nil)))
        let market = try Self.market(10_000, barSize: nil) { $0.hasRegimes = true }
        let intervals = Self.returns(Self.rows(of: "A", in: market))
        // 3 for a normal distribution; for this mixture 3 * (0.8 * 0.625^2 + 0.2 * 2.5^2) = 4.7.
        #expect(abs(kurtosis(plain) - 3) < 0.3)
        #expect(abs(kurtosis(intervals) - 4.7) < 0.7)
    }

    @Test func symbolsAreCorrelatedAsRequested() throws {
        func correlation(_ rho: Double) throws -> Double {
            let market = try Self.market(20_000) { $0.correlation = rho }
            let (a, b) = (
                Self.returns(Self.rows(of: "A", in: market)),
                Self.returns(Self.rows(of: "B", in: market))
            )
            let product = zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } / Double(a.count)
            return product / Self.deviation(a) / Self.deviation(b)
        }
        #expect(try abs(correlation(0)) < 0.03)
        #expect(try abs(correlation(0.6) - 0.6) < 0.03)
    }

    @Test func theDayHasItsShape() throws {
        let market = try Self.market(390 * 60) { $0.hasIntradayShape = true }
        let rows = Self.rows(of: "A", in: market)
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
            let rows = Self.rows(
                of: "A",
                in: try Self.market(252, barSize: nil, seed: UInt64(seed)) { $0.drift = 0.1 })
            return Double(try #require(rows.last).close.units) / 1e10
        }
        let mean = ends.reduce(0, +) / 200
        // The deviation of the mean of 200 years is 0.012.
        #expect(abs(mean - 1.1) < 0.04, "\(mean)")
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func barsAreSoundAndLieInSessions(seed: UInt64) throws {
        let market = try Self.market(3_000, barSize: .minutes(seed % 2 == 0 ? 1 : 15), seed: seed) {
            $0.volatility = Double(seed) / 4
            $0.jumps = seed % 3 == 0 ? 50 : 0
            $0.jumpSize = 0.01
            $0.startPrice = seed % 5 == 0 ? 0.05 : 100
            $0.hasRegimes = seed % 4 == 0
            if $0.volatility < 0.1 { $0.jumps = 0 }
        }
        let rows = Self.rows(of: "A", in: market)
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
        let market = try Self.market(210 + 390) { $0.from = Day(number: 18_080) }
        let rows = Self.rows(of: "A", in: market)
        #expect(try rows[0].start == timestamp("2019-07-03T13:30:00Z"))
        #expect(try rows[209].start == timestamp("2019-07-03T16:59:00Z"))
        #expect(try rows[210].start == timestamp("2019-07-05T13:30:00Z"))
        #expect(try rows[599].start == timestamp("2019-07-05T19:59:00Z"))
    }

    @Test func filesAreTheSameForTheSameSeedAndPassTheirCheck() throws {
        func file(_ seed: UInt64, symbols: [String] = ["A"], barSize: Duration?) throws -> [UInt8] {
            let sandbox = try Sandbox()
            let market = try Self.market(2_000, barSize: barSize, seed: seed) {
                $0.symbols = symbols
                $0.correlation = 0.5
            }
            let file = try SyntheticFiles.write("A", of: market, to: sandbox.path, ending: ".csv")
            #expect(file.rowCount == 2_000)
            #expect(try sandbox.check().findings.kept.isEmpty)
            let data = try DataLoader.load(DataSource(path: file.path, calendar: .newYork))
            #expect(data.series[0].rows == Self.rows(of: "A", in: market))
            return Array(try Data(contentsOf: URL(fileURLWithPath: file.path)))
        }
        for length in [Duration.minutes(1), .hours(1), nil] {
            let first = try file(7, barSize: length)
            #expect(try file(7, barSize: length) == first)
            #expect(try file(8, barSize: length) != first)
            // Nor do they depend on what else is made.
            #expect(try file(7, symbols: ["B", "A"], barSize: length) == first)
        }
    }

    @Test func whatCannotBeMadeIsExplained() throws {
        let market = try Self.market(10)
        #expect(market.problem == nil)
        let faults: [(inout SyntheticMarket) -> Void] = [
            { $0.symbols = [] }, { $0.symbols = ["A", "a"] }, { $0.symbols = ["../A"] },
            { $0.barCount = 0 }, { $0.barSize = .hours(7) }, { $0.volatility = -1 },
            { $0.volatility = .nan }, { $0.correlation = 1.1 }, { $0.jumps = 100 },
            { $0.startPrice = 0 }, { $0.from = Day(number: 0) }, { $0.drift = -2 },
        ]
        for fault in faults {
            var faulty = market
            fault(&faulty)
            #expect(faulty.problem != nil)
        }
    }

    @Test func timesOnDaysWhenClocksChangeAreWrittenWithTheirOffset() throws {
        var text = BarText(isDated: false, calendar: .newYork)
        // 2024-03-10, 02:00 in New York becomes 03:00; 2024-11-03, 02:00 becomes 01:00.
        for (utc, local) in [
            ("2024-03-10T06:59:00Z", "2024-03-10T01:59:00-05:00"),
            ("2024-03-10T07:00:00Z", "2024-03-10T03:00:00-04:00"),
            ("2024-03-11T13:30:00Z", "2024-03-11T09:30:00-04:00"),
            ("2024-11-03T05:59:00Z", "2024-11-03T01:59:00-04:00"),
            ("2024-11-03T06:00:00Z", "2024-11-03T01:00:00-05:00"),
            ("2024-11-03T15:00:00Z", "2024-11-03T10:00:00-05:00"),
            ("2024-03-10T06:00:00Z", "2024-03-10T01:00:00-05:00"),
        ] { #expect(try text.stamp(timestamp(utc)) == local) }
    }
}
