package import MarketSimulation
import MarketState
package import Primitives
import TWSProtocol

/// A gateway without sockets and clocks: bytes and times go in, bytes come out. The same times and
/// bytes give the same bytes, in any process.
///
/// Its owner sets the time with `advance(to:)` before anything else that happens then, and takes
/// `takeOutputs()` after each call.
package final class Gateway {
    /// What it is.
    package let settings: SimulatedGatewaySettings
    /// Its session clock.
    package internal(set) var now: Timestamp

    /// Grows whenever something changes that outlives the gateway; see `state`.
    package internal(set) var stateRevision = 0

    /// The contracts it knows.
    package internal(set) var contracts: GatewayContractDatabase
    /// What scans see of an instrument's market.
    package var scanReading: (InstrumentID) -> ScanReading
    /// Searches, scans, announcements and groups of windows.
    var reference = ReferenceService()
    /// Its prices.
    package internal(set) var market: SimulatedMarket
    /// What it did in the step in progress; kept for its memory.
    var marketEvents: [MarketEvent] = []
    /// Subscriptions to market data.
    package internal(set) var data: DataService
    /// Requests for the past.
    package internal(set) var history = HistoryService()
    /// Who asks too much.
    package internal(set) var pacingAudit: PacingAudit

    /// The broker's order manager.
    package internal(set) var orderManager: OrderManager
    /// What accounts publish about fills: behind what the order manager publishes about them.
    var accountNews = Answers()
    /// Fills that an account could not book.
    package internal(set) var unbookedFills: [UnbookedFill] = []

    /// What clients have sent too fast.
    var inboxes: [ConnectionID: PacedInbox] = [:]
    /// When the day that contracts know ends.
    private var dayEnd = Timestamp.distantPast
    /// What clients that are behind have not read, in bytes; set by whoever owns the sockets.
    package var unreadBytes = 0
    /// The connections, by number.
    var connections: [ConnectionID: ClientConnection] = [:]
    /// The accounts of the login and their subscribers.
    package internal(set) var accounts: AccountService
    /// What clients are to receive.
    var answers = Answers()
    /// What goes wrong.
    var faults: FaultState
    /// What is played to it.
    var scripts = ScenarioPlayers()
    /// What clients asked of orders.
    var orderAudit = OrderAudit()
    /// What the owner is to do.
    var outputs: [GatewayOutput] = []

    /// A gateway nobody is connected to.
    ///
    /// - Parameter contracts: the contracts it knows; `nil` for the bundled listing.
    package init(settings: SimulatedGatewaySettings, contracts: GatewayContractDatabase? = nil) {
        self.settings = settings
        now = settings.start
        let contracts =
            contracts ?? GatewayContractDatabase(on: settings.calendar.day(of: settings.start))
        self.contracts = contracts
        market = SimulatedMarket(
            listings: contracts.listed.map(\.marketListing), source: settings.market,
            calendar: settings.calendar, seed: settings.seed, start: settings.start)
        data = DataService(settings: settings.data)
        pacingAudit = PacingAudit(limits: PacingAudit.Limits(settings.data))
        accounts = AccountService(accounts: settings.accountSettings, at: settings.start)
        faults = FaultState(calendar: settings.calendar, seed: settings.seed)
        faults.punishesPacingViolations = settings.rejectsPacingViolations
        orderManager = OrderManager(
            settings: OrderManagerSettings(settings), contracts: contracts, dependencies: .nothing,
            at: settings.start)
        scanReading = { _ in ScanReading() }
        orderManager.dependencies = orderManagerDependencies
        scanReading = { [weak self] in self?.scanReading(of: $0) ?? ScanReading() }
    }

    /// The step in which session time moves: the pace at which gateways publish stocks' quotes.
    package static let step = Duration.milliseconds(250)

    /// Lets time pass, step by step; earlier times than the last one change nothing. It ends with
    /// `Timestamp.supported`.
    ///
    /// What is asked between two steps is answered at the earlier one's time, so that small differences
    /// in when it is asked are none in the answer.
    package func advance(to timestamp: Timestamp) {
        let step = Self.step.nanoseconds
        let timestamp = min(timestamp, Timestamp.supported.upperBound - Self.step)
        while true {
            let next = Timestamp(nanoseconds: (now.nanoseconds / step + 1) * step)
            guard next <= timestamp else { return }
            now = next
            passStep()
            settle()
        }
    }

    /// What happens in one step of time, in the order in which it can depend on each other.
    private func passStep() {
        passFaults()
        if now >= dayEnd { beginDay() }
        takePaced()
        passReference()
        followOrders()
        passMarket()
        orderManager.advance(to: now)
        publishOrderNotes()
        accounts.advance(to: now, accountView, into: &answers)
        advanceData()
    }

    private func beginDay() {
        contracts.today = settings.calendar.day(of: now)
        dayEnd = settings.calendar.dayEnd(of: contracts.today)
    }

    /// What is to be done since the last time, in order.
    package func takeOutputs() -> [GatewayOutput] {
        defer { outputs.removeAll(keepingCapacity: true) }
        return outputs
    }

    /// The clients whose sessions have begun, oldest connection first.
    var clients: [Client] {
        connections.keys.sorted().compactMap { client(of: $0) }
    }

    /// The client of a connection, once its session has begun.
    func client(of connection: ConnectionID) -> Client? {
        guard let known = connections[connection], let id = known.client,
            let version = known.session.version
        else { return nil }
        return Client(connection: connection, id: id, version: version)
    }
}
