/// An instrument's place in the run's list of instruments; used as an index by the kernel.
public struct InstrumentID: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The place in the list, from 0.
    public let index: Int32

    /// The instrument at `index`.
    public init(index: Int) { self.index = Int32(index) }

    /// Orders by place in the list.
    public static func < (left: InstrumentID, right: InstrumentID) -> Bool {
        left.index < right.index
    }
}

/// A strategy's place in the run's list of strategies.
public struct StrategyID: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The place in the list, from 0.
    public let index: Int32

    /// The strategy at `index`.
    public init(index: Int) { self.index = Int32(index) }

    /// Orders by place in the list.
    public static func < (left: StrategyID, right: StrategyID) -> Bool { left.index < right.index }
}

/// Our own number of an order: 1, 2, 3 … within a run, never reused.
public struct OrderID: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The number, from 1.
    public let number: Int64

    /// The order of that number.
    public init(number: Int64) { self.number = number }

    /// Orders by age.
    public static func < (left: OrderID, right: OrderID) -> Bool { left.number < right.number }
}

/// One version of one execution. A venue corrects an execution by sending it again under the same base
/// with a higher revision; the highest revision counts and replaces the others.
public struct ExecutionID: Hashable, Codable, Sendable, BitwiseCopyable {
    /// The execution, whatever its version.
    public let base: Int64
    /// The version, from 1.
    public let revision: Int32

    /// Version `revision` of execution `base`.
    @inlinable
    public init(base: Int64, revision: Int = 1) {
        self.base = base
        self.revision = Int32(revision)
    }
}

/// A timer of a strategy, or one of the engine's own. Whoever sets one chooses the number; setting the
/// same one again moves it.
public struct TimerID: Hashable, Codable, Sendable, BitwiseCopyable {
    // Strategies count from 0: below is the engine, which takes less than an optional.
    private let owner: Int32
    /// The owner's own number for it.
    public let number: Int32

    /// Timer `number` of `strategy`.
    public init(strategy: StrategyID, number: Int) {
        owner = strategy.index
        self.number = Int32(number)
    }

    /// Timer `number` of the engine.
    package init(engine number: Int) {
        owner = -1
        self.number = Int32(number)
    }

    /// The strategy that is woken; `nil` when it is the engine.
    public var strategy: StrategyID? { owner < 0 ? nil : StrategyID(index: Int(owner)) }
}

/// A text that was given a number at its first use; `0` is the empty text.
public struct TextID: Hashable, Sendable, BitwiseCopyable {
    /// The number.
    public let index: Int32

    /// No text.
    public static var none: TextID { TextID(index: 0) }

    /// The text of that number.
    public init(index: Int) { self.index = Int32(index) }
}
