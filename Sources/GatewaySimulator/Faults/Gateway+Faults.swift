import MarketState
import Primitives
import TWSProtocol

/// What goes wrong on demand.
extension Gateway {
    /// Carries out an action now.
    package func perform(_ action: FaultAction) throws(FaultRefusal) {
        faults.actionCount += 1
        switch action {
        case .stall(let fault): stall(fault)
        case .delay(let fault):
            change(fault.direction, of: fault.client, lasts: fault.comesToNew) {
                $0.delay = fault.range
            }
        case .trickle(let fault):
            change(fault.direction, of: fault.client, lasts: fault.comesToNew) {
                $0.pieceMax = fault.bytes
                $0.pieceInterval = fault.interval
            }
        case .cut(let fault):
            for id in wires(of: fault.client) {
                for direction in fault.direction.directions {
                    faults.links.cut(id, direction, after: fault.bytes, by: fault.end.parcel)
                }
            }
        case .drop(let fault): drop(wires(of: fault.client), by: fault.end)
        case .heal: heal()
        case .swallow(let fault):
            faults.messages.add(.swallow, to: fault.selection, until: end(of: fault.lasting))
        case .mute(let fault):
            faults.messages.add(.mute, to: fault.selection, until: end(of: fault.lasting))
        case .hold(let fault): faults.messages.add(.hold(time(of: fault)), to: fault.selection)
        case .release: faults.messages.release()
        case .again(let fault):
            faults.messages.add(
                .copy(fault.copies), to: fault.selection, until: end(of: fault.lasting))
        case .refuse(let fault):
            let text = fault.text ?? CodeText.words(of: fault.code)
            faults.messages.add(
                .refuse(code: Int32(clamping: fault.code), text: text), to: fault.selection,
                until: end(of: fault.lasting))
        case .distort(let fault):
            faults.messages.add(
                .distort(fault.data), to: fault.selection, until: end(of: fault.lasting))
        case .rollBack(let fault):
            var selection = MessageSelection()
            selection.told = [.nextValidId]
            selection.client = fault.client
            selection.times = fault.times
            faults.messages.add(.lowerOrderID(Int32(clamping: fault.count)), to: selection)
        case .closePort(let fault): closePort(fault.lasting)
        case .openPort: openPort()
        case .restart(let fault): restart(fault)
        case .login(let fault): login(fault)
        case .holdClient(let fault):
            faults.heldClients.removeAll { $0.until <= now }
            faults.heldClients.append(
                FaultDesk.HeldClient(client: fault.client, until: end(of: fault.lasting)))
        case .readOnly(let fault): setReadOnly(fault.isOn)
        case .accounts(let fault): tellAccounts(fault.names)
        case .clock(let fault):
            faults.clock = WireClockFault(zone: fault.zone, ahead: .seconds(Int64(fault.ahead)))
        case .code(let fault): tell(fault)
        case .loseLink(let fault): loseLink(fault)
        case .restoreLink(let fault): restoreLink(fault)
        case .farm(let fault): change(fault)
        case .frame(let fault):
            flush()
            for id in wires(of: fault.client) {
                put(.bytes(fault.shape.bytes), to: id)
                if fault.shape.endsConnection { put(.reset, to: id) }
            }
        }
    }

    /// Carries out what scripts have due, and what that brings about.
    func performDue() {
        // A script that causes its own triggers must not stop the clock.
        for _ in 0..<10_000 {
            guard let action = faults.takeAction(at: now) else { return }
            do {
                try perform(action)
            } catch {
                faults.refusals.append(error.description)
            }
        }
    }

