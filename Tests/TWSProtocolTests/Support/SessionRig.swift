import Primitives
import TWSProtocol
import Testing

/// A client's session and a gateway's side of each of its connections, joined without a socket,
/// under
/// a clock that the test sets. The gateway answers start-up and synchronisation unless told
/// otherwise.
struct SessionRig {
    var session: ClientSession
    private(set) var now = Timestamp(seconds: 100)
    /// When the session wants to be called.
    private(set) var wake: Timestamp?
    /// What the session told, in order.
    var events: [SessionEvent] = []
    /// What arrived at the gateway, and when.
    private(set) var received: [(time: Timestamp, message: ClientMessage)] = []
    /// When the session began an attempt to connect.
    private(set) var attempts: [Timestamp] = []
    /// Connections the session closed itself.
    private(set) var closings = 0
    /// Bytes the session wrote that no gateway has read.
    private(set) var unread: [UInt8] = []

    /// The connection that is open, from the gateway's side.
    private(set) var gateway: GatewaySession?
    /// Messages the gateway answers by itself.
    var answered: Set<ClientMessageKind> = [
        .reqOpenOrders, .reqAllOpenOrders, .reqCompletedOrders, .reqExecutions, .reqPositions,
        .reqCurrentTime,
    ]
    /// Whether an attempt to connect succeeds.
    var isListening = true
    /// Whether the gateway says anything at all.
    var speaks = true
    /// The first answers, in their order.
    var welcome: [GatewayMessage] = [.accounts("DU1234567"), .nextID(1)]
    /// The answer to the versions; `nil` for the gateway's own.
    var firstWord: [UInt8]?
    /// How long the gateway's words are on their way.
    var latency = Duration.zero
    private var underway: [(time: Timestamp, bytes: [UInt8])] = []
    private var incoming: [UInt8] = []
    private var isReading = false
    private var chunks: SeededGenerator?

    init(placesOrders: Bool = true, _ set: (inout SessionSettings) -> Void = { _ in }) {
        var settings = SessionSettings(clientID: 7)
        settings.placesOrders = placesOrders
        set(&settings)
        session = ClientSession(settings: settings)
    }

    // MARK: - Inputs

    /// Connects and begins, and synchronises where the session places orders.
    static func begun(
        placesOrders: Bool = true, _ set: (inout SessionSettings) -> Void = { _ in }
    ) -> SessionRig {
        var rig = SessionRig(placesOrders: placesOrders, set)
        rig.start()
        return rig
    }

    mutating func start() { input { $0.start(at: $1, into: &$2) } }

    mutating func stop() { input { $0.stop(at: $1, into: &$2) } }

    /// The connection breaks.
    mutating func cut(_ fault: SessionFault = .closedByGateway) {
        hangUp()
        input { $0.closed(fault, at: $1, into: &$2) }
    }

    /// The gateway says something.
    mutating func reply(_ messages: GatewayMessage...) { reply(messages) }

    /// The gateway says something.
    mutating func reply(_ messages: [GatewayMessage]) {
        var bytes: [UInt8] = []
        for message in messages {
            do throws(EncodingRefusal) {
                try gateway?.encode(message, into: &bytes)
            } catch {
                Issue.record("a test's message does not travel: \(error)")
            }
        }
        transmit(bytes)
    }

    /// A code about the session, or about a request or order.
    mutating func reply(code: Int32, id: Int32? = nil, _ text: String = "words") {
        reply(.code(code, id: id, text))
    }

    /// Bytes arrive, whatever they are.
    mutating func receive(_ bytes: [UInt8]) {
        input { session, now, outcome in
            bytes.withUnsafeBytes { session.received($0, at: now, into: &outcome) }
        }
    }

    /// From now on the gateway's bytes arrive in pieces of random length.
    mutating func chop(seed: UInt64) { chunks = SeededGenerator(seed: seed) }

    /// Sends a message; the refusal, if there is one.
    @discardableResult mutating func send(_ message: ClientMessage) -> SendRefusal? {
        var refusal: SendRefusal?
        input { session, now, outcome in
            do throws(SendRefusal) {
                try session.send(message, at: now, into: &outcome)
            } catch {
                refusal = error
                // A refusal leaves nothing behind: the wish to be called stays as it was.
                session.timeReached(at: now, into: &outcome)
            }
        }
        return refusal
    }

    /// Lets time pass: the session is called when it wishes, the gateway's words arrive when they
    /// do.
    mutating func advance(by duration: Duration) {
        let target = now + duration
        for _ in 0..<1_000_000 {
            let next = [wake, underway.first?.time].compactMap(\.self).min()
            guard let next, next <= target else { break }
            now = max(now, next)
            if let first = underway.first, first.time <= now {
                underway.removeFirst()
                arrive(first.bytes)
            } else {
                input { $0.timeReached(at: $1, into: &$2) }
            }
        }
        now = target
    }

    // MARK: - Outcomes

    /// What arrived at the gateway, without the times.
    var messages: [ClientMessage] { received.map(\.message) }

    /// How many messages of a kind arrived.
    func count(_ kind: ClientMessageKind) -> Int { received.count { $0.message.kind == kind } }

    /// The states of the link, as they were told.
    var links: [LinkState] {
        events.compactMap { if case .link(let state, _) = $0 { state } else { nil } }
    }

    /// Why connections ended.
    var faults: [SessionFault] {
        events.compactMap { if case .disconnected(let fault, _) = $0 { fault } else { nil } }
    }

    /// The waits before the next attempts.
    var waits: [Duration] {
        events.compactMap { if case .disconnected(_, let wait) = $0 { wait } else { nil } }
    }

