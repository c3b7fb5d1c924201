import TWSProtocol
import Testing

@Suite struct MarketDataMessageTests {
    @Test func subscriptionHasTheFieldsOfTheReference() throws {
        var request = ReqMktData()
        request.reqId = 1_001
        request.contract = .stock("AAPL")
        request.genericTickList = "233,236"
        let text = "11|1001|0|AAPL|STK|||||SMART||USD|||0|233,236|0|0|"
        #expect(try layout(request, at: 157, from: .client) == text)
        #expect(try layout(request, at: 200, from: .client) == text)
        #expect(try read(ReqMktData.self, text, at: 178) == request)
    }

    @Test func legsTravelWithCombinationsOnly() throws {
        var leg = ComboLeg()
        leg.conId = 11
        leg.ratio = 2
        leg.action = "BUY"
        leg.exchange = "SMART"
        var request = ReqMktData()
        request.reqId = 7
        request.contract = .stock("AB")
        request.comboLegs = [leg]
        #expect(
            try layout(request, at: 178, from: .client)
                == "11|7|0|AB|STK|||||SMART||USD|||0||0|0|")
        request.contract.secType = .combo
        #expect(
            try layout(request, at: 178, from: .client)
                == "11|7|0|AB|BAG|||||SMART||USD|||1|11|2|BUY|SMART|0||0|0|")
    }

    @Test func hedgeTravelsBehindItsFlag() throws {
        var request = ReqMktData()
        request.reqId = 7
        request.contract = .stock("AB")
        var hedge = DeltaNeutralContract()
        hedge.conId = 12
        hedge.delta = 0.5
        hedge.price = 100
        request.deltaNeutralContract = hedge
        request.snapshot = true
        let text = "11|7|0|AB|STK|||||SMART||USD|||1|12|0.5|100.0||1|0|"
        #expect(try layout(request, at: 178, from: .client) == text)
        #expect(try read(ReqMktData.self, text, at: 178) == request)
    }

    /// The other client in use writes strikes of stocks as `0.0`.
    @Test func strikeOfAStockMayBeWrittenAsNothing() throws {
        let text = "11|7|0|AB|STK||0.0|||SMART||USD|||0||0|0|"
        let request = try read(ReqMktData.self, text, at: 178)
        #expect(request.contract.strike == 0)
        #expect(request.contract.symbol == "AB")
    }

    @Test func otherRequestsHaveTheFieldsOfTheReference() throws {
        var kind = ReqMarketDataType()
        kind.marketDataType = .delayedFrozen
        #expect(try layout(kind, at: 178, from: .client) == "1|4")
        var cancel = CancelMktData()
        cancel.reqId = 5
        #expect(try layout(cancel, at: 178, from: .client) == "2|5")

        var ticks = ReqTickByTickData()
        ticks.reqId = 5
        ticks.contract = .stock("AB")
        ticks.tickType = .bidAsk
        ticks.numberOfTicks = 10
        ticks.ignoreSize = true
        #expect(
            try layout(ticks, at: 178, from: .client)
                == "5|0|AB|STK|||||SMART||USD|||BidAsk|10|1")

        var bars = ReqRealTimeBars()
        bars.reqId = 5
        bars.contract = .stock("AB")
        bars.barSize = 5
        bars.whatToShow = .midpoint
        bars.useRTH = true
        #expect(
            try layout(bars, at: 178, from: .client)
                == "3|5|0|AB|STK|||||SMART||USD|||5|MIDPOINT|1|")

        var depth = ReqMktDepth()
        depth.reqId = 5
        depth.contract = .stock("AB")
        depth.numRows = 3
        depth.isSmartDepth = true
        #expect(
            try layout(depth, at: 178, from: .client) == "5|5|0|AB|STK|||||SMART||USD|||3|1|")
        var cancelDepth = CancelMktDepth()
        cancelDepth.reqId = 5
        cancelDepth.isSmartDepth = true
        #expect(try layout(cancelDepth, at: 178, from: .client) == "1|5|1")
        #expect(try ReqMktDepthExchanges().text(at: .newest, from: .client).isEmpty)
    }

    @Test func ticksHaveTheFieldsOfTheReference() throws {
        let size = try read(WireTickSize.self, "6|1001|8|948837.22", at: 178)
        #expect(size.tickType == .volume)
        #expect(size.size == 948_837.22)
        #expect(try layout(size, at: 178, from: .gateway) == "6|1001|8|948837.22")

        let halted = try read(TickGeneric.self, "6|1001|49|0.0", at: 178)
        #expect(halted.tickType == .halted)
        #expect(halted.value == 0)
        #expect(try layout(halted, at: 178, from: .gateway) == "6|1001|49|0.0")

        let text = "6|1001|48|701.28;1;1348075471534;67854;701.46918464;true"
        let volume = try read(TickString.self, text, at: 178)
        #expect(volume.tickType == .realTimeVolume)
        #expect(try layout(volume, at: 178, from: .gateway) == text)

        let exchange = try read(
            TickEFP.self, "1|7|38|1.5|1.5 %|100.25|30|20250620|0.25|0.75", at: 178)
        #expect(exchange.tickType == .bidEFPComputation)
        #expect(exchange.holdDays == 30)
        #expect(exchange.dividendsToLastTradeDate == 0.75)

        let kind = try read(MarketDataType.self, "1|1001|3", at: 178)
        #expect(kind.marketDataType == .delayed)
        let parameters = try read(TickReqParams.self, "1001|0.01|9c0001|3", at: 178)
        #expect(parameters.minTick == 0.01)
        #expect(parameters.bboExchange == "9c0001")
        #expect(parameters.snapshotPermissions == 3)
        #expect(try read(TickSnapshotEnd.self, "1|12", at: 178).reqId == 12)
        let news = try read(
            TickNews.self, "5|1681403482000|BRFG|BRFG$1|A headline|K:0.9", at: 178)
        #expect(news.timeStamp == 1_681_403_482_000)
        #expect(news.extraData == "K:0.9")
    }

    @Test func emptyPriceIsNone() throws {
        let tick = try read(TickPrice.self, "6|1|4||100|0", at: 178)
        #expect(tick.price == nil)
        #expect(tick.size == 100)
    }

    @Test func textOfATickMayHaveEscapes() throws {
        let tick = try read(TickString.self, #"6|1|45|caf\u00e9"#, at: 178)
        #expect(tick.value == "café")
        #expect(try layout(tick, at: 178, from: .gateway) == #"6|1|45|caf\u00e9"#)
    }

    @Test func whatWasNotComputedIsNone() throws {
        let text = "5|13|0|-1.0|-2.0|-1.0|-1.0|-2.0|-2.0|-2.0|-1.0"
        let tick = try read(TickOptionComputation.self, text, at: 178)
        #expect(tick.tickType == .modelOption)
        #expect(
            [tick.impliedVol, tick.delta, tick.optPrice, tick.pvDividend] == [nil, nil, nil, nil])
        #expect([tick.gamma, tick.vega, tick.theta, tick.undPrice] == [nil, nil, nil, nil])
        #expect(try layout(tick, at: 178, from: .gateway) == text)
    }

    /// A put's delta may be -1, and an option's theta -1: only -2 means none there.
    @Test func sensitivitiesOfMinusOneAreNumbers() throws {
        let text = "5|10|1|0.2|-1.0|12.5|0.0|0.01|0.5|-1.0|187.25"
        let tick = try read(TickOptionComputation.self, text, at: 178)
        #expect(tick.tickAttrib == 1)
        #expect(tick.delta == -1)
        #expect(tick.theta == -1)
        #expect(tick.pvDividend == 0)
        #expect(try layout(tick, at: 178, from: .gateway) == text)
    }

    /// The official client writes the options alone, the other one their number in front.
    @Test func calculationsAreReadFromBothClients() throws {
        let contract = "0|AB|OPT|20250620|100.0|C|100|SMART||USD||"
        let volatility = try read(
            CalculateImpliedVolatility.self, "3|5|\(contract)|12.5|187.25|", at: 178)
        #expect(volatility.optionPrice == 12.5)
        #expect(volatility.underPrice == 187.25)
        #expect(
            try layout(volatility, at: 178, from: .client) == "3|5|\(contract)|12.5|187.25|")
        #expect(
            try read(CalculateImpliedVolatility.self, "3|5|\(contract)|12.5|187.25|0|", at: 178)
                == volatility)
        let price = try read(
            CalculateOptionPrice.self, "3|5|\(contract)|0.2|187.25|1|a=b;", at: 178)
        #expect(price.optionPriceOptions == [TagValue("a", "b")])
        #expect(
            try read(CalculateOptionPrice.self, "3|5|\(contract)|0.2|187.25|a=b;", at: 178)
                == price)
    }

    @Test func depthHasTheFieldsOfTheReference() throws {
        let change = try read(MarketDepth.self, "1|5|0|2|1|0.0|0", at: 178)
        #expect(change.operation == .delete)
        #expect(change.side == .bid)
        #expect(try layout(change, at: 178, from: .gateway) == "1|5|0|2|1|0.0|0")
        let text = "1|5|3|ARCA|1|0|187.25|300|1"
        let row = try read(MarketDepthL2.self, text, at: 178)
        #expect(row.position == 3)
        #expect(row.marketMaker == "ARCA")
        #expect(row.operation == .update)
        #expect(row.side == .ask)
        #expect(row.isSmartDepth)
        #expect(try layout(row, at: 178, from: .gateway) == text)
        let exchanges = "2|ARCA|STK|ARCA|Deep|2147483647|ISLAND|STK||Deep2|1"
        let list = try read(MktDepthExchanges.self, exchanges, at: 178)
        #expect(list.depthMktDataDescriptions.map(\.aggGroup) == [nil, 1])
        #expect(try layout(list, at: 178, from: .gateway) == exchanges)
    }

    @Test func realTimeBarHasTheFieldsOfTheReference() throws {
        let text = "3|5|1681403480|1.0|4.0|0.5|2.0|1200|1.75|17"
        let bar = try read(RealTimeBar.self, text, at: 178)
        #expect(bar.time == 1_681_403_480)
        #expect([bar.open, bar.high, bar.low, bar.close] == [1, 4, 0.5, 2])
        #expect(bar.volume == 1_200)
        #expect(bar.wap == 1.75)
        #expect(bar.count == 17)
        #expect(try layout(bar, at: 178, from: .gateway) == text)
    }

    @Test func rerouteNamesTheInstrumentInstead() throws {
        #expect(try read(RerouteMktDataReq.self, "5|265598|SMART", at: 178).conId == 265_598)
        #expect(try read(RerouteMktDepthReq.self, "5|265598|SMART", at: 178).exchange == "SMART")
    }
}
