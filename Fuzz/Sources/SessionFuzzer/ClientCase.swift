import ClientTestSupport
import Primitives
import Synchronization
import TWSClient
import TWSProtocol

/// One client with calls and subscriptions of all kinds, and a gateway that says anything: every kind of
/// message in turn, with jumps of time, cut frames, garbage and broken connections between them.
///
/// All tasks run on the main actor, one after the other, so that a case goes the same way every time.
@MainActor
final class ClientCase {
    /// What was fed, and how many elements and answers came out.
    private(set) var counts = FuzzCounts()
    private var draws: Draws
    private let gateway: ScriptedGateway
    private let client: GatewayClient
    private let trace: Trace
    private var tasks: [Task<Void, Never>] = []
    private let answers = Mutex(0)

    init(seed: UInt64, case number: Int, trace: Trace) {
        draws = Draws(seed: seed, case: number)
        self.trace = trace
        let gateway = ScriptedGateway(version: draws.one(of: ServerVersion.all))
        self.gateway = gateway
        let indexes = draws.chance(50)
        client = gateway.client {
            $0.session.placesOrders = indexes
            $0.tickCapacity = 64
            $0.orderCapacity = 256
        }
        let dayTimes: [Int64] = [1_709_650_800, 0, -2_208_988_800, 7_289_654_399, 1_710_054_000]
        let time = Timestamp(seconds: draws.one(of: dayTimes))
        gateway.clock.setTimeOfDay(ahead: time - gateway.clock.now)
        trace.note("time of day \(time), version \(gateway.version.number)")
    }

    /// Feeds all kinds in order, or in a drawn order, until so many messages were fed.
    func run(messages: Int) async {
        begin()
        await settle()
        var kinds: [GatewayMessageKind] = []
        while counts.fed < messages {
            if kinds.isEmpty {
                kinds = GatewayMessageKind.allCases
                if draws.chance(50) { kinds = draws.shuffled(kinds) }
            }
            publish(kinds.removeFirst())
            if draws.chance(30) { await settle() }
            if draws.chance(12) { await passTime() }
            if draws.chance(1) { breakConnection() }
            if draws.chance(3) { begin() }
        }
        client.close()
        for task in tasks { task.cancel() }
        await settle()
        counts.answered = answers.withLock { $0 }
    }

    // MARK: The gateway

    private func publish(_ kind: GatewayMessageKind) {
        let version = gateway.version
        guard version.number >= kind.firstVersion else { return }
        for _ in 0..<(draws.chance(30) ? 4 : 1) {
            var filler = SessionFiller(version: version, draws: draws, known: gateway.known)
            let message = GatewayMessage(kind, from: &filler)
            draws = filler.draws
            var frame: [UInt8] = []
            guard (try? TextCodec(version: version).encode(message, into: &frame)) != nil else {
                return
            }
            if draws.chance(8) { frame = Payload.damaged(frame, &draws) }
            trace.note("\(kind) \(trace.readable(frame))")
            counts.fed += 1
            // In one read or in two.
            let cut = draws.chance(10) ? draws.number(0...frame.count) : frame.count
            gateway.reply(Array(frame[..<cut]))
            gateway.reply(Array(frame[cut...]))
        }
    }

    private func breakConnection() {
        trace.note("connection broken")
        if draws.chance(30) { gateway.reply([0xFF, 0xFF, 0xFF, 0xFF, 0]) }
        gateway.hangUp()
    }

    private func passTime() async {
        let length: Duration =
            switch draws.number(0...999) {
            case 0..<600: .milliseconds(250)
            case 600..<800: .seconds(1)
            case 800..<900: .seconds(5)
            case 900..<990: .seconds(61)
            case 990..<998: .minutes(11)
            default: draws.one(of: [.hours(1), .days(1)])
            }
        trace.note("advance by \(length)")
        gateway.clock.advance(by: length)
        if draws.chance(2) {
            let ahead: [Duration] = [
                .zero, .days(20_000), .days(-40_000), .days(84_370), .days(100_000),
            ]
            gateway.clock.setTimeOfDay(ahead: draws.one(of: ahead))
        }
        await settle()
    }

