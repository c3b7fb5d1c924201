import MarketSimulation
import Primitives
import TWSProtocol
import Testing

@testable import GatewaySimulator

@Suite struct MarketDataTests {
    @Test func stockBeginsWithEverythingAGatewayReportsOfOne() {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribe(1, .stock("AAPL"))
        #expect(
            client.ticks(1) == [
                "parameters", "type 1", "halted", "bid", "bidSize", "ask", "askSize", "bidExchange",
                "askExchange", "last", "lastSize", "lastExchange", "lastTimestamp", "high", "low",
                "volume", "close", "open",
            ])
        guard case .tickReqParams(let parameters)? = client.messages.first else {
            Issue.record("a subscription begins with its parameters")
            return
        }
        #expect(parameters.minTick == 0.01)
        #expect(parameters.snapshotPermissions == 3)
        #expect(!parameters.bboExchange.isEmpty)
    }

    @Test func priceCarriesTheSizeThatFollowsIt() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribe(1, .stock("AAPL"))
        let bids: [DecimalValue?] = client.messages.compactMap {
            switch $0 {
            case .tickPrice(let tick) where tick.tickType == .bid: tick.size
            case .tickSize(let tick) where tick.tickType == .bidSize: tick.size
            default: nil
            }
        }
        #expect(bids.count == 2)
        #expect(bids.first == bids.last)
        let bid = try #require(client.prices(1, .bid).first)
        let ask = try #require(client.prices(1, .ask).first)
        #expect(bid < ask)
    }

    @Test func onlyChangesAreReportedAndAtMostEveryQuarterSecond() {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribe(1, .stock("AAPL"))
        client.take()
        rig.pass(.seconds(60))
        var shown: [TickType: DecimalValue] = [:]
        var times: [Timestamp] = []
        for received in client.received {
            guard case .tickPrice(let tick) = received.message, let price = tick.price else {
                continue
            }
            #expect(shown[tick.tickType] != price, "\(tick.tickType) is told again")
            shown[tick.tickType] = price
            if tick.tickType == .bid { times.append(received.at) }
        }
        #expect(times.count > 10)
        for (before, after) in zip(times, times.dropFirst()) {
            #expect(after - before >= .milliseconds(250))
        }
    }

    @Test func whatIsShownIsWhatTheMarketHas() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribe(1, .stock("MSFT"))
        rig.pass(.seconds(30))
        let id = try #require(rig.gateway.contracts.id(ofSymbol: "MSFT"))
        let snapshot = rig.gateway.market.snapshot(of: id)
        #expect(client.prices(1, .bid).last == snapshot.bid.map { DecimalValue($0) })
        #expect(client.prices(1, .ask).last == snapshot.ask.map { DecimalValue($0) })
        #expect(client.prices(1, .last).last == snapshot.last.map { DecimalValue($0) })
        #expect(client.prices(1, .high).last == snapshot.high.map { DecimalValue($0) })
    }

    @Test func nothingFollowsACancel() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribe(1, .stock("AAPL"))
        rig.pass(.seconds(5))
        client.unwatch(1)
        client.take()
        rig.pass(.seconds(30))
        #expect(client.messages.isEmpty)
        let id = try #require(rig.gateway.contracts.id(ofSymbol: "AAPL"))
        #expect(!rig.follows(id))
        client.unwatch(1)
        #expect(client.codes(about: 1) == [300])
        #expect(client.lastText == "Can't find EId with tickerId:1")
    }

    @Test func clientThatLeavesFollowsNothing() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribe(1, .stock("AAPL"))
        client.subscribeBars(2, .stock("AAPL"))
        client.subscribeEveryTick(3, .stock("AAPL"), .last)
        client.subscribeOrderBook(4, .stock("AAPL"), rows: 5)
        client.askBars(5, .days(1), .oneMinute) { $0.keepUpToDate = true }
        let id = try #require(rig.gateway.contracts.id(ofSymbol: "AAPL"))
        #expect(rig.follows(id))
        client.leave()
        #expect(!rig.follows(id))
        #expect(rig.gateway.data.linesUsed == 0)
        #expect(rig.gateway.history.openCount == 0)
    }

    @Test func indexHasNoQuoteAndPairHasNoTrade() {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribe(1, .of(.index, "VIX", "CBOE"))
        client.subscribe(2, .of(.forex, "EUR", "IDEALPRO"))
        let index = client.ticks(1)
        #expect(index.contains("last") && !index.contains("bid") && !index.contains("volume"))
        let pair = client.ticks(2)
        #expect(pair.contains("bid") && pair.contains("askSize"))
        #expect(!pair.contains("last") && !pair.contains("volume") && !pair.contains("open"))
    }

    @Test func optionIsReportedWithItsGreeks() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        let option = try #require(
            rig.gateway.contracts.listed.first {
                $0.contract.secType == .option && $0.contract.symbol == "AAPL"
                    && $0.contract.right == .call
            })
        client.subscribe(1, option.contract)
        let models = client.messages.compactMap { message -> TickOptionComputation? in
            guard case .tickOptionComputation(let computation) = message else { return nil }
            return computation.tickType == .modelOption ? computation : nil
        }
        let model = try #require(models.first)
        let delta = try #require(model.delta)
        #expect(delta > 0 && delta <= 1)
        #expect((model.impliedVol ?? 0) > 0 && (model.undPrice ?? 0) > 0)
    }

    @Test func snapshotEndsAndFreesItsLine() {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribe(1, .stock("AAPL"), snapshot: true)
        rig.pass(.seconds(12))
        #expect(client.ticks(1).last == "end")
        #expect(client.ticks(1).filter { $0 == "end" }.count == 1)
        #expect(rig.gateway.data.linesUsed == 0)
    }

    @Test func snapshotOfASilentMarketEndsAfterElevenSeconds() throws {
        // Saturday: no quote, and no price of the day.
        let rig = GatewayRig(at: Timestamp(seconds: 1_709_996_400))
        let client = rig.dataClient()
        client.subscribe(1, .stock("AAPL"), snapshot: true)
        #expect(!client.ticks(1).contains("end"))
        rig.pass(.seconds(20))
        let end = try #require(
            client.received.last {
                if case .tickSnapshotEnd = $0.message { true } else { false }
            })
        let start = Timestamp(seconds: 1_709_996_400)
        #expect(end.at - start <= .milliseconds(11_250))
        #expect(end.at - start >= .seconds(10))
        #expect(client.prices(1, .bid) == [-1])
    }

    @Test func wrongListsAreRefusedWithTheLegalOnes() {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribe(1, .stock("AAPL"), generics: "233,999")
        #expect(client.codes(about: 1) == [321])
        #expect(
            client.lastText?.contains(
                "Incorrect generic tick list of 233,999.  Legal ones for (STK) are: 100(") == true)
        client.subscribe(2, .stock("AAPL"), generics: "233", snapshot: true)
        #expect(client.codes(about: 2) == [414])
        client.subscribe(3, .stock("NOSUCHTHING"))
        #expect(client.codes(about: 3) == [200])
        #expect(rig.gateway.data.linesUsed == 0)
    }

    @Test func numbersInUseAndLinesOverTheLimitAreRefused() {
        let rig = GatewayRig()
        rig.gateway.data.settings.marketDataLines = 2
        let client = rig.dataClient()
        client.subscribe(1, .stock("AAPL"))
        client.subscribe(1, .stock("MSFT"))
        #expect(client.codes(about: 1) == [102])
        client.subscribeBars(2, .stock("MSFT"))
        client.subscribe(3, .stock("IBM"))
        #expect(client.codes(about: 3) == [101])
        #expect(rig.gateway.pacingAudit.violations(of: .marketDataLines) == 1)
        client.unwatch(1)
        client.subscribe(4, .stock("IBM"))
        #expect(client.codes(about: 4).isEmpty)
    }

    @Test func furtherTicksBringWhatTheyName() {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribe(
            1, .stock("AAPL"), generics: "mdoff,104,106,165,221,233,236,293,294,295,318,411,456,595"
        )
        #expect(
            Set(client.ticks(1)).isSuperset(of: [
                "optionHistoricalVolatility", "optionImpliedVolatility", "low13Weeks",
                "high52Weeks",
                "averageVolume", "markPrice", "realTimeVolume", "shortable", "shortableShares",
                "tradeCount", "tradeRate", "volumeRate", "lastRegularHoursTrade",
                "realTimeHistoricalVolatility", "ibDividends", "shortTermVolume10Minutes",
            ]))
        #expect(!client.ticks(1).contains("bid"))
    }

    @Test func volumeTextNamesTradeDayAndAverage() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribe(1, .stock("AAPL"), generics: "mdoff,233")
        let id = try #require(rig.gateway.contracts.id(ofSymbol: "AAPL"))
        let snapshot = rig.gateway.market.snapshot(of: id)
        let texts = client.messages.compactMap { message -> String? in
            guard case .tickString(let tick) = message else { return nil }
            return tick.value
        }
        let parts = try #require(texts.first).split(separator: ";").map(String.init)
        #expect(parts.count == 6)
        #expect(DecimalValue(parts[0])?.price == snapshot.last)
        #expect(DecimalValue(parts[3])?.quantity == snapshot.volume)
        #expect(DecimalValue(parts[4])?.price == snapshot.vwap)
        #expect(parts[5] == "true")
    }

    @Test func oldClientsGetSizesOfStocksInLots() throws {
        let rig = GatewayRig()
        let old = rig.begin(as: 1, version: 158)
        let new = rig.begin(as: 2, version: 159)
        old.subscribe(1, .stock("AAPL"))
        new.subscribe(1, .stock("AAPL"))
        func volume(_ client: ScriptedClient) -> DecimalValue? {
            for case .tickSize(let tick) in client.messages where tick.tickType == .volume {
                return tick.size
            }
            return nil
        }
        let shares = try #require(volume(new)?.quantity)
        #expect(volume(old) == DecimalValue(shares.units / (100 * Quantity.unitsPerOne)))
    }
}
