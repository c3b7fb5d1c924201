import GatewaySimulator
import Primitives
import TWSProtocol
import Testing

@Suite struct NewsTests {
    private func client(
        at start: Timestamp = GatewayRig.start, seed: UInt64 = 1
    ) -> (GatewayRig, ScriptedClient) {
        let rig = GatewayRig(at: start) { $0.seed = seed }
        let client = rig.begin(as: 1)
        client.take()
        return (rig, client)
    }

    private func request(_ count: Int32, providers: String = "SIMN+SIMA") -> ReqHistoricalNews {
        var request = ReqHistoricalNews()
        request.reqId = 5
        request.conId = 265_598
        request.providerCodes = providers
        request.totalResults = count
        return request
    }

    private func news(_ messages: [GatewayMessage]) -> [HistoricalNews] {
        messages.compactMap {
            guard case .historicalNews(let news) = $0 else { return nil }
            return news
        }
    }

    private func code(_ messages: [GatewayMessage]) -> Int32? {
        guard case .error(let error)? = messages.first else { return nil }
        return error.errorCode
    }

    @Test func headlinesAreSyntheticAndStateIt() {
        let (_, client) = client()
        client.send(.reqHistoricalNews(request(10)))
        let messages = client.take()
        let news = news(messages)
        #expect(news.count == 10)
        #expect(news.allSatisfy { $0.headline.hasPrefix("[SIMULATED] APPLE INC ") })
        #expect(news.map(\.time.description) == news.map(\.time.description).sorted(by: >))
        guard case .historicalNewsEnd(let end)? = messages.last else {
            Issue.record("no end")
            return
        }
        #expect(end.hasMore)
    }

    @Test func theSameSeedReportsTheSameAtAnyTimeAndAnotherOther() {
        let (_, first) = client()
        let (_, later) = client(at: GatewayRig.start + .days(2))
        let (_, other) = client(seed: 2)
        var request = request(300)
        request.endDateTime = .other("2024-03-05 14:00:00.0")
        for client in [first, later, other] { client.send(.reqHistoricalNews(request)) }
        let published = news(first.take()).prefix(100)
        #expect(published.count == 100)
        #expect(news(later.take()).prefix(100) == published)
        #expect(news(other.take()).prefix(100) != published)
    }

    @Test func headlinesLieInTheTimesAskedFor() {
        let (_, client) = client()
        var request = request(300)
        request.startDateTime = .other("2024-02-01 00:00:00.0")
        request.endDateTime = .wall(
            .init(day: Day(number: 19_760), second: 0), zone: "US/Eastern")  // 7 February
        client.send(.reqHistoricalNews(request))
        let messages = client.take()
        let times = news(messages).map(\.time.description)
        #expect(!times.isEmpty)
        #expect(times.allSatisfy { $0 > "2024-02-01 00:00:00.0" && $0 <= "2024-02-07 05:00:00.0" })
        guard case .historicalNewsEnd(let end)? = messages.last else {
            Issue.record("no historicalNewsEnd")
            return
        }
        #expect(!end.hasMore)
    }

    @Test func anArticleRepeatsItsHeadlineAndStatesThatItIsSynthetic() throws {
        let (_, client) = client()
        client.send(.reqHistoricalNews(request(1)))
        let item = try #require(news(client.take()).first)
        var request = ReqNewsArticle()
        request.reqId = 6
        request.providerCode = item.providerCode
        request.articleId = item.articleId
        client.send(.reqNewsArticle(request))
        guard case .newsArticle(let article)? = client.take().first else {
            Issue.record("no article")
            return
        }
        #expect(article.articleText.hasPrefix(item.headline))
        #expect(article.articleText.contains("made up"))
    }

    @Test(arguments: [
        "", "SIMN", "SIMN$$$", "SIMN$265598$19000$99", "SIMN$1$19000$0", "SIMN$265598$99999999$0",
        "SIMN$265598$20000$0", "SIMN$999999999999$1$1",
    ])
    func articlesThatDoNotExistAreRefused(name: String) {
        let (_, client) = client()
        var request = ReqNewsArticle()
        request.providerCode = "SIMN"
        request.articleId = name
        client.send(.reqNewsArticle(request))
        #expect(code(client.take()) == 10172)
    }

    @Test func unknownContractsAndFeedsAreRefused() {
        let (_, client) = client()
        client.send(.reqHistoricalNews(request(10, providers: "DJNL")))
        #expect(code(client.take()) == 10276)
        var unknown = request(10)
        unknown.conId = 1
        client.send(.reqHistoricalNews(unknown))
        #expect(code(client.take()) == 321)
        client.send(.reqWshMetaData(.init()))
        #expect(code(client.take()) == 10276)
        client.send(.reqWshEventData(.init()))
        #expect(code(client.take()) == 10276)
    }

    /// The earliest and latest times that are taken: 1900-01-01 is 25,567 days before 1970-01-01, and
    /// 2201-01-01 84,371 days after it.
    @Test(arguments: [
        WireTime.epoch(-2_208_988_800), .epoch(7_289_654_399), .other("1900-01-01 00:00:00.0"),
        .other("2200-12-31 23:59:59.9 UTC"), .day(Day(number: 0)),
    ])
    func farTimesAreTaken(time: WireTime) {
        let (_, client) = client()
        var request = request(300)
        request.startDateTime = time
        request.endDateTime = time
        client.send(.reqHistoricalNews(request))
        guard case .historicalNewsEnd? = client.take().last else {
            Issue.record("no end")
            return
        }
    }

    @Test(arguments: [
        WireTime.epoch(-2_208_988_801), .epoch(7_289_654_400), .other("1899-12-31 23:59:59.9"),
        .other("2201-01-01 00:00:00.0 UTC"), .other("no time"), .other("16770921 00:12:43 UTC"),
    ])
    func timesBeyond1900To2200AreRefused(time: WireTime) {
        let (_, client) = client()
        var request = request(300)
        request.endDateTime = time
        client.send(.reqHistoricalNews(request))
        let answers = client.take()
        #expect(code(answers) == 321)
        guard case .error(let error)? = answers.last else {
            Issue.record("no error")
            return
        }
        #expect(error.errorString.hasSuffix("Invalid end date/time: \(time)"))
    }

    /// 3 July 2024 closes at 13:00.
    @Test func earlyClosesAreAnnounced() throws {
        let day = try #require(Day(year: 2024, month: 7, day: 3))
        let start = NewYork.timestamp(on: day, at: .hours(7))
        let (rig, client) = client(at: start)
        var subscribe = ReqNewsBulletins()
        client.send(.reqNewsBulletins(subscribe))
        rig.pass(.minutes(59), step: .minutes(1))
        #expect(client.take().isEmpty)
        rig.pass(.minutes(1), step: .minutes(1))
        guard case .newsBulletin(let bulletin)? = client.take().first else {
            Issue.record("no announcement")
            return
        }
        #expect(bulletin.newsMessage.contains("13:00"))
        let late = rig.begin(as: 2)
        late.take()
        subscribe.allMsgs = true
        late.send(.reqNewsBulletins(subscribe))
        #expect(late.take().count == 1)
        client.send(.cancelNewsBulletins(.init()))
        rig.pass(.hours(5), step: .minutes(1))
        #expect(client.take().isEmpty)
    }
}
