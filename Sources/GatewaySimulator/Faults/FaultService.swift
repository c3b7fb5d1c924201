import MarketState
import Primitives
import TWSProtocol

/// Everything that is wrong with a gateway at a time, and the scripts being played.
struct FaultService: Sendable {
    /// What lies on the wires.
    var links: LinkFaults
    /// What lies between wires and modules.
    var messages: MessageFaults
    /// The scripts being played.
    var players: [ScenarioPlayer] = []
    /// When the port opens again; `nil` while it is open.
    var portOpens: Timestamp?
    /// Numbers of clients that are reported as in use, and how long; no number for every one.
    var reservedClients: [ReservedClient] = []
    /// Whether nobody has logged in.
    var isLoginMissing = false
    /// Whether the broker is lost.
    var isLinkLost = false
    /// The farms that are not well.
    var farms: [FarmService: GatewayFarmState] = [:]
    /// Whether who sends too many messages is warned, and in the end disconnected.
    var punishesPacingViolations = false
    /// What is halted.
    var halted: [InstrumentID] = []
    /// Whether news of orders is lost with the broker rather than late.
    var losesFacts = false
    /// What is wrong with the gateway's clock.
    var clock: WireClockFault?
    /// What clients asked, for the audit.
    var orderAudit = OrderAudit()
    /// Actions performed.
    var actionCount = 0
    /// Why actions of scripts could not be performed.
    var refusals: [String] = []

    /// A client's number that is reported as in use.
    struct ReservedClient: Hashable, Sendable {
        /// The number; `nil` for every one.
        let client: ClientID?
        /// How long.
        let until: Timestamp
    }

    /// Nothing is wrong.
    init(calendar: SessionCalendar, seed: UInt64) {
        links = LinkFaults(seed: seed ^ 0x4C49_4E4B)
        messages = MessageFaults(calendar: calendar, seed: seed ^ 0x4D53_4753)
    }

    /// Notifies the scripts that something happened.
    mutating func note(_ moment: ScenarioMoment, at now: Timestamp) {
        for index in players.indices { players[index].note(moment, at: now) }
    }

    /// Takes the next action that is due, of the oldest script first.
    mutating func takeAction(at now: Timestamp) -> FaultAction? {
        for index in players.indices {
            if let action = players[index].take(at: now) { return action }
        }
        return nil
    }

    /// Whether a client's number is reported as in use.
    func isReserved(_ client: ClientID, at now: Timestamp) -> Bool {
        reservedClients.contains { ($0.client ?? client) == client && now < $0.until }
    }
}
