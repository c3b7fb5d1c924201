import Primitives
import Testing

@testable import Catalog

@Suite struct OddNumberTests {
    @Test(arguments: [
        ("12.5", 1_250_000_000, true), ("1.25e1", 1_250_000_000, true),
        ("1E-8", 1, true), ("$12.50", 1_250_000_000, false), ("1,234", 123_400_000_000, false),
        ("1,234,567.5", 123_456_750_000_000, false), ("-$3", -300_000_000, false),
        // Half of the last kept decimal goes to the even neighbour.
        ("0.000000005", 0, false), ("0.000000015", 2, false), ("0.0000000051", 1, false),
        ("0.000000025", 2, false), (".5", 50_000_000, false),
        ("123.4500045776367", 12_345_000_458, false),
        ("1.2345E+07", 1_234_500_000_000_000, true), ("1e-9", 0, false),
    ])
    func numbersOfOtherProgramsAreRead(text: String, units: Int64, isPlain: Bool) {
        #expect(OddNumber.read(text) == .number(units, isPlain: isPlain))
    }

    @Test(arguments: ["", "NaN", "null", "None", "N/A", "-", "inf"])
    func noValueIsMissing(text: String) { #expect(OddNumber.read(text) == .missing) }

    @Test(arguments: [
        "abc", "1,23", "12,34,567", ",123", "1e", "1e400", "1e1.5", "1.2.3", "1e99", "0x10", "e5",
        "999999999999", "1_000", "12%",
    ])
    func whatCannotBeMeantIsUnreadable(text: String) {
        #expect(OddNumber.read(text) == .unreadable)
    }
}
