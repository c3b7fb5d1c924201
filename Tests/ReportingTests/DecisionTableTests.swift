import Model
import Primitives
import Testing

@testable import Reporting

@Suite struct DecisionTableTests {
    private static let subject = Decision.Subject(
        strategy: StrategyID(index: 0), instrument: InstrumentID(index: 0),
        order: OrderID(number: 2), intent: 1)

    private func cells(_ kind: Decision.Kind, _ figures: Figures) -> [String: String] {
        var record = RunRecord.uneventful
        record.decisions = [
            Decision(number: 7, at: opening, kind, about: Self.subject, figures)
        ]
        let rows = CSVReader.rows(of: RunTables.decisions(of: record))
        return Dictionary(uniqueKeysWithValues: zip(rows[0], rows[1]))
    }

    @Test func rulesFiguresHaveColumns() {
        let row = cells(
            .reduced(.exposureLimit),
            Figures(
                .shares(.asked, Quantity(shares: 46)), .shares(.allowed, Quantity(shares: 44)),
                .money(.value, Money(cents: 50_273_56)), .money(.limit, Money(cents: 50_000_00))))
        #expect(row["kind"] == "REDUCED" && row["detail"] == "EXPOSURE_LIMIT")
        #expect(row["asked"] == "46" && row["allowed"] == "44")
        #expect(row["value"] == "50273.56" && row["limit"] == "50000.00")
        #expect(row["excess"] == "273.56" && row["unit"] == "MONEY" && row["figures"] == "")
    }

    /// A minus begins a number here, not a formula: a `'` in front would make a text of it.
    @Test func salesAreNumbers() {
        let row = cells(
            .reduced(.positionLimit),
            Figures(
                .shares(.asked, Quantity(shares: -98)), .shares(.allowed, Quantity(shares: -75)),
                .money(.value, Money(cents: -2_00)), .money(.limit, Money(cents: -1_00))))
        #expect(row["asked"] == "-98" && row["allowed"] == "-75")
        #expect(row["value"] == "-2.00" && row["limit"] == "-1.00" && row["excess"] == "-1.00")
    }

    @Test func otherFiguresStandTogether() {
        let row = cells(
            .sized(.percentOfEquity),
            Figures(
                .percent(.size, Percent(10)), .money(.equity, Money(cents: 100_000_00)),
                .price(.price, Price(units: 13_204_500_000)), .shares(.result, Quantity(shares: 75))
            ))
        #expect(row["figures"] == "size=10 equity=100000.00 price=132.045 result=75")
        #expect(row["asked"] == "" && row["excess"] == "" && row["unit"] == "")
    }
}
