import Foundation
import Primitives
import Testing

@Suite struct JSONTextTests {
    @Test func keysStayInOrderInBothRenderings() {
        var inner = JSONObject()
        inner.set("symbol", .text("AAPL"))
        var object = JSONObject()
        object.set("zebra", .integer(1))
        object.set("apple", .array([.exact(Money(cents: 10_50)), .object(inner)]))
        object.set("none", .array([]))
        object.set("empty", .object(JSONObject()))

        #expect(
            object.compact()
                == #"{"zebra":1,"apple":[10.50,{"symbol":"AAPL"}],"none":[],"empty":{}}"#)
        #expect(
            object.pretty() == """
                {
                  "zebra": 1,
                  "apple": [
                    10.50,
                    {
                      "symbol": "AAPL"
                    }
                  ],
                  "none": [],
                  "empty": {}
                }

                """)
        #expect(JSONObject().compact() == "{}")
        #expect(JSONObject().pretty() == "{}\n")
    }

    @Test func anAbsentValueIsAnAbsentKeyAndASecondOneReplacesTheFirst() {
        var object = JSONObject()
        object.set("a", .integer(1))
        object.set("b", nil)
        object.set("c", .integer(3))
        object.set("a", .text("new"))
        #expect(object.compact() == #"{"a":"new","c":3}"#)
    }

    @Test(arguments: [
        "null", "true", "-12.50e3", #""a \"quoted\" \\ line\n""#, "[]", "{}", "[1,[2,3],{}]",
        #"{"a":1,"b":[true,null,"x"],"c":{"d":"\u0001"}}"#,
    ])
    func whatIsPrintedReadsBack(text: String) throws {
        #expect(try JSONValue(Array(text.utf8)).text == text)
    }

    @Test func membersKeepTheirOrder() {
        #expect(JSONValue.members(["b": .integer(1), "a": .text("x")]).text == #"{"b":1,"a":"x"}"#)
    }

    @Test func numbersAreExactOrShortest() {
        #expect(text(.exact(Price(units: 1))) == "0.00000001")
        #expect(text(.exact(Quantity(shares: -100))) == "-100")
        #expect(text(.exact(Money(units: .min))) == "-9223372036854.775808")
        #expect(text(JSONValue.number(0.1)) == "0.1")
        #expect(text(JSONValue.number(0.1 + 0.2)) == "0.30000000000000004")
        #expect(text(JSONValue.number(1e300)) == "1e+300")
        #expect(JSONValue.number(.nan) == nil)
        #expect(JSONValue.number(-.infinity) == nil)
    }

    @Test func stringsAreEscaped() {
        #expect(text(.text("a\"b\\c\n\r\t")) == #""a\"b\\c\n\r\t""#)
        // What terminals obey: escape, delete and the one-byte control sequence introducer.
        #expect(text(.text("\u{1B}[31m\u{0}\u{7F}\u{9B}")) == #""\u001b[31m\u0000\u007f\u009b""#)
        #expect(text(.text("é–🐦")) == "\"é–🐦\"")
    }

    /// Property: another reader gets every string back.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func stringsSurviveAReader(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var string = ""
        for _ in 0..<40 {
            let limit: UInt64 = random.next() % 2 == 0 ? 0xA1 : 0x11_0000
            if let scalar = Unicode.Scalar(UInt32(random.next() % limit)) {
                string.unicodeScalars.append(scalar)
            }
        }
        var object = JSONObject()
        object.set(string, .text(string))
        for rendering in [object.compact(), object.pretty()] {
            let read = try JSONSerialization.jsonObject(with: Data(rendering.utf8))
            #expect(read as? [String: String] == [string: string])
        }
    }

    private func text(_ value: JSONValue?) -> String {
        var object = JSONObject()
        object.set("", value)
        return String(object.compact().dropFirst(4).dropLast())
    }
}
