public import Logging
public import Primitives
import Synchronization
public import TWSProtocol

/// How a client behaves.
public struct ClientSettings: Hashable, Sendable {
    /// How the session behaves.
    public var session: SessionSettings
    /// How long a call waits for its complete answer, the connection included.
    public var callLimit = Duration.seconds(10)
    /// How long lists of contracts may take: an option class has thousands.
    public var detailsLimit = Duration.seconds(60)
    /// How long one piece of history may take once it may be asked for.
    public var historyLimit = Duration.seconds(60)
    /// How often a piece of history is asked for again after a lost connection, a missing answer or a
    /// word that it was asked for too often.
    public var historyRetriesMax = 5
    /// Waiting elements of a subscription whose newest element counts.
    public var quoteCapacity = 1_024
    /// Waiting ticks of a subscription to every tick; the oldest makes room, which is reported as a gap.
    public var tickCapacity = 65_536
    /// Waiting elements of a subscription of which none may be dropped.
    public var orderCapacity = 100_000
    /// How long a subscription may stay silent after its farm came back before it is made anew.
    public var farmSilence = Duration.seconds(10)

    /// A client under `clientID` that only reads.
    public init(clientID: ClientID) { session = SessionSettings(clientID: clientID) }
}

/// What happens to a client's connection.
public enum ConnectionEvent: Hashable, Sendable {
    /// The link's state changed.
    case link(LinkState, cause: LinkCause)
    /// The connection ended, and when the next attempt begins.
    case disconnected(SessionFault, nextAttemptIn: Duration?)
    /// The silence of the line changed its meaning.
    case silence(Watchdog.Health)
    /// An answer that must be known before orders may leave is missing after all retries.
    case syncStalled(missing: [SyncAnswer])
    /// A word of the gateway about itself, or about nothing that anybody waits for.
    case notice(Notice)
    /// A message could not be read; only it is lost.
    case rejected(DecodingFailure)
    /// Messages that were taken for sending did not leave before the connection ended.
    case unsent(Int)
}

/// A connection to TWS or IB Gateway, for any program: questions with answers, subscriptions that
/// survive reconnects, orders.
///
/// All calls may be made from any task. Those that wait honour cancellation, which also cancels at the
/// gateway, and give up after `ClientSettings.callLimit`.
public final class GatewayClient: Sendable {
    /// How the client behaves.
    public let settings: ClientSettings
    let session: Session
    let codes: CodePolicy
    let numbers: OrderNumbers
    let telemetry: Telemetry
    let state = Mutex(State())
    /// Held while messages leave that belong together.
    let asking = Mutex<Void>(())
    /// What calls keep between them.
    let calls = CallState()
    private let feed: Feed

    /// What the lock guards.
    struct State: Sendable {
        var router = Router()
        var entries: [SubscriptionEntry] = []
        var nextEntry = 0
        var monitors: [Mailbox<ConnectionEvent>] = []
        var orderFeeds: [Mailbox<OrderEvent>] = []
        var begunWaiters: [(id: Int, waiter: Pending<Void, Void>)] = []
        var readyWaiters: [(id: Int, waiter: Pending<Void, Void>)] = []
        var nextWaiter = 0
        var accounts: [AccountID] = []
        var nextOrderID: APIOrderID?
        var lastFault: SessionFault?
        var isClosed = false
        /// How fresh data have to be, as requested of the gateway, and in which connection; `nil` where the
        /// gateway's own beginning holds: live.
        var dataMode: (mode: MarketDataMode, epoch: Int)?
    }

    /// Breaks the circle between the session, which hands over to the client, and the client, which
    /// owns the session.
    private final class Feed: Sendable {
        let client = Mutex<WeakClient>(WeakClient())
        struct WeakClient: Sendable { weak var client: GatewayClient? }
    }

    /// A client that has not connected.
    ///
    /// - Parameters:
    ///   - orderNumbers: where the highest order number given is kept; a program that places orders
    ///     keeps it on disk.
    ///   - recorder: gets every byte in both directions.
    public init(
        settings: ClientSettings, codes: CodePolicy = .standard, connector: any PipeConnector,
        orderNumbers: any OrderNumberStore = VolatileOrderNumbers(),
        recorder: (any FrameSink)? = nil, logger: Logger = Logger(label: "tws-client")
    ) {
        self.settings = settings
        self.codes = codes
        numbers = OrderNumbers(store: orderNumbers)
        telemetry = Telemetry(logger: logger)
        let feed = Feed()
        self.feed = feed
        session = Session(
            settings: settings.session, codes: codes, connector: connector, recorder: recorder
        ) { events in
            let client = feed.client.withLock { $0.client }
            client?.take(events)
        }
        feed.client.withLock { $0.client = self }
    }

