import MarketState
package import Model
package import Primitives

/// An exchange and broker that fill orders from bars.
///
/// An order that arrives at or before a bar's start takes part in it from its open, otherwise from the
/// next bar's. At the open: market orders fill there, limits too whose price it betters, and stops that it
/// gapped over, at the open, which is the worse price. Within the bar: a stop that is reached fills at its
/// price, a limit that is traded through at its price, stops before limits. Older orders come before newer
/// ones. Everything at the market is worsened by slippage.
///
/// Within a bar the true order of prices is not known: what happens in it is told at its end.
package struct SimulatedVenue: ~Copyable {
    /// How orders are treated.
    package let rules: VenueRules

    private let instruments: [Instrument]
    private var books: FixedArray<InstrumentBook>
    private var monthlyVolume = MonthlyVolume()
    private var executionCount: Int64 = 0
    /// How many orders work. While none does, bars need not be told of: `noteBar` before an order that
    /// arrives at a bar's start is enough.
    package private(set) var orderCount = 0

    /// The orders in one instrument, oldest first, and its bar in progress.
    ///
    /// Not private: other modules destroy the venue and need its description for that.
    struct InstrumentBook: Sendable {
        var orders: [WorkingOrder] = []
        var bar: Bar?
        var barStart = Timestamp.distantPast
        /// What of the bar's volume may still be taken.
        var volumeLeft = Quantity.magnitudeMax
    }

    struct WorkingOrder: Sendable {
        let ticket: OrderTicket
        var left: Quantity
        /// Whether it takes part in the bar in progress.
        var isInBar = false
        /// Whether it is a stop that was reached.
        var isTriggered = false
        /// The session of the first bar it took part in.
        var session: Day?
        var costs = OrderCosts()
    }

    /// A venue without orders.
    package init(instruments: [Instrument], rules: VenueRules) {
        self.instruments = instruments
        self.rules = rules
        books = FixedArray(repeating: InstrumentBook(), count: instruments.count)
    }

    // MARK: Orders

    /// Takes in an order. What follows at once is appended to `answers`.
    package mutating func submit(
        _ ticket: OrderTicket, at instant: Timestamp, answers: inout [OrderReport]
    ) {
        let index = Int(ticket.request.instrument.index)
        if let cause = rejection(of: ticket.request) {
            answers.append(OrderReport(order: ticket.id, fact: .rejected(cause)))
            return
        }
        answers.append(OrderReport(order: ticket.id, fact: .acknowledged))
        orderCount += 1
        books[index].orders.append(WorkingOrder(ticket: ticket, left: ticket.request.quantity))
        guard instant <= books[index].barStart, let bar = books[index].bar else { return }
        let place = books[index].orders.count - 1
        join(place, bar)
        fillAtOpen(place, bar, &answers)
        dropFilled(index)
    }

    /// Cancels an order if it still works; one that does not gets no answer.
    package mutating func cancel(_ id: OrderID, answers: inout [OrderReport]) {
        for index in 0..<books.count {
            guard let place = books[index].orders.firstIndex(where: { $0.ticket.id == id }) else {
                continue
            }
            books[index].orders.remove(at: place)
            orderCount -= 1
            answers.append(OrderReport(order: id, fact: .cancelled(.requested)))
            return
        }
    }

    /// Ends all orders in an instrument, as an exchange does with those at the prices of shares that are
    /// split.
    package mutating func cancelAll(in instrument: InstrumentID, answers: inout [OrderReport]) {
        let index = Int(instrument.index)
        for order in books[index].orders {
            answers.append(OrderReport(order: order.ticket.id, fact: .cancelled(.external)))
        }
        orderCount -= books[index].orders.count
        books[index].orders.removeAll()
    }

    // MARK: Bars

    /// Tells the venue of the bar in progress, unless it knows.
    package mutating func noteBar(_ bar: Bar) {
        let index = Int(bar.instrument.index)
        guard books[index].barStart != bar.start else { return }
        books[index].barStart = bar.start
        books[index].bar = bar
        guard let participation = rules.participation else { return }
        books[index].volumeLeft = (participation.of(bar.volume) ?? .magnitudeMax).wholeShares
    }

    /// A bar begins: only its open is used yet, and its volume for what may be taken of it.
    package mutating func barOpened(_ bar: Bar, answers: inout [OrderReport]) {
        let index = Int(bar.instrument.index)
        noteBar(bar)
        guard !books[index].orders.isEmpty else { return }
        let session = rules.calendar.day(of: bar.start)
        expire(index, &answers) { $0.session != nil && $0.session != session }
        for place in 0..<books[index].orders.count {
            join(place, bar)
            fillAtOpen(place, bar, &answers)
        }
        dropFilled(index)
    }

    /// A bar is over: its high and low decide about stops and limits.
    package mutating func barClosed(_ bar: Bar, answers: inout [OrderReport]) {
        let index = Int(bar.instrument.index)
        guard !books[index].orders.isEmpty else { return }
        for place in books[index].orders.indices { fillStopInBar(place, bar, &answers) }
        for place in books[index].orders.indices { fillLimitInBar(place, bar, &answers) }
        dropFilled(index)
        let session = rules.calendar.day(of: bar.start)
        let end = rules.calendar.open(on: session) + rules.calendar.sessionLength
        guard bar.end >= end else { return }
        expire(index, &answers) { $0.session == session }
    }

    private mutating func join(_ place: Int, _ bar: Bar) {
        let index = Int(bar.instrument.index)
        books[index].orders[place].isInBar = true
        guard books[index].orders[place].session == nil else { return }
        books[index].orders[place].session = rules.calendar.day(of: bar.start)
    }

    private mutating func fillAtOpen(_ place: Int, _ bar: Bar, _ answers: inout [OrderReport]) {
        // Fields are read in place: an order is large to copy.
        let index = Int(bar.instrument.index)
        let type = books[index].orders[place].ticket.request.type
        switch (type, books[index].orders[place].ticket.request.side) {
        case (.market, _):
            fillAtMarket(place, bar, at: bar.open, time: bar.start, &answers)
        case (.stop(let stop), let side):
            let isReached =
                books[index].orders[place].isTriggered
                || (side == .buy ? bar.open >= stop : bar.open <= stop)
            guard isReached else { return }
            books[index].orders[place].isTriggered = true
            fillAtMarket(place, bar, at: bar.open, time: bar.start, &answers)
        case (.limit(let limit), .buy):
            guard bar.open < limit || (rules.limitFill == .touch && bar.open == limit) else {
                return
            }
            fill(place, bar, price: bar.open, time: bar.start, &answers)
        case (.limit(let limit), .sell):
            guard bar.open > limit || (rules.limitFill == .touch && bar.open == limit) else {
                return
            }
            fill(place, bar, price: bar.open, time: bar.start, &answers)
        }
    }

    private mutating func fillStopInBar(_ place: Int, _ bar: Bar, _ answers: inout [OrderReport]) {
        let order = books[Int(bar.instrument.index)].orders[place]
        guard case .stop(let stop) = order.ticket.request.type, order.isInBar,
            !order.isTriggered, order.left > .zero
        else { return }
        let isReached = order.ticket.request.side == .buy ? bar.high >= stop : bar.low <= stop
        guard isReached else { return }
        books[Int(bar.instrument.index)].orders[place].isTriggered = true
        fillAtMarket(place, bar, at: stop, time: bar.end, &answers)
    }

    private mutating func fillLimitInBar(_ place: Int, _ bar: Bar, _ answers: inout [OrderReport]) {
        let order = books[Int(bar.instrument.index)].orders[place]
        guard case .limit(let limit) = order.ticket.request.type, order.isInBar,
            order.left > .zero
        else { return }
        let isReached =
            switch (order.ticket.request.side, rules.limitFill) {
            case (.buy, .through): bar.low < limit
            case (.buy, .touch): bar.low <= limit
            case (.sell, .through): bar.high > limit
            case (.sell, .touch): bar.high >= limit
            }
        guard isReached else { return }
        fill(place, bar, price: limit, time: bar.end, &answers)
    }

    // MARK: Fills

    private mutating func fillAtMarket(
        _ place: Int, _ bar: Bar, at price: Price, time: Timestamp, _ answers: inout [OrderReport]
    ) {
        let index = Int(bar.instrument.index)
        let worsened = rules.slippage.worsened(
            price, side: books[index].orders[place].ticket.request.side,
            quantity: min(books[index].orders[place].left, books[index].volumeLeft),
            barVolume: bar.volume,
            tick: instruments[index].tickSize)
        fill(place, bar, price: worsened, time: time, &answers)
    }

    private mutating func fill(
        _ place: Int, _ bar: Bar, price: Price, time: Timestamp, _ answers: inout [OrderReport]
    ) {
        let index = Int(bar.instrument.index)
        let id = books[index].orders[place].ticket.id
        let quantity = min(books[index].orders[place].left, books[index].volumeLeft)
        guard quantity > .zero else { return }
        books[index].orders[place].left -= quantity
        if rules.participation != nil { books[index].volumeLeft -= quantity }
        executionCount += 1
        let execution = Execution(
            id: ExecutionID(base: executionCount), instrument: bar.instrument,
            side: books[index].orders[place].ticket.request.side, quantity: quantity, price: price,
            time: time)
        let charge = rules.commission.charge(
            for: execution, multiplier: instruments[index].multiplier,
            order: &books[index].orders[place].costs, month: &monthlyVolume)
        answers.append(OrderReport(order: id, fact: .executed(execution)))
        answers.append(
            OrderReport(
                order: id,
                fact: .commission(CommissionReport(execution: execution.id, amount: charge))))
    }

    // MARK: Ends

    private mutating func dropFilled(_ index: Int) {
        let before = books[index].orders.count
        books[index].orders.drop { $0.left == .zero }
        orderCount -= before - books[index].orders.count
    }

    private mutating func expire(
        _ index: Int, _ answers: inout [OrderReport], where isOver: (WorkingOrder) -> Bool
    ) {
        var isAnyOver = false
        for order in books[index].orders
        where order.ticket.request.timeInForce == .day && isOver(order) {
            isAnyOver = true
            answers.append(OrderReport(order: order.ticket.id, fact: .cancelled(.expired)))
        }
        guard isAnyOver else { return }
        remove(index) { $0.ticket.request.timeInForce == .day && isOver($0) }
    }

    private mutating func remove(_ index: Int, where isOver: (WorkingOrder) -> Bool) {
        let before = books[index].orders.count
        books[index].orders.removeAll(where: isOver)
        orderCount -= before - books[index].orders.count
    }

    private func rejection(of request: OrderRequest) -> RejectCause? {
        let instrument = instruments[Int(request.instrument.index)]
        guard instrument.assetClass.isTradable else { return .notTradable }
        switch request.type {
        case .market: return nil
        case .limit(let price), .stop(let price):
            return price.units % instrument.tickSize.units == 0 ? nil : .priceNotOnTick
        }
    }
}
