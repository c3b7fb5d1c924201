package import Configuration
package import Primitives
package import TWSProtocol

/// What a gateway has told to somebody who only asks.
package struct GatewayFacts: Sendable {
    /// The version of its protocol.
    package var version: Int
    /// The accounts of the login.
    package var accounts: [AccountID]
    /// How far its clock is ahead of this machine's; `nil` where it does not tell the time.
    package var skew: Duration?
    /// What became of the question for all open orders.
    package var orders: Orders

    /// An answer to the question for open orders.
    package enum Orders: Sendable {
        /// So many work.
        case listed(Int)
        /// The gateway lets programs read only; its words.
        case readOnly(String)
        /// It was refused otherwise; the words.
        case refused(String)
        /// None within so long.
        case silent(Duration)
    }

    /// What it has told.
    package init(version: Int, accounts: [AccountID], skew: Duration?, orders: Orders) {
        (self.version, self.accounts, self.skew, self.orders) = (version, accounts, skew, orders)
    }
}

/// By what a gateway is judged.
package struct GatewayExpectation: Sendable {
    /// Where it is.
    package var host: String
    /// Its port.
    package var port: Int
    /// This client's number.
    package var clientID: Int
    /// The account that is configured; `nil` for the only one.
    package var account: String?
    /// What trading is for.
    package var mode: TradingMode
    /// True to show accounts in clear text.
    package var showsAccounts: Bool

    /// What is configured.
    package init(
        _ settings: GatewaySettings, mode: TradingMode, showsAccounts: Bool
    ) {
        (host, port, clientID) = (settings.host, settings.port, settings.clientID)
        (account, self.mode, self.showsAccounts) = (settings.accountID, mode, showsAccounts)
    }
}

extension DoctorReport {
    private static let settingsPlace = "Global Configuration, API, Settings"

    /// Checks where the gateway is, before anything is asked.
    package mutating func checkPlace(_ expected: GatewayExpectation) {
        let host = expected.host
        if ["localhost", "::1"].contains(host) || host.hasPrefix("127.") {
            pass("host", "\(host) is this machine: nobody else sees or sends orders")
        } else {
            warn(
                "host",
                "\(host) is another machine: everything goes over the network in the clear, and whoever reaches the "
                    + "port can trade",
                "Run the program beside the gateway, or through an SSH tunnel to 127.0.0.1. Otherwise name this machine "
                    + "alone in Trusted IPs (\(Self.settingsPlace)), and close the port to all others."
            )
        }
        let usual: [Int: (name: String, isLive: Bool)] = [
            7497: ("TWS, paper", false), 4002: ("IB Gateway, paper", false),
            7496: ("TWS, live", true), 4001: ("IB Gateway, live", true),
        ]
        let (port, mode) = (expected.port, expected.mode)
        guard let known = usual[port] else {
            pass("port", "\(port), which is none of the usual ones; trading.mode is \(mode)")
            return
        }
        if known.isLive == (mode == .live) {
            pass("port", "\(port) is usual for \(known.name); trading.mode is \(mode)")
        } else {
            warn(
                "port", "\(port) is usual for \(known.name), and trading.mode is \(mode)",
                "Set ibkr.port to the port of the gateway that is meant: paper 7497 (TWS) or 4002 (IB Gateway), live "
                    + "7496 or 4001.")
        }
    }

    /// Notes that no connection came about.
    package mutating func noteNoConnection(_ words: String) {
        fail(
            "connection", words,
            "Start TWS or IB Gateway and log in; set \"Enable ActiveX and Socket Clients\" and the socket port "
                + "(\(Self.settingsPlace)); give this program a client id of its own (ibkr.client_id).",
            .gateway)
    }

    /// Judges what a gateway has told.
    package mutating func check(_ facts: GatewayFacts, _ expected: GatewayExpectation) {
        pass(
            "connection",
            "\(expected.host):\(expected.port) answers, server version \(facts.version)")
        if expected.clientID == 0 {
            warn(
                "client_id", "0: this client would also receive orders entered by hand",
                "Set ibkr.client_id to a number from 1 on that no other program uses.")
        } else {
            pass("client_id", "\(expected.clientID) is free")
        }
        checkAccounts(facts.accounts, expected)
        checkClock(facts.skew, expected.mode)
        checkOrders(facts.orders, expected.mode)
    }

