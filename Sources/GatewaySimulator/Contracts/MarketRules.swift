package import Primitives

/// The price steps of exchanges, by the numbers gateways know them under.
package struct MarketRules: Sendable {
    /// A step and the lowest price it holds from.
    package struct Step: Hashable, Sendable {
        /// The lowest price.
        package let from: Price
        /// The step; positive.
        package let step: Price
    }

    /// US stocks: a cent, and a hundredth of one below a dollar (SEC rule 612).
    package static let stock: Int32 = 26
    /// Options quoted in pennies: a cent, and a nickel from 3 dollars on.
    package static let pennyOption: Int32 = 110
    /// Options quoted in nickels: a nickel, and a dime from 3 dollars on.
    package static let nickelOption: Int32 = 109
    /// Index futures of the CME: a quarter of a point.
    package static let indexFuture: Int32 = 67
    /// Crude oil: a cent.
    package static let oilFuture: Int32 = 32
    /// Gold: a dime.
    package static let goldFuture: Int32 = 12
    /// Currency pairs: half a pip.
    package static let forex: Int32 = 3188
    /// Currency pairs in yen: half a pip, of which a yen has 100.
    package static let forexYen: Int32 = 59
    /// Indices, which have no orders: a hundredth of a point.
    package static let index: Int32 = 98

    /// Lowest prices first; the numbers in no order that matters.
    private static let rules: [Int32: [Step]] = [
        stock: steps((0, 10_000), (100_000_000, 1_000_000)),
        pennyOption: steps((0, 1_000_000), (300_000_000, 5_000_000)),
        nickelOption: steps((0, 5_000_000), (300_000_000, 10_000_000)),
        indexFuture: steps((0, 25_000_000)),
        oilFuture: steps((0, 1_000_000)),
        goldFuture: steps((0, 10_000_000)),
        forex: steps((0, 5_000)),
        forexYen: steps((0, 500_000)),
        index: steps((0, 1_000_000)),
    ]

    private static func steps(_ list: (from: Int64, step: Int64)...) -> [Step] {
        list.map { Step(from: Price(units: $0.from), step: Price(units: $0.step)) }
    }

    /// The steps of a rule, lowest prices first; `nil` for a number no contract of the listing names.
    package static func steps(of rule: Int32) -> [Step]? { rules[rule] }

    /// The step at a price. Negative prices have the steps of their magnitudes.
    package static func step(of rule: Int32, at price: Price) -> Price? {
        steps(of: rule)?.last { $0.from.units.magnitude <= price.units.magnitude }?.step
    }

    /// Whether a price is a multiple of its step.
    package static func allows(_ price: Price, by rule: Int32) -> Bool {
        guard let step = step(of: rule, at: price) else { return true }
        return price.units % step.units == 0
    }
}
