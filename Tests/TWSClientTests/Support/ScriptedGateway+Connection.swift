import ClientTestSupport
import Primitives
import Synchronization
import TWSClient
import TWSProtocol

extension ScriptedGateway {
    /// One connection, seen from the gateway.
    final class Connection: BytePipe {
        let number: Int
        private let gateway: ScriptedGateway
        private let listener: PipeListener
        private let state: Mutex<State>

        private struct State {
            var session: GatewaySession
            var isOpen = true
            var stalled: Set<Stall> = []
            /// What was held up on its way to the client, and to the gateway.
            var queuedForClient: [[UInt8]] = []
            var queuedForGateway: [[UInt8]] = []
            /// When the last bytes arrive in each direction: none overtakes another.
            var lastForClient = Timestamp.distantPast
            var lastForGateway = Timestamp.distantPast
        }

        init(
            gateway: ScriptedGateway, listener: PipeListener, number: Int,
            versions: ClosedRange<Int>
        ) {
            self.gateway = gateway
            self.listener = listener
            self.number = number
            let handshake = GatewayHandshake(versions: versions)
            state = Mutex(State(session: GatewaySession(handshake: handshake)))
        }

        var isOpen: Bool { state.withLock { $0.isOpen } }

        // MARK: From the client

        func write(_ bytes: [UInt8]) {
            let time = state.withLock { state -> Timestamp? in
                guard state.isOpen else { return nil }
                guard !state.stalled.contains(.toGateway) else {
                    state.queuedForGateway.append(bytes)
                    return nil
                }
                return arrival(after: &state.lastForGateway)
            }
            if let time { onLoop(at: time) { self.arrived(bytes) } }
        }

        func close() {
            state.withLock { $0.isOpen = false }
            gateway.state.withLock { state in
                guard state.current === self else { return }
                state.current = nil
                state.live = []
            }
        }

        private func arrived(_ bytes: [UInt8]) {
            guard isOpen, gateway.manner.welcome != .staysSilent else { return }
            var events: [GatewaySession.Event] = []
            state.withLock { state in
                bytes.withUnsafeBytes { state.session.received($0, into: &events) }
            }
            for event in events { gateway.took(event, from: self) }
        }

        // MARK: To the client

        func send(_ messages: [GatewayMessage]) {
            for message in messages {
                var bytes: [UInt8] = []
                do throws(EncodingRefusal) {
                    try state.withLock { state throws(EncodingRefusal) in
                        try state.session.encode(message, into: &bytes)
                    }
                } catch {
                    preconditionFailure("the script sends what cannot travel: \(error)")
                }
                deliver(bytes)
            }
        }

        func greet() {
            let second = WireTime.WallClock(
                day: Timestamp(seconds: 1_700_000_000).day, second: 80_000)
            do throws(EncodingRefusal) {
                deliver(
                    try state.withLock { state throws(EncodingRefusal) in
                        try state.session.greeting(time: .wall(second, zone: "EST"))
                    })
            } catch {
                preconditionFailure("a greeting travels always: \(error)")
            }
        }

        func deliver(_ bytes: [UInt8]) {
            guard !bytes.isEmpty else { return }
            let time = state.withLock { state -> Timestamp? in
                guard !state.stalled.contains(.toClient) else {
                    state.queuedForClient.append(bytes)
                    return nil
                }
                return arrival(after: &state.lastForClient)
            }
            guard let time else { return }
            let pieceMax = gateway.manner.pieceMax ?? bytes.count
            for start in stride(from: 0, to: bytes.count, by: pieceMax) {
                let piece = Array(bytes[start..<min(start + pieceMax, bytes.count)])
                onLoop(at: time) {
                    guard self.isOpen else { return }
                    piece.withUnsafeBytes { self.listener.received($0) }
                }
            }
        }

        func end(_ words: String?) {
            gateway.clock.execute {
                let wasOpen = self.state.withLock { state in
                    defer { state.isOpen = false }
                    return state.isOpen
                }
                if wasOpen { self.listener.closed(words) }
            }
        }

        func stall(_ directions: Set<Stall>) {
            let (forClient, forGateway) = state.withLock { state in
                state.stalled = directions
                defer {
                    if !directions.contains(.toClient) { state.queuedForClient = [] }
                    if !directions.contains(.toGateway) { state.queuedForGateway = [] }
                }
                return (
                    directions.contains(.toClient) ? [] : state.queuedForClient,
                    directions.contains(.toGateway) ? [] : state.queuedForGateway
                )
            }
            for bytes in forGateway { write(bytes) }
            for bytes in forClient { deliver(bytes) }
        }

        private func arrival(after last: inout Timestamp) -> Timestamp {
            last = max(last, gateway.clock.now + gateway.manner.latency)
            return last
        }

        private func onLoop(at time: Timestamp, _ work: @escaping @Sendable () -> Void) {
            if time <= gateway.clock.now {
                gateway.clock.execute(work)
            } else {
                _ = gateway.clock.schedule(at: time, work)
            }
        }
    }
}
