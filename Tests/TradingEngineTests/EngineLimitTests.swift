import Model
import Primitives
import Risk
import TestSupport
import Testing
import TradingEngine

@Suite struct EngineLimitTests {
    /// One position is allowed: while an entry in the first share works, the second is refused; once it was
    /// cancelled, there is room.
    @Test func workingEntriesCountAsPositions() {
        var limits = RiskLimits()
        limits.positionsMax = 1
        var rig = Rig(limits: limits)
        #expect(rig.request(.enter(.buy)).count == 1)
        #expect(rig.request(.enter(.buy), in: Rig.second).isEmpty)
        rig.report(1, .cancelled(.external))
        #expect(rig.request(.enter(.buy), in: Rig.second).count == 1)
    }
}
