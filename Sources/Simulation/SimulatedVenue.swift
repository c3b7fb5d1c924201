import MarketState
package import Model
package import Primitives

/// An exchange and broker that fill orders from bars, or from quotes and trades.
///
/// **Arrival.** An order that arrives at or before a bar's start takes part in it from its open,
/// otherwise from the next bar's; with ticks, in the quotes and trades from its arrival on.
///
/// **At the open.** Market orders fill there, limits too whose price it betters, and stops that it
/// gapped over, at the open, which is the worse price. Older orders come before newer ones.
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
/// **Hours.** Outside regular hours only orders take part that say so. On a day without a session
/// all of it is outside.
///
/// **Ends.** A day order ends with the session that is on when it comes, or else with the next one, whether
/// its instrument trades then or not (`passTime`); with that session's day, if it works outside hours and did
/// not take part in an earlier one's. Without sessions it ends with the day it first takes part in. One that is good till a date before that instant, and within a bar that lasts
/// longer it meets the open only. What an immediate order leaves of the first price it meets is
/// cancelled.
///
/// **Groups and parents.** What one order of a group fills, the others lose at once; who comes later
/// loses what the group has filled. What a parent has not filled of its quantity waits in its children.
/// An order that loses all, or whose parent ended without a fill, is cancelled as `linked`; one that
/// lost a part is so when it has filled the rest.
///
/// **Changes.** An order keeps what it has filled. A new quantity holds at once. A new price meets what
/// is quoted or traded from its arrival on, as that of a new order does: within a bar the old price holds to
/// its end.
///
/// **Costs.** Everything at the market is worsened by slippage and impact, limits never are.
package struct SimulatedVenue: ~Copyable {
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
    var states: FixedArray<InstrumentState>
    var clock: SessionClock
    /// No order that works ends before; see `passTime`.
    package internal(set) var earliestEnd = Timestamp.distantFuture
    /// How many orders that work are in a group or have a parent.
    var linkCount = 0
    /// Prices that orders work at from their next bar on.
    var laterTypes: [LaterType] = []
    private var endedOrders: FixedArray<EndedOrder>
    private var endedCount = 0
    private var monthlyVolume = MonthlyVolume()
    private var executionCount: Int64 = 0

    /// The orders in one instrument, oldest first, its bar in progress and its tape.
    ///
    /// Not private: other modules destroy the venue and need its description for that.
    struct InstrumentState: ~Copyable {
        var orders = GrowingArray<WorkingOrder>()
        var bar: Bar?
        var barStart = Timestamp.distantPast
        /// What of the bar's volume, or of the newest trade, may still be taken.
        var volumeLeft = Quantity.magnitudeMax
        var topOfBook = TopOfBook()
    }

    /// What is kept of an order that is over, for children and group members that come later.
    struct EndedOrder: Sendable, BitwiseCopyable {
        var id: OrderID
        var filled = Quantity.zero
        var quantity = Quantity.zero
        var instrument = InstrumentID(index: 0)
        var group: OrderGroupID?
    }

    /// How many orders may end between an order and a child of it, or a member of its group.
    private static let endedMax = 1_024

    /// A venue without orders.
    package init(instruments: [Instrument], rules: VenueRules) {
        self.instruments = instruments
        self.rules = rules
        states = FixedArray(count: instruments.count) { InstrumentState() }
        clock = SessionClock(rules.calendar)
        endedOrders = FixedArray(
            repeating: EndedOrder(id: OrderID(number: 0)), count: Self.endedMax)
    }

    // MARK: Orders

    /// Takes in an order. What follows at once is appended to `answers`.
    package mutating func submit(
        _ ticket: OrderTicket, at time: Timestamp, answers: inout [OrderReport]
    ) {
        let index = Int(ticket.request.instrument.index)
        if let cause = rejection(of: ticket.request) {
            answers.append(OrderReport(order: ticket.id, fact: .rejected(cause)))
            return
        }
        answers.append(OrderReport(order: ticket.id, fact: .acknowledged))
        orderCount += 1
        states[index].orders.append(WorkingOrder(ticket, at: time))
        let slot = states[index].orders.count - 1
        if ticket.request.type.isAuction {
            bookAuction(index, slot)
        } else if rules.calendar != .always, case .day = ticket.request.timeInForce,
            let end = clock.dayOrderEnd(
                for: time, outsideRTH: ticket.request.outsideRTH)
        {
            states[index].orders[slot].ends = end
        }
        earliestEnd = min(earliestEnd, states[index].orders[slot].ends)
        if ticket.request.isLinked {
            link(index, slot, &answers)
            dropEnded(index, &answers)
            guard states[index].orders.count > slot else { return }
        }
        switch rules.matching {
        case .bars:
            guard time <= states[index].barStart, let bar = states[index].bar else { return }
            open(slot, bar, session: clock.session(of: bar), &answers)
        case .ticks: meetOnArrival(index, slot, at: time, &answers)
        }
        dropEnded(index, &answers)
    }

    /// Cancels an order if it still works; one that does not gets no answer.
    package mutating func cancel(_ id: OrderID, answers: inout [OrderReport]) {
        for index in 0..<states.count {
            guard let slot = states[index].orders.firstIndex(where: { $0.ticket.id == id }) else {
                continue
            }
            end(index, slot, .requested, &answers)
            dropEnded(index, &answers)
            return
        }
    }

    /// Why an order is refused, if it is.
    func rejection(of request: OrderRequest) -> RejectCause? {
        // Fields are read in place: a copy of an instrument would count references to its texts.
        let index = Int(request.instrument.index)
        guard instruments[index].assetClass.isTradable else { return .notTradable }
        guard request.isValid else { return .invalidTerms }
        if request.type.isPriced, let cause = priceRejection(of: request.type, index) {
            return cause
        }
        if let parent = request.parent, rest(of: parent, in: index) == nil { return .noParent }
        return nil
    }

    private func priceRejection(of type: OrderType, _ index: Int) -> RejectCause? {
        let ticks = instruments[index].tickSize
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

    /// Finds the auction that an order is for; when that is over, the order ends.
    private mutating func bookAuction(_ index: Int, _ slot: Int) {
        let time = states[index].orders[slot].arrived
        switch states[index].orders[slot].ticket.request.type {
        case .marketOnOpen, .limitOnOpen:
            let session = clock.opening(for: time, cutoff: rules.openingCutoff)
            states[index].orders[slot].ends = session.close
        case .marketOnClose, .limitOnClose:
            let session = clock.closing(for: time, cutoff: rules.closingCutoff)
            // On the tape the auction's trade comes a little later than the close.
            states[index].orders[slot].ends =
                rules.matching == .bars ? session.close : rules.calendar.dayEnd(of: session.day)
        case .market, .limit, .stop, .stopLimit, .trailingStop: break
        }
    }

    // MARK: Fills

    /// Fills what is available of an order at a price that slippage and impact worsen.
    @inline(__always)
    mutating func fillAtMarket(
        _ index: Int, _ slot: Int, _ moment: Moment, _ answers: inout [OrderReport]
    ) {
        if rules.worsensMarketPrices {
            fillWorse(index, slot, moment, &answers)
        } else {
            fill(index, slot, moment, &answers)
        }
    }

    private mutating func fillWorse(
        _ index: Int, _ slot: Int, _ moment: Moment, _ answers: inout [OrderReport]
    ) {
        let quantity = min(states[index].orders[slot].available, states[index].volumeLeft)
        guard quantity > .zero else { return }
        let market = MarketFill(
            side: states[index].orders[slot].ticket.request.side, quantity: quantity,
            barVolume: moment.volume,
            spread: rules.slippage.asksForSpread ? states[index].topOfBook.spread : nil,
            ticks: instruments[index].tickSize)
        var amount = rules.slippage.amount(at: moment.price, for: market)
        if let impact = rules.impact {
            amount = min(amount + impact.amount(at: moment.price, for: market), .magnitudeMax)
        }
        var worsened = moment
        worsened.price = market.moved(moment.price, by: amount)
        fill(index, slot, worsened, &answers)
    }

    /// The price and time of a fill, and what is known of the market then.
    struct Moment {
        /// The price.
        var price: Price
        /// When it is reported.
        let time: Timestamp
        /// What traded in the bar, or on the tape.
        var volume = Quantity.zero
        /// Whether it is within a bar, after its open.
        var isWithinBar = false
    }

    /// Fills what is available of an order.
    mutating func fill(
        _ index: Int, _ slot: Int, _ moment: Moment, _ answers: inout [OrderReport]
    ) {
        let quantity = min(states[index].orders[slot].available, states[index].volumeLeft)
        guard quantity > .zero else { return }
        if rules.participation != nil || rules.matching == .ticks {
            states[index].volumeLeft -= quantity
        }
        execute(index, slot, quantity, moment, &answers)
    }

    /// Executes `quantity` of an order, which must be available.
    mutating func execute(
        _ index: Int, _ slot: Int, _ quantity: Quantity, _ moment: Moment,
        _ answers: inout [OrderReport]
    ) {
        let id = states[index].orders[slot].ticket.id
        states[index].orders[slot].left -= quantity
        states[index].orders[slot].filled += quantity
        executionCount += 1
        let execution = Execution(
            id: ExecutionID(base: executionCount),
            instrument: states[index].orders[slot].ticket.request.instrument,
            side: states[index].orders[slot].ticket.request.side, quantity: quantity,
            price: moment.price, time: moment.time)
        let charge = rules.commission.charge(
            for: execution, multiplier: instruments[index].multiplier,
            order: &states[index].orders[slot].costs, month: &monthlyVolume)
        answers.append(OrderReport(order: id, fact: .executed(execution)))
        answers.append(
            OrderReport(
                order: id,
                fact: .commission(CommissionReport(execution: execution.id, amount: charge))))
        if linkCount > 0 { pass(on: quantity, of: slot, index, moment, &answers) }
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

    /// Takes out the orders that are over, and first ends those that depended on them.
    mutating func dropEnded(_ index: Int, _ answers: inout [OrderReport]) {
        if linkCount > 0 { endOrphans(index, &answers) }
        let before = orderCount
        for slot in states[index].orders.indices
        where states[index].orders[slot].left == .zero {
            orderCount -= 1
            remember(index, slot)
        }
        if orderCount != before { states[index].orders.removeAll { $0.left == .zero } }
    }

    @inline(__always)
    private mutating func remember(_ index: Int, _ slot: Int) {
        // Fields are read in place: the request as a whole is not needed.
        endedOrders[endedCount % Self.endedMax] = EndedOrder(
            id: states[index].orders[slot].ticket.id, filled: states[index].orders[slot].filled,
            quantity: states[index].orders[slot].ticket.request.quantity,
            instrument: states[index].orders[slot].ticket.request.instrument,
            group: states[index].orders[slot].ticket.request.group)
        endedCount += 1
        if linkCount > 0 && states[index].orders[slot].ticket.request.isLinked { linkCount -= 1 }
    }

    /// What an order of an instrument has not filled of its quantity; `nil` for one that is not known,
    /// or that ended without a fill.
    func rest(of id: OrderID, in index: Int) -> Quantity? {
        if let slot = states[index].orders.firstIndex(where: {
            $0.ticket.id == id && $0.left > .zero
        }) {
            return states[index].orders[slot].ticket.request.quantity
                - states[index].orders[slot].filled
        }
        for slot in 0..<min(endedCount, Self.endedMax) {
            guard endedOrders[slot].id == id, Int(endedOrders[slot].instrument.index) == index
            else { continue }
            return endedOrders[slot].filled > .zero
                ? endedOrders[slot].quantity - endedOrders[slot].filled : nil
        }
        return nil
    }

    /// What orders of a group that are over have filled.
    func endedFills(of group: OrderGroupID, in index: Int) -> Quantity {
        var sum = Quantity.zero
        for slot in 0..<min(endedCount, Self.endedMax) {
            guard endedOrders[slot].group == group, Int(endedOrders[slot].instrument.index) == index
            else {
                continue
            }
            sum = min(sum, .magnitudeMax) + endedOrders[slot].filled
        }
        return sum
    }
}
