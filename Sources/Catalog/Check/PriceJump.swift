internal import Model
internal import Primitives

/// A change of price between two bars that no market makes: what a check and a backtest report about it.
enum PriceJump {
    /// How far prices may be from a split's ratio at the open; at the close, five times that.
    static let splitTolerance = 0.03
    /// The smallest split that is looked for, 3:2, as a change of price.
    static let splitMin = 0.30
    /// How far prices may be from a change of unit.
    static let scaleTolerance = 0.15

    /// Three prices, and the dividend between the first and the second.
    struct Bars {
        /// The close before.
        var before: Price
        /// The open behind it.
        var open: Price
        /// The close behind it.
        var close: Price
        /// Cash a share that was paid between; zero for none.
        var dividend = Price.zero
    }

    /// The split that would explain a jump, such as `4:1`; `nil` for none. What a dividend takes from the
    /// price is no part of the jump.
    static func split(_ bars: Bars) -> String? {
        let before = Double(bars.before.units - bars.dividend.units)
        guard before > 0 else { return nil }
        let atOpen = before / Double(bars.open.units)
        guard abs(1 / atOpen - 1) > splitMin else { return nil }
        let match = splits.first { abs(atOpen / $0.ratio - 1) < splitTolerance }
        guard let match else { return nil }
        let atClose = before / Double(bars.close.units)
        return abs(atClose / match.ratio - 1) < 5 * splitTolerance ? match.name : nil
    }

    /// How many times as high prices are as before, if that is a change of unit: `100` for cents.
    static func scale(_ bars: Bars) -> String? {
        let atOpen = Double(bars.open.units) / Double(bars.before.units)
        // Few bars come this far.
        guard atOpen > 50 || atOpen < 0.02 else { return nil }
        let atClose = Double(bars.close.units) / Double(bars.before.units)
        let match = scales.first { scale in
            [atOpen, atClose].allSatisfy { abs($0 / scale.ratio - 1) < scaleTolerance }
        }
        return match?.name
    }

    /// Whether prices went on as if a split that the data has had not been: they are adjusted for it.
    static func lacksSplit(_ bars: Bars, ratio: Quantity) -> Bool {
        let ratio = Double(ratio.units) / Double(Quantity.unitsPerOne)
        guard ratio > 1.4 || ratio < 0.7 else { return false }
        let jump = Double(bars.before.units) / Double(bars.open.units)
        // Nearer to no jump than to the split's.
        return abs(jump - 1) < abs(jump / ratio - 1)
    }

    /// Ratios of old to new price of the usual splits, forward and reverse.
    private static let splits: [(name: String, ratio: Double)] = {
        let forward = [
            (3, 2), (2, 1), (5, 2), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (10, 1),
            (15, 1), (20, 1), (25, 1), (50, 1),
        ]
        return forward.map { ("\($0.0):\($0.1)", Double($0.0) / Double($0.1)) }
            + forward.dropFirst().map { ("\($0.1):\($0.0)", Double($0.1) / Double($0.0)) }
    }()

    private static let scales: [(name: String, ratio: Double)] = [
        ("100 times as high", 100), ("1000 times as high", 1_000), ("a 100th", 0.01),
        ("a 1000th", 0.001),
    ]
}
