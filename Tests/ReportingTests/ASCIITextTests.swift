import Primitives
import Testing

@testable import Reporting

@Suite struct ASCIITextTests {
    /// Property: what is appended is what the value calls itself, over the whole range of the
    /// types.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func appendedValuesReadLikeTheirDescription(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            // Of all magnitudes, and often with zeros at the end.
            var units = Int64(bitPattern: random.next()) >> Int64(random.next() % 64)
            if random.next() % 2 == 0 { units = units / 1_000_000 * 1_000_000 }
            expectSameText(units)
        }
    }

    @Test(arguments: [0, 1, -1, 5, 99, 100, -100, 1_000_000, 100_000_000, .max, .min] as [Int64])
    func limitsReadLikeTheirDescription(units: Int64) { expectSameText(units) }

    private func expectSameText(_ units: Int64) {
        let (price, quantity) = (Price(units: units), Quantity(units: units))
        let (money, time) = (Money(units: units), Timestamp(nanoseconds: units))
        #expect(text { $0.append(price, end: $1) } == price.description)
        #expect(text { $0.append(quantity, end: $1) } == quantity.description)
        #expect(text { $0.append(money, end: $1) } == money.description)
        #expect(text { $0.append(integer: units, end: $1) } == String(units))
        #expect(text { $0.append(time, end: $1) } == time.description)
        #expect(text { $0.append(time.day, end: $1) } == time.day.description)
    }

    @Test(
        arguments: [
            (.seconds(90), "90"), (.milliseconds(250), "0.25"), (.zero, "0"),
            (Duration(nanoseconds: -1), "-0.000000001"),
            (Duration(nanoseconds: 1_000_000_010), "1.00000001"),
            (Duration(nanoseconds: .min), "-9223372036.854775808"),
        ] as [(Duration, String)])
    func lengthsOfTimeAreExactSeconds(duration: Duration, expected: String) {
        #expect(text { $0.append(seconds: duration, end: $1) } == expected)
        #expect(array { $0.append(seconds: duration) } == expected)
    }

    @Test(
        arguments: [
            (0.0, "0.000000"), (-0.0, "0.000000"), (0.5, "0.500000"), (-12.3456789, "-12.345679"),
            (1_234_567.891, "1234567.891000"),
            // Less than half of the last decimal: no sign is left.
            (-0.0000001, "0.000000"), (.leastNonzeroMagnitude, "0.000000"),
            (.leastNormalMagnitude, "0.000000"),
            // 1/128 = 0.0078125 and 3/128 = 0.0234375 are exact ties: half to even.
            (0.0078125, "0.007812"), (-0.0234375, "-0.023438"),
            // 2.5e-6 is stored as 2.50000000000000006e-06 and 1.5e-6 as 1.50000000000000003e-06.
            (2.5e-6, "0.000003"), (1.5e-6, "0.000002"),
            // 9.2e12 still has its last decimal within Int64, 1e13 has not.
            (9.2e12, "9200000000000.000000"), (1e13, "10000000000000.0"), (-1e300, "-1e+300"),
            (.nan, ""), (.infinity, ""), (-.infinity, ""),
        ] as [(Double, String)])
    func numbersHaveSixDecimals(number: Double, expected: String) {
        #expect(text { $0.append(number, decimals: 6, end: $1) } == expected)
        #expect(array { $0.append(number, decimals: 6) } == expected)
    }

    /// Property: 64ths have six decimals exactly (1/64 = 0.015625), so integers tell what to
    /// expect.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func numbersWithSixDecimalsPrintExactly(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let parts = Int64(random.next() >> 24)
            let decimals = String(1_000_000 + parts % 64 * 15_625).dropFirst()
            #expect(
                text { $0.append(Double(parts) / 64, decimals: 6, end: $1) }
                    == "\(parts / 64).\(decimals)")
        }
    }

    @Test func fewerDecimalsRoundToo() {
        #expect(text { $0.append(0.125, decimals: 2, end: $1) } == "0.12")
        #expect(text { $0.append(0.375, decimals: 2, end: $1) } == "0.38")
        #expect(text { $0.append(2.5, decimals: 0, end: $1) } == "2")
    }

    /// All numbers of eight digits are put together of what these are.
    @Test func everyNumberOfFourDigitsHasItsDigits() {
        for number in 0..<10_000 as Range<UInt64> {
            let digits = String(number + 10_000).dropFirst()
            #expect(word(ASCIIWord.digits(of: number * 10_001)) == digits + digits)
        }
    }

    @Test func daysFollowOneAnotherInAnyOrder() {
        var text = ASCIIText(capacity: 100)
        let days = [19_723, 19_724, 19_724, 19_723, 0].map { Day(number: $0) }
        for day in days { text.append(day, end: UInt8(ascii: ",")) }
        #expect(
            string(text) == "2024-01-01,2024-01-02,2024-01-02,2024-01-01,1970-01-01,")
    }

    @Test func whatWasTakenBackIsWrittenOver() {
        var text = ASCIIText(capacity: 10)
        text.append(text: "abc")
        text.removeLast()
        text.append(UInt8(ascii: "d"))
        #expect(string(text) == "abd")
        text.clear()
        text.append(text: "e")
        #expect(string(text) == "e")
    }

    @Test func textBeyondTheBlockStopsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            var text = ASCIIText(capacity: 3)
            text.append(text: "abcde")
        }
    }

    private func word(_ word: UInt64) -> String {
        var text = ASCIIText(capacity: ASCIIWord.size)
        text.append(word, length: ASCIIWord.size)
        return string(text)
    }

    /// What `append` writes, without the byte behind it.
    private func text(_ append: (inout ASCIIText, _ end: UInt8) -> Void) -> String {
        var text = ASCIIText(capacity: ASCIIText.valueLengthMax)
        append(&text, UInt8(ascii: ";"))
        let written = string(text)
        #expect(written.last == ";")
        return String(written.dropLast())
    }

    private func array(_ append: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        append(&bytes)
        return String(ascii: bytes)
    }

    private func string(_ text: borrowing ASCIIText) -> String {
        var bytes: [UInt8] = []
        text.withBytes { bytes.append($0) }
        return String(ascii: bytes)
    }
}