    private func settle() async {
        for _ in 0..<6 {
            gateway.clock.run()
            await Task.yield()
        }
    }

    // MARK: The client

    /// Calls of every kind, each in a task of its own.
    private func begin() {
        if tasks.isEmpty { call { try await $0.connect(limit: nil) } }
        guard tasks.count < 100 else { return }
        let stock = Contract.stock("AAPL")
        beginQuestions(about: stock)
        beginHistory(of: stock)
        beginSubscriptions(to: stock)
    }

    private func beginQuestions(about stock: Contract) {
        call { _ = try await $0.contractDetails(stock) }
        call { _ = try await $0.qualify(stock) }
        call { _ = try await $0.matchingSymbols("AAPL") }
        call { _ = try await $0.marketRule(26) }
        call { _ = try await $0.smartComponents("a9") }
        call { _ = try await $0.depthExchanges() }
        call { _ = try await $0.openOrders(.all) }
        call { _ = try await $0.completedOrders() }
        call { _ = try await $0.fills() }
        call { _ = try await $0.positions() }
        call { _ = try await $0.accountSummary() }
        call { _ = try await $0.accountSnapshot("DU1234567") }
        call { _ = try await $0.managedAccounts() }
        call { _ = try await $0.clockReading() }
        call { _ = try await $0.userInfo() }
        call { _ = try await $0.newsProviders() }
        call { _ = try await $0.scannerParameters() }
        call { _ = try await $0.snapshot(stock) }
        call { _ = try await $0.whatIf(Order(), for: stock) }
    }

    private func beginHistory(of stock: Contract) {
        let (from, to) = (Timestamp(seconds: 1_709_000_000), Timestamp(seconds: 1_709_650_800))
        call { _ = try await $0.bars(BarQuestion(stock, .oneMinute), from: from, to: to) }
        call { _ = try await $0.recentBars(BarQuestion(stock, .oneDay), .years(1)) }
        call { _ = try await $0.headTimestamp(stock) }
        call { _ = try await $0.schedule(stock, days: 5) }
        call { _ = try await $0.histogram(stock, over: "3 days") }
        call { _ = try await $0.historicalTrades(TickQuestion(stock), from: from, to: to) }
        call { _ = try await $0.historicalQuotes(TickQuestion(stock), from: from, to: to) }
        call { _ = try await $0.historicalMidpoints(TickQuestion(stock), from: from, to: to) }
    }

    private func beginSubscriptions(to stock: Contract) {
        let client = client
        read(client.quotes(stock).makeAsyncIterator())
        read(client.ticks(stock).makeAsyncIterator())
        read(client.depth(stock).makeAsyncIterator())
        read(client.fiveSecondBars(stock).makeAsyncIterator())
        read(client.liveBars(BarQuestion(stock, .oneMinute), .days(1)).makeAsyncIterator())
        read(client.tradeTicks(stock).makeAsyncIterator())
        read(client.quoteTicks(stock).makeAsyncIterator())
        read(client.midpointTicks(stock).makeAsyncIterator())
        read(client.accountUpdates("DU1234567").makeAsyncIterator())
        read(client.accountSummaryUpdates().makeAsyncIterator())
        read(client.positionUpdates().makeAsyncIterator())
        read(client.profitAndLoss("DU1234567").makeAsyncIterator())
        read(client.profitAndLoss("DU1234567", of: 265_598).makeAsyncIterator())
        read(client.scanner(ReqScannerSubscription()).makeAsyncIterator())
        read(client.liveHeadlines(stock, by: "SIMN").makeAsyncIterator())
        read(client.bulletins().makeAsyncIterator())
    }

