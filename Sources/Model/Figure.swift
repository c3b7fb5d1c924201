public import Primitives

/// A number that explains a decision: what it is, in which unit, and how much.
public struct Figure: Hashable, Sendable, BitwiseCopyable {
    /// What the number is.
    public let name: Name
    /// What it counts in.
    public let unit: Unit
    /// The number in units of its type: 1e-8 of a share or of the currency for quantities and prices, 1e-6
    /// of the currency for money, 1e-6 of a percent for percentages, nanoseconds since 1970 for times.
    public let amount: Int64

    /// What a number is in a decision.
    public enum Name: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// No figure.
        case none
        /// What was asked for.
        case asked
        /// What is allowed of it.
        case allowed
        /// What a rule has measured.
        case value
        /// What the rule allows.
        case limit
        /// A price that was counted with.
        case price
        /// The position held.
        case held
        /// The position to be reached.
        case target
        /// What may still be filled of other orders.
        case working
        /// The account's equity.
        case equity
        /// Cash that may be spent.
        case cash
        /// The distance to the stop.
        case distance
        /// The configured amount, quantity or part that sizes an entry.
        case size
        /// The size that follows.
        case result
        /// When something ends or is released.
        case until
        /// The stop's price.
        case stop
        /// The target's price.
        case takeProfit
        /// How often.
        case count
    }

    /// What a number counts in.
    public enum Unit: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Shares or contracts.
        case shares
        /// The instrument's currency, a share.
        case price
        /// The account's currency.
        case money
        /// Percent.
        case percent
        /// A plain number.
        case count
        /// A point in time.
        case time
    }

    private init(_ name: Name, _ unit: Unit, _ amount: Int64) {
        self.name = name
        self.unit = unit
        self.amount = amount
    }

    /// No figure.
    public static var none: Figure { Figure(.none, .count, 0) }
    /// A quantity.
    public static func shares(_ name: Name, _ quantity: Quantity) -> Figure {
        Figure(name, .shares, quantity.units)
    }
    /// A price.
    public static func price(_ name: Name, _ price: Price) -> Figure {
        Figure(name, .price, price.units)
    }
    /// An amount of money.
    public static func money(_ name: Name, _ money: Money) -> Figure {
        Figure(name, .money, money.units)
    }
    /// An exact amount of money, rounded; the nearest that can be represented.
    public static func money(_ name: Name, _ money: ExactMoney) -> Figure {
        Figure(name, .money, Money(clamping: money).units)
    }
    /// A percentage.
    public static func percent(_ name: Name, _ percent: Percent) -> Figure {
        Figure(name, .percent, percent.units)
    }
    /// A plain number.
    public static func count(_ name: Name, _ count: Int) -> Figure {
        Figure(name, .count, Int64(count))
    }
    /// A point in time.
    public static func time(_ name: Name, _ time: Timestamp) -> Figure {
        Figure(name, .time, time.nanoseconds)
    }
}

/// Up to four numbers that explain a decision, formatted where they are shown.
public struct Figures: Hashable, Sendable, BitwiseCopyable {
    let first: Figure
    let second: Figure
    let third: Figure
    let fourth: Figure

    /// Figures; none where none is given.
    public init(
        _ first: Figure = .none, _ second: Figure = .none, _ third: Figure = .none,
        _ fourth: Figure = .none
    ) {
        self.first = first
        self.second = second
        self.third = third
        self.fourth = fourth
    }

    /// Those given, in their order.
    public var all: [Figure] { [first, second, third, fourth].filter { $0.name != .none } }

    /// The figure of a name, if it was given.
    public subscript(name: Figure.Name) -> Figure? {
        for figure in [first, second, third, fourth] where figure.name == name { return figure }
        return nil
    }

    /// Takes the figures into a digest.
    package func hash(into hasher: inout StateHasher) {
        for figure in [first, second, third, fourth] {
            hasher.combine(UInt64(figure.name.rawValue) << 8 | UInt64(figure.unit.rawValue))
            hasher.combine(figure.amount)
        }
    }
}
