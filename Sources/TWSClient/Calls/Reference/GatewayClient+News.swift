public import Primitives
public import TWSProtocol

/// A headline.
public struct Headline: Hashable, Sendable {
    /// When it appeared; `nil` where the gateway's time cannot be read.
    public let time: Timestamp?
    /// The provider's code.
    public let provider: String
    /// The article's number, for `newsArticle`.
    public let article: String
    /// The words.
    public let text: String
}

/// Which headlines of the past.
public struct HeadlineQuestion: Hashable, Sendable {
    /// The instrument's number.
    public var instrument: ContractID
    /// Codes of providers: see `newsProviders`.
    public var providers: [String]
    /// The first time; `nil` for as far back as there are any.
    public var from: Timestamp?
    /// The last time; `nil` for the present.
    public var to: Timestamp?
    /// Headlines at most, up to 300; the newest.
    public var countMax = 300

    /// The newest headlines about `instrument` by `providers`.
    public init(_ instrument: ContractID, providers: [String]) {
        self.instrument = instrument
        self.providers = providers
    }
}

extension GatewayClient {
    /// The providers whose news the login may read.
    public func newsProviders() async throws -> [NewsProvider] {
        let question = Question("news providers", topic: .newsProviders) { _ in
            .reqNewsProviders(ReqNewsProviders())
        }
        return try await call(question, into: ()) { _, message in
            if case .newsProviders(let answer) = message {
                .done(answer.newsProviders)
            } else {
                .more
            }
        }
    }

    /// A news article: text or HTML, or a PDF file in base64.
    public func newsArticle(_ article: String, by provider: String) async throws -> NewsArticle {
        let question = Question("news article") { request in
            var message = ReqNewsArticle()
            message.reqId = request
            message.providerCode = provider
            message.articleId = article
            return .reqNewsArticle(message)
        }
        return try await call(question, into: ()) { _, message in
            if case .newsArticle(let article) = message { .done(article) } else { .more }
        }
    }

    /// Headlines of the past about an instrument.
    public func headlines(_ asked: HeadlineQuestion) async throws -> [Headline] {
        let question = Question("headlines") { request in
            var message = ReqHistoricalNews()
            message.reqId = request
            message.conId = asked.instrument
            message.providerCodes = asked.providers.joined(separator: "+")
            message.startDateTime = asked.from.map { .other($0.newsText) } ?? .none
            message.endDateTime = asked.to.map { .other($0.newsText) } ?? .none
            message.totalResults = Int32(clamping: asked.countMax)
            return .reqHistoricalNews(message)
        }
        let clock = clock
        return try await list(question) { message in
            switch message {
            case .historicalNews(let news):
                .row(
                    Headline(
                        time: clock.timestamp(of: news.time), provider: news.providerCode,
                        article: news.articleId, text: news.headline))
            case .historicalNewsEnd: .end
            default: .other
            }
        }
    }

    /// Headlines about an instrument as they appear.
    ///
    /// - Parameter provider: one code; all of a provider's headlines come with the contract of kind
    ///   `news` whose exchange is the provider.
    public func liveHeadlines(
        _ contract: Contract, by provider: String
    ) -> Subscription<Headline> {
        let question = Question("live headlines") { request in
            var message = ReqMktData()
            message.reqId = request
            message.contract = contract
            message.genericTickList = "mdoff,292:\(provider)"
            return .reqMktData(message)
        } ending: { request in
            var message = CancelMktData()
            message.reqId = request
            return .cancelMktData(message)
        }
        return subscribe(question, .neverDrops(capacity: settings.orderCapacity)) { message in
            guard case .tickNews(let news) = message else { return nil }
            return Headline(
                time: Timestamp(wireSeconds: news.timeStamp / 1_000), provider: news.providerCode,
                article: news.articleId, text: news.headline)
        }
    }

    /// The broker's announcements: exchanges that close or open, outages.
    ///
    /// - Parameter today: begins with those made today already.
    public func bulletins(today: Bool = true) -> Subscription<NewsBulletin> {
        let question = Question("bulletins", topic: .newsBulletins) { _ in
            var message = ReqNewsBulletins()
            message.allMsgs = today
            return .reqNewsBulletins(message)
        } ending: { _ in
            .cancelNewsBulletins(CancelNewsBulletins())
        }
        return subscribe(question, .neverDrops(capacity: settings.orderCapacity)) { message in
            if case .newsBulletin(let bulletin) = message { bulletin } else { nil }
        }
    }
}

extension Timestamp {
    /// As requests for headlines name a time: `2023-04-13 16:31:22.0`, in UTC.
    fileprivate var newsText: String {
        let seconds = sinceMidnight.nanoseconds / 1_000_000_000
        let clock = [seconds / 3_600, seconds / 60 % 60, seconds % 60]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return "\(day) \(clock).0"
    }
}
