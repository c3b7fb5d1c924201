import Accounting
import Configuration
import GatewayTestSupport
import Model
import Orders
import Primitives
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// I-15, I-16: protection lives at the broker, covers what is held, and can open no position.
@Suite struct ProtectionSessionTests {
    private func session(_ seed: UInt64 = 1) throws -> SessionRig {
        let rig = try SessionRig(SessionRig.protected, seed: seed, keepsHistory: true)
        try rig.pass(until: "protection that works") { try !stops(rig).isEmpty }
        return rig
    }

    private func stops(_ rig: SessionRig) throws -> [SessionRig.GatewayOrder] {
        try rig.gatewayOrders().filter { $0.isOurs && $0.type == "STP" && $0.isWorking }
    }

    /// The symbols whose position at the gateway is not what their stops there sell.
    private func uncovered(_ rig: SessionRig) throws -> [String] {
        let stops = try stops(rig)
        // Where an entry works, its stop is for what it may still fill, too.
        let entered = try rig.gatewayOrders().filter { $0.isOurs && $0.isBuy && $0.isWorking }
        return try rig.settings.trading.symbols.filter { symbol in
            guard !entered.contains(where: { $0.symbol == symbol }) else { return false }
            let sold = stops.filter { $0.symbol == symbol && !$0.isBuy }
                .reduce(Quantity.zero) { $0 + $1.remaining }
            return try sold != max(rig.gatewayPosition(symbol), .zero)
        }
    }

    /// PRT, rule 1: kill, halt and the end of the program cancel entries alone.
    @Test(arguments: [OperatorRequest.Action.kill, .halt])
    func protectionSurvivesHalts(action: OperatorRequest.Action) throws {
        let rig = try session()
        try rig.pass(.minutes(1))
        let before = try stops(rig).map(\.symbol)
        try rig.instruct(action)
        try rig.pass(.minutes(2))
        #expect(try Set(stops(rig).map(\.symbol)).isSuperset(of: before))
        try rig.crash()
        try rig.pass(.minutes(1))
        #expect(try uncovered(rig).isEmpty)
        let batch = rig.history.batches.count
        try rig.pass(.minutes(20))
        #expect(try rig.submitted(nil, .entry, from: batch).isEmpty)
    }

    /// A stop that the broker cancels is there again within five seconds; the user learns of its end.
    @Test(arguments: 1...3)
    func aCancelledStopIsReplaced(seed: Int) throws {
        let rig = try session(UInt64(seed))
        try rig.pass(.seconds(10))
        let batch = rig.history.batches.count
        try rig.gateway.fault(#"{"do":"cancel","orders":"each","reason":"GTC expired"}"#)
        try rig.pass(.seconds(5))
        #expect(try uncovered(rig).isEmpty)
        #expect(
            try rig.decided(from: batch) { $0 == .finding(.cancelledOutside) }.isEmpty == false)
        #expect(try rig.decided(from: batch) { $0 == .protectionMissing }.isEmpty)
    }

    /// A stop that cannot be placed is an alarm after five seconds, and once more every five minutes while it lasts; when
    /// it is there again, the time without it is said.
    @Test func timeWithoutAStopIsMeasured() throws {
        let rig = try session()
        try rig.pass(.seconds(10))
        let (batch, lost) = (rig.history.batches.count, rig.now)
        try rig.gateway.fault(#"{"do":"swallow","kinds":["placeOrder"]}"#)
        try rig.gateway.fault(#"{"do":"cancel","orders":"each"}"#)
        try rig.pass(.seconds(20))
        let missing = try rig.decided(from: batch) { $0 == .protectionMissing }
        let first = try #require(missing.first)
        #expect(first.kind.severity == .critical)
        #expect(first.at - lost >= .seconds(5) && first.at - lost <= .seconds(7))
        try rig.gateway.fault(#"{"do":"heal"}"#)
        try rig.pass(until: "a stop for every position", limit: .minutes(10)) {
            try uncovered(rig).isEmpty
        }
        try rig.pass(.seconds(5))
        let restored = try rig.decided(from: batch) { $0 == .protectionRestored }
        #expect(restored.isEmpty == false)
    }

    /// Rule 3: a start finds positions whose stop has gone while the program was away.
    @Test(arguments: 1...2)
    func aStartReplacesStopsThatHaveGone(seed: Int) throws {
        let rig = try session(UInt64(seed))
        try rig.pass(.seconds(10))
        try rig.crash {
            try rig.gateway.fault(#"{"do":"cancel","orders":"each","reason":"GTC expired"}"#)
        }
        try rig.pass(.seconds(40))
        #expect(try uncovered(rig).isEmpty)
        try rig.expectNothingDoubled()
    }

    /// A stop that the configuration wants only now is placed for positions that are there already.
    @Test func aStopThatIsConfiguredLaterIsPlaced() throws {
        let without = SessionRig.protected
            .replacing("stop: {method: percent, price_pct: 1}", with: "")
            .replacing("target: {method: percent, price_pct: 1.5}", with: "")
        let rig = try SessionRig(without, keepsHistory: true)
        try rig.pass(until: "a position") { (try? rig.heldName()) != nil }
        try rig.pass(.seconds(30))
        #expect(try stops(rig).isEmpty)
        try rig.crash(SessionRig.protected)
        try rig.pass(.minutes(3))
        #expect(try !stops(rig).isEmpty)
        #expect(try uncovered(rig).isEmpty)
    }

    /// Property: whatever the broker fills and cancels, behind five seconds every position has a stop for all of it or
    /// the user was called, and no exit can open the other side.
    @Test(arguments: 1...6)
    func whateverTheBrokerDoesPositionsAreProtected(seed: Int) throws {
        let rig = try session(UInt64(seed))
        var random = SeededGenerator(seed: UInt64(seed))
        let faults = [
            #"{"do":"cancel","orders":"each"}"#, #"{"do":"cancel","orders":"oldest"}"#,
            #"{"do":"cancel","orders":"last"}"#, #"{"do":"fill","orders":"oldest","share":0.3}"#,
            #"{"do":"fill","orders":"last","share":0.5}"#, #"{"do":"fill","orders":"oldest"}"#,
            #"{"do":"fill","orders":"last"}"#,
        ]
        var called: Set<InstrumentID> = []
        for step in 0..<25 {
            let fault = faults[Int(random.next() % UInt64(faults.count))]
            // With nothing to cancel or fill the gateway refuses.
            _ = rig.gateway.control(fault)
            let batch = rig.history.batches.count
            try rig.pass(.seconds(6))
            let calls = try rig.decided(from: batch) {
                $0 == .protectionMissing || $0.topic == .latched
            }
            called.formUnion(calls.compactMap(\.subject.instrument))
            let bare = try uncovered(rig)
            // What was called for stays so until the user has looked.
            let silent = try bare.filter { try !called.contains(rig.instrument($0)) }
            #expect(silent.isEmpty, "step \(step): \(fault): \(silent)")
            try rig.pass(.seconds(Int64(random.next() % 20)))
        }
    }
}
