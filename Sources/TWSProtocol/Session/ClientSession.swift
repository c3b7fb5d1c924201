public import Primitives

/// The client's side of the conversation over all its connections: handshake, begin, synchronise,
/// heartbeat, pacing, loss and return. Reads no clock and no socket: each input is one call, and what
/// it causes is added to an outcome that the owner of the socket performs.
///
/// The clock passed in must not go backwards; it need not be the time of day.
public struct ClientSession: Sendable {
    /// Where the session's own request numbers begin; a client counts below.
    public static let firstOwnRequest: Int32 = 2_146_000_000

    /// Data stop while the login is used elsewhere.
    static let dataStoppedCode = 10_197

    /// How the session behaves.
    public let settings: SessionSettings
    /// The state of the link.
    public var state: LinkState { link.state }
    /// What must be answered yet before orders may leave.
    public var missing: [SyncAnswer] { link.missing }
    /// The connection's number, from 1.
    public var epoch: Int { link.epoch }
    /// What is agreed with the gateway; `nil` before the handshake.
    public private(set) var agreement: ClientHandshake.Agreement?
    /// The accounts of the login, once reported.
    public private(set) var accounts: [AccountID] = []
    /// The lowest order number the gateway takes, once reported in this connection.
    public private(set) var nextOrderID: APIOrderID?

    var link: LinkMachine
    var stage = Stage.idle
    var outbox: Outbox
    var queuedFrames = QueuedFrames()
    /// Cancels asked for while they could not leave: a cancel is never forgotten.
    var deferredCancels: [Outgoing] = []
    var sync = Synchronisation()
    var watchdog: Watchdog
    var health = Watchdog.Health.healthy
    /// Requests whose data stopped because the login is used elsewhere (10197).
    var stopped: [RequestID] = []
    /// They stopped without a request being named: only the link's return says that they flow again.
    var isStoppedWholly = false
    private let codes: CodePolicy
    private var frames = FrameReader()
    private var backoff: Backoff
    private var clientIDBackoff: Backoff
    private var idInUse = false

    /// Where the connection stands. Each stage names what may follow.
    enum Stage: Hashable, Sendable {
        /// Not started, or stopped for good. Follows: `opening`.
        case idle
        /// A connection is being opened. Follows: `shaking`, `waiting`, `idle`.
        case opening
        /// Versions are being agreed. Follows: `beginning`, `waiting`, `idle`.
        case shaking(until: Timestamp)
        /// `startApi` is sent; accounts and next valid id are awaited. Follows: `begun`, `waiting`, `idle`.
        case beginning(TextCodec, until: Timestamp)
        /// The session runs. Follows: `waiting`, `idle`.
        case begun(TextCodec)
        /// The next attempt begins then. Follows: `opening`, `idle`.
        case waiting(until: Timestamp)
    }

    /// A session that has not started.
    public init(settings: SessionSettings, codes: CodePolicy = .standard) {
        self.settings = settings
        self.codes = codes
        link = LinkMachine(
            required: settings.placesOrders
                ? SyncAnswer.allCases : [.managedAccounts, .nextValidID])
        var limits = RequestLimits()
        limits.marketDataLines = settings.marketDataLines
        outbox = Outbox(
            messages: MessagePace(marketDataLines: settings.marketDataLines),
            requests: RequestPace(limits: limits))
        watchdog = Watchdog(limits: settings.silence, at: .distantPast)
        backoff = Backoff(seed: settings.seed)
        clientIDBackoff = .clientIDInUse(seed: settings.seed)
    }

    // MARK: - The connection

    /// Begins the first attempt.
    public mutating func start(at now: Timestamp, into outcome: inout SessionOutcome) {
        defer { settle(at: now, into: &outcome) }
        guard stage == .idle else { return }
        stage = .opening
        outcome.connection = .open
    }

    /// The connection is open.
    public mutating func opened(at now: Timestamp, into outcome: inout SessionOutcome) {
        defer { settle(at: now, into: &outcome) }
        guard stage == .opening else { return }
        changeLink(.connection, into: &outcome) { $0.opened() }
        frames = FrameReader()
        idInUse = false
        health = .healthy
        stopped = []
        isStoppedWholly = false
        watchdog = Watchdog(limits: settings.silence, at: now)
        stage = .shaking(until: now + settings.beginningLimit)
        outcome.bytes += settings.handshake.bytes
    }

    /// The connection could not be opened, or broke, or the gateway closed it.
    public mutating func closed(
        _ fault: SessionFault, at now: Timestamp, into outcome: inout SessionOutcome
    ) {
        end(idInUse ? .clientIDInUse(settings.clientID) : fault, at: now, into: &outcome)
        settle(at: now, into: &outcome)
    }

