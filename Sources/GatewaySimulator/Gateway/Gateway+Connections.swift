import Primitives
import TWSProtocol

/// Connections, from their accepting to their end.
extension Gateway {
    /// A client connected.
    package func connected(_ id: ConnectionID) {
        // Between the port's closing and the socket's.
        guard faults.portOpens == nil else { return outputs.append(.reset(id)) }
        faults.links.opened(id)
        let first = ServerVersion.supported.lowerBound
        let handshake = GatewayHandshake(versions: first...max(first, settings.maxVersion))
        connections[id] = ClientConnection(session: GatewaySession(handshake: handshake))
    }

    /// True once a connection's session has begun, so that its client's number is taken.
    package func hasBegun(_ id: ConnectionID) -> Bool { connections[id]?.isBegun ?? false }

    /// Bytes came from a client.
    package func received(_ bytes: UnsafeRawBufferPointer, from id: ConnectionID) {
        guard connections[id] != nil, !faults.isLoginMissing else { return }
        enter(.bytes(Array(bytes)), from: id)
        settle()
    }

    /// A connection ended.
    package func disconnected(_ id: ConnectionID) {
        guard connections[id] != nil else { return faults.links.closed(id) }
        enter(.gone, from: id)
        settle()
    }

    /// Bytes came out of a client's wire.
    func receive(_ bytes: UnsafeRawBufferPointer, from id: ConnectionID) {
        guard var connection = connections[id] else { return }
        var events: [GatewaySession.Event] = []
        connection.session.received(bytes, into: &events)
        connections[id] = connection
        for event in events {
            // An earlier event may have ended the connection.
            guard connections[id] != nil else { break }
            handle(event, from: id)
        }
    }

    /// Sends what clients are to receive, and what that brings about.
    func settle() {
        flush()
        performDue()
        flush()
    }

    /// Ends a connection from this side, once what was sent to it is out.
    func close(_ id: ConnectionID) {
        guard connections[id] != nil else { return }
        flush()
        forget(id)
        put(.close, to: id)
    }

    /// A connection is no more.
    func end(_ id: ConnectionID) {
        faults.links.closed(id)
        forget(id)
    }

    private func forget(_ id: ConnectionID) {
        forgetData(of: id)
        connections[id] = nil
        inboxes[id] = nil
        reference.forget(id)
        accounts.forget(id)
    }

    private func handle(_ event: GatewaySession.Event, from id: ConnectionID) {
        switch event {
        case .agreed: greet(id)
        case .started(let client, _): begin(client, on: id)
        case .message(let message, _):
            guard let client = client(of: id) else { return }
            receive(message, from: client)
        case .rejected(let failure):
            answers.report(
                320, "Error reading request:\(failure)", about: nil, to: id)
        case .failed: close(id)
        }
    }

    private func greet(_ id: ConnectionID) {
        let time = WireClock.time(now.advanced(by: faults.clock?.ahead ?? .zero))
        let shown = faults.clock?.shown(time) ?? time
        guard let bytes = try? connections[id]?.session.greeting(time: shown) else {
            return close(id)
        }
        put(.bytes(bytes), to: id)
    }

    private func begin(_ client: ClientID, on id: ConnectionID) {
        guard clients.count < settings.clientMax else { return close(id) }
        let isTaken = connections.contains { $0.value.client == client }
        connections[id]?.client = client
        guard !isTaken, !faults.isReserved(client, at: now) else {
            connections[id]?.client = nil
            refuse(
                326,
                "Unable to connect as the client id is already in use. Retry with a unique client id.",
                id)
            return
        }
        welcome(id)
        if !scripts.isEmpty { scripts.note(.began, at: now) }
    }

    /// Reports to a client why its session does not begin, and ends the connection.
    private func refuse(_ code: Int32, _ text: String, _ id: ConnectionID) {
        answers.report(code, text, about: nil, to: id)
        close(id)
    }

    private func welcome(_ id: ConnectionID) {
        var accounts = ManagedAccounts()
        accounts.accountsList = settings.accounts
        answers.send(.managedAccounts(accounts), to: id)
        guard let client = client(of: id) else { return }
        answers.send(.nextValidId(nextValidId(for: client.id)), to: id)
        // A gateway that has lost the broker reports it to whoever comes.
        if faults.isLinkLost {
            return answers.report(1100, CodeText.words(of: 1100), about: nil, to: id)
        }
        for service in FarmService.allCases {
            let state = faults.farms[service] ?? .ok
            let notice = state.notice(of: service, named: service.farm)
            answers.report(notice.code, notice.text, about: nil, to: id)
        }
    }
}
