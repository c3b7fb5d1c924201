package import Primitives

/// How much data a gateway gives, and how.
package struct GatewayDataSettings: Hashable, Sendable {
    /// Subscriptions for quotes and five-second bars that may be open at once, over all clients of the
    /// login.
    package var marketDataLines = 100
    /// Order books that may be open at once.
    package var marketDepth = 3
    /// History requests that may be open at once.
    package var openHistory = 50
    /// Bars that one request for the past may bring.
    package var barsMax = 100_000
    /// How often changes of quotes are published: the broker's 250 ms for stocks, futures and indices. What
    /// changes more often there (options 100 ms, currencies 5 ms) is published at the gateway's own step.
    package var samplePeriod = Duration.milliseconds(250)
    /// How old delayed data are.
    package var delay = Duration.minutes(15)
    /// How long a snapshot waits for what is missing.
    package var snapshotPatience = Duration.seconds(11)
    /// How long a request for the past takes; nothing by default: it is answered at once.
    package var historyLatency = Duration.zero
    /// How often the bar of a kept-up-to-date history is published as it grows.
    package var historyUpdatePeriod = Duration.seconds(5)
    /// Whether requests that break the pacing of history are refused; they are counted anyway.
    package var refusesHistoryBreaches = true
    /// What this login may see.
    package var access = DataAccess.live

    /// Tick-by-tick subscriptions that may be open at once: 5 % of the lines.
    package var tickByTick: Int { max(1, marketDataLines / 20) }

    /// A plain account with all market data subscriptions.
    package init() {}
}

/// Which market data a login may see.
package enum DataAccess: String, Hashable, CaseIterable, Sendable {
    /// All as they happen.
    case live
    /// None as they happen, delayed ones for clients that asked for those; refusals say that delayed
    /// data are not enabled (10168).
    case delayed
    /// As `delayed`; refusals say that there is no subscription (354).
    case unsubscribed
    /// As `delayed`; refusals say that programs need a subscription of their own (10089).
    case programSubscriptionMissing
    /// Nothing: the same user looks at the market elsewhere (10197).
    case competingSession
}
