import Foundation
import GatewayTestSupport
import Model
import Orders
import Primitives
import Risk
import Synchronization
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// What tests of the control socket's requests ask of a session.
extension SessionRig {
    /// An answer on its way back.
    private final class Reply: Sendable {
        let text = Mutex<String?>(nil)
        var newest: String? { text.withLock { $0 } }
    }

    /// The user that requests come from.
    static let operatorName = "ana (uid 1000)"

    /// A request as the control socket hands it over.
    private func call(_ line: String) throws -> (call: ControlCall, reply: Reply) {
        let reply = Reply()
        let request = try ControlRequest(Array(line.utf8))
        let call = ControlCall(request: request, peer: Self.operatorName) { text in
            reply.text.withLock { $0 = text }
        }
        return (call, reply)
    }

    /// Asks the session for several things at the same time.
    @discardableResult
    func ask(together lines: [String]) throws -> [JSONValue] {
        let calls = try lines.map { try call($0) }
        try driver.take(calls.map { .control($0.call) }, at: now)
        driver.commit(at: now)
        return try calls.map { entry in
            let text = try #require(entry.reply.newest)
            return try JSONValue(Array(text.utf8))
        }
    }

    /// Asks the session for something.
    @discardableResult
    func ask(_ line: String) throws -> JSONValue {
        try #require(try ask(together: [line]).first)
    }

    /// Gives an instruction with a reason.
    @discardableResult
    func order(_ name: String, _ members: String = "", reason: String = "drill") throws -> JSONValue
    {
        let others = members.isEmpty ? "" : "," + members
        return try ask(#"{"do":"\#(name)","reason":"\#(reason)"\#(others)}"#)
    }

    /// The rows of an answer.
    func rows(_ answer: JSONValue, _ name: String) throws -> [JSONValue] {
        guard case .array(let rows)? = answer[name] else {
            throw Missing(what: "\(name) of an answer")
        }
        return rows
    }

    /// The instructions in the journal, with their words.
    var instructions: [(action: OperatorRequest.Action, words: String)] {
        let names = names
        return events.compactMap { event in
            guard case .operatorRequest(let request) = event.kind else { return nil }
            return (request.action, names[request.reason] ?? "")
        }
    }

    /// A session with an entry that works at the broker and does not fill: trading in its symbols is halted.
    static func withRestingEntry(
        _ configuration: String = SessionRig.rotation
    ) throws -> SessionRig {
        let rig = try SessionRig(configuration, keepsHistory: true)
        try rig.pass(.seconds(59))
        try rig.setTrading(isHalted: true)
        try rig.pass(until: "an entry that rests", limit: .minutes(12)) {
            !rig.working(.entry).isEmpty
        }
        return rig
    }

    /// Halts trading in all symbols at the exchange, or lets it go on.
    func setTrading(isHalted: Bool) throws {
        for symbol in symbols {
            try gateway.fault(#"{"do":"halt","symbol":"\#(symbol)","on":\#(isHalted)}"#)
        }
    }

    /// The orders of ours that work at the gateway, by its own ledger.
    func workingAtGateway() throws -> [GatewayOrder] {
        try gatewayOrders().filter { $0.isOurs && $0.isWorking }
    }

    /// Why entries are halted.
    var haltCauses: [HaltCause] { driver.withEngine { $0.gate.haltCauses } ?? [] }

    /// The file that kills.
    var killFile: KillFile { KillFile(folder: folder) }
}
