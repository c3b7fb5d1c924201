import Accounting
import Model
import Orders
import Primitives
import Risk
import TestSupport
import Testing

@Suite struct RetentionTests {
    /// Property: orders and portfolio from which old orders are dropped, and which leave and enter as records, have
    /// the positions, costs, cash, equity and working quantities of those that keep everything, as long as
    /// corrections and late executions come within the retention.
    @Test(arguments: 0..<30 as Range<UInt64>)
    func droppingOldOrdersChangesNoBooks(seed: UInt64) throws {
        var events = RandomTrading(seed: seed)
        var keeping = Trading()
        var dropping = Trading()
        var dropped = 0
        for step in 0..<250 {
            let event = events.next(keeping)
            try event.happen(to: &keeping)
            try event.happen(to: &dropping)
            if step % 8 == 7 {
                dropped += dropping.drop(before: events.retained)
                dropping = try dropping.reopened()
            }
            let isSound = dropping.portfolio.identityHolds
            #expect(isSound)
            let (expected, found) = (keeping.summary, dropping.summary)
            #expect(found == expected, "\(seed), \(step)")
        }
        #expect(dropped > 0)
    }
}

/// Orders and portfolio together, without an engine.
private struct Trading: ~Copyable {
    var orders = OrderLedger(instrumentCount: 2, strategyCount: 2)
    var portfolio = PortfolioLedger(
        instruments: Make.instruments("AAA", "BBB"), strategyCount: 2, capital: Money(cents: 1_00))

    /// Takes in a report and portfolio what it tells.
    mutating func record(_ report: OrderReport, at time: Timestamp) {
        let change = orders.record(report, at: time)
        switch change.change {
        case .state, .answered: break
        case .charged(let amount):
            guard let owner = change.owner else { return }
            portfolio.charge(
                amount, to: Holding(of: .strategy(owner.strategy), in: owner.instrument))
        case .executed(let how):
            guard case .executed(let execution) = report.fact, let owner = change.owner else {
                return
            }
            book(execution, how, for: owner.strategy)
        }
    }

    private mutating func book(
        _ execution: Execution, _ how: ExecutionChange, for strategy: StrategyID
    ) {
        let replaced: Execution?
        switch how {
        case .unchanged: return
        case .added: replaced = nil
        case .replaced(let old): replaced = old
        }
        if replaced == nil, portfolio.comesLast(execution, for: .strategy(strategy)) {
            return portfolio.apply(execution, for: .strategy(strategy))
        }
        let isInPlace = portfolio.rebook(
            execution, replacing: replaced, for: .strategy(strategy),
            history: orders.executions(of: strategy, in: execution.instrument))
        #expect(isInPlace)
    }

    mutating func act(_ action: CorporateAction) {
        var histories: [PortfolioLedger.OwnerHistory] = []
        for owner in portfolio.lateOwners(of: action) {
            let strategy: StrategyID? =
                switch owner {
                case .strategy(let strategy): strategy
                case .unattributed: nil
                }
            histories.append(
                PortfolioLedger.OwnerHistory(
                    of: owner, orders.executions(of: strategy, in: action.instrument)))
        }
        _ = portfolio.apply(action, histories: histories)
    }

    mutating func drop(before time: Timestamp) -> Int {
        let dropped = orders.dropEnded(before: time)
        for history in dropped.histories {
            portfolio.fold(
                history.executions, of: .strategy(history.owner.strategy),
                in: history.owner.instrument)
        }
        return dropped.count
    }

    /// The same from records.
    func reopened() throws -> Trading {
        var copy = Trading()
        let bounds = RecordReader.Bounds(instruments: 2, strategies: 2)
        try RecordItems { orders.write(to: &$0) }.read(bounds) { try copy.orders.read(&$0) }
        try RecordItems { portfolio.write(to: &$0) }.read(bounds) { try copy.portfolio.read(&$0) }
        try copy.orders.finishReading()
        try copy.portfolio.finishReading()
        return copy
    }

    /// What must not depend on what was dropped.
    var summary: Summary {
        var summary = Summary(cash: portfolio.cash, equity: portfolio.equity, live: orders.allLive)
        for instrument in [0, 1].map(InstrumentID.init(index:)) {
            summary.working.append(orders.working.account(in: instrument))
            for strategy in [0, 1].map(StrategyID.init(index:)) {
                summary.ledgers.append(portfolio.ledger(of: .strategy(strategy), in: instrument))
            }
        }
        return summary
    }

    struct Summary: Equatable {
        let cash: ExactMoney
        let equity: ExactMoney
        let live: [OrderID]
        var working: [WorkingOrders.Sides] = []
        var ledgers: [PositionLedger] = []
    }
}

