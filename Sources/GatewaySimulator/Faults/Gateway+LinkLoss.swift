import Primitives
import TWSProtocol

/// The gateway's own connections: to the broker, and to the broker's farms.
extension Gateway {
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

    /// The gateway loses the broker.
    func loseLink(_ fault: LoseLinkFault) {
        let code = fault.code == .lost ? 1100 : 2110
        broadcast(code, CodeText.words(of: code))
        guard !faults.isLinkLost else { return }
        faults.isLinkLost = true
        faults.losesFacts = fault.facts == .lost
        orderManager.loseUpstream()
        var facts = MessageSelection()
        facts.sent = MessageSelection.accountFacts
        faults.messages.add(
            faults.losesFacts ? .drop : .delay(nil), to: facts, because: .link)
        var requests = MessageSelection()
        requests.asked = MessageSelection.needsBroker
        if fault.requests == .lost { requests.asked.formUnion(MessageSelection.ordering) }
        faults.messages.add(
            fault.requests == .lost ? .drop : .delay(nil), to: requests, because: .link)
    }

    /// The gateway finds the broker again.
    func restoreLink(_ fault: RestoreLinkFault) {
        let code = fault.data == .kept ? 1102 : 1101
        broadcast(code, CodeText.words(of: code))
        if fault.data == .lost { loseSubscriptions() }
        findLink()
    }

    /// Ends what the loss of the broker brought about.
    func findLink() {
        guard faults.isLinkLost else { return }
        faults.isLinkLost = false
        if faults.losesFacts {
            // What happened meanwhile is published, and no client receives it.
            var facts = MessageSelection()
            facts.sent = MessageSelection.orderFacts
            faults.messages.add(.drop, to: facts, because: .link)
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
        for listed in contracts.listed where listed.contract.secType == .stock {
            orderManager.setHardToBorrow(listed.id, false)
        }
        publishOrderNotes()
        healMarket()
    }

    // MARK: Farms

    /// A farm changes.
    func change(_ fault: FarmFault) {
        let farm = fault.farm ?? fault.service.farm
        let notice = fault.state.notice(of: fault.service, named: farm)
        broadcast(Int(notice.code), notice.text)
        faults.farms[fault.service] = fault.state == .ok ? nil : fault.state
        faults.messages.end(.farm(fault.service))
        if fault.service == .contracts, fault.state.isDown {
            var requests = MessageSelection()
            requests.asked = [.reqContractDetails, .reqMatchingSymbols]
            faults.messages.add(.delay(nil), to: requests, because: .farm(.contracts))
        }
        releaseDelayed()
    }
}

extension GatewayFarmState {
    /// Whether its service stops.
    var isDown: Bool { self == .broken || self == .connecting }
}
