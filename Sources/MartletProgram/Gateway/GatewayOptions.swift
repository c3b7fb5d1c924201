import ArgumentParser
import Configuration
import Logging
import Primitives
import Runtime
import TWSClient
import TWSProtocol

/// Which gateway, and as whom. What is not given comes from section `ibkr` of the configuration.
struct GatewayOptions: ParsableArguments {
    @OptionGroup var settings: SettingsOptions
    @OptionGroup var output: OutputOptions

    @Option(help: "Where TWS or IB Gateway runs.")
    var host: String?

    @Option(help: "Its port: TWS 7497 paper, 7496 live; IB Gateway 4002 paper, 4001 live.")
    var port: Int?

    @Option(help: "This client's number; one connection each.")
    var clientID: Int?

    @Flag(help: "Print accounts in clear text.")
    var showAccounts = false

    @Option(
        help: ArgumentHelp(
            "Record every byte into PREFIX-1.client and PREFIX-1.server, for wire decode and replay.",
            valueName: "prefix"))
    var record: String?

    @OptionGroup var codes: CodesOption

    func validate() throws {
        if let port, !(1...65_535).contains(port) {
            throw ValidationError("--port is \(port): 1 to 65535 are possible.")
        }
        if let clientID, !(0...Int(Int32.max)).contains(clientID) {
            throw ValidationError("--client-id is \(clientID): 0 to \(Int32.max) are possible.")
        }
    }

    /// The gateway to talk to.
    func target() throws(RunFailure) -> GatewayTarget {
        let section = try settings.check(output).gateway()
        return GatewayTarget(
            host: host ?? section.host, port: port ?? section.port,
            clientID: ClientID(rawValue: Int32(clamping: clientID ?? section.clientID)),
            settings: section, codes: try codes.policy(), recorder: try recorder())
    }

    private func recorder() throws(RunFailure) -> FrameRecorder? {
        guard let record else { return nil }
        do throws(FrameRecorder.Problem) {
            return try FrameRecorder(prefix: record)
        } catch {
            throw RunFailure.file("\(error)")
        }
    }

    /// An account's name as it may be shown.
    func text(of account: AccountID) -> String {
        showAccounts ? account.name : account.redacted
    }
}

/// A gateway to talk to.
struct GatewayTarget: Sendable {
    let host: String
    let port: Int
    let clientID: ClientID
    let settings: GatewaySettings
    /// What codes mean.
    let codes: CodePolicy
    /// Gets every byte in both directions.
    let recorder: FrameRecorder?

    var address: String { "\(host):\(port)" }

    /// A client that only reads, tries once and does not wait long for a connection.
    ///
    /// - Parameter limit: how long each stage of the beginning may take.
    func client(limit: Duration) -> GatewayClient {
        var settings = ClientSettings(clientID: clientID)
        settings.session.reconnects = false
        settings.session.beginningLimit = limit
        return GatewayClient(
            settings: settings, codes: codes,
            connector: NIOConnector(host: host, port: port, connectLimitSeconds: 3),
            recorder: recorder,
            logger: Logger(label: "martlet.gateway") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Connects, runs `body`, and closes.
    ///
    /// - Throws: `RunFailure.gateway` with a cause that a person can act on.
    func connected<Result: Sendable>(
        limit: Duration, _ body: @escaping @Sendable (GatewayClient) async throws -> Result
    ) throws -> Result {
        try Waiting.run {
            let client = self.client(limit: limit)
            defer { client.close() }
            do {
                try await client.connect(limit: limit)
                return try await body(client)
            } catch let failure as RunFailure {
                throw failure
            } catch ClientError.notConnected(let fault) {
                throw RunFailure.gateway(
                    self.words(for: fault, hasAgreed: client.serverVersion != nil))
            } catch ClientError.timedOut(let awaited, let limit) {
                throw RunFailure.gateway(
                    "no \(awaited) from \(self.address) within \(limit): is it at its login screen?"
                )
            } catch {
                throw RunFailure.gateway("\(self.address): \(error)")
            }
        }
    }

    private func words(for fault: SessionFault, hasAgreed: Bool) -> String {
        if fault == .closedByGateway {
            let offered = ClientHandshake.standard.versions
            return hasAgreed
                ? "\(address): the gateway closed the connection before the session began: does "
                    + "another program use client id \(clientID)?"
                : "\(address): the gateway closed the connection at once: its version may be too old "
                    + "(server version \(offered.lowerBound) is needed), or this machine is not "
                    + "among its trusted IPs"
        }
        let words = "\(fault)"
        return words.contains(address) ? words : "\(address): \(words)"
    }
}
