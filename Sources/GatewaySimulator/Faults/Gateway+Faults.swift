import MarketSimulation
import Primitives
import TWSProtocol

/// What faults do to connections, ports and the gateway's link to the broker.
extension Gateway {
    // MARK: Connections

    /// The connections a fault is meant for: a client's, or all.
    func connections(of client: ClientID?) -> [ConnectionID] {
        connections.keys.sorted().filter { id in
            guard let client else { return true }
            return connections[id]?.client == client
        }
    }

    /// When something ends that begins now and lasts so long; never for `nil`.
    func end(of time: Duration?) -> Timestamp {
        time.map { now.advanced(by: $0) } ?? .distantFuture
    }

    /// Changes what lies on a client's connections, or on all.
    ///
    /// - Parameter lasts: connections yet to come as well.
    func changeLinks(
        of client: ClientID?, _ direction: FaultDirection, lasts: Bool,
        _ change: (inout ConnectionTerms) -> Void
    ) {
        flush()
        faults.links.change(
            direction.directions, of: connections(of: client), lasts: lasts, change)
    }

    /// Breaks connections.
    func drop(_ ids: [ConnectionID], by end: EndKind) {
        flush()
        for id in ids {
            switch end {
            case .reset: reset(id)
            case .close:
                outputs.append(.close(id))
                self.end(id)
            }
        }
    }

    /// Accepts no more connections for a time, or until the port is opened.
    func closePort(_ time: Duration?) {
        if faults.portOpens == nil { outputs.append(.stopListening) }
        faults.portOpens = end(of: time)
    }

    /// Reports a code to every client.
    func broadcast(_ code: Int, _ text: String) {
        flush()
        var answers = Answers()
        for client in clients {
            answers.report(Int32(clamping: code), text, about: nil, to: client.connection)
        }
        send(answers.take(at: now))
    }

    // MARK: The broker

    /// Ends what the loss of the broker brought about.
    func findLink() {
        guard faults.isLinkLost else { return }
        faults.isLinkLost = false
        if faults.losesFacts {
            // What happened meanwhile is published, and no client receives it.
            faults.messages.add(
                .drop, to: MessageSelection(sent: MessageSelection.orderFacts), because: .link)
        }
        orderManager.restoreUpstream()
        publishOrderNotes()
        flush()
        faults.messages.end(.link)
        releaseDelayed()
    }

    /// Ends what was done to orders, data and the market for good.
    func healModules() {
        orderManager.refuseForMargin(nil)
        orderManager.duplicateModifications(false)
        for id in stocks { orderManager.setHardToBorrow(id, false) }
        publishOrderNotes()
        market.setSilent(false, nil)
        for id in faults.halted { market.setHalted(false, id) }
        faults.halted = []
        setAccess(.live)
        faults.punishesPacingViolations = false
        pacingAudit.limits.messagesPerSecond = PacingAudit.Limits().messagesPerSecond
        data.settings.refusesHistoryBreaches = GatewayDataSettings().refusesHistoryBreaches
    }
}
