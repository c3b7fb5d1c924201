import Glibc

/// A connection to the control socket of a running simulated gateway.
package struct ControlSocket {
    private let file: Int32

    /// What the gateway answered.
    package struct Answer: Sendable {
        /// The answer, a JSON object.
        package let text: String
        /// Whether the command was refused.
        package let isRefusal: Bool
    }

    /// Connects to the socket at `path`.
    package init(path: String) throws(RunFailure) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw .usage("The path \(path) is too long for a socket: at most 107 bytes.")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard file >= 0, result == 0 else {
            let words = String(cString: strerror(errno))
            if file >= 0 { _ = Glibc.close(file) }
            throw .gateway(
                "No simulated gateway at \(path): \(words). Is one running with --control \(path)?")
        }
        self.file = file
    }

    /// Sends one command, a line, and waits for its answer.
    package func execute(_ command: String) throws(RunFailure) -> Answer {
        var line = Array(command.utf8).filter { $0 != UInt8(ascii: "\n") } + [UInt8(ascii: "\n")]
        while !line.isEmpty {
            let count = line.withUnsafeBytes {
                send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Self.gone }
            line.removeFirst(count)
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while answer.last != UInt8(ascii: "\n") {
            let count = recv(file, &buffer, buffer.count, 0)
            guard count > 0 else { throw Self.gone }
            answer += buffer[..<count]
        }
        let text = String(decoding: answer.dropLast(), as: UTF8.self)
        return Answer(text: text, isRefusal: text.hasPrefix("{\"error\""))
    }

    private static var gone: RunFailure {
        .gateway("The simulated gateway ended the connection before it answered.")
    }

    /// Ends the connection.
    package func close() { _ = Glibc.close(file) }
}
