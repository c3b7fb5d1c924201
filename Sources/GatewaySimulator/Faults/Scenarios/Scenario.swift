package import Primitives
package import TWSProtocol

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

/// One action of a script and what it waits for.
package struct ScenarioStep: Hashable, Sendable {
    /// What it waits for.
    package var moment = ScenarioMoment.start
    /// The how-manieth time of that; 0 for every time.
    package var ordinal = 1
    /// How long after that it happens.
    package var after = Duration.zero
    /// How often.
    package var times = 1
    /// The time between two of these.
    package var interval = Duration.zero
    /// What happens.
    package var action: FaultAction

    /// At the start.
    init(at time: Duration, _ action: FaultAction) {
        after = time
        self.action = action
    }

    /// So long after the first time that something happens.
    init(_ moment: ScenarioMoment, _ ordinal: Int, after: Duration = .zero, _ action: FaultAction) {
        self.moment = moment
        self.ordinal = ordinal
        self.after = after
        self.action = action
    }

    /// So often, with a time between.
    func repeated(_ times: Int, every interval: Duration) -> ScenarioStep {
        var step = self
        step.times = times
        step.interval = interval
        return step
    }
}

/// What a step can wait for.
package enum ScenarioMoment: Hashable, Sendable {
    /// The script's beginning.
    case start
    /// A client begins its session.
    case began
    /// A client changes an order.
    case changed
    /// A client sends a message of that kind.
    case asked(ClientMessageKind)
    /// The gateway sends a message of that kind.
    case sent(GatewayMessageKind)

    /// The moment of that name: `start`, `begin`, `change`, or a message such as `placeOrder`.
    init?(named name: String) {
        switch name {
        case "start": self = .start
        case "begin": self = .began
        case "change": self = .changed
        default:
            if let kind = ClientMessageKind(named: name) {
                self = .asked(kind)
            } else if let kind = GatewayMessageKind(named: name) {
                self = .sent(kind)
            } else {
                return nil
            }
        }
    }

    /// Its name.
    var name: String {
        switch self {
        case .start: "start"
        case .began: "begin"
        case .changed: "change"
        case .asked(let kind): "\(kind)"
        case .sent(let kind): "\(kind)"
        }
    }
}
