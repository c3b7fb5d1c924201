import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals
import TestSupport
import Testing
import TradingEngine

/// Tells what it is shown: sets a timer whose number is the close in cents, a second one for the volume.
private struct Witness: Strategy {
    static let declaration = StrategyDeclaration(name: "witness", summary: "tells what it sees")

    init(_ setup: StrategySetup) {}

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        context.setTimer(Int(bar.close.units / 1_000_000), at: context.now + .seconds(1))
        context.setTimer(
            Int(bar.volume.units / Quantity.unitsPerOne), at: context.now + .seconds(2))
    }
}

@Suite struct EngineCorporateActionTests {
    /// What trades on the day before has a part in it.
    private static let exDay = Make.open.day.advanced(by: 1)

    private func split(_ ratio: String) throws -> CorporateAction {
        let ratio = try #require(SplitRatio(snapping: try Quantity(ratio)))
        return CorporateAction(instrument: Rig.first, exDay: Self.exDay, kind: .split(ratio))
    }

    private func dividend(_ cents: Int64) -> CorporateAction {
        CorporateAction(
            instrument: Rig.first, exDay: Self.exDay, kind: .dividend(perShare: Price(cents: cents))
        )
    }

    private func witnessed() -> Rig {
        Rig(isPriced: false) { setup in
            let strategy = Witness(
                StrategySetup(
                    instruments: setup.instruments,
                    parameters: Parameters(defaultsOf: Witness.declaration.parameters)))
            setup.strategies = [
                StrategyInstance(
                    strategy, sizing: .fixedShares(Quantity(shares: 100)), shown: [Rig.first])
            ]
        }
    }

    /// Close and volume that the witness saw in the newest bar.
    private func shown(_ commands: [Command]) -> [Int32] {
        commands.compactMap { command in
            guard case .setTimer(let id, _) = command else { return nil }
            return id.number
        }
    }

    @Test func sevenForOneDoesNotShowInSignals() throws {
        var rig = witnessed()
        rig.close(Make.bar(0, open: 645_00, close: 645_57))
        rig.publish(.corporateAction(try split("7")))
        let after = rig.close(Make.bar(1, open: 92_70, close: 93_70))
        // 93.70 × 7; a seventh of the shares of that bar.
        #expect(shown(after).first == 655_90)
    }

    @Test func volumeIsReportedInSharesOfTheFirstDay() throws {
        var rig = witnessed()
        let before = shown(rig.close(Make.bar(0, open: 80_00, close: 80_00)))
        rig.publish(.corporateAction(try split("4")))
        let after = shown(rig.close(Make.bar(1, open: 20_00, close: 20_00)))
        try #require(before.count == 2 && after.count == 2)
        #expect(after[1] == before[1] / 4)
    }

    /// 50.00 before a dividend of 1.00 counts as 49.00 behind it: 49.00 is shown as 50.00.
    @Test func dividendsAreNoLossInSignals() {
        var rig = witnessed()
        rig.close(Make.bar(0, open: 50_00, close: 50_00))
        rig.publish(.corporateAction(dividend(1_00)))
        #expect(shown(rig.close(Make.bar(1, open: 49_00, close: 49_00))).first == 50_00)
    }

    @Test func positionsFollowASplitAndDividendsArePaid() throws {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100, cents: 50_00)
        rig.publish(.corporateAction(try split("4")))
        #expect(rig.engine.portfolio.quantity(of: Rig.first) == Quantity(shares: 400))
        #expect(rig.engine.portfolio.equity.rounded() == Money(cents: 100_000_00))
        rig.publish(.corporateAction(dividend(25)))
        #expect(rig.engine.portfolio.cash.rounded() == Money(cents: 95_100_00))
        #expect(rig.engine.portfolio.identityHolds == true)
        // The strategy knows: an exit sells all of it.
        #expect(rig.request(.exit).first?.submitted?.quantity == Quantity(shares: 400))
    }

    /// What a strategy sees as 280.00 trades at 70.00.
    @Test func pricesOfIntentsAreThoseTraded() throws {
        var rig = Rig()
        rig.price(280_00)
        rig.publish(.corporateAction(try split("4")))
        let order = rig.request(.enterAtLimit(.buy, cents: 279_97)).first?.submitted
        // 69.9925, down to a tick.
        #expect(order?.type == .limit(Price(cents: 69_99)))
    }

    @Test func whatCannotBeBookedLatches() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100, cents: 50_00)
        rig.publish(
            .corporateAction(
                CorporateAction(
                    instrument: Rig.first, exDay: Self.exDay,
                    kind: .dividend(perShare: Price(cents: -1)))))
        rig.request(.exit)
        rig.fill(2, 100, cents: 50_00)
        #expect(rig.request(.enter(.buy)).isEmpty)
    }
}

