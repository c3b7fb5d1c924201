import GatewaySimulator
import Primitives
import TWSProtocol
import TestSupport
import Testing

/// The tables of docs/gateway-simulator.md that are made from declarations. One after the other: each may write
/// its part of the page.
@Suite(.serialized) struct GatewayPageTests {
    private static let page = "docs/gateway-simulator.md"

    private func expect(_ table: [String], from start: String) throws {
        let found = try PagePart.lines(of: Self.page, from: start, made: table)
        #expect(found == table, "\(Self.page) is \(PagePart.advice) GatewayPageTests")
    }

    @Test func everyScenarioIsOnThePage() throws {
        var table = ["| scenario | what goes wrong |", "|---|---|"]
        for scenario in Scenario.all {
            let words = [scenario.purpose, scenario.advice].compactMap { $0 }
            table.append("| `\(scenario.name)` | \(words.joined(separator: " ")) |")
        }
        try expect(table, from: "<!-- scenarios")
    }

    @Test func everyFaultIsOnThePageWithItsParameters() throws {
        var table = ["| `do` | what it does | parameters |", "|---|---|---|"]
        for kind in ControlCommand.faults {
            let parameters = kind.parameters.map { parameter in
                let fallback = parameter.fallback.map { " (`\($0.text)`)" } ?? ""
                let end = parameter.isNeeded ? ", needed" : fallback
                return "`\(parameter.name)`: \(parameter.form)\(end)"
            }
            table.append(
                "| `\(kind.name)` | \(kind.purpose) | \(parameters.joined(separator: "; ")) |")
        }
        try expect(table, from: "<!-- faults")
    }
}
