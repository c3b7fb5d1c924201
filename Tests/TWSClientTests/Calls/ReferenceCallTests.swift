import ClientTestSupport
import Primitives
import TWSProtocol
import Testing

@testable import TWSClient

@Suite struct ReferenceCallTests {
    @Test func aScanGivesItsRowsOnceOrAsTheyChange() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.reqScannerSubscription) { message in
            var data = ScannerData()
            data.reqId = message.requestID ?? 0
            var row = ScannerRow()
            row.contract.symbol = "AAPL"
            data.rows = [row]
            return [.scannerData(data)]
        }
        gateway.on(.reqScannerParameters) { _ in
            var answer = ScannerParameters()
            answer.xml = "<ScanParameterResponse/>"
            return [.scannerParameters(answer)]
        }
        let client = try await gateway.connectedClient()
        var search = ReqScannerSubscription()
        search.instrument = "STK"
        search.scanCode = "TOP_PERC_GAIN"
        let rows = try await gateway.finish { [search] in try await client.scan(search) }
        #expect(rows.map(\.contract.symbol) == ["AAPL"])
        try await gateway.clock.run(until: "it is called off") { gateway.live.isEmpty }
        let stream = client.scanner(search)
        let read = Reading(stream)
        try await gateway.clock.run(until: "rows") { read.elements.count == 1 }
        stream.cancel()
        let xml = try await gateway.finish { try await client.scannerParameters() }
        #expect(xml == "<ScanParameterResponse/>")
    }

    @Test func newsOfThePastAreAListWithTimes() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.reqNewsProviders) { _ in
            var answer = NewsProviders()
            var provider = NewsProvider()
            provider.providerCode = "BRFG"
            answer.newsProviders = [provider]
            return [.newsProviders(answer)]
        }
        gateway.on(.reqHistoricalNews) { message in
            var news = HistoricalNews()
            news.reqId = message.requestID ?? 0
            news.time = .other("2023-11-14 22:13:20.0")
            news.headline = "words"
            var end = HistoricalNewsEnd()
            end.reqId = news.reqId
            return [.historicalNews(news), .historicalNewsEnd(end)]
        }
        gateway.on(.reqNewsArticle) { message in
            var article = NewsArticle()
            article.reqId = message.requestID ?? 0
            article.articleText = "more words"
            return [.newsArticle(article)]
        }
        let client = try await gateway.connectedClient()
        let providers = try await gateway.finish { try await client.newsProviders() }
        #expect(providers.map(\.providerCode) == ["BRFG"])
        var question = HeadlineQuestion(265_598, providers: ["BRFG", "DJNL"])
        question.from = Timestamp(seconds: 1_700_000_000)
        let headlines = try await gateway.finish { [question] in
            try await client.headlines(question)
        }
        #expect(headlines.map(\.time) == [Timestamp(seconds: 1_700_000_000)])
        guard case .reqHistoricalNews(let asked)? = gateway.received(.reqHistoricalNews).first
        else {
            Issue.record("no reqHistoricalNews")
            return
        }
        #expect(asked.providerCodes == "BRFG+DJNL")
        #expect("\(asked.startDateTime)" == "2023-11-14 22:13:20.0")
        let article = try await gateway.finish {
            try await client.newsArticle("BRFG$1", by: "BRFG")
        }
        #expect(article.articleText == "more words")
    }

    @Test func headlinesAndBulletinsComeAsTheyAppear() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let headlines = client.liveHeadlines(.numbered("AAPL", 265_598), by: "BRFG")
        let bulletins = client.bulletins()
        let (readHeadlines, readBulletins) = (Reading(headlines), Reading(bulletins))
        try await gateway.clock.run(until: "both are asked for") {
            gateway.received(.reqMktData).count + gateway.received(.reqNewsBulletins).count == 2
        }
        var news = TickNews()
        news.reqId = try #require(gateway.newest(.reqMktData))
        news.timeStamp = 1_700_000_000_000
        news.headline = "words"
        var bulletin = NewsBulletin()
        bulletin.newsMessage = "closed"
        gateway.send(.tickNews(news), .newsBulletin(bulletin))
        try await gateway.clock.run(until: "both come") {
            readHeadlines.elements.count + readBulletins.elements.count == 2
        }
        let lines: [Headline] = readHeadlines.data()
        #expect(lines.first?.time == Timestamp(seconds: 1_700_000_000))
        let words: [NewsBulletin] = readBulletins.data()
        #expect(words.first?.newsMessage == "closed")
        headlines.cancel()
        bulletins.cancel()
        try await gateway.clock.run(until: "both are called off") {
            gateway.received(.cancelMktData).count + gateway.received(.cancelNewsBulletins).count
                == 2
        }
    }
}
