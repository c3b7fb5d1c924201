import MarketState
package import Model
package import Primitives
import Simulation
package import TWSProtocol

/// A gateway's order manager: takes orders in, works them at a simulated broker, and reports what became of
/// them as a gateway does.
///
/// What a gateway adds is here: numbers and owners, texts and states, conditions, prices that follow quotes, slices,
/// exercises, and what goes wrong on purpose. Groups, families, stops, trails, hours and ends are the broker's, the
/// one that backtests have. Nothing is published
/// directly: `takeNotes()` has what is to be published, in order.
///
/// Its owner sets the time with `advance(to:)` before anything else that happens then.
package struct OrderManager: ~Copyable {
    /// What it is.
    package let settings: OrderManagerSettings
    /// What it asks of the rest of the gateway.
    package var dependencies: OrderManagerDependencies
    /// The contracts it knows.
    package internal(set) var contracts: GatewayContractDatabase
    /// Its clock.
    package internal(set) var now: Timestamp

    /// Where its orders work.
    var broker: SimulatedBroker
    /// When the next day of New York begins.
    private var nextMidnight: Timestamp
    /// Every order that is kept, by its number. Looked up only.
    var orders: [Int64: ManagedOrder] = [:]
    /// Those that are not over, oldest first.
    var live: [ManagedOrder] = []
    /// Those that are over, in the order in which they finished.
    var finished: [ManagedOrder] = []
    var byKey: [OrderKey: [ManagedOrder]] = [:]
    var byPermID: [PermID: ManagedOrder] = [:]
    var groups: [String: OrderGroup] = [:]
    /// The orders that watch an instrument's market, by its index in the contract database.
    var monitors: [[ManagedOrder]]
    /// What the market of watched instruments has shown, by their index in the contract database.
    var snapshots: [InstrumentSnapshot]
    var timers = OrderTimers()
    /// Fills, oldest first.
    var executions: [ManagedExecution] = []
    /// The month's volume of each account, for commissions by volume.
    var volumes: [AccountID: MonthlyVolume] = [:]
    /// What clients may use next.
    var nextIDs: [ClientID: APIOrderID] = [:]
    var counters = Counters()

    /// What the broker answered and was not looked at yet.
    var reports: [OrderReport] = []
    /// Orders of which the broker may have to be told.
    var stale: [ManagedOrder] = []
    /// Orders whose state may have to be published.
    var touched: [ManagedOrder] = []
    /// Orders with conditions that an execution may have met.
    var conditionsToLookAt: [ManagedOrder] = []
    var notes: [OrderNote] = []
    var follows: [FollowChange] = []
    var link = UpstreamLink()
    var faults = OrderManagerFaults()
    /// Whether orders entered by hand are bound to client 0 at once.
    var bindsManualOrders = false
    /// How many placements and transmissions clients made, by order.
    var placements: [Placement] = []

    /// Whether the market of an instrument is needed.
    package enum FollowChange: Hashable, Sendable {
        /// From now on.
        case follow(InstrumentID)
        /// No more.
        case unfollow(InstrumentID)
    }

    /// An order by the number its client gave it.
    struct OrderKey: Hashable {
        let client: ClientID
        let order: APIOrderID
    }

    /// A placement as it came, for the audit.
    struct Placement: Hashable {
        let key: Key
        let at: Timestamp

        /// What it was for.
        struct Key: Hashable {
            let client: ClientID
            let order: APIOrderID
            let reference: String
        }
    }

    /// The numbers given last.
    struct Counters: Codable, Hashable {
        var order: Int64 = 0
        var permID: Int64 = 0
        var group = 0
        var execution: UInt32 = 0
        var boundOrder: Int32 = 0
    }

    /// An order manager without orders.
    package init(
        settings: OrderManagerSettings, contracts: GatewayContractDatabase,
        dependencies: OrderManagerDependencies, at start: Timestamp
    ) {
        self.settings = settings
        self.contracts = contracts
        self.dependencies = dependencies
        now = start
        nextMidnight = NewYork.timestamp(
            on: NewYork.day(at: start).advanced(by: 1), at: .zero)
        broker = SimulatedBroker(
            instruments: contracts.instruments, hours: contracts.listed.map(\.hours.orders),
            rules: settings.rules, finishedMax: OrderManagerSettings.finishedMax)
        monitors = Array(repeating: [], count: contracts.listed.count)
        snapshots = Array(repeating: InstrumentSnapshot(), count: contracts.listed.count)
        var generator = SeededGenerator(seed: settings.seed)
        counters.permID = 1_000_000_000 + Int64(generator.next() % 900_000_000)
        counters.execution = UInt32(truncatingIfNeeded: generator.next() % 0x4000_0000)
    }

    /// What is to be published since the last time, in order.
    package mutating func takeNotes() -> [OrderNote] {
        defer { notes.removeAll(keepingCapacity: true) }
        return notes
    }

    /// Which markets are needed from now on, and which no more.
    package mutating func takeFollows() -> [FollowChange] {
        defer { follows.removeAll(keepingCapacity: true) }
        return follows
    }

    /// Whether there is something to be taken.
    package var hasOutput: Bool { !notes.isEmpty || !follows.isEmpty }

    /// The lowest number a client may use for its next order.
    package func nextValidID(for client: ClientID) -> APIOrderID {
        nextIDs[client] ?? OrderManagerSettings.firstOrderID
    }

    // MARK: Time and market

    /// Lets time pass: what was under way arrives. Earlier times than the last one change nothing.
    package mutating func advance(to timestamp: Timestamp) {
        while true {
            let due = min(timers.next ?? .distantFuture, broker.earliestEnd)
            guard due <= timestamp, due < .distantFuture else { break }
            now = max(now, due)
            if broker.earliestEnd <= now {
                broker.passTime(to: now, answers: &reports)
            } else if let (_, task) = timers.take(by: now) {
                perform(task)
            }
            pump()
        }
        turnDay(to: max(now, timestamp))
        now = max(now, timestamp)
    }

    private mutating func perform(_ task: OrderTimers.Task) {
        switch task {
        case .accept(let order): accept(order)
        case .change(let order, let terms): takeTerms(terms, of: order)
        case .cancel(let order): performCancellation(of: order)
        case .look(let order): look(at: order)
        }
    }

    /// The best bid or offer of an instrument changed.
    package mutating func quoteChanged(_ quote: Quote, at timestamp: Timestamp) {
        advance(to: timestamp)
        let index = Int(quote.instrument.index)
        guard monitors.indices.contains(index), !monitors[index].isEmpty, Self.isSound(quote)
        else { return }
        snapshots[index].quote = quote
        broker.quoteChanged(quote, at: now, answers: &reports)
        handle(.quote(quote), index)
    }

    /// Others traded.
    package mutating func tradeHappened(_ trade: Trade, at timestamp: Timestamp) {
        advance(to: timestamp)
        let index = Int(trade.instrument.index)
        guard monitors.indices.contains(index), !monitors[index].isEmpty,
            trade.price.units.magnitude <= OrderManagerSettings.priceMax.units.magnitude,
            trade.price > .zero || !contracts[trade.instrument].isShare,
            trade.size >= .zero, trade.size <= .magnitudeMax
        else { return }
        snapshots[index].last = trade.price
        broker.tradeHappened(trade, at: now, answers: &reports)
        handle(.trade(trade), index)
    }

    private mutating func handle(_ event: ObservedEvent, _ index: Int) {
        // What the broker did comes first: prices that follow the market do so after it has met them.
        pump()
        for order in monitors[index] where order.stage == .accepted { observe(order, event) }
        pump()
    }

    /// Whether a market can show a quote: exchanges take no prices of nothing, and none that big.
    private static func isSound(_ quote: Quote) -> Bool {
        for price in [quote.bid, quote.ask] {
            if let price, price.units.magnitude > OrderManagerSettings.priceMax.units.magnitude {
                return false
            }
        }
        for size in [quote.bidSize, quote.askSize] {
            if let size, size < .zero || size > .magnitudeMax { return false }
        }
        if let bid = quote.bid, bid <= .zero { return false }
        if let ask = quote.ask, ask <= .zero { return false }
        return true
    }

    // MARK: What follows from what

    /// Follows up what has happened until nothing more follows from it, then publishes what changed.
    mutating func pump() {
        var next = 0
        var nextStale = 0
        while next < reports.count || nextStale < stale.count || !conditionsToLookAt.isEmpty {
            if !conditionsToLookAt.isEmpty { lookAtExecutionConditions() }
            if next < reports.count {
                let report = reports[next]
                next += 1
                handle(report)
            } else if nextStale < stale.count {
                let order = stale[nextStale]
                nextStale += 1
                order.isStale = false
                sync(order)
            }
        }
        reports.removeAll(keepingCapacity: true)
        stale.removeAll(keepingCapacity: true)
        publishTouched()
    }

    /// Notes that the broker may have to be told of an order.
    mutating func markStale(_ order: ManagedOrder) {
        guard !order.isStale else { return }
        order.isStale = true
        stale.append(order)
    }

    /// Notes that an order's state may have to be published.
    mutating func touch(_ order: ManagedOrder) {
        guard !order.isTouched else { return }
        order.isTouched = true
        touched.append(order)
    }

    /// Drops what is older than is kept, once a day.
    private mutating func turnDay(to timestamp: Timestamp) {
        guard timestamp >= nextMidnight else { return }
        let today = NewYork.day(at: timestamp)
        nextMidnight = NewYork.timestamp(on: today.advanced(by: 1), at: .zero)
        contracts.today = max(contracts.today, today)
        let first = today.advanced(by: 1 - OrderManagerSettings.daysKept)
        let oldest = NewYork.timestamp(on: first, at: .zero)
        for order in finished where (order.endedAt ?? now) < oldest {
            orders[order.number] = nil
            byPermID[order.permID] = nil
            let key = OrderKey(client: order.clientID, order: order.orderID)
            byKey[key]?.removeAll { $0 === order }
            order.parent = nil
            order.children = []
        }
        finished.removeAll { ($0.endedAt ?? now) < oldest }
        groups = groups.filter { !$0.value.members.isEmpty }
        placements.removeAll { $0.at < oldest }
        dropExecutions(before: oldest)
    }
}
