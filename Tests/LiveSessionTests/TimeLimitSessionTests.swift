import Accounting
import ClientTestSupport
import Configuration
import GatewayTestSupport
import Model
import Orders
import Primitives
import TWSClient
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// ORD-14, C-52: entries that should have traded at once and did not, as `execution` says, at a broker. The order is for 100
/// shares, and its time is 30 seconds.
@Suite struct TimeLimitSessionTests {
    private static func text(_ action: String) -> String {
        """
        account: {type: margin, starting_capital: 100000}
        trading: {mode: sim, symbols: [AAPL], bar_size: 1m}
        execution: {on_timeout: \(action)}
        strategies:
          - use: limit_buyer
            sizing: {method: fixed_shares, shares: 100}
        """
    }

    /// A session whose entry has just left and rests: trading was halted before it.
    private static func resting(_ action: String) throws -> SessionRig {
        let rig = try SessionRig(text(action), keepsHistory: true)
        try rig.pass(until: "a bar") {
            rig.events.contains { if case .bar = $0.kind { true } else { false } }
        }
        try rig.pass(.seconds(4))
        try rig.gateway.fault(#"{"do":"halt","symbol":"AAPL"}"#)
        try rig.pass(until: "an order", limit: .minutes(1)) { !rig.entries(since: 0).isEmpty }
        try rig.pass(.seconds(1))
        #expect(rig.held(0) == .zero)
        return rig
    }

    /// The entries that were sent, in shares.
    private static func shares(_ rig: SessionRig) -> [Quantity] {
        rig.entries(since: 0).map(\.request.quantity)
    }

    /// Its time is over: it is cancelled, and nothing takes its place. Without a connection it is cancelled when there is
    /// one again, and so it is by the process that comes behind the one that sent it.
    @Test(arguments: ["", #"{"do":"restart","seconds":40}"#, "crash"])
    func anOverdueEntryIsCancelled(fault: String) throws {
        try SessionStrategies.available {
            let rig = try Self.resting("cancel")
            let order = try #require(rig.entries(since: 0).first?.id)
            try rig.pass(.seconds(20))
            #expect(rig.state(of: order) == .working)
            if fault == "crash" {
                try rig.crash()
            } else if !fault.isEmpty {
                try rig.gateway.fault(fault)
            }
            try rig.pass(.seconds(6))
            #expect(rig.cancelled == [])
            try rig.pass(until: "its end", limit: .minutes(3)) {
                rig.state(of: order) == .cancelled
            }
            #expect(rig.cancelled == [order])
            try rig.gateway.fault(#"{"do":"halt","symbol":"AAPL","on":false}"#)
            try rig.expectEqualLedgers()
        }
    }

    /// What it has filled before its end is proven by the broker's list of executions, though the word of it was lost: the
    /// rest alone is sent anew, at the market's price, and then the rest of that.
    @Test func onlyWhatIsLeftIsSentAtTheNewPrice() throws {
        try SessionStrategies.available {
            let rig = try Self.resting("reprice")
            try rig.pass(.seconds(25))
            try rig.gateway.fault(#"{"do":"swallow","kinds":["execDetails"],"times":1}"#)
            try rig.gateway.fault(#"{"do":"fill","orders":"last","share":0.4}"#)
            try rig.pass(until: "another order", limit: .seconds(20)) {
                Self.shares(rig).count == 2
            }
            #expect(Self.shares(rig) == [Quantity(shares: 100), Quantity(shares: 60)])
            #expect(rig.held(0) == Quantity(shares: 40))
            let second = try #require(rig.entries(since: 0).last)
            guard case .limit = second.request.type else {
                Issue.record("\(second.request.type)")
                return
            }
            try rig.pass(.seconds(25))
            try rig.gateway.fault(#"{"do":"fill","orders":"last","share":0.5}"#)
            try rig.pass(until: "a third order", limit: .seconds(20)) {
                Self.shares(rig).count == 3
            }
            #expect(Self.shares(rig).last == Quantity(shares: 30))
            try rig.gateway.fault(#"{"do":"halt","symbol":"AAPL","on":false}"#)
            try rig.pass(until: "all of it") { rig.held(0) == Quantity(shares: 100) }
            try rig.expectEqualLedgers()
            try rig.expectFilledAsAtTheBroker()
        }
    }

    /// The rest goes at the market, also where the connection was away when its time was over.
    @Test(arguments: [false, true])
    func theRestIsSentAtTheMarket(isAway: Bool) throws {
        try SessionStrategies.available {
            let rig = try Self.resting("escalate")
            try rig.pass(.seconds(20))
            try rig.gateway.fault(#"{"do":"fill","orders":"last","share":0.4}"#)
            try rig.pass(.seconds(2))
            if isAway { try rig.gateway.fault(#"{"do":"restart","seconds":40}"#) }
            try rig.pass(until: "another order", limit: .minutes(3)) {
                Self.shares(rig).count == 2
            }
            let second = try #require(rig.entries(since: 0).last?.request)
            #expect(second.quantity == Quantity(shares: 60) && second.type == .market)
            try rig.gateway.fault(#"{"do":"halt","symbol":"AAPL","on":false}"#)
            try rig.pass(until: "all of it") { rig.held(0) == Quantity(shares: 100) }
            try rig.expectEqualLedgers()
        }
    }

    /// It works on.
    @Test func anEntryWorksOnWhereThatIsConfigured() throws {
        try SessionStrategies.available {
            let rig = try Self.resting("leave")
            let order = try #require(rig.entries(since: 0).first?.id)
            try rig.pass(.seconds(90))
            #expect(rig.state(of: order) == .working)
            #expect(rig.cancelled == [] && Self.shares(rig).count == 1)
            try rig.gateway.fault(#"{"do":"halt","symbol":"AAPL","on":false}"#)
            try rig.pass(until: "all of it") { rig.held(0) == Quantity(shares: 100) }
            try rig.expectEqualLedgers()
        }
    }
}

extension SessionRig {
    /// The orders that have ended by a cancel, as far as the session knows.
    fileprivate var cancelled: [OrderID] {
        entries(since: 0).map(\.id).filter { state(of: $0) == .cancelled }
    }
}
