package import Primitives

/// What trading costs, part by part, each in whole cents.
package struct FeeParts: Hashable, Sendable {
    /// The broker's commission; with the tiered schedule clearing is in it.
    package var commission: Money
    /// The SEC's section 31 fee.
    package var sec: Money
    /// FINRA's trading activity fee.
    package var taf: Money

    /// No costs.
    package static let zero = FeeParts(commission: .zero, sec: .zero, taf: .zero)

    /// The sum of the parts: the amount of a commission report.
    package var total: Money { commission + sec + taf }

    /// Each part, or that of `due` where it is more: what was charged is never given back.
    func raised(to due: FeeParts) -> FeeParts {
        FeeParts(
            commission: max(commission, due.commission), sec: max(sec, due.sec),
            taf: max(taf, due.taf))
    }
}

/// What regulators of the United States take from sales of shares, by the day of the trade.
///
/// Before the first row of a table the fee is zero here, whatever it was; see
/// `sectionThirtyOneGoodFrom` and `tradingActivityGoodFrom`. Both tables were read on 2026-11-21;
/// the last row goes on for ever.
///
/// Left out: the consolidated audit trail's fee (both sides, since 2024; USD 0.000003 a share in
/// 2026), TAF's exemption of prices below its rate, and everything about options and futures.
package enum RegulatoryFees {
    /// The SEC's rate per dollar of sales from a day on.
    ///
    /// The SEC's dates are charge dates, which for shares are settlement dates (17 CFR 240.31
    /// (a)(3), since 2004). Here the rate goes by the trade date, so the last one to three trading
    /// days before a change pay the old rate.
    struct SectionThirtyOneRate {
        let from: Day
        let ofSales: Percent
    }

    /// FINRA's rate per share sold from a day on. Its dates are trade dates (FINRA's TAF questions,
    /// Q100.8).
    struct TradingActivityRate {
        let from: Day
        let perShare: Money
        let maximum: Money
    }

    /// The first day the SEC's fee is known of. It is older, at the rate of the first row.
    package static let sectionThirtyOneGoodFrom = date(2000, 1, 1)

    /// The first day TAF is known of. NASD took one since October 2002, at rates not confirmed
    /// here.
    package static let tradingActivityGoodFrom = date(2003, 9, 1)

    // Sources of 2000 to 2005: traderstatus.com/secfeerates.htm; NASD Member Alerts of 2001-12-28,
    // 2003-02-24, 2003-03-03, 2004-01-28, 2004-03-04; SEC Fee Rate Advisories 2003 #12 and 2005 #6.
    // Since then: SEC press releases 2007-89, 2010-255, 2012-232; lexology.com (April 2008, January
    // 2010); Traders Magazine of 2009-04-15; FINRA Information Notices of 2010-03-10, 2014-03-03,
    // 2014-10-07, 2016-03-15, 2018-05-07; Katten's digest of 2012-01-20; advisories 2018 #3, 2019
    // #2, 2021 #2; IBKR's price pages (8.00, 27.80); Security Traders Association on 2025-05-14; 91
    // FR 10643 (2026). The days of 2007, January 2008, April 2012, 2013, 2015 to 2017, 2020, 2022
    // to 2024 and 2026 are from public code that cites the advisories, and agree with the law: 30
    // days after the appropriation until 2011, 60 days since, April 1 for changes within the year.
    // Seen there only: the rates 18.40 and 22.90.
    static let sectionThirtyOne = [
        SectionThirtyOneRate(from: sectionThirtyOneGoodFrom, centsPerMillion: 33_30),
        SectionThirtyOneRate(from: date(2001, 12, 28), centsPerMillion: 15_00),
        SectionThirtyOneRate(from: date(2002, 4, 1), centsPerMillion: 30_10),
        SectionThirtyOneRate(from: date(2003, 3, 22), centsPerMillion: 25_20),
        SectionThirtyOneRate(from: date(2003, 4, 1), centsPerMillion: 46_80),
        SectionThirtyOneRate(from: date(2004, 2, 22), centsPerMillion: 39_00),
        SectionThirtyOneRate(from: date(2004, 4, 1), centsPerMillion: 23_40),
        SectionThirtyOneRate(from: date(2005, 1, 7), centsPerMillion: 32_90),
        SectionThirtyOneRate(from: date(2005, 4, 1), centsPerMillion: 41_80),
        SectionThirtyOneRate(from: date(2005, 12, 22), centsPerMillion: 30_70),
        SectionThirtyOneRate(from: date(2007, 3, 17), centsPerMillion: 15_30),
        SectionThirtyOneRate(from: date(2008, 1, 25), centsPerMillion: 11_00),
        SectionThirtyOneRate(from: date(2008, 4, 1), centsPerMillion: 5_60),
        SectionThirtyOneRate(from: date(2009, 4, 10), centsPerMillion: 25_70),
        SectionThirtyOneRate(from: date(2010, 1, 15), centsPerMillion: 12_70),
        SectionThirtyOneRate(from: date(2010, 4, 1), centsPerMillion: 16_90),
        SectionThirtyOneRate(from: date(2011, 1, 21), centsPerMillion: 19_20),
        SectionThirtyOneRate(from: date(2012, 2, 21), centsPerMillion: 18_00),
        SectionThirtyOneRate(from: date(2012, 4, 1), centsPerMillion: 22_40),
        SectionThirtyOneRate(from: date(2013, 5, 25), centsPerMillion: 17_40),
        SectionThirtyOneRate(from: date(2014, 3, 18), centsPerMillion: 22_10),
        SectionThirtyOneRate(from: date(2015, 2, 14), centsPerMillion: 18_40),
        SectionThirtyOneRate(from: date(2016, 2, 16), centsPerMillion: 21_80),
        SectionThirtyOneRate(from: date(2017, 7, 4), centsPerMillion: 23_10),
        SectionThirtyOneRate(from: date(2018, 5, 22), centsPerMillion: 13_00),
        SectionThirtyOneRate(from: date(2019, 4, 16), centsPerMillion: 20_70),
        SectionThirtyOneRate(from: date(2020, 2, 18), centsPerMillion: 22_10),
        SectionThirtyOneRate(from: date(2021, 2, 25), centsPerMillion: 5_10),
        SectionThirtyOneRate(from: date(2022, 5, 14), centsPerMillion: 22_90),
        SectionThirtyOneRate(from: date(2023, 2, 27), centsPerMillion: 8_00),
        SectionThirtyOneRate(from: date(2024, 5, 22), centsPerMillion: 27_80),
        SectionThirtyOneRate(from: date(2025, 5, 14), centsPerMillion: 0),
        SectionThirtyOneRate(from: date(2026, 4, 4), centsPerMillion: 20_60),
    ]

    // Sources: 2003 NASD Notice 03-43 (day), a broker's letter of 2003-09-01 on elitetrader.com
    // (rate); 2004 Notice 04-84 (day); 2011 Regulatory Notice 11-27 (both rates); 2012 Notice 12-06
    // and 77 FR 38690 (July); 2022 to 2024 SR-FINRA-2020-032 and IBKR's price page of 2023 and
    // 2025; 2026 SR-FINRA-2024-019 and Alpaca's fee schedule of 2026-09-17. Units are 10^-6 dollars
    // a share.
    static let tradingActivity = [
        TradingActivityRate(from: tradingActivityGoodFrom, perMillion: 100, maximumCents: 10_00),
        TradingActivityRate(from: date(2004, 11, 1), perMillion: 75, maximumCents: 3_75),
        TradingActivityRate(from: date(2011, 7, 1), perMillion: 90, maximumCents: 4_50),
        TradingActivityRate(from: date(2012, 3, 1), perMillion: 95, maximumCents: 4_75),
        TradingActivityRate(from: date(2012, 7, 1), perMillion: 119, maximumCents: 5_95),
        TradingActivityRate(from: date(2022, 1, 1), perMillion: 130, maximumCents: 6_49),
        TradingActivityRate(from: date(2023, 1, 1), perMillion: 145, maximumCents: 7_27),
        TradingActivityRate(from: date(2024, 1, 1), perMillion: 166, maximumCents: 8_30),
        TradingActivityRate(from: date(2026, 1, 1), perMillion: 195, maximumCents: 9_79),
    ]

    /// The SEC's rate on a day; `nil` before the table begins.
    static func sectionThirtyOne(on day: Day) -> SectionThirtyOneRate? {
        sectionThirtyOne.last { $0.from <= day }
    }

    /// FINRA's rate on a day; `nil` before the table begins.
    static func tradingActivity(on day: Day) -> TradingActivityRate? {
        tradingActivity.last { $0.from <= day }
    }

    private static func date(_ year: Int, _ month: Int, _ day: Int) -> Day {
        guard let day = Day(year: year, month: month, day: day) else {
            preconditionFailure("the tables hold dates that exist")
        }
        return day
    }
}

