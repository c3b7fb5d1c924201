import Model
import Primitives
import Simulation
import Testing

@Suite struct RegulatoryFeesTests {
    /// What a sale of `shares` at `price` pays at noon of a day in New York, with IBKR's fixed
    /// prices.
    private func fees(
        _ shares: Int64, at price: String, on day: String, side: Side = .sell
    ) throws -> FeeParts {
        var (order, month) = (OrderCosts(), MonthlyVolume())
        try charge(shares, at: price, on: day, side: side, order: &order, month: &month)
        return order.charged
    }

    private func charge(
        _ shares: Int64, at price: String, on day: String, side: Side = .sell,
        order: inout OrderCosts, month: inout MonthlyVolume
    ) throws {
        let noon = NewYork.timestamp(on: try #require(Day(day)), at: .hours(12))
        let execution = Execution(
            id: ExecutionID(base: 1), instrument: InstrumentID(index: 0), side: side,
            quantity: Quantity(shares: shares), price: try Price(price), time: noon)
        _ = CommissionSchedule.ibkrFixed.charge(for: execution, order: &order, month: &month)
    }

    /// A sale of a million dollars pays the SEC's rate per million. The days are those before a
    /// change and of a change, as the SEC announced them.
    @Test(
        arguments: [
            ("1999-12-31", "0.00"), ("2000-01-03", "33.30"), ("2001-12-27", "33.30"),
            ("2001-12-28", "15.00"), ("2002-03-29", "15.00"), ("2002-04-01", "30.10"),
            ("2003-03-21", "30.10"), ("2003-03-24", "25.20"), ("2003-04-01", "46.80"),
            ("2004-02-23", "39.00"), ("2004-04-01", "23.40"), ("2005-01-06", "23.40"),
            ("2005-01-07", "32.90"), ("2005-04-01", "41.80"), ("2005-12-21", "41.80"),
            ("2005-12-22", "30.70"), ("2007-05-07", "15.30"), ("2008-03-31", "11.00"),
            ("2008-04-01", "5.60"), ("2009-04-09", "5.60"), ("2009-04-10", "25.70"),
            ("2010-01-14", "25.70"), ("2010-01-15", "12.70"), ("2010-04-01", "16.90"),
            ("2011-01-20", "16.90"), ("2011-01-21", "19.20"), ("2012-02-21", "18.00"),
            ("2012-11-15", "22.40"), ("2014-03-17", "17.40"), ("2014-03-18", "22.10"),
            ("2015-02-13", "22.10"), ("2015-02-17", "18.40"), ("2016-02-16", "21.80"),
            ("2017-07-03", "21.80"), ("2017-07-05", "23.10"), ("2018-05-21", "23.10"),
            ("2018-05-22", "13.00"), ("2019-04-15", "13.00"), ("2019-04-16", "20.70"),
            ("2020-02-18", "22.10"), ("2021-02-24", "22.10"), ("2021-02-25", "5.10"),
            ("2022-05-13", "5.10"), ("2022-05-16", "22.90"), ("2023-02-27", "8.00"),
            ("2024-05-21", "8.00"), ("2024-05-22", "27.80"), ("2025-05-13", "27.80"),
            ("2025-05-14", "0.00"), ("2026-04-02", "0.00"), ("2026-04-06", "20.60"),
            ("2030-01-02", "20.60"),
        ] as [(String, String)])
    func theSECsRateGoesByTheDay(day: String, fee: String) throws {
        #expect(try fees(10_000, at: "100", on: day).sec == Money(fee))
    }

    /// 10,000 shares pay a hundredth of the rate per million; a million shares pay the maximum.
    @Test(
        arguments: [
            ("2003-08-29", "0.00", "0.00"), ("2003-09-02", "1.00", "10.00"),
            ("2004-10-29", "1.00", "10.00"), ("2004-11-01", "0.75", "3.75"),
            ("2011-06-30", "0.75", "3.75"), ("2011-07-01", "0.90", "4.50"),
            ("2012-02-29", "0.90", "4.50"), ("2012-03-01", "0.95", "4.75"),
            ("2012-06-29", "0.95", "4.75"), ("2012-07-02", "1.19", "5.95"),
            ("2021-12-31", "1.19", "5.95"), ("2022-01-03", "1.30", "6.49"),
            ("2023-01-03", "1.45", "7.27"), ("2024-01-02", "1.66", "8.30"),
            ("2025-12-31", "1.66", "8.30"), ("2026-01-02", "1.95", "9.79"),
        ] as [(String, String, String)])
    func tradingActivityGoesByTheDay(day: String, fee: String, maximum: String) throws {
        #expect(try fees(10_000, at: "10", on: day).taf == Money(fee))
        #expect(try fees(1_000_000, at: "10", on: day).taf == Money(maximum))
    }

    @Test func purchasesPayNothing() throws {
        let parts = try fees(10_000, at: "100", on: "2019-06-03", side: .buy)
        #expect(parts.sec == .zero && parts.taf == .zero)
        #expect(try parts.total == Money("50.00"))
    }

    @Test(
        arguments: [
            // 13.00 per million: 10,000.00 · 0.000013 = 0.13 exactly.
            (100, "100", "2018-06-04", "0.13"),
            // One cent of value more, 0.13000013, is cut to 0.13000.
            (1, "10000.01", "2018-06-04", "0.13"),
            // 10,001.00 · 0.000013 = 0.130013, cut to 0.13001, rounded up.
            (1, "10001", "2018-06-04", "0.14"),
            // 8.00 per million: 1,251.24 · 0.000008 = 0.01000992, cut to 0.01000.
            (1, "1251.24", "2023-06-05", "0.01"),
            // 1,251.25 · 0.000008 = 0.01001, rounded up.
            (1, "1251.25", "2023-06-05", "0.02"),
            // 1.24 · 0.000008 = 0.00000992, cut to nothing; 1.25 · 0.000008 = 0.00001, a cent.
            (1, "1.24", "2023-06-05", "0.00"), (1, "1.25", "2023-06-05", "0.01"),
        ] as [(Int64, String, String, String)])
    func theSECsFeeIsCutToFiveDecimalsAndRoundedUp(
        shares: Int64, price: String, day: String, fee: String
    ) throws {
        #expect(try fees(shares, at: price, on: day).sec == Money(fee))
    }

    @Test(
        arguments: [
            // 0.000119 a share: 0.0119, 0.014994, 0.015113 (the nearest cents), then the maximum.
            (100, "2019-06-03", "0.01"), (126, "2019-06-03", "0.01"), (127, "2019-06-03", "0.02"),
            (49_999, "2019-06-03", "5.95"), (50_000, "2019-06-03", "5.95"),
            (50_001, "2019-06-03", "5.95"),
            // 0.0001 a share: 50 cost half a cent and 150 one and a half, both ties to the even
            // cent.
            (50, "2004-06-03", "0.00"), (150, "2004-06-03", "0.02"),
        ] as [(Int64, String, String)])
    func tradingActivityRoundsHalfToEven(shares: Int64, day: String, fee: String) throws {
        #expect(try fees(shares, at: "10", on: day).taf == Money(fee))
    }

    @Test func ordersOverAChangeOfRatesPayEachDaysRate() throws {
        var (order, month) = (OrderCosts(), MonthlyVolume())
        try charge(50_000, at: "10", on: "2021-12-31", order: &order, month: &month)
        #expect(try order.charged.taf == Money("5.95"))
        // 5.95 + 6.50 = 12.45, more than the new maximum of 6.49.
        try charge(50_000, at: "10", on: "2022-01-03", order: &order, month: &month)
        #expect(try order.charged.taf == Money("6.49"))

        (order, month) = (OrderCosts(), MonthlyVolume())
        try charge(100_000, at: "10", on: "2004-10-29", order: &order, month: &month)
        #expect(try order.charged.taf == Money("10.00"))
        // The maximum fell to 3.75; nothing is given back. 23.40 and 23.40 per million for the SEC.
        try charge(100_000, at: "10", on: "2004-11-01", order: &order, month: &month)
        #expect(try order.charged.taf == Money("10.00"))
        #expect(try order.charged.sec == Money("46.80"))
    }

    /// 2019-04-16 02:00 UTC is the evening of the 15th in New York, when 13.00 still held.
    @Test func theDayIsNewYorks() throws {
        var (order, month) = (OrderCosts(), MonthlyVolume())
        let execution = Execution(
            id: ExecutionID(base: 1), instrument: InstrumentID(index: 0), side: .sell,
            quantity: Quantity(shares: 10_000), price: try Price("100"),
            time: Timestamp(seconds: 1_555_380_000))
        _ = CommissionSchedule.ibkrFixed.charge(for: execution, order: &order, month: &month)
        #expect(try order.charged.sec == Money("13.00"))
    }

    @Test func theTotalIsTheSumOfTheParts() throws {
        // 1,000 · 0.005 = 5.00; 100,000 · 0.0000207 = 2.07; 1,000 · 0.000119 = 0.119.
        let parts = try fees(1_000, at: "100", on: "2019-06-03")
        #expect(try parts.commission == Money("5.00"))
        #expect(try parts.sec == Money("2.07"))
        #expect(try parts.taf == Money("0.12"))
        #expect(try parts.total == Money("7.19"))
    }

    @Test func theTablesStateFromWhenTheyAreValid() {
        #expect(RegulatoryFees.sectionThirtyOneGoodFrom == Day("2000-01-01"))
        #expect(RegulatoryFees.tradingActivityGoodFrom == Day("2003-09-01"))
    }
}
