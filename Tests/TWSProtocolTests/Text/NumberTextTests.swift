import Primitives
import TWSProtocol
import Testing

@Suite struct NumberTextTests {
    /// Digits, exponent and sign by hand.
    @Test(
        arguments: [
            ("0", 0, 0, false), ("-0", 0, 0, false), ("0.0", 0, 0, false),
            ("00000000", 0, 0, false),
            ("7", 7, 0, false), ("+7", 7, 0, false), ("-7", 7, 0, true), ("10", 1, 1, false),
            ("100", 1, 2, false), ("100.0", 1, 2, false), ("187.25", 18_725, -2, false),
            ("-187.25", 18_725, -2, true), ("185.9000", 1_859, -1, false), (".5", 5, -1, false),
            ("5.", 5, 0, false), ("0.05", 5, -2, false), ("0.000005", 5, -6, false),
            ("12345678", 12_345_678, 0, false), ("1234567.", 1_234_567, 0, false),
            (".1234567", 1_234_567, -7, false), ("10203040", 1_020_304, 1, false),
            ("123456789", 123_456_789, 0, false), ("948837.220", 94_883_722, -2, false),
            ("1000000000000", 1, 12, false), ("0.0000000012", 12, -10, false),
            ("123456789012345678", 123_456_789_012_345_678, 0, false),
            ("0.0000000000000000000012", 12, -22, false),
            ("000000000000000000000012.50", 125, -1, false),
            ("100000000000000000000000", 1, 23, false), ("1e-05", 1, -5, false),
            ("2.5E3", 25, 2, false),
            ("-2147483648", 2_147_483_648, 0, true),
        ] as [(String, UInt64, Int16, Bool)])
    func numbersAreReadExactly(text: String, digits: UInt64, exponent: Int16, isNegative: Bool) {
        let value = DecimalValue(text)
        #expect(value?.digits == digits)
        #expect(value?.exponent == exponent)
        #expect(value?.kind == (isNegative ? .negative : .positive))
    }

    @Test(
        arguments: [
            "", "-", "+", ".", "-.", "1.2.3", "..", "--5", "+-5", "1-", "1 ", " 1", "12a", "1,5",
            "/1",
            "1:", "1/", "12345678x", "123456789.1.", "x", "0x10", "1e", "e5", "١",
        ])
    func whatIsNoNumberIsNot(text: String) {
        #expect(DecimalValue(text) == nil)
    }

    @Test(
        arguments: [
            "2147483647", "9223372036854775807", "-9223372036854775808",
            "1.7976931348623157E308", "1.7976931348623157e+308",
            "170141183460469231731687303715884105727", "NaN",
        ])
    func valuesThatMeanUnsetAreNone(text: String) {
        #expect(DecimalValue(text) == nil)
    }

    @Test(arguments: ["Infinity", "Infinite", "+Infinity", "inf"])
    func infinityIsAWord(text: String) {
        #expect(DecimalValue(text) == .infinity)
        #expect(DecimalValue("-" + text.drop { $0 == "+" })?.kind == .negativeInfinity)
    }

    /// Short texts are read at once and longer ones digit by digit: zeros in front make one of the other.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func bothWaysOfReadingAgree(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let length = Int.random(in: 1...8, using: &generator)
            var text = String(
                (0..<length).map { _ in
                    // Zeros are frequent: they decide how a number is written.
                    Character(
                        "\(max(0, Int.random(in: -6...9, using: &generator)))")
                })
            if length > 1, Bool.random(using: &generator) {
                let offset = Int.random(in: 0..<length, using: &generator)
                let index = text.index(text.startIndex, offsetBy: offset)
                text.replaceSubrange(index...index, with: ".")
            }
            let padded = "000000000" + text
            #expect(DecimalValue(text) == DecimalValue(padded), "\(text)")
            #expect(DecimalValue("-" + text) == DecimalValue("-" + padded), "\(text)")
            let value = try #require(DecimalValue(text), "\(text)")
            #expect(Double(value) == Double(padded), "\(text)")
            #expect(DecimalValue(value.description) == value, "\(text)")
        }
    }
}