@Suite struct EngineDayTests {
    private let tuesday = NewYork.timestamp(
        on: Day(year: 2024, month: 6, day: 4) ?? Day(number: 0), at: .hours(10))

    /// Bought and sold on a Tuesday: the proceeds settle on Wednesday, T+1.
    @Test func proceedsWaitForTheirDayInACashAccount() {
        var rig = Rig { $0.settlement = SettlementCalendar() }
        rig.publish(.bar(Make.bar(0, open: 50_00, close: 50_00)), at: tuesday)
        trade(&rig, .buy, 100, base: 900, at: tuesday)
        trade(&rig, .sell, 100, base: 901, at: tuesday + .minutes(5))
        #expect(rig.engine.portfolio.cash.rounded() == Money(cents: 100_000_00))
        #expect(rig.engine.portfolio.spendableCash.rounded() == Money(cents: 95_000_00))
        rig.publish(.sliceClosed, at: tuesday + .hours(24))
        #expect(rig.engine.portfolio.spendableCash.rounded() == Money(cents: 100_000_00))
    }

    @Test func proceedsCanBeSpentAtOnceInAMarginAccount() {
        var rig = Rig()
        trade(&rig, .buy, 100, base: 900, at: tuesday)
        trade(&rig, .sell, 100, base: 901, at: tuesday + .minutes(5))
        #expect(rig.engine.portfolio.spendableCash == rig.engine.portfolio.cash)
    }

    /// 50,000 owed for two days at 7.2 percent of a year of 360 days: 20.00.
    @Test func owedCashCostsInterestByTheDay() {
        var rig = Rig { $0.debitInterest = Percent(units: 7_200_000) }
        rig.publish(.bar(Make.bar(0, open: 50_00, close: 50_00)), at: tuesday)
        trade(&rig, .buy, 3_000, base: 900, at: tuesday)
        rig.publish(.sliceClosed, at: tuesday + .hours(1))
        rig.publish(.sliceClosed, at: tuesday + .hours(48))
        #expect(rig.engine.portfolio.cash.rounded() == Money(cents: -50_020_00))
        #expect(rig.engine.portfolio.identityHolds == true)
    }

    /// Shares are bought for 1 % of the cash over twice the range: two bars of a range of 2.00 each.
    @Test func entriesAreSizedByTheRange() {
        var rig = Rig(
            sizing: .riskPerTrade(
                Percent(1), RangeDistance(length: 2, times: Percent(200))))
        #expect(rig.request(.enter(.buy)).isEmpty)
        for minute in 0..<3 {
            rig.publish(.bar(Make.bar(minute, open: 50_00, high: 51_00, low: 49_00, close: 50_00)))
        }
        // 1,000.00 / 4.00.
        #expect(rig.request(.enter(.buy)).first?.submitted?.quantity == Quantity(shares: 250))
    }

    /// An execution of nobody's order.
    private func trade(
        _ rig: inout Rig, _ side: Side, _ shares: Int64, base: Int64, at time: Timestamp
    ) {
        let execution = Execution(
            id: ExecutionID(base: base), instrument: Rig.first, side: side,
            quantity: Quantity(shares: shares), price: Price(cents: 50_00), time: time)
        rig.publish(
            .order(OrderReport(order: OrderID(number: 9_000), fact: .executed(execution))),
            at: time)
    }
}

extension Command {
    /// What is asked of the venue, if an order is sent.
    fileprivate var submitted: OrderRequest? {
        guard case .submit(let ticket) = self else { return nil }
        return ticket.request
    }
}
