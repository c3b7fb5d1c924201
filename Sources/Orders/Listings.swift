package import Model
package import Primitives

/// The broker's lists of one connection, as far as they came. A list counts once its end was seen in the
/// connection in which it began; there is no other way to a complete one.
package struct Listings: Sendable {
    /// The connection that they are of; `nil` before the first list.
    package private(set) var epoch: ConnectionEpoch?
    /// Orders listed as open.
    package private(set) var openOrders: [ListedOrder] = []
    /// Orders listed as completed.
    package private(set) var completedOrders: [ListedOrder] = []
    /// Executions with the names of their orders. Each is a fact, be its list complete or not.
    package private(set) var executions: [BrokerExecution] = []
    /// Positions.
    package private(set) var positions: [ListedPosition] = []

    private var progress = Array(repeating: Progress.none, count: ListingKind.allCases.count)

    /// How many records of a kind are kept; a longer list fails.
    package static let recordsMax = 100_000

    /// An execution and the names of its order.
    package struct BrokerExecution: Hashable, Sendable {
        /// The names.
        package let key: BrokerOrderKey
        /// The execution.
        package let execution: Execution
    }

    /// How far a list has come.
    private enum Progress: Hashable, Sendable {
        /// It was not asked for in this connection. Then: open.
        case none
        /// It has begun. Then: complete, failed, or open again.
        case open(since: Timestamp)
        /// Its end was seen. Then: open again.
        case complete(since: Timestamp)
        /// It broke off. Then: open again.
        case failed
    }

    /// No lists.
    package init() {}

    /// Forgets all lists: there is another connection, or none.
    package mutating func connectionChanged(to epoch: ConnectionEpoch) {
        guard epoch != self.epoch else { return }
        self = Listings()
        self.epoch = epoch
    }

    /// Takes in a record. Returns true if it has completed a list.
    package mutating func record(_ record: ListingRecord, at time: Timestamp) -> Bool {
        switch record {
        case .begin(let kind, let epoch): begin(kind, epoch, at: time)
        case .openOrder(let order): if isOpen(.openOrders) { openOrders.append(order) }
        case .completedOrder(let order):
            if isOpen(.completedOrders) { completedOrders.append(order) }
        case .execution(let key, let execution):
            if executions.count < Self.recordsMax {
                executions.append(BrokerExecution(key: key, execution: execution))
            } else {
                fail(.executions)
            }
        case .position(let position): if isOpen(.positions) { positions.append(position) }
        case .end(let kind, let epoch): return end(kind, epoch)
        case .failed(let kind, let epoch): if epoch == self.epoch { fail(kind) }
        }
        return false
    }

    /// Whether the end of a list was seen.
    package func isComplete(_ kind: ListingKind) -> Bool { began(kind) != nil }

    /// Whether all lists are complete from which something may be concluded about orders and positions.
    package var areComplete: Bool { Self.needed.allSatisfy(isComplete) }

    /// Whether all of those are complete and began at `time` or later.
    package func areComplete(since time: Timestamp) -> Bool {
        Self.needed.allSatisfy { kind in began(kind).map { $0 >= time } ?? false }
    }

    /// The lists from which something may be concluded about orders and positions.
    package static let needed: [ListingKind] = [
        .openOrders, .completedOrders, .executions, .positions,
    ]

    /// When a complete list began; `nil` unless it is complete.
    package func began(_ kind: ListingKind) -> Timestamp? {
        if case .complete(let time) = progress[Int(kind.rawValue)] { time } else { nil }
    }

    /// Whether a list has begun and may still end.
    package func isUnderWay(_ kind: ListingKind) -> Bool {
        if case .open = progress[Int(kind.rawValue)] { true } else { false }
    }

    private mutating func begin(_ kind: ListingKind, _ epoch: ConnectionEpoch, at time: Timestamp) {
        if let known = self.epoch, epoch < known { return }
        connectionChanged(to: epoch)
        progress[Int(kind.rawValue)] = .open(since: time)
        removeAll(kind)
    }

    private mutating func end(_ kind: ListingKind, _ epoch: ConnectionEpoch) -> Bool {
        guard epoch == self.epoch, case .open(let time) = progress[Int(kind.rawValue)] else {
            return false
        }
        progress[Int(kind.rawValue)] = .complete(since: time)
        return true
    }

    /// Executions stay: they happened, whatever else the list lacks.
    private mutating func fail(_ kind: ListingKind) {
        progress[Int(kind.rawValue)] = .failed
        if kind != .executions { removeAll(kind) }
    }

    /// Whether a record of a list is taken in; one too many and the list has failed.
    private mutating func isOpen(_ kind: ListingKind) -> Bool {
        guard case .open = progress[Int(kind.rawValue)] else { return false }
        guard count(of: kind) < Self.recordsMax else {
            fail(kind)
            return false
        }
        return true
    }

    private func count(of kind: ListingKind) -> Int {
        switch kind {
        case .openOrders: openOrders.count
        case .completedOrders: completedOrders.count
        case .executions: executions.count
        case .positions: positions.count
        case .accountValues: 0
        }
    }

    private mutating func removeAll(_ kind: ListingKind) {
        switch kind {
        case .openOrders: openOrders.removeAll()
        case .completedOrders: completedOrders.removeAll()
        case .executions: executions.removeAll()
        case .positions: positions.removeAll()
        case .accountValues: break
        }
    }
}
