import GatewaySimulator
import Primitives
import TWSProtocol
import Testing

@Suite struct ScannerTests {
    private let rig = GatewayRig()

    /// What the market shows: symbol, close before, last price and shares traded.
    private func show(_ market: [(symbol: String, close: Int64, last: Int64, volume: Int64)]) {
        var readings: [InstrumentID: ScanReading] = [:]
        for row in market {
            guard let id = rig.gateway.contracts.id(ofSymbol: row.symbol) else {
                Issue.record("\(row.symbol) is not listed")
                continue
            }
            var reading = ScanReading()
            reading.previousClose = Price(cents: row.close * 100)
            reading.last = Price(cents: row.last * 100)
            reading.volume = Quantity(shares: row.volume)
            readings[id] = reading
        }
        rig.gateway.scanReading = { readings[$0] ?? ScanReading() }
    }

    private func request(_ code: String, _ id: RequestID = 1) -> ReqScannerSubscription {
        var request = ReqScannerSubscription()
        request.reqId = id
        request.instrument = "STK"
        request.locationCode = "STK.US.MAJOR"
        request.scanCode = code
        return request
    }

    private func symbols(_ messages: [GatewayMessage]) -> [[String]] {
        messages.compactMap {
            guard case .scannerData(let data) = $0 else { return nil }
            #expect(data.rows.map(\.rank) == (0..<Int32(data.rows.count)).map { $0 })
            return data.rows.map(\.contract.symbol)
        }
    }

    private func codes(_ messages: [GatewayMessage]) -> [Int32] {
        messages.compactMap {
            guard case .error(let error) = $0 else { return nil }
            return error.errorCode
        }
    }

    private func usual() {
        show([
            ("AAPL", 200, 210, 100_000_000), ("MSFT", 400, 440, 10_000_000),
            ("IBM", 200, 190, 9_000_000), ("SPY", 500, 505, 40_000_000),
        ])
    }

    @Test(arguments: [
        ("TOP_PERC_GAIN", ["MSFT", "AAPL", "SPY", "IBM"]),
        ("TOP_PERC_LOSE", ["IBM", "SPY", "AAPL", "MSFT"]),
        ("MOST_ACTIVE", ["AAPL", "SPY", "MSFT", "IBM"]),
        // Against 4, 50, 45 and 20 million on a usual day.
        ("HOT_BY_VOLUME", ["IBM", "AAPL", "SPY", "MSFT"]),
        ("MOST_ACTIVE_USD", ["AAPL", "SPY", "MSFT", "IBM"]),
    ])
    func scansRankWhatTheMarketShows(code: String, expected: [String]) {
        usual()
        let client = rig.begin(as: 1)
        client.take()
        client.send(.reqScannerSubscription(request(code)))
        #expect(symbols(client.take()) == [expected])
    }

    @Test func filtersAndPlacesLimitAScan() {
        usual()
        let client = rig.begin(as: 1)
        client.take()
        var filtered = request("TOP_PERC_GAIN")
        filtered.abovePrice = 195
        filtered.scannerSubscriptionFilterOptions = [TagValue("changePercAbove", "1")]
        filtered.stockTypeFilter = "CORP"
        client.send(.reqScannerSubscription(filtered))
        #expect(symbols(client.take()) == [["MSFT", "AAPL"]])
        var funds = request("TOP_PERC_GAIN", 2)
        funds.instrument = "ETF.EQ.US"
        funds.locationCode = "ETF.EQ.US.MAJOR"
        client.send(.reqScannerSubscription(funds))
        #expect(symbols(client.take()) == [["SPY"]])
        var few = request("TOP_PERC_GAIN", 3)
        few.numberOfRows = 1
        few.locationCode = "STK.NYSE"
        client.send(.reqScannerSubscription(few))
        #expect(symbols(client.take()) == [["IBM"]])
    }

    @Test func rowsAreReportedAgainWhenTheyChange() {
        usual()
        let client = rig.begin(as: 1)
        client.take()
        client.send(.reqScannerSubscription(request("TOP_PERC_GAIN")))
        client.take()
        rig.pass(.seconds(60))
        #expect(client.take().isEmpty)
        show([("IBM", 200, 300, 1), ("SPY", 500, 505, 1)])
        rig.pass(.seconds(30))
        #expect(symbols(client.take()) == [["IBM", "SPY"]])
        var cancel = CancelScannerSubscription()
        cancel.reqId = 1
        client.send(.cancelScannerSubscription(cancel))
        #expect(codes(client.take()) == [162])
        usual()
        rig.pass(.seconds(60))
        #expect(client.take().isEmpty)
        client.send(.cancelScannerSubscription(cancel))
        #expect(codes(client.take()) == [365])
    }

    @Test func aScanWithoutFindsStatesSoAndIsEmpty() {
        show([])
        let client = rig.begin(as: 1)
        client.take()
        client.send(.reqScannerSubscription(request("TOP_PERC_GAIN")))
        let messages = client.take()
        #expect(codes(messages) == [165])
        #expect(symbols(messages) == [[]])
    }

    @Test func scansAreRefusedForUnknownCodesDuplicatesAndTooMany() {
        usual()
        let client = rig.begin(as: 1)
        client.take()
        client.send(.reqScannerSubscription(request("TOP_OF_THE_POPS")))
        #expect(codes(client.take()) == [162])
        for number: Int32 in 1...10 {
            client.send(
                .reqScannerSubscription(request("MOST_ACTIVE", RequestID(rawValue: number))))
        }
        #expect(codes(client.take()).isEmpty)
        client.send(.reqScannerSubscription(request("MOST_ACTIVE", 1)))
        #expect(codes(client.take()) == [385])
        client.send(.reqScannerSubscription(request("MOST_ACTIVE", 11)))
        #expect(codes(client.take()) == [162])
        // Another client has scans of its own, and they end with it.
        let other = rig.begin(as: 2)
        other.take()
        other.send(.reqScannerSubscription(request("MOST_ACTIVE", 1)))
        #expect(symbols(other.take()).count == 1)
        client.leave()
        let repeated = rig.begin(as: 1)
        repeated.take()
        repeated.send(.reqScannerSubscription(request("MOST_ACTIVE", 1)))
        #expect(symbols(repeated.take()).count == 1)
    }

    /// Every element that is opened is closed in order, and every code that is named is served.
    @Test func parametersAreWellFormedAndTrue() throws {
        usual()
        let client = rig.begin(as: 1)
        client.take()
        client.send(.reqScannerParameters(.init()))
        guard case .scannerParameters(let parameters)? = client.take().first else {
            Issue.record("no parameters")
            return
        }
        var open: [String] = []
        for tag in parameters.xml.split(separator: "<") {
            let name = String(tag.prefix { $0 != ">" && $0 != " " })
            if name.hasPrefix("/") {
                #expect(open.popLast() == String(name.dropFirst()))
            } else {
                open.append(name)
            }
        }
        #expect(open.isEmpty)
        #expect(!parameters.xml.contains(" & "))
        let codes = parameters.xml.split(separator: "<").compactMap {
            $0.hasPrefix("scanCode>") ? String($0.dropFirst("scanCode>".count)) : nil
        }
        #expect(codes.count == 10)
        for code in codes {
            client.send(.reqScannerSubscription(request(code)))
            #expect(self.codes(client.take()).allSatisfy { $0 == 165 })
            var cancel = CancelScannerSubscription()
            cancel.reqId = 1
            client.send(.cancelScannerSubscription(cancel))
            client.take()
        }
    }
}
