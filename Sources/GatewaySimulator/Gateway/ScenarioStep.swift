package import Primitives
package import TWSProtocol

/// One action of a script and what it waits for.
package struct ScenarioStep: Sendable {
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
    package var action: any GatewayAction

    /// At the start.
    init(at time: Duration, _ action: any GatewayAction) {
        after = time
        self.action = action
    }

    /// So long after the first time that something happens.
    init(
        _ moment: ScenarioMoment, _ ordinal: Int, after: Duration = .zero,
        _ action: any GatewayAction
    ) {
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
