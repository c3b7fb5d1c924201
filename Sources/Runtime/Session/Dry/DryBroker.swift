import Configuration
import Foundation
import GatewaySimulator
import MarketSimulation
import MarketState
import Model
import Primitives
import Simulation
import Synchronization
import TWSClient
import TWSProtocol

/// The broker of sessions in mode dry: a simulated account in this process, whose orders fill by the gateway's quotes and
/// trades, by the rules of the gateway simulator.
///
/// It lies between a session and the gateway's connection, and hands each message to one of them. To the gateway go only
/// those that ask for data: which those are is a list, and all others, those that are not known included, stay here. What
/// the gateway says of orders and accounts is left out. Orders and account are kept in a file, so that they outlive this
/// process.
final class DryBroker: Sendable {
    /// What a broker is made of.
    struct Plan: Sendable {
        /// The symbols that are traded.
        let symbols: [String]
        /// The account that orders are for; `nil` for the login's first.
        let account: String?
        /// Whether it may borrow.
        let kind: GatewayAccountSettings.Kind
        /// The money it starts with.
        let capital: Money
        /// How orders fill, and what shares cost.
        let rules: VenueRules
        /// The file that keeps it.
        let path: String
        /// Receives what the user should know, from any thread.
        let complain: @Sendable (String) -> Void
    }

    private let core: Mutex<Core>

    /// The name of the file that keeps it, in a journal's folder.
    static let file = "dry"
    /// How often its time passes.
    static let step = Gateway.step

    /// The broker that an earlier process has left in the file, or a new one.
    init(_ plan: Plan) throws(RunFailure) {
        let kept = try Core.kept(at: plan.path)
        core = Mutex(Core(plan, kept))
    }

    /// The ledger of orders and account, as the gateway simulator answers `ledger`; `nil` before the first connection.
    var ledger: String? { core.withLock { $0.ledger } }

    // MARK: Connections

    /// A number for a connection.
    func makeNumber() -> Int {
        core.withLock { core in
            core.count += 1
            return core.count
        }
    }

    /// A connection to the gateway is open.
    func opened(
        _ number: Int, _ pipe: any BytePipe, _ listener: PipeListener, on loop: any SessionLoop
    ) {
        core.withLock {
            $0.open(Core.Link(number: number, pipe: pipe, listener: listener, loop: loop))
        }
        passTime(of: number, on: loop)
    }

    /// The session has sent bytes.
    func sent(_ bytes: [UInt8], in number: Int) {
        act(in: number) { core in bytes.withUnsafeBytes { core.sent($0) } }
    }

    /// The gateway has sent bytes.
    func received(_ bytes: UnsafeRawBufferPointer, in number: Int) {
        act(in: number) { core in core.received(bytes) }
    }

    /// A connection has ended.
    func closed(_ number: Int) { core.withLock { $0.close(number) } }

    private func passTime(of number: Int, on loop: any SessionLoop) {
        _ = loop.schedule(at: loop.now + Self.step) { [weak self] in
            guard let self, act(in: number, { _ in }) else { return }
            passTime(of: number, on: loop)
        }
    }

    /// Does something in a connection, and hands on what follows.
    ///
    /// - Returns: false where it has ended.
    @discardableResult private func act(in number: Int, _ body: (inout Core) -> Void) -> Bool {
        let (deliveries, complaints) = core.withLock { core in
            guard let link = core.link, link.number == number else {
                return (nil as Core.Deliveries?, [String]())
            }
            core.now = link.loop.timeOfDay
            core.passTime()
            body(&core)
            core.finish()
            return (core.takeDeliveries(), core.takeComplaints())
        }
        for complaint in complaints { core.withLock { $0.plan.complain }(complaint) }
        guard let deliveries else { return false }
        if !deliveries.toGateway.isEmpty { deliveries.pipe.write(deliveries.toGateway) }
        if !deliveries.toSession.isEmpty {
            deliveries.toSession.withUnsafeBytes { deliveries.listener.received($0) }
        }
        if let reason = deliveries.end {
            closed(number)
            deliveries.pipe.close()
            deliveries.listener.closed(reason)
            return false
        }
        return true
    }
}