    /// Subscriptions that were to be made anew.
    var resubscriptions: [SessionEvent.Subscriptions] {
        events.compactMap { if case .resubscribe(let which) = $0 { which } else { nil } }
    }

    /// Forgets what was told and heard so far.
    mutating func forget() {
        events = []
        received = []
    }

    mutating func input(
        _ input: (inout ClientSession, Timestamp, inout SessionOutcome) -> Void
    ) {
        var outcome = SessionOutcome()
        input(&session, now, &outcome)
        events += outcome.events
        wake = outcome.wake
        perform(outcome)
    }

    private mutating func perform(_ outcome: SessionOutcome) {
        if !outcome.bytes.isEmpty { read(outcome.bytes) }
        switch outcome.connection {
        case .keep: break
        case .close:
            closings += 1
            hangUp()
        case .open:
            attempts.append(now)
            guard isListening else {
                return input { $0.closed(.connection("refused"), at: $1, into: &$2) }
            }
            gateway = GatewaySession()
            input { $0.opened(at: $1, into: &$2) }
        }
    }

    // MARK: - The gateway

    private mutating func hangUp() {
        gateway = nil
        underway = []
        incoming = []
    }

    private mutating func read(_ bytes: [UInt8]) {
        guard speaks, gateway != nil else {
            unread += bytes
            return
        }
        var received: [GatewaySession.Event] = []
        bytes.withUnsafeBytes { gateway?.received($0, into: &received) }
        for event in received { answer(event) }
    }

    private mutating func answer(_ event: GatewaySession.Event) {
        switch event {
        case .agreed:
            do throws(EncodingRefusal) {
                let own = try gateway?.greeting(time: .other("20231114 17:13:20 EST")) ?? []
                transmit(firstWord ?? own)
            } catch {
                Issue.record("a greeting does not travel: \(error)")
            }
        case .started: reply(welcome)
        case .message(let message, _):
            received.append((now, message))
            if answered.contains(message.kind) { reply(message.answer) }
        case .rejected(let failure): Issue.record("a message cannot be read: \(failure)")
        case .failed: break
        }
    }

    private mutating func transmit(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        if latency > .zero { return underway.append((now + latency, bytes)) }
        arrive(bytes)
    }

    /// Bytes arrive behind all that came before, in one piece or in pieces of random length.
    private mutating func arrive(_ bytes: [UInt8]) {
        incoming += bytes
        guard !isReading else { return }
        isReading = true
        while !incoming.isEmpty {
            var count = incoming.count
            if var generator = chunks {
                count = Int.random(in: 1...min(count, 40), using: &generator)
                chunks = generator
            }
            let piece = Array(incoming.prefix(count))
            incoming.removeFirst(count)
            receive(piece)
        }
        isReading = false
    }
}

extension ClientMessage {
    /// How a gateway with nothing to tell ends its answer.
    var answer: [GatewayMessage] {
        switch self {
        case .reqOpenOrders, .reqAllOpenOrders: return [.openOrderEnd(OpenOrderEnd())]
        case .reqCompletedOrders: return [.completedOrdersEnd(CompletedOrdersEnd())]
        case .reqExecutions(let question):
            var end = ExecDetailsEnd()
            end.reqId = question.reqId
            return [.execDetailsEnd(end)]
        case .reqPositions: return [.positionEnd(PositionEnd())]
        case .reqCurrentTime: return [.currentTime(CurrentTime())]
        default: return []
        }
    }

    /// A market order of so many shares, under a number.
    static func order(_ id: Int32) -> ClientMessage {
        var message = PlaceOrder()
        message.orderId = APIOrderID(rawValue: id)
        message.contract.symbol = "SPY"
        message.contract.exchange = "SMART"
        return .placeOrder(message)
    }

    /// The cancel of an order.
    static func cancel(_ id: Int32) -> ClientMessage {
        var message = CancelOrder()
        message.orderId = APIOrderID(rawValue: id)
        return .cancelOrder(message)
    }

    /// A question for contracts, which no limit binds but that of messages.
    static func details(_ id: Int32) -> ClientMessage {
        var message = ReqContractDetails()
        message.reqId = RequestID(rawValue: id)
        message.contract.symbol = "SPY"
        return .reqContractDetails(message)
    }

    /// A subscription to quotes.
    static func quotes(_ id: Int32) -> ClientMessage {
        var message = ReqMktData()
        message.reqId = RequestID(rawValue: id)
        message.contract.symbol = "SPY"
        return .reqMktData(message)
    }

    /// The order that the message places or cancels.
    var orderNumber: Int32? {
        switch self {
        case .placeOrder(let message): message.orderId.rawValue
        case .cancelOrder(let message): message.orderId.rawValue
        default: nil
        }
    }
}

extension GatewayMessage {
    static func accounts(_ names: String...) -> GatewayMessage {
        var message = ManagedAccounts()
        message.accountsList = names.map { AccountID($0) }
        return .managedAccounts(message)
    }

    static func nextID(_ id: Int32) -> GatewayMessage {
        var message = NextValidId()
        message.orderId = APIOrderID(rawValue: id)
        return .nextValidId(message)
    }

    static func code(_ code: Int32, id: Int32? = nil, _ text: String = "words") -> GatewayMessage {
        var message = ErrorMessage()
        message.id = id
        message.errorCode = code
        message.errorString = text
        return .error(message)
    }

    /// A bid of one dollar.
    static func bid(_ request: Int32) -> GatewayMessage {
        var message = TickPrice()
        message.reqId = RequestID(rawValue: request)
        return .tickPrice(message)
    }
}
