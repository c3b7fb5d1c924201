import TWSProtocol

/// Messages that come faster than the gateway takes them in.
extension Gateway {
    /// Takes a client's message in, or lets it wait where too many have come.
    func receive(_ message: ClientMessage, from client: Client) {
        guard passesPacingAudit(client) else { return }
        guard settings.pacesMessages, !faults.punishesPacingViolations else {
            return take(message, from: client)
        }
        let limit = pacingAudit.limits.messagesPerSecond
        if inboxes[client.connection, default: PacedInbox()].admits(at: now, perSecond: limit) {
            take(message, from: client)
        } else {
            inboxes[client.connection]?.append(message)
        }
    }

    /// Takes in what has waited for its turn.
    func takePaced() {
        let limit = pacingAudit.limits.messagesPerSecond
        for client in clients {
            while connections[client.connection] != nil,
                let message = inboxes[client.connection]?.next(at: now, perSecond: limit)
            {
                take(message, from: client)
            }
        }
    }

    /// Counts a message of a client; warns one that sends too fast, and in the end disconnects it.
    ///
    /// - Returns: whether its connection is still there.
    func passesPacingAudit(_ client: Client) -> Bool {
        guard
            case .tooMany(let received, let times) = pacingAudit.message(
                from: client.connection, at: now), faults.punishesPacingViolations
        else { return true }
        answers.report(
            100,
            "Max rate of messages per second has been exceeded:"
                + "max=\(pacingAudit.limits.messagesPerSecond) rec=\(received) (\(times))",
            about: nil, to: client.connection)
        guard times >= 3 else { return true }
        close(client.connection)
        return false
    }
}
