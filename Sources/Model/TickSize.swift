public import Primitives

/// The steps in which an instrument's prices move.
public enum TickSize: Hashable, Codable, Sendable, BitwiseCopyable {
    /// Those of United States' shares: 0.01 from a price of 1.00 on, 0.0001 below it. An exchange takes no
    /// other limit or stop (Regulation NMS, rule 612).
    case usShares
    /// One step at every price; positive.
    case fixed(Price)
    /// None: prices that nobody traded at, such as those adjusted for splits and dividends, are not rounded
    /// to a step. The step is a price's own unit, 10^-8.
    case unrounded

    private static let cent = Price(cents: 1)
    private static let hundredthOfCent = Price(units: Price.unitsPerOne / 10_000)

    /// The step at a price; positive.
    public func step(at price: Price) -> Price {
        switch self {
        case .usShares:
            price.units.magnitude < Price.unitsPerOne.magnitude ? Self.hundredthOfCent : Self.cent
        case .fixed(let step): step
        case .unrounded: Price(units: 1)
        }
    }

    /// The smallest step there is; positive.
    public var smallest: Price {
        switch self {
        case .usShares: Self.hundredthOfCent
        case .fixed(let step): step
        case .unrounded: Price(units: 1)
        }
    }

    /// Whether an exchange accepts a price.
    public func accepts(_ price: Price) -> Bool { price.units % step(at: price).units == 0 }

    /// A price moved to a step, never upwards.
    public func roundedDown(_ price: Price) -> Price { price.roundedDown(to: step(at: price)) }

    /// A price moved to a step, never downwards.
    public func roundedUp(_ price: Price) -> Price { price.roundedUp(to: step(at: price)) }
}
