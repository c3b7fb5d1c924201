public import Primitives

extension ClientSession {
    /// Takes a message for sending; it leaves when pacing lets it.
    ///
    /// - Throws: when it cannot be sent; nothing of it has left then.
    public mutating func send(
        _ message: ClientMessage, at now: Timestamp, into outcome: inout SessionOutcome
    ) throws(SendRefusal) {
        try send(message, isAllowed: mayOpen, at: now, into: &outcome)
    }

    /// Takes an order that can only reduce a position: it may also leave while data are degraded or a
    /// restart is near.
    ///
    /// - Throws: as `send`.
    public mutating func sendReducing(
        _ order: PlaceOrder, at now: Timestamp, into outcome: inout SessionOutcome
    ) throws(SendRefusal) {
        try send(.placeOrder(order), isAllowed: link.state.mayReduce, at: now, into: &outcome)
    }

    /// - Parameter isAllowed: the link lets an order leave that does what this one does.
    private mutating func send(
        _ message: ClientMessage, isAllowed: Bool, at now: Timestamp,
        into outcome: inout SessionOutcome
    ) throws(SendRefusal) {
        guard case .begun(let codec) = stage else { throw .link(link.state) }
        let departure = message.departure
        if departure.effect != .reads, !settings.placesOrders { throw .readOnly }
        if departure.effect == .opens, !isAllowed { throw .link(link.state) }
        var bytes: [UInt8] = []
        do {
            try codec.encode(message, into: &bytes)
        } catch {
            throw .encoding(error)
        }
        let outgoing = Outgoing(
            token: cargo.store(bytes), priority: departure.priority, subject: departure.subject,
            request: departure.request)
        if departure.effect == .cancels, !link.state.mayCancel {
            guard heldCancels.count < Self.heldCancelsMax else {
                throw .pacing(.queueFull(.cancel, capacity: Self.heldCancelsMax))
            }
            heldCancels.append(outgoing)
            return
        }
        if case .refused(let refusal) = outbox.enqueue(outgoing) {
            cargo.drop(outgoing)
            throw .pacing(refusal)
        }
        pump(at: now, into: &outcome)
        setWake(after: now, in: &outcome)
    }

    /// Cancels kept while the link is not ready; one for each of the orders a gateway holds is far less.
    static let heldCancelsMax = 10_000

    /// Ready, and no doubt about the line.
    private var mayOpen: Bool { link.state.mayOpen && verdict == .healthy }

    /// How long `message` would wait if it were sent at `now`, or why it would not be taken.
    public func delay(for message: ClientMessage, at now: Timestamp) -> Turn {
        let departure = message.departure
        return outbox.delay(
            for: Outgoing(
                token: 0, priority: departure.priority, subject: departure.subject,
                request: departure.request), at: now)
    }

    /// A request is over: its place among the open ones is free again.
    public mutating func ended(_ request: RequestID) { outbox.ended(Int(request.rawValue)) }

    /// Takes back what has not left for a request.
    ///
    /// - Returns: true when it had not left at all.
    public mutating func withdraw(_ request: RequestID) -> Bool {
        let withdrawn = outbox.withdraw(.request(Int(request.rawValue)))
        for message in withdrawn { cargo.drop(message) }
        return !withdrawn.isEmpty
    }

    /// Lets out what may leave at `now`.
    mutating func pump(at now: Timestamp, into outcome: inout SessionOutcome) {
        guard case .begun = stage else { return }
        while case .leave(let message) = outbox.next(at: now) {
            outcome.bytes += cargo.take(message)
        }
    }

    /// Orders that have not left must not leave later by themselves.
    mutating func withdrawOrders(into outcome: inout SessionOutcome) {
        let orders = outbox.withdraw(MessagePriority.order)
        for order in orders { cargo.drop(order) }
        if !orders.isEmpty { outcome.events.append(.unsent(orders)) }
    }

    /// Cancels kept back may leave again.
    mutating func releaseCancels() {
        guard link.state.mayCancel, !heldCancels.isEmpty else { return }
        while let next = heldCancels.first, case .queued = outbox.enqueue(next) {
            heldCancels.removeFirst()
        }
    }

    // MARK: - Synchronising and the clock

    /// Asks for everything that must be known before an order leaves.
    mutating func synchronise(at now: Timestamp, into outcome: inout SessionOutcome) {
        guard settings.placesOrders, case .begun(let codec) = stage else { return }
        for message in sync.begin(at: now, limit: settings.answerLimit) {
            enqueueOwn(message, with: codec)
        }
        pump(at: now, into: &outcome)
    }

    /// Time has passed: deadlines, heartbeat, waiting messages, the next attempt.
    public mutating func timeReached(at now: Timestamp, into outcome: inout SessionOutcome) {
        switch stage {
        case .idle, .opening: break
        case .waiting(let until):
            if now >= until {
                stage = .opening
                outcome.connection = .open
            }
        case .shaking(let until):
            if now >= until {
                fail(.noAnswer(awaiting: "answer to the handshake"), at: now, into: &outcome)
            }
        case .beginning(_, let until):
            if now >= until {
                let missing = accounts.isEmpty ? "accounts" : "next valid order id"
                fail(.noAnswer(awaiting: missing), at: now, into: &outcome)
            }
        case .begun(let codec): beat(codec, at: now, into: &outcome)
        }
        setWake(after: now, in: &outcome)
    }

    private mutating func beat(
        _ codec: TextCodec, at now: Timestamp, into outcome: inout SessionOutcome
    ) {
        let verdict = watchdog.verdict(at: now)
        if verdict != self.verdict {
            self.verdict = verdict
            outcome.events.append(.silence(verdict))
        }
        if verdict == .tearDown {
            return fail(.silent(watchdog.silence(at: now)), at: now, into: &outcome)
        }
        if watchdog.isProbeDue(at: now) {
            enqueueOwn(.reqCurrentTime(ReqCurrentTime()), with: codec)
        }
        switch sync.overdue(
            at: now, limit: settings.answerLimit, retriesMax: settings.answerRetriesMax)
        {
        case .nothing: break
        case .ask(let messages): for message in messages { enqueueOwn(message, with: codec) }
        case .stalled(let missing): outcome.events.append(.syncStalled(missing: missing))
        }
        pump(at: now, into: &outcome)
    }

    private mutating func enqueueOwn(_ message: ClientMessage, with codec: TextCodec) {
        var bytes: [UInt8] = []
        do throws(EncodingRefusal) {
            try codec.encode(message, into: &bytes)
        } catch {
            preconditionFailure("a session's own messages travel at every version: \(error)")
        }
        // A full queue lets the answer be overdue: it is asked for again.
        let outgoing = Outgoing(token: cargo.store(bytes), priority: .cancel, subject: .session)
        if case .refused = outbox.enqueue(outgoing) { cargo.drop(outgoing) }
    }

    /// When to be called again.
    mutating func setWake(after now: Timestamp, in outcome: inout SessionOutcome) {
        switch stage {
        case .idle, .opening: outcome.wake = nil
        case .waiting(let until), .shaking(let until), .beginning(_, let until):
            outcome.wake = until
        case .begun:
            var wake = watchdog.nextLook(after: now)
            if let deadline = sync.deadline { wake = min(wake, max(deadline, now)) }
            if case .wait(let until) = outbox.next(at: now) { wake = min(wake, until) }
            outcome.wake = wake
        }
    }
}
