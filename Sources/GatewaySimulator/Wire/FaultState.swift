import MarketState
import Primitives
import TWSProtocol

/// Everything that is wrong with a gateway at a time.
struct FaultState: Sendable {
    /// What lies on the wires.
    var links: LinkFaults
    /// What lies between wires and modules.
    var messages: MessageFaults
    /// When the port opens again; `nil` while it is open.
    var portOpens: Timestamp?
    /// Numbers of clients that are reported as in use, and how long; no number for every one.
    private var reservedClients: [ReservedClient] = []
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
    /// Closes that were announced.
    var earlyCloses: [EarlyClose] = []
    /// Whether news of orders is lost with the broker rather than late.
    var losesFacts = false
    /// What is wrong with the gateway's clock.
    var clock: OffsetClock?

    /// A close that was announced for a day.
    struct EarlyClose: Sendable {
        /// What closes; `nil` for everything in stocks' hours.
        let instrument: InstrumentID?
        /// The day.
        let day: Day
        /// When, by New York's clock: hours and minutes as one number.
        let time: Int

        /// A text of hours with this close in it.
        func applied(to hours: String) -> String {
            let whole = "-\(day.compact):1600"
            let digits = String(time)
            let early = "-\(day.compact):" + (digits.count < 4 ? "0" : "") + digits
            return hours.split(separator: ";").map { part in
                part.hasSuffix(whole) ? part.dropLast(whole.count) + early : String(part)
            }.joined(separator: ";")
        }
    }

    /// A client's number that is reported as in use.
    private struct ReservedClient: Hashable, Sendable {
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

    /// Reports a client's number as in use for a time; `nil` for every one.
    mutating func reserve(_ client: ClientID?, until end: Timestamp, at now: Timestamp) {
        reservedClients.removeAll { $0.until <= now }
        reservedClients.append(ReservedClient(client: client, until: end))
    }

    /// Ends what lies on wires, messages, logins, farms and the clock; what was held comes at once.
    mutating func heal() {
        messages.heal()
        links.heal()
        reservedClients = []
        clock = nil
        isLoginMissing = false
        farms = [:]
    }

    /// Whether a client's number is reported as in use.
    func isReserved(_ client: ClientID, at now: Timestamp) -> Bool {
        reservedClients.contains { ($0.client ?? client) == client && now < $0.until }
    }
}
