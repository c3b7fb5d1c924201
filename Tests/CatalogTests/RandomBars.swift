import Model
import Primitives

@testable import Catalog

/// Random valid rows and the many ways a file can spell them.
struct RandomBars {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func int(_ range: ClosedRange<Int64>) -> Int64 {
        .random(in: range, using: &generator)
    }

    mutating func bool() -> Bool { .random(using: &generator) }

    mutating func element<T>(_ elements: [T]) -> T {
        elements[Int(int(0...Int64(elements.count - 1)))]
    }

    /// Rows whose starts are whole multiples of `step` apart.
    mutating func rows(_ count: Int, step: Duration) -> [BarRow] {
        // Between 1973 and 2100, where all forms of times can say it.
        var start = int(100_000_000...4_000_000_000) * 1_000_000_000
        start -= start % max(step.nanoseconds, 1)
        return (0..<count).map { index in
            // Two neighbours first, so that the smallest step is `step`.
            start += step.nanoseconds * (index == 1 ? 1 : element([1, 1, 1, 1, 2, 10, 400]))
            let prices = (0..<4).map { _ in price() }.sorted()
            let isUp = bool()
            return BarRow(
                start: Timestamp(nanoseconds: start), open: prices[isUp ? 1 : 2], high: prices[3],
                low: prices[0], close: prices[isUp ? 2 : 1], volume: volume())
        }
    }

    private mutating func price() -> Price {
        let decimals = element([2, 2, 2, 0, 1, 4, 6, 8])
        let unit = (0..<8 - decimals).reduce(into: Int64(1)) { unit, _ in unit *= 10 }
        let most: Int64 = element([1, 10, 100, 1_000, 10_000, 99_999_999])
        return Price(units: int(1...most * Price.unitsPerOne / unit) * unit)
    }

    private mutating func volume() -> Quantity {
        let most: Int64 = element([0, 9, 9_999, 9_999_999, 999_999_999, 90_000_000_000])
        let shares = int(0...most)
        let fraction: Int64 = element([0, 0, 0, 50_000_000, 12_345_678])
        return min(Quantity(units: shares * Quantity.unitsPerOne + fraction), Quantity.magnitudeMax)
    }

    /// A file of `rows` in a random spelling that keeps to one form from row to row.
    mutating func text(_ rows: [BarRow]) -> String {
        let separator = element(["T", " "])
        let zone = element(["Z", "+00:00", "-05:00", "+0530", ".000Z"])
        let form = int(0...4)
        let lineEnd = element(["\n", "\r\n"])
        let more = element([[], [], ["1.5"], ["0", "1"], ["", "\"a,\"\"b\""]])
        let header = ["timestamp", "open", "high", "low", "close", "volume"]
        let names =
            more.count == 2 && more[0] == "0" ? ["dividend", "split"] : more.map { _ in "other" }
        var text = (header + names).joined(separator: ",") + lineEnd
        for row in rows {
            let time =
                form < 3
                ? dateTime(row.start, separator: separator, zone: zone)
                : "\(row.start.nanoseconds / (form == 3 ? 1_000_000_000 : 1_000_000))"
            let prices = [row.open, row.high, row.low, row.close].map { decimal($0.units) }
            text += ([time] + prices + [decimal(row.volume.units)] + more).joined(separator: ",")
            text += lineEnd
        }
        return text
    }

    private func dateTime(_ timestamp: Timestamp, separator: String, zone: String) -> String {
        let offset: Duration =
            switch zone {
            case "-05:00": .hours(-5)
            case "+0530": .minutes(330)
            default: .zero
            }
        return (timestamp + offset).description.replacing("T", with: separator)
            .replacing("Z", with: zone)
    }

    /// Exact text of `units`, with or without needless zeros.
    private mutating func decimal(_ units: Int64) -> String {
        let text = Quantity(units: units).description
        switch int(0...9) {
        case 0: return text + (text.contains(".") ? "0" : ".0")
        case 1: return "0" + text
        case 2...5: return Price(units: units).description
        default: return text
        }
    }
}
