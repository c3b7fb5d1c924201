import Dispatch
import Glibc
package import Primitives

/// Opens TCP connections to a gateway for a loop on the thread of its owner.
package struct SocketConnector: PipeConnector {
    private let host: String
    private let port: Int
    private let sockets: SocketLoop
    private let limit: Duration

    package var loop: any SessionLoop { sockets }

    /// Connects to `host` and `port`.
    ///
    /// - Parameter limit: how long each of the host's addresses is waited for.
    package init(
        host: String, port: Int, loop: SocketLoop, limit: Duration = .seconds(4)
    ) {
        self.host = host
        self.port = port
        sockets = loop
        self.limit = limit
    }

    package func connect(_ listener: PipeListener) {
        let connector = self
        // Names and machines that do not answer are waited for elsewhere.
        DispatchQueue.global().async {
            let result: Result<SocketPipe, ConnectFailure>
            do throws(ConnectFailure) {
                let file = try connector.connectedSocket()
                result = .success(SocketPipe(file, connector.sockets, listener))
            } catch {
                result = .failure(error)
            }
            connector.sockets.execute {
                switch result {
                case .success(let pipe): pipe.begin()
                case .failure(let failure):
                    listener.closed(failure.words(at: "\(connector.host):\(connector.port)"))
                }
            }
        }
    }

    /// Tries the host's addresses one by one.
    ///
    /// - Throws: why the first could not be connected to.
    private func connectedSocket() throws(ConnectFailure) -> Int32 {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let list else {
            throw .unknownHost
        }
        defer { freeaddrinfo(list) }
        var first: ConnectFailure?
        var next: UnsafeMutablePointer<addrinfo>? = list
        while let address = next {
            do throws(ConnectFailure) {
                return try connectedSocket(address.pointee)
            } catch {
                first = first ?? error
            }
            next = address.pointee.ai_next
        }
        throw first ?? .unknownHost
    }

    private func connectedSocket(_ address: addrinfo) throws(ConnectFailure) -> Int32 {
        let kind = address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let file = socket(address.ai_family, kind, address.ai_protocol)
        guard file >= 0 else { throw .system(errno) }
        do throws(ConnectFailure) {
            try connect(file, to: address)
        } catch {
            close(file)
            throw error
        }
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(file, SOL_SOCKET, SO_KEEPALIVE, &on, size)
        setsockopt(file, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
        return file
    }

    private func connect(_ file: Int32, to address: addrinfo) throws(ConnectFailure) {
        guard Glibc.connect(file, address.ai_addr, address.ai_addrlen) != 0 else { return }
        guard errno == EINPROGRESS else { throw .system(errno) }
        var one = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        let deadline = sockets.now + limit
        while true {
            let left = max(deadline - sockets.now, .zero)
            let count = poll(&one, 1, Int32(clamping: left.nanoseconds / 1_000_000))
            if count > 0 { break }
            if count == 0 { throw .noAnswer }
            if errno != EINTR { throw .system(errno) }
        }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(file, SOL_SOCKET, SO_ERROR, &code, &size)
        if code != 0 { throw .system(code) }
    }
}
