import Foundation
import Primitives
import Signals
import Testing

@testable import Configuration

/// What `config show` and `config schema` print.
@Suite struct SettingsListingTests {
    private func inspect(_ yaml: String, set: [String] = []) -> Settings.Inspection {
        var document = Sample.document(yaml, set: set)
        document.merge(environment: ["MARTLET__BACKTEST__SEED": "9"])
        return Settings.inspect(document, strategies: Sample.strategies)
    }

    @Test func everyLineStatesWhereItsValueWasWritten() {
        let inspection = inspect(Sample.minimal, set: ["risk.max_leverage=2"])
        let lines = SettingsText.annotated(inspection.listing).split(separator: "\n")
        func comment(_ key: String) -> Substring? {
            lines.first { $0.contains(" \(key): ") }?.split(separator: "# ").last
        }
        #expect(comment("starting_capital") == "config.yaml:3:21")
        #expect(comment("seed") == "environment MARTLET__BACKTEST__SEED")
        #expect(comment("max_leverage") == "flag --set risk.max_leverage")
        #expect(comment("port") == "default")
        #expect(comment("use") == "config.yaml:5:10")
        let values = lines.filter { !$0.hasSuffix(":") }
        #expect(values.allSatisfy { $0.contains("  # ") })
    }

    @Test func whatIsShownIsAConfiguration() throws {
        for set in [[]] + Sample.alternatives {
            let inspection = inspect(Sample.full, set: set)
            let repeated = try Sample.settings(SettingsText.annotated(inspection.listing))
            #expect(repeated == inspection.settings)
        }
    }

    @Test func jsonHasTheSameValues() throws {
        for set in [[]] + Sample.alternatives {
            let inspection = inspect(Sample.full, set: set)
            let text = SettingsJSON.object(of: inspection.listing).compact()
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let values = try JSONSerialization.data(
                withJSONObject: try #require(object["settings"]))
            let repeated = try Sample.settings(String(decoding: values, as: UTF8.self))
            // The order of keys is another; the text is the same because it is made anew.
            #expect(repeated == inspection.settings)
            let origins = try #require(object["origins"] as? [String: String])
            #expect(origins["backtest.seed"] == "environment MARTLET__BACKTEST__SEED")
            #expect(origins["strategies.1.use"] == "config.yaml:58:10")
            #expect(origins["account.currency"] == "config.yaml:3:13")
            #expect(origins["system.secrets_file"] == "default")
        }
    }

    // MARK: - Schema

    private func schema() throws -> [String: Any] {
        let text = SettingsSchema.text(strategies: Sample.strategies)
        return try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func property(_ path: String, of schema: [String: Any]) throws -> [String: Any] {
        try path.split(separator: ".").reduce(schema) { schema, step in
            let inner = step == "*" ? schema["items"] : nil
            let properties = schema["properties"] as? [String: Any]
            return try #require((inner ?? properties?[String(step)]) as? [String: Any], "\(path)")
        }
    }

    @Test func everyDeclaredKeyIsInTheSchema() throws {
        let schema = try schema()
        #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["additionalProperties"] as? Bool == false)
        for (key, _) in SettingsKeyTests.cases where !key.path.contains(".parameters.") {
            let property = try property(key.path, of: schema)
            #expect(
                (property["description"] as? String)?.hasPrefix(key.summary) == true, "\(key.path)")
            #expect(property["x-unit"] as? String == key.unit, "\(key.path)")
            let hasDefault = if case .value = key.fallback { true } else { false }
            #expect((property["default"] != nil) == hasDefault, "\(key.path)")
        }
    }

    @Test func rangesWordsAndDefaultsAreInTheSchema() throws {
        let schema = try schema()
        let positions = try property("risk.max_positions", of: schema)
        #expect(positions["type"] as? [String] == ["integer", "null"])
        #expect(positions["minimum"] as? Int == 1)
        #expect(positions["maximum"] as? Int == 1_000)
        let leverage = try property("risk.max_leverage", of: schema)
        #expect(leverage["type"] as? [String] == ["number", "null"])
        #expect(leverage["exclusiveMinimum"] as? Int == 0)
        #expect(leverage["minimum"] == nil)
        #expect(leverage["maximum"] as? Int == 10)
        #expect(leverage["default"] as? Int == 1)
        let mode = try property("trading.mode", of: schema)
        #expect(
            (mode["enum"] as? [Any])?.compactMap { $0 as? String } == [
                "sim", "dry", "paper", "live",
            ])
        #expect(mode["default"] as? String == "paper")
        let limits = try property("risk.limits", of: schema)
        #expect((limits["enum"] as? [Any])?.count == 5)
        let symbols = try property("trading.symbols", of: schema)
        #expect((symbols["default"] as? [String]) == [])
        let secret = try property("alerts.smtp_password", of: schema)
        #expect((secret["enum"] as? [Any])?.compactMap { $0 as? String } == ["***"])
    }

    @Test func parametersDependOnTheStrategy() throws {
        let items = try property("strategies.*", of: try schema())
        #expect(items["additionalProperties"] as? Bool == false)
        let choices = try #require(items["allOf"] as? [[String: Any]])
        #expect(choices.count == 2)
        for (choice, strategy) in zip(choices, Sample.strategies) {
            let condition = try #require(choice["if"] as? [String: Any])
            #expect(try property("use", of: condition)["const"] as? String == strategy.name)
            let then = try #require(choice["then"] as? [String: Any])
            let parameters = try property("parameters", of: then)
            #expect(parameters["additionalProperties"] as? Bool == false)
            let properties = try #require(parameters["properties"] as? [String: Any])
            #expect(Set(properties.keys) == Set(strategy.parameters.map(\.name)))
        }
        let then = try #require(choices[1]["then"] as? [String: Any])
        let threshold = try property("parameters.threshold", of: then)
        #expect(threshold["maximum"] as? Double == 1)
        #expect(threshold["default"] as? Double == 0.02)
    }
}
