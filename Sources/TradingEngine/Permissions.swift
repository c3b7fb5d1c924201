import Model
import Primitives

/// What keeps orders from leaving besides limits, halts and latches: the link to the broker, strategies whose
/// entries the user has stopped, and instruments that are not ours alone.
struct Permissions: Sendable {
    /// What the link to the broker allows. A venue without one is always ready.
    private(set) var link = BrokerLinkState.ready
    /// True for strategies whose entries are stopped; by strategy.
    private var stopped: [Bool]
    /// By instrument.
    private var instruments: [InstrumentPermission]
    /// The conditions that hold for all instruments, in the order in which they began.
    private var conditions: [SessionCondition] = []
    /// The conditions that hold for single instruments, in the order in which they began.
    private var single: [SingleCondition] = []
    /// What may leave while those conditions hold.
    private var effect = SessionCondition.Effect.none
    /// True while nothing is restricted: mostly, and that is asked for every order.
    private(set) var areOpen = true
    /// How many strategies and instruments the configuration names: those behind are orphans.
    private let configured: (strategies: Int, instruments: Int)

    /// To whom an instrument belongs.
    struct InstrumentPermission: Hashable, Sendable, BitwiseCopyable {
        /// True once the account held or ordered what is not ours.
        var hasForeign = false
        /// The user's instruction.
        var owner = Owner.nobody

        /// Who may open positions besides others.
        enum Owner: UInt8, Hashable, Sendable, BitwiseCopyable {
            /// No instruction: we, if nobody else does.
            case nobody
            /// We, whatever others do.
            case us
            /// The user alone.
            case user
        }
    }

    /// A condition that is about one instrument.
    private struct SingleCondition: Hashable, Sendable, BitwiseCopyable {
        let instrument: InstrumentID
        let condition: SessionCondition
    }

    /// Nothing restricted but orphans.
    init(strategyCount: Int, instrumentCount: Int, configured: (strategies: Int, instruments: Int))
    {
        stopped = Array(repeating: false, count: strategyCount)
        instruments = Array(repeating: InstrumentPermission(), count: instrumentCount)
        self.configured = configured
        review()
    }

    // MARK: Asking

    /// True if orders of a purpose may leave: entries while the link is ready, what reduces also while data is
    /// degraded or a restart is near.
    func mayLeave(_ purpose: OrderPurpose) -> Bool {
        switch effect {
        case .none: break
        case .noEntries: if purpose == .entry { return false }
        case .nothingLeaves: return false
        }
        return switch link {
        case .ready: true
        case .dataDegraded, .drain: purpose != .entry
        case .down, .handshake, .sync, .upstreamLost, .locked: false
        }
    }

    /// What keeps entries of a strategy in an instrument from leaving, the link aside.
    func restriction(of strategy: StrategyID, in instrument: InstrumentID) -> Refusal? {
        guard Int(strategy.index) < configured.strategies,
            Int(instrument.index) < configured.instruments
        else { return .orphaned }
        if stopped[Int(strategy.index)] { return .strategyStopped }
        if let refusal = single.lazy.filter({ $0.instrument == instrument })
            .compactMap(\.condition.refusal).first
        {
            return refusal
        }
        let permission = instruments[Int(instrument.index)]
        switch permission.owner {
        case .us: return nil
        case .user: return .disowned
        case .nobody: return permission.hasForeign ? .foreignPosition : nil
        }
    }

    /// True if nobody has said whose an instrument is.
    func isUnclaimed(_ instrument: InstrumentID) -> Bool {
        instruments[Int(instrument.index)].owner == .nobody
    }

    /// True if the user has taken an instrument over for us, whatever others do in it.
    func isAdopted(_ instrument: InstrumentID) -> Bool {
        instruments[Int(instrument.index)].owner == .us
    }

    /// True if an instrument is left to the user.
    func isLeftToUser(_ instrument: InstrumentID) -> Bool {
        instruments[Int(instrument.index)].owner == .user
    }

    /// True once the account held or ordered in an instrument what is not ours.
    func hasForeign(_ instrument: InstrumentID) -> Bool {
        instruments[Int(instrument.index)].hasForeign
    }

    /// The conditions that hold, in the order in which they began.
    var presentConditions: [ConditionReport] {
        conditions.map { ConditionReport($0, isPresent: true) }
            + single.map { ConditionReport($0.condition, isPresent: true, of: $0.instrument) }
    }

    // MARK: Changing

