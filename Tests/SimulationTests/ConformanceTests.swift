import ConformanceSuite
import MarketState
import Model
import Primitives
import Simulation
import TestSupport
import Testing

/// The conformance cases at the broker: over bars, over trades and over quotes.
@Suite struct ConformanceTests {
    @Test func suiteIsWide() {
        #expect(ConformanceCase.all.count >= 150)
        #expect(Set(ConformanceCase.all.map(\.name)).count == ConformanceCase.all.count)
    }

    /// Bars know no trades and quotes: what a stop goes by makes no difference there.
    @Test(arguments: ConformanceCase.all.filter { $0.trigger == nil })
    func holdsOverBars(_ one: ConformanceCase) {
        #expect(one.play(on: BrokerUnderTest(one, .bars)) == [])
    }

    @Test(arguments: ConformanceCase.all.filter { $0.trigger.map(\.goesByTrades) ?? true })
    func holdsOverTrades(_ one: ConformanceCase) {
        #expect(one.play(on: BrokerUnderTest(one, .trades)) == [])
    }

    @Test(arguments: ConformanceCase.all.filter { $0.trigger.map { !$0.goesByTrades } ?? true })
    func holdsOverQuotes(_ one: ConformanceCase) {
        #expect(one.play(on: BrokerUnderTest(one, .quotes)) == [])
    }
}

/// A broker in the words of the cases.
private final class BrokerUnderTest: ConformanceVenue {
    /// What its exchange shows.
    enum Feed {
        case bars
        case trades
        case quotes
    }

    private static let instrument = InstrumentID(index: 0)

    private var broker: SimulatedBroker
    private let feed: Feed
    private var reports: [OrderReport] = []
    private var orders: [OrderRequest] = []

    init(_ one: ConformanceCase, _ feed: Feed) {
        var rules = VenueRules(calendar: .newYork)
        rules.limitFill = one.limitFill
        rules.matching = feed == .bars ? .bars : .ticks
        if feed == .bars { rules.participation = .hundred }
        if feed == .quotes { rules.stopTrigger = .bidAsk }
        broker = SimulatedBroker(instruments: Make.instruments("AAA"), rules: rules)
        self.feed = feed
    }

    func place(_ order: ConformanceOrder, as number: Int, at time: Timestamp) {
        orders.append(order.request)
        broker.submit(ticket(number), order.terms, at: time, answers: &reports)
    }

    func modify(_ number: Int, to order: ConformanceOrder, at time: Timestamp) {
        orders[number - 1] = order.request
        broker.modify(ticket(number), revision: 1, at: time, answers: &reports)
        let isRefused = reports.contains { $0.fact == .modificationRefused(1) }
        if isRefused { Issue.record("a change of order \(number) was refused") }
    }

    func cancel(_ number: Int, at time: Timestamp) {
        broker.cancel(OrderID(number: Int64(number)), answers: &reports)
    }

    private func ticket(_ number: Int) -> OrderTicket {
        OrderTicket(id: OrderID(number: Int64(number)), request: orders[number - 1])
    }

    func trade(_ minute: ConformanceMinute) {
        broker.passTime(to: minute.start, answers: &reports)
        switch feed {
        case .bars:
            let bar = Bar(
                instrument: Self.instrument, start: minute.start, barSize: .minutes(1),
                open: minute.from, high: max(minute.from, minute.to),
                low: min(minute.from, minute.to), close: minute.to, volume: minute.size)
            broker.barOpened(bar, answers: &reports)
            broker.barClosed(bar, answers: &reports)
        case .trades, .quotes:
            // What an auction is held with is a trade.
            if minute.isFirst, feed == .quotes {
                trade(minute.to, minute.size, at: minute.start + .seconds(20))
            }
            show(minute.to, minute.size, at: minute.start + .seconds(30))
        }
        broker.passTime(to: minute.end, answers: &reports)
        guard minute.isLast, feed != .bars else { return }
        show(minute.to, minute.size, at: minute.end + .seconds(1))
        guard feed == .quotes else { return }
        trade(minute.to, minute.size, at: minute.end + .seconds(2))
    }

