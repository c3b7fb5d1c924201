import Model
import Primitives
import Reporting
import Testing

@Suite struct OrderEfficiencyTests {
    /// Session 0: three submissions and a cancellation, one order executed in two fills: 4 / 2.
    /// Session 1: one submission and two cancellations, of which one was asked for; the order of
    /// session 0 executes again: 2 / 2.
    @Test func theWorstSessionCounts() throws {
        var record = RunRecord.sessions(startingWith: 100, equityInCents: [100, 100])
        let cancelled = OrderOutcome.cancelled(.requested)
        record.orders = [
            .numbered(1, submitted: -30), .numbered(2, submitted: -20, cancelled, finishedAt: -10),
            .numbered(3, submitted: -5, cancelled, finishedAt: 60),
            .numbered(4, submitted: 30, .cancelled(.expired), finishedAt: 90),
        ]
        record.fills = [-15, -12, 20].map { minute in
            .of(order: 1, .buy, 1, atCents: 100, minute: minute)
        }
        let efficiency = try #require(OrderEfficiency(of: record))
        #expect(efficiency.ratio == 2)
        #expect(efficiency.day == day(0))
    }

    /// Session 0: one submission. Session 1: one order executes, three changes of another were asked for:
    /// 3 / 2. Without them the ratio were 1 / 1, of session 0.
    @Test func changesOfOrdersAreMessages() throws {
        var record = RunRecord.sessions(startingWith: 100, equityInCents: [100, 100])
        record.orders = [.numbered(1, submitted: -30)]
        record.fills = [.of(order: 1, .buy, 1, atCents: 100, minute: 20)]
        record.revisions = [10, 20, 30].map { minute in
            RevisionRecord(order: OrderID(number: 1), at: opening + .minutes(minute))
        }
        let efficiency = try #require(OrderEfficiency(of: record))
        #expect(efficiency.ratio == 1.5)
        #expect(efficiency.day == day(1))
    }

    /// Ten orders in session 1 and none executed: 10 / 1. What comes behind the last session belongs
    /// to it: two more.
    @Test func messagesBehindTheLastSessionBelongToIt() throws {
        var record = RunRecord.sessions(startingWith: 100, equityInCents: [100, 100])
        record.orders = (1...10).map { .numbered($0, submitted: 100) }
        record.orders += [11, 12].map { .numbered($0, submitted: 10_000) }
        let efficiency = try #require(OrderEfficiency(of: record))
        #expect(efficiency.ratio == 12)
        #expect(efficiency.day == day(1))
    }

    /// A decision at the close is sent in the time in which the session ends.
    @Test func theLastTimeBelongsToItsSession() throws {
        var record = RunRecord.sessions(startingWith: 100, equityInCents: [100, 100, 100])
        record.orders = [.numbered(1, submitted: 24 * 60)]
        #expect(try #require(OrderEfficiency(of: record)).day == day(1))
    }

    @Test func withoutOrdersThereIsNoRatio() {
        #expect(OrderEfficiency(of: .uneventful) == nil)
        #expect(
            OrderEfficiency(of: .sessions(startingWith: 100, equityInCents: [100])) == nil)
        var record = RunRecord.uneventful
        record.orders = [.numbered(1, submitted: 0)]
        #expect(OrderEfficiency(of: record) == nil)
    }
}

extension OrderRecord {
    /// An order of that number, sent and ended minutes after the opening.
    static func numbered(
        _ number: Int64, submitted: Int64 = 0, _ state: OrderOutcome = .filled,
        finishedAt: Int64? = nil,
        type: OrderType = .market, side: Side = .buy
    ) -> OrderRecord {
        OrderRecord(
            ticket: OrderTicket(
                id: OrderID(number: number),
                request: OrderRequest(
                    strategy: StrategyID(index: 0), instrument: InstrumentID(index: 0), side: side,
                    quantity: Quantity(shares: 1), type: type, timeInForce: .day, purpose: .entry,
                    reason: .none)),
            submitted: opening + .minutes(submitted), state: state, filled: .zero,
            averagePrice: nil, commission: .zero,
            finishedAt: finishedAt.map { opening + .minutes($0) })
    }
}

extension FillRecord {
    /// A fill of an order, minutes after the opening.
    static func of(
        order: Int64, _ side: Side, _ shares: Int64, atCents cents: Int64, minute: Int64,
        instrument: Int = 0
    ) -> FillRecord {
        let fill = FillRecord.sample(
            side, shares, atCents: cents, minute: minute, instrument: instrument)
        return FillRecord(
            execution: fill.execution, order: OrderID(number: order), strategy: fill.strategy,
            commission: fill.commission, reason: fill.reason)
    }
}
