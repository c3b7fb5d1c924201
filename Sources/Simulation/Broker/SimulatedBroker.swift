import MarketState
package import Model
package import Primitives

/// A broker that works orders at a simulated exchange, which has bars, or quotes and trades.
///
/// The exchange fills plain orders, at the market or at a limit (`SimulatedExchange`). What makes more of them
/// is here: groups, parents, stops, trails, times in force, hours, auctions, splits and costs. Backtests trade with
/// this broker, and the gateway simulator's orders work at one.
///
/// **Arrival.** An order that arrives at or before a bar's start takes part in it from its open,
/// otherwise from the next bar's; with ticks, in the quotes and trades from its arrival on.
///
/// **At the open.** Market orders fill there, limits too whose price it betters, and stops that it
/// gapped over, at the open, which is the worse price.
///
/// **Priority.** Of several orders what is at the market comes first, then the better limit, then the older order.
///
/// **Within a bar** the true order of prices is not known: what happens in it is reported at its end.
/// A stop that is reached fills at its price, a limit that is traded through at its price. By
/// default stops come before limits, and what depends on the order of prices goes against the
/// account:
/// - A trailing stop follows the bar's open, but its extreme only from the next bar on.
/// - A stop-limit that is triggered fills at its stop, if that betters its limit, else it waits for
///   the next bar as a limit.
/// - An order whose parent fills within the bar: a stop meets the worst of the bar, from the
///   parent's price on; a limit waits for the next bar.
///
/// With `BarPath.ohlcPath` prices move from the open to the nearer extreme, to the other one and to
/// the close, and orders meet them one after the other. `ambiguousBarCount` counts the bars in which
/// it matters.
///
/// **Auctions.** The opening auction is the open of the session's first bar, the closing auction the
/// close of the bar in which the session ends, early closes included. Orders that come after the
/// cut-off are for the next session's. What an auction leaves is cancelled.
///
/// **Hours.** Outside regular hours only orders take part that say so, in the hours that the instrument has
/// (`WorkingHours`).
///
/// **Ends.** A day order ends with the hours it works in that are on when it comes, or else with the next ones,
/// whether its instrument trades then or not (`passTime`). Without sessions it ends with the day it first takes
/// part in. One that is good till a date ends before that instant, and within a bar that lasts
/// longer it meets the open only. What an immediate order leaves of the first price it meets is
/// cancelled; with ticks one that comes while its market is closed is so at once.
///
/// **Groups and parents.** What one order of a group fills, the others lose (`BrokerTerms.GroupRule`); who comes
/// later loses what the group has filled. A child may fill the part of its quantity that its parent has filled of
/// its own, in whole shares, as IBKR documents it. An order that loses all, or whose parent ended without a fill,
/// is cancelled as `linked`; one that lost a part is so when it has filled the rest.
///
/// **Changes.** An order keeps what it has filled. A new quantity holds at once. A new price meets what
/// is quoted or traded from its arrival on, as that of a new order does: within a bar the old price holds to
/// its end.
///
/// **Costs.** Everything at the market is worsened by slippage and impact, limits never are.
package struct SimulatedBroker: ~Copyable {
    private let passing = PassedByReference()
    /// How orders are treated.
    package let rules: VenueRules
    /// How many bars of an instrument could have ended otherwise, had their prices come in another
    /// order.
    package internal(set) var ambiguousBarCount = 0
    /// How many orders work. While none does, bars need not be passed in: `noteBar` before an order that
    /// arrives at a bar's start is enough.
    package internal(set) var orderCount = 0

    let instruments: [Instrument]
    var exchange: SimulatedExchange
    var states: FixedArray<InstrumentState>
    var clock: SessionClock
    /// No order that works ends before; see `passTime`.
    package internal(set) var earliestEnd = Timestamp.distantFuture
    /// How many orders that work are in a group or have a parent.
    var linkCount = 0
    /// How many orders that work have a parent in another instrument.
    var foreignChildCount = 0
    /// Whether something has happened to orders of other instruments than the one at hand.
    var hasChangedOthers = false
    /// Whether an order has begun to work that is to meet what stands.
    var hasBeginners = false
    /// What orders have filled whose group is reduced afterwards.
    var laterReductions: [LaterReduction] = []
    /// Prices that orders work at from their next bar on.
    var laterTypes: [LaterType] = []
    /// Indexes of orders by priority, while they meet one price.
    var turns: [Int] = []
    var finished: FinishedOrders
    private var monthlyVolume = MonthlyVolume()
    private var executionCount: Int64 = 0

    /// The orders in one instrument, oldest first.
    ///
    /// Not private: other modules destroy the broker and need its description for that.
    struct InstrumentState: ~Copyable {
        var orders = GrowingArray<WorkingOrder>()
        var hours: WorkingHours
    }

    /// A broker without orders.
    ///
    /// - Parameters:
    ///   - hours: each instrument's; empty: stocks' for all.
    ///   - finishedMax: how many orders that are over it knows, for children and members of groups that come later.
    package init(
        instruments: [Instrument], hours: [WorkingHours] = [], rules: VenueRules,
        finishedMax: Int = 1_024
    ) {
        precondition(hours.isEmpty || hours.count == instruments.count, "hours for each instrument")
        self.instruments = instruments
        self.rules = rules
        exchange = SimulatedExchange(instruments: instruments, rules: rules)
        var index = 0
        states = FixedArray(count: instruments.count) {
            defer { index += 1 }
            return InstrumentState(hours: hours.isEmpty ? .extended : hours[index])
        }
        clock = SessionClock(rules.calendar)
        finished = FinishedOrders(max: finishedMax)
    }

    // MARK: Orders

    /// Takes in an order. What follows at once is appended to `answers`.
    package mutating func submit(
        _ ticket: OrderTicket, _ terms: BrokerTerms = BrokerTerms(), at time: Timestamp,
        answers: inout [OrderReport]
    ) {
        let index = Int(ticket.request.instrument.index)
        if let cause = rejection(of: ticket.request) {
            answers.append(OrderReport(order: ticket.id, fact: .rejected(cause)))
            return
        }
        answers.append(OrderReport(order: ticket.id, fact: .acknowledged))
        orderCount += 1
        states[index].orders.append(WorkingOrder(ticket, terms, at: time))
        let slot = states[index].orders.count - 1
        setEnd(index, slot, at: time)
        if ticket.request.isLinked {
            link(index, slot, &answers)
            settle(index, at: time, &answers)
            guard states[index].orders.count > slot else { return }
        }
        meetOnArrival(index, slot, at: time, &answers)
        settle(index, at: time, &answers)
    }

    /// Lets an order that begins to work meet what is there: the bar that has just begun, or the quote.
    @inline(__always)
    mutating func meetOnArrival(
        _ index: Int, _ slot: Int, at time: Timestamp, _ answers: inout [OrderReport]
    ) {
        switch rules.matching {
        case .bars:
            guard time <= exchange.markets[index].barStart, let bar = exchange.markets[index].bar
            else { return }
            open(slot, bar, session: clock.session(of: bar), &answers)
        case .ticks: meetQuoteOnArrival(index, slot, at: time, &answers)
        }
    }

    /// Notes that an order may begin to work.
    mutating func markBeginning(_ index: Int, _ slot: Int) {
        guard states[index].orders[slot].available > .zero else { return }
        states[index].orders[slot].isBeginning = true
        hasBeginners = true
    }

    /// Lets orders that begin to work meet what is there.
    private mutating func begin(at time: Timestamp, _ answers: inout [OrderReport]) {
        while hasBeginners {
            hasBeginners = false
            for index in 0..<states.count {
                for slot in states[index].orders.indices
                where states[index].orders[slot].isBeginning {
                    states[index].orders[slot].isBeginning = false
                    guard states[index].orders[slot].left > .zero else { continue }
                    states[index].orders[slot].arrived = time
                    meetOnArrival(index, slot, at: time, &answers)
                }
                if !laterReductions.isEmpty { reduceLater(&answers) }
                dropEnded(index, &answers)
            }
        }
    }

    /// Cancels an order if it still works; one that does not gets no answer.
    package mutating func cancel(
        _ id: OrderID, because cause: CancelCause = .requested, answers: inout [OrderReport]
    ) {
        guard let (index, slot) = find(id) else { return }
        end(index, slot, cause, &answers)
        dropEnded(index, &answers)
    }

    /// Where an order is that works.
    func find(_ id: OrderID) -> (index: Int, slot: Int)? {
        for index in 0..<states.count {
            if let slot = states[index].orders.firstIndex(where: { $0.ticket.id == id }) {
                return (index, slot)
            }
        }
        return nil
    }

    /// How far an order has come, whether it works or has ended lately.
    package func progress(of id: OrderID, in instrument: InstrumentID) -> OrderProgress? {
        let index = Int(instrument.index)
        guard let slot = states[index].orders.firstIndex(where: { $0.ticket.id == id }) else {
            return finished.find(id)?.progress
        }
        let order = states[index].orders[slot]
        var progress = OrderProgress()
        progress.filled = order.filled
        progress.taken = order.taken
        progress.isTriggered = order.isTriggered
        progress.trailStop = order.trailStop
        progress.isWaitingForParent = order.blocked > .zero && order.left == order.blocked
        return progress
    }

    // MARK: Refusals

    /// Why an order is refused, if it is.
    func rejection(of request: OrderRequest) -> RejectCause? {
        // Fields are read in place: a copy of an instrument would count references to its texts.
        let index = Int(request.instrument.index)
        guard instruments[index].assetClass.isTradable else { return .notTradable }
        guard request.isValid else { return .invalidTerms }
        if request.type.isPriced, let cause = priceRejection(of: request.type, index) {
            return cause
        }
        if let parent = request.parent, share(of: parent, near: index) == nil { return .noParent }
        return nil
    }

    private func priceRejection(of type: OrderType, _ index: Int) -> RejectCause? {
        let ticks = rules.checksTicks ? instruments[index].tickSize : .unrounded
        if let limit = type.limitPrice, !ticks.accepts(limit) { return .priceNotOnTick }
        if let stop = type.stopPrice, !ticks.accepts(stop) { return .priceNotOnTick }
        if case .trailingStop(let offset) = type {
            switch offset {
            case .amount(let amount):
                guard amount > .zero else { return .invalidTerms }
                guard ticks.accepts(amount) else { return .priceNotOnTick }
            case .percent(let percent):
                guard percent > .zero, percent < .hundred else { return .invalidTerms }
            }
        }
        return nil
    }

    // MARK: Fills

    /// What of an order the exchange sees.
    @inline(__always)
    func plain(_ index: Int, _ slot: Int, at limit: Price?) -> SimulatedExchange.PlainOrder {
        SimulatedExchange.PlainOrder(
            side: states[index].orders[slot].ticket.request.side, limit: limit,
            quantity: states[index].orders[slot].available,
            minimum: states[index].orders[slot].minimum,
            isResting: states[index].orders[slot].isResting)
    }

    /// Lets an order meet one price: as a limit, if it has one, otherwise at the market.
    @inline(__always)
    mutating func cross(
        _ index: Int, _ slot: Int, at limit: Price?, _ moment: Moment,
        _ answers: inout [OrderReport]
    ) {
        guard let match = exchange.cross(plain(index, slot, at: limit), index, at: moment) else {
            return
        }
        execute(index, slot, match, moment, &answers)
    }

    /// Executes an order as the exchange has matched it.
    mutating func execute(
        _ index: Int, _ slot: Int, _ match: SimulatedExchange.Match, _ moment: Moment,
        _ answers: inout [OrderReport]
    ) {
        let id = states[index].orders[slot].ticket.id
        let quantity = match.quantity
        states[index].orders[slot].left -= quantity
        states[index].orders[slot].filled += quantity
        executionCount += 1
        let execution = Execution(
            id: ExecutionID(base: executionCount),
            instrument: states[index].orders[slot].ticket.request.instrument,
            side: states[index].orders[slot].ticket.request.side, quantity: quantity,
            price: match.price, time: moment.time)
        let charge = rules.commission.charge(
            for: execution, multiplier: instruments[index].multiplier,
            order: &states[index].orders[slot].costs, month: &monthlyVolume)
        answers.append(OrderReport(order: id, fact: .executed(execution)))
        answers.append(
            OrderReport(
                order: id,
                fact: .commission(CommissionReport(execution: execution.id, amount: charge))))
        if states[index].orders[slot].terms.becomesLimit { stay(index, slot, at: match.price) }
        if linkCount > 0 {
            pass(
                on: quantity, of: slot, index, within: moment.isWithinBar ? match.price : nil,
                &answers)
        }
    }

    /// Lets what is left of an order at the market go on at the price it has got.
    private mutating func stay(_ index: Int, _ slot: Int, at price: Price) {
        let ticket = states[index].orders[slot].ticket
        guard ticket.request.type == .market else { return }
        states[index].orders[slot].ticket = OrderTicket(
            id: ticket.id,
            request: ticket.request.with(type: .limit(price), because: ticket.request.reason))
        states[index].orders[slot].isResting = true
    }

    // MARK: Ends

    /// Ends an order that works.
    mutating func end(
        _ index: Int, _ slot: Int, _ cause: CancelCause, _ answers: inout [OrderReport]
    ) {
        guard states[index].orders[slot].left > .zero else { return }
        states[index].orders[slot].left = .zero
        answers.append(
            OrderReport(order: states[index].orders[slot].ticket.id, fact: .cancelled(cause)))
    }

    /// Ends the orders whose time is over at `time`.
    mutating func expire(_ index: Int, at time: Timestamp, _ answers: inout [OrderReport]) {
        var isAnyOver = false
        for slot in states[index].orders.indices where states[index].orders[slot].ends <= time {
            isAnyOver = true
            end(index, slot, .expired, &answers)
        }
        if isAnyOver { dropEnded(index, &answers) }
    }

    /// Ends the orders whose time is over at `time`, whether or not their instruments have another event.
    /// Where orders are matched with bars, the end of the bar in progress comes first for those that take part
    /// in it.
    package mutating func passTime(to time: Timestamp, answers: inout [OrderReport]) {
        guard earliestEnd <= time else { return }
        var earliest = Timestamp.distantFuture
        for index in 0..<states.count where !states[index].orders.isEmpty {
            for slot in states[index].orders.indices
            where states[index].orders[slot].ends <= time {
                if rules.matching == .bars && states[index].orders[slot].takesPart { continue }
                end(index, slot, .expired, &answers)
            }
            dropEnded(index, &answers)
            for slot in states[index].orders.indices {
                earliest = min(earliest, states[index].orders[slot].ends)
            }
        }
        earliestEnd = earliest
    }

    /// Does what follows from what has happened in an instrument: groups that are reduced afterwards, orders that
    /// are over, orders that begin.
    @inline(__always)
    mutating func settle(_ index: Int, at time: Timestamp, _ answers: inout [OrderReport]) {
        if !laterReductions.isEmpty { reduceLater(&answers) }
        dropEnded(index, &answers)
        if hasBeginners { begin(at: time, &answers) }
    }

    /// Takes out the orders that are over, and first ends those that depended on them.
    mutating func dropEnded(_ index: Int, _ answers: inout [OrderReport]) {
        drop(index, &answers)
        guard hasChangedOthers || foreignChildCount > 0 else { return }
        hasChangedOthers = false
        var before = -1
        while before != orderCount {
            before = orderCount
            for other in 0..<states.count { drop(other, &answers) }
        }
    }

    private mutating func drop(_ index: Int, _ answers: inout [OrderReport]) {
        if linkCount > 0 { endOrphans(index, &answers) }
        let before = orderCount
        for slot in states[index].orders.indices
        where states[index].orders[slot].left == .zero {
            orderCount -= 1
            finished.add(states[index].orders[slot])
            if linkCount > 0 && states[index].orders[slot].ticket.request.isLinked {
                linkCount -= 1
                if states[index].orders[slot].isForeignChild { foreignChildCount -= 1 }
            }
        }
        if orderCount != before { states[index].orders.removeAll { $0.left == .zero } }
    }
}
