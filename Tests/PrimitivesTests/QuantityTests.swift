import Primitives
import Testing

@Suite struct QuantityTests {
    @Test(
        arguments: [
            (0, "0"), (1, "0.00000001"), (-1, "-0.00000001"), (10_000_000_000, "100"),
            (114_040_000, "1.1404"), (-50_000_000, "-0.5"), (Int64.max, "92233720368.54775807"),
            (Int64.min, "-92233720368.54775808"),
        ] as [(Int64, String)])
    func printsNoNeedlessDecimals(units: Int64, text: String) throws {
        #expect(Quantity(units: units).description == text)
        #expect(try Quantity(text) == Quantity(units: units))
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func readsWhatItPrints(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for shift in 0..<64 {
            let quantity = Quantity(units: Int64(bitPattern: generator.next()) >> shift)
            #expect(try Quantity(quantity.description) == quantity)
        }
    }

    @Test func refusesWhatItCannotHold() {
        #expect(throws: DecimalError.notANumber("ten")) { try Quantity("ten") }
        #expect(throws: DecimalError.tooPrecise("0.123456789", digitsMax: 8)) {
            try Quantity("0.123456789")
        }
        #expect(throws: DecimalError.outOfRange("92233720369")) { try Quantity("92233720369") }
    }

    @Test(
        arguments: [
            (250_000_000, 200_000_000, false), (-250_000_000, -200_000_000, false),
            (99_999_999, 0, false), (-99_999_999, 0, false), (300_000_000, 300_000_000, true),
            (0, 0, true), (-100_000_000, -100_000_000, true),
        ] as [(Int64, Int64, Bool)])
    func wholeSharesDropTheFraction(units: Int64, whole: Int64, isWhole: Bool) {
        #expect(Quantity(units: units).wholeShares == Quantity(units: whole))
        #expect(Quantity(units: units).isWhole == isWhole)
    }

    @Test func addsAndOrders() {
        var quantity = Quantity(shares: 5)
        quantity += Quantity(shares: 2)
        quantity -= Quantity(shares: 10)
        #expect(quantity == Quantity(shares: -3))
        #expect(quantity.magnitude == Quantity(shares: 3))
        #expect(-quantity == Quantity(shares: 3))
        #expect(quantity < .zero)
        #expect(Quantity.magnitudeMax == Quantity(shares: 90_000_000_000))
    }
}
