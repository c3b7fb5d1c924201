import Primitives
import Testing

@Suite struct MoneyTests {
    @Test(
        arguments: [
            (0, "0.00"), (1, "0.000001"), (-1, "-0.000001"), (962_333_000_000, "962333.00"),
            (-12_500_000, "-12.50"), (1_234_560, "1.23456"), (Int64.max, "9223372036854.775807"),
            (Int64.min, "-9223372036854.775808"),
        ] as [(Int64, String)])
    func printsAllItsDecimalsAndAtLeastTwo(units: Int64, text: String) throws {
        #expect(Money(units: units).description == text)
        #expect(try Money(text) == Money(units: units))
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func readsWhatItPrints(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for shift in 0..<64 {
            let money = Money(units: Int64(bitPattern: generator.next()) >> shift)
            #expect(try Money(money.description) == money)
        }
    }

    @Test func refusesWhatItCannotHold() {
        #expect(throws: DecimalError.notANumber("$5")) { try Money("$5") }
        #expect(throws: DecimalError.tooPrecise("0.0000001", digitsMax: 6)) {
            try Money("0.0000001")
        }
        #expect(throws: DecimalError.outOfRange("9223372036854.775808")) {
            try Money("9223372036854.775808")
        }
        #expect(throws: DecimalError.outOfRange("-9223372036854.775809")) {
            try Money("-9223372036854.775809")
        }
    }

    @Test(arguments: [
        ("0.005", "0.00"), ("0.015", "0.02"), ("0.025", "0.02"), ("0.035", "0.04"),
        ("-0.005", "0.00"), ("-0.015", "-0.02"), ("-0.025", "-0.02"), ("-0.035", "-0.04"),
        ("0.005001", "0.01"), ("0.004999", "0.00"), ("-0.005001", "-0.01"),
        ("-0.004999", "0.00"), ("1.234567", "1.23"), ("-1.235", "-1.24"), ("2.00", "2.00"),
    ])
    func centsRoundHalfToEven(text: String, cents: String) throws {
        #expect(try Money(text).roundedToCents == Money(cents))
    }

    /// 10^-6 is 10^10 units of 10^-16, so 5·10^9 is half a unit of money.
    @Test(
        arguments: [
            (5_000_000_000, 0), (15_000_000_000, 2), (25_000_000_000, 2), (-5_000_000_000, 0),
            (-15_000_000_000, -2), (-25_000_000_000, -2), (5_000_000_001, 1), (4_999_999_999, 0),
            (-5_000_000_001, -1), (-4_999_999_999, 0), (0, 0), (30_000_000_000, 3),
        ] as [(Int, Int64)])
    func exactAmountsRoundHalfToEven(units: Int, money: Int64) {
        let exact = ExactMoney(units: Int128(units))
        #expect(exact.rounded() == Money(units: money))
        #expect(exact.roundedIfRepresentable() == Money(units: money))
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func roundingIsNearest(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for shift in 0..<40 {
            let money = Money(units: Int64(bitPattern: generator.next()) >> (shift + 10))
            let remainder = money - money.roundedToCents
            #expect(remainder.magnitude <= Money(units: 5_000))
            #expect(money.roundedToCents.units % 10_000 == 0)
            #expect((-money).roundedToCents == -money.roundedToCents)
        }
    }

    @Test func exactAmountsBeyondMoneyAreNil() {
        let limit = ExactMoney(Money(units: .max))
        #expect(limit.roundedIfRepresentable() == Money(units: .max))
        #expect((limit + limit).roundedIfRepresentable() == nil)
        #expect((-limit - limit).roundedIfRepresentable() == nil)
        #expect(ExactMoney(Money(units: .min)).roundedIfRepresentable() == Money(units: .min))
    }

    @Test func addsMultipliesAndOrders() {
        var money = Money(cents: 10_00)
        money += Money(cents: 5)
        #expect(money - Money(cents: 20_00) == Money(units: -9_950_000))
        #expect((Money(cents: -3)).magnitude == Money(cents: 3))
        var exact = ExactMoney(Money(cents: 2_00)) * -3
        #expect(exact == ExactMoney(Money(cents: -6_00)))
        exact += ExactMoney(Money(cents: 7_00))
        exact -= ExactMoney(Money(cents: 50))
        #expect(exact.rounded() == Money(cents: 50))
        #expect((-exact).magnitude == exact)
        #expect(ExactMoney.tradeMax.rounded() == Money(units: 1_000_000_000_000_000_000))
        #expect(ExactMoney(units: -1) < .zero)
    }
}