    /// Takes in what the link allows from now on.
    mutating func set(_ link: BrokerLinkState) {
        self.link = link
        review()
    }

    /// Takes in the beginning or the end of a condition.
    ///
    /// - Returns: false where nothing changes by it.
    mutating func take(_ report: ConditionReport) -> Bool {
        let hasChanged =
            if let instrument = report.instrument {
                single.set(
                    SingleCondition(instrument: instrument, condition: report.condition),
                    isPresent: report.isPresent)
            } else {
                conditions.set(report.condition, isPresent: report.isPresent)
            }
        let effects = conditions.map(\.effect)
        effect =
            if effects.contains(.nothingLeaves) {
                .nothingLeaves
            } else {
                effects.contains(.noEntries) ? .noEntries : .none
            }
        review()
        return hasChanged
    }

    /// True while a strategy's entries are stopped.
    func isStopped(_ strategy: StrategyID) -> Bool { stopped[Int(strategy.index)] }

    /// Stops a strategy's entries, or lets them go on.
    mutating func setStopped(_ strategy: StrategyID, _ isStopped: Bool) {
        stopped[Int(strategy.index)] = isStopped
        review()
    }

    /// Takes in that the account holds or orders in an instrument what is not ours.
    mutating func noteForeign(_ instrument: InstrumentID) {
        instruments[Int(instrument.index)].hasForeign = true
        review()
    }

    /// Takes in to whom the user gives an instrument.
    mutating func give(_ instrument: InstrumentID, to owner: InstrumentPermission.Owner) {
        instruments[Int(instrument.index)].owner = owner
        review()
    }

    private mutating func review() {
        areOpen =
            link == .ready && effect == .none && single.isEmpty && !stopped.contains(true)
            && configured == (strategies: stopped.count, instruments: instruments.count)
            && instruments.allSatisfy { $0 == InstrumentPermission() }
    }

    /// Takes the permissions into a digest; nothing while nothing is restricted.
    func hash(into hasher: inout StateHasher) {
        guard !areOpen else { return }
        hasher.combine(UInt64(link.rawValue))
        for condition in conditions { hasher.combine(UInt64(condition.rawValue)) }
        for one in single {
            hasher.combine(UInt64(one.instrument.index))
            hasher.combine(UInt64(one.condition.rawValue))
        }
        for flag in stopped { hasher.combine(flag) }
        for permission in instruments {
            hasher.combine(UInt64(permission.owner.rawValue) << 1 | (permission.hasForeign ? 1 : 0))
        }
    }

    // MARK: Records

    /// Writes what is restricted but the link, which a session learns anew.
    func write(to writer: inout RecordWriter) {
        writer.item(.permission) { item in
            let stopped = self.stopped.indices.filter { self.stopped[$0] }
            item.write(list: stopped) { $0.write(StrategyID(index: $1)) }
            let restricted = instruments.indices.filter {
                instruments[$0] != InstrumentPermission()
            }
            item.write(list: restricted) {
                $0.write(InstrumentID(index: $1))
                $0.write(instruments[$1].hasForeign)
                $0.write(instruments[$1].owner)
            }
        }
    }

    /// Reads it back.
    mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        let stopped = try reader.list { (reader) throws(RecordError) in try reader.strategy() }
        let restricted = try reader.list { (reader) throws(RecordError) in
            (
                id: try reader.instrument(),
                permission: InstrumentPermission(
                    hasForeign: try reader.flag(),
                    owner: try reader.raw(InstrumentPermission.Owner.self))
            )
        }
        for strategy in stopped { self.stopped[Int(strategy.index)] = true }
        for entry in restricted { instruments[Int(entry.id.index)] = entry.permission }
        review()
    }
}

extension SessionCondition {
    /// Why entries in an instrument do not leave while it holds there; `nil` if they may.
    fileprivate var refusal: Refusal? {
        guard effect != .none else { return nil }
        if self == .contractUnknown { return .notTradable }
        if self == .historyMissing { return .noHistory }
        if self == .implausiblePrice { return .implausiblePrice }
        return self == .marketClosed ? .notInTradingHours : .noMarketData
    }
}

extension Array where Element: Equatable {
    /// Takes an element in at the end, or out.
    ///
    /// - Returns: false where nothing changes by it.
    fileprivate mutating func set(_ element: Element, isPresent: Bool) -> Bool {
        guard let index = firstIndex(of: element) else {
            if isPresent { append(element) }
            return isPresent
        }
        if !isPresent { remove(at: index) }
        return !isPresent
    }
}
