import Dispatch
import Foundation
import Glibc
import Primitives
import Synchronization
import TWSClient

/// The control socket of a running session: a Unix socket in the journal's folder, for its user alone.
///
/// A thread of its own takes lines of JSON, one request a line, and writes one answer a line. The session is never waited
/// for and never waits: a request goes into its inbox, and its answer comes back when it was made. Everything is bounded:
/// clients, requests (one for each client), their length, and how long a client may be silent in the middle of one.
final class ControlServer: Sendable {
    /// Where it is.
    let path: String
    private let listener: Int32
    /// Ends the thread's wait when something is in the mailbox.
    private let bell: Bell
    private let mailbox = Mutex(Mailbox())
    private let isOver = DispatchSemaphore(value: 0)

    /// What other threads leave for the socket's own.
    private struct Mailbox {
        var answers: [(client: Int, text: String)] = []
        var isStopped = false
    }

    /// How many clients there are at most: a further one takes the place of the one that was silent longest.
    static let clientsMax = 8
    /// The longest request, in bytes.
    static let lineMax = 16_384
    /// How many seconds a client may be silent without a request under way.
    static let silenceMax = 30.0

    /// The name of the socket in a journal's folder.
    static let name = "ctl"

    /// Opens the socket, in the place of one that an earlier process has left.
    ///
    /// - Parameters:
    ///   - folder: the journal's, which no other session has open.
    ///   - receive: takes requests, on the socket's thread; returns at once.
    init(
        in folder: String, receive: @escaping @Sendable (ControlCall) -> Void
    ) throws(RunFailure) {
        path = folder + "/" + Self.name
        unlink(path)
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let bell = Bell()
        (listener, self.bell) = (file, bell)
        // The file's mode is that of the socket when it is bound: nobody else can connect at any time.
        guard file >= 0, bell.file >= 0, fcntl(file, F_SETFD, FD_CLOEXEC) == 0,
            fcntl(file, F_SETFL, O_NONBLOCK) == 0, fchmod(file, 0o600) == 0,
            let address = UnixAddress(path), address.use({ bind(file, $0, $1) }) == 0,
            chmod(path, 0o600) == 0, listen(file, 16) == 0
        else {
            let failure = Self.failure(path)
            close(file)
            throw failure
        }
        let thread = Thread { [self] in run(receive) }
        thread.name = "control socket"
        thread.start()
    }

    private static func failure(_ path: String) -> RunFailure {
        .file("The control socket \(path) cannot be opened: \(String(cString: strerror(errno))).")
    }

    /// Closes the socket, and ends the thread; answers that were made leave before.
    func stop() {
        let isFirst = mailbox.withLock { mailbox in
            defer { mailbox.isStopped = true }
            return !mailbox.isStopped
        }
        guard isFirst else { return }
        bell.ring()
        isOver.wait()
    }

    private func answer(_ text: String, to client: Int) {
        mailbox.withLock { $0.answers.append((client, text)) }
        bell.ring()
    }

    // MARK: The thread

    private func run(_ receive: @escaping @Sendable (ControlCall) -> Void) {
        var clients: [ControlClient] = []
        var count = 0
        var isStopping = false
        while !isStopping {
            var polled = [
                pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
                pollfd(fd: bell.file, events: Int16(POLLIN), revents: 0),
            ]
            polled += clients.map { pollfd(fd: $0.file, events: $0.events, revents: 0) }
            _ = poll(&polled, nfds_t(polled.count), 1_000)
            if polled[1].revents != 0 { bell.quiet() }
            isStopping = deliver(to: &clients)
            for (index, one) in polled.dropFirst(2).enumerated() {
                clients[index].take(one.revents)
                serve(&clients[index], receive)
            }
            clients.removeAll { client in
                guard client.isOver else { return false }
                close(client.file)
                return true
            }
            if polled[0].revents != 0 { accept(&clients, &count) }
        }
        unlink(path)
        for file in clients.map(\.file) + [listener] { close(file) }
        isOver.signal()
    }

    /// Hands answers to their clients.
    ///
    /// - Returns: true if it is the last time.
    private func deliver(to clients: inout [ControlClient]) -> Bool {
        let (answers, isStopped) = mailbox.withLock { mailbox in
            defer { mailbox.answers.removeAll() }
            return (mailbox.answers, mailbox.isStopped)
        }
        for (number, text) in answers {
            // A client that has gone needs none.
            guard let index = clients.firstIndex(where: { $0.number == number }) else { continue }
            clients[index].answer(text)
            clients[index].flush()
        }
        return isStopped
    }

    /// Passes on a client's next request; one that makes no sense is answered at once.
    private func serve(
        _ client: inout ControlClient, _ receive: @escaping @Sendable (ControlCall) -> Void
    ) {
        client.flush()
        while let line = client.takeLine() {
            let number = client.number
            do throws(ControlRefusal) {
                let request = try ControlRequest(line)
                receive(
                    ControlCall(request: request, peer: client.peer) { [self] text in
                        answer(text, to: number)
                    })
            } catch {
                client.answer(error.answer)
                client.flush()
            }
        }
    }

    private func accept(_ clients: inout [ControlClient], _ count: inout Int) {
        while true {
            let file = Glibc.accept(listener, nil, nil)
            guard file >= 0 else { return }
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
            _ = fcntl(file, F_SETFL, O_NONBLOCK)
            guard let peer = ControlPeer(of: file), peer.isAllowed else {
                turnAway(file, "Only the session's own user may operate it.")
                continue
            }
            if clients.count >= Self.clientsMax {
                let silent = clients.indices.filter { !clients[$0].isWaiting }
                    .min { clients[$0].newestInput < clients[$1].newestInput }
                guard let silent else {
                    turnAway(file, "All \(Self.clientsMax) connections are in use.")
                    continue
                }
                close(clients.remove(at: silent).file)
            }
            count += 1
            clients.append(ControlClient(file, number: count, peer: peer.name))
        }
    }
    private func turnAway(_ file: Int32, _ words: String) {
        ControlClient.refuse(file, ControlRefusal(words, .notPermitted))
        close(file)
    }
}