    private func show(_ price: Price, _ size: Quantity, at time: Timestamp) {
        switch feed {
        case .bars: break
        case .trades: trade(price, size, at: time)
        case .quotes:
            let quote = Quote(
                instrument: Self.instrument, at: time, bid: price, ask: price, bidSize: size,
                askSize: size)
            broker.quoteChanged(quote, at: time, answers: &reports)
            let nothing = Quote(
                instrument: Self.instrument, at: time + .seconds(5), bid: nil, ask: nil)
            broker.quoteChanged(nothing, at: time + .seconds(5), answers: &reports)
        }
    }

    private func trade(_ price: Price, _ size: Quantity, at time: Timestamp) {
        let trade = Trade(instrument: Self.instrument, at: time, price: price, size: size)
        broker.tradeHappened(trade, at: time, answers: &reports)
    }

    func pass(to time: Timestamp) { broker.passTime(to: time, answers: &reports) }

    func takeOutcomes() -> [ConformanceCase.Outcome] {
        defer { reports = [] }
        var outcomes: [ConformanceCase.Outcome] = []
        for (index, report) in reports.enumerated() {
            let number = Int(report.order.number)
            switch report.fact {
            case .executed(let execution):
                outcomes.append(
                    .fill(
                        number, execution.quantity.units / Quantity.unitsPerOne,
                        at: execution.price.units / (Price.unitsPerOne / 100)))
            case .cancelled(.expired): outcomes.append(.expired(number))
            case .cancelled(.linked):
                // One that was reduced and has filled the rest is filled.
                let last = reports[..<index].last { $0.order == report.order }
                if case .commission? = last?.fact { continue }
                outcomes.append(.linked(number))
            case .cancelled(.requested): outcomes.append(.cancelled(number))
            case .rejected(let cause): Issue.record("order \(number) was refused: \(cause)")
            default: break
            }
        }
        return outcomes
    }
}

extension VenueRules.StopTrigger {
    /// Whether trades alone show whether it is reached.
    fileprivate var goesByTrades: Bool {
        switch self {
        case .last, .doubleLast, .lastOrBidAsk: true
        case .bidAsk, .doubleBidAsk, .midpoint: false
        }
    }
}

extension ConformanceOrder {
    fileprivate var request: OrderRequest {
        OrderRequest(
            strategy: StrategyID(index: 0), instrument: InstrumentID(index: 0),
            side: isPurchase ? .buy : .sell, quantity: Quantity(shares: shares), type: type,
            timeInForce: timeInForce, purpose: .entry,
            parent: parent.map { OrderID(number: Int64($0)) },
            group: group.map { OrderGroupID(number: $0) }, outsideRTH: isOutside)
    }

    private var type: OrderType {
        switch kind {
        case .market, .marketToLimit: .market
        case .limit(let price): .limit(cents: price)
        case .stop(let price), .touch(let price): .stop(cents: price)
        case .stopLimit(let stop, let limit), .touchLimit(let stop, let limit):
            .stopLimit(stop: stop, limit: limit)
        case .trail(let amount), .trailFrom(let amount, _), .trailLimit(let amount, _, _):
            .trailing(cents: amount)
        case .marketOnOpen: .marketOnOpen
        case .limitOnOpen(let price): .limitOnOpen(Price(cents: price))
        case .marketOnClose: .marketOnClose
        case .limitOnClose(let price): .limitOnClose(Price(cents: price))
        }
    }

    private var timeInForce: TimeInForce {
        switch time {
        case .day, .allOrNone: .day
        case .goodTillCancelled: .goodTillCancelled
        case .goodTill(let minutes): .goodTillDate(ConformanceSchedule.start + .minutes(minutes))
        case .immediateOrCancel, .fillOrKill: .immediateOrCancel
        }
    }

    fileprivate var terms: BrokerTerms {
        var terms = BrokerTerms()
        terms.groupRule = rule
        terms.trigger = trigger
        switch time {
        case .fillOrKill, .allOrNone: terms.minimumFill = Quantity(shares: shares)
        case .day, .goodTillCancelled, .goodTill, .immediateOrCancel: break
        }
        switch kind {
        case .touch, .touchLimit: terms.isTouch = true
        case .marketToLimit: terms.becomesLimit = true
        case .trailFrom(_, let start): terms.trailStart = Price(cents: start)
        case .trailLimit(_, let start, let offset):
            terms.trailStart = Price(cents: start)
            terms.limitOffset = Price(cents: offset)
        case .market, .limit, .stop, .stopLimit, .trail, .marketOnOpen, .limitOnOpen,
            .marketOnClose, .limitOnClose:
            break
        }
        return terms
    }
}
