import Signals
import TestSupport
import Testing

@testable import Configuration

/// `strategies.*.parameters_file`.
@Suite struct ParameterFileTests {
    private func inspect(
        _ parameters: String, element: String = "", _ name: String
    ) throws -> Settings.Inspection {
        let folder = try TemporaryFolder("parameters-\(name)")
        defer { folder.remove() }
        try folder.write(parameters, to: "crossover.yaml")
        try folder.write(
            Sample.minimal.replacing(
                "  - use: ma_crossover",
                with: "  - use: ma_crossover\n    parameters_file: crossover.yaml\n\(element)"),
            to: "config.yaml")
        var document = SettingsDocument()
        document.merge(file: folder.path + "config.yaml")
        return Settings.inspect(document, strategies: Sample.strategies)
    }

    private func values(_ inspection: Settings.Inspection) -> [ParameterValue] {
        inspection.settings.strategies.flatMap { $0.parameters.all.map(\.value) }
    }

    @Test func inlineParametersWin() throws {
        let inspection = try inspect(
            "fast: 7\nslow: 70\naverage: ema\n", element: "    parameters: {slow: 80, average: ~}",
            "inline")
        #expect(inspection.problems.isEmpty)
        #expect(values(inspection) == [.integer(7), .integer(80), .choice("sma")])
        let alone = try inspect("{\"fast\": 7, \"average\": \"ema\"}", "json")
        #expect(values(alone) == [.integer(7), .integer(30), .choice("ema")])
    }

    @Test func theResolvedConfigurationStandsAlone() throws {
        let inspection = try inspect("fast: 7\nslow: 70\n", "alone")
        let repeated = try Sample.settings(inspection.settings.text)
        #expect(repeated.strategies == inspection.settings.strategies)
        #expect(inspection.settings.text.contains("parameters_file: null"))
    }

    @Test func problemsArePlacedInTheFile() throws {
        let inspection = try inspect("fast: 7\nslw: 70\naverage: wma\n", "problems")
        let locations = SettingsProblems(inspection.problems).all.map { problem in
            let file = problem.origin?.description.split(separator: "/").last ?? ""
            return "\(file) \(problem)"
        }
        #expect(
            locations == [
                "crossover.yaml:2:1 strategies.0.parameters.slw: unknown key. Did you mean 'slow'?",
                """
                crossover.yaml:3:10 strategies.0.parameters.average: found 'wma', allowed sma or ema. \
                Did you mean 'sma' or 'ema'?
                """,
            ])
    }

    @Test(arguments: ["- fast", "7", "fast: [", "fast: 1\nfast: 2"])
    func aFileWithoutKeysIsRefused(text: String) throws {
        let inspection = try inspect(text, "odd-\(text.count)")
        #expect(inspection.problems.count == 1)
    }

    @Test func anEmptyFileSetsNothing() throws {
        let inspection = try inspect("# nothing\n", "empty")
        #expect(inspection.problems.isEmpty)
        #expect(values(inspection) == [.integer(10), .integer(30), .choice("sma")])
    }

    @Test func aMissingFileIsOneProblem() {
        let problems = Sample.problems(
            Sample.minimal, set: ["strategies.0.parameters_file=/no/such/file"])
        #expect(
            problems.map(\.description) == [
                """
                strategies.0.parameters_file: /no/such/file cannot be read: there is no such file.
                """
            ])
        let list = Sample.problems(Sample.minimal, set: ["strategies.0.parameters_file=[a]"])
        #expect(list.map(\.found) == ["found a list"])
    }

    /// Contradictions between parameters show when the strategy is made; they are placed here.
    @Test func theElementPointsAtItsFile() {
        let document = Sample.document(
            "strategies:\n  - use: ma_crossover\n    parameters_file: x.yaml\n")
        #expect(document.origin(ofStrategy: 0)?.description == "config.yaml:3:22")
    }
}
