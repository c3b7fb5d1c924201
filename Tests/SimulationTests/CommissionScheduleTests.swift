import Model
import Primitives
import Simulation
import Testing

@Suite struct CommissionScheduleTests {
    /// An account and the order it is filling.
    private struct Account {
        let schedule: CommissionSchedule
        var month = MonthlyVolume()
        var order = OrderCosts()

        init(_ schedule: CommissionSchedule) { self.schedule = schedule }

        mutating func fill(
            _ shares: Int64, at price: Price, side: Side = .buy,
            time: Timestamp = Timestamp(seconds: 1_549_900_800), multiplier: Int64 = 1
        ) -> Money {
            let execution = Execution(
                id: ExecutionID(base: 1), instrument: InstrumentID(index: 0), side: side,
                quantity: Quantity(shares: shares), price: price, time: time)
            return schedule.charge(
                for: execution, multiplier: multiplier, order: &order, month: &month)
        }

        mutating func fillWhole(
            _ shares: Int64, at price: Price, side: Side = .buy,
            time: Timestamp = Timestamp(seconds: 1_549_900_800)
        ) -> Money {
            order = OrderCosts()
            return fill(shares, at: price, side: side, time: time)
        }
    }

    // MARK: IBKR fixed

    /// The first three are examples of IBKR's price page, the fourth of its note on maximums.
    @Test(
        arguments: [
            (100, "25", "1.00"), (1_000, "25", "5.00"), (1_000, "0.25", "2.50"),
            (10, "0.20", "0.02"),
            // 0.005 · 201 = 1.005, a tie to the even cent; 0.005 · 203 = 1.015, the other way.
            (201, "25", "1.00"), (203, "25", "1.02"),
            // 1 % of 1 · 99.50 is 0.995, a tie to 1.00; of 1 · 98.50 is 0.985, a tie to 0.98.
            (1, "99.50", "1.00"), (1, "98.50", "0.98"), (1, "500", "1.00"), (1, "0.01", "0.00"),
        ] as [(Int64, String, String)])
    func fixedIsPerShareWithMinimumAndMaximum(shares: Int64, price: String, fee: String) throws {
        var account = Account(.ibkrFixed)
        #expect(try account.fill(shares, at: Price(price)) == Money(fee))
    }

    /// IBKR's comparison of fixed and tiered prices, interactivebrokers.ca, at the SEC's rate of
    /// 8.00 per million and TAF's of 2023: 200,000 · 0.005 + 1,000,000 · 0.000008 + 7.27 =
    /// 1,015.27, and 30,000,000 · 0.005 + 150,000,000 · 0.000008 + 7.27 = 151,207.27.
    @Test(arguments: [(200_000, "1015.27"), (30_000_000, "151207.27")] as [(Int64, String)])
    func fixedAgreesWithIBKRsExamples(shares: Int64, total: String) throws {
        var account = Account(.ibkrFixed)
        let summerOf2023 = Timestamp(seconds: 1_688_400_000)
        let fee = try account.fill(shares, at: Price("5"), side: .sell, time: summerOf2023)
        #expect(try fee == Money(total))
        #expect(try account.order.charged.taf == Money("7.27"))
    }

    // MARK: IBKR tiered

    /// From the same examples, without what is not modelled: commission 1,050 + 5,400 + 25,500 +
    /// 10,000 and clearing 6,000; for 200,000 shares 700 and 40. With SEC 1,200 and 8, TAF 7.27
    /// each.
    @Test(
        arguments: [
            (30_000_000, "47950.00", "49157.27"), (200_000, "740.00", "755.27"),
        ] as [(Int64, String, String)])
    func tieredAgreesWithIBKRsExamples(shares: Int64, commission: String, total: String) throws {
        var account = Account(.ibkrTiered)
        let summerOf2023 = Timestamp(seconds: 1_688_400_000)
        let fee = try account.fill(shares, at: Price("5"), side: .sell, time: summerOf2023)
        #expect(try account.order.charged.commission == Money(commission))
        #expect(try fee == Money(total))
    }

    @Test func tieredHasMinimumAndMaximumBeforeClearing() throws {
        var account = Account(.ibkrTiered)
        // 50 · 0.0035 = 0.175, raised to 0.35; clearing 50 · 0.0002 = 0.01.
        #expect(try account.fillWhole(50, at: Price("10")) == Money("0.36"))
        // 50 · 0.0035 = 0.175, raised to 0.35, lowered to 1 % of 10 = 0.10; clearing 0.01.
        #expect(try account.fillWhole(50, at: Price("0.20")) == Money("0.11"))
    }

