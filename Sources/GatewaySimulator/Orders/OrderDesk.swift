import MarketState
package import Model
package import Primitives
import Simulation
package import TWSProtocol

/// The broker's order desk: takes orders in, works them at a simulated venue, and says what became of them as
/// a gateway says it.
///
/// What clients see (families, groups, conditions, pegs, times in force, slices) is the desk's; the venue
/// matches plain orders with quotes and trades, one for each part of an order that works. Nothing is told
/// directly: `takeNotes()` has what is to be said, in order.
///
/// Its owner tells it the time with `advance(to:)` before anything else that happens then.
package struct OrderDesk: ~Copyable {
    /// What it is.
    package let settings: DeskSettings
    /// What it asks of the rest of the gateway.
    package var world: DeskWorld
    /// The contracts it knows.
    package internal(set) var book: GatewayContractDatabase
    /// Its clock.
    package internal(set) var now: Timestamp

    var venue: SimulatedVenue
    let hours: DeskHours
    /// When the next day of New York begins.
    private var nextMidnight: Timestamp
    /// Every order that is kept, by its number. Looked up only.
    var orders: [Int64: DeskOrder] = [:]
    /// Those that are not over, oldest first.
    var live: [DeskOrder] = []
    /// Those that are over, in the order in which they ended.
    var ended: [DeskOrder] = []
    var byKey: [OrderKey: [DeskOrder]] = [:]
    var byPermID: [PermID: DeskOrder] = [:]
    var byWork: [OrderID: DeskOrder] = [:]
    var groups: [String: DeskGroup] = [:]
    /// The orders that watch an instrument's market, by its place in the book.
    var watchers: [[DeskOrder]]
    /// What the market of watched instruments has shown, by their place in the book.
    var tapes: [StandingMarket]
    var timers = DeskTimers()
    /// Fills, oldest first.
    var executions: [DeskExecution] = []
    /// The month's volume of each account, for commissions by volume.
    var volumes: [AccountID: MonthlyVolume] = [:]
    /// What clients may use next.
    var nextIDs: [ClientID: APIOrderID] = [:]
    var counters = Counters()

    /// What the venue answered and was not looked at yet.
    var reports: [OrderReport] = []
    /// Orders whose work at the venue may have to change.
    var stale: [DeskOrder] = []
    /// Orders whose state may have to be told.
    var touched: [DeskOrder] = []
    /// Orders whose group has taken their place.
    var linkedOut: [DeskOrder] = []
    /// Orders with conditions that an execution may have met.
    var conditionsToLookAt: [DeskOrder] = []
    var notes: [DeskNote] = []
    var follows: [FollowChange] = []
    var link = UpstreamLink()
    var faults = DeskFaults()
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

    /// A placement as it came, for the judge.
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
        var work: Int64 = 0
        var venueGroup = 0
        var execution: UInt32 = 0
        var boundOrder: Int32 = 0
    }

    /// A desk without orders.
    package init(
        settings: DeskSettings, book: GatewayContractDatabase, world: DeskWorld, at start: Timestamp
    ) {
        self.settings = settings
        self.book = book
        self.world = world
        now = start
        hours = DeskHours(calendar: settings.calendar)
        nextMidnight = NewYork.instant(
            day: NewYork.day(at: start).advanced(by: 1), sinceMidnight: .zero)
        var rules = VenueRules(calendar: settings.calendar)
        rules.matching = .ticks
        rules.limitFill = .touch
        venue = SimulatedVenue(
            instruments: book.instruments.map { instrument in
                // The desk looks at ticks itself, by market rules that differ with the price.
                var instrument = instrument
                instrument.tickSize = .unrounded
                return instrument
            }, rules: rules)
        watchers = Array(repeating: [], count: book.listed.count)
        tapes = Array(repeating: StandingMarket(), count: book.listed.count)
        var generator = SeededGenerator(seed: settings.seed)
        counters.permID = 1_000_000_000 + Int64(generator.next() % 900_000_000)
        counters.execution = UInt32(truncatingIfNeeded: generator.next() % 0x4000_0000)
    }

    /// What is to be said since the last time, in order.
    package mutating func takeNotes() -> [DeskNote] {
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
        nextIDs[client] ?? DeskSettings.firstOrderID
    }

    // MARK: Time and market

    /// Lets time pass: what was under way arrives. Earlier instants than the last one change nothing.
    package mutating func advance(to instant: Timestamp) {
        while let (due, task) = timers.take(by: instant) {
            now = max(now, due)
            perform(task)
            pump()
        }
        turnDay(to: max(now, instant))
        now = max(now, instant)
    }

    private mutating func perform(_ task: DeskTimers.Task) {
        switch task {
        case .accept(let order): accept(order)
        case .change(let order, let terms): takeTerms(terms, of: order)
        case .cancel(let order): carryOutCancellation(of: order)
        case .look(let order): look(at: order)
        }
    }

    /// The best bid or offer of an instrument changed.
    package mutating func quoteChanged(_ quote: Quote, at instant: Timestamp) {
        advance(to: instant)
        let index = Int(quote.instrument.index)
        guard watchers.indices.contains(index), !watchers[index].isEmpty, Self.isSound(quote)
        else { return }
        tapes[index].quote = quote
        venue.quoteChanged(quote, at: now, answers: &reports)
        heed(.quote(quote), index)
    }

    /// Others traded.
    package mutating func tradeHappened(_ trade: Trade, at instant: Timestamp) {
        advance(to: instant)
        let index = Int(trade.instrument.index)
        guard watchers.indices.contains(index), !watchers[index].isEmpty,
            trade.price.units.magnitude <= DeskSettings.priceMax.units.magnitude,
            trade.price > .zero || !book[trade.instrument].isShare,
            trade.size >= .zero, trade.size <= .magnitudeMax
        else { return }
        tapes[index].last = trade.price
        venue.tradeHappened(trade, at: now, answers: &reports)
        heed(.trade(trade), index)
    }

    private mutating func heed(_ event: WatchedEvent, _ index: Int) {
        // What the venue did comes first: prices that follow the market do so after it has met them.
        pump()
        for order in watchers[index] where order.stage == .accepted { watch(order, event) }
        pump()
    }

    /// Whether a market can show a quote: exchanges take no prices of nothing, and none that big.
    private static func isSound(_ quote: Quote) -> Bool {
        for price in [quote.bid, quote.ask] {
            if let price, price.units.magnitude > DeskSettings.priceMax.units.magnitude {
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

    /// Follows up what has happened until nothing more follows from it, then tells what changed.
    mutating func pump() {
        var next = 0
        var nextStale = 0
        while next < reports.count || nextStale < stale.count || !linkedOut.isEmpty
            || !conditionsToLookAt.isEmpty
        {
            if !conditionsToLookAt.isEmpty { lookAtExecutionConditions() }
            if next < reports.count {
                let report = reports[next]
                next += 1
                heed(report)
            } else if !linkedOut.isEmpty {
                endLinkedOut()
            } else if nextStale < stale.count {
                let order = stale[nextStale]
                nextStale += 1
                order.isStale = false
                sync(order)
            }
        }
        reports.removeAll(keepingCapacity: true)
        stale.removeAll(keepingCapacity: true)
        tellTouched()
    }

    /// Notes that an order's work at the venue may have to change.
    mutating func markStale(_ order: DeskOrder) {
        guard !order.isStale else { return }
        order.isStale = true
        stale.append(order)
    }

    /// Notes that an order's state may have to be told.
    mutating func touch(_ order: DeskOrder) {
        guard !order.isTouched else { return }
        order.isTouched = true
        touched.append(order)
    }

    /// Drops what is older than is kept, once a day.
    private mutating func turnDay(to instant: Timestamp) {
        guard instant >= nextMidnight else { return }
        let today = NewYork.day(at: instant)
        nextMidnight = NewYork.instant(day: today.advanced(by: 1), sinceMidnight: .zero)
        book.today = max(book.today, today)
        let first = today.advanced(by: 1 - DeskSettings.daysKept)
        let oldest = NewYork.instant(day: first, sinceMidnight: .zero)
        for order in ended where (order.endedAt ?? now) < oldest {
            orders[order.number] = nil
            byPermID[order.permID] = nil
            let key = OrderKey(client: order.clientID, order: order.orderID)
            byKey[key]?.removeAll { $0 === order }
            order.parent = nil
            order.children = []
        }
        ended.removeAll { ($0.endedAt ?? now) < oldest }
        groups = groups.filter { !$0.value.members.isEmpty }
        placements.removeAll { $0.at < oldest }
        dropExecutions(before: oldest)
    }
}
