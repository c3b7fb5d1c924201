import Foundation
import Glibc
import Primitives
import Synchronization
import Testing

@testable import Runtime

/// The control socket itself, by clients of all kinds.
@Suite struct ControlServerTests {
    /// A socket that answers each request with its name, or keeps it until it is let go.
    private final class Server: Sendable {
        let folder: String
        let control: ControlServer
        let held = Mutex<[ControlCall]>([])

        init(holds: Bool = false, deep: Bool = false) throws {
            var path = NSTemporaryDirectory() + "martlet-control-\(UUID().uuidString)"
            if deep { path += "/" + String(repeating: "a", count: 120) }
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
            folder = path
            let box = Box()
            control = try ControlServer(in: path) { call in
                if holds {
                    box.server?.held.withLock { $0.append(call) }
                } else {
                    call.answer(#"{"done":"\#(call.request.name)","by":"\#(call.peer)"}"#)
                }
            }
            box.set(self)
        }

        deinit {
            control.stop()
            try? FileManager.default.removeItem(atPath: folder)
        }

        func release() {
            for call in held.withLock({ calls in
                defer { calls = [] }; return calls
            }) {
                call.answer(#"{"done":"late"}"#)
            }
        }
    }

    private final class Box: Sendable {
        private let weakServer = Mutex<Weak>(Weak())
        private struct Weak { weak var server: Server? }
        var server: Server? { weakServer.withLock { $0.server } }
        func set(_ server: Server) { weakServer.withLock { $0.server = server } }
    }

    /// A client that reads and writes bytes.
    private struct Client: ~Copyable {
        let file: Int32

        init(_ path: String) throws {
            let address = try #require(UnixAddress(path))
            let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            try #require(address.use { connect(file, $0, $1) } == 0)
            var limit = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(
                file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            self.file = file
        }

        deinit { close(file) }

        func send(_ text: String) {
            let bytes = Array(text.utf8)
            _ = Glibc.send(file, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }

        /// What comes up to `lines` line ends, or the end.
        func read(lines: Int = 1) -> String {
            var all: [UInt8] = []
            var byte: UInt8 = 0
            var count = 0
            while count < lines, recv(file, &byte, 1, 0) == 1 {
                all.append(byte)
                if byte == UInt8(ascii: "\n") { count += 1 }
            }
            return String(decoding: all, as: UTF8.self)
        }

        func finishWriting() { shutdown(file, Int32(SHUT_WR)) }
    }

    private static let status = #"{"do":"status"}"# + "\n"

    /// For its user alone, by the file's mode and by the system's word of who it is.
    @Test func itIsForItsUserAlone() throws {
        let server = try Server()
        var info = stat()
        #expect(lstat(server.control.path, &info) == 0)
        #expect(info.st_mode & 0o777 == 0o600)
        let client = try Client(server.control.path)
        client.send(Self.status)
        let answer = client.read()
        #expect(answer.contains("(uid \(geteuid()))"))
        #expect(ControlPeer(user: geteuid()).isAllowed)
        #expect(ControlPeer(user: 0).isAllowed)
        #expect(!ControlPeer(user: geteuid() + 4_711).isAllowed)
    }

    @Test func severalRequestsAreAnsweredInTheirOrder() throws {
        let server = try Server()
        let client = try Client(server.control.path)
        client.send(Self.status + #"{"do":"orders"}"# + "\n\n" + Self.status)
        let names = client.read(lines: 3).split(separator: "\n").map { $0.prefix(16) }
        #expect(names == [#"{"done":"status""#, #"{"done":"orders""#, #"{"done":"status""#])
    }

    /// Garbage, what is too long, and half a line: an answer or an end, and others are served on.
    @Test func badInputHarmsNobody() throws {
        let server = try Server()
        let garbage = try Client(server.control.path)
        garbage.send("\u{0}\u{1}\u{7f}ÿ{{{\n")
        #expect(garbage.read().hasPrefix(#"{"error":"#))
        let large = try Client(server.control.path)
        large.send(String(repeating: "a", count: ControlServer.lineMax + 5_000))
        #expect(large.read().contains("at most 16384 bytes"))
        #expect(large.read().isEmpty)
        let half = try Client(server.control.path)
        half.send(#"{"do":"kill""#)
        half.finishWriting()
        #expect(half.read().isEmpty)
        let deep = try Client(server.control.path)
        deep.send(String(repeating: "[", count: 10_000) + "\n")
        #expect(deep.read().hasPrefix(#"{"error":"#))
        let good = try Client(server.control.path)
        good.send(Self.status)
        good.finishWriting()
        #expect(good.read().contains("status"))
    }

    /// More clients than there is room for: who was silent longest goes, and the newest is served.
    @Test func aFurtherClientTakesThePlaceOfASilentOne() throws {
        let server = try Server()
        let first = try Client(server.control.path)
        first.send(#"{"do":"#)
        for _ in 0..<40 {
            let client = try Client(server.control.path)
            client.send(Self.status)
            #expect(client.read().contains("status"))
        }
        let others = try (0..<ControlServer.clientsMax).map { _ in
            let client = try Client(server.control.path)
            client.send(Self.status)
            let isServed = client.read().contains("status")
            // It stays open.
            let file = dup(client.file)
            return (file, isServed)
        }
        #expect(others.allSatisfy { $0.1 })
        #expect(first.read().isEmpty)
        for (file, _) in others { close(file) }
    }

    /// While a session is busy its clients wait, each for itself; one that goes away takes no other's answer.
    @Test func clientsWaitForABusySession() throws {
        let server = try Server(holds: true)
        let waiting = try Client(server.control.path)
        waiting.send(Self.status)
        do {
            let gone = try Client(server.control.path)
            gone.send(Self.status)
        }
        let bad = try Client(server.control.path)
        bad.send("x\n")
        #expect(bad.read().hasPrefix(#"{"error":"#))
        while server.held.withLock(\.count) < 2 { sched_yield() }
        server.release()
        #expect(waiting.read() == #"{"done":"late"}"# + "\n")
    }

    /// A client that reads nothing keeps nobody waiting.
    @Test func aClientThatReadsNothingIsLeftBehind() throws {
        let server = try Server()
        let deaf = try Client(server.control.path)
        deaf.send(String(repeating: Self.status, count: 900))
        let other = try Client(server.control.path)
        other.send(Self.status)
        #expect(other.read().contains("status"))
    }

    /// Where an address has no room for the path, the socket is opened all the same.
    @Test func aLongPathIsNoHindrance() throws {
        let server = try Server(deep: true)
        #expect(server.control.path.utf8.count > 150)
        let connection = try ControlSocket(path: server.control.path, of: .session)
        defer { connection.close() }
        #expect(try connection.execute(#"{"do":"status"}"#).text.contains("status"))
    }

    /// A socket that a killed process has left is replaced; a session that has ended leaves none.
    @Test func aSocketIsReplacedAndRemoved() throws {
        let server = try Server()
        server.control.stop()
        #expect(access(server.control.path, F_OK) != 0)
        try Data("stale".utf8).write(to: URL(fileURLWithPath: server.control.path))
        let next = try ControlServer(in: server.folder) { $0.answer("{}") }
        let client = try Client(next.path)
        client.send(Self.status)
        #expect(client.read() == "{}\n")
        next.stop()
        #expect(throws: RunFailure.self) { _ = try ControlSocket(path: next.path, of: .session) }
    }
}
