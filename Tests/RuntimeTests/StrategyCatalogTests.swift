import Model
import Primitives
import Signals
import Strategies
import Testing

@testable import Runtime

/// What `martlet strategy show` says.
@Suite struct StrategyCatalogTests {
    private struct Forgetful: Strategy {
        static let declaration = StrategyDeclaration(name: "forgetful", summary: "forgets")
        init(_ setup: StrategySetup) {}
    }

    private struct Collector: Strategy, Codable {
        static let declaration = StrategyDeclaration(name: "collector", summary: "collects")
        private var days: Set<Day>?
        init(_ setup: StrategySetup) {}
    }

    @Test func aStrategyIsShownWithWhetherItIsSaved() {
        let saved = StrategyCatalog.text(of: RSIReversion.self)
        #expect(saved.hasPrefix("rsi_reversion: "))
        #expect(saved.hasSuffix("\n\nstate: saved between sessions"))
        #expect(StrategyCatalog.json(of: RSIReversion.self).hasSuffix(#""state_saved":true}"#))
        #expect(
            StrategyCatalog.text(of: Forgetful.self)
                == "forgetful: forgets\n\nstate: not saved, warms up again")
        #expect(
            StrategyCatalog.json(of: Forgetful.self)
                == #"{"name":"forgetful","summary":"forgets","parameters":[],"state_saved":false}"#)
    }

    @Test func whatIsRefusedIsNamed() {
        let refused = StrategyCatalog.text(of: Collector.self)
        #expect(
            refused.contains("\nstate: not saved, warms up again: days is a Set<Day>: the order"))
        let json = StrategyCatalog.json(of: Collector.self)
        #expect(json.contains(#""state_saved":false,"state_refused":"days is a Set<Day>: "#))
    }
}
