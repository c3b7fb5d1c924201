import GatewayTestSupport
import Model
import Orders
import Primitives
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// A session in the middle of an order: an entry works and does not fill, and another symbol is held with its stop.
struct EntryBesideStop {
    let rig: SessionRig
    /// The entry.
    let entry: OrderID
    /// Its symbol.
    let entered: String
    /// The symbol that is held.
    let held: String
    /// A symbol of which there is nothing.
    let free: String

    /// A session of the two of four stocks that a strategy buys first, one of them halted at the exchange.
    ///
    /// - Parameter configuration: lines behind those of the session.
    init(_ configuration: String = "") throws {
        let text = SessionRig.guarded + "\n" + configuration
        let scout = try SessionRig.behindAnOrder(text)
        let first = try #require(scout.entries(since: 0).first)
        let entered = scout.symbols[Int(first.request.instrument.index)]
        let rig = try SessionRig(text, keepsHistory: true)
        try rig.pass(.seconds(59))
        try rig.gateway.fault(#"{"do":"halt","symbol":"\#(entered)"}"#)
        try rig.pass(until: "an entry beside a stop", limit: .minutes(12)) {
            try !rig.working(.entry).isEmpty
                && rig.symbols.contains {
                    try rig.held($0) > .zero && Self.stop(of: $0, rig) != nil
                }
        }
        let held = try rig.heldName()
        self.rig = rig
        self.entered = entered
        self.held = held
        entry = try #require(rig.working(.entry).first)
        free = try #require(rig.symbols.first { $0 != held && $0 != entered })
    }

    private static func stop(of symbol: String, _ rig: SessionRig) throws -> OrderID? {
        let instrument = try rig.instrument(symbol)
        return rig.working(.protection).first { order in
            rig.driver.withEngine { $0.orders.request(of: order)?.instrument } == instrument
        }
    }

    /// The stop of what is held.
    func stop() throws -> OrderID { try #require(try Self.stop(of: held, rig)) }

    /// The orders of ours at the gateway in a symbol.
    func orders(_ symbol: String) throws -> [SessionRig.GatewayOrder] {
        try rig.gatewayOrders().filter { $0.isOurs && $0.symbol == symbol }
    }

    /// Rows of `status`.
    func status(_ name: String) throws -> [JSONValue] {
        try rig.rows(rig.ask(#"{"do":"status"}"#), name)
    }

    /// `status` has these rows.
    func expect(_ name: String, _ rows: [JSONValue]) throws {
        #expect(try status(name) == rows, "\(name)")
    }

    /// What is held has a stop for each share, by the gateway's ledger.
    func expectStop() throws {
        let stops = try orders(held).filter { $0.type == "STP" && $0.isWorking }
        #expect(stops.map(\.remaining) == [try rig.gatewayPosition(held)])
    }
}
