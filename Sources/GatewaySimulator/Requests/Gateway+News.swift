import Primitives
import TWSProtocol

/// News and announcements.
extension Gateway {
    /// Answers a request about news.
    func handleNews(_ message: ClientMessage, from client: Client) {
        switch message {
        case .reqNewsProviders: sendProviders(to: client)
        case .reqHistoricalNews(let request): sendHeadlines(request, to: client)
        case .reqNewsArticle(let request): sendArticle(request, to: client)
        case .reqNewsBulletins(let request):
            reference.bulletins.subscribe(client.connection, all: request.allMsgs, &answers)
        case .cancelNewsBulletins: reference.bulletins.forget(client.connection)
        default: break
        }
    }

    private var newsService: NewsService { NewsService(seed: settings.seed) }

    private func sendProviders(to client: Client) {
        var providers = NewsProviders()
        providers.newsProviders = NewsService.providers.map { code, name in
            var provider = NewsProvider()
            provider.providerCode = code
            provider.providerName = name
            return provider
        }
        answers.send(.newsProviders(providers), to: client.connection)
    }

    private func sendHeadlines(_ request: ReqHistoricalNews, to client: Client) {
        guard let id = contracts.id(ofConId: request.conId) else {
            refuse(.invalid("Invalid contract id"), about: request.reqId, to: client)
            return
        }
        let known = NewsService.providers.map(\.code)
        let requested = request.providerCodes.split(separator: "+").map(String.init)
        guard requested.contains(where: known.contains) else {
            refuse(.newsFeed, about: request.reqId, to: client)
            return
        }
        for (name, time) in [("start", request.startDateTime), ("end", request.endDateTime)]
        where time != .none && NewsTime.timestamp(time) == nil {
            return refuse(
                .invalid("Invalid \(name) date/time: \(time)"), about: request.reqId, to: client)
        }
        let first = now - .days(366)
        let after = NewsTime.timestamp(request.startDateTime) ?? first
        let until = NewsTime.timestamp(request.endDateTime) ?? now
        let (items, hasMore) = newsService.headlines(
            NewsService.Query(
                contract: request.conId, company: contracts[id].longName, providers: Set(requested),
                after: min(max(after, first), now), until: min(max(until, first), now),
                limit: Int(min(max(request.totalResults, 1), 300))))
        for item in items { send(item, for: request.reqId, to: client) }
        var end = HistoricalNewsEnd()
        end.reqId = request.reqId
        end.hasMore = hasMore
        answers.send(.historicalNewsEnd(end), to: client.connection)
    }

    private func send(_ item: NewsService.Item, for id: RequestID, to client: Client) {
        var news = HistoricalNews()
        news.reqId = id
        news.time = NewsTime.text(item.time)
        news.providerCode = item.provider
        news.articleId = item.article
        news.headline = item.headline
        answers.send(.historicalNews(news), to: client.connection)
    }

    private func sendArticle(_ request: ReqNewsArticle, to client: Client) {
        let text =
            request.articleId.hasPrefix(request.providerCode + "$")
            ? newsService.article(
                request.articleId, of: { contracts.id(ofConId: $0).map { contracts[$0].longName } },
                by: now)
            : nil
        guard let text else {
            answers.report(
                10172, "Failed to request news article:No data available",
                about: request.reqId.rawValue, to: client.connection)
            return
        }
        var article = NewsArticle()
        article.reqId = request.reqId
        article.articleText = text
        answers.send(.newsArticle(article), to: client.connection)
    }
}
