import Foundation
import GatewayTestSupport
import Model
import Primitives
import Testing

@testable import Runtime

/// What `make soak-kill` has found, on the virtual clock.
@Suite struct KilledSessionTests {
    /// B.2, O12: the session is killed behind a bracket which the gateway takes only when the next one has asked for it.
    /// Whatever it has concluded by then, what fills is covered by a stop.
    @Test(arguments: [1, 3, 5, 8, 12, 20, 45, 90])
    func aBracketThatComesLateIsProtected(seconds: Int64) throws {
        let rig = try SessionRig(SessionRig.protected, keepsHistory: true)
        try rig.gateway.fault(#"{"do":"hold","kinds":["placeOrder"],"times":3}"#)
        try rig.pass(until: "a bracket") { rig.driver.orderCount >= 3 }
        try rig.crash()
        try rig.pass(.seconds(seconds))
        try rig.gateway.fault(#"{"do":"release"}"#)
        try rig.pass(.minutes(2))
        try rig.pass(until: "stops for all that is held, and ledgers that are equal") {
            rig.unknownCount == 0 && (try? unprotected(rig).isEmpty) == true
                && (try? rig.differences().isEmpty) == true
        }
        #expect(try rig.ledger()["violations"]?["repeatedReferences"] == .object([]))
    }

    /// A start that was cut off while it made its journal's file has left one without tables. The next one goes on from
    /// the file before it, and the whole is verified.
    @Test func aFileThatWasNeverBegunIsPassedOver() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(until: "an order") { rig.driver.orderCount > 0 }
        let file = rig.folder + "/2099-01-01.1.sqlite"
        try Data().write(to: URL(fileURLWithPath: file))
        try rig.crash()
        try rig.pass(.minutes(2))
        try rig.expectEqualLedgers()
        let verification = try JournalVerification(of: rig.folder)
        #expect(verification.isVerified, "\(verification.text)")
        #expect(verification.files.count { $0.batches == 0 } == 1)
        #expect(verification.files.count { $0.events > 0 } >= 1)
    }

    /// What is held at the gateway beyond what stops there would sell, by symbol.
    private func unprotected(_ rig: SessionRig) throws -> [String: Quantity] {
        let ledger = try rig.ledger()
        var left: [String: Quantity] = [:]
        guard case .array(let accounts)? = ledger["accounts"], let account = accounts.first,
            case .array(let positions)? = account["positions"],
            case .array(let orders)? = ledger["orders"]
        else { return ["": Quantity(shares: 1)] }
        for row in positions {
            if case .text(let symbol)? = row["symbol"] { left[symbol] = quantity(row, "quantity") }
        }
        for order in orders {
            guard case .text(let symbol)? = order["symbol"], order["type"] == .text("STP"),
                order["status"] == .text("PreSubmitted")
            else { continue }
            let open = quantity(order, "quantity") - quantity(order, "filled")
            left[symbol] = (left[symbol] ?? .zero) - open
        }
        return left.filter { $0.value > .zero }
    }

    private func quantity(_ row: JSONValue, _ name: String) -> Quantity {
        guard case .number(let text)? = row[name], let value = try? Quantity(text) else {
            return .zero
        }
        return value
    }
}
