import GatewaySimulator
import MarketState
import Primitives
import Simulation
import TWSProtocol

/// One gateway and a few clients: every kind of request in turn, with control commands, jumps of time,
/// disconnects and a restart from its state between them.
struct GatewayCase {
    /// What was fed and answered.
    private(set) var counts = FuzzCounts()
    private var draws: Draws
    private var gateway: Gateway
    private let settings: SimulatedGatewaySettings
    private var clients: [ConnectionID: Client] = [:]
    private var connectionCount = 0
    private var known = KnownNumbers()
    private let trace: Trace
    /// False once a command has sent frames that are no messages.
    private var isReadable = true

    /// One client's end of a connection.
    private struct Client {
        var version: ServerVersion
        var frames = FrameReader()
        var isGreeted = false
    }

    /// When session time begins: the ends of what is taken from outside, changes of clocks, plain days.
    private static let starts: [Int64] = [
        1_709_650_800, 1_709_650_800, 1_767_625_200, 1_710_000_000, 1_730_500_000, 0, -1,
        -2_208_988_800, -2_208_900_000, 7_289_650_000, 7_289_568_000, 7_289_654_399,
    ]

    init(seed: UInt64, case number: Int, trace: Trace) {
        draws = Draws(seed: seed, case: number)
        self.trace = trace
        var settings = SimulatedGatewaySettings(
            start: Timestamp(seconds: draws.one(of: Self.starts)))
        settings.seed = UInt64(number)
        settings.maxVersion = draws.one(of: ServerVersion.all).number
        settings.pacesMessages = draws.chance(5)
        settings.rejectsPacingViolations = draws.chance(3)
        settings.data.refusesHistoryBreaches = draws.chance(10)
        settings.data.historyLatency = draws.one(of: [.zero, .milliseconds(300), .seconds(5)])
        settings.data.access = draws.chance(80) ? .live : draws.one(of: DataAccess.allCases)
        settings.account.kind = draws.chance(80) ? .margin : .cash
        if draws.chance(10) { settings.rules = VenueRules(calendar: .always) }
        if draws.chance(20) { settings.accounts.append("DU7654321") }
        if draws.chance(20) { settings.masterClient = 7 }
        self.settings = settings
        gateway = Gateway(settings: settings)
        trace.note("start \(settings.start), version \(settings.maxVersion)")
    }

    /// Feeds all kinds in order, or in a drawn order, until so many messages were fed.
    mutating func run(messages: Int) {
        var kinds: [ClientMessageKind] = []
        while counts.fed < messages, counts.steps < messages * 20 {
            if kinds.isEmpty {
                kinds = ClientMessageKind.allCases
                if draws.chance(50) { kinds = draws.shuffled(kinds) }
            }
            let kind = kinds.removeFirst()
            for _ in 0..<(draws.chance(30) ? 3 : 1) { ask(kind) }
            if draws.chance(6) { command() }
            if draws.chance(15) { passTime() }
            if draws.chance(1) { disconnect() }
            counts.steps += 1
        }
        if draws.chance(10) { restart() }
    }

    // MARK: Clients

