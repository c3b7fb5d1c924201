import NIOCore
import NIOPosix
import Primitives

/// A simulated gateway on a TCP port, and its control socket.
package final class GatewayServer: Sendable {
    /// Where and how quickly it runs.
    package struct Options: Sendable {
        /// The address it listens on: this machine alone, unless set otherwise.
        package var host = "127.0.0.1"
        /// The port; 0 takes a free one.
        package var port = 0
        /// Seconds of session time in a second; 0: time moves by control commands only.
        package var speed = 1.0
        /// The file of the Unix socket that takes control commands; `nil` for none.
        package var controlPath: String?
        /// The file that keeps orders, account and numbers between runs; `nil` for none.
        package var statePath: String?

        /// The usual place.
        package init() {}
    }

    private let group: MultiThreadedEventLoopGroup
    private let core: NIOLoopBound<ServerCore>

    /// The port it listens on.
    package let port: Int

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - complain: receives, on the server's thread, what goes wrong while it runs.
    ///   - make: makes the gateway; called once, on the server's thread.
    /// - Throws: when an address cannot be taken or a kept state cannot be read, as a sentence.
    package init(
        at options: Options, complain: @escaping @Sendable (String) -> Void,
        make: @escaping @Sendable () -> Gateway
    ) throws(ServerFailure) {
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.any()
        do {
            let bound = try loop.submit {
                NIOLoopBound(
                    ServerCore(make(), at: options, on: loop, complain: complain), eventLoop: loop)
            }.wait()
            core = bound
            port = try loop.flatSubmit { bound.value.start() }.wait()
        } catch let failure as ServerFailure {
            try? group.syncShutdownGracefully()
            throw failure
        } catch {
            try? group.syncShutdownGracefully()
            throw ServerFailure(
                "Cannot listen on \(options.host):\(options.port): \(error). Choose another port, or 0 "
                    + "for a free one.")
        }
    }

    /// Performs one control command, a line of JSON, and gives the answer.
    package func control(_ line: String) -> String {
        let core = core
        let result = Result { try group.any().submit { core.value.controlled(line) }.wait() }
        switch result {
        case .success(let answer): return answer
        case .failure(let error): return JSONObject([.init("error", .text("\(error)"))]).compact()
        }
    }

    /// Sends what is on its way, keeps the state, closes everything.
    ///
    /// - Throws: when the state could not be kept.
    package func stop() throws(ServerFailure) {
        let core = core
        let result = Result {
            try group.any().flatSubmit { core.value.stop() }.wait()
        }
        try? group.syncShutdownGracefully()
        if case .failure(let error) = result {
            throw (error as? ServerFailure) ?? ServerFailure("\(error)")
        }
    }
}

/// Why a server does not run, as a sentence that says what to do.
package struct ServerFailure: Error, CustomStringConvertible, Sendable {
    /// The sentence.
    package let description: String

    init(_ description: String) { self.description = description }
}