    private mutating func checkAccounts(_ accounts: [AccountID], _ expected: GatewayExpectation) {
        func shown(_ account: AccountID) -> String {
            expected.showsAccounts ? account.name : account.redacted
        }
        let list = accounts.map(shown).joined(separator: ", ")
        let account: AccountID
        if let name = expected.account {
            guard let found = accounts.first(where: { $0.name == name }) else {
                return fail(
                    "account",
                    "\(shown(AccountID(name))) of ibkr.account_id is not among those of the login: \(list)",
                    "Correct ibkr.account_id, or log in with the user of that account.",
                    .notPermitted)
            }
            account = found
        } else {
            guard accounts.count == 1 else {
                return fail(
                    "account", "the login has \(accounts.count) accounts: \(list)",
                    "Set ibkr.account_id to the one that is traded.", .notPermitted)
            }
            account = accounts[0]
        }
        // Names of paper accounts begin with D: DU, DF, DI.
        let isPaper = account.name.hasPrefix("D")
        let words =
            "\(shown(account)) is \(isPaper ? "a paper account" : "an account with real money")"
        switch (expected.mode, isPaper) {
        case (.live, false), (.paper, true), (.sim, true), (.dry, _):
            pass("account", "\(words); trading.mode is \(expected.mode)")
        case (.live, true), (.paper, false), (.sim, false):
            fail(
                "account", "\(words), and trading.mode is \(expected.mode)",
                "Log in to the other account, or correct trading.mode and ibkr.account_id.",
                .notPermitted)
        }
    }

    private mutating func checkClock(_ skew: Duration?, _ mode: TradingMode) {
        guard let skew else {
            return warn(
                "clock", "the gateway does not tell its time",
                "Ask again; if it stays so, restart the gateway.")
        }
        let size = Duration(nanoseconds: Int64(clamping: skew.nanoseconds.magnitude))
        let way = skew < .zero ? "behind" : "ahead"
        let words = "the gateway's clock is \(size.nanoseconds / 1_000_000) ms \(way)"
        // A gateway that keeps no milliseconds is uncertain by one second.
        if size <= .seconds(2) {
            pass("clock", words)
        } else if mode == .sim {
            pass("clock", "\(words): a simulated gateway's time is its own")
        } else if size <= .seconds(30) {
            warn("clock", words, "Have both machines' clocks set by NTP (timedatectl).")
        } else {
            fail(
                "clock", "\(words): beyond 30 seconds a session opens no positions",
                "Have both machines' clocks set by NTP (timedatectl).", .gateway)
        }
    }

    private mutating func checkOrders(_ orders: GatewayFacts.Orders, _ mode: TradingMode) {
        let remedy =
            "Clear \"Read-Only API\" (\(Self.settingsPlace)) and answer the dialog in its "
            + "window, if there is one. While it is set, a session cannot order."
        switch orders {
        case .listed(let count):
            pass(
                "read_only_api",
                "the gateway lists open orders (\(count)); only a first order shows whether it "
                    + "accepts orders")
        case .readOnly(let words):
            if mode == .dry {
                pass("read_only_api", "set; mode dry orders nothing at the broker: \(words)")
            } else {
                fail("read_only_api", words, remedy, .notPermitted)
            }
        case .refused(let words): warn("read_only_api", "not known: \(words)", remedy)
        case .silent(let limit):
            warn(
                "read_only_api",
                "not known: the list of open orders did not come within \(limit); a dialog may hold it",
                remedy)
        }
    }

    /// Explains the settings of TWS and IB Gateway that no program is told.
    package mutating func explainSettings() {
        for setting in Self.settings {
            look(setting.check, setting.what, setting.should)
        }
    }

    private static let settings: [(check: String, what: String, should: String)] = [
        (
            "socket_clients",
            "\"Enable ActiveX and Socket Clients\": whether programs may connect at all",
            "\(settingsPlace): set."
        ),
        (
            "localhost_only",
            "\"Allow connections from localhost only\": refuses every other machine",
            "\(settingsPlace): set, where the program runs on the gateway's machine."
        ),
        (
            "trusted_ips",
            "\"Trusted IPs\": machines that connect without a dialog that somebody has to answer",
            "\(settingsPlace): 127.0.0.1 and nothing else, or this machine's address."
        ),
        (
            "precautions",
            "\"Bypass Order Precautions for API Orders\": without it an order may wait for a dialog in the window that "
                + "nobody answers",
            "Global Configuration, API, Precautions: set; the program has limits of its own (risk)."
        ),
        (
            "master_client_id",
            "\"Master API client ID\": a client that is told of all orders, and by some versions may change them",
            "\(settingsPlace): empty, or another number than ibkr.client_id."
        ),
        (
            "open_orders",
            "\"Download open orders on connection\": lists what works when a program connects",
            "\(settingsPlace): set."
        ),
        (
            "instrument_attributes",
            "\"Send instrument-specific attributes for dual-mode API client in\": the zone of times",
            "\(settingsPlace): \"operator timezone\" or \"UTC format\", and the same as long as a session runs."
        ),
        (
            "auto_restart",
            "\"Auto restart\" and its time: logs in by itself for a week; \"auto logoff\" ends the day instead",
            "Configuration, Lock and Exit: auto restart, at a time without trading, the same as ibkr.restart_time."
        ),
        (
            "memory",
            "\"Memory Allocation\": too little, and the gateway stops answering on busy days",
            "Configuration, General (IB Gateway: Configure, Settings): 4096 MB."
        ),
    ]
}
