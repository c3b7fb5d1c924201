package import Primitives

/// Section `ibkr`: the broker's program that orders and market data pass through.
package struct GatewaySettings: Hashable, Sendable {
    /// Where it runs: a name or an address.
    package let host: String
    /// Which program it is.
    package let app: App
    /// The port it listens at, in the mode that holds.
    package let port: Int
    /// The number by which it knows this client.
    package let clientID: Int
    /// The account that orders are for; `nil`: the only one the gateway manages.
    package let accountID: String?
    /// How long a connection may take to stand.
    package let connectTimeout: Duration
    /// Which prices are asked for.
    package let marketDataType: MarketDataType
    /// Whether delayed prices are asked for where there are no others.
    package let delayedFallback: Bool
    /// How many market data messages wait to be read before only the newest of each instrument are kept.
    package let tickBuffer: Int
    /// How many market data lines the login has: a stream of quotes or bars takes one each.
    package let marketDataLines: Int
    /// What follows from a silent line, and when.
    package let silence: Silence
    /// When the gateway restarts every day, by the clock of its zone: since midnight.
    package let restartTime: Duration
    /// The zone of that time; `nil`: the one that the gateway names.
    package let restartZone: String?
    /// For how long contracts are not asked for again.
    package let contractCache: Duration
    /// Whether history that was downloaded is kept.
    package let cachesHistory: Bool

    /// The times of a line's silence, in either direction: each longer than the one before.
    package struct Silence: Hashable, Sendable {
        /// How often the gateway is asked for its clock.
        package let probe: Duration
        /// From when on nothing is opened.
        package let stale: Duration
        /// From when on it is an alarm.
        package let alarm: Duration
        /// From when on the connection is made anew.
        package let tearDown: Duration

        init(_ section: inout SettingsReader) {
            probe = section.value(
                "probe_seconds", .seconds(1...60), default: .seconds(5),
                "how often the gateway is asked for its clock, to find out whether the line is alive"
            )
            stale = section.value(
                "stale_seconds", .seconds(2...600), default: .seconds(10),
                "how long nothing may come, or be answered, before entries wait")
            alarm = section.value(
                "alarm_seconds", .seconds(3...1_200), default: .seconds(15),
                "how long before that is an alarm")
            tearDown = section.value(
                "tear_down_seconds", .seconds(4...3_600), default: .seconds(45),
                "how long before the connection is made anew: longer than a slow gateway takes")
            let times = [
                ("probe_seconds", probe), ("stale_seconds", stale), ("alarm_seconds", alarm),
                ("tear_down_seconds", tearDown),
            ]
            for (former, latter) in zip(times, times.dropFirst()) where former.1 >= latter.1 {
                section.refuse(
                    latter.0, found: "found \(latter.1)",
                    allowed: "more than ibkr.\(former.0), which is \(former.1)")
            }
        }
    }

    /// A program of the broker's.
    package enum App: String, CaseIterable, Sendable {
        /// Trader Workstation.
        case tws
        /// IB Gateway.
        case gateway
    }

    /// Prices by their age.
    package enum MarketDataType: String, CaseIterable, Sendable {
        /// As they come.
        case live
        /// The last ones before the close.
        case frozen
        /// Some 15 minutes old.
        case delayed
        /// The last delayed ones before the close.
        case delayedFrozen = "delayed_frozen"
    }

    /// Reads the section; a port or an account that belongs to another mode is refused.
    ///
    /// - Note: the broker's programs come with these ports, and its paper accounts begin with D.
    init(_ section: inout SettingsReader, mode: TradingMode) {
        host = section.value(
            "host", .host, default: "127.0.0.1", "where TWS or IB Gateway runs")
        app = section.value("app", .choice(), default: .gateway, "which of the two it is")
        port = Self.port(&section, app, mode)
        clientID = section.value(
            "client_id", .integer(0...Int(Int32.max)), default: 1,
            "the number of this program's connection; no two programs share one")
        accountID = section.optional(
            "account_id", .account.olderName("ACCOUNT_ID"),
            "the account orders are for; default: the only one the gateway manages")
        connectTimeout = section.value(
            "connect_timeout_seconds", .seconds(1...300), default: .seconds(5),
            "how long a connection may take to stand")
        marketDataType = section.reserved { section in
            section.value(
                "market_data_type", .choice(), default: .live, "which prices are asked for")
        }
        delayedFallback = section.value(
            "delayed_fallback", .flag, default: true,
            "whether explore quotes shows delayed prices where live ones are not subscribed; "
                + "sessions never use them")
        tickBuffer = section.value(
            "tick_buffer", .integer(1...1_000_000, unit: "messages"), default: 1_000,
            "how many market data messages wait before only the newest of each symbol are kept")
        marketDataLines = section.value(
            "market_data_lines", .integer(1...10_000, unit: "lines"), default: 100,
            "the login's market data lines: a stream of quotes or of bars takes one, every twentieth may be tick by tick"
        )
        silence = Silence(&section)
        restartTime = section.value(
            "restart_time", .timeOfDay, default: .minutes(23 * 60 + 45),
            "when the gateway restarts every day; no entries leave from two minutes before")
        restartZone = section.optional(
            "restart_zone", .zone,
            "the time zone of restart_time; default: the one that the gateway names")
        contractCache = section.value(
            "contract_cache_days", .days(0...365), default: .days(7),
            "for how long contracts are not asked for again; 0 asks at every start")
        cachesHistory = section.reserved { section in
            section.value(
                "cache_historical", .flag, default: true, "whether downloaded history is kept")
        }
        if let accountID, let words = Self.mismatch(ofAccount: accountID, mode) {
            section.refuse("account_id", found: "found \(accountID)", allowed: words)
        }
    }

    private static func port(
        _ section: inout SettingsReader, _ app: App, _ mode: TradingMode
    ) -> Int {
        let form = SettingsForm<Int>.integer(1...65_535)
        let general = section.value(
            "port", form.olderName("IB_GATEWAY_PORT"), derived: app.port(for: mode),
            "its port; default: 7497 (tws) or 4002 (gateway), in mode live 7496 or 4001")
        let live = section.optional(
            "live_port", form.olderName("IB_GATEWAY_PORT_LIVE"),
            "its port in mode live, where that is another one than port")
        let allowsMismatch = section.value(
            "allow_port_mismatch", .flag, default: false,
            "whether a port may be used that by convention belongs to another mode")
        let (name, port) =
            switch (mode, live) {
            case (.live, let live?): ("live_port", live)
            case (.live, nil), (.sim, _), (.dry, _), (.paper, _): ("port", general)
            }
        if !allowsMismatch, let words = mismatch(ofPort: port, mode) {
            section.refuse(
                name, found: "found \(port)", allowed: words,
                advice: "If that is meant, set ibkr.allow_port_mismatch: true.")
        }
        return port
    }

    /// What fits the mode where a port by convention is another's. A dry session sends no orders: it may
    /// look at either account.
    private static func mismatch(ofPort port: Int, _ mode: TradingMode) -> String? {
        let (paper, live) = (
            App.allCases.map { $0.port(for: .paper) }, App.allCases.map { $0.port(for: .live) }
        )
        return switch mode {
        case .live where paper.contains(port):
            "a port that is not for paper accounts, with trading.mode: live"
        case .paper where live.contains(port), .sim where live.contains(port):
            "a port that is not for live accounts, with trading.mode: \(mode.rawValue)"
        case .sim, .dry, .paper, .live: nil
        }
    }

    private static func mismatch(ofAccount id: String, _ mode: TradingMode) -> String? {
        guard !mode.permits(account: id) else { return nil }
        return switch mode {
        case .live: "an account that does not begin with D, with trading.mode: live"
        case .paper: "an account that begins with D, with trading.mode: paper"
        // Simulators have accounts of any name; what a session trades at is checked when it has connected.
        case .sim, .dry: nil
        }
    }
}

extension GatewaySettings.App {
    /// The port the program listens at unless it was given another.
    package func port(for mode: TradingMode) -> Int {
        switch (self, mode) {
        case (.tws, .live): 7_496
        case (.gateway, .live): 4_001
        case (.tws, .sim), (.tws, .dry), (.tws, .paper): 7_497
        case (.gateway, .sim), (.gateway, .dry), (.gateway, .paper): 4_002
        }
    }
}

extension SettingsForm<String> {
    /// The name or address of a machine.
    fileprivate static var host: SettingsForm {
        text("a host name or address") { text in
            text.count <= 253
                && text.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"),
                        UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                        UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "%"):
                        true
                    default: false
                    }
                }
        }
    }

    /// An account of the broker's.
    fileprivate static var account: SettingsForm {
        text("2 to 20 capital letters and digits such as DU1234567") { text in
            (2...20).contains(text.count)
                && text.allSatisfy { ("A"..."Z").contains($0) || ("0"..."9").contains($0) }
        }
    }
}
