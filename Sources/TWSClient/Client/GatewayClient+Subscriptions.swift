import Primitives
import Synchronization
import TWSProtocol

/// A subscription that somebody wants: the registry of these is the desired state, and every session
/// makes each of them anew.
struct SubscriptionEntry: Sendable {
    let id: Int
    let question: Question
    let handler: Handler
    /// The request of this session; `nil` while there is none.
    var request: RequestID?
    var listener: Int?
    /// When the last datum came, or the request was made.
    var lastDatum: Timestamp
    /// How often the gateway ended it since the last datum.
    var endings = 0

    /// The handlers of a subscription.
    struct Handler: Sendable {
        let take: @Sendable (GatewayMessage) -> Outcome
        /// Looks at a word about the request before it is treated as usual.
        let handle: @Sendable (Notice, CodeReading) -> Outcome
        let notice: @Sendable (Notice) -> Void
        let gap: @Sendable (Gap) -> Void
        let finish: @Sendable ((any Error)?) -> Void
    }

    /// What a message or a word was to a subscription.
    enum Outcome: Sendable {
        /// A datum.
        case datum
        /// Nothing to it.
        case nothing
        /// It is to be asked anew, the old request being over.
        case anew
    }

    var route: Route? { request.map { question.route(of: $0) } }
}

/// How a subscription's messages become its elements.
struct SignalSource<Element: Sendable>: Sendable {
    /// What a message brings.
    let take: @Sendable (GatewayMessage) -> Taken
    /// What a word about the request brings, before it is treated as usual.
    var handle: @Sendable (Notice, CodeReading) -> Taken = { _, _ in .nothing }

    init(
        take: @escaping @Sendable (GatewayMessage) -> Taken,
        handle: @escaping @Sendable (Notice, CodeReading) -> Taken = { _, _ in .nothing }
    ) {
        self.take = take
        self.handle = handle
    }

    /// What a message or a word brings.
    enum Taken: Sendable {
        /// Elements, in their order; none where a datum changed nothing.
        case elements([Element])
        /// Nothing to it.
        case nothing
        /// The request is over; the subscription is to be asked anew.
        case anew
    }
}

extension GatewayClient {
    /// Subscribes. Made at once where the session has begun, otherwise as soon as it has.
    ///
    /// - Parameter take: the element a message brings, if any.
    func subscribe<Element: Sendable>(
        _ question: Question, _ policy: OverflowPolicy,
        _ take: @escaping @Sendable (GatewayMessage) -> Element?
    ) -> Subscription<Element> {
        subscribe(
            question, policy,
            from: SignalSource { message in
                take(message).map { .elements([$0]) } ?? .nothing
            })
    }

