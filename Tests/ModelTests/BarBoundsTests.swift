import Model
import Primitives
import Testing

struct BarBoundsTests {
    private let barSize = Duration.minutes(1)

    private func row(_ minute: Int64, _ low: Int64 = 10, _ high: Int64 = 11) -> BarRow {
        BarRow(
            start: Timestamp(nanoseconds: minute * 60_000_000_000),
            open: Price(units: low), high: Price(units: high), low: Price(units: low),
            close: Price(units: high), volume: .zero)
    }

    /// What each row by itself says.
    private func expectedEnd(_ rows: [BarRow], _ range: Range<Int>, _ bounds: BarBounds) -> Int {
        range.first { index in
            rows[index].low < bounds.low || rows[index].high > bounds.high
        } ?? range.upperBound
    }

    @Test func theFirstRowThatIsNotWithinEndsThem() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            var minute: Int64 = 0
            var rows: [BarRow] = []
            for _ in 0..<Int.random(in: 1...40, using: &generator) {
                minute += Int64.random(in: 1...3, using: &generator)
                let low = Int64.random(in: 90...110, using: &generator)
                rows.append(row(minute, low, low + Int64.random(in: 0...9, using: &generator)))
            }
            var bounds = BarBounds()
            if Bool.random(using: &generator) {
                bounds.narrow(
                    to: Price(
                        units: .random(in: 85...95, using: &generator))...Price(
                            units: .random(in: 108...120, using: &generator)))
            }
            let first = Int.random(in: 0...rows.count, using: &generator)
            let range = first..<Int.random(in: first...rows.count, using: &generator)
            let end = bounds.pricesEnd(of: rows.span, range)
            #expect(end == expectedEnd(rows, range, bounds))
        }
    }

    @Test func barsBeginBeforeTheBoundsEndByTheirSize() {
        var bounds = BarBounds()
        bounds.end = Timestamp(nanoseconds: 600_000_000_000)
        #expect(
            bounds.startEnd(barSize: barSize) == Timestamp(nanoseconds: 540_000_000_000))
    }

    @Test func noBarEndsBeforeTheBeginningOfTime() {
        var bounds = BarBounds()
        bounds.end = .distantPast
        #expect(bounds.startEnd(barSize: barSize) == .distantPast)
    }
}