extension DryBroker.Plan {
    /// The broker of a configuration, kept in a journal's folder.
    init(_ settings: Settings, folder: String, complain: @escaping @Sendable (String) -> Void) {
        var rules = VenueRules(calendar: settings.backtest.calendar)
        rules.commission = settings.backtest.commission.schedule
        rules.limitFill = settings.backtest.limitFill
        self.init(
            symbols: settings.trading.symbols, account: settings.ibkr.accountID,
            kind: settings.account.type == .cash ? .cash : .margin,
            capital: settings.account.startingCapital, rules: rules,
            path: folder + "/" + DryBroker.file,
            complain: complain)
    }
}

/// What the file keeps.
private struct DryState: Codable {
    /// The numbers of contracts at the broker, by symbol.
    var contracts: [String: Int32]
    /// The simulated gateway's orders and account.
    var broker: GatewayState
}

extension DryBroker {
    /// What the lock guards.
    fileprivate struct Core {
        let plan: Plan
        var count = 0
        private(set) var link: Link?
        private var frames = Frames()
        var now = Timestamp.distantPast

        private let kept: DryState?
        private var gateway: Gateway?
        private var data = DryData()
        /// The numbers of contracts at the broker, by symbol of the wire.
        private var numbers: [String: Int32]
        private var savedRevision = 0
        private var deliveries: (toGateway: [UInt8], toSession: [UInt8], end: String?) = (
            [], [], nil
        )
        private var complaints: [String] = []

        /// A connection.
        struct Link {
            let number: Int
            let pipe: any BytePipe
            let listener: PipeListener
            let loop: any SessionLoop
            /// The version that session and gateway speak; `nil` before they have agreed.
            var version: ServerVersion?
            /// The message with which the session begins.
            var start: [UInt8] = []
            /// True once the session is one of this broker's.
            var hasBegun = false
            /// True once the broker's greeting has come: session and gateway have their own.
            var isGreeted = false

            /// Its number at the simulated gateway.
            var id: ConnectionID { ConnectionID(number: number) }
        }

        /// What has come of a connection and is no whole frame yet.
        private struct Frames {
            var fromSession = FrameReader()
            var fromGateway = FrameReader()
            var fromBroker = FrameReader()
        }

        /// What goes out.
        struct Deliveries {
            let pipe: any BytePipe
            let listener: PipeListener
            let toGateway: [UInt8]
            let toSession: [UInt8]
            /// Why the connection is to end; `nil` where it goes on.
            let end: String?
        }

        init(_ plan: Plan, _ kept: DryState?) {
            self.plan = plan
            self.kept = kept
            numbers = kept?.contracts ?? [:]
        }

        var ledger: String? { gateway?.control("{\"do\":\"ledger\"}") }
    }
}

// MARK: - Time and files

extension DryBroker.Core {
    fileprivate static func kept(at path: String) throws(RunFailure) -> DryState? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            return try JSONDecoder().decode(DryState.self, from: data)
        } catch {
            throw .file(
                "The simulated account in \(path) cannot be read: \(error). Without the file the account begins anew; "
                    + "then choose another journal with --journal, too.")
        }
    }

    /// Lets the simulated account's time pass.
    fileprivate mutating func passTime() {
        gateway?.advance(to: now)
        collect()
    }

    /// What follows from what was done: the market that orders need, and what the simulated account answers.
    fileprivate mutating func finish() {
        feed(data.takeEvents(at: now))
        collect()
        subscribe()
    }

    fileprivate mutating func takeDeliveries() -> Deliveries? {
        guard let link else { return nil }
        defer { deliveries = ([], [], nil) }
        return Deliveries(
            pipe: link.pipe, listener: link.listener, toGateway: deliveries.toGateway,
            toSession: deliveries.toSession, end: deliveries.end)
    }

    fileprivate mutating func takeComplaints() -> [String] {
        defer { complaints.removeAll() }
        return complaints
    }

    fileprivate mutating func open(_ link: Link) {
        if let former = self.link { close(former.number) }
        self.link = link
        frames = Frames()
    }

    fileprivate mutating func close(_ number: Int) {
        guard let link, link.number == number else { return }
        if link.hasBegun {
            gateway?.disconnected(link.id)
            feed(data.forget(at: now))
            _ = gateway?.takeOutputs()
        }
        self.link = nil
        save()
    }

    /// Keeps what the session is about to learn.
    private mutating func save() {
        guard let gateway, gateway.stateRevision != savedRevision else { return }
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            let state = DryState(contracts: numbers, broker: gateway.state)
            try encoder.encode(state).write(
                to: URL(fileURLWithPath: plan.path), options: .atomic)
            // It names the account.
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: plan.path)
            savedRevision = gateway.stateRevision
        } catch {
            complaints.append(
                "critical: the simulated account cannot be kept in \(plan.path): \(error.localizedDescription)"
            )
        }
    }
}

