import MarketState
import Model
import Primitives
import TestSupport
import Testing

/// Streamed bars against grouping everything afterwards.
@Suite struct BarAggregatorPropertyTests {
    /// Sessions around both changes of clocks, early closes and a usual day: open and close in UTC,
    /// by hand.
    private static let newYork: [(day: String, open: Int64, close: Int64)] = [
        ("2024-03-08", 14 * 60 + 30, 21 * 60), ("2024-03-11", 13 * 60 + 30, 20 * 60),
        ("2024-06-12", 13 * 60 + 30, 20 * 60), ("2024-07-03", 13 * 60 + 30, 17 * 60),
        ("2024-11-01", 13 * 60 + 30, 20 * 60), ("2024-11-04", 14 * 60 + 30, 21 * 60),
        ("2024-11-29", 14 * 60 + 30, 18 * 60), ("2024-12-24", 14 * 60 + 30, 18 * 60),
    ]
    private static let always: [(day: String, open: Int64, close: Int64)] = [
        ("2024-03-09", 0, 1_440), ("2024-03-10", 0, 1_440), ("2024-11-03", 0, 1_440),
    ]

    private static let lengths: [Duration] = [.minutes(1), .minutes(5), .hours(1), .days(1)]

    /// One market's sessions, with parts of five seconds in them.
    private struct Market {
        let calendar: SessionCalendar
        var sessions: [Range<Timestamp>] = []
        var parts: [Bar] = []

        init(_ calendar: SessionCalendar, _ generator: inout SeededGenerator) throws {
            self.calendar = calendar
            var cents: Int64 = 100_00
            let all = calendar == .always ? always : newYork
            for row in all where generator.chance(percent: 50) {
                let day = try #require(Day(row.day))
                let open = Timestamp(day: day, sinceMidnight: .minutes(row.open))
                let close = Timestamp(day: day, sinceMidnight: .minutes(row.close))
                sessions.append(open..<close)
                var start = open
                while start < close {
                    // Single parts are missing, and now and then up to two hours of them.
                    if generator.chance(percent: 5) {
                        start = start + .seconds(5)
                    } else if generator.number(in: 1...2_000) == 1 {
                        start = start + .seconds(5 * generator.number(in: 1...1_440))
                    } else {
                        parts.append(Self.part(start, &cents, &generator))
                        start = start + .seconds(5)
                    }
                }
            }
        }

        static func part(
            _ start: Timestamp, _ cents: inout Int64, _ generator: inout SeededGenerator
        ) -> Bar {
            let open = max(1, cents + generator.number(in: -3...3))
            cents = max(1, open + generator.number(in: -5...5))
            return Bar(
                instrument: InstrumentID(index: 0), start: start, barSize: .seconds(5),
                open: Price(cents: open),
                high: Price(cents: max(open, cents) + generator.number(in: 0...2)),
                low: Price(cents: min(open, cents) - generator.number(in: 0...2)),
                close: Price(cents: cents),
                volume: Quantity(shares: generator.number(in: 0...5_000)))
        }

        /// Groups all parts by session and by whole lengths since 1970: New York is whole hours
        /// away from UTC, so hours and what divides them begin at the same instants there.
        func grouped(by barSize: Duration) -> [Bar] {
            sessions.flatMap { session in
                let parts = parts.filter { session.contains($0.start) }
                guard barSize < .days(1) else {
                    return parts.isEmpty ? [] : [Self.bar(session, parts)]
                }
                let groups = Dictionary(grouping: parts) {
                    $0.start.nanoseconds / barSize.nanoseconds
                }
                return groups.keys.sorted().map { key in
                    let start = Timestamp(nanoseconds: key * barSize.nanoseconds)
                    return Self.bar(
                        (start..<start + barSize).clamped(to: session), groups[key] ?? [])
                }
            }
        }

        private static func bar(_ span: Range<Timestamp>, _ parts: [Bar]) -> Bar {
            Bar(
                instrument: InstrumentID(index: 0), start: span.lowerBound,
                barSize: span.upperBound - span.lowerBound, open: parts[0].open,
                high: parts.map(\.high).max() ?? .zero, low: parts.map(\.low).min() ?? .zero,
                close: parts[parts.count - 1].close,
                volume: Quantity(units: parts.map(\.volume.units).reduce(0, +)))
        }
    }

