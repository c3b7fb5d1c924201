import Foundation
import Glibc
import Primitives
import Synchronization
@testable import TWSClient
import Testing

/// A session's loop on the thread of its owner, at real sockets of this machine.
struct SocketLoopTests {
    /// The other side: a listening socket, and what it accepts.
    private final class Peer {
        let listening: Int32
        let port: Int
        private(set) var file: Int32 = -1

        init() throws {
            let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let listens = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(file, $0, size) == 0 && listen(file, 1) == 0
                        && getsockname(file, $0, &size) == 0
                }
            }
            listening = file
            port = Int(UInt16(bigEndian: address.sin_port))
            try #require(listens)
        }

        deinit {
            hangUp()
            close(listening)
        }

        func accept() throws {
            file = Glibc.accept(listening, nil, nil)
            try #require(file >= 0)
        }

        func send(_ bytes: [UInt8]) {
            #expect(Glibc.send(file, bytes, bytes.count, 0) == bytes.count)
        }

        func receive(_ count: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            let read = recv(file, &bytes, count, 0)
            return Array(bytes.prefix(max(read, 0)))
        }

        func hangUp() {
            if file >= 0 { close(file) }
            file = -1
        }
    }

    /// What a listener has been told.
    private final class Log: Sendable {
        struct Content {
            var pipe: (any BytePipe)?
            var bytes: [UInt8] = []
            var ends: [String?] = []
            var arrivals: [Timestamp] = []
        }

        let content = Mutex(Content())
        var bytes: [UInt8] { content.withLock(\.bytes) }
        var ends: [String?] { content.withLock(\.ends) }
        var pipe: (any BytePipe)? { content.withLock(\.pipe) }

        func listener(on loop: SocketLoop) -> PipeListener {
            PipeListener(
                opened: { pipe in self.content.withLock { $0.pipe = pipe } },
                received: { bytes in
                    let copy = Array(bytes)
                    self.content.withLock {
                        $0.bytes += copy
                        $0.arrivals.append(loop.arrival)
                    }
                },
                closed: { words in self.content.withLock { $0.ends.append(words) } })
        }
    }

    private let loop = SocketLoop()
    private let log = Log()

    /// Lets the loop turn until something is so.
    private func turn(until isDone: () -> Bool) {
        for _ in 0..<1_000 where !isDone() { loop.turn(timeout: .milliseconds(20)) }
        #expect(isDone())
    }

    private func connected() throws -> Peer {
        let peer = try Peer()
        SocketConnector(host: "127.0.0.1", port: peer.port, loop: loop).connect(
            log.listener(on: loop))
        try peer.accept()
        turn { log.pipe != nil }
        return peer
    }

    @Test func bytesTravelBothWays() throws {
        let peer = try connected()
        peer.send([1, 2, 3])
        turn { log.bytes == [1, 2, 3] }
        log.pipe?.write([4, 5])
        log.pipe?.write([6])
        #expect(peer.receive(3) == [4, 5, 6])
    }

    /// What the other side does not read waits, and leaves in order when it reads.
    @Test func whatIsNotReadWaits() throws {
        let peer = try connected()
        let pipe = try #require(log.pipe)
        #expect(pipe.isWritable)
        let chunk = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 7) }
        for _ in 0..<24 { pipe.write(chunk) }
        #expect(!pipe.isWritable)
        var received: [UInt8] = []
        while received.count < 24 << 20 {
            loop.turn(timeout: .zero)
            let bytes = peer.receive(1 << 20)
            try #require(!bytes.isEmpty)
            received += bytes
        }
        #expect((0..<24).allSatisfy { Array(received[$0 << 20..<($0 + 1) << 20]) == chunk })
        loop.turn(timeout: .zero)
        #expect(pipe.isWritable)
    }

    @Test func theOtherSideHangsUp() throws {
        let peer = try connected()
        peer.send([9])
        peer.hangUp()
        turn { !log.ends.isEmpty }
        #expect(log.bytes == [9] && log.ends == [nil])
        // Behind its end a pipe takes anything, and does nothing.
        log.pipe?.write([1])
        log.pipe?.close()
        loop.finish()
        #expect(log.ends == [nil])
    }

    @Test func aBrokenConnectionHasAReason() throws {
        let peer = try connected()
        log.pipe?.write([1])
        // What was not read is an error of the connection.
        peer.hangUp()
        turn { !log.ends.isEmpty }
        #expect(log.ends.first??.contains("the connection broke") == true)
    }

    /// One that its owner closes delivers nothing any more, and the other side learns of it.
    @Test func anOwnerCloses() throws {
        let peer = try connected()
        log.pipe?.close()
        loop.finish()
        #expect(peer.receive(1).isEmpty)
        peer.send([1])
        loop.turn(timeout: .milliseconds(20))
        #expect(log.bytes.isEmpty && log.ends.isEmpty)
    }

    @Test func aRefusedConnectionHasAReason() throws {
        let port = try Peer().port
        SocketConnector(host: "127.0.0.1", port: port, loop: loop).connect(log.listener(on: loop))
        turn { !log.ends.isEmpty }
        #expect(log.ends.first??.hasPrefix("connection refused at 127.0.0.1:\(port)") == true)
        SocketConnector(host: "no-such-host.invalid", port: 1, loop: loop).connect(
            log.listener(on: loop))
        turn { log.ends.count == 2 }
        #expect(log.ends.last??.contains("is not known") == true)
    }

    /// What another thread brings ends a wait.
    @Test func workOfOtherThreadsEndsTheWait() {
        let isDone = Mutex(false)
        Thread.detachNewThread { [loop] in
            usleep(20_000)
            loop.execute { isDone.withLock { $0 = true } }
        }
        loop.turn(timeout: .seconds(3_600))
        let hasRun = isDone.withLock(\.self)
        #expect(hasRun)
    }

    @Test func timersRunInTheOrderOfTheirTimes() {
        let ran = Mutex<[Int]>([])
        let begun = loop.now
        func timer(_ number: Int, _ milliseconds: Int64) -> any SessionTimer {
            loop.schedule(at: begun + .milliseconds(milliseconds)) {
                ran.withLock { $0.append(number) }
            }
        }
        _ = timer(3, 30)
        let cancelled = timer(2, 20)
        _ = timer(1, 10)
        _ = timer(4, 30)
        cancelled.cancel()
        loop.execute { ran.withLock { $0.append(0) } }
        while ran.withLock(\.count) < 4 { loop.turn(timeout: .seconds(1)) }
        let numbers = ran.withLock(\.self)
        #expect(numbers == [0, 1, 3, 4])
        #expect(loop.now - begun >= .milliseconds(30))
        cancelled.cancel()
    }

    /// What lay in the socket while the owner was busy is that old; what ended a wait has just come.
    @Test func theAgeOfWhatCameCountsFromTheLastLook() throws {
        let peer = try connected()
        let looked = loop.now
        peer.send([1])
        usleep(50_000)
        turn { !log.bytes.isEmpty }
        let first = try #require(log.content.withLock(\.arrivals).last)
        #expect(first <= looked)
        let waited = loop.now
        let file = peer.file
        Thread.detachNewThread {
            usleep(20_000)
            var byte: UInt8 = 2
            send(file, &byte, 1, 0)
        }
        turn { log.bytes.count == 2 }
        let second = try #require(log.content.withLock(\.arrivals).last)
        #expect(second > waited)
    }
}