// MARK: - From the session

extension DryBroker.Core {
    fileprivate mutating func sent(_ bytes: UnsafeRawBufferPointer) {
        guard let version = link?.version else {
            // The greeting.
            deliveries.toGateway += bytes
            return
        }
        frames.fromSession.append(bytes)
        while let payload = Self.next(&frames.fromSession, &deliveries.end) {
            takeFromSession(payload, TextCodec(version: version))
        }
    }

    private mutating func takeFromSession(_ payload: [UInt8], _ codec: TextCodec) {
        let message: ClientMessage
        do throws(DecodingFailure) {
            message = try payload.withUnsafeBufferPointer { payload throws(DecodingFailure) in
                try codec.decode(fromClient: payload).message
            }
        } catch {
            // It could be an order.
            complaints.append("warning: a message was not sent on, as it cannot be read: \(error)")
            return
        }
        if case .startApi = message { link?.start = payload }
        if message.asksForData {
            if let contract = message.contract { learn(contract) }
            deliveries.toGateway += Self.frame(payload)
        } else if link?.hasBegun == true {
            pass(message, codec)
        }
    }

    /// Hands a message to the simulated account.
    private mutating func pass(_ message: ClientMessage, _ codec: TextCodec) {
        var message = message
        switch message {
        case .placeOrder(var order):
            learn(order.contract)
            if let listed = gateway?.contracts.stock(ofSymbol: order.contract.symbol) {
                order.contract = listed.contract
            }
            message = .placeOrder(order)
        case .reqPnLSingle(var request):
            let symbol = numbers.first { $0.value == request.conId.rawValue }?.key
            if let listed = symbol.flatMap({ gateway?.contracts.stock(ofSymbol: $0) }) {
                request.conId = listed.contract.conId
            }
            message = .reqPnLSingle(request)
        default: break
        }
        var bytes: [UInt8] = []
        do throws(EncodingRefusal) {
            try codec.encode(message, into: &bytes)
        } catch {
            complaints.append("warning: a message is lost, as it cannot be written: \(error)")
            return
        }
        give(bytes)
    }

    private func give(_ bytes: [UInt8]) {
        guard let link else { return }
        bytes.withUnsafeBytes { gateway?.received($0, from: link.id) }
    }

    /// Notes the broker's number of a stock.
    private mutating func learn(_ contract: Contract) {
        guard contract.secType == .stock, contract.conId.rawValue > 0, !contract.symbol.isEmpty
        else { return }
        numbers[contract.symbol] = contract.conId.rawValue
    }
}

// MARK: - From the gateway

extension DryBroker.Core {
    fileprivate mutating func received(_ bytes: UnsafeRawBufferPointer) {
        frames.fromGateway.append(bytes)
        while link != nil, let payload = Self.next(&frames.fromGateway, &deliveries.end) {
            guard let version = link?.version else {
                agree(payload)
                continue
            }
            takeFromGateway(payload, TextCodec(version: version))
        }
    }

    /// The gateway's greeting: the session reads it, too, and ends the connection where it does not agree.
    private mutating func agree(_ payload: [UInt8]) {
        let handshake = ClientHandshake(versions: ServerVersion.supported, options: "")
        let agreement = payload.withUnsafeBufferPointer { try? handshake.accept($0) }
        link?.version = agreement?.version
        deliveries.toSession += Self.frame(payload)
    }

    private mutating func takeFromGateway(_ payload: [UInt8], _ codec: TextCodec) {
        let message = payload.withUnsafeBufferPointer {
            try? codec.decode(fromGateway: $0).message
        }
        // What cannot be read the session leaves out, too.
        guard let message else { return deliveries.toSession += Self.frame(payload) }
        if let words = data.take(message, at: now) {
            complaints += words
            return
        }
        switch message {
        case .managedAccounts(let message):
            if !begin(message.accountsList, codec) { deliveries.toSession += Self.frame(payload) }
            return
        case .error(let message): take(message)
        case .contractData(let message): learn(message.contract)
        default: break
        }
        if !message.isOfBroker { deliveries.toSession += Self.frame(payload) }
    }

