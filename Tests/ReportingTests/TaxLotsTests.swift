import Accounting
import Model
import Primitives
import Testing

@testable import Reporting

@Suite struct TaxLotsTests {
    /// A lot of one share, opened and closed at noon in New York.
    private func lot(_ opened: String, _ closed: String, side: Side = .buy) throws -> TaxLot {
        let (first, last) = (try #require(Day(opened)), try #require(Day(closed)))
        return TaxLot(
            strategy: StrategyID(index: 0), instrument: InstrumentID(index: 0), side: side,
            opened: NewYork.timestamp(on: first, at: .hours(12)),
            closed: NewYork.timestamp(on: last, at: .hours(12)), openedOn: first,
            closedOn: last, quantity: Quantity(shares: 1), cost: .zero, proceeds: .zero,
            charge: .zero)
    }

    /// IRS Publication 550: what was bought on 5 February 2008 and sold on 5 February 2009 was not
    /// held for more than a year. The last days of February are those of Revenue Ruling 66-7.
    @Test(
        arguments: [
            ("2008-02-05", "2009-02-05", false), ("2008-02-05", "2009-02-06", true),
            ("2019-02-28", "2020-02-29", false), ("2019-02-28", "2020-03-01", true),
            ("2020-02-28", "2021-02-28", false), ("2020-02-28", "2021-03-01", true),
            ("2020-02-29", "2021-02-28", false), ("2020-02-29", "2021-03-01", true),
            ("2019-12-31", "2020-12-31", false), ("2019-12-31", "2021-01-01", true),
        ] as [(String, String, Bool)])
    func aYearEndsOnTheDayAfterTheAnniversary(
        opened: String, closed: String, isLong: Bool
    ) throws {
        #expect(try lot(opened, closed).term == (isLong ? .long : .short))
    }

    @Test func shortsAreNeverLongTerm() throws {
        let lot = try lot("2010-01-04", "2020-01-06", side: .sell)
        #expect(lot.term == .short)
        // Ten years with three leap days, and two days.
        #expect(lot.days == 3_654)
    }

    /// Days are those of New York: 2024-01-03 01:00 UTC is the evening before.
    @Test func daysAreThoseOfNewYork() throws {
        var record = RunRecord.uneventful
        record.fills = [
            .sample(.buy, 1, atCents: 10_00), .sample(.sell, 1, atCents: 10_00, minute: 630),
        ]
        #expect(TaxLots(of: record, .firstInFirstOut).lots.map(\.days) == [0])
    }

    /// Of a split, the lots of before have twice the shares and cost what they did. Two strategies'
    /// shares are apart.
    @Test func splitsAndOwnersAreKeptApart() throws {
        var record = RunRecord.uneventful
        let day = try #require(Day("2024-01-03"))
        let ratio = try #require(SplitRatio(snapping: Quantity(shares: 2)))
        let split = CorporateAction(
            instrument: InstrumentID(index: 0), exDay: day, kind: .split(ratio))
        record.actions = [BookedAction(split, price: Price(cents: 30_00))]
        record.fills = [
            .sample(.buy, 10, atCents: 20_00), .sample(.buy, 5, atCents: 30_00, strategy: 1),
            .sample(.sell, 15, atCents: 18_00, minute: 2 * 24 * 60),
        ]
        let lots = TaxLots(of: record, .firstInFirstOut).lots
        #expect(lots.map(\.quantity) == [15, 5, 10].map(Quantity.init(shares:)))
        #expect(lots.map(\.strategy.index) == [0, 0, 1])
        // 15 · 18.00 for three quarters of 200.00; a quarter is left.
        #expect(lots[0].proceeds == ExactMoney(Money(cents: 270_00)))
        #expect(lots[0].cost == ExactMoney(Money(cents: 150_00)))
        #expect(lots[1].cost == ExactMoney(Money(cents: 50_00)))
        #expect(lots[2].cost == ExactMoney(Money(cents: 150_00)))
    }

    /// Property: in fills of whole cents, closed lots add up to what was made, whatever the method;
    /// charges are all there once.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func lotsAddUpToTheCashThatFillsMoved(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var record = RunRecord.uneventful
        record.fills = (0..<80 as Range<Int64>).map { minute in
            .sample(
                random.next() % 2 == 0 ? .buy : .sell, Int64(random.next() % 30) + 1,
                atCents: Int64(random.next() % 500), minute: minute * 700,
                commission: Money(cents: Int64(random.next() % 90) - 10),
                instrument: Int(random.next() % 2), strategy: Int(random.next() % 2))
        }
        var cash = ExactMoney.zero
        var charges = Money.zero
        for fill in record.fills {
            let execution = fill.execution
            let multiplier = record.instruments[Int(execution.instrument.index)].multiplier
            cash += execution.price * -execution.signedQuantity * multiplier
            charges += fill.commission
        }
        for method in LotMethod.allCases {
            let lots = TaxLots(of: record, method).lots
            let moved = lots.reduce(ExactMoney.zero) {
                $0 + ($1.proceeds ?? .zero) - ($1.cost ?? .zero)
            }
            #expect(moved == cash)
            let charged = lots.reduce(ExactMoney.zero) { $0 + $1.charge }
            #expect(charged == ExactMoney(charges))
            let times = lots.compactMap(\.closed)
            #expect(times == times.sorted())
            #expect(lots.drop { $0.closed != nil }.allSatisfy { $0.closed == nil })
        }
    }
}
