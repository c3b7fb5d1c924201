import Testing

@testable import Configuration

@Suite struct GatewaySettingsTests {
    /// TWS 7497 and 7496, IB Gateway 4002 and 4001: the broker's conventions.
    /// CON-06: each time of a silent line is longer than the one before.
    @Test(arguments: [
        (["probe_seconds=10"], ["stale_seconds"]), (["probe_seconds=9"], []),
        (["stale_seconds=15"], ["alarm_seconds"]), (["alarm_seconds=45"], ["tear_down_seconds"]),
        (["stale_seconds=60", "alarm_seconds=60"], ["alarm_seconds", "tear_down_seconds"]),
        (["tear_down_seconds=16"], []), (["probe_seconds=0"], ["probe_seconds"]),
        (["tear_down_seconds=3601"], ["tear_down_seconds"]),
    ])
    func timesOfSilenceRise(set: [String], refused: [String]) {
        let problems = Sample.problems(Sample.minimal, set: set.map { "ibkr.\($0)" })
        #expect(problems.map(\.path) == refused.map { "ibkr.\($0)" })
    }

    @Test(
        arguments: [
            ("tws", "paper", 7_497), ("tws", "live", 7_496), ("tws", "dry", 7_497),
            ("tws", "sim", 7_497), ("gateway", "paper", 4_002), ("gateway", "live", 4_001),
            ("gateway", "dry", 4_002), ("gateway", "sim", 4_002),
        ])
    func portFollowsFromAppAndMode(app: String, mode: String, port: Int) throws {
        let set = ["ibkr.app=\(app)", "trading.mode=\(mode)"]
        #expect(try Sample.settings(Sample.minimal, set: set).ibkr.port == port)
    }

    @Test(arguments: [7_497, 7_496, 4_002, 4_001, 5_000], TradingMode.allCases)
    func aPortOfAnotherModeIsRefused(port: Int, mode: TradingMode) throws {
        let isLivePort = port == 7_496 || port == 4_001
        let isPaperPort = port == 7_497 || port == 4_002
        let isMismatch =
            switch mode {
            case .live: isPaperPort
            case .paper, .sim: isLivePort
            case .dry: false
            }
        let set = ["ibkr.port=\(port)", "trading.mode=\(mode.rawValue)"]
        let problems = Sample.problems(Sample.minimal, set: set)
        #expect(problems.map(\.path) == (isMismatch ? ["ibkr.port"] : []))
        let allowed = set + ["ibkr.allow_port_mismatch=true"]
        #expect(try Sample.settings(Sample.minimal, set: allowed).ibkr.port == port)
    }

    @Test func aMismatchStatesWhatFits() {
        let set = ["ibkr.port=7497", "trading.mode=live"]
        #expect(
            Sample.problems(Sample.minimal, set: set).map(\.description) == [
                """
                ibkr.port: found 7497, allowed a port that is not for paper accounts, with \
                trading.mode: live. If that is meant, set ibkr.allow_port_mismatch: true.
                """
            ])
    }

    @Test func theLivePortCountsInModeLiveOnly() throws {
        func port(_ mode: String, _ live: String) throws -> Int {
            let set = ["ibkr={port: 7497, live_port: \(live)}", "trading.mode=\(mode)"]
            return try Sample.settings(Sample.minimal, set: set).ibkr.port
        }
        #expect(try port("live", "7496") == 7_496)
        #expect(try port("paper", "7496") == 7_497)
        #expect(try port("live", "5000") == 5_000)
        let wrong = ["ibkr={port: 7496, live_port: 7497}", "trading.mode=live"]
        #expect(Sample.problems(Sample.minimal, set: wrong).map(\.path) == ["ibkr.live_port"])
    }

    @Test(
        arguments: [
            ("DU1234567", "paper", true), ("DU1234567", "live", false),
            ("U1234567", "paper", false),
            ("U1234567", "live", true), ("DF1234", "paper", true), ("U1234567", "dry", true),
            ("U1234567", "sim", true), ("DU1234567", "dry", true),
        ])
    func anAccountOfAnotherModeIsRefused(id: String, mode: String, isFine: Bool) {
        let set = ["ibkr.account_id=\(id)", "trading.mode=\(mode)"]
        let problems = Sample.problems(Sample.minimal, set: set)
        #expect(problems.map(\.path) == (isFine ? [] : ["ibkr.account_id"]))
    }

    @Test(arguments: ["du123", "D", "DU 123", "DU1234567890123456789", "DÜ123", "[1]"])
    func anAccountHasItsForm(id: String) {
        let problems = Sample.problems(Sample.minimal, set: ["ibkr.account_id=\(id)"])
        #expect(problems.map(\.path) == ["ibkr.account_id"])
    }

    @Test(arguments: ["localhost", "10.0.0.1", "::1", "fe80::1%eth0", "gw-1.example.com"])
    func aHostIsANameOrAnAddress(host: String) throws {
        #expect(
            try Sample.settings(Sample.minimal, set: ["ibkr.host=\(host)"]).ibkr.host == host)
    }

    @Test(arguments: ["a b", "http://x", "x;y", "host/"])
    func aHostIsNothingElse(host: String) {
        let problems = Sample.problems(Sample.minimal, set: ["ibkr.host=\(host)"])
        #expect(problems.map(\.path) == ["ibkr.host"])
    }

    @Test func moneyIsNotTradedWithoutLimits() {
        let set = ["trading.mode=live", "risk.limits=off"]
        #expect(
            Sample.problems(Sample.minimal, set: set).map(\.description) == [
                "risk: no limits hold, allowed limits: on, with trading.mode: live."
            ])
        #expect(Sample.problems(Sample.minimal, set: ["trading.mode=live"]).isEmpty)
    }

    /// Orders that leave before the journal is durable are for measurements at the simulator.
    @Test(arguments: TradingMode.allCases, ["full", "normal", "off"])
    func onlyTheSimulatorTakesAJournalThatIsNotDurable(mode: TradingMode, durability: String) {
        let problems = Sample.problems(
            Sample.minimal,
            set: ["trading.mode=\(mode.rawValue)", "system.journal_durability=\(durability)"])
        let isRefused = mode != .sim && durability != "full"
        #expect(problems.map(\.path).contains("system.journal_durability") == isRefused)
    }
}
