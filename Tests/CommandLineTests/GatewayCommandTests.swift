import Foundation
import Primitives
import Synchronization
import TWSProtocol
import Testing

/// `gateway ping` and `explore` against a gateway of the tests' own.
@Suite struct GatewayCommandTests {
    private let program: BuiltProgram

    init() throws { program = try BuiltProgram() }

    private func json(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// Runs `gateway ping` and measures it.
    private func ping(_ port: Int, _ more: String...) throws -> (BuiltProgram.Run, TimeInterval) {
        let begin = Date()
        let run = try program.run(
            ["gateway", "ping", "--host", "127.0.0.1", "--port", "\(port)"] + more)
        return (run, Date().timeIntervalSince(begin))
    }

    /// CON-01: version, accounts, next id and clock.
    @Test func pingReportsWhatAGatewayIs() throws {
        let gateway = try TestGateway(.serves(Self.script))
        defer { gateway.stop() }
        let (run, _) = try ping(gateway.port, "--client-id", "9")
        #expect(run.status == 0, "\(run.errors)")
        for words in ["server_version", "200", "DU***67", "next_order_id", "42", "clock_skew_ms"] {
            #expect(run.output.contains(words))
        }
        #expect(!run.output.contains("DU1234567"))
        let (open, _) = try ping(gateway.port, "--json", "--show-accounts")
        let object = try json(open.output)
        #expect(object["server_version"] as? Int == 200)
        #expect(object["next_order_id"] as? Int == 42)
        #expect(object["accounts"] as? [String] == ["DU1234567"])
        // A minute ahead, told in milliseconds; half a round trip on one machine is next to nothing.
        let skew = try #require(object["clock_skew_ms"] as? Int)
        #expect((59_000...61_000).contains(skew))
    }

    /// What was recorded is read by the command that reads frames.
    @Test func aPingIsRecordedAsItTravelled() throws {
        let gateway = try TestGateway(.serves(Self.script))
        defer { gateway.stop() }
        let (run, _) = try ping(gateway.port, "--record", "seen")
        #expect(run.status == 0, "\(run.errors)")
        for (side, words) in [
            ("server", ["handshake", "managedAccounts", "nextValidId", "currentTime"]),
            ("client", ["handshake", "startApi", "reqCurrentTime"]),
        ] {
            let decoded = try program.run(
                "wire", "decode", "--server-version", "200", "--from", side, "seen-1.\(side)")
            #expect(decoded.status == 0, "\(decoded.errors)")
            for word in words { #expect(decoded.output.contains("\"message\":\"\(word)")) }
        }
        let (repeated, _) = try ping(gateway.port, "--record", "seen")
        #expect(repeated.status == 1)
        #expect(repeated.errors.contains("seen-1.client"))
    }

    /// CON-02: a wrong port is refused at once, with the place.
    @Test func aWrongPortIsNamed() throws {
        let port = try TestGateway.freePort()
        let (run, seconds) = try ping(port)
        #expect(run.status == 4)
        #expect(run.errors.contains("connection refused at 127.0.0.1:\(port)"))
        #expect(seconds < 5)
        let (reported, _) = try ping(port, "--json")
        #expect(reported.status == 4)
        #expect(try json(reported.output)["connected"] as? Bool == false)
    }

    @Test func silenceIsNamedInUnderFiveSeconds() throws {
        let gateway = try TestGateway(.staysSilent)
        defer { gateway.stop() }
        let (run, seconds) = try ping(gateway.port)
        #expect(run.status == 4)
        #expect(run.errors.contains("login screen"), "\(run.errors)")
        #expect(seconds < 5)
    }

    @Test func anotherProtocolIsNamed() throws {
        let words = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"
        let gateway = try TestGateway(.answers(Array(words.utf8)))
        defer { gateway.stop() }
        let (run, seconds) = try ping(gateway.port)
        #expect(run.status == 4)
        #expect(run.errors.contains("127.0.0.1:\(gateway.port)"))
        #expect(run.errors.contains("does not speak the TWS protocol"))
        #expect(seconds < 5)
    }

    @Test func aClientIDInUseIsNamed() throws {
        let gateway = try TestGateway(.refusesClientID)
        defer { gateway.stop() }
        let (run, seconds) = try ping(gateway.port, "--client-id", "9")
        #expect(run.status == 4)
        #expect(run.errors.contains("client id 9 is in use"))
        #expect(seconds < 5)
    }

    @Test func aVersionThatIsNotOfferedIsNamed() throws {
        let gateway = try TestGateway(.isOld)
        defer { gateway.stop() }
        let (run, seconds) = try ping(gateway.port)
        #expect(run.status == 4)
        #expect(run.errors.contains("too old (server version 163 is needed)"), "\(run.errors)")
        #expect(seconds < 5)
    }

    @Test func optionsThatMakeNoSenseAreUsage() throws {
        #expect(try ping(70_000).0.status == 2)
        #expect(try program.run("explore", "history", "AAA", "--size", "7 min").status == 2)
        #expect(try program.run("explore", "history", "AAA", "--duration", "x").status == 2)
        #expect(try program.run("explore", "history", "AAA", "--to", "2024-01-01").status == 2)
        #expect(try program.run("explore", "positions", "--csv", "--json").status == 2)
    }

    /// A replay without data ends as other commands do, and says what to give.
    @Test func replayOfNothingStatesWhatToGive() throws {
        try FileManager.default.createDirectory(
            at: program.folder.appendingPathComponent("empty"), withIntermediateDirectories: true)
        try program.write("date,open,high,low,close,volume\n", to: "bars.txt")
        try program.write(
            "date,open,high,low,close,volume\n2024-01-03 09:30:00,10,11,9,10.5,100\n",
            to: "ZONE.csv")
        try program.write(
            "date,open,high,low,close,volume\n2024-01-03T09:30:00Z,10,11,9,10.5,100\n",
            to: "ONE.csv")
        let folder = "Give --data a folder with bars or ticks in SYMBOL.csv or SYMBOL.csv.gz files"
        for (path, finding, remedy) in [
            ("nowhere", "nowhere: could not be found", folder),
            ("empty", "empty: holds no SYMBOL.csv", folder),
            ("bars.txt", "bars.txt: is no bar file", folder),
            ("ZONE.csv", "does not say its time zone", "Write times with their zone"),
            ("ONE.csv", "a single row", "Tell martlet data pack by --bar-size"),
        ] {
            let run = try program.run(
                "gateway", "run", "--port", "0", "--market", "replay", "--data", path)
            #expect(run.status == 6, "\(path)")
            #expect(run.output.isEmpty)
            #expect(run.errors.contains(finding), "\(run.errors)")
            #expect(run.errors.contains(remedy), "\(run.errors)")
            #expect(!run.errors.contains("backtest."), "\(run.errors)")
        }
    }

    /// Host, port and client id of section `ibkr`, and above them the options.
    @Test func theConfigurationNamesTheGateway() throws {
        let gateway = try TestGateway(.serves(Self.script))
        defer { gateway.stop() }
        try program.write("ibkr: {port: \(gateway.port), client_id: 12}\n", to: "gateway.yaml")
        let run = try program.run("gateway", "ping", "--config", "gateway.yaml", "--json")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try json(run.output)["client_id"] as? Int == 12)
        let wrong = try program.run(
            "gateway", "ping", "--set", "ibkr.port=0")
        #expect(wrong.status == 3)
    }

    @Test func exploreShowsWhatTheGatewayKnows() throws {
        let gateway = try TestGateway(.serves(Self.script))
        defer { gateway.stop() }
        func run(_ arguments: String...) throws -> BuiltProgram.Run {
            let run = try program.run(["explore"] + arguments + ["--port", "\(gateway.port)"])
            #expect(run.status == 0, "\(arguments): \(run.errors)")
            return run
        }
        #expect(try run("accounts").output.contains("NetLiquidation"))
        let positions = try run("positions", "--csv").output
        #expect(positions.contains("DU***67,265598,AAPL,STK,USD,10,187.25"))
        #expect(try run("positions", "--account", "DU0000000").output == "No positions.\n")
        let orders = try json(try run("orders", "--json").output)
        #expect((orders["orders"] as? [[String: Any]])?.first?["limit"] as? Double == 180.5)
        let contracts = try run("contracts", "AAPL", "--csv").output
        #expect(contracts.contains("265598,AAPL,STK,SMART,NASDAQ,USD"))
        #expect(try run("contracts", "NONE").output == "No contracts.\n")
        let quotes = try run("quotes", "AAPL").output
        #expect(quotes.contains("187.25") && quotes.contains("delayed"))
        let bars = try run("history", "AAPL", "--size", "1 min", "--csv").output
        #expect(bars.contains("2023-11-14T22:13:00Z,1,3,0.5,2,7"))
    }

    // MARK: - The gateway's answers

    private static func apple() -> Contract {
        var contract = Contract.stock("AAPL", primaryExchange: "NASDAQ")
        contract.conId = 265_598
        return contract
    }

    @Sendable private static func script(_ message: ClientMessage) -> [GatewayMessage] {
        switch message {
        case .reqCurrentTimeInMillis:
            var answer = CurrentTimeInMillis()
            answer.timeInMillis = Int64(Date().timeIntervalSince1970 * 1_000) + 60_000
            return [.currentTimeInMillis(answer)]
        case .reqAccountSummary(let question):
            var row = AccountSummary()
            row.reqId = question.reqId
            row.account = "DU1234567"
            row.tag = "NetLiquidation"
            row.value = "1000.5"
            var end = AccountSummaryEnd()
            end.reqId = question.reqId
            return [.accountSummary(row), .accountSummaryEnd(end)]
        case .reqPositions:
            var held = Position()
            held.account = "DU1234567"
            held.contract = apple()
            held.position = 10
            held.avgCost = 187.25
            return [.position(held), .positionEnd(PositionEnd())]
        case .reqAllOpenOrders:
            var order = Order()
            order.action = .buy
            order.orderType = .limit
            order.totalQuantity = 5
            order.lmtPrice = 180.5
            order.tif = .day
            order.account = "DU1234567"
            let open = OpenOrder(of: PlaceOrder(3, apple(), order))
            return [.openOrder(open), .openOrderEnd(OpenOrderEnd())]
        default: return marketScript(message)
        }
    }

    private static func marketScript(_ message: ClientMessage) -> [GatewayMessage] {
        let request = message.requestID ?? 0
        switch message {
        case .reqContractDetails(let question):
            guard question.contract.symbol == "AAPL" else { return [code(200, request)] }
            var details = ContractData()
            details.reqId = request
            details.contract = apple()
            var end = ContractDataEnd()
            end.reqId = request
            return [.contractData(details), .contractDataEnd(end)]
        case .reqMktData:
            // Live data are not subscribed: the second question is for delayed ones.
            guard delayed.isAskedFor else { return [code(10_168, request)] }
            var price = TickPrice()
            price.reqId = request
            price.tickType = .delayedBid
            price.price = 187.25
            price.size = 3
            var end = TickSnapshotEnd()
            end.reqId = request
            return [.tickPrice(price), .tickSnapshotEnd(end)]
        case .reqMarketDataType(let question):
            delayed.isAskedFor = question.marketDataType == .delayed
            return []
        case .reqHistoricalData:
            var data = HistoricalData()
            data.reqId = request
            var bar = HistoricalBar()
            bar.date = .epoch(1_699_999_980)
            (bar.open, bar.high, bar.low, bar.close, bar.volume) = (1, 3, 0.5, 2, 7)
            data.bars = [bar]
            var end = HistoricalDataEnd()
            end.reqId = request
            return [.historicalData(data), .historicalDataEnd(end)]
        default: return []
        }
    }

    private static let delayed = DelayedChoice()

    private static func code(_ number: Int32, _ request: RequestID) -> GatewayMessage {
        var message = ErrorMessage()
        message.id = request.rawValue
        message.errorCode = number
        message.errorString = "words"
        return .error(message)
    }
}

/// How fresh data were asked for last.
private final class DelayedChoice: Sendable {
    private let state = Mutex(false)
    var isAskedFor: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
