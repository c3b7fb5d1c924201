import Primitives
import Synchronization
import TWSProtocol

extension GatewayClient {
    /// Takes the events of one input, on the session's loop.
    func take(_ events: [SessionEvent]) {
        for event in events { take(event) }
    }

    private func take(_ event: SessionEvent) {
        telemetry.count(event)
        switch event {
        case .agreed(let agreement, let epoch): telemetry.agreed(agreement, epoch: epoch)
        case .message(let message, _): take(message)
        case .rejected(let failure): publish(.rejected(failure))
        case .link(let link, let cause): changed(to: link, because: cause)
        case .resubscribe(let which): resubscribe(which)
        // The link says when all are there.
        case .asked, .answered: break
        case .syncStalled(let missing): publish(.syncStalled(missing: missing))
        case .silence(let health): publish(.silence(health))
        case .unsent(let messages): unsent(messages)
        case .disconnected(let fault, let wait): disconnected(fault, nextAttemptIn: wait)
        }
    }

    /// Messages that never leave: whoever owns an order is notified by its number.
    private func unsent(_ messages: [Outgoing]) {
        for message in messages {
            guard case .order(let number) = message.subject, let id = Int32(exactly: number) else {
                continue
            }
            publish(
                OrderEvent.unsent(APIOrderID(rawValue: id), isCancel: message.priority == .cancel))
        }
        publish(ConnectionEvent.unsent(messages.count))
    }

    /// Publishes to everybody who monitors the connection.
    func publish(_ event: ConnectionEvent) {
        for monitor in state.withLock({ $0.monitors }) { monitor.put(event) }
    }

    private func take(_ message: GatewayMessage) {
        switch message {
        case .managedAccounts(let message):
            state.withLock { $0.accounts = message.accountsList }
        case .nextValidId(let message):
            state.withLock { $0.nextOrderID = message.orderId }
            numbers.raise(to: message.orderId)
        case .error(let message): return take(message)
        default: break
        }
        if let event = OrderEvent(message) { publish(event) }
        for route in message.routes { hand(message, to: route) }
    }

    private func hand(_ message: GatewayMessage, to route: Route) {
        let listeners = state.withLock { $0.router.listeners(of: route) }
        // The answer to a question that nobody waits for any more.
        if listeners.isEmpty, case .request(let request) = route,
            request.rawValue < ClientSession.firstOwnRequest
        {
            telemetry.countUnclaimed()
        }
        for (id, listener) in listeners where listener.receive(message) {
            remove(id, from: route)
        }
    }

    /// Removes a listener, and frees its request's place among the open ones.
    func remove(_ id: Int, from route: Route) {
        let isLast = state.withLock { state in
            state.router.remove(id, from: route) && state.router.listeners(of: route).isEmpty
        }
        if isLast, case .request(let request) = route { session.finished(request) }
    }

    /// A word of the gateway: to whom it belongs, or to everybody.
    private func take(_ message: ErrorMessage) {
        let code = Int(message.errorCode)
        let isOrder = (message.id ?? -1) >= 0 && (message.id ?? -1) < Router.firstRequest
        let listeners = listeners(concernedBy: message)
        // Of what nobody waits for any more the client itself asked for the end.
        let asked: Asked = listeners.isEmpty && !isOrder ? .cancel : .unknown
        let reading = codes.reading(of: code, text: message.errorString, after: asked)
        let notice = Notice(
            code: code, text: message.errorString, advice: reading.advice,
            rejectDetails: message.advancedOrderRejectJson)
        telemetry.received(notice, reading, id: message.id)
        guard let id = message.id, id >= 0 else { return publish(.notice(notice)) }
        if isOrder { publish(.notice(APIOrderID(rawValue: id), notice)) }
        if listeners.isEmpty, !isOrder { publish(.notice(notice)) }
        let route = route(of: id)
        for (id, listener) in listeners where listener.notice(notice, reading) {
            remove(id, from: route)
        }
    }

    /// Where words about an order or a request come in.
    private func route(of id: Int32) -> Route {
        id < Router.firstRequest
            ? .order(APIOrderID(rawValue: id)) : .request(RequestID(rawValue: id))
    }

    /// Who waits for what a word is about: an order, a request, or the account's updates.
    private func listeners(concernedBy message: ErrorMessage) -> [(id: Int, listener: Listener)] {
        let id = message.id ?? -1
        let route = id >= 0 ? route(of: id) : Route.topic(.accountUpdates)
        return state.withLock { $0.router.listeners(of: route) }
    }

    private func changed(to link: LinkState, because cause: LinkCause) {
        telemetry.changed(to: link, because: cause, at: session.loop.now)
        publish(.link(link, cause: cause))
        let waiters = state.withLock { state in
            (link.hasBegun ? state.begunWaiters : []) + (link.mayReduce ? state.readyWaiters : [])
        }
        for (_, waiter) in waiters { waiter.finish(.success(())) }
    }

    private func disconnected(_ fault: SessionFault, nextAttemptIn wait: Duration?) {
        telemetry.disconnected(fault, nextAttemptIn: wait)
        let (listeners, entries, waiters) = state.withLock { state in
            state.lastFault = fault
            let listeners = state.router.routes.flatMap { route in
                state.router.listeners(of: route).map { (route, $0.id, $0.listener) }
            }
            let waiters = wait == nil ? state.begunWaiters + state.readyWaiters : []
            let living = state.entries.filter { $0.request != nil }
            // The next session makes every subscription anew.
            for index in state.entries.indices {
                state.entries[index].request = nil
                state.entries[index].listener = nil
            }
            return (listeners, living, waiters)
        }
        for (route, id, listener) in listeners where listener.disconnected(fault) {
            remove(id, from: route)
        }
        for entry in entries { entry.handler.gap(.disconnected) }
        publish(.disconnected(fault, nextAttemptIn: wait))
        for (_, waiter) in waiters {
            waiter.finish(.failure(ClientError.notConnected(fault)))
        }
    }

    /// Ends every call, subscription and sequence.
    func endEverything(_ error: ClientError) {
        let state = state.withLock { state in
            defer {
                state.entries = []
                state.monitors = []
                state.orderFeeds = []
            }
            return state
        }
        for route in state.router.routes {
            for (id, listener) in state.router.listeners(of: route)
            where listener.disconnected(.closedByOwner) {
                remove(id, from: route)
            }
        }
        for (_, waiter) in state.begunWaiters + state.readyWaiters {
            waiter.finish(.failure(error))
        }
        for entry in state.entries { entry.handler.finish(error) }
        for monitor in state.monitors { monitor.finish() }
        for feed in state.orderFeeds { feed.finish() }
    }
}
