import Accounting
import Testing

@Suite struct EnginePropertyTests {
    /// Property: whatever strategies want and however bars fall, the ledger add up after every event, exits
    /// never open the other side and are never more than is held, entries are within the limits, the ledger
    /// hold what was filled, and what is live in the ledger works at the venue once all answers are in.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func whateverStrategiesRequestNothingBreaks(seed: UInt64) {
        var session = RandomSession(seed: seed)
        // Sessions end at different bars, so that what works at the end is seen at different points.
        for index in 0..<(200 + Int(seed % 101)) { session.play(index) }
        session.finish()
        #expect(session.failure == nil)
    }

    /// The property above means little unless sessions trade.
    @Test func sessionsTrade() {
        var fills = 0
        var orders = 0
        for seed in 0..<10 as Range<UInt64> {
            var session = RandomSession(seed: seed)
            for index in 0..<300 { session.play(index) }
            fills += session.fillCount
            orders += session.commands.orders.count
        }
        #expect(orders > 500)
        #expect(fills > 500)
    }
}