    private mutating func ask(_ kind: ClientMessageKind) {
        if clients.count < 3 { connect() }
        guard !clients.isEmpty else {
            // The port is closed, or nobody has logged in.
            if draws.chance(10) { _ = gateway.control(#"{"do":"heal"}"#) }
            return
        }
        let id = draws.one(of: clients.keys.sorted())
        guard let version = clients[id]?.version, version.number >= kind.firstVersion else {
            return
        }
        var filler = SessionFiller(version: version, draws: draws, known: known)
        let message = ClientMessage(kind, from: &filler)
        draws = filler.draws
        var frame: [UInt8] = []
        do {
            try TextCodec(version: version).encode(message, into: &frame)
        } catch {
            // What a version does not carry leaves no client.
            return
        }
        if draws.chance(10) { frame = Payload.damaged(frame, &draws) }
        counts.fed += 1
        feed(frame, to: id, trace.isOn ? "\(kind) \(trace.readable(frame))" : "")
    }

    private mutating func connect() {
        connectionCount += 1
        let id = ConnectionID(number: connectionCount)
        let version = draws.one(of: ServerVersion.all.filter { $0.number <= settings.maxVersion })
        clients[id] = Client(version: version)
        gateway.connected(id)
        let hello = ClientHandshake(versions: version.number...version.number, options: "").bytes
        feed(hello, to: id, "hello \(version.number)")
        var start = StartApi()
        start.clientId = ClientID(rawValue: draws.number(0...7))
        var frame: [UInt8] = []
        try? TextCodec(version: version).encode(.startApi(start), into: &frame)
        feed(frame, to: id, "start \(start.clientId.rawValue)")
    }

    private mutating func disconnect() {
        guard let id = clients.keys.sorted().first else { return }
        trace.note("\(id.number) leaves")
        clients[id] = nil
        gateway.disconnected(id)
        takeOutputs()
    }

    private mutating func feed(_ bytes: [UInt8], to id: ConnectionID, _ words: String) {
        trace.note("\(id.number) \(words)")
        bytes.withUnsafeBytes { gateway.received($0, from: id) }
        takeOutputs()
    }

    // MARK: Time and commands

    private mutating func passTime() {
        let step = Gateway.step.nanoseconds
        let steps =
            switch draws.number(0...999) {
            case 0..<800: draws.number(1...8)
            case 800..<985: draws.number(1...240)
            case 985..<999: draws.number(1...14_400)
            default: 4 * 86_400
            }
        let end = gateway.now + Duration(nanoseconds: step * Int64(steps))
        trace.note("advance to \(end)")
        gateway.advance(to: end)
        takeOutputs()
    }

    private mutating func command() {
        let line =
            draws.chance(25) ? #"{"do":"heal"}"# : ControlWords.command(&draws, at: gateway.now)
        trace.note("control \(line)")
        if line.contains("frame") || line.contains("bad-data") { isReadable = false }
        let answer = gateway.control(line)
        counts.commands += 1
        if (try? JSONValue(Array(answer.utf8))) == nil {
            fail("control answers JSON, not \(answer)")
        }
        takeOutputs()
    }

    /// Goes on with what an earlier gateway would have left in its state file.
    private mutating func restart() {
        trace.note("restart")
        let state = gateway.state
        gateway = Gateway(settings: settings)
        do {
            try gateway.restore(state)
        } catch {
            fail("a gateway takes its own state back: \(error)")
        }
        gateway.advance(to: gateway.now + .minutes(1))
        _ = gateway.control(#"{"do":"ledger"}"#)
        takeOutputs()
    }

    // MARK: Answers

    private mutating func takeOutputs() {
        for output in gateway.takeOutputs() {
            switch output {
            case .send(let id, let bytes): receive(bytes, from: id)
            case .close(let id), .reset(let id): clients[id] = nil
            case .stopListening, .listen: break
            }
        }
    }

    /// Reads what a client is told: apart from what a command has damaged, every frame has a meaning.
    private mutating func receive(_ bytes: [UInt8], from id: ConnectionID) {
        guard var client = clients[id] else { return }
        client.frames.append(bytes)
        let codec = TextCodec(version: client.version)
        while true {
            guard
                let fault = try? client.frames.next({ payload in
                    client.isGreeted ? Self.fault(of: payload, codec) : nil
                })
            else { break }
            client.isGreeted = true
            counts.answered += 1
            if isReadable, let fault { counts.unread.append(fault) }
        }
        clients[id] = client
    }

    /// Why a payload cannot be read to its end; `nil` where it can.
    private static func fault(of payload: UnsafeBufferPointer<UInt8>, _ codec: TextCodec) -> String?
    {
        let text = String(decoding: payload.map { $0 == 0 ? UInt8(ascii: "|") : $0 }, as: UTF8.self)
        do throws(DecodingFailure) {
            let remaining = try codec.decode(fromGateway: payload).leftover
            return remaining == 0 ? nil : "\(remaining) fields left over in \(text.prefix(2_000))"
        } catch {
            return "\(error) in \(text.prefix(2_000))"
        }
    }
}
