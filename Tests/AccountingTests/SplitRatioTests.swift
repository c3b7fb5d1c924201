import Model
import Primitives
import Testing

@Suite struct SplitRatioTests {
    private func ratio(_ text: String) throws -> SplitRatio? {
        // As readers of data do, which keep eight decimals.
        SplitRatio(
            snapping: try Quantity(String(text.prefix(10))),
            decimals: text.firstIndex(of: ".").map { text[$0...].utf8.count - 1 } ?? 0)
    }

    /// What a vendor that writes so many decimals makes of 1 for n, by long division.
    private static func text(ofOneIn count: Int, decimals: Int, isCut: Bool) -> String {
        var digits = ""
        var remainder = 1
        for _ in 0..<decimals {
            remainder *= 10
            digits += String(remainder / count)
            remainder %= count
        }
        guard !isCut, 2 * remainder >= count, let number = Int(digits) else { return "0." + digits }
        let raised = String(number + 1)
        return "0." + String(repeating: "0", count: decimals - raised.count) + raised
    }

    /// Property: every n:1 and 1:n to 10,000 is read from text of eight decimals; to 8,000 also when it was
    /// cut there, beyond which the next n rounded is the same text.
    @Test func everyWholeRatioToTenThousandIsReadBack() throws {
        for count in 2...10_000 {
            let forward = try ratio("\(count)")
            #expect(forward?.new == Int64(count) && forward?.old == 1, "\(count):1")
            for isCut in count <= 8_000 ? [false, true] : [false] {
                let text = Self.text(ofOneIn: count, decimals: 8, isCut: isCut)
                let reverse = try ratio(text)
                #expect(reverse?.new == 1 && reverse?.old == Int64(count), "1:\(count) as \(text)")
                // And again from the number that is kept of it.
                #expect(reverse.flatMap { SplitRatio(snapping: $0.decimal) } == reverse)
            }
        }
    }

    /// Property: a text with fewer decimals is either read as the ratio it was made from, or refused where
    /// it has too few digits to tell.
    @Test(arguments: 4...7) func shorterTextIsReadBackOrRefused(decimals: Int) throws {
        for count in 2...10_000 {
            let text = Self.text(ofOneIn: count, decimals: decimals, isCut: false)
            let digits = text.dropFirst(2).drop { $0 == "0" }.count
            guard digits >= 4 || 10_000 % count == 0 else { continue }
            guard let found = try ratio(text) else {
                // From six decimals on, ratios to 1:50 that vendors write are all read.
                #expect(decimals < 6 || count > 50, "1:\(count) as \(text)")
                continue
            }
            // Cut so far, the text may be within a millionth of another ratio, such as 0.0001000 of 1:9999.
            let scale = (0..<decimals).reduce(Int64(1)) { scale, _ in scale * 10 }
            let number = Int64(text.dropFirst(2)) ?? 0
            let distance = abs(found.new * scale - number * found.old)
            let isOwn = found.new == 1 && found.old == Int64(count)
            #expect(isOwn || distance * 1_000_000 <= found.new * scale, "1:\(count) as \(text)")
        }
    }

    /// Spin-offs that vendors write as splits, numbers below 1 that are no ratio, and no split.
    @Test(arguments: [
        "1.068833", "1.011", "1.032", "1.589", "1.265", "1.0005", "0.7431", "0.123457", "0.33",
        "0.67", "0.00001", "1", "1.0000004", "0.9999996", "0", "-2",
    ])
    func whatIsNoSplitIsNone(text: String) throws { #expect(try ratio(text) == nil) }

    @Test func toleranceIsOneInAMillion() throws {
        #expect(try ratio("2.000002") != nil)
        #expect(try ratio("2.00000201") == nil)
        #expect(try ratio("1.999998") != nil)
        #expect(try ratio("1.99999799") == nil)
        #expect(try ratio("9999.009") == ratio("9999"))
        #expect(try ratio("9999.01") == nil)
    }

    @Test func pricesAreAdjustedAndRoundedHalfToEven() throws {
        // 645.57 / 7 = 92.224285714…
        #expect(try ratio("7")?.adjusted(Price("645.57")) == Price("92.22428571"))
        #expect(try ratio("0.1")?.adjusted(Price("0.75")) == Price("7.5"))
        // Halves: 3 and 5 steps of 10^-8 for two new shares are 1.5 and 2.5, both 2.
        #expect(try ratio("2")?.adjusted(Price(units: 3)) == Price(units: 2))
        #expect(try ratio("2")?.adjusted(Price(units: 5)) == Price(units: 2))
        // Fifty times the largest price is none.
        #expect(try ratio("0.02")?.adjusted(.magnitudeMax) == nil)
    }

    @Test func quantitiesAreExchangedTowardsZero() throws {
        let tenth = try #require(try ratio("0.1"))
        // 1,234 for 10 are 123.4; what is left is 0.4 shares in tenths of 10^-8.
        let long = tenth.exchanged(Quantity(shares: 1_234))
        #expect(long?.whole == Quantity(shares: 123))
        #expect(long?.remainder == 400_000_000)
        let short = tenth.exchanged(Quantity(shares: -25))
        #expect(short?.whole == Quantity(shares: -2))
        #expect(short?.remainder == -500_000_000)
        #expect(try ratio("2")?.exchanged(.magnitudeMax) == nil)
    }
}
