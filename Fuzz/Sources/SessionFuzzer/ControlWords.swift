import GatewaySimulator
import Primitives
import TWSProtocol

/// Control commands, made of what a gateway says of them itself.
enum ControlWords {
    private static let listing: (parameters: [JSONValue.Member], scenarios: [String]) = {
        let gateway = Gateway(settings: SimulatedGatewaySettings(start: Timestamp(seconds: 0)))
        guard let list = try? JSONValue(Array(gateway.control(#"{"do":"list"}"#).utf8)),
            case .object(let parameters)? = list["parameters"],
            case .object(let scenarios)? = list["scenarios"]
        else { preconditionFailure("a gateway lists its commands") }
        return (parameters, scenarios.map(\.name))
    }()

    /// A command with parameters at the ends of what they may be.
    static func command(_ draws: inout Draws, at now: Timestamp) -> String {
        switch draws.number(0...19) {
        case 0: return #"{"do":"status"}"#
        case 1: return #"{"do":"ledger"}"#
        case 2: return #"{"do":"stop"}"#
        case 3, 4:
            // Thirty days at once take long, unless time ends before.
            let isNearTheEnd = now > Timestamp.supported.upperBound - .days(2)
            let seconds =
                isNearTheEnd ? ["2592000", "86400", "0"] : ["0", "0.25", "0.000000001", "90"]
            return
                #"{"do":"advance","seconds":\#(draws.one(of: seconds + ["-1", "1e300", "2592001"]))}"#
        case 5, 6:
            let names = draws.shuffled(listing.scenarios).prefix(draws.number(1...3))
            let seed = draws.one(of: ["0", "1", "9223372036854775807", "-1"])
            return #"{"do":"scenario","name":"\#(names.joined(separator: "+"))","seed":\#(seed)}"#
        case 7:
            let timing = [
                #""on":"start""#, #""on":"begin""#, #""on":"change","nth":0"#,
                #""on":"placeOrder","nth":1,"after":0.5"#,
                #""after":2592000,"rounds":100000,"every":0"#,
                #""after":0,"rounds":100000,"every":2592000"#,
            ]
            let action = action(&draws).dropLast()
            return #"{"do":"script","steps":[\#(action),\#(draws.one(of: timing))}]}"#
        default: return action(&draws)
        }
    }

    private static func action(_ draws: inout Draws) -> String {
        let kind = draws.one(of: listing.parameters)
        var members = [#""do":"\#(kind.name)""#]
        if case .object(let parameters) = kind.value {
            for parameter in parameters {
                guard case .text(let form) = parameter.value,
                    form.hasSuffix("needed") || draws.chance(50)
                else { continue }
                members.append("\"\(parameter.name)\":\(value(of: form, parameter.name, &draws))")
            }
        }
        return "{\(members.joined(separator: ","))}"
    }

    /// A value that fits a parameter's form, or lies just beyond it.
    private static func value(of form: String, _ name: String, _ draws: inout Draws) -> String {
        let form = form.split(separator: ";")[0]
        if form.hasPrefix("one of ") {
            let words = form.dropFirst(7).split(separator: ",").map { $0.drop { $0 == " " } }
            return "\"\(draws.one(of: words))\""
        }
        if form.hasPrefix("a whole number from "), let range = range(form.dropFirst(20)) {
            let inside = draws.number(range)
            let ends = [range.lowerBound, range.upperBound, inside, min(range.upperBound, 2)]
            return "\(draws.one(of: ends.map { "\($0)" } + ["-1"]))"
        }
        switch form {
        case "true or false": return draws.one(of: ["true", "false"])
        case "a number above 0, at most 1": return draws.one(of: ["1", "0.5", "1e-300", "0", "2"])
        case "a client's number": return draws.one(of: ["0", "1", "2", "2147483647"])
        case "a number": return draws.one(of: Extremes.numbers)
        case "a list of texts":
            return draws.one(of: [
                "[]", #"["placeOrder"]"#, #"["error","orderStatus"]"#, #"["DU1"]"#,
            ])
        default: break
        }
        if form.hasPrefix("a number of seconds") {
            return draws.one(of: ["0", "0.5", "1", "60", "2592000", "1e-9", "-1"])
        }
        switch name {
        case "symbol":
            return draws.one(of: [#""AAPL""#, #""SPY""#, #""ES""#, #""EUR.USD""#, #""NONE""#])
        case "execution": return draws.one(of: [#""last""#, #""1""#, #""0000e0d5.5f0.01.01""#])
        default: return draws.one(of: [#""text""#, #""AAPL""#, #""USD""#, #""""#, #""é😀""#])
        }
    }

    private static func range(_ text: Substring) -> ClosedRange<Int>? {
        let words = text.split(separator: " ")
        guard words.count == 3, let first = Int(words[0]), let last = Int(words[2]) else {
            return nil
        }
        return first...last
    }
}