    /// The owner wants no connection any more.
    public mutating func stop(at now: Timestamp, into outcome: inout SessionOutcome) {
        guard stage != .idle else { return }
        if case .waiting = stage {
            stage = .idle
            outcome.events.append(.disconnected(.closedByOwner, nextAttemptIn: nil))
        } else {
            end(.closedByOwner, at: now, into: &outcome)
        }
        outcome.connection = .close
        outcome.wake = nil
    }

    /// Bytes came. Every whole message in them is an event, in wire order.
    public mutating func received(
        _ bytes: UnsafeRawBufferPointer, at now: Timestamp, into outcome: inout SessionOutcome
    ) {
        defer { settle(at: now, into: &outcome) }
        switch stage {
        case .idle, .opening, .waiting: return
        case .shaking, .beginning, .begun: break
        }
        watchdog.received(at: now)
        relieve(at: now, into: &outcome)
        frames.append(bytes)
        while takeFrame(at: now, into: &outcome) {}
    }

    /// Reports that the line's condition has become better, if it has.
    private mutating func relieve(at now: Timestamp, into outcome: inout SessionOutcome) {
        guard health != .healthy else { return }
        let newest = watchdog.health(at: now)
        guard newest < health else { return }
        health = newest
        outcome.events.append(.silence(newest))
    }

    /// One frame out of the stream; false when there is none, or the connection ended.
    private mutating func takeFrame(
        at now: Timestamp, into outcome: inout SessionOutcome
    ) -> Bool {
        do {
            switch stage {
            case .idle, .opening, .waiting: return false
            case .shaking:
                let handshake = settings.handshake
                let answer = try frames.next {
                    payload -> Result<ClientHandshake.Agreement, HandshakeFault> in
                    do throws(HandshakeFault) {
                        return .success(try handshake.accept(payload))
                    } catch {
                        return .failure(error)
                    }
                }
                guard let answer else { return false }
                agree(answer, at: now, into: &outcome)
            case .beginning(let codec, _), .begun(let codec):
                let read = try frames.next { payload -> SessionEvent in
                    do throws(DecodingFailure) {
                        let decoded = try codec.decode(fromGateway: payload)
                        return .message(decoded.message, leftover: decoded.leftover)
                    } catch {
                        return .rejected(error)
                    }
                }
                guard let read else { return false }
                outcome.events.append(read)
                if case .message(let message, _) = read {
                    observe(message, at: now, into: &outcome)
                }
            }
        } catch {
            // A wrong length at the very beginning is another protocol's first word.
            let isFirst = agreement == nil
            fail(isFirst ? .handshake(.notAGateway) : .stream(error), at: now, into: &outcome)
            return false
        }
        return true
    }

    private mutating func agree(
        _ answer: Result<ClientHandshake.Agreement, HandshakeFault>, at now: Timestamp,
        into outcome: inout SessionOutcome
    ) {
        switch answer {
        case .failure(let fault): fail(.handshake(fault), at: now, into: &outcome)
        case .success(let agreement):
            self.agreement = agreement
            outcome.events.append(.agreed(agreement, epoch: epoch))
            let codec = TextCodec(version: agreement.version)
            stage = .beginning(codec, until: now + settings.beginningLimit)
            var start = StartApi()
            start.clientId = settings.clientID
            if PlantedBug.clientIDChanges.isPlanted {
                let id = settings.clientID.rawValue + Int32(clamping: epoch) - 1
                start.clientId = ClientID(rawValue: id)
            }
            start.optionalCapabilities = settings.optionalCapabilities
            do throws(EncodingRefusal) {
                try codec.encode(.startApi(start), into: &outcome.bytes)
            } catch {
                fail(.settings(error.description), at: now, into: &outcome)
            }
        }
    }

    // MARK: - What comes in

    private mutating func observe(
        _ message: GatewayMessage, at now: Timestamp, into outcome: inout SessionOutcome
    ) {
        switch message {
        case .managedAccounts(let message):
            accounts = message.accountsList
            begin(at: now, into: &outcome)
        case .nextValidId(let message):
            nextOrderID = message.orderId
            begin(at: now, into: &outcome)
        case .error(let message): handle(message, at: now, into: &outcome)
        case .currentTime, .currentTimeInMillis:
            watchdog.answered()
            relieve(at: now, into: &outcome)
        default:
            if !stopped.isEmpty { flows(message, into: &outcome) }
            guard let answer = sync.finished(by: message) else { return }
            outcome.events.append(.answered(answer))
            let epoch = epoch
            changeLink(.answer(answer), into: &outcome) { $0.received(answer, epoch: epoch) }
        }
    }

    /// Data of a request that the gateway had stopped.
    private mutating func flows(_ message: GatewayMessage, into outcome: inout SessionOutcome) {
        guard message.isDatum, let request = message.requestID, stopped.contains(request) else {
            return
        }
        stopped.removeAll { $0 == request }
        letDataFlow(into: &outcome)
    }

    /// Where nothing is stopped any more, the link is whole again.
    mutating func letDataFlow(into outcome: inout SessionOutcome) {
        guard stopped.isEmpty, !isStoppedWholly else { return }
        changeLink(.code(Self.dataStoppedCode), into: &outcome) { $0.dataFlowResumed() }
    }

