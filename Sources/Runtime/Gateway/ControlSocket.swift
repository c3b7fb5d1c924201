import Glibc

/// A connection to the control socket of a running simulated gateway, or of a running session.
package struct ControlSocket {
    private let file: Int32
    private let peer: Peer

    /// What is controlled.
    package enum Peer: Sendable {
        /// A simulated gateway.
        case gateway
        /// A session.
        case session
    }

    /// What was answered.
    package struct Answer: Sendable {
        /// The answer, a JSON object.
        package let text: String
        /// Whether the command was refused.
        package let isRefusal: Bool
    }

    /// How many seconds a session may take for an answer: its loop comes back a few times a second.
    private static let sessionLimit = 20

    /// Connects to the socket at `path`.
    package init(path: String, of peer: Peer) throws(RunFailure) {
        guard let address = UnixAddress(path) else {
            throw .usage("The path \(path) is too long for a socket, or its folder is not there.")
        }
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let result = address.use { connect(file, $0, $1) }
        guard file >= 0, result == 0 else {
            let words = String(cString: strerror(errno))
            if file >= 0 { _ = Glibc.close(file) }
            throw .gateway(peer.absence(at: path, words))
        }
        self.file = file
        self.peer = peer
        guard peer == .session else { return }
        var limit = timeval(tv_sec: Self.sessionLimit, tv_usec: 0)
        setsockopt(
            file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Sends one command, a line, and waits for its answer.
    package func execute(_ command: String) throws(RunFailure) -> Answer {
        var line = Array(command.utf8).filter { $0 != UInt8(ascii: "\n") } + [UInt8(ascii: "\n")]
        while !line.isEmpty {
            let count = line.withUnsafeBytes {
                send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw peer.gone }
            line.removeFirst(count)
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while answer.last != UInt8(ascii: "\n") {
            let count = recv(file, &buffer, buffer.count, 0)
            guard count > 0 else { throw peer.gone }
            answer += buffer[..<count]
        }
        let text = String(decoding: answer.dropLast(), as: UTF8.self)
        return Answer(text: text, isRefusal: text.hasPrefix("{\"error\""))
    }

    /// Ends the connection.
    package func close() { _ = Glibc.close(file) }
}

extension ControlSocket.Peer {
    fileprivate func absence(at path: String, _ words: String) -> String {
        switch self {
        case .gateway:
            "No simulated gateway at \(path): \(words). Is one running with --control \(path)?"
        case .session: "No session runs at \(path): \(words)."
        }
    }

    fileprivate var gone: RunFailure {
        switch self {
        case .gateway: .gateway("The simulated gateway ended the connection before it answered.")
        case .session:
            .gateway(
                "The session has not answered: it has ended, or its loop does not come back, which it says in its own "
                    + "output. Killed (kill -9), it goes on from its journal at the next start.")
        }
    }
}
