public import Primitives

extension ClientSession {
    /// Takes a message for sending; it leaves when pacing lets it.
    ///
    /// - Throws: when it cannot be sent; nothing of it has left then.
    public mutating func send(
        _ message: ClientMessage, at now: Timestamp, into outcome: inout SessionOutcome
    ) throws(SendRefusal) {
        let departure = message.departure
        let codec = try permit(departure, isAllowed: mayOpen)
        var bytes: [UInt8] = []
        do {
            try codec.encode(message, into: &bytes)
        } catch {
            throw .encoding(error)
        }
        if case .reqGlobalCancel = message { takeBackOrders(into: &outcome) }
        try take(bytes, departure, at: now, into: &outcome)
    }

    /// Takes an order for sending, as `send` takes its message.
    ///
    /// - Parameter onlyReduces: it can only reduce a position, and may also leave while data are degraded
    ///   or a restart is near.
    /// - Throws: as `send`.
    public mutating func index(
        _ order: PlaceOrder, onlyReduces: Bool = false, at now: Timestamp,
        into outcome: inout SessionOutcome
    ) throws(SendRefusal) {
        let departure = order.departure
        let codec = try permit(departure, isAllowed: onlyReduces ? link.state.mayReduce : mayOpen)
        var order = order
        var bytes: [UInt8] = []
        do {
            try codec.encode(&order, into: &bytes)
        } catch {
            throw .encoding(error)
        }
        try take(bytes, departure, at: now, into: &outcome)
    }

    /// The form in which messages leave.
    ///
    /// - Parameter isAllowed: the link lets an order leave that does what this one does.
    /// - Throws: when a message of that kind may not leave now.
    private func permit(_ departure: Departure, isAllowed: Bool) throws(SendRefusal) -> TextCodec {
        guard case .begun(let codec) = stage else { throw .link(link.state) }
        if departure.effect != .reads, !settings.placesOrders { throw .readOnly }
        if departure.effect == .opens, !isAllowed { throw .link(link.state) }
        return codec
    }

    /// Queues a message's bytes.
    private mutating func take(
        _ bytes: [UInt8], _ departure: Departure, at now: Timestamp,
        into outcome: inout SessionOutcome
    ) throws(SendRefusal) {
        let outgoing = Outgoing(
            token: queuedFrames.store(bytes), priority: departure.priority,
            subject: departure.subject,
            request: departure.request)
        // Behind cancels that are kept it waits as well: a full queue refuses no cancel.
        if departure.effect == .cancels, !link.state.mayCancel || !deferredCancels.isEmpty {
            guard deferredCancels.count < Self.deferredCancelsMax else {
                queuedFrames.drop(outgoing)
                throw .pacing(.queueFull(.cancel, capacity: Self.deferredCancelsMax))
            }
            deferredCancels.append(outgoing)
        } else if case .refused(let refusal) = outbox.enqueue(outgoing) {
            guard departure.effect == .cancels else {
                queuedFrames.drop(outgoing)
                throw .pacing(refusal)
            }
            deferredCancels.append(outgoing)
        }
        settle(at: now, into: &outcome)
    }

    /// Cancels kept while they cannot leave; one for each of the orders a gateway holds is far less.
    static let deferredCancelsMax = 10_000
    /// How far kept cancels fill the queue: half of it, so that the session's probe finds room as well.
    static let queuedCancelsMax = OutboxCapacity().cancels / 2

    /// Ready, and no doubt about the line.
    private var mayOpen: Bool { link.state.mayOpen && health == .healthy }

    /// How long `message` would wait if it were sent at `now`, or why it would not be taken.
    public func delay(for message: ClientMessage, at now: Timestamp) -> Turn {
        let departure = message.departure
        return outbox.delay(
            for: Outgoing(
                token: 0, priority: departure.priority, subject: departure.subject,
                request: departure.request), at: now)
    }

    /// A request is over: its place among the open ones is free again, and who waits for one may leave.
    public mutating func finished(
        _ request: RequestID, at now: Timestamp, into outcome: inout SessionOutcome
    ) {
        outbox.finished(Int(request.rawValue))
        stopped.removeAll { $0 == request }
        settle(at: now, into: &outcome)
    }

    /// True while something waits to leave for a request.
    public func isQueued(_ request: RequestID) -> Bool {
        outbox.isQueued(.request(Int(request.rawValue)))
    }

    /// Takes back what has not left for a request.
    ///
    /// - Returns: true when it had not left at all.
    public mutating func withdraw(
        _ request: RequestID, at now: Timestamp, into outcome: inout SessionOutcome
    ) -> Bool {
        let withdrawn = outbox.withdraw(.request(Int(request.rawValue)))
        for message in withdrawn { queuedFrames.drop(message) }
        settle(at: now, into: &outcome)
        return !withdrawn.isEmpty
    }

    /// Lets out what may leave at `now`.
    ///
    /// - Returns: when something more may leave; `nil` when nothing waits for time.
    private mutating func pump(
        at now: Timestamp, into outcome: inout SessionOutcome
    ) -> Timestamp? {
        guard case .begun = stage else { return nil }
        while true {
            releaseCancels()
            switch outbox.next(at: now) {
            case .leave(let message):
                outcome.bytes += queuedFrames.take(message)
                if message.subject == Outgoing.probe { watchdog.asked(at: now) }
            case .wait(let until): return until
            case .idle: return nil
            }
        }
    }