    @Test func tiersFollowTheMonthsVolume() throws {
        var account = Account(.ibkrTiered)
        let price = try Price("100")
        // 290,000 · 0.0035 + 290,000 · 0.0002 = 1,015 + 58.
        #expect(try account.fillWhole(290_000, at: price) == Money("1073.00"))
        // 10,000 · 0.0035 + 10,000 · 0.002 + 20,000 · 0.0002 = 35 + 20 + 4.
        #expect(try account.fillWhole(20_000, at: price) == Money("59.00"))
        // 2,690,000 · 0.002 + 10,000 · 0.0015 + 2,700,000 · 0.0002 = 5,380 + 15 + 540.
        #expect(try account.fillWhole(2_700_000, at: price) == Money("5935.00"))
        // 16,990,000 · 0.0015 + 80,000,000 · 0.001 + 10,000 · 0.0005 + 97,000,000 · 0.0002.
        #expect(try account.fillWhole(97_000_000, at: price) == Money("124890.00"))
    }

    @Test func tiersStartAnewWithTheMonthInNewYork() throws {
        var account = Account(.ibkrTiered)
        let price = try Price("100")
        let january = Timestamp(seconds: 1_548_950_400)  // 2019-01-31 16:00 UTC
        _ = account.fillWhole(300_000, at: price, time: january)
        // 2019-02-01 04:59:59 UTC is still January in New York: 20,000 · 0.002 + 4.
        let lastSecond = Timestamp(seconds: 1_548_997_199)
        #expect(try account.fillWhole(20_000, at: price, time: lastSecond) == Money("44.00"))
        // A second later it is February: 20,000 · 0.0035 + 4.
        let nextSecond = Timestamp(seconds: 1_548_997_200)
        #expect(try account.fillWhole(20_000, at: price, time: nextSecond) == Money("74.00"))
        // And the same month of another year is another month.
        let nextYear = Timestamp(seconds: 1_580_572_800)  // 2020-02-01 16:00 UTC
        _ = account.fillWhole(280_000, at: price, time: nextSecond)
        #expect(try account.fillWhole(20_000, at: price, time: nextYear) == Money("74.00"))
    }

    // MARK: Others

    @Test func perShareHasOptionalMaximum() throws {
        let (rate, minimum) = try (Money("0.01"), Money("2"))
        var limited = Account(
            .perShare(rate: rate, minimum: minimum, maximum: try Percent("0.5")))
        // 300 · 0.01 = 3; 100 · 0.01 = 1, raised to 2; 1 % of 100 at half a percent = 0.50.
        #expect(try limited.fillWhole(300, at: Price("50")) == Money("3.00"))
        #expect(try limited.fillWhole(100, at: Price("50")) == Money("2.00"))
        #expect(try limited.fillWhole(100, at: Price("1")) == Money("0.50"))
        var unlimited = Account(.perShare(rate: rate, minimum: minimum, maximum: nil))
        #expect(try unlimited.fillWhole(100, at: Price("0.01")) == Money("2.00"))
    }

    @Test func percentHasAMinimum() throws {
        var account = Account(.percent(try Percent("0.1"), minimum: try Money("1")))
        #expect(try account.fillWhole(100, at: Price("100")) == Money("10.00"))
        #expect(try account.fillWhole(5, at: Price("100")) == Money("1.00"))
    }

    @Test func perOrderIsChargedOnce() throws {
        var account = Account(.perOrder(try Money("4.95")))
        #expect(try account.fill(1, at: Price("100")) == Money("4.95"))
        #expect(try account.fill(99, at: Price("100")) == .zero)
        #expect(try account.fillWhole(1, at: Price("100")) == Money("4.95"))
    }

    @Test func noneChargesNothing() throws {
        var account = Account(.none)
        #expect(try account.fill(1_000_000, at: Price("100"), side: .sell) == .zero)
    }

    @Test func onlyIBKRsSchedulesPassOnRegulatoryFees() throws {
        let others: [CommissionSchedule] = [
            .perShare(rate: try Money("0.01"), minimum: .zero, maximum: nil),
            .percent(try Percent("1"), minimum: .zero), .perOrder(try Money("1")), .none,
        ]
        for schedule in others {
            var account = Account(schedule)
            _ = try account.fill(1_000, at: Price("100"), side: .sell)
            #expect(!schedule.passesOnRegulatoryFees)
            #expect(account.order.charged.sec == .zero && account.order.charged.taf == .zero)
        }
        #expect(CommissionSchedule.ibkrFixed.passesOnRegulatoryFees)
        #expect(CommissionSchedule.ibkrTiered.passesOnRegulatoryFees)
    }

