import Primitives
import TWSProtocol

/// The gateway's own connections: to the broker, and to the broker's farms.
extension Gateway {
    /// Tells every client a code.
    func tellAll(_ code: Int, _ text: String) {
        flush()
        var told = Answers()
        for client in clients {
            told.tell(Int32(clamping: code), text, about: nil, to: client.connection)
        }
        send(told.take(at: now))
    }

    // MARK: The broker

    /// The gateway loses the broker.
    func loseLink(_ fault: LoseLinkFault) {
        let code = fault.code == .lost ? 1100 : 2110
        tellAll(code, CodeText.words(of: code))
        guard !faults.isLinkLost else { return }
        faults.isLinkLost = true
        faults.losesFacts = fault.facts == .lost
        desk.loseUpstream()
        var facts = MessageSelection()
        facts.told = MessageSelection.accountFacts
        faults.messages.add(
            faults.losesFacts ? .swallow : .hold(nil), to: facts, because: .link)
        var requests = MessageSelection()
        requests.asked = MessageSelection.needsBroker
        if fault.requests == .lost { requests.asked.formUnion(MessageSelection.ordering) }
        faults.messages.add(
            fault.requests == .lost ? .swallow : .hold(nil), to: requests, because: .link)
    }

    /// The gateway finds the broker again.
    func restoreLink(_ fault: RestoreLinkFault) {
        let code = fault.data == .kept ? 1102 : 1101
        tellAll(code, CodeText.words(of: code))
        if fault.data == .lost { loseSubscriptions() }
        findLink()
    }

    /// Ends what the loss of the broker brought about.
    func findLink() {
        guard faults.isLinkLost else { return }
        faults.isLinkLost = false
        if faults.losesFacts {
            // What happened meanwhile is told, and nobody hears it.
            var facts = MessageSelection()
            facts.told = MessageSelection.orderFacts
            faults.messages.add(.swallow, to: facts, because: .link)
        }
        desk.restoreUpstream()
        tellDeskNotes()
        flush()
        faults.messages.end(.link)
        passHeld()
    }

    /// Ends what was done to orders, data and the market for good.
    func healRooms() {
        desk.refuseForMargin(nil)
        desk.duplicateModifications(false)
        for listed in book.listed where listed.contract.secType == .stock {
            desk.setHardToBorrow(listed.id, false)
        }
        tellDeskNotes()
        healMarket()
    }

    // MARK: Farms

    /// A farm changes.
    func change(_ fault: FarmFault) {
        let farm = fault.farm ?? fault.service.farm
        let notice = fault.state.notice(of: fault.service, named: farm)
        tellAll(Int(notice.code), notice.text)
        faults.farms[fault.service] = fault.state == .ok ? nil : fault.state
        faults.messages.end(.farm(fault.service))
        if fault.service == .contracts, fault.state.isDown {
            var requests = MessageSelection()
            requests.asked = [.reqContractDetails, .reqMatchingSymbols]
            faults.messages.add(.hold(nil), to: requests, because: .farm(.contracts))
        }
        passHeld()
    }
}

extension GatewayFarmState {
    /// Whether its service stops.
    var isDown: Bool { self == .broken || self == .connecting }
}