/// Random events of orders and of companies.
private struct RandomTrading {
    private var chance: SeededGenerator
    private var time: Int64 = 0
    private var base: Int64 = 0
    /// Executions that may still be corrected.
    private var reports: [(order: OrderID, execution: Execution)] = []

    /// What happens.
    enum Event {
        case submit(OrderRequest, Timestamp)
        case record(OrderReport, Timestamp)
        case act(CorporateAction)
        case mark(InstrumentID, Price)
    }

    init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    /// The time from which on executions may still be corrected or told late: five days ago.
    var retained: Timestamp { at(time - 5 * 24) }

    /// Hours after the first opening bell.
    private func at(_ hours: Int64) -> Timestamp { Make.time(hours * 3_600) }

    mutating func next(_ trading: borrowing Trading) -> Event {
        time += chance.number(in: 0...5)
        let now = at(time)
        let oldest = retained + .hours(24)
        reports.removeAll { $0.execution.time < oldest }
        let live = trading.orders.allLive
        switch chance.number(in: 0...99) {
        case 0..<25: break
        case 25..<70 where !live.isEmpty:
            return .record(fill(chance.one(of: live), trading), now)
        case 70..<78 where !live.isEmpty:
            return .record(
                OrderReport(order: chance.one(of: live), fact: .cancelled(.expired)), now)
        case 78..<84 where !reports.isEmpty: return .record(correction(), now)
        case 84..<92 where !reports.isEmpty:
            let (order, execution) = chance.one(of: reports)
            let report = CommissionReport(
                execution: execution.id, amount: Money(cents: chance.number(in: 1...50)))
            return .record(OrderReport(order: order, fact: .commission(report)), now)
        case 92..<96:
            let price = Price(cents: chance.number(in: 50_00...200_00))
            return .mark(InstrumentID(index: Int(chance.number(in: 0...1))), price)
        case 96...99: return .act(action())
        case _: break
        }
        let request = Make.request(
            chance.one(of: [.buy, .sell]), chance.number(in: 1...100),
            instrument: Int(chance.number(in: 0...1)), strategy: Int(chance.number(in: 0...1)),
            timeInForce: .goodTillCancelled)
        return .submit(request, now)
    }

    private mutating func fill(
        _ order: OrderID, _ trading: borrowing Trading
    ) -> OrderReport {
        base += 1
        let request = trading.orders.request(of: order)
        let execution = Execution(
            id: ExecutionID(base: base), instrument: request?.instrument ?? InstrumentID(index: 0),
            side: request?.side ?? .buy,
            quantity: chance.chance(percent: 60)
                ? trading.orders.open(order) : Quantity(shares: chance.number(in: 1...20)),
            price: Price(cents: chance.number(in: 50_00...200_00)),
            // Some are told some days late.
            time: at(max(0, time - (chance.chance(percent: 20) ? chance.number(in: 1...72) : 0))))
        reports.append((order, execution))
        return OrderReport(order: order, fact: .executed(execution))
    }

    private mutating func correction() -> OrderReport {
        let index = Int(chance.number(in: 0...Int64(reports.count - 1)))
        let (order, old) = reports[index]
        let new = Execution(
            id: ExecutionID(base: old.id.base, revision: Int(old.id.revision) + 1),
            instrument: old.instrument, side: old.side,
            quantity: Quantity(shares: chance.number(in: 0...30)),
            price: Price(cents: chance.number(in: 50_00...200_00)), time: old.time)
        reports[index].execution = new
        return OrderReport(order: order, fact: .executed(new))
    }

    private mutating func action() -> CorporateAction {
        let day = at(time - chance.number(in: 0...48)).day
        let ratio = SplitRatio(snapping: Quantity(units: chance.one(of: [2_00000000, 50_000_000])))
        let dividend = CorporateAction.Kind.dividend(
            perShare: Price(cents: chance.number(in: 1...300)))
        return CorporateAction(
            instrument: InstrumentID(index: Int(chance.number(in: 0...1))), exDay: day,
            kind: chance.chance(percent: 60)
                ? dividend : ratio.map(CorporateAction.Kind.split) ?? dividend)
    }
}

extension RandomTrading.Event {
    fileprivate func happen(to trading: inout Trading) throws {
        switch self {
        case .submit(let request, let time):
            var facts = RiskFacts()
            facts.price = Price(cents: 100_00)
            var gate = RiskGate(limits: nil, instrumentCount: 2)
            guard case .approved(let approved) = gate.review(request, given: facts) else {
                Issue.record("refused: \(request)")
                return
            }
            _ = trading.orders.submit(approved, at: time)
        case .record(let report, let time): trading.record(report, at: time)
        case .act(let action): trading.act(action)
        case .mark(let instrument, let price): _ = trading.portfolio.mark(instrument, at: price)
        }
    }
}
