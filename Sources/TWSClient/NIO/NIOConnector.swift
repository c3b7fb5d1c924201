public import NIOCore
public import NIOPosix
import Primitives

/// Opens TCP connections to a gateway.
public struct NIOConnector: PipeConnector {
    /// Name or address of the gateway's machine.
    public let host: String
    /// The gateway's port.
    public let port: Int
    /// The loop on which everything is delivered.
    public var loop: any SessionLoop { eventLoop }
    private let eventLoop: NIOLoop
    private let connectLimit: TimeAmount

    /// Connects to `host` and `port`.
    ///
    /// - Parameters:
    ///   - connectLimitSeconds: how long a machine that does not answer is waited for.
    ///   - eventLoop: one of the process's loops.
    public init(
        host: String, port: Int, connectLimitSeconds: Int64 = 4,
        eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()
    ) {
        self.host = host
        self.port = port
        self.eventLoop = NIOLoop(loop: eventLoop)
        connectLimit = .seconds(connectLimitSeconds)
    }

    /// Opens one connection.
    public func connect(_ listener: PipeListener) {
        let address = "\(host):\(port)"
        ClientBootstrap(group: eventLoop.loop)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connectTimeout(connectLimit)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(PipeHandler(listener))
                }
            }
            .connect(host: host, port: port)
            .whenFailure { listener.closed(Self.failure($0).words(at: address)) }
    }

    private static func failure(_ error: any Error) -> ConnectFailure {
        if let error = error as? NIOConnectionError {
            return error.connectionErrors.first.map { failure($0.error) } ?? .unknownHost
        }
        if let error = error as? IOError { return .system(error.errnoCode) }
        if let error = error as? ChannelError, case .connectTimeout = error { return .noAnswer }
        return .other("\(error)")
    }
}