    /// The link between gateway and broker: its data may be old, or lost.
    private mutating func take(_ message: ErrorMessage) {
        switch message.errorCode {
        case 1100, 2103, 2110: feed(data.silence(at: now))
        case 1101: feed(data.forget(at: now))
        default: break
        }
    }

    /// Begins the session at the simulated account of the login's account.
    ///
    /// - Returns: false where the login does not have it: the session finds that out.
    private mutating func begin(_ accounts: [AccountID], _ codec: TextCodec) -> Bool {
        guard let link, !link.hasBegun,
            let account = plan.account.map({ AccountID($0) }) ?? accounts.first,
            accounts.contains(account)
        else { return false }
        if gateway == nil {
            do throws(AccountFault) {
                try begin(account)
            } catch {
                deliveries.end =
                    "the simulated account in \(plan.path) is not that of \(account.redacted): \(error)"
                return true
            }
        }
        self.link?.hasBegun = true
        gateway?.connected(link.id)
        let version = codec.version.number
        give(ClientHandshake(versions: version...version, options: "").bytes)
        give(Self.frame(link.start))
        return true
    }

    private mutating func begin(_ account: AccountID) throws(AccountFault) {
        var settings = SimulatedGatewaySettings(start: now)
        settings.accounts = [account]
        settings.account.kind = plan.kind
        settings.account.startingCash = plan.capital
        settings.pacesMessages = false
        settings.rules = plan.rules
        settings.market = .replay(ReplayData())
        let gateway = Gateway(
            settings: settings,
            contracts: GatewayContractDatabase(
                symbols: plan.symbols, on: settings.calendar.day(of: now)))
        if let kept { try gateway.restore(kept.broker) }
        savedRevision = gateway.stateRevision
        self.gateway = gateway
    }
}

// MARK: - The simulated account

extension DryBroker.Core {
    private func feed(_ events: [MarketEvent]) { gateway?.feed(events) }

    /// Asks for the market of what is held and ordered.
    private mutating func subscribe() {
        guard let gateway, let link, link.hasBegun, let version = link.version else { return }
        for instrument in gateway.marketInstruments {
            let listed = gateway.contracts[instrument].contract
            guard let number = numbers[listed.symbol] else { continue }
            var contract = Contract.stock(listed.symbol)
            contract.conId = ContractID(rawValue: number)
            guard let request = data.subscribe(instrument, contract, at: now) else { continue }
            try? TextCodec(version: version).encode(
                .reqMktData(request), into: &deliveries.toGateway)
        }
    }

    /// Takes what the simulated account answers.
    private mutating func collect() {
        guard let gateway else { return }
        save()
        for output in gateway.takeOutputs() {
            switch output {
            case .send(let id, let bytes):
                guard id == link?.id else { continue }
                frames.fromBroker.append(bytes)
                while let payload = Self.next(&frames.fromBroker, &deliveries.end) {
                    takeFromBroker(payload)
                }
            case .close(let id), .reset(let id):
                if id == link?.id { deliveries.end = "the simulated account has ended the session" }
            case .stopListening, .listen: break
            }
        }
    }

    private mutating func takeFromBroker(_ payload: [UInt8]) {
        guard link?.isGreeted == true, let version = link?.version else {
            link?.isGreeted = true
            return
        }
        let codec = TextCodec(version: version)
        let decoded = payload.withUnsafeBufferPointer {
            try? codec.decode(fromGateway: $0).message
        }
        guard var message = decoded, !message.isOfFarms else { return }
        message.changeContract { contract in
            if let number = numbers[contract.symbol] {
                contract.conId = ContractID(rawValue: number)
            }
        }
        try? codec.encode(message, into: &deliveries.toSession)
    }

    // MARK: Frames

    /// The next frame's payload; `nil` where none is whole, or the stream is no stream of frames.
    private static func next(_ reader: inout FrameReader, _ end: inout String?) -> [UInt8]? {
        do throws(FrameError) {
            return try reader.next { Array($0) }
        } catch {
            end = "\(error)"
            return nil
        }
    }

    private static func frame(_ payload: [UInt8]) -> [UInt8] {
        let length = UInt32(payload.count)
        return withUnsafeBytes(of: length.bigEndian) { Array($0) } + payload
    }
}
