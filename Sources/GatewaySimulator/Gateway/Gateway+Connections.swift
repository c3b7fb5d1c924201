import TWSProtocol

/// Connections, from their accepting to their end.
extension Gateway {
    /// A client connected.
    package func connected(_ id: ConnectionID) {
        let first = ServerVersion.supported.lowerBound
        let handshake = GatewayHandshake(versions: first...max(first, settings.maxVersion))
        connections[id] = ClientConnection(session: GatewaySession(handshake: handshake))
    }

    /// Bytes came from a client.
    package func received(_ bytes: UnsafeRawBufferPointer, from id: ConnectionID) {
        guard var connection = connections[id] else { return }
        var events: [GatewaySession.Event] = []
        connection.session.received(bytes, into: &events)
        connections[id] = connection
        for event in events {
            // An earlier event may have ended the connection.
            guard connections[id] != nil else { break }
            heed(event, from: id)
        }
        flush()
    }

    /// A connection ended.
    package func disconnected(_ id: ConnectionID) {
        guard connections[id] != nil else { return }
        forget(id)
        flush()
    }

    /// Ends a connection from this side, once what it was told is out.
    func close(_ id: ConnectionID) {
        guard connections[id] != nil else { return }
        flush()
        outputs.append(.close(id))
        forget(id)
    }

    private func forget(_ id: ConnectionID) {
        connections[id] = nil
        reference.forget(id)
        accounts.forget(id)
    }

    private func heed(_ event: GatewaySession.Event, from id: ConnectionID) {
        switch event {
        case .agreed: greet(id)
        case .started(let client, _): begin(client, on: id)
        case .message(let message, _):
            guard let client = client(of: id) else { return }
            handle(message, from: client)
        case .rejected(let failure):
            answers.tell(
                320, "Error reading request:\(failure)", about: nil, to: id)
        case .failed: close(id)
        }
    }

    private func greet(_ id: ConnectionID) {
        let time = WireClock.time(now)
        guard let bytes = try? connections[id]?.session.greeting(time: time) else {
            return close(id)
        }
        outputs.append(.send(id, bytes))
    }

    private func begin(_ client: ClientID, on id: ConnectionID) {
        let isTaken = connections.contains { $0.value.client == client }
        connections[id]?.client = client
        guard !isTaken else {
            connections[id]?.client = nil
            refuse(
                326,
                "Unable to connect as the client id is already in use. Retry with a unique client id.",
                id)
            return
        }
        welcome(id)
    }

    /// Tells a client why its session does not begin, and ends the connection.
    private func refuse(_ code: Int32, _ text: String, _ id: ConnectionID) {
        answers.tell(code, text, about: nil, to: id)
        close(id)
    }

    private func welcome(_ id: ConnectionID) {
        var accounts = ManagedAccounts()
        accounts.accountsList = settings.accounts
        answers.send(.managedAccounts(accounts), to: id)
        answers.send(.nextValidId(NextValidId()), to: id)
        for (code, text) in Self.farmsWell { answers.tell(code, text, about: nil, to: id) }
    }

    /// What a client is told of the farms when it begins.
    static let farmsWell: [(code: Int32, text: String)] = [
        (2104, "Market data farm connection is OK:usfarm"),
        (2106, "HMDS data farm connection is OK:ushmds"),
        (2158, "Sec-def data farm connection is OK:secdefil"),
    ]

    /// Writes what clients are to be told as bytes, each client's frames in one piece.
    func flush() {
        var order: [ConnectionID] = []
        var frames: [ConnectionID: [UInt8]] = [:]
        for answer in answers.take() {
            guard let connection = connections[answer.connection] else { continue }
            if frames[answer.connection] == nil { order.append(answer.connection) }
            do throws(EncodingRefusal) {
                try connection.session.encode(
                    answer.message, into: &frames[answer.connection, default: []])
            } catch {
                // A message that this version cannot carry is one it does not know.
                continue
            }
        }
        for id in order {
            if let bytes = frames[id], !bytes.isEmpty { outputs.append(.send(id, bytes)) }
        }
    }
}