    /// Subscribes to what `source` makes of the messages.
    func subscribe<Element: Sendable>(
        _ question: Question, _ policy: OverflowPolicy, from source: SignalSource<Element>
    ) -> Subscription<Element> {
        let mailbox = Mailbox<Signal<Element>>(policy) { .gap(.overrun($0)) }
        let handler = handler(for: source, mailbox)
        let now = session.loop.now
        let id = state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            state.nextEntry += 1
            state.entries.append(
                SubscriptionEntry(
                    id: state.nextEntry, question: question, handler: handler, lastDatum: now))
            return state.nextEntry
        }
        guard let id else {
            mailbox.finish(throwing: ClientError.closed)
            return Subscription(mailbox: mailbox, lifetime: SubscriptionLifetime {})
        }
        make(id)
        return Subscription(
            mailbox: mailbox,
            lifetime: SubscriptionLifetime { [weak self] in
                mailbox.finish()
                self?.endSubscription(id)
            })
    }

    private func handler<Element: Sendable>(
        for source: SignalSource<Element>, _ mailbox: Mailbox<Signal<Element>>
    ) -> SubscriptionEntry.Handler {
        let deliver: @Sendable (SignalSource<Element>.Taken) -> SubscriptionEntry.Outcome = {
            switch $0 {
            case .nothing: return .nothing
            case .anew: return .anew
            case .elements(let elements):
                for element in elements { mailbox.put(.data(element)) }
                return .datum
            }
        }
        return SubscriptionEntry.Handler(
            take: { deliver(source.take($0)) }, handle: { deliver(source.handle($0, $1)) },
            notice: { mailbox.put(.notice($0)) }, gap: { mailbox.put(.gap($0)) },
            finish: { mailbox.finish(throwing: $0) })
    }

    /// Makes a subscription in this session, under a new number; nothing where it has one.
    ///
    /// May run on any thread while the loop does anything else: what happened between its steps is
    /// looked at again behind them.
    private func make(_ id: Int) {
        let now = session.loop.now
        let prepared = state.withLock { state -> (Question, RequestID)? in
            guard let index = state.entries.firstIndex(where: { $0.id == id }),
                state.entries[index].request == nil
            else { return nil }
            let entry = state.entries[index]
            let request = state.router.newRequest()
            state.entries[index].request = request
            state.entries[index].lastDatum = now
            let route = entry.question.route(of: request)
            state.entries[index].listener = state.router.add(listener(for: entry), to: route)
            return (entry.question, request)
        }
        guard let (question, request) = prepared else { return }
        do throws(SendRefusal) {
            try ask(question, as: request)
            // Ended, or made by a newer connection meanwhile: then nobody knows this one.
            if self.request(of: id) != request { callOff(question, request) }
        } catch {
            forget(id, ifStill: request)
            guard case .link = error else { return finish(id, ClientError.notSent(error)) }
            // It stays in the registry, and the next session makes it: unless that began just now.
            if session.state.hasBegun { make(id) }
        }
    }

    private func request(of id: Int) -> RequestID? {
        state.withLock { state in state.entries.first { $0.id == id }?.request }
    }

    private func listener(for entry: SubscriptionEntry) -> Listener {
        let id = entry.id
        let handler = entry.handler
        return Listener(
            receive: { [weak self] message in
                switch handler.take(message) {
                case .datum: self?.touch(id)
                case .nothing: break
                case .anew: self?.remake(id, callingOff: false)
                }
                return false
            },
            notice: { [weak self] notice, reading in
                switch handler.handle(notice, reading) {
                case .nothing: break
                case .datum:
                    handler.notice(notice)
                    return false
                case .anew:
                    handler.gap(.terminated(notice))
                    self?.remake(id, callingOff: false)
                    return false
                }
                if reading.asksForSubscriptionAnew {
                    handler.gap(.terminated(notice))
                    self?.resubscribeAfterPause(id)
                    return false
                }
                guard reading.endsRequest else {
                    handler.notice(notice)
                    return false
                }
                self?.finish(id, ClientError.rejected(notice))
                return false
            },
            disconnected: { _ in true })
    }

    private func touch(_ id: Int) {
        let now = session.loop.now
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.id == id }) else { return }
            state.entries[index].lastDatum = now
            state.entries[index].endings = 0
        }
    }

    /// Takes a subscription's request out of the routes; it stays in the registry.
    ///
    /// - Returns: the request it had.
    @discardableResult private func forget(
        _ id: Int, ifStill expected: RequestID? = nil
    ) -> (Question, RequestID)? {
        let found = state.withLock { state -> (SubscriptionEntry, Route, Int)? in
            guard let index = state.entries.firstIndex(where: { $0.id == id }),
                expected == nil || state.entries[index].request == expected,
                let route = state.entries[index].route,
                let listener = state.entries[index].listener
            else { return nil }
            let entry = state.entries[index]
            state.entries[index].request = nil
            state.entries[index].listener = nil
            return (entry, route, listener)
        }
        guard let (entry, route, listener) = found, let request = entry.request else { return nil }
        remove(listener, from: route)
        return (entry.question, request)
    }

    /// Ends a subscription for its owner.
    func endSubscription(_ id: Int) {
        let old = forget(id)
        let wasThere = state.withLock { state in
            let count = state.entries.count
            state.entries.removeAll { $0.id == id }
            return state.entries.count < count
        }
        guard wasThere, let (question, request) = old else { return }
        callOff(question, request)
    }

    /// Cancels a question at the gateway: its answers are wanted no more.
    func callOff(_ question: Question, _ request: RequestID) {
        // A topic that somebody else still listens to goes on.
        if let topic = question.topic,
            !state.withLock({ $0.router.listeners(of: .topic(topic)) }).isEmpty
        {
            return
        }
        guard let ending = question.ending, !session.withdraw(request) else { return }
        do throws(SendRefusal) {
            try session.send(ending(request))
        } catch {
            telemetry.notCalledOff(question.name, error)
        }
    }

    private func finish(_ id: Int, _ error: ClientError) {
        forget(id)
        let handler = state.withLock { state -> SubscriptionEntry.Handler? in
            defer { state.entries.removeAll { $0.id == id } }
            return state.entries.first { $0.id == id }?.handler
        }
        handler?.finish(error)
    }

    private func remake(_ id: Int, callingOff: Bool) {
        if let (question, request) = forget(id), callingOff { callOff(question, request) }
        make(id)
    }

    /// The gateway ended a subscription: at once the first time, then after 1, 2, 4 ... 30 seconds, until
    /// data come.
    private func resubscribeAfterPause(_ id: Int) {
        let endings = state.withLock { state -> Int in
            guard let index = state.entries.firstIndex(where: { $0.id == id }) else { return 0 }
            state.entries[index].endings += 1
            return state.entries[index].endings
        }
        guard endings > 1 else { return remake(id, callingOff: true) }
        if let (question, request) = forget(id) { callOff(question, request) }
        let pause = Duration.seconds(min(30, 1 << Int64(min(endings - 2, 5))))
        _ = session.loop.schedule(at: session.loop.now + pause) { [weak self] in self?.make(id) }
    }

    /// Makes subscriptions anew that the gateway does not have.
    func resubscribe(_ which: SessionEvent.Subscriptions) {
        let entries = state.withLock { $0.entries }
        switch which {
        case .ofNewConnection:
            // One that somebody made since the session's begin has its request already.
            for entry in entries { make(entry.id) }
        case .all:
            state.withLock { $0.dataMode = nil }
            for entry in entries where entry.request != nil {
                entry.handler.gap(.dataLost)
                remake(entry.id, callingOff: false)
            }
        case .ofFarm(let farm):
            let restored = session.loop.now
            let epoch = session.epoch
            _ = session.loop.schedule(at: restored + settings.farmSilence) { [weak self] in
                self?.remakeSilent(since: restored, farm: farm, epoch: epoch)
            }
        }
    }

    private func remakeSilent(since restored: Timestamp, farm: String, epoch: Int) {
        guard session.epoch == epoch else { return }
        let silent = state.withLock { state in
            state.entries.filter { $0.request != nil && $0.lastDatum < restored }
        }
        for entry in silent where entry.question.topic == nil {
            entry.handler.gap(.farm(farm))
            remake(entry.id, callingOff: true)
        }
    }
}
