package import Model
package import Primitives
import TWSClient
package import TWSProtocol

/// The broker behind a gateway, as the engine sees it: a session's messages become events, and the engine's commands
/// become messages. It decides nothing.
///
/// Every number is exact. A sentinel of the wire is absent here, and what the engine has no word for is left out and
/// counted.
package struct GatewayVenue: Sendable {
    /// What a venue is made of.
    package struct Setup: Sendable {
        /// The account that orders are for.
        package var account: AccountID
        /// The number that the program is connected under.
        package var client: ClientID
        /// The contracts of the run's instruments.
        package var contracts: [TradedContract]
        /// Whether orders are sent to the broker's algorithm Adaptive that it can work.
        package var usesAdaptive = false
        /// The currency that the account is kept in.
        package var currency = "USD"
        /// The meaning of codes.
        package var codes = CodePolicy.standard
        /// The texts that have a number in the journal.
        package var names: [(name: NameID, text: String)] = []
        /// How long the end of a list is waited for that was asked for while the link was ready.
        package var listLimit = Duration.seconds(10)

        /// A venue for one account.
        package init(account: AccountID, client: ClientID, contracts: [TradedContract]) {
            self.account = account
            self.client = client
            self.contracts = contracts
        }
    }

    /// The place of the account that is traded in the run's list of accounts.
    package static let ownAccount = BrokerAccountID(index: 0)

    let account: AccountID
    let client: ClientID
    let currency: String
    let codes: CodePolicy
    let listLimit: Duration
    let usesAdaptive: Bool
    var contracts: ContractIndex
    var names: VenueNames
    /// Reads the gateway's wall clocks; known once a connection stands.
    var clock = GatewayClock(zone: nil)
    /// The events of the call in progress.
    var events: [Event.Kind] = []

    // MARK: The connection

    /// The connection's number: rises with each.
    package private(set) var epoch = ConnectionEpoch(number: 0)
    /// The next number that the gateway takes an order under, once it was sent in this connection.
    private var nextID: BrokerOrderID?
    /// The link's newest state.
    package private(set) var link = BrokerLinkState.down

    /// When the event in progress was received.
    var receipt = Timestamp.distantPast
    /// What the gateway has refused for being set to read only; `nil` for nothing.
    private var readOnly: ReadOnly?
    /// The instruments in which it has refused an order as it knows no such contract.
    var unknownContracts: Set<InstrumentID> = []
    /// How far the next number is asked for, as one was in use.
    var numberQuestion = NumberQuestion.none
    /// True once an order of ours was shown under terms that we have not given it.
    var haveTermsChanged = false

    // MARK: Lists

    /// Lists that have begun and not ended.
    var openLists: Set<ListingKind> = []
    /// When those of them fail that were asked for while the link was ready.
    var listDeadlines: [ListingKind: Timestamp] = [:]
    /// How many of those in a row have had no end.
    var failedLists = 0
    /// Lists that are asked for by the session itself, while it synchronises.
    var ownLists: Set<ListingKind> = []
    /// Lists that were asked for once more while they were under way.
    var repeatedLists: Set<ListingKind> = []
    /// The request that executions were asked for with.
    var executionsRequest: RequestID?
    var nextRequest = Self.firstRequest

    // MARK: Orders

    /// What was last asked of each order that we have placed and that may still be answered, by its number.
    var asked: [BrokerOrderID: AskedOrder] = [:]
    /// The instruments in which the broker has refused its algorithm: their orders are plain from then on.
    var withoutAlgorithm: Set<InstrumentID> = []
    /// The orders that executions belong to, by the executions' numbers.
    var owners: [Int64: BrokerOrderKey] = [:]
    /// The numbers of executions that are known to be liquidations by the broker.
    var liquidations: Set<Int64> = []
    /// Charges whose executions have not come, by the executions' numbers.
    var earlyCharges: [Int64: CommissionReport] = [:]
    /// Positions by the newest messages, in the order in which they came first.
    var positions: [ListedPosition] = []
    /// Those of the broker's list that is under way.
    var listedPositions: [ListedPosition] = []
    /// True once a position has changed since the last list.
    package var havePositionsChanged = false
    /// What could not be told to the engine.
    package var leftOut = LeftOut()

    /// What is known of the account besides figures.
    package internal(set) var accountFacts = AccountFacts()

    /// Counts of messages that no event stands for.
    package struct LeftOut: Hashable, Sendable {
        /// Executions in instruments that the run does not have.
        package var foreignExecutions = 0
        /// Messages with a number or a time that cannot be expressed exactly.
        package var inexpressible = 0
        /// Messages that could not be read.
        package var unreadable = 0
    }

    /// The first number of our requests: orders are numbered below.
    static let firstRequest: Int32 = 1 << 30
    /// The first number of the requests of others on the same session: see `MarketDataFeed`.
    package static let firstDataRequest: Int32 = 1 << 30 + 1 << 28
    /// The first number of the requests that find contracts.
    package static let firstQualifyingRequest: Int32 = 1 << 30 + 1 << 29
    /// How many charges wait for their executions at most.
    static let earlyChargesMax = 10_000

    /// A venue before its first connection.
    package init(_ setup: Setup) {
        account = setup.account
        client = setup.client
        currency = setup.currency
        codes = setup.codes
        listLimit = setup.listLimit
        usesAdaptive = setup.usesAdaptive
        contracts = ContractIndex(setup.contracts)
        names = VenueNames(setup.names)
    }

    /// Takes in an event of the session and appends what the engine is to learn to `events`.
    ///
    /// - Parameter time: the receipt; not earlier than the one before.
    package mutating func take(
        _ event: SessionEvent, at time: Timestamp, into events: inout [Event]
    ) {
        receipt = time
        switch event {
        case .agreed(let agreement, _):
            clock = GatewayClock(connectionTime: agreement.connectionTime)
        case .message(let message, _): take(message)
        case .rejected: leftOut.unreadable += 1
        case .link(let state, _): changeLink(to: BrokerLinkState(state))
        case .asked(let answers): for answer in answers { beginOwn(answer) }
        case .answered(let answer):
            endOwn(answer)
            if answer == .openOrders, readOnly == .lists { endReadOnly() }
        case .syncStalled(let missing): for answer in missing { failOwn(answer) }
        case .unsent(let messages): for message in messages { takeBack(message) }
        case .disconnected: break
        // Subscriptions to market data are the feed's.
        case .resubscribe, .silence: break
        }
        flush(at: time, into: &events)
    }

    /// Appends the events of the call in progress, names before their use.
    mutating func flush(at time: Timestamp, into events: inout [Event]) {
        for chunk in names.takeUnsent() { events.append(Event(at: time, kind: .name(chunk))) }
        for kind in self.events { events.append(Event(at: time, kind: kind)) }
        self.events.removeAll(keepingCapacity: true)
    }

    private mutating func changeLink(to state: BrokerLinkState) {
        link = state
        switch state {
        case .handshake:
            epoch = ConnectionEpoch(number: epoch.number + 1)
            nextID = nil
            forgetLists()
            endReadOnly()
            numberQuestion = .none
        case .down: forgetLists()
        case .sync, .ready, .upstreamLost, .dataDegraded, .drain, .locked: break
        }
        events.append(.link(LinkReport(state, epoch: epoch, nextID: nextID)))
        // It was the next number when the connection began: with orders placed since it says nothing.
        nextID = nil
    }

    /// What a gateway refuses that is set to read only: TWS also refuses to list orders.
    private enum ReadOnly: Hashable, Sendable {
        /// Orders.
        case orders
        /// Lists of orders.
        case lists
    }

    /// The gateway has refused something for being set to read only, by an error of this code.
    mutating func beginReadOnly(_ code: Int, ofLists: Bool) {
        guard readOnly == nil else { return }
        readOnly = ofLists ? .lists : .orders
        events.append(
            .condition(ConditionReport(.readOnlyGateway, isPresent: true, value: Int64(code))))
    }

    private mutating func endReadOnly() {
        guard readOnly != nil else { return }
        readOnly = nil
        events.append(.condition(ConditionReport(.readOnlyGateway, isPresent: false)))
    }

    /// The user has looked: orders are tried again that the gateway has refused for its setting or for a contract.
    ///
    /// - Parameter instrument: in which alone; `nil` for everything.
    package mutating func retry(
        in instrument: InstrumentID?, at time: Timestamp, into events: inout [Event]
    ) {
        if instrument == nil { endReadOnly() }
        for known in unknownContracts.sorted() where instrument == nil || instrument == known {
            unknownContracts.remove(known)
            self.events.append(
                .condition(ConditionReport(.contractUnknown, isPresent: false, of: known)))
        }
        flush(at: time, into: &events)
    }

    /// Takes in that time has passed, and appends what follows.
    package mutating func advance(to time: Timestamp, into events: inout [Event]) {
        failOverdueLists(at: time)
        flush(at: time, into: &events)
    }

    /// Goes on behind the connections of earlier processes.
    package mutating func resume(behind epoch: ConnectionEpoch) { self.epoch = epoch }

    /// How the connection stands, for an engine that knows of none. One that stands is compared anew: the engine asks
    /// for all lists.
    package func linkEvents(at time: Timestamp) -> [Event] {
        let states: [BrokerLinkState] = link == .ready ? [.sync, .ready] : [link]
        return states.map { Event(at: time, kind: .link(LinkReport($0, epoch: epoch))) }
    }

    /// Takes in the next number that the gateway takes: that of the beginning goes with the link's next change.
    private mutating func take(next: BrokerOrderID) {
        guard numberQuestion == .asked else { return nextID = next }
        numberQuestion = .none
        events.append(.link(LinkReport(link, epoch: epoch, nextID: next)))
    }

    /// The message that asks for the next number, once a number was in use; `nil` without a need.
    package mutating func takeNumberQuestion() -> ClientMessage? {
        guard numberQuestion == .due else { return nil }
        numberQuestion = .asked
        return .reqIds(ReqIds())
    }

    /// How far the next number is asked for.
    enum NumberQuestion: Hashable, Sendable {
        /// It is not needed.
        case none
        /// It is to be asked for.
        case due
        /// The answer is to come.
        case asked
    }

    /// True while a list is under way.
    package var isListing: Bool { !openLists.isEmpty || !ownLists.isEmpty }

    /// Forgets texts that nothing refers to, whose executions they name, and what was asked of orders that have ended
    /// without a word of it here: over the months they would fill memory and journal.
    ///
    /// - Parameter live: the orders that have not ended.
    package mutating func forget(allBut live: [OrderID], _ names: NamesInUse) {
        let oldest = Int64(self.names.forget(allBut: names).index)
        owners = owners.filter { $0.key >= oldest }
        liquidations = liquidations.filter { $0 >= oldest }
        let live = Set(live)
        asked = asked.filter { live.contains($0.value.order) }
    }

    /// The texts of a journal that are kept for the next.
    package static func keptTexts(
        _ texts: [(name: NameID, text: String)], for use: NamesInUse
    ) -> [(name: NameID, text: String)] {
        VenueNames.kept(of: texts, for: use)
    }

    /// The texts that have a number, by number.
    package var knownTexts: [(name: NameID, text: String)] { names.all }

    /// Goes on with instruments that have other numbers. Positions by the old ones are forgotten: they are listed anew.
    package mutating func trade(_ contracts: [TradedContract]) {
        self.contracts = ContractIndex(contracts)
        positions.removeAll()
        listedPositions.removeAll()
    }

    private mutating func take(_ message: GatewayMessage) {
        switch message {
        case .nextValidId(let message):
            if message.orderId > 0 { take(next: BrokerOrderID(number: message.orderId.rawValue)) }
        case .orderStatus(let message): take(message)
        case .openOrder(let message): take(message)
        case .execDetails(let message): take(message)
        case .commissionAndFeesReport(let message): take(message)
        case .completedOrder(let message): take(message)
        case .position(let message): take(message)
        case .accountValue(let message): take(message)
        case .error(let message): take(message)
        case .openOrderEnd: endAsked(.openOrders)
        case .completedOrdersEnd: endAsked(.completedOrders)
        case .positionEnd: endAsked(.positions)
        case .execDetailsEnd(let message):
            if message.reqId == executionsRequest { endAsked(.executions) }
        case .accountDownloadEnd(let message):
            if message.accountName == account || message.accountName == .none {
                accountFacts.areComplete = true
                endAsked(.accountValues)
            }
        default: break
        }
    }
}

extension BrokerLinkState {
    /// The state in the engine's words.
    fileprivate init(_ state: LinkState) {
        self =
            switch state {
            case .down: .down
            case .handshake: .handshake
            case .sync: .sync
            case .ready: .ready
            case .upstreamLost: .upstreamLost
            case .dataDegraded: .dataDegraded
            case .drain: .drain
            case .locked: .locked
            }
    }
}
