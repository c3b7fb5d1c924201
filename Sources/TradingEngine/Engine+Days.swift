import Accounting
import MarketState
public import Model
import Orders
import Primitives
import Risk

/// What changes from one day to the next, whatever happens in the market.
struct DayTracker: Sendable {
    private let calendar: SessionCalendar
    private let settlement: SettlementCalendar?
    private let debitInterest: Percent
    /// The day; `nil` before the first event.
    private(set) var today: Day?

    init(_ setup: EngineSetup) {
        calendar = setup.calendar
        settlement = setup.settlement
        debitInterest = setup.debitInterest
    }

    /// Whether today is a day on which the market is open.
    var isTradingDay: Bool { today.map(calendar.hasSession(on:)) ?? false }

    /// Whether the market is in regular hours.
    func isInSession(_ time: Timestamp) -> Bool {
        calendar.session(containing: time) != nil
    }

    /// When the cash of an execution settles; `nil` where it can be spent at once.
    func settlementDay(of execution: Execution) -> Day? {
        settlement?.settlementDay(ofTradeOn: calendar.day(of: execution.time))
    }

    /// Goes back to a day that had begun. Returns its end.
    mutating func restore(_ day: Day) -> Timestamp {
        today = day
        return calendar.dayEnd(of: day)
    }

    /// Goes on to the day of a timestamp. Returns it, its end, and the interest for the days since the one
    /// before.
    fileprivate mutating func advance(
        to time: Timestamp, _ portfolio: borrowing PortfolioLedger
    ) -> (day: Day, end: Timestamp, interest: Money?) {
        let day = calendar.day(of: time)
        let days = today.map { Int(day.number) - Int($0.number) } ?? 0
        today = day
        let owed =
            days > 0 && debitInterest > .zero
            ? portfolio.debitInterest(atYearly: debitInterest, days: days) : nil
        return (day, calendar.dayEnd(of: day), owed)
    }
}

extension Engine {
    /// Begins a day, unless the event is one of a session's opening: the state that is read then says which day it
    /// was.
    @usableFromInline
    mutating func beginDay(before kind: Event.Kind, into output: inout EngineOutput) {
        switch kind {
        case .sessionOpened, .opening, .openingComplete: break
        case .bar, .quote, .trade, .history, .historyComplete, .sliceClosed, .order, .brokerOrder,
            .listing, .link, .accountValue, .name, .corporateAction, .timer, .cashMovement,
            .signal, .shadowResult, .operatorRequest, .condition, .dailyClose, .clock:
            beginDay(into: &output)
        }
    }

    /// A new day: what settles today settles, and what was owed since yesterday costs interest.
    ///
    /// It begins with the first event behind the end of the day before, and at that end behind the slice
    /// that is complete then: bars that end at midnight belong to the day that is over.
    @usableFromInline
    mutating func beginDay(into output: inout EngineOutput) {
        let former = days.today
        let (day, end, interest) = days.advance(to: now, portfolio)
        if let former, isDropDay(behind: former, day), orders.records.count > Self.keptOrders {
            dropOldOrders()
        }
        dayEnd = end
        if let interest, interest > .zero {
            portfolio.recordInterest(Money(units: -interest.units))
        }
        if let due = portfolio.nextSettlement, due <= day { portfolio.settle(through: day) }
        beginDayOfMonitor(into: &output)
        guard hasBroker else { return }
        beginDayOfComparisons()
    }

    // MARK: Orders of long ago

    /// Drops orders that ended so long ago that nobody reports anything about them any more: what is left of
    /// them are positions, money and what was recorded.
    private mutating func dropOldOrders() {
        let dropped = orders.dropEnded(before: now - Self.retention, keeping: orderReferences)
        for history in dropped.histories {
            portfolio.fold(
                history.executions, of: .strategy(history.owner.strategy),
                in: history.owner.instrument)
        }
    }

    /// Whether old orders are dropped as a day begins: in a session on each, so that what it keeps does not grow; in a
    /// backtest once in four weeks, so that few are looked at twice.
    private func isDropDay(behind former: Day, _ day: Day) -> Bool {
        hasBroker || former.number / 28 != day.number / 28
    }

    /// How many orders are kept whenever they ended: few are not worth the work.
    static var keptOrders: Int { 500 }

    /// How long an order is kept behind its end: a broker's lists and corrections are of the day or of the one
    /// after, and a long weekend lies between.
    static var retention: Duration { .hours(24 * 8) }

    /// The texts that the engine refers to, and those that name executions of orders which are kept.
    package var namesInUse: NamesInUse {
        var names = NamesInUse()
        names.oldestExecution = orders.oldestExecution(since: now - Self.retention).map {
            NameID(index: Int($0))
        }
        names.others = outside.symbolNames
        return names
    }

    /// The orders and groups that the engine refers to.
    private var orderReferences: OrderLedger.References {
        var references = OrderLedger.References()
        references.orders = plans.orders + timed.orders + groups.orders
        references.groups = plans.groups
        references.orders += monitor.purchases.entries.map(\.order)
        return references
    }
}
