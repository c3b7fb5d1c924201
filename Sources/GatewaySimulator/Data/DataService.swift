import Primitives
import TWSProtocol

/// Subscriptions to market data, of all clients.
package struct DataService: Sendable {
    /// How much it gives, and how.
    package var settings: GatewayDataSettings

    /// The modes that clients set for their subscriptions; live data where none was set.
    var allowed: [ConnectionID: MarketDataMode] = [:]
    /// Subscriptions to ticks, and snapshots under way.
    var ticks = SubscriptionList<TickSubscription>()
    /// Subscriptions to order books.
    var orderBooks = SubscriptionList<DepthSubscription>()
    /// Subscriptions to every tick.
    var everyTick = SubscriptionList<TickByTickSubscription>()
    /// Subscriptions to five-second bars.
    var bars = SubscriptionList<RealTimeBarSubscription>()
    /// Numbers of instruments that change slowly, as they were reckoned last.
    var figures: [InstrumentID: KnownFigures] = [:]

    private var moved: [Bool] = []
    private var lastSample: Timestamp?
    private var lastFullSample: Timestamp?

    /// A service with no subscriptions.
    package init(settings: GatewayDataSettings = GatewayDataSettings()) { self.settings = settings }

    /// Market data lines in use.
    package var linesUsed: Int { ticks.count + bars.count }

    /// Whether nobody subscribes to anything.
    var isIdle: Bool { ticks.count + orderBooks.count + everyTick.count + bars.count == 0 }

    /// Notes that an instrument had a new quote or trade.
    mutating func note(_ instrument: InstrumentID) {
        let index = Int(instrument.index)
        while moved.count <= index { moved.append(false) }
        moved[index] = true
    }

    /// Which subscriptions are to be looked at now.
    enum Sample: Sendable {
        /// None.
        case none
        /// Those whose instruments had news.
        case moved
        /// All: hours begin and end, and delayed data pass, without news.
        case all
    }

    /// Whether the time for a sample has come.
    mutating func sample(at now: Timestamp) -> Sample {
        if let lastSample, now - lastSample < settings.samplePeriod { return .none }
        lastSample = now
        if let lastFullSample, now - lastFullSample < .seconds(1) { return .moved }
        lastFullSample = now
        return .all
    }

    /// Whether an instrument had news since the last sample.
    func hasMoved(_ instrument: InstrumentID) -> Bool {
        let index = Int(instrument.index)
        return moved.indices.contains(index) && moved[index]
    }

    /// The sample was published.
    mutating func sampled() {
        for index in moved.indices { moved[index] = false }
    }

    /// Ends all subscriptions of a client.
    ///
    /// - Returns: the instruments that are to be followed once less, one for each subscription.
    mutating func forget(_ connection: ConnectionID) -> [InstrumentID] {
        allowed[connection] = nil
        return ticks.removeAll(of: connection).map(\.listed.id)
            + orderBooks.removeAll(of: connection).map(\.listed.id)
            + everyTick.removeAll(of: connection).map(\.listed.id)
            + bars.removeAll(of: connection).map(\.listed.id)
    }

    /// Ends all subscriptions of all clients, without a word.
    ///
    /// - Returns: the instruments that are to be followed once less, one for each subscription.
    mutating func loseAll() -> [InstrumentID] {
        ticks.removeAll().map(\.listed.id) + orderBooks.removeAll().map(\.listed.id)
            + everyTick.removeAll().map(\.listed.id) + bars.removeAll().map(\.listed.id)
    }
}
