import Accounting
import ClientTestSupport
import Foundation
import GatewaySimulator
import GatewayTestSupport
import Model
import Primitives
import TWSClient
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// What has to be known before a session trades.
@Suite struct StartBarrierTests {
    /// An answer of the gateway that a start waits for.
    struct Answer: Sendable, CustomStringConvertible {
        /// The messages that are held.
        let kinds: String
        /// What the status calls it; `nil` where the step says it.
        let name: String?
        /// The condition that it stays away; `nil` where the journal has not begun, and for bars.
        let condition: SessionCondition?
        var description: String { kinds }
    }

    static let answers = [
        Answer(kinds: #""contractDataEnd""#, name: "contract of AAPL", condition: nil),
        Answer(
            kinds: #""openOrderEnd""#, name: "open orders", condition: .openOrdersMissing),
        Answer(
            kinds: #""completedOrdersEnd""#, name: "completed orders",
            condition: .completedOrdersMissing),
        Answer(kinds: #""execDetailsEnd""#, name: "executions", condition: .executionsMissing),
        Answer(kinds: #""positionEnd""#, name: "positions", condition: .positionsMissing),
        Answer(
            kinds: #""accountDownloadEnd""#, name: "account values",
            condition: .accountValuesMissing),
        Answer(
            kinds: #""historicalData","historicalDataEnd""#, name: nil, condition: nil),
    ]

    /// CON-09, C-56, G16: each answer is late by minutes, one by one: no order leaves before the last of them, and what
    /// is missing has a name and is an alarm.
    @Test(arguments: answers)
    func nothingLeavesBeforeEverythingIsThere(answer: Answer) throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.gateway.fault(#"{"do":"hold","kinds":[\#(answer.kinds)]}"#)
        try rig.pass(.minutes(2))
        let status = rig.driver.status(at: rig.now)
        #expect(status.step != .trading)
        if let name = answer.name {
            #expect(status.missing.contains { $0.hasPrefix(name) && $0.contains("asked") })
        }
        if let condition = answer.condition {
            let began = rig.decisions.filter { $0.kind == .conditionBegan(condition) }
            #expect(began.map(\.kind.severity) == [.critical])
            #expect(
                rig.driver.takeAlarms().contains {
                    $0.text.contains("asked for 4 times") && $0.text.contains(answer.name ?? "")
                })
        }
        // Behind the fifth minute the strategy would have ordered.
        try rig.pass(.minutes(7))
        #expect(rig.gateway.received(.placeOrder).isEmpty)

        try rig.gateway.fault(#"{"do":"release"}"#)
        try rig.pass(until: "fills") { rig.driver.fillCount > 0 }
        if let condition = answer.condition {
            #expect(rig.decisions.contains { $0.kind == .conditionEnded(condition) })
        }
        #expect(rig.driver.status(at: rig.now).missing.isEmpty)
        try rig.expectEqualLedgers()
    }

    private static func rotation(_ symbols: String, _ more: String = "") -> String {
        """
        account: {type: margin, starting_capital: 100000}
        trading: {mode: sim, symbols: [\(symbols)], bar_size: 1m\(more)}
        strategies:
          - use: cross_sectional_momentum
            parameters:
              {lookback: 10, top: 2, invested_pct: 90, rebalance: bars, every: 5}
        """
    }

    /// CON-10: a symbol that the gateway does not know stops the start, unless the user allows it: then it is left out,
    /// which is an alarm and in the summary, and the others trade.
    @Test func unknownSymbolsAreLeftOutWhereAllowed() throws {
        let refused = try SessionRig(Self.rotation("AAPL, NOSUCH, MSFT, SPY"))
        #expect {
            try refused.pass(.seconds(30))
        } throws: { error in
            "\(error)".contains("NOSUCH") && "\(error)".contains("200")
                && "\(error)".contains("trading.allow_unqualified")
        }
        let rig = try SessionRig(
            Self.rotation("AAPL, NOSUCH, MSFT, SPY", ", allow_unqualified: true"),
            keepsHistory: true)
        try rig.pass(.minutes(20))
        #expect(rig.driver.fillCount > 0)
        #expect(rig.driver.untraded.map(\.symbol) == ["NOSUCH"])
        let alarms = rig.driver.takeAlarms().map(\.text)
        #expect(alarms.contains { $0.hasPrefix("CONTRACT_UNKNOWN NOSUCH: the broker") })
        try rig.crash()
        try rig.pass(.minutes(10))
        #expect(rig.driver.recovery?.contains("answered as before") == true)
        try rig.expectEqualLedgers()
    }

    /// CON-10, E11: a symbol of several contracts in the account's currency, and one of which there is none in it: each ends
    /// the start with its candidates, or is left out where that is allowed.
    @Test(arguments: [
        ("CSPX", ["2 contracts fit", "EBS", "LSEETF", "USD"]),
        ("NESN", ["not in the account's currency, USD", "EBS", "CHF"]),
    ])
    func aSymbolWithoutOneContractIsNamedWithItsCandidates(
        symbol: String, words: [String]
    ) throws {
        let refused = try SessionRig(Self.rotation("AAPL, \(symbol), MSFT, SPY"))
        #expect {
            try refused.pass(.seconds(30))
        } throws: { error in
            (words + [symbol, "trading.allow_unqualified"]).allSatisfy { "\(error)".contains($0) }
        }
        #expect(refused.gateway.received(.placeOrder).isEmpty)
        let rig = try SessionRig(
            Self.rotation("AAPL, \(symbol), MSFT, SPY", ", allow_unqualified: true"),
            keepsHistory: true)
        try rig.pass(.minutes(20))
        #expect(rig.driver.untraded.map(\.symbol) == [symbol])
        #expect(rig.driver.fillCount > 0)
        #expect(rig.entries(since: 0, in: 1).isEmpty)
        try rig.expectEqualLedgers()
    }

    /// CON-12: a strategy is told of each of its symbols how many past bars there were, of those that it wants.
    @Test func strategiesAreNotifiedOfPastBars() throws {
        try SessionStrategies.available {
            let rig = try SessionRig(
                """
                account: {type: margin, starting_capital: 100000}
                trading: {mode: sim, symbols: [AAPL, MSFT], bar_size: 1m}
                strategies:
                  - {use: history_reader}
                """, keepsHistory: true)
            try rig.gateway.fault(
                #"{"do":"refuse","kinds":["reqHistoricalData"],"times":1,"code":162,"text":"Historical Market Data Service error message:HMDS query returned no data: AAPL@SMART Trades"}"#
            )
            try rig.pass(.minutes(2))
            let reported = rig.driver.withEngine { engine in
                engine.strategies.compactMap { TimedStrategy.base(of: $0) as? HistoryReader }
                    .flatMap(\.coverage)
            }
            let coverage = try #require(reported)
            for (index, have) in [(0, Int32(0)), (1, 7)] {
                let own = coverage.filter { $0.instrument == InstrumentID(index: index) }
                #expect(own.map(\.have) == [have] && own.map(\.asked) == [7])
            }
        }
    }

    /// CON-10: what was learned of contracts is not asked again before it is old.
    @Test func aRestartDoesNotAskForContractsAgain() throws {
        let rig = try SessionRig()
        try rig.pass(.minutes(3))
        let asked = rig.gateway.received(.reqContractDetails).count
        #expect(asked == 4)
        try rig.crash()
        try rig.pass(.minutes(10))
        #expect(rig.driver.status(at: rig.now).step == .trading)
        #expect(rig.gateway.received(.reqContractDetails).count == asked)
        // With no time to live everything is asked for.
        try rig.crash(SessionRig.rotation + "\nibkr: {contract_cache_days: 0}")
        try rig.pass(.minutes(3))
        #expect(rig.gateway.received(.reqContractDetails).count == 2 * asked)
        try rig.expectEqualLedgers()
    }

    /// X6: the broker does not know a symbol any more that is held: it is flagged, the others trade on, and what is held
    /// stays booked.
    @Test func aHeldSymbolWithoutAContractIsFlagged() throws {
        let text = SessionRig.protected + "\nibkr: {contract_cache_days: 0}"
        let rig = try SessionRig(text, keepsHistory: true)
        func quantity() -> Quantity {
            rig.driver.withEngine { $0.portfolio.quantity(of: InstrumentID(index: 0)) } ?? .zero
        }
        try rig.pass(until: "a position", limit: .hours(4)) { quantity() != .zero }
        let held = quantity()
        try rig.gateway.fault(
            #"{"do":"refuse","kinds":["reqContractDetails"],"times":1,"code":200}"#)
        try rig.crash()
        try rig.pass(.minutes(2))
        #expect(rig.driver.untraded.map(\.symbol) == ["AAPL"])
        #expect(
            rig.decisions.contains {
                $0.kind == .conditionBegan(.contractUnknown)
                    && $0.subject.instrument == InstrumentID(index: 0)
            })
        #expect(quantity() == held)
        let count = rig.decisions.count
        try rig.pass(.minutes(30))
        #expect(
            !rig.decisions[count...].contains {
                $0.kind == .submitted(.entry) && $0.subject.instrument == InstrumentID(index: 0)
            })
        #expect(rig.gateway.received(.reqContractDetails).count < 20)
        try rig.expectEqualLedgers()
    }

    /// CON-12: a symbol whose past bars are missing is not entered until enough bars have come; the others are.
    @Test(arguments: [false, true])
    func missingHistoryHoldsASymbolUp(isAllowed: Bool) throws {
        let more = isAllowed ? ", allow_partial_hist_data: true" : ""
        let rig = try SessionRig(
            Self.rotation("AAPL, MSFT", more).replacing("top: 2", with: "top: 1"),
            keepsHistory: true)
        try rig.gateway.fault(
            #"{"do":"refuse","kinds":["reqHistoricalData"],"times":1,"code":162,"text":"Historical Market Data Service error message:HMDS query returned no data: AAPL@SMART Trades"}"#
        )
        try rig.pass(.minutes(5))
        let short = rig.decisions.filter { $0.kind == .historyShort }
        let named = short.first { $0.subject.instrument != nil }
        let instrument = try #require(named?.subject.instrument)
        #expect(instrument == InstrumentID(index: 0))
        #expect(named?.figures.all.map(\.amount) == [0, 11])
        let began = rig.decisions.filter { $0.kind == .conditionBegan(.historyMissing) }
        #expect(began.compactMap(\.subject.instrument) == (isAllowed ? [] : [instrument]))

        // A crash forgets nothing of it.
        try rig.pass(.minutes(2))
        try rig.crash()
        try rig.pass(.minutes(10))
        let entries = rig.decisions.filter { $0.kind == .submitted(.entry) }
        let finished = rig.decisions.filter { $0.kind == .conditionEnded(.historyMissing) }
        if !isAllowed {
            let end = try #require(finished.last?.at)
            #expect(end - SimulatedGateway.tuesday >= .minutes(11))
            #expect(
                !entries.contains { $0.subject.instrument == instrument && $0.at < end })
        }
        try rig.pass(.minutes(30))
        #expect(rig.driver.fillCount > 0)
        try rig.expectEqualLedgers()
    }

    private static let manySymbols = """
        AAPL DELL HPQ IBM ACN MSFT CRM ADBE NOW INTU PLTR SNOW ORCL ADP PYPL NVDA AMD INTC AVGO QCOM TXN MU ADI
        AMAT LRCX KLAC GOOGL GOOG META FB NFLX TWTR PINS AMZN EBAY BKNG UBER ABNB T VZ TMUS CSCO CMCSA CHTR DIS
        TSLA F GM HD LOW WMT TGT COST DG BBY TJX ROST MCD SBUX CMG YUM NKE UAA DAL UAL AAL MAR KO PEP MDLZ KHC
        GIS PG CL EL MO PM JNJ PFE MRK ABBV LLY BMY CVS ZTS
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    /// CON-12, C-20: the past bars of fifty symbols take less than three times as long as those of one, at a gateway
    /// that takes a second over each answer.
    @Test func manyHistoriesAreReadTogether() throws {
        func time(_ count: Int) throws -> Duration {
            let rig = try SessionRig(
                Self.rotation(Self.manySymbols.prefix(count).joined(separator: ", ")))
            try rig.gateway.fault(
                #"{"do":"hold","kinds":["historicalData","historicalDataEnd"],"seconds":1}"#)
            try rig.pass(until: "past bars") { rig.driver.status(at: rig.now).step == .trading }
            #expect(rig.gateway.violations.isEmpty)
            let asked = rig.gateway.received.first { $0.message.kind == .reqHistoricalData }
            return rig.gateway.clock.now - (try #require(asked?.time))
        }
        let (one, fifty) = (try time(1), try time(50))
        #expect(one >= .seconds(1))
        #expect(fifty.nanoseconds < 3 * one.nanoseconds, "\(fifty) against \(one)")
    }

    /// CON-13, C-20: a session of 85 symbols at a gateway that ends connections for haste: it breaks no limit, and all
    /// have their bars.
    @Test func aSessionOf85SymbolsBreaksNoLimit() throws {
        let rig = try SessionRig(
            Self.rotation(Self.manySymbols.joined(separator: ", ")), keepsHistory: true
        ) { $0.rejectsPacingViolations = true }
        try rig.pass(.minutes(14))
        #expect(rig.gateway.violations.isEmpty)
        #expect(rig.gateway.connection == 1)
        #expect(rig.gateway.received(.reqRealTimeBars).count >= 85)
        #expect(rig.driver.fillCount > 0)
        var seen: Set<InstrumentID> = []
        for event in rig.history.batches.flatMap(\.events) {
            if case .bar(let bar) = event.kind { seen.insert(bar.instrument) }
        }
        #expect(seen.count == 85)
        try rig.expectEqualLedgers()
    }

    /// DAT-01, C-20: bars of five seconds of so many symbols: sixty requests are allowed in ten minutes, so that streams
    /// come one after the other. What is missing meanwhile keeps none of them away.
    @Test func manyStreamsComeUnderTheLimit() throws {
        let symbols = Self.manySymbols.joined(separator: ", ")
        let rig = try SessionRig(
            Self.rotation(symbols).replacing("bar_size: 1m", with: "bar_size: 5s")
                .replacing("every: 5", with: "every: 60"), keepsHistory: true
        ) { $0.rejectsPacingViolations = true }
        try rig.pass(.minutes(24))
        #expect(rig.gateway.violations.isEmpty)
        #expect(rig.gateway.connection == 1)
        var seen: Set<InstrumentID> = []
        for event in rig.history.batches.flatMap(\.events) {
            if case .bar(let bar) = event.kind { seen.insert(bar.instrument) }
        }
        #expect(seen.count == 85)
    }
}
