import MarketState
import Model
import Primitives
import Simulation
import TestSupport

/// A fill in the words of a test.
struct Fill: Equatable {
    let order: Int64
    let shares: Int64
    let cents: Int64
    let time: Timestamp

    init(_ order: Int64, _ shares: Int64, _ cents: Int64, _ time: Timestamp) {
        self.order = order
        self.shares = shares
        self.cents = cents
        self.time = time
    }
}

/// A venue for two shares and an index, and the numbers of orders sent to it.
struct VenueRig: ~Copyable {
    /// Whether ticks within the venue's quiet bounds only pass it.
    var passesQuietTicks = false
    /// How many have passed it while orders worked.
    private(set) var passedCount = 0

    private var venue: SimulatedBroker
    private var sent: Int64 = 0
    /// The instant of what the venue was told last.
    private var last = Timestamp.distantPast

    /// What the venue said, in order.
    struct Answers: Equatable {
        var reports: [OrderReport] = []

        var isEmpty: Bool { reports.isEmpty }
        var first: OrderFact? { reports.first?.fact }
        var executions: [Execution] {
            reports.compactMap {
                guard case .executed(let execution) = $0.fact else { return nil }
                return execution
            }
        }
        var fills: [Fill] {
            reports.compactMap {
                guard case .executed(let execution) = $0.fact else { return nil }
                return Fill(
                    $0.order.number, execution.quantity.units / Quantity.unitsPerOne,
                    execution.price.units / (Price.unitsPerOne / 100), execution.time)
            }
        }
        var commissions: [CommissionReport] {
            reports.compactMap {
                guard case .commission(let report) = $0.fact else { return nil }
                return report
            }
        }
        /// The numbers of the orders that expired.
        var expired: [Int64] {
            reports.filter { $0.fact == .cancelled(.expired) }.map(\.order.number)
        }

        /// The numbers of the orders that ended because of others.
        var linked: [Int64] {
            reports.filter { $0.fact == .cancelled(.linked) }.map(\.order.number)
        }

        static func == (answers: Answers, facts: [OrderFact]) -> Bool {
            answers.reports.map(\.fact) == facts
        }
    }

    init(calendar: SessionCalendar = .newYork, _ change: (inout VenueRules) -> Void = { _ in }) {
        var rules = VenueRules(calendar: calendar)
        change(&rules)
        var instruments = Make.instruments("AAA", "BBB", "IDX")
        instruments[2].assetClass = .index
        venue = SimulatedBroker(instruments: instruments, rules: rules)
    }

    mutating func submit(_ request: OrderRequest, at time: Timestamp) -> Answers {
        sent += 1
        last = time
        var answers = Answers()
        venue.submit(
            OrderTicket(id: OrderID(number: sent), request: request), at: time,
            answers: &answers.reports)
        return answers
    }

    mutating func cancel(_ number: Int64) -> Answers {
        var answers = Answers()
        venue.cancel(OrderID(number: number), answers: &answers.reports)
        return answers
    }

    /// Asks for the first change of an order.
    mutating func modify(
        _ number: Int64, to request: OrderRequest, at time: Timestamp
    ) -> Answers {
        var answers = Answers()
        venue.modify(
            OrderTicket(id: OrderID(number: number), request: request), revision: 1, at: time,
            answers: &answers.reports)
        return answers
    }

    mutating func open(_ bar: Bar) -> Answers {
        var answers = Answers()
        venue.barOpened(bar, answers: &answers.reports)
        return answers
    }

    mutating func close(_ bar: Bar) -> Answers {
        var answers = Answers()
        venue.barClosed(bar, answers: &answers.reports)
        return answers
    }

    mutating func quote(_ quote: Quote) -> Answers {
        var answers = Answers()
        guard !pass(TickRow(quote)) else { return answers }
        venue.quoteChanged(quote, at: quote.at, answers: &answers.reports)
        return answers
    }

    mutating func trade(_ trade: Trade) -> Answers {
        var answers = Answers()
        guard !pass(TickRow(trade)) else { return answers }
        venue.tradeHappened(trade, at: trade.at, answers: &answers.reports)
        return answers
    }

    /// The bounds within which ticks change nothing for orders in the first instrument.
    var quietBounds: TickBounds? {
        mutating get { venue.quietBounds(of: InstrumentID(index: 0), at: last) }
    }

    /// Lets a tick pass if it may.
    private mutating func pass(_ row: TickRow) -> Bool {
        let bounds = passesQuietTicks ? quietBounds : nil
        last = row.at
        guard let bounds, bounds.contains(row) else { return false }
        venue.pass([row].span, of: InstrumentID(index: 0))
        if orderCount > 0 { passedCount += 1 }
        return true
    }

    /// How many orders work.
    var orderCount: Int { venue.orderCount }

    /// How many bars depended on the order of their prices.
    var ambiguousBarCount: Int { venue.ambiguousBarCount }

    /// A whole bar.
    mutating func play(_ bar: Bar) -> Answers {
        var answers = open(bar)
        answers.reports += close(bar).reports
        return answers
    }
}

/// What makes an order more than its price: bounds, links, hours.
struct Terms {
    var timeInForce = TimeInForce.goodTillCancelled
    var parent: Int64?
    var group: Int?
    var outsideRTH = false
    var purpose = OrderPurpose.entry
}

extension Make {
    /// A request for whole shares of the first instrument.
    static func order(
        _ side: Side, _ shares: Int64, _ type: OrderType, _ terms: Terms = Terms()
    ) -> OrderRequest {
        OrderRequest(
            strategy: StrategyID(index: 0), instrument: InstrumentID(index: 0), side: side,
            quantity: Quantity(shares: shares), type: type, timeInForce: terms.timeInForce,
            purpose: terms.purpose, parent: terms.parent.map { OrderID(number: $0) },
            group: terms.group.map { OrderGroupID(number: $0) },
            outsideRTH: terms.outsideRTH)
    }

    /// A quote so many seconds after the opening bell, prices in cents.
    static func quote(
        _ second: Int64, bid: Int64?, ask: Int64?, bidSize: Int64? = 100, askSize: Int64? = 100
    ) -> Quote {
        Quote(
            instrument: InstrumentID(index: 0), at: Make.time(second),
            bid: bid.map { Price(cents: $0) }, ask: ask.map { Price(cents: $0) },
            bidSize: bidSize.map { Quantity(shares: $0) },
            askSize: askSize.map { Quantity(shares: $0) })
    }

    /// A trade so many seconds after the opening bell, at a price in cents.
    static func trade(_ second: Int64, _ cents: Int64, _ shares: Int64 = 100) -> Trade {
        Trade(
            instrument: InstrumentID(index: 0), at: Make.time(second), price: Price(cents: cents),
            size: Quantity(shares: shares))
    }
}

extension OrderType {
    static func limit(cents: Int64) -> OrderType { .limit(Price(cents: cents)) }
    static func stop(cents: Int64) -> OrderType { .stop(Price(cents: cents)) }
    static func stopLimit(stop: Int64, limit: Int64) -> OrderType {
        .stopLimit(stop: Price(cents: stop), limit: Price(cents: limit))
    }
    static func trailing(cents: Int64) -> OrderType { .trailingStop(.amount(Price(cents: cents))) }
}
