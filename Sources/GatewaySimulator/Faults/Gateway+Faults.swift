import Primitives
import TWSProtocol

/// What goes wrong on demand.
extension Gateway {
    /// Performs an action now.
    package func perform(_ action: FaultAction) throws(FaultRefusal) {
        faults.actionCount += 1
        switch action {
        case .stall(let fault): stall(fault)
        case .delay(let fault): delay(fault)
        case .throttle(let fault): throttle(fault)
        case .cut(let fault): cut(fault)
        case .drop(let fault): drop(wires(of: fault.client), by: fault.end)
        case .heal: heal()
        case .dropMessages(let fault):
            faults.messages.add(.drop, to: fault.selection, until: end(of: fault.lasting))
        case .mute(let fault):
            faults.messages.add(.mute, to: fault.selection, until: end(of: fault.lasting))
        case .delayMessages(let fault): faults.messages.add(fault.effect, to: fault.selection)
        case .release:
            faults.messages.release()
            releaseDelayed()
        case .duplicate(let fault):
            faults.messages.add(
                .copy(fault.copies), to: fault.selection, until: end(of: fault.lasting))
        case .refuse(let fault): refuse(fault)
        case .distort(let fault):
            faults.messages.add(
                .distort(fault.data), to: fault.selection, until: end(of: fault.lasting))
        case .rollBack(let fault): rollBack(fault)
        case .closePort(let fault): closePort(fault.lasting)
        case .openPort: openPort()
        case .restart(let fault): restart(fault)
        case .login(let fault): login(fault)
        case .reserveClient(let fault): reserve(fault)
        case .readOnly(let fault): setReadOnly(fault.isOn)
        case .accounts(let fault): publishAccounts(fault.names)
        case .clock(let fault):
            faults.clock = WireClockFault(zone: fault.zone, ahead: .seconds(Int64(fault.ahead)))
        case .code(let fault): sendCode(fault)
        case .loseLink(let fault): loseLink(fault)
        case .restoreLink(let fault): restoreLink(fault)
        case .farm(let fault): change(fault)
        case .frame(let fault): sendFrame(fault)
        case .order(let fault): try enter(fault)
        case .trade(let fault): try trade(fault)
        case .fill(let fault): try fill(fault)
        case .cancel(let fault): try cancel(fault)
        case .correct(let fault): try correct(fault)
        case .bust(let fault): try bust(fault)
        case .margin(let fault): orderManager.refuseForMargin(fault.isOn ? fault.reason : nil)
        case .borrow(let fault): try setHardToBorrow(fault)
        case .doubleChanges(let fault): orderManager.duplicateModifications(fault.isOn)
        case .split(let fault): try split(fault)
        case .cash(let fault): try move(fault)
        case .dividend(let fault): try pay(fault)
        case .halt(let fault): try halt(fault)
        case .freeze(let fault): try freeze(fault)
        case .streams(let fault): end(fault)
        case .access(let fault): setAccess(fault.access)
        case .pacing(let fault): setPacing(fault)
        }
    }

    /// Performs what scripts have due, and what that brings about.
    func performDue() {
        // A script that causes its own triggers must not stop the clock.
        for _ in 0..<10_000 {
            guard let action = faults.takeAction(at: now) else { return }
            do {
                try perform(action)
            } catch {
                // The first ones show most.
                if faults.refusals.count < 100 { faults.refusals.append(error.description) }
            }
        }
    }

    /// Plays scripts from now on, those that need a client from its session's beginning on.
    package func play(_ scenarios: [Scenario], seed: UInt64? = nil) {
        for scenario in scenarios {
            // Scripts of one name draw differently the second time.
            let seed = (seed ?? settings.seed) &+ UInt64(faults.players.count) &* 0x9E37_79B9
            faults.players.append(
                ScenarioPlayer(
                    scenario.name, scenario.steps(seed: seed), at: now,
                    awaitsClient: scenario.onset == .withAClient && clients.isEmpty))
        }
        performDue()
        flush()
    }

    /// Ends all scripts; what they brought about stays until it is healed.
    package func stopScenarios() { faults.players = [] }

    // MARK: Links

    /// The connections a fault is meant for: a client's, or all.
    func wires(of client: ClientID?) -> [ConnectionID] {
        connections.keys.sorted().filter { id in
            guard let client else { return true }
            return connections[id]?.client == client
        }
    }

    /// When something ends that begins now.
    private func end(of time: Duration?) -> Timestamp {
        time.map { now.advanced(by: $0) } ?? .distantFuture
    }

