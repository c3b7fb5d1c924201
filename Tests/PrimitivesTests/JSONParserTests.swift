import Primitives
import Testing

/// JSON as RFC 8259 has it, with numbers as text.
@Suite struct JSONValueTests {
    @Test func everyKindOfValueIsRead() throws {
        let text = #" {"a" : [1, -0.5e+3, true, false, null, "x"], "b":{}, "c":[]} "#
        let value = try read(text)
        #expect(
            value["a"]
                == .array([
                    .number("1"), .number("-0.5e+3"), .bool(true), .bool(false), .null, .text("x"),
                ]))
        #expect(value["b"] == .object([]))
        #expect(value["c"] == .array([]))
        #expect(value["d"] == nil)
        #expect(JSONValue.null["a"] == nil)
    }

    /// More digits than a floating-point number holds.
    @Test func numbersKeepTheirDigits() throws {
        #expect(try read("12345678901234567.000000001") == .number("12345678901234567.000000001"))
    }

    @Test func escapesBecomeCharacters() throws {
        let text = #""\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\ude00é😀""#
        #expect(try read(text) == .text("\"\\/\u{8}\u{C}\n\r\tAé€😀é😀"))
    }

    @Test(
        arguments: [
            ("", 0, "a value is missing"), ("{\"a\":1,\"a\":2}", 7, "the name 'a' occurs twice"),
            ("[1 2]", 3, "neither a comma nor the array's end"), ("[1,]", 3, "no value"),
            ("{\"a\" 1}", 5, "no colon behind the name 'a'"), ("{1:2}", 1, "no name"),
            ("{\"a\":1 ", 7, "neither a comma nor the object's end"),
            ("01", 2, "a number with a zero in front"), ("1.", 2, "no digit behind the point"),
            ("1e", 2, "no digit in the exponent"), ("-", 1, "no value"), ("+1", 0, "no value"),
            ("NaN", 0, "no value"), ("tru", 0, "no value"),
            ("1 1", 2, "more text behind the value"),
            ("\"a", 2, "a text without its end"), ("\"\\", 2, "a text without its end"),
            ("\"a\nb\"", 2, "a control character in a text"),
            ("\"\\x\"", 3, "an escape that JSON does not have"),
            ("\"\\u12g4\"", 5, "an escape needs four hexadecimal digits"),
            ("\"\\ud83d\"", 7, "half a character"), ("\"\\ude00\"", 7, "half a character"),
        ] as [(String, Int, String)])
    func whatIsNoJSONIsNamedWithItsOffset(text: String, offset: Int, reason: String) {
        let error = #expect(throws: JSONError.self) { try read(text) }
        #expect(error?.offset == offset)
        #expect(error?.reason == reason)
    }

    @Test func bytesThatAreNoTextAreRefused() {
        let error = #expect(throws: JSONError.self) { try JSONValue([0x22, 0xFF, 0x22]) }
        #expect(error?.description == "no JSON at byte 1: a text that is not UTF-8")
    }

    @Test func depthIsBounded() throws {
        let deepest = JSONValue.depthMax
        _ = try read(
            String(repeating: "[", count: deepest) + String(repeating: "]", count: deepest))
        let error = #expect(throws: JSONError.self) {
            try read(String(repeating: "[", count: 100_000))
        }
        #expect(error?.offset == deepest)
    }

    private func read(_ text: String) throws -> JSONValue {
        try JSONValue(Array(text.utf8))
    }
}