extension RegulatoryFees.SectionThirtyOneRate {
    /// A row of the table: cents for a million dollars, each of which is 10^-6 percent.
    fileprivate init(from: Day, centsPerMillion: Int64) {
        self.init(from: from, ofSales: Percent(units: centsPerMillion))
    }
}

extension RegulatoryFees.TradingActivityRate {
    /// A row of the table: dollars for a million shares sold, and the most an order pays.
    fileprivate init(from: Day, perMillion: Int64, maximumCents: Int64) {
        self.init(
            from: from, perShare: Money(units: perMillion), maximum: Money(cents: maximumCents))
    }
}

/// Regulatory fees of one order's sales so far, from which nothing was rounded away.
struct RegulatoryDues: Hashable, Sendable {
    private var sec = ExactFee.zero
    private var taf = ExactFee.zero
    /// That of the newest sale.
    private var tafMaximum = Money.zero

    /// Adds a sale of `quantity`, worth `value`, on a day of New York.
    mutating func record(sale quantity: Quantity, value: ExactMoney, on day: Day) {
        if let rate = RegulatoryFees.sectionThirtyOne(on: day) {
            sec += ExactFee(value, times: rate.ofSales)
        }
        if let rate = RegulatoryFees.tradingActivity(on: day) {
            taf += ExactFee(rate.perShare, times: quantity)
            tafMaximum = rate.maximum
        }
    }

