import Catalog
package import Configuration
import GatewaySimulator
import Glibc
import MarketState
import Primitives
import Simulation
import TWSProtocol

/// `martlet gateway run`.
package struct GatewayRunJob: Sendable {
    /// What the command line says.
    package struct Options: Sendable {
        /// The address to listen on.
        package var host: String
        /// The port; 0 for a free one.
        package var port: Int
        /// The highest protocol version; `nil` for the highest there is.
        package var maxServerVersion: Int?
        /// `synthetic` or `replay`.
        package var market: String
        /// The folder of a replay.
        package var data: String?
        /// What all draws follow from.
        package var seed: UInt64
        /// Seconds of session time in a second.
        package var speed: Double
        /// When session time begins; `nil` for the market's usual start.
        package var start: String?
        /// What goes wrong, by name, joined by `+`.
        package var scenario: String?
        /// The control socket's file.
        package var control: String?
        /// The kept state's file.
        package var state: String?
        /// The accounts, joined by commas.
        package var accounts: String
        /// `margin` or `cash`.
        package var accountType: String
        /// The cash to begin with, in dollars.
        package var cash: Int
        /// The client that receives the events of all orders.
        package var masterClient: Int?
        /// `pace`, `reject` or `off`.
        package var pacing: String
        /// Market data lines of the login.
        package var lines: Int

        /// What was given.
        package init(
            host: String, port: Int, maxServerVersion: Int?, market: String, data: String?,
            seed: UInt64, speed: Double, start: String?, scenario: String?, control: String?,
            state: String?, accounts: String, accountType: String, cash: Int, masterClient: Int?,
            pacing: String, lines: Int
        ) {
            self.host = host
            self.port = port
            self.maxServerVersion = maxServerVersion
            self.market = market
            self.data = data
            self.seed = seed
            self.speed = speed
            self.start = start
            self.scenario = scenario
            self.control = control
            self.state = state
            self.accounts = accounts
            self.accountType = accountType
            self.cash = cash
            self.masterClient = masterClient
            self.pacing = pacing
            self.lines = lines
        }
    }

    private let settings: GatewaySimulator.SimulatedGatewaySettings
    /// When session time begins.
    var start: Timestamp { settings.start }
    private let prices: [String: Price]
    private let scenarios: [Scenario]
    private let serverOptions: GatewayServer.Options

    /// A job that can be done.
    ///
    /// - Parameter configuration: how orders fill, as in its backtests; `nil`: by the usual rules.
    /// - Throws: when an option does not hold, as a sentence.
    package init(
        _ options: Options, following configuration: Settings? = nil
    ) throws(RunFailure) {
        guard options.speed >= 0, options.speed <= 1_000_000 else {
            throw .usage("--speed is \(options.speed): 0 to 1000000 are possible.")
        }
        guard (0...65_535).contains(options.port) else {
            throw .usage("--port is \(options.port): 0 to 65535 are possible.")
        }
        let market = try Self.market(options)
        prices = market.prices
        scenarios = try Self.scenarios(options.scenario)
        var settings = try Self.settings(options, market)
        if let configuration { settings.rules = VenueRules(configuration) }
        self.settings = settings
        var serverOptions = GatewayServer.Options()
        serverOptions.host = options.host
        serverOptions.port = options.port
        serverOptions.speed = options.speed
        serverOptions.controlPath = options.control
        serverOptions.statePath = options.state
        self.serverOptions = serverOptions
    }

    /// Starts it.
    ///
    /// - Parameter complain: receives what goes wrong while it runs.
    package func start(
        complain: @escaping @Sendable (String) -> Void
    ) throws(RunFailure) -> Running {
        let (settings, prices, scenarios) = (settings, prices, scenarios)
        do throws(ServerFailure) {
            return Running(
                server: try GatewayServer(at: serverOptions, complain: complain) {
                    let day = settings.calendar.day(of: settings.start)
                    let contracts = GatewayContractDatabase(
                        symbols: prices.keys.sorted(), firstPrices: prices, on: day)
                    let gateway = Gateway(settings: settings, contracts: contracts)
                    gateway.play(scenarios)
                    return gateway
                })
        } catch {
            throw .gateway("\(error)")
        }
    }

    /// A simulated gateway that runs.
    package struct Running: Sendable {
        fileprivate let server: GatewayServer
        /// The port it listens on.
        package var port: Int { server.port }

        /// Performs one control command, a line of JSON, and gives the answer.
        package func control(_ line: String) -> String { server.control(line) }

        /// Ends it: what was published is sent, the state is kept.
        package func stop() throws(RunFailure) {
            do throws(ServerFailure) {
                try server.stop()
            } catch {
                throw .file("\(error)")
            }
        }
    }
}

