import Primitives
import Testing

@testable import Configuration

@Suite struct CashFlowSettingsTests {
    private let base = """
        account: {type: margin}
        strategies: [{use: ma_crossover}]
        backtest:
          from: 2019-01-02
          to: 2019-12-31
          data: {path: bars, basis: raw}

        """

    @Test func paymentsComeInOrderOfDays() throws {
        let settings = try Sample.settings(
            base + """
                  cash_flows:
                    - {day: 2019-06-03, amount_usd: 5000}
                    - {day: 2019-02-01, amount_usd: -20.50}
                    - {day: 2019-06-03, amount_usd: 1}
                """)
        let flows = settings.backtest.cashFlows
        #expect(flows.map(\.day.description) == ["2019-02-01", "2019-06-03", "2019-06-03"])
        #expect(flows.map(\.amount) == [-20_50, 5000_00, 1_00].map(Money.init(cents:)))
        // Their days and amounts are in the resolved text.
        let repeated = try Sample.settings(settings.text)
        #expect(repeated.backtest.cashFlows == flows)
    }

    @Test(arguments: ["", "  cash_flows: []\n", "  cash_flows:\n", "  cash_flows: null\n"])
    func withoutPaymentsThereIsNothingToReport(text: String) throws {
        #expect(try Sample.settings(base + text).backtest.cashFlows.isEmpty)
    }

    @Test(arguments: [
        ("{day: 2019-06-03}", "backtest.cash_flows.0.amount_usd", "missing"),
        ("{amount_usd: 5}", "backtest.cash_flows.0.day", "missing"),
        ("{day: 2019-01-01, amount_usd: 5}", "backtest.cash_flows.0.day", "found 2019-01-01"),
        ("{day: 2020-01-01, amount_usd: 5}", "backtest.cash_flows.0.day", "found 2020-01-01"),
        ("{day: 2019-06-03, amount: 5}", "backtest.cash_flows.0.amount", "unknown key"),
        ("5", "backtest.cash_flows.0", "found 5"),
    ])
    func whatIsWrongIsNamed(element: String, path: String, found: String) {
        let problems = Sample.problems(base + "  cash_flows: [\(element)]\n")
        #expect(problems.contains { $0.path == path && $0.found == found }, "\(problems)")
    }

    @Test func aListIsExpectedOfAtMostAThousand() {
        #expect(
            Sample.problems(base + "  cash_flows: 5\n").map(\.path) == ["backtest.cash_flows"])
        let many = Array(repeating: "{day: 2019-06-03, amount_usd: 1}", count: 1_001)
        let problems = Sample.problems(base + "  cash_flows: [\(many.joined(separator: ", "))]\n")
        #expect(problems.map(\.path) == ["backtest.cash_flows"])
        #expect(problems.first?.found == "found 1001 of them")
    }
}