    /// The SEC's fee in cents: cut to five decimals, then rounded up (NASD Member Alert of
    /// 2004-03-04, NYSE's memo of 2001, archives2.sifma.org/Section_31: rules for members).
    var secDue: Money { sec.roundedUpToCents }

    /// TAF in cents, half to even: FINRA knows no rounding because it takes monthly sums (Q100).
    /// The maximum is for the order: IBKR's price examples take it once for 30,000,000 shares, and
    /// FINRA lets a member count by the average-price confirmation (Q200.17).
    var tafDue: Money { min(taf, ExactFee(tafMaximum)).roundedToCents }
}

/// An amount of fees that nothing was rounded away from; 1 unit = 10^-24.
///
/// Range about ±1.7·10^14, a hundred of the largest trades an edge accepts. Traps on overflow.
struct ExactFee: Hashable, Comparable, Sendable {
    private let units: Int128

    static let zero = ExactFee(units: 0)
    private static let unitsPerCent: Int128 = 10_000_000_000_000_000_000_000

    private init(units: Int128) { self.units = units }

    /// The same amount.
    init(_ money: Money) { units = Int128(money.units) * 1_000_000_000_000_000_000 }

    /// `rate` for each share; 10^-6 times 10^-8.
    init(_ rate: Money, times quantity: Quantity) {
        self.init(rate, timesUnits: Int128(quantity.units))
    }

    /// `rate` for each 10^8 of `units` of quantity.
    init(_ rate: Money, timesUnits units: Int128) {
        self.units = Int128(rate.units) * units * 10_000_000_000
    }

    /// A part of `value`; 10^-16 times 10^-8.
    init(_ value: ExactMoney, times percent: Percent) {
        units = value.units * Int128(percent.units)
    }

    /// In whole cents, half to even, from the exact amount: rounding to `Money` first would shift
    /// ties.
    var roundedToCents: Money {
        guard units != 0 else { return .zero }
        let (cents, remainder) = units.quotientAndRemainder(dividingBy: Self.unitsPerCent)
        let doubled = remainder.magnitude * 2
        let isTieToOdd = doubled == Self.unitsPerCent.magnitude && cents & 1 != 0
        guard doubled > Self.unitsPerCent.magnitude || isTieToOdd else {
            return Money(cents: Int64(cents))
        }
        return Money(cents: Int64(cents) + (units < 0 ? -1 : 1))
    }

    /// In whole cents: cut to five decimals, then any rest counts as a cent. Not for amounts below
    /// zero.
    var roundedUpToCents: Money {
        let fifthDecimals = units / (Self.unitsPerCent / 1_000)
        return Money(cents: Int64((fifthDecimals + 999) / 1_000))
    }

    static func < (left: ExactFee, right: ExactFee) -> Bool { left.units < right.units }
    static func + (left: ExactFee, right: ExactFee) -> ExactFee {
        ExactFee(units: left.units + right.units)
    }
    static func += (left: inout ExactFee, right: ExactFee) { left = left + right }
}