    private func call(_ body: @escaping @MainActor (GatewayClient) async throws -> Void) {
        counts.commands += 1
        tasks.append(
            Task { @MainActor [client] in
                do {
                    try await body(client)
                } catch {}
                self.answers.withLock { $0 += 1 }
            })
    }

    /// Reads a subscription to its end. Its iterator is called as what it is: by way of its protocol it
    /// would leave the main actor.
    private func read<Element: Sendable>(_ iterator: Subscription<Element>.Iterator) {
        counts.commands += 1
        var iterator = iterator
        tasks.append(
            Task { @MainActor in
                do {
                    while try await iterator.next() != nil { self.answers.withLock { $0 += 1 } }
                } catch {}
            })
    }
}

/// The other end of a client's connections: shakes hands, begins the session, and otherwise says what it
/// is told to say.
final class ScriptedGateway: MemoryGateway {
    let clock = ManualLoop()
    let version: ServerVersion
    private let state: Mutex<State>

    fileprivate struct State {
        var listener: PipeListener?
        var session: GatewaySession
        var known = KnownNumbers()
        var epoch = 0
    }

    init(version: ServerVersion) {
        self.version = version
        state = Mutex(State(session: Self.session(version)))
    }

    private static func session(_ version: ServerVersion) -> GatewaySession {
        let first = ServerVersion.supported.lowerBound
        return GatewaySession(handshake: GatewayHandshake(versions: first...version.number))
    }

    /// The client's latest requests and orders.
    var known: KnownNumbers { state.withLock { $0.known } }

    func connect(_ listener: PipeListener) {
        let epoch = state.withLock { state in
            state.epoch += 1
            state.listener = listener
            state.session = Self.session(version)
            return state.epoch
        }
        clock.execute { listener.opened(ScriptedPipe(gateway: self, epoch: epoch)) }
    }

    /// Says bytes on the connection there is.
    func reply(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        clock.execute {
            let listener = self.state.withLock { $0.listener }
            bytes.withUnsafeBytes { listener?.received($0) }
        }
    }

    /// Ends the connection there is.
    func hangUp() {
        clock.execute {
            let listener = self.state.withLock { state in
                defer { state.listener = nil }
                return state.listener
            }
            listener?.closed(nil)
        }
    }

    fileprivate func took(_ bytes: [UInt8], epoch: Int) {
        let answer = state.withLock { state -> [UInt8] in
            guard state.epoch == epoch else { return [] }
            var events: [GatewaySession.Event] = []
            bytes.withUnsafeBytes { state.session.received($0, into: &events) }
            return events.flatMap { state.answer(to: $0) }
        }
        reply(answer)
    }

    fileprivate func left(epoch: Int) {
        state.withLock { if $0.epoch == epoch { $0.listener = nil } }
    }
}

extension ScriptedGateway.State {
    /// What a session's beginning is answered with; requests are only noted.
    fileprivate mutating func answer(to event: GatewaySession.Event) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            switch event {
            case .agreed:
                let time = WireTime(text: "20240305 10:00:00 US/Eastern")
                bytes = try session.greeting(time: time)
            case .started:
                var accounts = ManagedAccounts()
                accounts.accountsList = ["DU1234567"]
                try session.encode(.managedAccounts(accounts), into: &bytes)
                var next = NextValidId()
                next.orderId = 1
                try session.encode(.nextValidId(next), into: &bytes)
            case .message(let message, _):
                if let request = message.requestID {
                    known.requests.append(Int64(request.rawValue))
                    known.requests = known.requests.suffix(40)
                }
            case .rejected, .failed: break
            }
        } catch {
            preconditionFailure("a greeting can be written: \(error)")
        }
        return bytes
    }
}

/// A client's way out.
private struct ScriptedPipe: BytePipe {
    let gateway: ScriptedGateway
    let epoch: Int

    func write(_ bytes: [UInt8]) { gateway.clock.execute { gateway.took(bytes, epoch: epoch) } }
    func close() { gateway.left(epoch: epoch) }
}
