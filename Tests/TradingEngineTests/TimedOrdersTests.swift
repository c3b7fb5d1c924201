import MarketState
import Model
import Orders
import Primitives
import TestSupport
import Testing

@testable import TradingEngine

/// Limits of working time, without an engine: a minute for 100 shares at 50.00 or better.
@Suite struct TimedOrdersTests {
    private static let first = OrderID(number: 1)
    private static let second = OrderID(number: 2)
    private static let bid = Make.request(.buy, 100, .limit(Price(cents: 50_00)))

    private func timed(_ action: WorkingTimeLimit.Action?) -> TimedOrders {
        TimedOrders(action.map { WorkingTimeLimit(.minutes(1), then: $0) }, in: .newYork)
    }

    private func entry(
        _ id: OrderID = first, _ request: OrderRequest = bid, market cents: Int64? = 50_00
    ) -> SubmittedEntry {
        SubmittedEntry(id: id, request: request, marketPrice: cents.map { Price(cents: $0) })
    }

    private func submit(
        _ entry: SubmittedEntry, to timed: inout TimedOrders, after predecessors: [OrderID] = []
    ) -> Bool {
        timed.submitted(entry, after: predecessors, at: Make.open)
    }

    @Test func onlyWhatShouldTradeAtOnceIsLimited() {
        var timed = timed(.cancel)
        #expect(submit(entry(market: 50_01), to: &timed) == false)
        #expect(submit(entry(market: nil), to: &timed) == false)
        #expect(submit(entry(Self.first, Make.request(.buy, 100)), to: &timed) == false)
        let offer = Make.request(.sell, 100, .limit(Price(cents: 50_00)))
        #expect(submit(entry(Self.first, offer, market: 49_99), to: &timed) == false)
        #expect(timed.isEmpty)
        #expect(submit(entry(Self.first, offer), to: &timed))
        #expect(submit(entry(Self.second, market: 49_99), to: &timed))
        var unlimited = self.timed(nil)
        #expect(submit(entry(), to: &unlimited) == false)
        #expect(unlimited.isEmpty)
    }

    /// An order sent before the session works from the open.
    @Test func timeBeginsWithTheSession() {
        var timed = timed(.cancel)
        let night = Make.open + .minutes(-60)
        #expect(timed.submitted(entry(), after: [], at: night) == true)
        #expect(timed.newWakeUp() == Make.open + .minutes(1))
        #expect(timed.newWakeUp() == nil)
    }

    @Test func whatIsOverdueIsCancelledOnce() {
        var timed = timed(.cancel)
        _ = submit(entry(), to: &timed)
        #expect(timed.endOverdue(at: Make.time(59)) == [])
        #expect(timed.endOverdue(at: Make.time(60)) == [Self.first])
        #expect(timed.isEmpty)
        #expect(timed.ended(Self.first, by: .cancelled(.requested)) == .none)
    }

    /// Sent anew twice, then only cancelled.
    @Test func renewalsAreCounted() {
        var timed = timed(.reprice(timesMax: 2))
        var former: [OrderID] = []
        for number in 1...2 as ClosedRange<Int64> {
            let id = OrderID(number: number)
            _ = submit(entry(id), to: &timed, after: former)
            #expect(timed.endOverdue(at: Make.time(60)) == [id])
            #expect(timed.endOverdue(at: Make.time(60)) == [])
            former.append(id)
            #expect(timed.ended(id, by: .cancelled(.requested)) == .renew(after: former))
        }
        _ = submit(entry(OrderID(number: 3)), to: &timed, after: former)
        #expect(timed.endOverdue(at: Make.time(60)) == [OrderID(number: 3)])
        #expect(timed.isEmpty)
    }

    /// Only our own cancel proves that nobody else wanted its end, and a halt ends all that.
    @Test func onlyOurOwnCancelIsFollowedByAnother() {
        for cause in [CancelCause.external, .expired, .linked] {
            var timed = timed(.escalate)
            _ = submit(entry(), to: &timed)
            _ = timed.endOverdue(at: Make.time(60))
            #expect(timed.ended(Self.first, by: .cancelled(cause)) == .none)
        }
        var timed = timed(.escalate)
        _ = submit(entry(), to: &timed)
        _ = timed.endOverdue(at: Make.time(60))
        timed.forgetAll()
        #expect(timed.ended(Self.first, by: .cancelled(.requested)) == .none)
    }

    /// An order that had ended fills after all: what was to fill the same again ends.
    @Test func aLateFillEndsTheRenewal() {
        var timed = timed(.escalate)
        _ = submit(entry(Self.second), to: &timed, after: [Self.first])
        let fill = OrderFact.executed(Make.execution(1, .buy, 100, cents: 50_00))
        #expect(timed.ended(Self.first, by: fill) == .cancel(Self.second))
        #expect(timed.isEmpty)
        #expect(timed.ended(Self.first, by: fill) == .none)
    }

    @Test func theRestGoesOnTheTermsOfTheLimit() {
        var facts = RenewalFacts(
            filled: Quantity(shares: 30), price: Price(cents: 50_10), ticks: .usShares)
        let repricing = timed(.reprice(timesMax: 1))
        #expect(
            repricing.renewal(of: Self.bid, facts)
                == .place(Make.request(.buy, 70, .limit(Price(cents: 50_10)))))
        #expect(
            timed(.escalate).renewal(of: Self.bid, facts) == .place(Make.request(.buy, 70)))
        facts.isMaintenance = true
        #expect(repricing.renewal(of: Self.bid, facts) == .none)
        facts.isMaintenance = false
        facts.price = nil
        #expect(repricing.renewal(of: Self.bid, facts) == .refuse(.cannotEvaluate))
        facts.filled = Quantity(shares: 100)
        #expect(repricing.renewal(of: Self.bid, facts) == .none)
    }
}
