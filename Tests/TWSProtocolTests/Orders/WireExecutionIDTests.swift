import TWSProtocol
import Testing

@Suite struct WireExecutionIDTests {
    @Test func aCorrectionHasTheRootOfItsFillAndAHigherRevision() throws {
        let fill = try #require(WireExecutionID("00025b46.63f8f39c.01.01"))
        let correction = try #require(WireExecutionID("00025b46.63f8f39c.01.02"))
        #expect(fill.root == correction.root && fill.root == "00025b46.63f8f39c.01")
        #expect(fill.revision == 1 && correction.revision == 2)
        let leg = try #require(WireExecutionID("00025b46.63f8f39c.01.01.01"))
        #expect(leg.root == "00025b46.63f8f39c.01.01" && leg.revision == 1)
    }

    @Test(arguments: ["", "1", ".1", "a.", "a.b", "a.-1", "a.99999999999"])
    func textOfAnotherFormIsNone(text: String) { #expect(WireExecutionID(text) == nil) }
}
