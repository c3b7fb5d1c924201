import Primitives
import TWSProtocol

/// What a gateway reports about itself to whoever tests a client with it.
extension Gateway {
    /// Commands with their parameters, and scripts.
    static var list: JSONValue {
        let commands = ControlCommand.faults.map { ($0.name, $0.purpose) }
        let others = ControlCommand.others.map { ($0.name, $0.purpose) }
        return .members([
            "commands": .object(
                (others + commands).map { JSONValue.Member($0.0, .text($0.1)) }),
            "parameters": .object(
                ControlCommand.faults.map { kind in
                    JSONValue.Member(
                        kind.name,
                        .object(
                            kind.parameters.map { JSONValue.Member($0.name, .text($0.words)) }))
                }),
            "scenarios": .object(
                Scenario.all.map { scenario in
                    JSONValue.Member(
                        scenario.name,
                        .text(
                            [scenario.purpose, scenario.advice].compactMap { $0 }.joined(
                                separator: " ")))
                }),
        ])
    }

    /// Clients, clock and what is wrong.
    var status: JSONValue {
        .members([
            "now": .text("\(now)"),
            "listening": .bool(faults.portOpens == nil),
            "connections": .integer(connections.count),
            "clients": .array(
                clients.map { client in
                    .members([
                        "client": .integer(client.id.rawValue),
                        "connection": .integer(client.connection.number),
                        "version": .integer(client.version.number),
                    ])
                }),
            "unread": .integer(unreadBytes),
            "playing": .array(scripts.list.map { .text($0.name) }),
            "wrong": .members([
                "broker": .bool(faults.isLinkLost),
                "login": .bool(faults.isLoginMissing),
                "links": .bool(!faults.links.isFree),
                "rules": .integer(faults.messages.ruleCount),
                "held": .integer(faults.messages.delayedCount),
                "farms": .object(
                    FarmService.allCases.compactMap { service in
                        faults.farms[service].map {
                            JSONValue.Member(service.rawValue, .text($0.rawValue))
                        }
                    }),
            ]),
            "actions": .integer(scripts.actionCount),
            "refused": .array(scripts.refusals.map { .text($0) }),
        ])
    }
}

extension ParameterList.Parameter {
    /// What it may be, and what it is where it is left out.
    fileprivate var words: String {
        if isNeeded { return "\(form); needed" }
        return fallback.map { "\(form); \($0.text) if left out" } ?? form
    }
}