    private func change(
        _ direction: FaultDirection, of client: ClientID?, lasts: Bool,
        _ change: (inout ConnectionTerms) -> Void
    ) {
        flush()
        faults.links.change(
            direction.directions, of: wires(of: client), lasts: lasts, change)
    }

    private func delay(_ fault: DelayFault) {
        change(fault.direction, of: fault.client, lasts: fault.comesToNew) {
            $0.delay = fault.range
        }
    }

    private func throttle(_ fault: ThrottleFault) {
        change(fault.direction, of: fault.client, lasts: fault.comesToNew) {
            $0.pieceMax = fault.bytes
            $0.pieceInterval = fault.interval
        }
    }

    private func cut(_ fault: CutFault) {
        for id in wires(of: fault.client) {
            for direction in fault.direction.directions {
                faults.links.cut(id, direction, after: fault.bytes, by: fault.end.frame)
            }
        }
    }

    private func sendFrame(_ fault: FrameFault) {
        flush()
        for id in wires(of: fault.client) {
            put(.bytes(fault.shape.bytes), to: id)
            if fault.shape.endsConnection { put(.reset, to: id) }
        }
    }

    private func stall(_ fault: StallFault) {
        let until = fault.lasting.map { now.advanced(by: $0) } ?? .distantFuture
        change(fault.direction, of: fault.client, lasts: fault.comesToNew) {
            $0.stalledUntil = until
        }
    }

    private func drop(_ ids: [ConnectionID], by end: EndKind) {
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

    private func heal() {
        faults.messages.heal()
        faults.links.heal()
        faults.reservedClients = []
        faults.clock = nil
        faults.isLoginMissing = false
        faults.farms = [:]
        findLink()
        healModules()
        openPort()
        passFaults()
    }

    // MARK: Messages

    private func refuse(_ fault: RefuseFault) {
        let text = fault.text ?? CodeText.words(of: fault.code)
        faults.messages.add(
            .refuse(code: Int32(clamping: fault.code), text: text), to: fault.selection,
            until: end(of: fault.lasting))
    }

    private func reserve(_ fault: ReserveClientFault) {
        faults.reservedClients.removeAll { $0.until <= now }
        faults.reservedClients.append(
            FaultService.ReservedClient(client: fault.client, until: end(of: fault.lasting)))
    }

    private func sendCode(_ fault: CodeFault) {
        flush()
        let text = fault.text ?? CodeText.words(of: fault.code)
        var answers = Answers()
        for client in clients where fault.client ?? client.id == client.id {
            let ids: [Int32?] =
                switch fault.orders {
                case .none: [fault.id.map { Int32(clamping: $0) }]
                case .last:
                    [faults.orderAudit.lastOrder(of: client.id)?.rawValue].filter { $0 != nil }
                case .each:
                    faults.orderAudit.orders.filter { $0.client == client.id }.map {
                        $0.order.rawValue
                    }
                }
            for id in ids {
                answers.report(
                    Int32(clamping: fault.code), text, about: id, to: client.connection)
            }
        }
        send(answers.take(at: now))
    }

    // MARK: Settings

    private func setReadOnly(_ isOn: Bool) {
        faults.messages.end(.readOnly)
        guard isOn else { return }
        var selection = MessageSelection()
        selection.asked = [.placeOrder, .cancelOrder, .reqGlobalCancel, .exerciseOptions]
        faults.messages.add(
            .refuse(code: 321, text: CodeText.words(of: 321)), to: selection, because: .readOnly)
    }

    private func publishAccounts(_ names: [String]) {
        faults.messages.end(.accounts)
        var selection = MessageSelection()
        selection.sent = [.managedAccounts]
        faults.messages.add(.accounts(names), to: selection, because: .accounts)
    }

    // MARK: The gateway itself

    private func closePort(_ time: Duration?) {
        if faults.portOpens == nil { outputs.append(.stopListening) }
        faults.portOpens = end(of: time)
    }

    /// Accepts connections again.
    func openPort() {
        guard faults.portOpens != nil else { return }
        faults.portOpens = nil
        outputs.append(.listen)
    }

    private func restart(_ fault: RestartFault) {
        orderManager.restart()
        drop(connections.keys.sorted(), by: fault.end)
        closePort(fault.lasting)
        // Whatever waited in the gateway is gone; the broker knows what it knows.
        faults.messages.forgetDelayed()
        findLink()
    }

    private func login(_ fault: LoginFault) {
        let isMissing = !fault.isDone
        guard isMissing != faults.isLoginMissing else { return }
        faults.isLoginMissing = isMissing
        // Who connected meanwhile has waited for nothing.
        drop(connections.keys.sorted(), by: isMissing ? .reset : .close)
    }
}
