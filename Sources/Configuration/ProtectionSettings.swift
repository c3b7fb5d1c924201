package import Primitives

/// Where a loss of a strategy's position ends, unless it says so itself.
package struct StopSettings: Hashable, Sendable {
    /// How far from the entry; `nil` for no stop.
    package let distance: DistanceSettings?
    /// Whether it follows the price.
    package let isTrailing: Bool

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        distance = DistanceSettings.read(
            &section, what: "the stop", usual: (percent: Percent(5), times: Percent(200)))
        let trailing = section.value(
            "trailing", .onOff, default: .off,
            "whether the stop follows the price when that moves the position's way")
        isTrailing = trailing == .on
    }
}

/// Where a gain of a strategy's position is taken, unless it says so itself.
package struct TargetSettings: Hashable, Sendable {
    /// How far from the entry; `nil` for no target.
    package let distance: DistanceSettings?

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        distance = DistanceSettings.read(
            &section, what: "the target", usual: (percent: Percent(10), times: Percent(400)))
    }
}

/// How far stops and targets are from the entry.
package enum DistanceSettings: Hashable, Sendable {
    /// An amount a share.
    case amount(Price)
    /// A part of the entry's price.
    case percent(Percent)
    /// So many times the average true range.
    case range(length: Int, times: Percent)

    private enum Method: String, CaseIterable {
        case none
        case percent
        case range = "atr"
        case amount
    }

    /// Reads the keys of a distance; `nil` for none.
    ///
    /// - Parameters:
    ///   - what: whose distance it is, in words.
    ///   - usual: the defaults.
    fileprivate static func read(
        _ section: inout SettingsReader, what: String, usual: (percent: Percent, times: Percent)
    ) -> DistanceSettings? {
        let method = section.value(
            "method", .choice(), default: Method.none, "what the distance of \(what) goes by")
        let percent = section.when("method", method, is: .percent) {
            $0.value(
                "price_pct", .percent(.above(0, to: 99), of: "the entry's price"),
                default: usual.percent, "the distance")
        }
        let length = section.when("method", method, is: .range) {
            $0.value(
                "atr_length", .integer(1...1_000, unit: "bars"), default: 14,
                "length of the average true range that the distance goes by")
        }
        let times = section.when("method", method, is: .range) {
            $0.value(
                "atr_multiple", .ratio(.above(0, to: 100), of: "the average true range"),
                default: usual.times, "the distance")
        }
        let amount = section.when("method", method, is: .amount) {
            $0.required("amount_usd", .perShare(.above(0, to: 1_000_000)), "the distance")
        }
        return switch method {
        case .none: nil
        case .percent: .percent(percent)
        case .range: .range(length: length, times: times)
        case .amount: .amount(amount)
        }
    }
}
