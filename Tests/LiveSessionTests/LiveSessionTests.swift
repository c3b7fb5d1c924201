import GatewayTestSupport
import Model
import Primitives
import TWSProtocol
import Testing

@testable import Runtime

/// Live sessions at the simulated gateway, in calm and in trouble.
@Suite struct LiveSessionTests {
    /// EVT-01, EVT-11: the same engine trades at a gateway; at the end its ledger is the gateway's.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func aCalmSessionHasTheGatewaysLedger(seed: UInt64) throws {
        let rig = try SessionRig(seed: seed)
        try rig.pass(.minutes(60))
        #expect(rig.driver.fillCount > 10)
        try rig.expectEqualLedgers()
        #expect(rig.gateway.violations.isEmpty)
        #expect(rig.driver.reconnectionCount == 0)
    }

    /// OPS-02: killed at any moment, a session goes on from its journal.
    @Test(arguments: 1...4)
    func aCrashAtAnyMomentLosesNothing(seed: Int) throws {
        let rig = try SessionRig(seed: UInt64(seed))
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<8 {
            try rig.pass(.milliseconds(250 * Int64.random(in: 1...2_000, using: &generator)))
            try rig.crash()
        }
        try rig.pass(.minutes(15))
        try rig.expectEqualLedgers()
        #expect(rig.driver.recovery != nil)
    }

    /// A crash right behind an order's placing: whether the gateway has it is found out, and it is never sent again.
    @Test(arguments: 1...6)
    func aCrashRightBehindAnOrderLosesNothing(seed: Int) throws {
        let rig = try SessionRig(seed: UInt64(seed))
        for _ in 0..<3 {
            let before = rig.gateway.received(.placeOrder).count
            try rig.pass(until: "another order") {
                rig.gateway.received(.placeOrder).count > before
            }
            try rig.crash()
        }
        try rig.pass(.minutes(12))
        try rig.expectEqualLedgers()
    }
}
