import Primitives
import Testing

@Suite struct PriceTests {
    @Test(
        arguments: [
            (0, "0.00"), (1, "0.00000001"), (-1, "-0.00000001"), (100_000_000, "1.00"),
            (10_000_000, "0.10"), (10_005_000_000, "100.05"), (-12_345_678, "-0.12345678"),
            (123_456_789_000, "1234.56789"), (Int64.max, "92233720368.54775807"),
            (Int64.min, "-92233720368.54775808"),
        ] as [(Int64, String)])
    func printsAllItsDecimalsAndAtLeastTwo(units: Int64, text: String) throws {
        #expect(Price(units: units).description == text)
        #expect(try Price(text) == Price(units: units))
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func readsWhatItPrints(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for shift in 0..<64 {
            let price = Price(units: Int64(bitPattern: generator.next()) >> shift)
            #expect(try Price(price.description) == price)
        }
    }

    @Test(
        arguments: [
            ("+1.5", 150_000_000), ("-0", 0), ("0007.25", 725_000_000), ("1", 100_000_000),
            ("0.000000010000", 1),
        ] as [(String, Int64)])
    func readsSignsAndNeedlessZeros(text: String, units: Int64) throws {
        #expect(try Price(text) == Price(units: units))
    }

    @Test(arguments: [
        "", "-", "+", ".", "-.", "1.", ".5", "-.5", "1e5", "1E-5", " 1", "1 ", "1,000", "--1",
        "+-1",
        "1-", "1.2.3", "1..2", "NaN", "inf", "0x10", "١", "1٫5", "€1", "1_000",
    ])
    func refusesWhatIsNoDecimalNumber(text: String) {
        #expect(throws: DecimalError.notANumber(text)) { try Price(text) }
    }

    @Test(arguments: ["0.000000001", "1.000000010001", "-7.123456789", "92233720368.547758070001"])
    func refusesDigitsItWouldLose(text: String) {
        #expect(throws: DecimalError.tooPrecise(text, digitsMax: 8)) { try Price(text) }
    }

    @Test(arguments: [
        "92233720368.54775808", "-92233720368.54775809", "92233720369", "-92233720369",
        "184467440737.09551615", "184467440737.09551616", "18446744073709551616",
        "99999999999999999999999999999999999999999999", "-99999999999999999999999999.00000001",
    ])
    func refusesWhatDoesNotFit(text: String) {
        #expect(throws: DecimalError.outOfRange(text)) { try Price(text) }
    }

    @Test func roundsFloatingPointHalfToEven() {
        // 10^8 / 512 = 195,312.5 exactly, and 512 divides the doubles exactly.
        #expect(Price(rounding: 1.0 / 512) == Price(units: 195_312))
        #expect(Price(rounding: 3.0 / 512) == Price(units: 585_938))
        #expect(Price(rounding: -1.0 / 512) == Price(units: -195_312))
        #expect(Price(rounding: -3.0 / 512) == Price(units: -585_938))
        #expect(Price(rounding: 0.1) == Price(units: 10_000_000))
        #expect(Price(rounding: -0.0) == .zero)
        #expect(Price(rounding: 1e8) == .magnitudeMax)
        #expect(Price(rounding: -1e8) == -.magnitudeMax)
    }

    @Test(
        arguments: [
            .nan, .signalingNaN, .infinity, -.infinity, 100_000_001, -100_000_001, 1e300,
            .greatestFiniteMagnitude,
        ] as [Double])
    func refusesFloatingPointThatIsNoPrice(value: Double) {
        #expect(Price(rounding: value) == nil)
    }

    @Test(
        arguments: [
            (7, 5, 5, 10), (5, 5, 5, 5), (0, 5, 0, 0), (-7, 5, -10, -5), (-5, 5, -5, -5),
            (-1, 5, -5, 0), (1, 5, 0, 5), (-11, 3, -12, -9), (11, 1, 11, 11),
        ] as [(Int64, Int64, Int64, Int64)])
    func movesToTheTickBelowAndAbove(units: Int64, tick: Int64, down: Int64, up: Int64) {
        let price = Price(units: units)
        #expect(price.roundedDown(to: Price(units: tick)) == Price(units: down))
        #expect(price.roundedUp(to: Price(units: tick)) == Price(units: up))
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func ticksAreTheNearestOnEitherSide(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let price = Price(units: .random(in: -1_000_000...1_000_000, using: &generator))
            let tick = Price(units: .random(in: 1...1_000, using: &generator))
            let (down, up) = (price.roundedDown(to: tick), price.roundedUp(to: tick))
            #expect(down <= price && price <= up)
            #expect(down.units % tick.units == 0 && up.units % tick.units == 0)
            #expect(up - down == (price.units % tick.units == 0 ? .zero : tick))
        }
    }

    @Test func timesAQuantityIsExact() throws {
        // 0.00000001 · 0.00000001 = 10^-16; 100.05 · 3 = 300.15; 10^8 · 9·10^10 = 9·10^18.
        #expect((Price(units: 1) * Quantity(units: 1)).units == 1)
        let value = try Price("100.05") * Quantity(shares: -3)
        #expect(value == ExactMoney(try Money("-300.15")))
        let largest: Int128 = 90_000_000_000_000_000_000_000_000_000_000_000
        #expect((Price.magnitudeMax * Quantity.magnitudeMax).units == largest)
    }

    @Test func addsAndOrders() {
        #expect(Price(cents: 150) + Price(cents: -50) == Price(cents: 100))
        #expect(Price(cents: 150) - Price(cents: 50) == Price(units: 100_000_000))
        #expect(Price(cents: -1) < .zero)
    }
}
