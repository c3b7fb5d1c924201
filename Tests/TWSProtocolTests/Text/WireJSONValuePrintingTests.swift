import TWSProtocol
import Testing

@Suite struct WireJSONValuePrintingTests {
    @Test(arguments: [
        "null", "true", "-12.50e3", #""a \"quoted\" \\ line\n""#, "[]", "{}", "[1,[2,3],{}]",
        #"{"a":1,"b":[true,null,"x"],"c":{"d":"\u0001"}}"#,
    ])
    func whatIsPrintedReadsBack(text: String) throws {
        #expect(try WireJSONValue(Array(text.utf8)).text == text)
    }

    @Test func membersKeepTheirOrder() {
        #expect(
            WireJSONValue.members(["b": .integer(1), "a": .text("x")]).text == #"{"b":1,"a":"x"}"#)
    }
}
