package import Model
public import Primitives
package import Risk

/// Every order of the run: what was sent and what was reported about it.
package struct OrderLedger: ~Copyable {
    private let passing = PassedByReference()
    /// What works, by strategy and instrument and for the whole account.
    @usableFromInline package internal(set) var working: WorkingOrders

    /// The run's orders by number, which rises from 1 and leaves out what others have used.
    package internal(set) var records: GrowingArray<Record>
    /// Numbers of orders that may still fill, oldest first.
    var live: [OrderID] = []
    /// By what names the broker knows orders; of use where there is a broker.
    package var identity = OrderIdentity(
        account: BrokerAccountID(index: 0), client: BrokerClientID(number: 0), journal: 0)
    /// Orders that are not ours, by number.
    var foreign: [ForeignOrder] = []
    /// How many orders of each instrument have an unknown outcome.
    var unknown: FixedArray<Int32>
    /// Changes asked for, oldest first.
    var changes: [OrderChange] = []
    /// What each group has filled.
    var groups = GroupFills()

    /// An order of the run.
    package struct Record: Sendable {
        /// What was sent, under the terms now in force.
        package internal(set) var ticket: OrderTicket
        /// When it was sent.
        package let submitted: Timestamp
        /// The facts reported about it.
        package internal(set) var facts = OrderFacts()
        /// Whether we have asked for its end.
        package fileprivate(set) var cancelRequested = false
        /// Whether its shares were split while it worked.
        package internal(set) var isSplit = false
        /// What was noted about its outcome.
        fileprivate var marks: Marks = []
        /// How its newest change is found; zero before the first.
        var newestChange: Int32 = 0
        /// What of it counted as working when last looked at.
        private(set) var counted: Quantity
        // The end of time while it works: an optional would take twice the bytes.
        private var end = Timestamp.distantFuture

        /// What can be noted about an order's outcome.
        fileprivate struct Marks: OptionSet, Sendable {
            let rawValue: UInt8

            /// The broker is being asked what became of it.
            static let inquired = Marks(rawValue: 1 << 0)
            /// It is counted among those whose outcome is unknown.
            static let countedUnknown = Marks(rawValue: 1 << 1)
            /// A cancel was sent as a question: if it ends, that was us.
            static let probed = Marks(rawValue: 1 << 2)
        }

        /// Whether the broker is being asked what became of it.
        package var isInquired: Bool { marks.contains(.inquired) }
        /// Whether we have sent anything that may end it.
        var isEndOurs: Bool { cancelRequested || marks.contains(.probed) }
        /// Whether it may still fill; then it is in `live`.
        package var isListed: Bool { end == .distantFuture }
        /// When the report came that it no longer works; `nil` while it does.
        package var endedAt: Timestamp? { isListed ? nil : end }
        /// Whether its outcome may be, or have been, unknown.
        @inline(__always)
        var mayBeUnknown: Bool { facts.isBrokers || isInquired }
        /// Where it stands.
        package var state: OrderState { facts.state(ordered: ticket.request.quantity) }
        /// Why it was cancelled; `nil` if it was not. Where the broker gave no cause it was us if we had asked
        /// for it.
        package var cancelCause: CancelCause? {
            guard facts.isCancelled else { return nil }
            return facts.cancelled ?? (isEndOurs ? .requested : .external)
        }

        fileprivate init(_ ticket: OrderTicket, at time: Timestamp, counted: Quantity) {
            self.ticket = ticket
            submitted = time
            self.counted = counted
        }

        /// Whether more than its own facts and terms determines what it may fill.
        fileprivate var isLinked: Bool { newestChange != 0 || ticket.request.group != nil }

        /// What a fact means for the ledger.
        struct News {
            let owner: Owner
            let change: OrderFacts.Change
            let state: OrderState
            let isAsOrdered: Bool
            /// By how much what may still fill has grown; mostly it shrinks.
            let opened: Quantity
            /// Whether it enters or leaves `live`.
            let isRelisted: Bool
        }

        /// Takes in a fact, all at one place: a second look at the array would ask again who holds it.
        @inline(__always)
        fileprivate mutating func record(_ fact: OrderFact, at time: Timestamp) -> News {
            let change = facts.record(fact)
            let state = facts.state(ordered: ticket.request.quantity)
            let open = state.isLive ? ticket.request.quantity - facts.filled : .zero
            let opened = open - counted
            counted = open
            let isRelisted = state.isLive != isListed
            if isRelisted { end = state.isLive ? .distantFuture : time }
            var isAsOrdered = false
            if case .executed(let execution) = fact {
                isAsOrdered =
                    execution.instrument == ticket.request.instrument
                    && execution.side == ticket.request.side && state != .overfilled
            }
            return News(
                owner: owner, change: change, state: state, isAsOrdered: isAsOrdered,
                opened: opened, isRelisted: isRelisted)
        }

        fileprivate mutating func acknowledge() { facts.acknowledge() }

        @inline(__always)
        fileprivate mutating func charge(_ report: CommissionReport) -> Money {
            facts.charge(report)
        }

        fileprivate var owner: Owner {
            Owner(strategy: ticket.request.strategy, instrument: ticket.request.instrument)
        }

        /// Takes in a fact without counting what follows from it.
        mutating func note(_ fact: OrderFact) -> OrderFacts.Change { facts.record(fact) }

        /// Counts what may still fill: of `most`, what was not `filled`, by the order itself if it is `nil`.
        mutating func count(
            of most: Quantity, filled: Quantity?, at time: Timestamp
        ) -> (state: OrderState, opened: Quantity, isRelisted: Bool) {
            let state = facts.state(ordered: most)
            let open = state.isLive ? max(most - (filled ?? facts.filled), .zero) : .zero
            let opened = open - counted
            counted = open
            let isRelisted = state.isLive != isListed
            if isRelisted { end = state.isLive ? .distantFuture : time }
            return (state, opened, isRelisted)
        }
    }

    /// No orders yet.
    package init(instrumentCount: Int, strategyCount: Int) {
        working = WorkingOrders(instrumentCount: instrumentCount, strategyCount: strategyCount)
        records = GrowingArray(capacity: 64)
        unknown = FixedArray(repeating: 0, count: instrumentCount)
    }

    // MARK: Sending

    /// Numbers an order and returns the command that places it. The only way an order leaves.
    package mutating func submit(_ approved: Approved, at time: Timestamp) -> Command {
        let ticket = OrderTicket(id: nextID, request: approved.request)
        // What its group has filled before is nothing that a late member may fill.
        let open = max(approved.request.quantity - groupFilled(approved.request.group), .zero)
        records.append(Record(ticket, at: time, counted: open))
        live.append(ticket.id)
        working.add(open, for: approved.request)
        return .submit(ticket)
    }

    /// Asks for an order to be cancelled, once.
    package mutating func cancel(_ id: OrderID) -> Command? {
        guard let index = index(of: id), !records[index].cancelRequested else { return nil }
        records[index].cancelRequested = true
        return .cancel(id)
    }

    /// Takes in an order that was sent before the run began and may still fill, as the journal has it. What was
    /// reported about it follows as reports.
    ///
    /// - Parameter ticket: numbered above all orders that were taken in or sent.
    package mutating func restore(_ ticket: OrderTicket, submitted time: Timestamp) {
        precondition(
            ticket.id.number > (newestID?.number ?? 0), "orders are restored by their age")
        let open = max(ticket.request.quantity - groupFilled(ticket.request.group), .zero)
        records.append(Record(ticket, at: time, counted: open))
        live.append(ticket.id)
        working.add(open, for: ticket.request)
    }

    // MARK: Receiving reports

    /// What a report changed, and for whom.
    package struct Change: Equatable, Sendable {
        /// Whose order it is; `nil` for an order that is not ours.
        package let owner: Owner?
        /// What the facts gained.
        package let change: OrderFacts.Change
        /// Where the order stands now; `nil` for one that is not ours.
        package let state: OrderState?
        /// Whether an execution that was reported is of our order, in its instrument, on its side, and not
        /// beyond its quantity.
        package let isAsOrdered: Bool
        /// True if the order may fill no more since this report.
        package let isEnd: Bool
        /// Whether the order was dropped: what was reported about it is recorded nowhere, and nothing is known
        /// that it could be compared with.
        package private(set) var isOfDropped = false

        /// Nothing changed: the order is one that was dropped.
        static var ofDropped: Change {
            var change = Change(
                owner: nil, change: .state, state: nil, isAsOrdered: false, isEnd: false)
            change.isOfDropped = true
            return change
        }

        /// Whether the venue has answered to a change of the order.
        package var isAnswer: Bool {
            switch change {
            case .answered: true
            case .state, .executed, .charged: false
            }
        }
    }

    /// Whose order it is, and in what.
    package struct Owner: Hashable, Sendable, BitwiseCopyable {
        /// Whose.
        package let strategy: StrategyID
        /// In what.
        package let instrument: InstrumentID

        /// Names an owner.
        package init(strategy: StrategyID, instrument: InstrumentID) {
            self.strategy = strategy
            self.instrument = instrument
        }
    }

    /// Takes in that the venue has an order. Returns false, and does nothing, unless that is all there is to
    /// it: the order is ours and may still fill, and its outcome was not in doubt.
    package mutating func acknowledge(_ id: OrderID) -> Bool {
        guard let index = index(of: id), records[index].isListed, !records[index].mayBeUnknown
        else { return false }
        records[index].acknowledge()
        return true
    }

    /// Takes in what an execution has cost, which changes nothing of where its order stands. Returns by how
    /// much the charge changes, and whose order it is if it is ours.
    package mutating func charge(
        _ report: CommissionReport, of id: OrderID
    ) -> (amount: Money, owner: Owner?) {
        guard let index = index(of: id) else {
            return (isDropped(id) ? .zero : chargeForeign(report, of: id), nil)
        }
        let amount = records[index].charge(report)
        // What costs something has traded: its outcome is not unknown any more.
        if records[index].mayBeUnknown { countUnknown(index, records[index].state) }
        return (amount, records[index].owner)
    }

    /// Takes in what was reported about an order, whichever it is and whenever it comes.
    package mutating func record(_ report: OrderReport, at time: Timestamp) -> Change {
        guard let index = index(of: report.order) else {
            return isDropped(report.order) ? .ofDropped : recordForeign(report)
        }
        if records[index].isLinked { return recordLinked(report.fact, of: index, at: time) }
        let news = records[index].record(report.fact, at: time)
        if news.opened != .zero { working.add(news.opened, for: records[index].ticket.request) }
        if news.isRelisted { list(report.order, asLive: news.state.isLive) }
        if records[index].mayBeUnknown { countUnknown(index, news.state) }
        return Change(
            owner: news.owner, change: news.change, state: news.state,
            isAsOrdered: news.isAsOrdered, isEnd: news.isRelisted && !news.state.isLive)
    }

    // MARK: Asking

    /// Numbers of a strategy's orders in an instrument that may still fill, oldest first.
    package func liveOrders(of strategy: StrategyID, in instrument: InstrumentID) -> [OrderID] {
        live.filter { id in
            guard let request = request(of: id) else { return false }
            return request.strategy == strategy && request.instrument == instrument
        }
    }

    /// Numbers of the orders in an instrument that may still fill, oldest first.
    func liveOrders(in instrument: InstrumentID) -> [OrderID] {
        live.filter { request(of: $0)?.instrument == instrument }
    }

    /// Numbers of all orders that may still fill, oldest first.
    package var allLive: [OrderID] { live }

    /// Whether we have asked for an order's end.
    package func isCancelRequested(_ id: OrderID) -> Bool {
        index(of: id).map { records[$0].cancelRequested } ?? false
    }

    /// Whether an order of ours may still fill.
    package func isListed(_ id: OrderID) -> Bool {
        index(of: id).map { records[$0].isListed } ?? false
    }

    /// What is known of an order, if it is ours.
    package func record(of id: OrderID) -> Record? { index(of: id).map { records[$0] } }

    /// What an order asks for under the terms in force, if it is ours.
    package func request(of id: OrderID) -> OrderRequest? {
        index(of: id).map { records[$0].ticket.request }
    }

    /// What of an order may still fill, as far as we know; nothing if it is not ours.
    package func open(_ id: OrderID) -> Quantity {
        index(of: id).map { records[$0].counted } ?? .zero
    }

    /// What of an order was executed; nothing if it is not ours.
    package func filled(_ id: OrderID) -> Quantity {
        index(of: id).map { records[$0].facts.filled } ?? .zero
    }

    /// The facts reported about an order, if it is ours.
    func facts(of id: OrderID) -> OrderFacts? { index(of: id).map { records[$0].facts } }

    /// All executions of a strategy in an instrument, newest versions, oldest first.
    package func executions(
        of owner: StrategyID?, in instrument: InstrumentID
    ) -> [Execution] {
        let facts: [OrderFacts] =
            if let owner {
                records.indices.filter { records[$0].ticket.request.strategy == owner }
                    .map { records[$0].facts }
            } else {
                foreign.map(\.facts)
            }
        return facts.flatMap(\.allExecutions).filter { $0.instrument == instrument }
            .sorted { ($0.time, $0.id.base) < ($1.time, $1.id.base) }
    }

    /// Takes the ledger into a digest.
    package func hash(into hasher: inout StateHasher) {
        for index in records.indices {
            records[index].ticket.request.combine(into: &hasher)
            hasher.combine(records[index].facts.filled)
            hasher.combine(records[index].facts.acknowledged)
            hasher.combine(records[index].facts.cancelled != nil)
            hasher.combine(records[index].facts.rejected != nil)
            hasher.combine(records[index].cancelRequested)
            // Nothing of it in a backtest.
            if records[index].facts.isBrokers { records[index].facts.hashBrokers(into: &hasher) }
            if !records[index].marks.isEmpty { hasher.combine(Int(records[index].marks.rawValue)) }
        }
        for change in changes { change.combine(into: &hasher) }
        for order in foreign { order.hash(into: &hasher) }
        identity.hash(into: &hasher)
    }

    // MARK: Unknown outcomes

    /// Whether there is an order in an instrument of which it is not known what became of it.
    @inline(__always)
    package func isUnknown(in instrument: InstrumentID) -> Bool { unknown[instrument] != 0 }

    /// Notes that the broker is being asked what became of an order, or no longer. While it is, the outcome
    /// counts as unknown, whatever is known of the order.
    package mutating func setInquired(_ id: OrderID, _ isInquired: Bool) {
        guard let index = index(of: id) else { return }
        if isInquired {
            records[index].marks.insert(.inquired)
        } else {
            records[index].marks.remove(.inquired)
        }
        countUnknown(index, records[index].state)
    }

    /// Notes that a cancel goes to the broker as a question: should the order end by it, that was us. It can
    /// still be cancelled.
    package mutating func noteProbe(of id: OrderID) {
        if let index = index(of: id) { records[index].marks.insert(.probed) }
    }

    /// Counts an order among those whose outcome is unknown, or no longer.
    mutating func countUnknown(_ index: Int, _ state: OrderState) {
        let isUnknown = state == .unknown || records[index].isInquired && state.isLive
        guard isUnknown != records[index].marks.contains(.countedUnknown) else { return }
        records[index].marks.formSymmetricDifference(.countedUnknown)
        unknown[records[index].ticket.request.instrument] += isUnknown ? 1 : -1
    }

    /// Lists an order as live or not; a correction may bring one back.
    mutating func list(_ id: OrderID, asLive isLive: Bool) {
        let index = live.firstIndex { $0 >= id } ?? live.endIndex
        if isLive {
            live.insert(id, at: index)
        } else if index == live.count - 1 {
            // Mostly the newest, and mostly the only one.
            live.removeLast()
        } else {
            live.remove(at: index)
        }
    }

    /// A number that neither we nor others have used.
    @inline(__always)
    private var nextID: OrderID {
        let ours = max(newestID?.number ?? 0, identity.newestUnknown)
        if foreign.isEmpty { return OrderID(number: ours + 1) }
        // What is beyond this is never reached by counting.
        let others = foreign.last { $0.id.number < Int64.max / 2 }?.id.number ?? 0
        return OrderID(number: max(ours, others) + 1)
    }

    /// The number of the order that was sent last; `nil` before the first.
    @inline(__always)
    package var newestID: OrderID? {
        records.isEmpty ? nil : records[records.count - 1].ticket.id
    }

    /// Whether any order may still fill.
    package var isAnyLive: Bool { !live.isEmpty }

    @inline(__always)
    func index(of id: OrderID) -> Int? {
        guard let last = newestID, id.number >= 1, id <= last else { return nil }
        // Without gaps behind it, the number says how far it is from the end.
        let fromEnd = last.number &- id.number
        var range = records.indices
        if fromEnd < Int64(records.count) {
            let dense = records.count &- 1 &- Int(fromEnd)
            if records[dense].ticket.id == id { return dense }
            range = dense..<records.count
        }
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if records[middle].ticket.id == id { return middle }
            range =
                records[middle].ticket.id < id
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}

/// Quantities that orders may still fill.
@usableFromInline
package struct WorkingOrders: ~Copyable {
    @usableFromInline let instrumentCount: Int
    /// How many strategies there are.
    var strategyCount: Int { strategies.count / max(instrumentCount, 1) }
    @usableFromInline var account: FixedArray<Sides>
    @usableFromInline var strategies: FixedArray<Sides>

    /// Quantities working in one instrument; each positive.
    @usableFromInline
    package struct Sides: Hashable, Sendable, BitwiseCopyable {
        /// To buy, protection excepted.
        package fileprivate(set) var buys = Quantity.zero
        /// To sell, protection excepted.
        package fileprivate(set) var sells = Quantity.zero
        /// Of both, what reduces a position now.
        package fileprivate(set) var exits = Quantity.zero
        /// What rests to reduce a position when its price comes; every order of a group is in it.
        package fileprivate(set) var protection = Quantity.zero
    }

    init(instrumentCount: Int, strategyCount: Int) {
        self.instrumentCount = instrumentCount
        account = FixedArray(repeating: Sides(), count: instrumentCount)
        strategies = FixedArray(repeating: Sides(), count: instrumentCount * strategyCount)
    }

    /// The whole account's.
    @inlinable
    package func account(in instrument: InstrumentID) -> Sides { account[Int(instrument.index)] }

    /// One strategy's.
    @inlinable
    package func strategy(_ strategy: StrategyID, in instrument: InstrumentID) -> Sides {
        strategies[row(strategy, instrument)]
    }

    /// How many pairs of a strategy and an instrument there are.
    var rowCount: Int { strategies.count }

    /// The place of a strategy's sums in an instrument.
    @inlinable
    func row(_ strategy: StrategyID, _ instrument: InstrumentID) -> Int {
        Int(strategy.index) * instrumentCount + Int(instrument.index)
    }

    @inline(__always)
    mutating func add(_ change: Quantity, for request: OrderRequest) {
        let instrument = Int(request.instrument.index)
        account[instrument].add(change, for: request)
        strategies[Int(request.strategy.index) * instrumentCount + instrument]
            .add(change, for: request)
    }
}

extension WorkingOrders {
    /// Counts what an order that is not ours may fill: in the account's sums, in no strategy's.
    mutating func addForeign(_ change: Quantity, _ side: Side, in instrument: InstrumentID) {
        account[Int(instrument.index)].add(change, side)
    }
}

extension WorkingOrders.Sides {
    @inline(__always)
    fileprivate mutating func add(_ change: Quantity, _ side: Side) {
        switch side {
        case .buy: buys += change
        case .sell: sells += change
        }
    }

    @inline(__always)
    fileprivate mutating func add(_ change: Quantity, for request: OrderRequest) {
        switch request.purpose {
        case .exit: exits += change
        case .protection:
            // Every order of a group is in it: as purchases and sales they would count twice.
            protection += change
            return
        case .entry: break
        }
        add(change, request.side)
    }
}

/// An order as a record: the topic `order`. Its facts and executions are records of their own.
extension OrderLedger.Record: RecordValue {
    /// Writes ticket, times and marks, and what counts as working.
    package func write(to writer: inout RecordWriter) {
        writer.write(ticket)
        writer.write(submitted)
        writer.write(cancelRequested)
        writer.write(isSplit)
        writer.write(Int(marks.rawValue))
        writer.write(counted)
        writer.write(optional: endedAt)
    }

    /// The order as written, with nothing reported about it. Throws when it has ended and may fill.
    package init(from reader: inout RecordReader) throws(RecordError) {
        ticket = try reader.value(OrderTicket.self)
        submitted = try reader.time()
        cancelRequested = try reader.flag()
        isSplit = try reader.flag()
        let bits = try reader.word()
        counted = try reader.quantity()
        end = try reader.optional(Timestamp.self) ?? .distantFuture
        guard bits >= 0, bits < 1 << 3, counted >= .zero, isListed || counted == .zero else {
            throw reader.damage
        }
        marks = Marks(rawValue: UInt8(bits))
    }

    /// Whether it is counted among those whose outcome is unknown.
    var isCountedUnknown: Bool { marks.contains(.countedUnknown) }
}
