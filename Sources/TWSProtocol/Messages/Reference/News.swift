/// Asks for the providers of news this login may read.
public struct ReqNewsProviders: FieldRecord {
    /// Nothing set.
    public init() {}

    /// None.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {}
}

/// A provider of news.
public struct NewsProvider: FieldRecord {
    /// Its code in other messages.
    public var providerCode = ""
    /// Its name.
    public var providerName = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.text("providerCode", &providerCode)
        coder.text("providerName", &providerName)
    }
}

/// The providers of news this login may read.
public struct NewsProviders: FieldRecord {
    /// The providers.
    public var newsProviders: [NewsProvider] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.list("newsProviders", &newsProviders)
    }
}

/// Asks for a news article.
public struct ReqNewsArticle: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The provider.
    public var providerCode = ""
    /// The article.
    public var articleId = ""
    /// Options for the broker's own use.
    public var newsArticleOptions: [TagValue] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.text("providerCode", &providerCode)
        coder.text("articleId", &articleId)
        coder.tagText("newsArticleOptions", &newsArticleOptions)
    }
}

/// A news article.
public struct NewsArticle: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The form of the text.
    public var articleType = NewsArticleForm.text
    /// The article.
    public var articleText = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.code("articleType", &articleType)
        coder.text("articleText", &articleText)
    }
}

/// Asks for headlines of the past.
public struct ReqHistoricalNews: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The instrument.
    public var conId: ContractID = 0
    /// Codes of providers, joined by `+`.
    public var providerCodes = ""
    /// The first time.
    public var startDateTime = WireTime.none
    /// The last time.
    public var endDateTime = WireTime.none
    /// Headlines at most, up to 300.
    public var totalResults: Int32 = 0
    /// Options for the broker's own use.
    public var historicalNewsOptions: [TagValue] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.id("conId", &conId, or: 0)
        coder.text("providerCodes", &providerCodes)
        coder.time("startDateTime", &startDateTime)
        coder.time("endDateTime", &endDateTime)
        coder.integer("totalResults", &totalResults, or: 0)
        coder.tagText("historicalNewsOptions", &historicalNewsOptions)
    }
}

/// A headline of the past.
public struct HistoricalNews: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// When it appeared.
    public var time = WireTime.none
    /// The provider.
    public var providerCode = ""
    /// The article.
    public var articleId = ""
    /// The headline.
    public var headline = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.time("time", &time)
        coder.text("providerCode", &providerCode)
        coder.text("articleId", &articleId)
        coder.text("headline", &headline)
    }
}

/// The last headline was sent.
public struct HistoricalNewsEnd: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// There are more than were asked for.
    public var hasMore = false

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.flag("hasMore", &hasMore)
    }
}

/// A headline of a news subscription.
public struct TickNews: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// Milliseconds since 1970 UTC.
    public var timeStamp: Int64 = 0
    /// The provider.
    public var providerCode = ""
    /// The article.
    public var articleId = ""
    /// The headline.
    public var headline = ""
    /// What the provider adds.
    public var extraData = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.integer("timeStamp", &timeStamp)
        coder.text("providerCode", &providerCode)
        coder.text("articleId", &articleId)
        coder.text("headline", &headline)
        coder.text("extraData", &extraData)
    }
}

/// Subscribes to the broker's announcements.
public struct ReqNewsBulletins: FieldRecord {
    /// Also those of today that were made before.
    public var allMsgs = false

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.flag("allMsgs", &allMsgs)
    }
}

/// Ends the subscription to announcements.
public struct CancelNewsBulletins: FieldRecord {
    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
    }
}

/// An announcement of the broker.
public struct NewsBulletin: FieldRecord {
    /// The announcement's number.
    public var msgId: Int32 = 0
    /// What it is about.
    public var msgType = NewsBulletinKind.regular
    /// Its text.
    public var newsMessage = ""
    /// The exchange it comes from.
    public var originExch = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.integer("msgId", &msgId, or: 0)
        coder.code("msgType", &msgType)
        coder.escapedText("newsMessage", &newsMessage)
        coder.escapedText("originExch", &originExch)
    }
}
