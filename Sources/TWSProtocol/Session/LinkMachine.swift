import Primitives

/// Keeps the link state of one client over all its connections.
///
/// The state is a view of independent facts (connection, broker, farms, draining, lock), so codes may
/// come in any order and any number: repeating one changes nothing.
public struct LinkMachine: Sendable {
    /// Connections begun so far; answers of an earlier one count for nothing.
    public private(set) var epoch = 0

    private var connection = Connection.down
    private var isUpstreamLost = false
    private var isDraining = false
    private var isLocked = false
    private var hasCompetingSession = false
    /// The last restoration, until the link is lost again: reported twice, it is one restoration.
    private var restoration: Restoration?
    /// Farms that do not deliver, in the order they broke.
    public private(set) var brokenFarms: [String] = []
    /// Answers complete in this epoch.
    private var answered: Set<SyncAnswer> = []
    private let required: [SyncAnswer]

    private enum Connection { case down, handshake, begun }
    private enum Restoration { case dataKept, dataLost }

    /// What the owner of the connection has to do.
    public enum Action: Hashable, Sendable {
        /// Nothing.
        case none
        /// Ask for open orders, completed orders, executions and positions, to the end.
        case synchronise
        /// The same, and make every subscription anew: the gateway has forgotten them.
        case synchroniseAndResubscribe
        /// Make the subscriptions of this farm anew where they stay silent.
        case recoverFarm(String)
    }

    /// Not connected.
    ///
    /// - Parameter required: the answers without which nothing is ready: all of them wherever orders
    ///   are placed.
    public init(required: [SyncAnswer] = SyncAnswer.allCases) { self.required = required }

    /// The state, the gravest fact first.
    public var state: LinkState {
        if isLocked { return .locked }
        switch connection {
        case .down: return .down
        case .handshake: return .handshake
        case .begun: break
        }
        if isUpstreamLost { return .upstreamLost }
        if !missing.isEmpty { return .sync }
        if isDraining { return .drain }
        return brokenFarms.isEmpty && !hasCompetingSession ? .ready : .dataDegraded
    }

    /// Answers not complete yet, in the order they are asked for.
    public var missing: [SyncAnswer] { required.filter { !answered.contains($0) } }

    /// A connection is open; the handshake begins.
    public mutating func opened() {
        epoch += 1
        connection = .handshake
        isUpstreamLost = false
        restoration = nil
        hasCompetingSession = false
        brokenFarms = []
        answered = []
    }

    /// The session has begun: accounts and next valid id are here. It has no subscriptions yet.
    public mutating func began() -> Action {
        guard connection == .handshake else { return .none }
        connection = .begun
        answered.insert(.managedAccounts)
        answered.insert(.nextValidID)
        return .synchronise
    }

    /// An answer came to its end in connection `epoch`.
    public mutating func received(_ answer: SyncAnswer, epoch: Int) {
        guard epoch == self.epoch, connection == .begun else { return }
        answered.insert(answer)
    }

    /// The gateway spoke of its own connections.
    public mutating func changed(_ change: ConnectivityChange) -> Action {
        guard connection != .down else { return .none }
        switch change {
        case .upstreamLost:
            isUpstreamLost = !PlantedBug.brokerLossIgnored.isPlanted
            restoration = nil
            return .none
        case .upstreamRestored(let dataLost): return restored(dataLost: dataLost)
        case .farmBroken(let farm):
            if !brokenFarms.contains(farm) { brokenFarms.append(farm) }
            return .none
        case .farmRestored(let farm):
            guard brokenFarms.contains(farm) else { return .none }
            brokenFarms.removeAll { $0 == farm }
            return .recoverFarm(farm)
        case .competingSession:
            hasCompetingSession = true
            return .none
        }
    }

    private mutating func restored(dataLost: Bool) -> Action {
        isUpstreamLost = false
        // Before the session's begin nothing is known that could be lost.
        guard connection == .begun else { return .none }
        // Of two reports of one restoration only a graver second one changes anything.
        guard restoration == nil || restoration == .dataKept && dataLost else { return .none }
        restoration = dataLost ? .dataLost : .dataKept
        hasCompetingSession = false
        // What happened meanwhile is not known, whatever the code says of the data.
        answered = [.managedAccounts, .nextValidID]
        return dataLost ? .synchroniseAndResubscribe : .synchronise
    }

    /// The owner was away: what happened meanwhile is not known, and is asked for anew.
    public mutating func doubted() -> Action {
        guard connection == .begun else { return .none }
        answered = [.managedAccounts, .nextValidID]
        return .synchronise
    }

    /// Data flow again after a competing session ended.
    public mutating func dataFlowResumed() { hasCompetingSession = false }

    /// The connection is gone.
    public mutating func closed() { connection = .down }

    /// A known restart is near, or over.
    public mutating func drains(_ isDraining: Bool) { self.isDraining = isDraining }

    /// An owner stops everything, or goes on.
    public mutating func locks(_ isLocked: Bool) { self.isLocked = isLocked }
}
