import Accounting
import ClientTestSupport
import Configuration
import GatewayTestSupport
import Journal
import MarketState
import Model
import Orders
import Primitives
import Risk
import TWSClient
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// What tests of faults ask of a session, and what holds whatever went wrong.
extension SessionRig {
    /// Two of four stocks, changed every five minutes, each with a stop at the broker.
    static let guarded = """
        account: {type: margin, starting_capital: 100000}
        trading: {mode: sim, symbols: [AAPL, MSFT, AMZN, SPY], bar_size: 1m}
        strategies:
          - use: cross_sectional_momentum
            parameters:
              {lookback: 10, top: 2, invested_pct: 60, rebalance: bars, every: 5}
            stop: {method: percent, price_pct: 3}
        """

    /// Positions with a stop and a target at the broker.
    static let protected = """
        account: {type: margin, starting_capital: 100000}
        trading: {mode: sim, symbols: [AAPL, AMZN, MSFT, SPY], bar_size: 1m}
        strategies:
          - use: momentum
            parameters: {lookback: 5, threshold: 0.0005, exit_threshold: -0.001}
            sizing: {method: percent_of_equity, equity_pct: 15}
            stop: {method: percent, price_pct: 1}
            target: {method: percent, price_pct: 1.5}
        """

    /// A session that trades, right behind an order's placing.
    static func behindAnOrder(
        _ configuration: String = SessionRig.rotation, seed: UInt64 = 1
    ) throws -> SessionRig {
        let rig = try SessionRig(configuration, seed: seed, keepsHistory: true)
        try rig.pass(until: "an order") { !rig.gateway.received(.placeOrder).isEmpty }
        return rig
    }

    /// A session with a position that is protected at the broker.
    static func withProtection(
        _ configuration: String = SessionRig.protected, seed: UInt64 = 1
    ) throws -> SessionRig {
        let rig = try SessionRig(configuration, seed: seed, keepsHistory: true)
        try rig.pass(until: "protection that works") { !rig.working(.protection).isEmpty }
        return rig
    }

    /// What the broker's account and ours were found to differ in.
    var accountDifferences: [AccountComparison] {
        decisions.compactMap {
            if case .accountDiffers(let comparison) = $0.kind { comparison } else { nil }
        }
    }

    /// Gives the session an instruction of its user.
    func instruct(_ action: OperatorRequest.Action) throws {
        try driver.take([.request(OperatorRequest(action))], at: now)
        driver.commit(at: now)
    }

    // MARK: Asking

    /// The symbols that are traded.
    var symbols: [String] { settings.trading.symbols }

    /// The orders of a purpose that the broker is known to have.
    func working(_ purpose: OrderPurpose) -> [OrderID] {
        driver.withEngine { engine in
            engine.orders.allLive.filter {
                engine.orders.request(of: $0)?.purpose == purpose
                    && engine.orders.record(of: $0)?.state == .working
            }
        } ?? []
    }

    /// Where an order stands.
    func state(of order: OrderID) -> OrderState? {
        driver.withEngine { $0.orders.record(of: order)?.state } ?? nil
    }

    /// What is held of an instrument by the session's ledger.
    func held(_ index: Int) -> Quantity {
        driver.withEngine { $0.portfolio.quantity(of: InstrumentID(index: index)) } ?? .zero
    }

    /// The index of a symbol that is held.
    func heldSymbol() throws -> Int {
        try #require(symbols.indices.first { held($0) > .zero })
    }

    /// When a condition began, each time that it was reported.
    func began(_ condition: SessionCondition) -> [Decision] {
        decisions.filter { $0.kind == .conditionBegan(condition) }
    }

    /// Every event so far.
    var events: [Event] { history.batches.flatMap(\.events) }

    /// The texts of the session's events, by number.
    var names: [NameID: String] {
        var bytes: [NameID: [UInt8]] = [:]
        for event in events {
            guard case .name(let chunk) = event.kind else { continue }
            bytes[chunk.name, default: []] += chunk.bytes
        }
        return bytes.mapValues { String(decoding: $0, as: UTF8.self) }
    }

    /// The entries sent since a batch in an instrument, or in any.
    func entries(since batch: Int, in index: Int? = nil) -> [OrderTicket] {
        history.batches[batch...].flatMap(\.commands).compactMap { recorded in
            guard case .submit(let ticket) = recorded.command, ticket.request.purpose == .entry,
                index == nil || ticket.request.instrument == InstrumentID(index: index ?? 0)
            else { return nil }
            return ticket
        }
    }

