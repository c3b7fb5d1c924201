import Model
import Primitives
import Testing

@Suite struct SplitRatioTests {
    private func ratio(_ text: String) throws -> SplitRatio? {
        SplitRatio(snapping: try Quantity(text))
    }

    /// Ratios as vendors write them; among them AAPL 2014 and 2020, CMCSA 2007 (3 for 2), BKNG 2003 (1 for
    /// 6), EQIX 2002 (1 for 32) and BRK.B 2010 (50 for 1).
    @Test(
        arguments: [
            ("2", 2, 1), ("4", 4, 1), ("7", 7, 1), ("50", 50, 1), ("1.5", 3, 2), ("0.5", 1, 2),
            ("0.1", 1, 10), ("0.166667", 1, 6), ("0.333333", 1, 3), ("0.666667", 2, 3),
            ("0.03125", 1, 32), ("0.02", 1, 50), ("1.05", 21, 20), ("1.142857", 8, 7),
        ] as [(String, Int64, Int64)])
    func decimalTextSnapsToTheRatioMeant(text: String, new: Int64, old: Int64) throws {
        let ratio = try ratio(text)
        #expect(ratio?.new == new)
        #expect(ratio?.old == old)
    }

    /// Spin-offs that vendors write as splits, a ratio of more than fifty old shares, and no split.
    @Test(arguments: [
        "1.068833", "1.011", "1.032", "1.589", "1.265", "0.01", "1", "1.0000004", "0", "-2",
    ])
    func whatIsNoSplitIsNone(text: String) throws { #expect(try ratio(text) == nil) }

    @Test func toleranceIsFiveInTenMillion() throws {
        #expect(try ratio("2.0000005") != nil)
        #expect(try ratio("2.00000051") == nil)
        #expect(try ratio("1.9999995") != nil)
        #expect(try ratio("1.99999949") == nil)
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
        #expect(long?.rest == 400_000_000)
        let short = tenth.exchanged(Quantity(shares: -25))
        #expect(short?.whole == Quantity(shares: -2))
        #expect(short?.rest == -500_000_000)
        #expect(try ratio("2")?.exchanged(.magnitudeMax) == nil)
    }
}