    /// Orders that still wait would leave behind the cancel of every order, or behind the loss of the
    /// link: they are taken back.
    private mutating func takeBackOrders(into outcome: inout SessionOutcome) {
        let orders = outbox.withdraw(MessagePriority.order)
        for order in orders { queuedFrames.drop(order) }
        if !orders.isEmpty { outcome.events.append(.unsent(orders)) }
    }

    /// The link to the broker is lost: what may act there and has not left is kept back.
    mutating func deferCancels(into outcome: inout SessionOutcome) {
        takeBackOrders(into: &outcome)
        let cancels = outbox.withdraw(MessagePriority.cancel)
        for message in cancels where message.isOwn { queuedFrames.drop(message) }
        deferredCancels = cancels.filter { !$0.isOwn } + deferredCancels
    }

    /// Cancels kept back may leave again.
    private mutating func releaseCancels() {
        guard link.state.mayCancel, !deferredCancels.isEmpty else { return }
        let capacity = max(0, Self.queuedCancelsMax - outbox.count(of: .cancel))
        var count = 0
        while count < min(capacity, deferredCancels.count),
            case .queued = outbox.enqueue(deferredCancels[count])
        {
            count += 1
        }
        deferredCancels.removeFirst(count)
    }

    // MARK: - Synchronising and the clock

    /// Asks for everything that must be known before an order leaves.
    mutating func synchronise(at now: Timestamp, into outcome: inout SessionOutcome) {
        guard settings.placesOrders, case .begun(let codec) = stage else { return }
        ask(sync.begin(at: now, limit: settings.answerLimit), with: codec)
        outcome.events.append(.asked(Synchronisation.questions))
    }

    /// Time has passed: deadlines, heartbeat, waiting messages, the next attempt.
    public mutating func timeReached(at now: Timestamp, into outcome: inout SessionOutcome) {
        defer { settle(at: now, into: &outcome) }
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
    }

    private mutating func beat(
        _ codec: TextCodec, at now: Timestamp, into outcome: inout SessionOutcome
    ) {
        let health = watchdog.health(at: now)
        if health != self.health {
            self.health = health
            outcome.events.append(.silence(health))
        }
        if health == .tearDown {
            return fail(.silent(watchdog.silence(at: now)), at: now, into: &outcome)
        }
        if watchdog.isProbeDue(at: now) {
            takeBack(Outgoing.probe)
            enqueue(.reqCurrentTime(ReqCurrentTime()), about: Outgoing.probe, with: codec)
        }
        switch sync.overdue(
            at: now, limit: settings.answerLimit, retriesMax: settings.answerRetriesMax)
        {
        case .nothing: break
        case .ask(let missing, let messages):
            ask(messages, with: codec)
            outcome.events.append(.asked(missing))
        case .stalled(let missing, let messages):
            ask(messages, with: codec)
            outcome.events += [.syncStalled(missing: missing), .asked(missing)]
        }
        // The last request that was stopped may have been ended by its owner.
        letDataFlow(into: &outcome)
    }

    /// Puts the session's questions in line, in place of those that have not left.
    private mutating func ask(_ questions: [ClientMessage], with codec: TextCodec) {
        takeBack(Outgoing.questions)
        for question in questions { enqueue(question, about: Outgoing.questions, with: codec) }
    }

    private mutating func takeBack(_ subject: Outgoing.Subject) {
        for message in outbox.withdraw(subject) { queuedFrames.drop(message) }
    }

    private mutating func enqueue(
        _ message: ClientMessage, about subject: Outgoing.Subject, with codec: TextCodec
    ) {
        var bytes: [UInt8] = []
        do throws(EncodingRefusal) {
            try codec.encode(message, into: &bytes)
        } catch {
            preconditionFailure("a session's own messages travel at every version: \(error)")
        }
        // In line with cancels: behind a flood of them or of orders a healthy gateway would look dead.
        // A full queue lets the answer be overdue: it is asked for again.
        let outgoing = Outgoing(
            token: queuedFrames.store(bytes), priority: .cancel, subject: subject)
        if case .refused = outbox.enqueue(outgoing) { queuedFrames.drop(outgoing) }
    }

    /// What every input ends with: what may leave does, and when to be called again.
    mutating func settle(at now: Timestamp, into outcome: inout SessionOutcome) {
        let next = pump(at: now, into: &outcome)
        switch stage {
        case .idle, .opening: outcome.wake = nil
        case .waiting(let until), .shaking(let until), .beginning(_, let until):
            outcome.wake = until
        case .begun:
            var wake = watchdog.nextLook(after: now)
            if let deadline = sync.deadline { wake = min(wake, max(deadline, now)) }
            if let next { wake = min(wake, next) }
            outcome.wake = wake
        }
    }
}

extension Outgoing {
    // No request of a client can have these numbers.
    fileprivate static let probe = Subject.request(Int(Int32.max) + 1)
    fileprivate static let questions = Subject.request(Int(Int32.max) + 2)

    /// The session's own message: nobody else waits for it.
    var isOwn: Bool { subject == Self.probe || subject == Self.questions }
}
