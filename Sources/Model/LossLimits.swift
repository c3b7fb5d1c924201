package import Primitives

/// How much may be lost before entries are halted. A limit that is absent does not exist.
package struct LossLimits: Hashable, Sendable {
    /// The most of the equity at the start of the day that may be lost in it.
    package var dailyPercent: Percent?
    /// The most that may be lost in a day.
    package var dailyAmount: Money?
    /// The most of its highest value that equity may lose.
    package var drawdownPercent: Percent?
    /// What happens besides.
    package var response = Response.halt

    /// What happens when a limit is reached.
    package enum Response: String, CaseIterable, Hashable, Sendable {
        /// Entries are halted and cancelled; positions and their protection stay.
        case halt
        /// Besides, every strategy's positions are closed.
        case flatten
    }

    /// No limits.
    package init() {}

    /// Whether there is none.
    package var areNone: Bool {
        dailyPercent == nil && dailyAmount == nil && drawdownPercent == nil
    }
}