extension GatewayRunJob {
    /// When a synthetic market begins: a Monday, half an hour after the open.
    private static let usualStart = "2026-01-05"

    private static func settings(
        _ options: Options, _ market: Market
    ) throws(RunFailure) -> GatewaySimulator.SimulatedGatewaySettings {
        var settings = GatewaySimulator.SimulatedGatewaySettings(start: try start(options, market))
        settings.seed = options.seed
        settings.market = market.source
        settings.account.kind = try kind(options.accountType)
        guard let cash = Int64(exactly: options.cash), (0...1_000_000_000).contains(cash) else {
            throw .usage("--cash is \(options.cash): 0 to 1000000000 dollars are possible.")
        }
        settings.account.startingCash = Money(cents: cash * 100)
        if let version = options.maxServerVersion {
            guard ServerVersion.supported.contains(version) else {
                throw .usage(
                    "--max-server-version is \(version): \(ServerVersion.supported.lowerBound) to "
                        + "\(ServerVersion.supported.upperBound) are possible.")
            }
            settings.maxVersion = version
        }
        settings.accounts = options.accounts.split(separator: ",").map { AccountID(String($0)) }
        guard !settings.accounts.isEmpty else {
            throw .usage("--account names no account: DU1234567 is one.")
        }
        guard (1...1_000_000).contains(options.lines) else {
            throw .usage("--lines is \(options.lines): 1 to 1000000 are possible.")
        }
        settings.data.marketDataLines = options.lines
        switch options.pacing {
        case "pace": break
        case "reject": settings.rejectsPacingViolations = true
        case "off": settings.pacesMessages = false
        default:
            throw .usage("--pacing is '\(options.pacing)': pace, reject and off are possible.")
        }
        settings.masterClient = try options.masterClient.map { number throws(RunFailure) in
            guard let id = Int32(exactly: number), id >= 0 else {
                throw .usage("--master-client is \(number): 0 to \(Int32.max) are possible.")
            }
            return ClientID(rawValue: id)
        }
        return settings
    }

    private static func scenarios(_ names: String?) throws(RunFailure) -> [Scenario] {
        guard let names else { return [] }
        do throws(FaultRefusal) {
            let scenarios = try Scenario.named(names)
            if let one = scenarios.first(where: { $0.advice != nil }), let advice = one.advice {
                throw FaultRefusal("'\(one.name)' is not played by a gateway: \(advice)")
            }
            return scenarios
        } catch {
            throw .usage("--scenario: \(error)")
        }
    }

    private static func kind(_ word: String) throws(RunFailure)
        -> GatewaySimulator.GatewayAccountSettings.Kind
    {
        switch word {
        case "margin": .margin
        case "cash": .cash
        default: throw .usage("--account-type is '\(word)': margin and cash are possible.")
        }
    }

    private static func start(_ options: Options, _ market: Market) throws(RunFailure) -> Timestamp
    {
        if options.start == "now" {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Timestamp(seconds: Int64(time.tv_sec))
        }
        if options.start == nil, let first = market.start { return first }
        let text = options.start ?? usualStart
        guard let start = TimestampText.read(text, ofDay: .hours(10)) else {
            throw .usage(
                "--start is '\(text)': write now, a day such as 2026-01-05, or "
                    + "2026-01-05T10:00:00-05:00, of the years 1900 to 2200.")
        }
        return start
    }
}
