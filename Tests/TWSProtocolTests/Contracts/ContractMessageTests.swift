import TWSProtocol
import Testing

@Suite struct ContractMessageTests {
    @Test func requestGainsTheIssuerAtVersion176() throws {
        var request = ReqContractDetails()
        request.reqId = 1
        request.contract = .stock("AAPL")
        request.secIdType = "ISIN"
        request.secId = "US0378331005"
        let text = "8|1|0|AAPL|STK|||||SMART||USD|||0|ISIN|US0378331005"
        #expect(try layout(request, at: 175, from: .client) == text)
        #expect(try layout(request, at: 176, from: .client) == text + "|")
        request.issuerId = "e123"
        #expect(try layout(request, at: 176, from: .client) == text + "|e123")
        #expect(throws: EncodingRefusal.self) {
            try layout(request, at: 175, from: .client)
        }
    }

    private func stock() -> ContractData {
        var data = ContractData()
        data.reqId = 1
        data.contract = .stock("AAPL", exchange: "SMART", primaryExchange: "NASDAQ")
        data.contract.strike = 0
        data.contract.localSymbol = "AAPL"
        data.contract.tradingClass = "NMS"
        data.contract.conId = 265_598
        data.marketName = "NMS"
        data.minTick = 0.01
        data.mdSizeMultiplier = 100
        data.orderTypes = "LMT,MKT"
        data.validExchanges = "SMART,NASDAQ"
        data.longName = "APPLE INC"
        data.industry = "Technology"
        data.timeZoneId = "US/Eastern"
        data.tradingHours = "20240603:0400-20240603:2000"
        data.liquidHours = "20240603:0930-20240603:1600"
        data.secIdList = [TagValue("ISIN", "US0378331005")]
        data.aggGroup = 1
        data.marketRuleIds = "26,26"
        data.stockType = "COMMON"
        data.sizeMinTick = 1
        data.minSize = 0.0001
        data.sizeIncrement = 0.0001
        data.suggestedSizeIncrement = 100
        return data
    }

    private let middle =
        "|0.0||SMART|USD|AAPL|NMS|NMS|265598|0.01%||LMT,MKT|SMART,NASDAQ|1|0|APPLE INC|NASDAQ||"
        + "Technology|||US/Eastern|20240603:0400-20240603:2000|20240603:0930-20240603:1600|||1|"
        + "ISIN|US0378331005|1|||26,26||COMMON"

    /// The layouts of a stock at each version where one changes.
    @Test func detailsFollowTheVersions() throws {
        let data = stock()
        let old = "8|1|AAPL|STK|" + middle.replacingOccurrences(of: "%", with: "|100")
        let new = "1|AAPL|STK|" + middle.replacingOccurrences(of: "%", with: "")
        let dated = "1|AAPL|STK||" + middle.replacingOccurrences(of: "%", with: "")
        let sizes = "|0.0001|0.0001|100"
        #expect(try layout(data, at: 162, from: .gateway) == old)
        #expect(try layout(data, at: 163, from: .gateway) == old + "|1")
        #expect(try layout(data, at: 164, from: .gateway) == new + sizes)
        #expect(try layout(data, at: 179, from: .gateway) == new + sizes)
        #expect(try layout(data, at: 182, from: .gateway) == dated + sizes)
        #expect(try layout(data, at: 185, from: .gateway) == dated + sizes)
        #expect(try layout(data, at: 186, from: .gateway) == dated + sizes + "|0")
    }

    @Test func reasonsFollowTheirCount() throws {
        var data = stock()
        var reason = IneligibilityReason()
        reason.id = "R1"
        reason.reasonDescription = "not offered here"
        data.ineligibilityReasonList = [reason]
        let text = try layout(data, at: 200, from: .gateway)
        #expect(text.hasSuffix("|100|1|R1|not offered here"))
        #expect(try read(ContractData.self, text, at: 200).ineligibilityReasonList == [reason])
    }

    /// Seventeen fields more for funds, from 179 on.
    @Test func fundsHaveABlockOfTheirOwn() throws {
        var data = stock()
        data.contract.secType = .fund
        var fund = FundDetails()
        fund.fundName = "A fund"
        fund.fundClosed = true
        fund.fundAssetType = "000"
        data.fund = fund
        let before = try layout(data, at: 178, from: .gateway)
        let after = try layout(data, at: 179, from: .gateway)
        #expect(count(after) == count(before) + 17)
        #expect(after.hasSuffix("|100|A fund|||||||1|0|0||||||" + "|000"))
        #expect(try read(ContractData.self, after, at: 179).fund == fund)
        #expect(try read(ContractData.self, before, at: 178).fund == nil)
        data.contract.secType = .stock
        #expect(try count(layout(data, at: 179, from: .gateway)) == count(before))
    }

    @Test(
        arguments: [
            ("20250620", "20250620", "", ""), ("", "", "", ""), ("202506", "202506", "", ""),
            ("20250620 08:30 US/Central", "20250620", "08:30", "US/Central"),
            ("20250620-08:30-US/Central", "20250620", "08:30", "US/Central"),
            ("20250620  08:30:00", "20250620", "08:30:00", ""),
            ("20250620 08:30 Etc/GMT-5", "20250620", "08:30", "Etc/GMT-5"),
            ("20250620 08:30 British Summer Time", "20250620", "08:30", "British Summer Time"),
        ])
    func lastTradingDateIsTakenApart(text: String, date: String, time: String, zone: String) throws
    {
        var data = stock()
        data.contract.lastTradeDateOrContractMonth = "20991231"
        let wire = try layout(data, at: 178, from: .gateway)
            .replacingOccurrences(of: "20991231", with: text)
        let repeated = try read(ContractData.self, wire, at: 178)
        #expect(repeated.contract.lastTradeDateOrContractMonth == date)
        #expect(repeated.lastTradeTime == time)
        #expect(repeated.lastTradeZone == zone)
        let rewritten = try layout(repeated, at: 178, from: .gateway)
        #expect(try read(ContractData.self, rewritten, at: 178) == repeated)
    }

    @Test func namesMayHaveEscapesAndGroupsMayBeUnset() throws {
        var data = stock()
        data.longName = "Société"
        data.aggGroup = nil
        let text = try layout(data, at: 178, from: .gateway)
        #expect(text.contains(#"|Soci\u00e9t\u00e9|"#))
        #expect(text.contains("|2147483647|||26,26|"))
        #expect(try read(ContractData.self, text, at: 178).longName == "Société")
        #expect(try read(ContractData.self, text, at: 178).aggGroup == nil)
    }

    @Test func bondFollowsTheVersions() throws {
        var data = BondContractData()
        data.reqId = 1
        data.contract.symbol = "AB"
        data.contract.secType = .bond
        data.contract.conId = 15_960_357
        data.contract.exchange = "SMART"
        data.contract.currency = "USD"
        data.contract.tradingClass = "AB"
        data.cusip = "00206RAB8"
        data.coupon = 5.85
        data.maturity = "20350815"
        data.minTick = 0.001
        data.mdSizeMultiplier = 1
        data.callable = true
        data.aggGroup = 2
        data.minSize = 1
        data.timeZoneId = "US/Eastern"
        let head = "1|AB|BOND|00206RAB8|5.85|20350815|||||0|1|0||SMART|USD||AB|15960357|0.001"
        let middle = "|||||0||"
        #expect(
            try layout(data, at: 163, from: .gateway) == "6|\(head)|1\(middle)|||0|2|")
        #expect(try layout(data, at: 164, from: .gateway) == "\(head)\(middle)|||0|2||1||")
        #expect(try layout(data, at: 187, from: .gateway) == "\(head)\(middle)|||0|2||1||")
        #expect(
            try layout(data, at: 188, from: .gateway)
                == "\(head)\(middle)|US/Eastern|||||0|2||1||")
    }

    @Test func bondMayHaveATimeBehindItsMaturity() throws {
        var data = BondContractData()
        data.reqId = 1
        data.maturity = "20350815"
        let text = try layout(data, at: 178, from: .gateway)
            .replacingOccurrences(of: "20350815", with: "20350815 12:00 EST")
        let repeated = try read(BondContractData.self, text, at: 178)
        #expect(repeated.maturity == "20350815")
        #expect(repeated.lastTradeTime == "12:00")
        #expect(repeated.lastTradeZone == "EST")
    }

    @Test func samplesGainTwoFieldsAtVersion176() throws {
        let old = "1|2|265598|AAPL|STK|NASDAQ|USD|2|CFD|OPT|-1||BOND|||0"
        let new = "1|2|265598|AAPL|STK|NASDAQ|USD|2|CFD|OPT|APPLE INC||-1||BOND|||0|Apple|e123"
        let samples = try read(SymbolSamples.self, new, at: 176).contractDescriptions
        #expect(samples.map(\.conId) == [265_598, -1])
        #expect(samples.first?.derivativeSecTypes == [.contractForDifference, .option])
        #expect(samples.map(\.description) == ["APPLE INC", "Apple"])
        #expect(samples.map(\.issuerId) == ["", "e123"])
        #expect(try layout(read(SymbolSamples.self, old, at: 175), at: 175, from: .gateway) == old)
        #expect(try layout(read(SymbolSamples.self, new, at: 176), at: 176, from: .gateway) == new)
    }

    @Test func chainsHaveTheFieldsOfTheReference() throws {
        var request = ReqSecDefOptParams()
        request.reqId = 1
        request.underlyingSymbol = "AAPL"
        request.underlyingConId = 265_598
        #expect(try layout(request, at: 178, from: .client) == "1|AAPL||STK|265598")
        let text = "1|SMART|265598|AAPL|100|2|20250620|20250718|3|95.0|97.5|100.0"
        let chain = try read(SecDefOptParameter.self, text, at: 178)
        #expect(chain.expirations == ["20250620", "20250718"])
        #expect(chain.strikes == [95, 97.5, 100])
        #expect(try layout(chain, at: 178, from: .gateway) == text)
        #expect(try read(SecDefOptParameterEnd.self, "1", at: 178).reqId == 1)
    }

    @Test func marketRuleHasTheFieldsOfTheReference() throws {
        let text = "26|2|0.0|0.0001|1.0|0.01"
        let rule = try read(MarketRule.self, text, at: 178)
        #expect(rule.priceIncrements.map(\.lowEdge) == [0, 1])
        #expect(rule.priceIncrements.map(\.increment) == [0.0001, 0.01])
        #expect(try layout(rule, at: 178, from: .gateway) == text)
        var request = ReqMarketRule()
        request.marketRuleId = 26
        #expect(try layout(request, at: 178, from: .client) == "26")
    }

    @Test func smallMessagesHaveTheFieldsOfTheReference() throws {
        #expect(try read(ContractDataEnd.self, "1|7", at: 178).reqId == 7)
        var matching = ReqMatchingSymbols()
        matching.reqId = 7
        matching.pattern = "AAP"
        #expect(try layout(matching, at: 178, from: .client) == "7|AAP")
    }
}
