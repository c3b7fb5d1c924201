import TWSProtocol
import Testing

@Suite struct TickPriceTests {
    @Test func survivesTheWireAtEveryVersion() throws {
        try expectRoundTrips(of: TickPrice.self, from: .gateway)
    }

    @Test func hasTheFieldsOfTheReference() throws {
        var tick = TickPrice()
        tick.reqId = 1_001
        tick.tickType = .bid
        tick.price = 187.25
        tick.size = 300
        tick.attrMask = 1
        #expect(fields(try tick.text(at: .newest, from: .gateway)) == "6|1001|1|187.25|300|1")
    }
}
