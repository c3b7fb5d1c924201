import Primitives
import TWSProtocol

/// The ways between sockets and modules, past everything that can go wrong on them.
extension Gateway {
    // MARK: Towards the gateway

    /// Bytes of a client enter its wire.
    func enter(_ frame: ConnectionFrame, from id: ConnectionID) {
        var arrivals: [LinkFaults.Arrival] = []
        faults.links.push(frame, .toGateway, on: id, at: now, into: &arrivals)
        for arrival in arrivals { deliver(arrival) }
    }

    /// A client's message came.
    func take(_ message: ClientMessage, from client: Client) {
        let isChange = orderAudit.received(
            message, from: client.id, isLinkLost: faults.isLinkLost)
        if !scripts.isEmpty {
            scripts.note(.asked(message.kind), at: now)
            if isChange { scripts.note(.changed, at: now) }
            performDue()
            // An action may have ended the connection; what was sent before is lost with it.
            guard connections[client.connection] != nil else { return }
        }
        switch faults.messages.fate(of: message, from: client, at: now) {
        case .handled(let times): for _ in 0..<times { answer(message, of: client) }
        case .notHandled: break
        case .rejected(let words):
            answers.report(
                words.code, words.text, about: message.subject, to: client.connection,
                advancedReject: words.advanced)
        }
    }

    /// Lets the modules handle a message.
    private func answer(_ message: ClientMessage, of client: Client) {
        guard message.asksForOrders else { return handle(message, from: client) }
        // What is answered here is asked for: no muting applies.
        flush()
        handle(message, from: client)
        flush(isAsked: true)
    }

    // MARK: Towards clients

    /// Hands what clients are to receive to their wires.
    ///
    /// - Parameter isAsked: whether all of it was asked for by a request for orders or executions.
    func flush(isAsked: Bool = false) {
        var passed: [Answers.Answer] = []
        for answer in answers.take(at: now) {
            if let client = connections[answer.connection]?.client {
                orderAudit.sent(answer.message)
                if !scripts.isEmpty { scripts.note(.sent(answer.message.kind), at: now) }
                faults.messages.pass(
                    answer, to: client, isAsked: isAsked, at: now, into: &passed)
            } else {
                passed.append(answer)
            }
        }
        send(passed)
    }

    /// Writes messages as bytes, each client's frames in one piece.
    func send(_ messages: [Answers.Answer]) {
        guard !messages.isEmpty else { return }
        var order: [ConnectionID] = []
        var frames: [ConnectionID: [UInt8]] = [:]
        for answer in messages {
            guard let session = connections[answer.connection]?.session else { continue }
            if frames[answer.connection] == nil { order.append(answer.connection) }
            var message = answer.message
            if let clock = faults.clock, let version = session.version {
                clock.apply(to: &message, at: version)
            }
            do throws(EncodingRefusal) {
                try session.encode(message, into: &frames[answer.connection, default: []])
            } catch {
                // A message that this version cannot carry is one it does not know.
                continue
            }
        }
        for id in order {
            if let bytes = frames[id], !bytes.isEmpty { put(.bytes(bytes), to: id) }
        }
    }

    /// Something enters the wire to a client.
    func put(_ frame: ConnectionFrame, to id: ConnectionID) {
        var arrivals: [LinkFaults.Arrival] = []
        faults.links.push(frame, .toClient, on: id, at: now, into: &arrivals)
        for arrival in arrivals { deliver(arrival) }
    }

    /// Something left a wire.
    private func deliver(_ arrival: LinkFaults.Arrival) {
        let id = arrival.connection
        switch (arrival.direction, arrival.frame) {
        case (.toClient, .bytes(let bytes)): outputs.append(.send(id, bytes))
        case (.toGateway, .bytes(let bytes)): bytes.withUnsafeBytes { receive($0, from: id) }
        case (_, .reset): reset(id)
        case (_, .close):
            outputs.append(.close(id))
            end(id)
        case (_, .gone): end(id)
        }
    }

    /// Breaks a connection.
    func reset(_ id: ConnectionID) {
        outputs.append(.reset(id))
        end(id)
    }

    // MARK: Time

    /// Performs an action now.
    func perform(_ action: any GatewayAction) throws(FaultRefusal) {
        scripts.actionCount += 1
        try action.perform(on: self)
    }

    /// Performs what scripts have due, and what that brings about.
    func performDue() {
        // A script that causes its own triggers must not stop the clock.
        for _ in 0..<10_000 {
            guard let action = scripts.takeAction(at: now) else { return }
            do {
                try perform(action)
            } catch {
                // The first ones show most.
                if scripts.refusals.count < 100 { scripts.refusals.append(error.description) }
            }
        }
    }

    /// Lets happen what is due now: actions of scripts, messages held, bytes on their way.
    func passFaults() {
        performDue()
        if let opens = faults.portOpens, opens <= now { openPort() }
        releaseDelayed()
        // What is answered to bytes that arrive now must not overtake what is on its way to the client: that
        // leaves its wire behind the answer's entering, in order.
        for direction in LinkDirection.allCases {
            var arrivals: [LinkFaults.Arrival] = []
            faults.links.pass([direction], at: now, into: &arrivals)
            for arrival in arrivals { deliver(arrival) }
        }
    }

    /// Accepts connections again.
    func openPort() {
        guard faults.portOpens != nil else { return }
        faults.portOpens = nil
        outputs.append(.listen)
    }

    /// Lets held messages come whose time is there: answers first, as they were published before.
    func releaseDelayed() {
        let late = faults.messages.takeAnswers(at: now)
        if !late.isEmpty { send(late) }
        for request in faults.messages.takeRequests(at: now) {
            // An order counts although its client has gone; nobody waits for other answers.
            let isThere = connections[request.client.connection] != nil
            if isThere || request.message.orderID != nil {
                answer(request.message, of: request.client)
            }
        }
    }
}

extension ClientMessage {
    /// What an error about this message names: its request or order.
    fileprivate var subject: Int32? { orderID ?? requestID?.rawValue }

    /// Whether the answer says how orders stand.
    fileprivate var asksForOrders: Bool {
        switch self {
        case .reqOpenOrders, .reqAllOpenOrders, .reqAutoOpenOrders, .reqExecutions,
            .reqCompletedOrders:
            true
        default: false
        }
    }
}
