import Accounting
import Configuration
import Foundation
import GatewayTestSupport
import Model
import Orders
import Primitives
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// What tests of the account's own life ask of a session and of its gateway.
extension SessionRig {
    /// The instrument of a symbol.
    func instrument(_ symbol: String) throws -> InstrumentID {
        InstrumentID(index: try #require(settings.trading.symbols.firstIndex(of: symbol)))
    }

    /// What the session's own ledger has of a symbol.
    func held(_ symbol: String) throws -> Quantity {
        let instrument = try instrument(symbol)
        return driver.withEngine { $0.portfolio.quantity(of: instrument) } ?? .zero
    }

    /// What the session takes for others' in a symbol.
    func foreign(_ symbol: String) throws -> Quantity {
        let instrument = try instrument(symbol)
        return driver.withEngine { $0.foreignQuantity(of: instrument) } ?? .zero
    }

    /// The symbol of a position that the session has.
    func heldName() throws -> String {
        guard let symbol = try settings.trading.symbols.first(where: { try held($0) > .zero })
        else { throw Missing(what: "a position") }
        return symbol
    }

    /// The orders that the session has given in a symbol, from a batch on.
    func submitted(
        _ symbol: String? = nil, _ purpose: OrderPurpose? = nil, from batch: Int = 0
    ) throws -> [OrderRequest] {
        let instrument = try symbol.map { try self.instrument($0) }
        return history.batches[batch...].flatMap(\.commands).compactMap { recorded in
            guard case .submit(let ticket) = recorded.command,
                instrument == nil || ticket.request.instrument == instrument,
                purpose == nil || ticket.request.purpose == purpose
            else { return nil }
            return ticket.request
        }
    }

    /// The decisions about a symbol that match, from a batch on.
    func decided(
        _ symbol: String? = nil, from batch: Int = 0, _ isMeant: (Decision.Kind) -> Bool
    ) throws -> [Decision] {
        let instrument = try symbol.map { try self.instrument($0) }
        return history.batches[batch...].flatMap { $0.decisions ?? [] }.filter {
            isMeant($0.kind) && (instrument == nil || $0.subject.instrument == instrument)
        }
    }

    /// An order at the gateway, as its own ledger has it.
    struct GatewayOrder {
        let symbol: String
        let isBuy: Bool
        let type: String
        let status: String
        let quantity: Quantity
        let filled: Quantity
        let isOurs: Bool
        let isByHand: Bool
        let cancels: String

        var isWorking: Bool { status == "Submitted" || status == "PreSubmitted" }
        var remaining: Quantity { quantity - filled }
    }

    /// The orders at the gateway.
    func gatewayOrders() throws -> [GatewayOrder] {
        guard case .array(let rows)? = try ledger()["orders"] else { return [] }
        return try rows.map { row in
            guard case .text(let symbol)? = row["symbol"], case .text(let action)? = row["action"],
                case .text(let type)? = row["type"], case .text(let status)? = row["status"],
                case .number(let quantity)? = row["quantity"],
                case .number(let filled)? = row["filled"],
                case .text(let reference)? = row["orderRef"],
                case .bool(let byHand)? = row["byHand"],
                case .number(let cancels)? = row["cancels"]
            else { throw Missing(what: "an order's fields: \(row.text)") }
            return GatewayOrder(
                symbol: symbol, isBuy: action == "BUY", type: type, status: status,
                quantity: try Quantity(quantity), filled: try Quantity(filled),
                isOurs: reference.hasPrefix("mt:"), isByHand: byHand, cancels: cancels)
        }
    }

    /// The gateway's position in a symbol.
    func gatewayPosition(_ symbol: String) throws -> Quantity {
        guard case .array(let accounts)? = try ledger()["accounts"], let account = accounts.first,
            case .array(let rows)? = account["positions"]
        else { return .zero }
        for row in rows where row["symbol"] == .text(symbol) {
            if case .number(let text)? = row["quantity"] { return try Quantity(text) }
        }
        return .zero
    }
}
