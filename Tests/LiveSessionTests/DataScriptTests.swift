import Accounting
import ClientTestSupport
import Configuration
import GatewayTestSupport
import Journal
import MarketState
import Model
import Orders
import Primitives
import Risk
import TWSClient
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// Scripts of data, limits and of what other people do.
@Suite struct DataScriptTests {
    /// `foreign-trader`: what others trade is in the account and not in a strategy's book, and in what is not ours alone
    /// nothing is entered.
    @Test func othersTradesLeaveStrategiesBooksAlone() throws {
        let script = try FaultScript("foreign-trader", lasting: .minutes(9))
        let rig = script.rig
        try rig.expectFilledAsAtTheBroker()
        for index in rig.symbols.indices {
            var own = Quantity.zero
            for order in try rig.brokersOrders() where order["symbol"] == .text(rig.symbols[index])
            {
                guard case .number(let text)? = order["filled"] else { continue }
                let filled = try Quantity(text)
                own += order["action"] == .text("BUY") ? filled : -filled
            }
            let booked = rig.driver.withEngine {
                $0.portfolio.ledger(
                    of: .strategy(StrategyID(index: 0)), in: InstrumentID(index: index)
                )
                .quantity
            }
            #expect(booked == own, "\(rig.symbols[index])")
        }
        let foreign = rig.decisions.filter { $0.kind == .finding(.foreignPosition) }
        #expect(!foreign.isEmpty)
        let ids = rig.gateway.received(.cancelOrder).count
        #expect(ids <= rig.entries(since: 0).count * 2)
        _ = rig.gateway.control("{\"do\":\"stop\"}")
        try rig.expectNothingDoubled()
    }

    /// `pacing-police`: the broker finds nothing to punish.
    @Test func theLimitsAreKept() throws {
        let script = try FaultScript("pacing-police", lasting: .minutes(6))
        #expect(script.rig.gateway.violations.isEmpty)
        #expect(try script.rig.count(ofCode: 100) == 0)
        try script.expectNothingLost()
    }

    /// `no-permission`: the user is given the gateway's code and an advice; entries wait.
    @Test func dataWithoutPermissionComeWithAdvice() throws {
        let script = try FaultScript("no-permission", lasting: .minutes(6))
        let alarms = script.decisions.filter { $0.kind == .conditionBegan(.dataMissing) }
        #expect(Set(alarms.map(\.subject.instrument)).count == 4)
        #expect(alarms.contains { script.rig.text(of: $0).contains("420, ") })
        #expect(alarms.allSatisfy { script.rig.text(of: $0).count > 40 })
        let lacking = script.begun + .minutes(3)..<script.begun + .minutes(4)
        let entered = script.decisions.contains {
            $0.kind == .submitted(.entry) && lacking.contains($0.at)
        }
        #expect(!entered)
        try script.expectNothingLost()
    }

    /// `tick-table`: no order is refused for its price step, nor for the price that a split has changed.
    @Test func pricesLieOnTheirSteps() throws {
        let script = try FaultScript("tick-table", SessionRig.protected, lasting: .minutes(8))
        #expect(try script.rig.count(ofCode: 110) == 0)
        try script.rig.expectNothingDoubled()
    }

    /// `split-overnight`: the symbol halts, the user is notified, and behind their confirmation the books are right.
    @Test func aSplitHaltsUntilItIsConfirmed() throws {
        let script = try FaultScript("split-overnight", lasting: .minutes(4))
        let rig = script.rig
        let latch = try #require(script.decisions.first { $0.kind == .latched(.closeDiffers) })
        let instrument = try #require(latch.subject.instrument)
        #expect(latch.kind.severity == .critical)
        #expect(rig.entries(since: script.batch, in: Int(instrument.index)).isEmpty)
        try rig.instruct(
            .confirmSplit(instrument, try #require(SplitRatio(snapping: Quantity(shares: 4)))))
        try rig.instruct(.clearLatch(instrument))
        try rig.pass(.minutes(2))
        let theirs = try rig.brokersPositions().first {
            $0.symbol == rig.symbols[Int(instrument.index)]
        }
        #expect(rig.held(Int(instrument.index)) == theirs?.quantity ?? .zero)
        try rig.expectTradingGoesOn()
    }

    /// `bad-data`: what makes no sense is no bar, and nothing ends by it.
    @Test func badDataAreLeftOut() throws {
        let script = try FaultScript("bad-data", lasting: .minutes(5))
        try script.rig.expectSteadyBars()
        try script.expectNothingLost()
        script.expectWholeSeries()
    }

    /// `disk-full`, `db-locked`: see `JournalFaultTests`. Here: no order of the gateway's ledger is missing in the
    /// journal.
    @Test func everyOrderIsInTheJournal() throws {
        let rig = try SessionRig(SessionRig.guarded, keepsHistory: true)
        try rig.pass(.minutes(9))
        rig.disk.failure = .diskFull("day")
        try rig.pass(.minutes(4))
        rig.disk.failure = nil
        try rig.pass(.minutes(4))
        let known = Set(
            rig.history.batches.flatMap(\.commands).compactMap { recorded -> String? in
                guard case .submit(let ticket) = recorded.command else { return nil }
                return rig.driver.withEngine {
                    $0.brokerKey(of: ticket.id)?.reference?.description
                } ?? nil
            })
        for order in try rig.brokersOrders() {
            guard case .text(let reference)? = order["orderRef"] else { continue }
            #expect(known.contains(reference))
        }
        try rig.expectAllIsKnown()
    }
}