    /// The orders that the gateway has of this program.
    func brokersOrders() throws -> [JSONValue] {
        guard case .array(let orders)? = try ledger()["orders"] else { return [] }
        return orders.filter { $0["client"] == .number("1") && $0["byHand"] == .bool(false) }
    }

    /// How often the gateway has sent a code.
    func count(ofCode code: Int) throws -> Int {
        guard case .number(let text)? = try ledger()["codes"]?["\(code)"] else { return 0 }
        return Int(text) ?? 0
    }

    // MARK: What holds whatever went wrong

    /// It trades on, and nothing was lost or doubled.
    func expectTradingGoesOn() throws {
        let fills = driver.fillCount
        try pass(until: "further fills", limit: .hours(3)) { driver.fillCount > fills }
        try expectEqualLedgers()
    }

    /// Faults have ended: the ledgers are equal, every order that works at the gateway is known to work, nothing was
    /// placed twice, strategies' books are those of their own fills, every change of state is in the journal once, and
    /// the journal is answered by a second engine as it was.
    func expectAllIsKnown() throws {
        _ = gateway.control("{\"do\":\"stop\"}")
        _ = gateway.control("{\"do\":\"heal\"}")
        try expectEqualLedgers()
        let known = Set(
            driver.withEngine { engine in
                engine.orders.allLive.compactMap {
                    engine.brokerKey(of: $0)?.reference?.description
                }
            } ?? [])
        let finished: [JSONValue] = ["Filled", "Cancelled", "ApiCancelled", "Inactive"].map {
            .text($0)
        }
        for order in try brokersOrders() where !finished.contains(order["status"] ?? .null) {
            guard case .text(let reference)? = order["orderRef"] else { continue }
            #expect(known.contains(reference), "\(order.text)")
        }
        expectChangesOnce()
        let verification = try JournalVerification(of: folder)
        #expect(verification.isVerified, "\(verification.files.compactMap(\.fault))")
    }

    /// No state of the link or of a condition is entered twice without being left, but for those that are repeated.
    private func expectChangesOnce() {
        var link: BrokerLinkState?
        var present: Set<String> = []
        for decision in decisions {
            switch decision.kind {
            case .linkChanged(let state):
                #expect(state != link, "\(state) twice")
                link = state
            case .conditionBegan(let condition) where !condition.isRepeated:
                let name = "\(condition) \(String(describing: decision.subject.instrument))"
                #expect(present.insert(name).inserted, "\(name) began twice")
            case .conditionEnded(let condition):
                present.remove("\(condition) \(String(describing: decision.subject.instrument))")
            default: break
            }
        }
    }
}

/// Looks at what protects a session's positions, at every step of its time.
final class ProtectionAudit {
    /// Since when a position has been short of protection; by instrument.
    private var bare: [Int: Timestamp] = [:]
    /// What was found, in sentences.
    private(set) var findings: [String] = []

    /// How long a position may be without the protection that it should have, while orders can leave.
    static let limit = Duration.seconds(15)

    /// Looks at positions and exits as they are now: what protects is as large as the position, and exits together are
    /// not larger.
    func look(at rig: SessionRig) {
        let isReady = rig.driver.status(at: rig.now).link == .ready
        for index in rig.symbols.indices {
            let instrument = InstrumentID(index: index)
            let sums = rig.driver.withEngine { engine in
                let strategy = StrategyID(index: 0)
                return (
                    held: engine.portfolio.ledger(of: .strategy(strategy), in: instrument).quantity,
                    exits: engine.orders.linkedExits(of: strategy, in: instrument) { _ in true },
                    isSettled: !engine.orders.isUnknown(in: instrument)
                        && !engine.gate.isLatched(instrument)
                )
            }
            guard let sums, isReady, sums.isSettled, sums.held > .zero, sums.exits != sums.held
            else {
                bare[index] = nil
                continue
            }
            let since = bare[index] ?? rig.now
            bare[index] = since
            if rig.now - since > Self.limit {
                findings.append(
                    "\(rig.now): \(sums.held) of \(rig.symbols[index]), exits \(sums.exits)"
                )
                bare[index] = rig.now
            }
        }
    }
}
