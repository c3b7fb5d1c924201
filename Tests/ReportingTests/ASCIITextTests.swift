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
        #expect(text { $0.append(Price(units: units)) } == Price(units: units).description)
        #expect(text { $0.append(Quantity(units: units)) } == Quantity(units: units).description)
        #expect(text { $0.append(Money(units: units)) } == Money(units: units).description)
        #expect(text { $0.append(integer: units) } == String(units))
        let instant = Timestamp(nanoseconds: units)
        #expect(text { $0.append(instant) } == instant.description)
        #expect(text { $0.append(instant.day) } == instant.day.description)
    }

    @Test(
        arguments: [
            (.seconds(90), "90"), (.milliseconds(250), "0.25"), (.zero, "0"),
            (Duration(nanoseconds: -1), "-0.000000001"),
        ] as [(Duration, String)])
    func lengthsOfTimeAreExactSeconds(duration: Duration, expected: String) {
        #expect(text { $0.append(seconds: duration) } == expected)
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
        #expect(text { $0.append(number, decimals: 6) } == expected)
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
                text { $0.append(Double(parts) / 64, decimals: 6) } == "\(parts / 64).\(decimals)")
        }
    }

    @Test func fewerDecimalsRoundToo() {
        #expect(text { $0.append(0.125, decimals: 2) } == "0.12")
        #expect(text { $0.append(0.375, decimals: 2) } == "0.38")
        #expect(text { $0.append(2.5, decimals: 0) } == "2")
    }

    private func text(_ append: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        append(&bytes)
        return String(ascii: bytes)
    }
}
