import Primitives
import TWSProtocol

/// Scripts of links, gateways and farms that fail.
extension Scenario {
    static let outages: [Scenario] = [
        Scenario(
            "nightly-restart",
            "The nightly reset: 1100 again and again, farms down, every connection reset, the port closed for 1 to 5 minutes, then farms up one by one."
        ) { random in
            let restart = Duration.minutes(2) + random.seconds(0...60)
            let closed = random.seconds(60...300)
            let open = restart + closed
            var steps = [
                ScenarioStep(at: .zero, LoseLinkFault()),
                ScenarioStep(at: .seconds(15), CodeFault(code: 1100)).repeated(
                    7, every: .seconds(15)),
                ScenarioStep(at: restart, RestartFault(lasting: closed)),
            ]
            for service in FarmService.allCases {
                steps.append(ScenarioStep(at: .seconds(5), FarmFault(service: service)))
            }
            for (index, service) in FarmService.allCases.reversed().enumerated() {
                steps.append(
                    ScenarioStep(
                        at: open + .seconds(10 * Int64(index + 1)),
                        FarmFault(service: service, state: .ok)))
            }
            return steps
        },
        Scenario(
            "maintenance-week",
            "Saturday's outage of 2 to 6 hours, then 48 hours at the login screen: connections are accepted and never answered until somebody logs in."
        ) { random in
            let outage = random.seconds(7_200...21_600)
            return [
                ScenarioStep(at: .zero, LoseLinkFault()),
                ScenarioStep(at: .minutes(1), RestartFault(lasting: outage)),
                ScenarioStep(at: .minutes(1) + outage, LoginFault()),
                ScenarioStep(at: .minutes(1) + outage + .hours(48), LoginFault(isDone: true)),
            ]
        },
        Scenario(
            "link-lost-data-kept",
            "1100, and 1102 after 5 to 60 seconds: subscriptions go on; what happened to orders meanwhile comes late."
        ) { random in
            [
                ScenarioStep(at: .zero, LoseLinkFault()),
                ScenarioStep(at: random.seconds(5...60), RestoreLinkFault()),
            ]
        },
        Scenario(
            "link-lost-data-lost",
            "1100, and 1101 after 5 to 60 seconds: every subscription is gone; what happened to orders meanwhile must be asked for."
        ) { random in
            [
                ScenarioStep(at: .zero, LoseLinkFault(facts: .lost)),
                ScenarioStep(at: random.seconds(5...60), RestoreLinkFault(data: .lost)),
            ]
        },
        Scenario(
            "half-open",
            "Bytes of the connections there are pass no more, in either direction, while they stay open; after 2 minutes they are reset.",
            onset: .withAClient
        ) { _ in
            [
                ScenarioStep(at: .zero, StallFault()),
                ScenarioStep(at: .minutes(2), DropFault()),
            ]
        },
        Scenario(
            "client-id-held",
            "Every connection is reset, and for 60 seconds clients' numbers are said to be in use (326).",
            onset: .withAClient
        ) { _ in
            [
                ScenarioStep(at: .zero, ReserveClientFault()),
                ScenarioStep(at: .zero, DropFault()),
            ]
        },
        Scenario(
            "slow-gateway",
            "Every byte is 2 to 30 seconds late, both ways; every 5 minutes data come a hundredfold for 10 seconds, and a minute comes in single bytes without delay."
        ) { _ in
            let slow = DelayFault(least: .seconds(2), most: .seconds(30), comesToNew: true)
            let prompt = DelayFault(least: .zero, comesToNew: true)
            let throttle = ThrottleFault(comesToNew: true)
            let whole = ThrottleFault(bytes: 1_000_000, comesToNew: true)
            let flood = RepeatFault(selection: .data, copies: 99, lasting: .seconds(10))
            return [
                ScenarioStep(at: .minutes(3), flood).repeated(288, every: .minutes(5)),
                ScenarioStep(at: .zero, slow).repeated(288, every: .minutes(5)),
                ScenarioStep(at: .minutes(4), prompt).repeated(288, every: .minutes(5)),
                ScenarioStep(at: .minutes(4), throttle).repeated(
                    288, every: .minutes(5)),
                ScenarioStep(at: .minutes(5), whole).repeated(288, every: .minutes(5)),
            ]
        },
        Scenario(
            "clock-and-dst",
            "The gateway's times move through the zones of the world, one every 30 seconds; then its clock is 45 seconds ahead, and 45 behind. Begin the session before a change of clocks or an early close to play those."
        ) { _ in
            var steps = WireZone.allCases.enumerated().map { index, zone in
                ScenarioStep(at: .seconds(30 * Int64(index)), ClockFault(zone: zone))
            }
            let end = Int64(30 * steps.count)
            steps.append(ScenarioStep(at: .seconds(end), ClockFault(ahead: 45)))
            steps.append(ScenarioStep(at: .seconds(end + 30), ClockFault(ahead: -45)))
            steps.append(ScenarioStep(at: .seconds(end + 60), ClockFault()))
            return steps
        },
    ]
}
