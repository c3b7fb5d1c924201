import Primitives

/// A named script of things that go wrong.
package struct Scenario: Sendable {
    /// Its name.
    package let name: String
    /// What goes wrong, in one sentence.
    package let purpose: String
    /// What to do instead where the fault lies with the client and no gateway can play it.
    package let advice: String?
    /// When it begins.
    package let onset: Onset
    private let write: @Sendable (inout SeededGenerator) -> [ScenarioStep]

    /// When a script begins.
    package enum Onset: Hashable, Sendable {
        /// As soon as it is played.
        case atOnce
        /// As soon as it is played where a client's session has begun, else with the first one that begins.
        case withAClient
    }

    /// A script.
    ///
    /// - Parameters:
    ///   - onset: when it begins; one that acts on connections needs a client.
    ///   - write: gives its steps; what differs from run to run is drawn.
    init(
        _ name: String, _ purpose: String, onset: Onset = .atOnce,
        _ write: @escaping @Sendable (inout SeededGenerator) -> [ScenarioStep]
    ) {
        self.name = name
        self.purpose = purpose
        advice = nil
        self.onset = onset
        self.write = write
    }

    /// A fault of the client's.
    init(_ name: String, _ purpose: String, advice: String) {
        self.name = name
        self.purpose = purpose
        self.advice = advice
        onset = .atOnce
        write = { _ in [] }
    }

    /// Its steps, drawn from `seed`.
    package func steps(seed: UInt64) -> [ScenarioStep] {
        var random = SeededGenerator(seed: seed)
        return write(&random)
    }

    /// The scripts of a composition such as `nightly-restart+slow-gateway`.
    ///
    /// - Throws: for a name that no script has.
    package static func named(_ text: String) throws(FaultRefusal) -> [Scenario] {
        var scenarios: [Scenario] = []
        for name in text.split(separator: "+", omittingEmptySubsequences: false) {
            guard let scenario = all.first(where: { $0.name == name }) else {
                let known = all.map(\.name).joined(separator: ", ")
                throw FaultRefusal("there is no scenario '\(name)'; there are \(known)")
            }
            scenarios.append(scenario)
        }
        return scenarios
    }
}

extension SeededGenerator {
    /// Whole seconds within `range`.
    mutating func seconds(_ range: ClosedRange<Int64>) -> Duration {
        .seconds(range.lowerBound + Int64(next() % UInt64(range.upperBound - range.lowerBound + 1)))
    }
}
