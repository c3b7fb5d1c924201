import Glibc
import Primitives

/// A client of the control socket: the bytes of its request, and what is left to be written of its answer.
struct ControlClient {
    /// Its socket.
    let file: Int32
    /// Its number among all that there were.
    let number: Int
    /// Who it is.
    let peer: String
    /// True from a request until its answer.
    private(set) var isWaiting = false
    /// When something came from it last, in seconds of the machine's clock.
    private(set) var newestInput = Self.clock
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    private var isGone = false

    /// A client that has just connected.
    init(_ file: Int32, number: Int, peer: String) {
        self.file = file
        self.number = number
        self.peer = peer
    }

    private static var clock: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// What is waited for: further bytes only once the answer to the last request has left.
    var events: Int16 {
        if !output.isEmpty { return Int16(POLLOUT) }
        return isWaiting ? 0 : Int16(POLLIN)
    }

    /// True once it is of no use any more.
    var isOver: Bool {
        if isGone { return true }
        return !isWaiting && Self.clock - newestInput > ControlServer.silenceMax
    }

    /// Takes in what the system reports of its socket.
    mutating func take(_ events: Int16) {
        if events & Int16(POLLIN) != 0 {
            read()
        } else if events & Int16(POLLHUP | POLLERR) != 0 {
            isGone = true
        }
    }

    private mutating func read() {
        newestInput = Self.clock
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while input.count <= ControlServer.lineMax {
            let count = recv(file, &bytes, bytes.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN || errno == EWOULDBLOCK { return }
            // Half a line at the end is no request.
            guard count > 0 else { return isGone = true }
            input += bytes[..<count]
        }
    }

    /// Takes the next request, if one is whole and none is under way.
    mutating func takeLine() -> [UInt8]? {
        guard !isWaiting, output.isEmpty else { return nil }
        while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(input[..<end])
            input.removeFirst(end + 1)
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            isWaiting = true
            // Whoever has sent its last request still waits for the answer.
            isGone = false
            return line
        }
        if input.count > ControlServer.lineMax {
            input.removeAll()
            Self.refuse(
                file, ControlRefusal("A request has at most \(ControlServer.lineMax) bytes."))
            isGone = true
        }
        return nil
    }

    /// Takes the answer to its request.
    mutating func answer(_ text: String) {
        isWaiting = false
        newestInput = Self.clock
        output += Array(text.utf8) + [UInt8(ascii: "\n")]
    }

    /// Writes as much of the answer as goes.
    mutating func flush() {
        while !output.isEmpty, !isGone {
            let count = output.withUnsafeBytes {
                send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN || errno == EWOULDBLOCK { return }
            guard count > 0 else { return isGone = true }
            output.removeFirst(count)
        }
    }

    /// Writes why nothing is done, as far as it goes.
    static func refuse(_ file: Int32, _ refusal: ControlRefusal) {
        let bytes = Array((refusal.answer + "\n").utf8)
        _ = send(file, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