    /// Both answers are here: the session has begun.
    private mutating func begin(at now: Timestamp, into outcome: inout SessionOutcome) {
        guard case .beginning(let codec, _) = stage, nextOrderID != nil, !accounts.isEmpty else {
            return
        }
        stage = .begun(codec)
        backoff.reset()
        clientIDBackoff.reset()
        var action = LinkMachine.Action.none
        changeLink(.connection, into: &outcome) { action = $0.began() }
        perform(action, at: now, into: &outcome)
        outcome.events.append(.resubscribe(.ofNewConnection))
    }

    private mutating func handle(
        _ message: ErrorMessage, at now: Timestamp, into outcome: inout SessionOutcome
    ) {
        let code = Int(message.errorCode)
        let reading = codes.reading(of: code, text: message.errorString)
        switch reading.effect {
        case .clientIDInUse: idInUse = true
        // Beyond the third time the gateway closes the connection itself.
        case .slowDown: _ = outbox.overLimitReported()
        case .backOff: _ = outbox.violated(at: now)
        case .dataStopped:
            // A bound on what is remembered: far more requests than any login has lines.
            if let id = message.id, stopped.count < 10_000 {
                stopped.append(RequestID(rawValue: id))
            } else {
                isStoppedWholly = true
            }
        default: break
        }
        for change in reading.connectivity {
            var action = LinkMachine.Action.none
            changeLink(.code(code), into: &outcome) { action = $0.changed(change) }
            switch change {
            case .upstreamLost: deferCancels(into: &outcome)
            case .upstreamRestored:
                stopped = []
                isStoppedWholly = false
            case .farmBroken, .farmRestored, .competingSession: break
            }
            // Contracts are asked for, not subscribed to: nothing of theirs can have fallen silent.
            if case .farm(.securityDefinition, _) = reading.effect { continue }
            perform(action, at: now, into: &outcome)
        }
        if reading.kind == .fatal, !idInUse {
            fail(.code(code, message.errorString), at: now, into: &outcome)
        }
    }

    private mutating func perform(
        _ action: LinkMachine.Action, at now: Timestamp, into outcome: inout SessionOutcome
    ) {
        switch action {
        case .none: break
        case .recoverFarm(let farm): outcome.events.append(.resubscribe(.ofFarm(farm)))
        case .synchronise: synchronise(at: now, into: &outcome)
        case .synchroniseAndResubscribe:
            synchronise(at: now, into: &outcome)
            outcome.events.append(.resubscribe(.all))
        }
    }

    // MARK: - The end of a connection

    /// Ends the connection from this side.
    mutating func fail(
        _ fault: SessionFault, at now: Timestamp, into outcome: inout SessionOutcome
    ) {
        end(idInUse ? .clientIDInUse(settings.clientID) : fault, at: now, into: &outcome)
        outcome.connection = .close
    }

    private mutating func end(
        _ fault: SessionFault, at now: Timestamp, into outcome: inout SessionOutcome
    ) {
        switch stage {
        case .idle, .waiting: return
        case .opening, .shaking, .beginning, .begun: break
        }
        let unsent = (outbox.disconnected() + deferredCancels).filter { !$0.isOwn }
        deferredCancels = []
        queuedFrames = QueuedFrames()
        sync = Synchronisation()
        accounts = []
        agreement = nil
        nextOrderID = nil
        if !unsent.isEmpty { outcome.events.append(.unsent(unsent)) }
        changeLink(.fault(fault), into: &outcome) { $0.closed() }
        var wait: Duration?
        if fault != .closedByOwner, settings.reconnects, !fault.isFinal {
            if case .clientIDInUse = fault {
                wait = clientIDBackoff.next()
            } else {
                wait = backoff.next()
            }
        }
        stage = wait.map { .waiting(until: now + $0) } ?? .idle
        outcome.events.append(.disconnected(fault, nextAttemptIn: wait))
    }

    /// Changes the link and reports a new state.
    mutating func changeLink(
        _ cause: LinkCause, into outcome: inout SessionOutcome,
        _ change: (inout LinkMachine) -> Void
    ) {
        let before = link.state
        change(&link)
        if link.state != before { outcome.events.append(.link(link.state, cause: cause)) }
    }
}

extension SessionFault {
    /// A person has to act first: the port was changed (1300), perhaps to that of another account.
    fileprivate var isFinal: Bool {
        if case .code(1_300, _) = self { true } else { false }
    }
}

extension GatewayMessage {
    /// Data of a subscription to an instrument.
    fileprivate var isDatum: Bool {
        switch self {
        case .tickPrice, .tickSize, .tickString, .tickGeneric, .tickOptionComputation, .tickEFP,
            .tickByTick, .marketDepth, .marketDepthL2, .realTimeBar, .historicalDataUpdate:
            true
        default: false
        }
    }
}