    deinit { session.stop() }

    // MARK: - Connecting

    /// Connects, and returns once the session has begun: accounts and next order number are known.
    ///
    /// A session that reconnects goes on trying behind a throw; `close` ends it.
    ///
    /// - Parameter limit: how long to wait; `nil` waits without end.
    /// - Throws: `ClientError.notConnected` with the last cause.
    public func connect(limit: Duration? = .seconds(30)) async throws {
        session.start()
        do {
            try await begun(limit: limit)
        } catch let error as ClientError {
            guard case .timedOut = error, let fault = state.withLock({ $0.lastFault }) else {
                throw error
            }
            throw ClientError.notConnected(fault)
        }
    }

    /// Returns once orders may leave: what the gateway knows has been read.
    ///
    /// - Throws: `ClientError.timedOut`, with what is missing in plain words.
    public func ready(limit: Duration? = .seconds(60)) async throws {
        do {
            try await wait(for: \.readyWaiters, limit: limit, named: "synchronised session") {
                self.session.state.mayReduce
            }
        } catch ClientError.timedOut(_, let limit) {
            let state = session.state
            let missing = session.missing.map(\.description).joined(separator: ", ")
            throw ClientError.timedOut(
                waitingFor: state == .sync ? missing : "ready link (it is \(state))", after: limit)
        }
    }

    /// Closes the connection for good. Calls that wait throw, subscriptions end.
    public func close() {
        let wasOpen = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard wasOpen else { return }
        session.stop()
        endEverything(.closed)
    }

    /// The state of the link.
    public var linkState: LinkState { session.state }
    /// The version agreed with the gateway; `nil` while not connected.
    public var serverVersion: ServerVersion? { session.agreement?.version }
    /// The accounts of the login; empty before the first connection.
    public var accounts: [AccountID] { state.withLock { $0.accounts } }
    /// The lowest order number the gateway takes; `nil` before the first connection.
    public var nextOrderID: APIOrderID? { state.withLock { $0.nextOrderID } }

    /// What happens to the connection from now on. Nothing is dropped.
    public func connectionEvents() -> EventSequence<ConnectionEvent> {
        let mailbox = Mailbox<ConnectionEvent>(.neverDrops(capacity: settings.orderCapacity))
        state.withLock { state in
            if state.isClosed { mailbox.finish() } else { state.monitors.append(mailbox) }
        }
        return EventSequence(mailbox: mailbox) { [weak self] in
            self?.state.withLock { $0.monitors.removeAll { $0 === mailbox } }
        }
    }

    /// Waits until the session has begun.
    func begun(limit: Duration?) async throws {
        try await wait(for: \.begunWaiters, limit: limit, named: "connection") {
            self.session.state.hasBegun
        }
    }

    private func wait(
        for waiters: any WritableKeyPath<State, [(id: Int, waiter: Pending<Void, Void>)]>
            & Sendable,
        limit: Duration?, named name: String, _ isReached: @escaping @Sendable () -> Bool
    ) async throws {
        let pending = Pending<Void, Void>(()) { _, _ in .more }
        let id = state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            state.nextWaiter += 1
            state[keyPath: waiters].append((state.nextWaiter, pending))
            return state.nextWaiter
        }
        guard let id else { throw ClientError.closed }
        // Looked at after the waiter stands in line: a change in between finds it there.
        if isReached() { pending.finish(.success(())) }
        let timer = limit.map { limit in
            session.loop.schedule(at: session.loop.now + limit) {
                pending.finish(.failure(ClientError.timedOut(waitingFor: name, after: limit)))
            }
        }
        defer {
            timer?.cancel()
            state.withLock { $0[keyPath: waiters].removeAll { $0.id == id } }
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { pending.wait($0) }
        } onCancel: {
            pending.finish(.failure(CancellationError()))
        }
    }
}

extension LinkState {
    /// Questions can be asked.
    var hasBegun: Bool {
        switch self {
        case .down, .handshake: false
        case .sync, .ready, .upstreamLost, .dataDegraded, .drain, .locked: true
        }
    }
}
