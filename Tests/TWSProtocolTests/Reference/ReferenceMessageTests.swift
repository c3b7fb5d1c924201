import TWSProtocol
import Testing

@Suite struct ReferenceMessageTests {
    @Test func scanHasTheFieldsOfTheReference() throws {
        var request = ReqScannerSubscription()
        request.reqId = 1
        request.instrument = "STK"
        request.locationCode = "STK.US.MAJOR"
        request.scanCode = "TOP_PERC_GAIN"
        request.abovePrice = 5
        request.aboveVolume = 10_000
        request.stockTypeFilter = "CORP"
        request.scannerSubscriptionFilterOptions = [TagValue("changePercAbove", "20")]
        request.scannerSubscriptionOptions = [TagValue("a", "b")]
        // The filters stand before the options.
        let text =
            "1|-1|STK|STK.US.MAJOR|TOP_PERC_GAIN|5.0||10000|||||||||||0||"
            + "|CORP|changePercAbove=20;|a=b;"
        #expect(count(text) == 24)
        #expect(try layout(request, at: 178, from: .client) == text)
        #expect(try read(ReqScannerSubscription.self, text, at: 178) == request)
    }

    @Test func scannedRowsHaveTheFieldsOfTheReference() throws {
        let text = "3|1|1|0|265598|AAPL|STK||0.0||SMART|USD|AAPL|NMS|NMS|d|b|p|l"
        let scan = try read(ScannerData.self, text, at: 178)
        let row = try #require(scan.rows.first)
        #expect(row.rank == 0)
        #expect(row.contract.conId == 265_598)
        #expect(row.contract.localSymbol == "AAPL")
        #expect(row.contract.tradingClass == "NMS")
        #expect(
            [row.distance, row.benchmark, row.projection, row.legsStr] == ["d", "b", "p", "l"])
        #expect(try layout(scan, at: 178, from: .gateway) == text)
        let parameters = try read(ScannerParameters.self, "1|<a>\n</a>", at: 178)
        #expect(parameters.xml == "<a>\n</a>")
        #expect(try layout(ReqScannerParameters(), at: 178, from: .client) == "1")
    }

    @Test func newsHasTheFieldsOfTheReference() throws {
        var request = ReqHistoricalNews()
        request.reqId = 1
        request.conId = 265_598
        request.providerCodes = "BRFG+DJNL"
        request.totalResults = 300
        #expect(
            try layout(request, at: 178, from: .client) == "1|265598|BRFG+DJNL|||300|")
        var article = ReqNewsArticle()
        article.reqId = 1
        article.providerCode = "BRFG"
        article.articleId = "BRFG$1"
        #expect(try layout(article, at: 178, from: .client) == "1|BRFG|BRFG$1|")
        let providers = "2|BRFG|Briefing.com|DJNL|Dow Jones"
        let list = try read(NewsProviders.self, providers, at: 178)
        #expect(list.newsProviders.map(\.providerCode) == ["BRFG", "DJNL"])
        #expect(try layout(list, at: 178, from: .gateway) == providers)
        #expect(try read(NewsArticle.self, "1|1|JVBE", at: 178).articleType == .pdf)
        let headline = "1|2024-06-03 16:31:22.0|BRFG|BRFG$1|A headline"
        #expect(
            try layout(read(HistoricalNews.self, headline, at: 178), at: 178, from: .gateway)
                == headline)
        #expect(try read(HistoricalNewsEnd.self, "1|1", at: 178).hasMore)
        #expect(try ReqNewsProviders().text(at: .newest, from: .client).isEmpty)
    }

    @Test func bulletinsHaveTheFieldsOfTheReference() throws {
        let text = #"1|12|2|Closed \u2013 today|NYSE"#
        let bulletin = try read(NewsBulletin.self, text, at: 178)
        #expect(bulletin.msgType == .exchangeClosed)
        #expect(bulletin.newsMessage == "Closed – today")
        #expect(try layout(bulletin, at: 178, from: .gateway) == text)
        var request = ReqNewsBulletins()
        request.allMsgs = true
        #expect(try layout(request, at: 178, from: .client) == "1|1")
        #expect(try layout(CancelNewsBulletins(), at: 178, from: .client) == "1")
    }

    @Test func eventsGainFieldsAtVersions171And173() throws {
        var request = ReqWshEventData()
        request.reqId = 1
        #expect(try layout(request, at: 170, from: .client) == "1|2147483647")
        #expect(try layout(request, at: 171, from: .client) == "1|2147483647||0|0|0")
        #expect(
            try layout(request, at: 173, from: .client) == "1|2147483647||0|0|0|||2147483647")
        request.conId = 265_598
        request.fillPortfolio = true
        request.totalLimit = 5
        #expect(try layout(request, at: 173, from: .client) == "1|265598||0|1|0|||5")
        #expect(throws: EncodingRefusal.self) { try layout(request, at: 172, from: .client) }
        #expect(try read(ReqWshEventData.self, "1||", at: 171).conId == nil)
        #expect(try read(WshMetaData.self, "1|{}", at: 178).dataJson == "{}")
        #expect(try read(WshEventData.self, "1|{}", at: 178).dataJson == "{}")
    }

    @Test func advisorsMessagesHaveTheFieldsOfTheReference() throws {
        var request = RequestFA()
        request.faDataType = .aliases
        #expect(try layout(request, at: 178, from: .client) == "1|3")
        var replacement = ReplaceFA()
        replacement.reqId = 5
        replacement.xml = "<a/>"
        #expect(try layout(replacement, at: 178, from: .client) == "1|1|<a/>|5")
        #expect(try read(ReceiveFA.self, "1|3|<a/>", at: 178).faDataType == .aliases)
        #expect(try read(ReplaceFaEnd.self, "5|done", at: 178).text == "done")
        let codes = try read(FamilyCodes.self, "2|DU1234567|F1|DU7654321|", at: 178)
        #expect(codes.familyCodes.map(\.accountID) == ["DU1234567", "DU7654321"])
        #expect(codes.familyCodes.map(\.familyCodeStr) == ["F1", ""])
        let tiers = "1|1|name|value|shown"
        let list = try read(SoftDollarTiers.self, tiers, at: 178)
        #expect(list.tiers.map(\.displayName) == ["shown"])
        #expect(try layout(list, at: 178, from: .gateway) == tiers)
    }

    /// One client writes a field that the request does not have.
    @Test func familyCodesMayBeAskedForWithAFieldTooMany() throws {
        #expect(try ReqFamilyCodes().text(at: .newest, from: .client).isEmpty)
        #expect(try readLoosely(ReqFamilyCodes.self, "1", at: 178).leftover == 1)
    }

    @Test func groupsHaveTheFieldsOfTheReference() throws {
        var subscription = SubscribeToGroupEvents()
        subscription.reqId = 5
        subscription.groupId = 2
        #expect(try layout(subscription, at: 178, from: .client) == "1|5|2")
        var update = UpdateDisplayGroup()
        update.reqId = 5
        update.contractInfo = "265598@SMART"
        #expect(try layout(update, at: 178, from: .client) == "1|5|265598@SMART")
        var query = QueryDisplayGroups()
        query.reqId = 5
        #expect(try layout(query, at: 178, from: .client) == "1|5")
        let bytes = Array("1\u{0}5\u{0}3|1|2\u{0}".utf8)
        let list = try bytes.withUnsafeBufferPointer {
            try DisplayGroupList.read($0, at: .newest).record
        }
        #expect(list.groups == "3|1|2")
        #expect(
            try read(DisplayGroupUpdated.self, "1|5|none", at: 178).contractInfo == "none")
    }

    @Test func componentsHaveTheFieldsOfTheReference() throws {
        let text = "1|2|0|ARCA|P|3|NASDAQ|Q"
        let components = try read(SmartComponents.self, text, at: 178)
        #expect(components.components.map(\.bitNumber) == [0, 3])
        #expect(components.components.map(\.exchangeLetter) == ["P", "Q"])
        #expect(try layout(components, at: 178, from: .gateway) == text)
    }
}