    @Test func aMultiplierEnlargesTheValue() throws {
        // 1 % of 2.00 · 100 for one option.
        var account = Account(.percent(try Percent("1"), minimum: .zero))
        #expect(try account.fill(1, at: Price("2"), multiplier: 100) == Money("2.00"))
    }

    @Test func aPriceBelowZeroIsNoRebate() throws {
        var account = Account(.percent(try Percent("1"), minimum: .zero))
        #expect(try account.fill(100, at: Price("-2")) == Money("2.00"))
    }

    @Test func anExecutionOfNothingCostsNothing() throws {
        var account = Account(.perOrder(try Money("4.95")))
        #expect(try account.fill(0, at: Price("100")) == .zero)
        #expect(try account.fill(1, at: Price("100")) == Money("4.95"))
    }

    // MARK: Many executions

    @Test func theMinimumIsSharedByTheExecutionsOfAnOrder() throws {
        var account = Account(.ibkrFixed)
        // 1 % of 5 = 0.05; then min(max(100 · 0.005, 1), 5) = 1; then 300 · 0.005 = 1.50.
        #expect(try account.fill(1, at: Price("5")) == Money("0.05"))
        #expect(try account.fill(99, at: Price("5")) == Money("0.95"))
        #expect(try account.fill(100, at: Price("5")) == .zero)
        #expect(try account.fill(100, at: Price("5")) == Money("0.50"))
        #expect(try account.order.charged.total == Money("1.50"))
    }

    private func randomSchedule(_ generator: inout SeededGenerator) -> CommissionSchedule {
        let rate = Money(units: .random(in: 0...20_000, using: &generator))
        let minimum = Money(units: .random(in: 0...2_000_000, using: &generator))
        let percent = Percent(units: .random(in: 0...2_000_000, using: &generator))
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: return .ibkrFixed
        case 1: return .ibkrTiered
        case 2: return .perShare(rate: rate, minimum: minimum, maximum: percent)
        case 3: return .perShare(rate: rate, minimum: minimum, maximum: nil)
        case 4: return .percent(percent, minimum: minimum)
        case 5: return .perOrder(minimum)
        default: return .none
        }
    }

    /// Property: charges are never below zero and sum up to what the order costs filled in one.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func anySplitOfAnOrderCostsTheSame(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            var account = Account(randomSchedule(&generator))
            let side: Side = Bool.random(using: &generator) ? .buy : .sell
            let price = Price(units: .random(in: 1...50_000_000_000, using: &generator))
            let largest: Int64 = [10, 1_000, 2_000_000][Int.random(in: 0..<3, using: &generator)]
            // Volume of earlier orders, so that tiers begin anywhere.
            _ = account.fillWhole(.random(in: 1...largest, using: &generator), at: price)
            let shares = Int64.random(in: 1...largest, using: &generator)
            var whole = account
            let expected = whole.fillWhole(shares, at: price, side: side)

            account.order = OrderCosts()
            var left = shares
            var sum = Money.zero
            while left > 0 {
                let part = Int64.random(in: 1...max(1, left / 2), using: &generator)
                let charge = account.fill(part, at: price, side: side)
                #expect(charge >= .zero)
                #expect(charge.units % 10_000 == 0)
                sum += charge
                left -= part
            }
            #expect(sum == expected, "\(account.schedule), \(shares) at \(price)")
            #expect(account.order.charged == whole.order.charged)
            #expect(account.order.charged.total == sum)
        }
    }

    /// The same with prices that differ: splitting the executions once more changes nothing.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func splittingExecutionsAtTheirPricesCostsTheSame(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let schedule = randomSchedule(&generator)
        var coarse = Account(schedule)
        var fine = Account(schedule)
        for _ in 0..<20 {
            let price = Price(units: .random(in: 1...50_000_000_000, using: &generator))
            let shares = Int64.random(in: 2...5_000, using: &generator)
            let first = Int64.random(in: 1..<shares, using: &generator)
            let together = coarse.fill(shares, at: price, side: .sell)
            let apart =
                fine.fill(first, at: price, side: .sell)
                + fine.fill(shares - first, at: price, side: .sell)
            #expect(together == apart)
        }
        #expect(coarse.order.charged == fine.order.charged)
    }

    @Test func theLargestOrderDoesNotTrap() throws {
        for schedule in [CommissionSchedule.ibkrFixed, .ibkrTiered] {
            var account = Account(schedule)
            // 10^12 dollars, the largest trade an edge accepts, twice: as few shares and as many.
            _ = try account.fillWhole(10_000, at: Price("100000000"), side: .sell)
            _ = try account.fillWhole(90_000_000_000, at: Price("11.11"), side: .sell)
        }
    }
}
