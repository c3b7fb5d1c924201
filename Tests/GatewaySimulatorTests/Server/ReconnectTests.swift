import GatewaySimulator
import Glibc
import Primitives
import TWSProtocol
import Testing

/// The server with sockets of the system.
@Suite struct ReconnectTests {
    /// A client with a socket of its own, that waits for every answer.
    private struct SocketClient: ~Copyable {
        private let socket: Int32
        private var frames = FrameReader()
        /// How many of its first bytes it has sent.
        private var greeted = 0

        /// Connects to a port of this machine.
        init(port: Int) throws {
            socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var index = sockaddr_in()
            index.sin_family = sa_family_t(AF_INET)
            index.sin_port = in_port_t(UInt16(port).bigEndian)
            index.sin_addr.s_addr = inet_addr("127.0.0.1")
            let connected = withUnsafePointer(to: &index) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            try #require(connected == 0)
        }

        deinit { close(socket) }

        /// Begins a session; gives the code of its refusal, `nil` when it began.
        mutating func begin(as id: ClientID) throws -> Int32? {
            let version = ServerVersion.newest
            var start = StartApi()
            start.clientId = id
            var bytes = ClientHandshake(versions: version.number...version.number, options: "")
                .bytes
            try TextCodec(version: version).encode(.startApi(start), into: &bytes)
            let early = min(greeted, bytes.count)
            try write(Array(bytes[early...]))
            _ = try next()
            while true {
                let payload = try next()
                let answer = try payload.withUnsafeBufferPointer {
                    try TextCodec(version: version).decode(fromGateway: $0).message
                }
                switch answer {
                case .nextValidId: return nil
                case .error(let error) where error.errorCode < 2_000: return error.errorCode
                default: continue
                }
            }
        }

        /// Sends the first bytes of any session, before it says who it is.
        mutating func greet() throws {
            try write(ClientGreeting.prefix)
            greeted = ClientGreeting.prefix.count
        }

        func write(_ message: ClientMessage) throws {
            var bytes: [UInt8] = []
            try TextCodec(version: .newest).encode(message, into: &bytes)
            try write(bytes)
        }

        private func write(_ bytes: [UInt8]) throws {
            let sent = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            try #require(sent == bytes.count)
        }

        /// The next frame's payload.
        private mutating func next() throws -> [UInt8] {
            while true {
                if let payload = try frames.next({ Array($0) }) { return payload }
                var bytes = [UInt8](repeating: 0, count: 65_536)
                let count = recv(socket, &bytes, bytes.count, 0)
                try #require(count > 0, "the gateway has closed the connection")
                bytes.prefix(count).withUnsafeBytes { frames.append($0) }
            }
        }
    }

    private func server() throws -> GatewayServer {
        var index = GatewayServer.Options()
        index.speed = 0
        return try GatewayServer(
            at: index, complain: { Issue.record("\($0)") },
            make: {
                var settings = SimulatedGatewaySettings(start: GatewayRig.start)
                settings.pacesMessages = false
                settings.data.refusesHistoryBreaches = false
                return Gateway(settings: settings)
            })
    }

    @Test func clientThatComesBackAtOnceIsNeverReportedThatItsNumberIsInUse() throws {
        let server = try server()
        for round in 0..<300 {
            var client = try SocketClient(port: server.port)
            #expect(try client.begin(as: 7) == nil, "round \(round)")
            if round.isMultiple(of: 2) { try client.write(.reqIds(ReqIds())) }
        }
        try server.stop()
    }

    /// The new connection's first bytes come before the end of the old one, the number after it. While the
    /// server is busy with a third client it reads the new connection first.
    @Test func endThatTheSystemHasSeenIsReadBeforeANumberIsChecked() throws {
        let server = try server()
        var busy = try SocketClient(port: server.port)
        #expect(try busy.begin(as: 1) == nil)
        var history = ReqHistoricalData()
        history.contract = .stock("AAPL")
        history.durationStr = .days(1)
        history.barSizeSetting = .oneMinute
        for round in 0..<100 {
            var old: SocketClient? = try SocketClient(port: server.port)
            #expect(try old?.begin(as: 7) == nil)
            var new = try SocketClient(port: server.port)
            for _ in 0..<5 { try busy.write(.reqHistoricalData(history)) }
            try new.greet()
            old = nil
            #expect(try new.begin(as: 7) == nil, "round \(round)")
        }
        try server.stop()
    }

    @Test func numberOfALiveConnectionIsInUse() throws {
        let server = try server()
        var first = try SocketClient(port: server.port)
        #expect(try first.begin(as: 7) == nil)
        for _ in 0..<50 {
            var second = try SocketClient(port: server.port)
            #expect(try second.begin(as: 7) == 326)
            var other = try SocketClient(port: server.port)
            #expect(try other.begin(as: 8) == nil)
        }
        try server.stop()
    }
}
