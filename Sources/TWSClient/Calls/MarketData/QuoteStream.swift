public import Primitives
import Synchronization
public import TWSProtocol

/// How market data are asked for.
public struct QuoteOptions: Hashable, Sendable {
    /// Numbers of further ticks: 233 trades with times, 236 shortable, 221 mark price and others.
    public var genericTicks: [Int] = []
    /// How fresh the data have to be. `delayed` brings live data where they are subscribed.
    public var mode = MarketDataMode.live
    /// Where the market's data are not subscribed (354, 10168, 10186), go on with data that are 15 to 20
    /// minutes late. Every element then shows it.
    public var allowsDelayed = false
    /// From which age on the latest value counts as stale.
    public var staleAfter = Duration.seconds(30)
    /// Raw ticks kept for looking back.
    public var tickCapacity = 256

    /// Live quotes and nothing besides.
    public init() {}
}

/// The newest value, and how old it is.
public struct Latest<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// How long ago the newest tick came, of whatever kind.
    public let age: Duration
    /// It is older than the limit, or the connection behind it is gone.
    public let isStale: Bool
}

/// Quotes as they change. Each element is the whole quote, so a slow reader loses steps and never the
/// newest state. One reader; `latest` and `ticks` may be asked from anywhere, also without a reader.
public struct QuoteStream: AsyncSequence, Sendable {
    let subscription: Subscription<WireQuote>
    let feed: QuoteFeed

    /// The reader.
    public func makeAsyncIterator() -> Subscription<WireQuote>.Iterator {
        subscription.makeAsyncIterator()
    }

    /// Ends the subscription, here and at the gateway.
    public func cancel() { subscription.cancel() }

    /// The newest quote with its age; `nil` before the first, and once it is
    /// asked for anew after a lost connection, until data come again.
    public var latest: Latest<WireQuote>? { feed.latest }

    /// The newest raw ticks, oldest first.
    public var ticks: [MarketTick] { feed.ticks }
}

/// What the ticks of one subscription add up to, over its requests.
final class QuoteFeed: Sendable {
    private let options: QuoteOptions
    private let session: Session
    private var loop: any SessionLoop { session.loop }
    private let state: Mutex<State>

    private struct State {
        var contract: Contract
        var mode: MarketDataMode
        var builder: QuoteBuilder
        var buffer: TickBuffer<MarketTick>
        /// When the newest tick came, by the clock that never steps.
        var touched: Timestamp?
    }

    init(_ contract: Contract, _ options: QuoteOptions, _ session: Session) {
        self.options = options
        self.session = session
        state = Mutex(
            State(
                contract: contract, mode: options.mode, builder: QuoteBuilder(mode: options.mode),
                buffer: TickBuffer(capacity: options.tickCapacity)))
    }

    /// How fresh the next request's data have to be.
    var mode: MarketDataMode { state.withLock { $0.mode } }

    /// The request. What came by an earlier one is void from here on.
    func request(_ request: RequestID) -> ClientMessage {
        let contract = state.withLock { state in
            state.builder = QuoteBuilder(mode: state.mode)
            state.touched = nil
            return state.contract
        }
        var message = ReqMktData()
        message.reqId = request
        message.contract = contract
        message.genericTickList = options.genericTicks.map(String.init).joined(separator: ",")
        return .reqMktData(message)
    }

    /// What a message brings as raw tick.
    func tick(_ message: GatewayMessage) -> MarketTick? {
        guard let kind = MarketTick.Kind(message) else { return nil }
        let now = loop.timeOfDay
        let touched = loop.now
        return state.withLock { state in
            let tick = MarketTick(receivedAt: now, mode: state.builder.quote.mode, kind: kind)
            state.touched = touched
            return tick
        }
    }

    /// Keeps the mode up to date where only raw ticks are wanted.
    func note(_ tick: MarketTick) { state.withLock { _ = $0.builder.take(tick) } }

    /// What a message brings as quote.
    func quotes(_ message: GatewayMessage) -> SignalSource<WireQuote>.Taken {
        guard let tick = tick(message) else { return reroutes(message) ? .anew : .nothing }
        return state.withLock { state in
            state.buffer.add(tick)
            return .elements(state.builder.take(tick) ? [state.builder.quote] : [])
        }
    }

    /// A contract for difference names the instrument whose data it has: that one is asked for instead.
    func reroutes(_ message: GatewayMessage) -> Bool {
        guard case .rerouteMktDataReq(let other) = message else { return false }
        return state.withLock { state in
            guard state.contract.conId != other.conId else { return false }
            state.contract = Contract()
            state.contract.conId = other.conId
            state.contract.exchange = other.exchange
            return true
        }
    }

    /// Whether the request is to be made anew with delayed data.
    func fallsBack(_ reading: CodeReading) -> Bool {
        guard reading.effect == .askForDelayed, options.allowsDelayed else { return false }
        return state.withLock { state in
            // Refused even so: then there is nothing to fall back to.
            guard state.mode != .delayed else { return false }
            state.mode = .delayed
            return true
        }
    }

    /// Takes a word that delayed data follow: all that follows is marked so.
    func mark(_ reading: CodeReading) {
        guard reading.effect == .delayedFollows else { return }
        note(MarketTick(receivedAt: loop.timeOfDay, mode: .delayed, kind: .mode(.delayed)))
    }

    var latest: Latest<WireQuote>? {
        let now = loop.now
        let isConnected = session.state != .down && session.state != .handshake
        return state.withLock { state in
            guard let touched = state.touched else { return nil }
            let age = now - touched
            return Latest(
                value: state.builder.quote, age: age,
                isStale: age > options.staleAfter || !isConnected)
        }
    }

    var ticks: [MarketTick] { state.withLock { $0.buffer.elements } }
}