    private func aggregator(
        _ barSize: Duration, _ calendar: SessionCalendar
    ) throws -> BarAggregator {
        try #require(
            BarAggregator(InstrumentID(index: 0), barSize: barSize, calendar: calendar))
    }

    @Test(arguments: [SessionCalendar.newYork, .always], 0..<6 as Range<UInt64>)
    func streamedBarsAreTheGroupedOnes(calendar: SessionCalendar, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let market = try Market(calendar, &generator)
        for barSize in Self.lengths {
            var aggregator = try aggregator(barSize, calendar)
            var bars: [Bar] = []
            for part in market.parts {
                aggregator.add(part, into: &bars)
                // Slices may be marked or not.
                if generator.chance(percent: 30) { aggregator.advance(to: part.end, into: &bars) }
            }
            aggregator.advance(to: .distantFuture, into: &bars)
            #expect(bars == market.grouped(by: barSize), "\(barSize)")
            #expect(aggregator.dropped.count == 0)
        }
    }

    /// 5 s to 1 min to 5 min to 1 h to 1 day, one fed from the other, is the same as 5 s to each.
    @Test(arguments: [SessionCalendar.newYork, .always], 0..<6 as Range<UInt64>)
    func aChainOfAggregatorsGivesTheSameAsOne(calendar: SessionCalendar, seed: UInt64) throws {
        var generator = SeededGenerator(seed: 1_000 + seed)
        let market = try Market(calendar, &generator)
        var chain = try Self.lengths.map { try aggregator($0, calendar) }
        var bars: [[Bar]] = Array(repeating: [], count: chain.count)

        /// Hands what one stage puts out to the next.
        func step(_ part: Bar?, to timestamp: Timestamp) {
            var news = part.map { [$0] } ?? []
            for stage in chain.indices {
                var out: [Bar] = []
                for bar in news { chain[stage].add(bar, into: &out) }
                chain[stage].advance(to: timestamp, into: &out)
                bars[stage] += out
                news = out
            }
        }
        for part in market.parts { step(part, to: part.end) }
        step(nil, to: .distantFuture)
        for (stage, barSize) in Self.lengths.enumerated() {
            #expect(bars[stage] == market.grouped(by: barSize), "\(barSize)")
            #expect(chain[stage].dropped.count == 0)
        }
    }

    /// Repetitions, old parts and parts outside of hours change nothing, and each is counted.
    @Test(arguments: 0..<6 as Range<UInt64>)
    func whatIsDroppedLeavesNoTrace(seed: UInt64) throws {
        var generator = SeededGenerator(seed: 2_000 + seed)
        let market = try Market(.newYork, &generator)
        for barSize in Self.lengths {
            var aggregator = try aggregator(barSize, .newYork)
            var bars: [Bar] = []
            var (duplicate, late, outside) = (0, 0, 0)
            for (index, part) in market.parts.enumerated() {
                aggregator.add(part, into: &bars)
                if generator.chance(percent: 3) {
                    aggregator.add(part, into: &bars)
                    duplicate += 1
                }
                if index > 0, generator.chance(percent: 3) {
                    let older = generator.number(in: 0...Int64(index - 1))
                    aggregator.add(market.parts[Int(older)], into: &bars)
                    late += 1
                }
            }
            for session in market.sessions.suffix(1) {
                for minutes in [0, 5, 60] as [Int64] {
                    let start = session.upperBound + .minutes(minutes)
                    var cents: Int64 = 1_000_00
                    aggregator.add(Market.part(start, &cents, &generator), into: &bars)
                    outside += 1
                }
            }
            aggregator.advance(to: .distantFuture, into: &bars)
            #expect(bars == market.grouped(by: barSize))
            #expect(aggregator.dropped.duplicate == duplicate)
            #expect(aggregator.dropped.late == late)
            #expect(aggregator.dropped.outside == outside)
            #expect(aggregator.dropped.overlong == 0)
        }
    }
}