    /// Plays scripts from now on.
    package func play(_ scenarios: [Scenario], seed: UInt64? = nil) {
        for scenario in scenarios {
            // Scripts of one name draw differently the second time.
            let seed = (seed ?? settings.seed) &+ UInt64(faults.players.count) &* 0x9E37_79B9
            faults.players.append(
                ScenarioPlayer(scenario.name, scenario.steps(seed: seed), at: now))
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
        _ change: (inout LaneTerms) -> Void
    ) {
        flush()
        faults.links.change(
            direction.directions, of: wires(of: client), lasts: lasts, change)
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
        faults.heldClients = []
        faults.clock = nil
        faults.isLoginMissing = false
        faults.isLinkLost = false
        faults.farms = [:]
        openPort()
        passFaults()
    }

    // MARK: Messages

    private func time(of fault: HoldFault) -> ClosedRange<Duration>? {
        if fault.untilOpen {
            let time = untilOpen
            return time...time
        }
        return fault.least.map { $0...max($0, fault.most ?? $0) }
    }

    /// How long it is until the next session opens; nothing where none opens within a month.
    private var untilOpen: Duration {
        let today = settings.calendar.day(of: now)
        for ahead in 0..<31 {
            let session = settings.calendar.session(on: today.advanced(by: ahead))
            if let session, session.open > now { return session.open - now }
        }
        return .zero
    }

    private func tell(_ fault: CodeFault) {
        flush()
        let text = fault.text ?? CodeText.words(of: fault.code)
        var told = Answers()
        for client in clients where fault.client ?? client.id == client.id {
            let ids: [Int32?] =
                switch fault.orders {
                case .none: [fault.id.map { Int32(clamping: $0) }]
                case .last: [faults.judge.lastOrder(of: client.id)?.rawValue].filter { $0 != nil }
                case .each:
                    faults.judge.orders.filter { $0.client == client.id }.map { $0.order.rawValue }
                }
            for id in ids {
                told.tell(
                    Int32(clamping: fault.code), text, about: id, to: client.connection)
            }
        }
        send(told.take())
    }

    /// Tells every client a code.
    private func tellAll(_ code: Int32, _ text: String) {
        flush()
        var told = Answers()
        for client in clients { told.tell(code, text, about: nil, to: client.connection) }
        send(told.take())
    }

    // MARK: The broker

    private func loseLink(_ fault: LoseLinkFault) {
        let code = fault.code == .lost ? 1100 : 2110
        tellAll(Int32(code), CodeText.words(of: code))
        guard !faults.isLinkLost else { return }
        faults.isLinkLost = true
        var facts = MessageSelection()
        facts.told = MessageSelection.facts
        faults.messages.add(fault.facts == .held ? .hold(nil) : .swallow, to: facts, because: .link)
        var data = MessageSelection()
        data.told = MessageSelection.stream
        faults.messages.add(.swallow, to: data, because: .link)
        var requests = MessageSelection()
        requests.asked = MessageSelection.needsBroker
        faults.messages.add(
            fault.requests == .held ? .hold(nil) : .swallow, to: requests, because: .link)
    }

    private func restoreLink(_ fault: RestoreLinkFault) {
        let code = fault.data == .kept ? 1102 : 1101
        tellAll(Int32(code), CodeText.words(of: code))
        faults.isLinkLost = false
        faults.messages.end(.link)
        if fault.data == .lost { loseSubscriptions() }
        passHeld()
    }

    private func change(_ fault: FarmFault) {
        let farm = fault.farm ?? fault.service.farm
        let notice = fault.state.notice(of: fault.service, named: farm)
        tellAll(notice.code, notice.text)
        let wasDown = faults.farms[fault.service]?.isDown ?? false
        faults.farms[fault.service] = fault.state == .ok ? nil : fault.state
        guard wasDown != fault.state.isDown else { return }
        guard fault.state.isDown else {
            faults.messages.end(.farm(fault.service))
            return passHeld()
        }
        var answers = MessageSelection()
        var requests = MessageSelection()
        switch fault.service {
        case .data: answers.told = MessageSelection.stream
        case .history:
            answers.told = [.historicalDataUpdate]
            requests.asked = MessageSelection.history
        case .contracts: requests.asked = [.reqContractDetails, .reqMatchingSymbols]
        }
        faults.messages.add(.swallow, to: answers, because: .farm(fault.service))
        faults.messages.add(.hold(nil), to: requests, because: .farm(fault.service))
    }

    private func setReadOnly(_ isOn: Bool) {
        faults.messages.end(.readOnly)
        guard isOn else { return }
        var selection = MessageSelection()
        selection.asked = [.placeOrder, .cancelOrder, .reqGlobalCancel, .exerciseOptions]
        faults.messages.add(
            .refuse(code: 321, text: CodeText.words(of: 321)), to: selection, because: .readOnly)
    }

    private func tellAccounts(_ names: [String]) {
        faults.messages.end(.accounts)
        var selection = MessageSelection()
        selection.told = [.managedAccounts]
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
        drop(connections.keys.sorted(), by: fault.end)
        closePort(fault.lasting)
        faults.messages.end(.link)
        faults.messages.forgetHeld()
        faults.isLinkLost = false
    }

    private func login(_ fault: LoginFault) {
        let isMissing = !fault.isDone
        guard isMissing != faults.isLoginMissing else { return }
        faults.isLoginMissing = isMissing
        // Who connected meanwhile has waited for nothing.
        drop(connections.keys.sorted(), by: isMissing ? .reset : .close)
    }
}

extension FarmState {
    /// Whether its service stops.
    var isDown: Bool { self == .broken || self == .connecting }
}
