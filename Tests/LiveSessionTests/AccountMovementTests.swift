import Accounting
import ClientTestSupport
import Configuration
import GatewayTestSupport
import Model
import Orders
import Primitives
import TWSClient
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// Rule 7, X5, X6, X7, E8, PRT-04, PRT-05: money and losses of the account that are not the program's doing.
@Suite struct AccountMovementTests {
    private func session(_ configuration: String = SessionRig.protected) throws -> SessionRig {
        let rig = try SessionRig(configuration, keepsHistory: true)
        // The account has more than the program may use.
        try rig.gateway.fault(#"{"do":"cash","amount":900000}"#)
        try rig.pass(until: "a position") { (try? rig.heldName()) != nil }
        return rig
    }

    private func equity(_ rig: SessionRig) throws -> Money {
        try #require(rig.driver.withEngine { $0.portfolio.equity.rounded() })
    }

    private func moved(_ rig: SessionRig, from batch: Int) throws -> [Decision] {
        try rig.decided(from: batch) { $0.topic == .accountCashMoved }
    }

    /// Payments in and out, fees: asked about once, with the amount; ours only once they are named.
    @Test(arguments: [(5_000, true), (-20_000, true), (-4.5, false)])
    func cashThatMovesIsAskedAbout(amount: Double, isTransfer: Bool) throws {
        let rig = try session()
        try rig.pass(.minutes(4))
        let batch = rig.history.batches.count
        let contributed = try #require(rig.driver.withEngine { $0.portfolio.contributed })
        try rig.gateway.fault(#"{"do":"cash","amount":\#(amount)}"#)
        try rig.pass(until: "a question", limit: .minutes(40)) {
            try !moved(rig, from: batch).isEmpty
        }
        let asked = try #require(try moved(rig, from: batch).first)
        #expect(asked.figures[.value]?.amount == Int64(amount * 1_000_000))
        #expect(asked.kind == .accountCashMoved(isTransfer ? .transfer : .fee))
        #expect((asked.kind.severity == .warning) == isTransfer)
        #expect(rig.driver.withEngine { $0.portfolio.contributed } == contributed)
        guard isTransfer else { return }
        let movement = CashMovement(.transfer, Money(units: Int64(amount * 1_000_000)))
        let before = try equity(rig)
        try rig.instruct(.cash(movement))
        #expect(try equity(rig) == before + movement.amount)
        // The high-water mark and the day's start move along: no loss is seen in it.
        try rig.pass(.minutes(10))
        #expect(try moved(rig, from: batch).count == 1)
        #expect(try rig.decided { $0.topic == .halted }.isEmpty)
    }

    /// An hour of trading in which nothing but trades happens: nothing is asked, and every figure agrees.
    @Test(arguments: 1...2)
    func tradesExplainThemselves(seed: Int) throws {
        let rig = try SessionRig(SessionRig.protected, seed: UInt64(seed), keepsHistory: true)
        try rig.gateway.fault(#"{"do":"cash","amount":900000}"#)
        try rig.pass(.minutes(75))
        #expect(rig.driver.fillCount > 2)
        #expect(try moved(rig, from: 0).isEmpty)
        #expect(try rig.decided { $0.topic == .accountDiffers }.isEmpty)
        let reported = rig.history.batches.flatMap(\.events).reduce(into: Set<AccountValue.Key>()) {
            if case .accountValue(let value) = $1.kind { $0.insert(value.key) }
        }
        #expect(
            reported.isSuperset(of: [
                .ownCurrencyCash, .netLiquidation, .unrealizedProfit, .realizedProfit,
            ]))
    }

    /// A session of one strategy that holds 100 shares without stops, and the time at which it began to.
    private func holding() throws -> SessionRig {
        let rig = try SessionRig(
            """
            account: {type: margin, starting_capital: 100000}
            trading: {mode: sim, symbols: [AAPL], bar_size: 1m}
            strategies:
              - {use: limit_buyer, sizing: {method: fixed_shares, shares: 100}}
            """, keepsHistory: true)
        try rig.pass(until: "a position") { rig.held(0) == Quantity(shares: 100) }
        try rig.pass(.seconds(20))
        return rig
    }

    /// PRT-05, E10: the broker counts another price for what is held, and the word of it was lost: profit and average cost
    /// that differ for ten minutes are warnings with both figures, each once a day.
    @Test func aProfitThatDiffersIsAWarning() throws {
        try SessionStrategies.available {
            let rig = try holding()
            try rig.gateway.fault(#"{"do":"swallow","kinds":["execDetails"]}"#)
            let paid = try #require(rig.averagePrice(0))
            // Fifty dollars a share more.
            let price = Price(units: paid.units + Price(cents: 50_00).units)
            try rig.gateway.fault(#"{"do":"correct","price":\#(price)}"#)
            try rig.pass(.minutes(9))
            #expect(rig.accountDifferences.isEmpty)
            try rig.pass(.minutes(9))
            #expect(rig.accountDifferences.contains(.unrealizedProfit))
            #expect(rig.accountDifferences.contains(.averageCost))
            let cost = try #require(
                rig.decisions.first { $0.kind == .accountDiffers(.averageCost) })
            #expect(cost.kind.severity == .warning)
            #expect(cost.subject.instrument == InstrumentID(index: 0))
            let (theirs, ours) = (cost.figures[.value]?.amount, cost.figures[.held]?.amount)
            #expect(ours == paid.units)
            // A commission of a dollar is a cent a share.
            #expect(theirs.map { $0 - price.units } == Price(cents: 1).units)
            try rig.pass(.minutes(30))
            for comparison in [AccountComparison.unrealizedProfit, .averageCost] {
                #expect(rig.accountDifferences.count { $0 == comparison } == 1)
            }
        }
    }

    /// PRT-04: the broker counts half of the position: what positions are worth differs, which is a warning.
    @Test func aNetLiquidationValueThatDiffersIsAWarning() throws {
        try SessionStrategies.available {
            let rig = try holding()
            try rig.gateway.fault(#"{"do":"swallow","kinds":["execDetails","position"]}"#)
            try rig.gateway.fault(#"{"do":"correct","quantity":50}"#)
            try rig.pass(.minutes(9))
            #expect(rig.accountDifferences.isEmpty)
            try rig.pass(.minutes(9))
            let warning = try #require(
                rig.decisions.first { $0.kind == .accountDiffers(.netLiquidation) })
            #expect(warning.kind.severity == .warning)
            let (theirs, ours) = (warning.figures[.value]?.amount, warning.figures[.held]?.amount)
            let half = try #require(ours) / 2
            // Prices of other moments: within half a percent.
            #expect(abs(try #require(theirs) - half) < half / 200)
        }
    }

    /// A payment while the program was away is found at the next start.
    @Test func cashThatMovedMeanwhileIsFound() throws {
        let rig = try session()
        try rig.pass(.minutes(4))
        let batch = rig.history.batches.count
        try rig.crash { try rig.gateway.fault(#"{"do":"cash","amount":3000}"#) }
        try rig.pass(until: "a question", limit: .minutes(40)) {
            try !moved(rig, from: batch).isEmpty
        }
        #expect(try moved(rig, from: batch).first?.figures[.value]?.amount == 3_000_000_000)
    }

    /// X7: the broker is about to liquidate: no entries, and what reduces still leaves.
    @Test func withoutMarginNothingIsEntered() throws {
        let rig = try SessionRig(SessionRig.protected, keepsHistory: true)
        try rig.pass(until: "a position") { (try? rig.heldName()) != nil }
        try rig.pass(.seconds(30))
        try rig.gateway.fault(#"{"do":"cash","amount":-98000}"#)
        try rig.pass(until: "a halt", limit: .minutes(10)) {
            try !rig.decided { $0 == .halted(.brokerMargin) }.isEmpty
        }
        let halted = rig.history.batches.count
        try rig.pass(.minutes(3))
        #expect(try rig.submitted(nil, .entry, from: halted).isEmpty)
        try rig.instruct(.flatten(.all))
        try rig.pass(until: "no position", limit: .minutes(2)) {
            try rig.settings.trading.symbols.allSatisfy { try rig.held($0) == .zero }
        }
        // With the positions closed the margin is there again.
        try rig.pass(until: "an end of the halt", limit: .minutes(1)) {
            try !rig.decided(from: halted) { $0 == .resumed(.brokerMargin) }.isEmpty
        }
    }

    /// X6: what is held cannot be traded any more: the user is called, and nothing is tried over and over.
    @Test func aSymbolThatCannotBeTradedIsNotTriedForever() throws {
        let rig = try session()
        try rig.pass(.seconds(30))
        let symbol = try rig.heldName()
        let batch = rig.history.batches.count
        try rig.gateway.fault(
            #"{"do":"refuse","kinds":["placeOrder"],"code":200,"text":"No security definition has been found for the request"}"#
        )
        try rig.gateway.fault(#"{"do":"cancel","orders":"each"}"#)
        try rig.pass(.minutes(20))
        let called = try rig.decided(symbol, from: batch) {
            $0 == .latched(.protectionFailed) || $0 == .protectionMissing
        }
        #expect(!called.isEmpty)
        #expect(try rig.submitted(symbol, .protection, from: batch).count <= 6)
        let flagged = try rig.decided(symbol, from: batch) {
            $0 == .conditionBegan(.contractUnknown)
        }
        #expect(flagged.count == 1)
    }

    /// E8: a stop fills while the program is away, and a day passes: the broker's list of executions has begun anew. The
    /// symbol waits for the user, and nothing is sent in it.
    @Test func anExecutionOfAnotherDayWaitsForTheUser() throws {
        let rig = try SessionRig(
            SessionRig.protected, at: Timestamp(seconds: 1_709_582_400), keepsHistory: true)
        try rig.pass(until: "a stop", limit: .minutes(55)) {
            try rig.gatewayOrders().contains { $0.type == "STP" && $0.isWorking }
        }
        try rig.pass(.seconds(20))
        let symbol = try #require(
            try rig.gatewayOrders().last { $0.type == "STP" && $0.isWorking }?.symbol)
        let held = try rig.held(symbol)
        let batch = rig.history.batches.count
        try rig.crash {
            // Of a stop and a target one fills: the gateway refuses to fill the other.
            _ = rig.gateway.control(#"{"do":"fill","orders":"each"}"#)
            for _ in 0..<(20 * 60 * 2) {
                rig.gateway.clock.advance(by: .seconds(30))
                _ = rig.gateway.clock.run()
            }
        }
        try rig.pass(.minutes(5))
        let called = try rig.decided(symbol, from: batch) { $0.severity == .critical }
        #expect(!called.isEmpty)
        #expect(try rig.submitted(symbol, .entry, from: batch).isEmpty)
        #expect(held > .zero)
        // Cash is provisional until the user books what is missing.
        func provisional() -> [String] {
            SessionSnapshot(of: rig.driver, symbols: rig.symbols, at: rig.now).provisional
        }
        #expect(provisional().contains(symbol))
        #expect(called.contains { rig.text(of: $0).contains("provisional") })
        let (order, execution) = try rig.missingExecution(symbol)
        try rig.instruct(.bookExecution(order, execution))
        #expect(try rig.held(symbol) == .zero)
        try rig.pass(.minutes(3))
        #expect(!provisional().contains(symbol))
    }

    /// O14: orders of ours that somebody else has cancelled: a warning, and a halt where that is configured.
    @Test(arguments: ForeignPolicy.allCases)
    func aCancelOfAnotherIsReported(policy: ForeignPolicy) throws {
        let rig = try session(
            SessionRig.protected.replacing(
                "starting_capital: 100000",
                with: "starting_capital: 100000, foreign_positions: \(policy.rawValue)"))
        try rig.pass(.seconds(30))
        let batch = rig.history.batches.count
        try rig.gateway.fault(#"{"do":"cancel","orders":"each"}"#)
        try rig.pass(.seconds(5))
        #expect(try !rig.decided(from: batch) { $0 == .finding(.cancelledOutside) }.isEmpty)
        let halts = try rig.decided(from: batch) { $0 == .halted(.foreignActivity) }
        #expect(halts.count == (policy == .halt ? 1 : 0))
    }

    /// Entries spend what the program may use and what is there: nothing is borrowed silently, whatever else the account
    /// has, in a cash account and in one that could borrow.
    @Test(arguments: ["cash", "margin"], 1...2)
    func nothingIsBorrowedSilently(type: String, seed: Int) throws {
        let rig = try SessionRig(
            SessionRig.rotation.replacing("type: margin", with: "type: \(type)")
                .replacing("invested_pct: 90", with: "invested_pct: 99"),
            seed: UInt64(seed), keepsHistory: true)
        try rig.pass(.minutes(45))
        #expect(rig.driver.fillCount > 3)
        var least = Money(cents: 10_000_000)
        for batch in rig.history.batches {
            for event in batch.events {
                guard case .accountValue(let value) = event.kind, value.key == .ownCurrencyCash
                else { continue }
                least = min(least, value.amount)
            }
        }
        #expect(least >= .zero, "\(least)")
    }
}

extension SessionRig {
    /// What a unit of an instrument's position has cost by the session's ledger.
    fileprivate func averagePrice(_ index: Int) -> Price? {
        driver.withEngine {
            $0.portfolio.ledger(
                of: .strategy(StrategyID(index: 0)), in: InstrumentID(index: index)
            ).averagePrice(multiplier: 1)
        } ?? nil
    }

    /// What the gateway has filled of a stop or target in a symbol that the session does not know of, as the user books it
    /// by a statement.
    fileprivate func missingExecution(_ symbol: String) throws -> (OrderID, Execution) {
        for order in try brokersOrders() where order["symbol"] == .text(symbol) {
            guard case .array(let executions)? = order["executions"],
                case .text(let reference)? = order["orderRef"],
                case .number(let price)? = executions.first?["price"],
                case .number(let quantity)? = order["filled"],
                let ticket = unfilled(reference)
            else { continue }
            let execution = Execution(
                id: ExecutionID(base: 1_000_000), instrument: ticket.request.instrument,
                side: ticket.request.side, quantity: try Quantity(quantity),
                price: try Price(price), time: now - .hours(12))
            return (ticket.id, execution)
        }
        throw Missing(what: "an execution that the session does not know")
    }

    /// The order of a reference, if the session knows no execution of it.
    private func unfilled(_ reference: String) -> OrderTicket? {
        driver.withEngine { engine in
            for index in engine.orders.records.indices {
                let record = engine.orders.records[index]
                guard engine.brokerKey(of: record.ticket.id)?.reference?.description == reference,
                    record.facts.filled == .zero
                else { continue }
                return record.ticket
            }
            return nil
        } ?? nil
    }
}
