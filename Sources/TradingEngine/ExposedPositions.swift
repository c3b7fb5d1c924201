import Model
import Primitives

/// Positions that are without the stop that they should have, and since when.
struct ExposedPositions: Sendable {
    private var positions: [Position] = []

    /// A position without its stop.
    struct Position: Sendable {
        /// Its slot among the protection plans.
        let index: Int
        /// Since when.
        let since: Timestamp
        /// When the user was called last; `nil` for not yet.
        var alarmed: Timestamp?

        /// When the user is to be called next.
        var due: Timestamp {
            alarmed.map { $0 + ExposedPositions.alarmInterval } ?? since + ExposedPositions.timeMax
        }
    }

    /// For how long a position may be without its stop.
    static let timeMax = Duration.seconds(5)
    /// How often the user is called while it lasts.
    static let alarmInterval = Duration.minutes(5)

    /// True while every position has its stop.
    var isEmpty: Bool { positions.isEmpty }

    /// The positions without a stop, in the order in which they lost it.
    var all: [Position] { positions }

    /// Takes in that a position has no stop.
    ///
    /// - Returns: true where it had one until now.
    mutating func lose(_ index: Int, at now: Timestamp) -> Bool {
        guard !positions.contains(where: { $0.index == index }) else { return false }
        positions.append(Position(index: index, since: now))
        return true
    }

    /// Takes in that a position has its stop, or is gone.
    ///
    /// - Returns: the position, if it was without one.
    mutating func regain(_ index: Int) -> Position? {
        positions.firstIndex { $0.index == index }.map { positions.remove(at: $0) }
    }

    /// Takes in that the user was called.
    mutating func noteAlarm(of index: Int, at now: Timestamp) {
        guard let slot = positions.firstIndex(where: { $0.index == index }) else { return }
        positions[slot].alarmed = now
    }
}
