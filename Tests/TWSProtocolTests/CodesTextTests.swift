import Primitives
import TWSProtocol
import Testing

@Suite struct CodesTextTests {
    private func reading(
        _ code: Int, _ text: String, after asked: Asked = .unknown
    ) -> CodeReading {
        CodePolicy.standard.reading(of: code, text: text, after: asked)
    }

    private static let history = "Historical Market Data Service error message:"

    @Test(arguments: [
        ("Historical data request pacing violation", CodeCause.pacing, CodeEffect.backOff),
        ("HMDS query returned no data: EUR.USD@IDEALPRO Ask", .noData, .rejected),
        (
            "HMDS server disconnect occurred.  Attempting reconnection", .noService,
            .subscriptionTerminated(cancelFirst: false)
        ),
        ("API historical data query cancelled: 28", .cancelled, .rejected),
        ("API scanner subscription cancelled: 3", .cancelled, .rejected),
        ("No market data permissions for NYSE STK", .permission, .rejected),
        (
            "Trading TWS session is connected from a different IP address", .competingSession,
            .rejected
        ),
    ])
    func historyReportsWhy(text: String, cause: CodeCause, effect: CodeEffect) {
        let reading = reading(162, Self.history + text)
        #expect(reading.kind == .reject && reading.scope == .request)
        #expect(reading.cause == cause && reading.effect == effect)
    }

    /// The gateway speaks its user's language.
    @Test func historyInAnotherLanguageIsARefusal() {
        let reading = reading(
            162, "Mensaje de error de los servicios de datos de mercado históricos:invalid step: 1")
        #expect(reading.cause == nil && reading.effect == .rejected && reading.kind == .reject)
    }

    @Test func whatWasCancelledHereIsNoNews() {
        let text = Self.history + "API historical data query cancelled: 28"
        #expect(reading(162, text, after: .cancel).kind == .information)
        let account = "API client has been unsubscribed from account data."
        #expect(reading(2100, account, after: .cancel).kind == .information)
        #expect(reading(2100, account).kind == .warning)
        #expect(reading(202, "Order Canceled - reason:", after: .cancel).kind == .information)
        #expect(reading(202, "Order Canceled - reason:").kind == .reject)
        #expect(!reading(202, "", after: .cancel).asksForOrderState)
    }

    @Test(arguments: [110, 201, 321])
    func aRefusedChangeLeavesTheOrder(code: Int) {
        let changed = reading(code, "", after: .change)
        #expect(changed.scope == .change && changed.effect == .orderStays)
        #expect(changed.kind == .reject && changed.asksForOrderState)
        #expect(reading(code, "", after: .begin).effect == .rejected)
    }

    @Test(arguments: [
        (
            "Order rejected - reason:YOUR ORDER IS NOT ACCEPTED. IN ORDER TO OBTAIN THE DESIRED "
                + "POSITION YOUR EQUITY WITH LOAN VALUE [1000] MUST EXCEED THE INITIAL MARGIN [1500]",
            CodeCause.funds
        ),
        ("Order rejected - reason:No trading permissions.", .permission),
        ("Order rejected - reason:The exchange is closed.", .hours),
        ("Order rejected - reason:LGSZ", .size),
        ("Order rejected - reason:The contract is not available for short sale.", .shortSale),
        ("Order rejected - reason:Limit price too far outside of NBBO", .price),
        ("Order rejected - reason:Potential pattern day trader", .dayTrading),
    ])
    func refusedOrdersReportWhy(text: String, cause: CodeCause) {
        let reading = reading(201, text)
        #expect(reading.cause == cause && reading.kind == .reject && reading.scope == .order)
        #expect(reading.advice != CodePolicy.standard.reading(of: 201).advice)
    }

    @Test func otherTexts() {
        let readOnly = reading(
            321,
            "Error validating request.-'bW' : cause - The API interface is currently in Read-Only "
                + "mode.")
        #expect(readOnly.cause == .readOnly && readOnly.advice.contains("read-only"))
        let ticks = "Failed to request tick-by-tick data:"
        #expect(reading(10189, ticks + "No market data permissions").cause == .permission)
        #expect(reading(10189, ticks).effect == .rejected)
        let realTime = "Invalid Real-time Query:Historical data request pacing violation"
        #expect(reading(420, realTime).effect == .backOff)
        #expect(reading(322, "Error processing request: Duplicate ticker id").cause == .duplicate)
        let summaries = "Maximum number of account summary requests exceeded"
        #expect(reading(322, summaries).effect == .freeSlot)
        let waits =
            "Order Message: BUY 1 SPY Warning: your order will not be placed at the exchange until "
            + "2024-01-02 09:30:00 US/Eastern"
        #expect(reading(399, waits).effect == .orderWaits && reading(399, waits).cause == .hours)
        #expect(reading(399, "Order Message: rejected by the exchange").asksForOrderState)
    }

    @Test(arguments: [
        (2103, "Market data farm connection is broken:usfarm", "usfarm"),
        (2104, "Market data farm connection is OK:usfarm.nj", "usfarm.nj"),
        (2106, "HMDS data farm connection is OK:ushmds", "ushmds"),
        (
            2107,
            "HMDS data farm connection is inactive but should be available upon demand.ushmds",
            "ushmds"
        ),
        (
            2108,
            "Market data farm connection is inactive but should be available upon demand.usfarm.nj",
            "usfarm.nj"
        ),
        (2119, "Market data farm is connecting: usfuture ", "usfuture"),
        (2158, "Sec-def data farm connection is OK:secdefil", "secdefil"),
    ])
    func farmsAreNamed(code: Int, text: String, name: String) {
        #expect(reading(code, text).farms.map(\.name) == [name])
    }

    @Test(arguments: ["", ":", ".", "A data farm is disconnected.", "broken: no name here", "ä:ö"])
    func whatIsNotANameIsNone(text: String) {
        #expect(reading(2103, text).farms == [])
        #expect(reading(2103, text).effect == .farm(.marketData, .broken))
    }

    @Test func aRestoredLinkListsItsFarms() {
        let all = reading(
            1102,
            "Connectivity between IBKR and Trader Workstation has been restored - data maintained. "
                + "All data farms are connected: usfarm.nj; cashfarm; ushmds.")
        #expect(all.farms.map(\.name) == ["usfarm.nj", "cashfarm", "ushmds"])
        #expect(all.farms.allSatisfy { $0.state == .ok })
        let some = reading(
            1101,
            "Restored. The following farms are connected: usfarm; ushmds. The following farms are "
                + "not connected: usfarm.nj; jfarm.")
        #expect(some.farms.filter { $0.state == .ok }.map(\.name) == ["usfarm", "ushmds"])
        #expect(some.farms.filter { $0.state == .broken }.map(\.name) == ["usfarm.nj", "jfarm"])
    }

    /// Whatever the text, a code keeps what it is about, and a known warning never turns into
    /// something that ends the session.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func textsOnlyRefine(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let words = [
            "pacing", "no data", "cancel", "permission", "rejected", "size", ":", ".", "not ",
            "connected:", ";", "usfarm", "é", "\u{0}", "\r\n", " ", "until", "MARGIN",
        ]
        for row in CodePolicy.rows {
            let text = (0..<Int.random(in: 0..<8, using: &generator)).map { _ in
                words[Int.random(in: 0..<words.count, using: &generator)]
            }.joined()
            let reading = reading(row.codes.lowerBound, text)
            #expect(reading.scope == row.scope)
            #expect(reading.kind == row.kind || row.codes == 399...399)
        }
    }
}
