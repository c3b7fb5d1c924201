import Accounting
import Configuration
import GatewayTestSupport
import Model
import Orders
import Primitives
import Risk
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// Journals that another program or another configuration goes on with.
@Suite struct ChangedSetupTests {
    private func protectedSession(_ seed: Int) throws -> SessionRig {
        let rig = try SessionRig(
            SessionRig.protected, seed: UInt64(seed), keepsHistory: true)
        try rig.pass(until: "protection that works") { !protection(of: rig).isEmpty }
        return rig
    }

    private func protection(of rig: SessionRig) -> [OrderID] {
        rig.driver.withEngine { engine in
            engine.orders.allLive.filter {
                engine.orders.request(of: $0)?.purpose == .protection
                    && engine.orders.record(of: $0)?.state == .working
            }
        } ?? []
    }

    private func entries(_ rig: SessionRig, from batch: Int) -> Int {
        rig.history.batches[batch...].flatMap(\.commands).count {
            guard case .submit(let ticket) = $0.command else { return false }
            return ticket.request.purpose == .entry
        }
    }

    /// Replay's law: what another program or configuration has decided is taken as it was; nothing is decided again,
    /// nothing is sent, protection stays, and entries wait for a person.
    @Test(arguments: [true, false], 1...2)
    func nothingIsDecidedAgain(isOtherProgram: Bool, seed: Int) throws {
        let rig = try protectedSession(seed)
        let stops = protection(of: rig)
        let sent = rig.gateway.received(.placeOrder).count
        let batch = rig.history.batches.count
        if isOtherProgram {
            try rig.crash(program: 2)
        } else {
            try rig.crash(
                SessionRig.protected.replacing("equity_pct: 15", with: "equity_pct: 5"))
        }
        try rig.pass(.seconds(30))
        #expect(rig.gateway.received(.placeOrder).count == sent)
        #expect(rig.gateway.received(.cancelOrder).isEmpty)
        #expect(Set(protection(of: rig)) == Set(stops))
        #expect(rig.driver.recovery?.contains("entries are halted") == true)
        try rig.pass(.minutes(30))
        #expect(entries(rig, from: batch) == 0)
        try rig.expectEqualLedgers()
    }

    /// Symbols change their places in the configuration: positions, orders and what happens next stay with their own.
    @Test(arguments: 1...2)
    func symbolsMayChangeTheirPlaces(seed: Int) throws {
        let rig = try protectedSession(seed)
        let held = positions(of: rig)
        #expect(!held.isEmpty)
        try rig.crash(
            SessionRig.protected.replacing(
                "[AAPL, AMZN, MSFT, SPY]", with: "[SPY, MSFT, AMZN, AAPL]"))
        try rig.pass(.seconds(30))
        #expect(positions(of: rig) == held)
        try rig.expectEqualLedgers()
        // Once more, now under the configuration of the file.
        try rig.crash()
        try rig.pass(.minutes(2))
        #expect(rig.driver.recovery?.contains("answered as before") == true)
        try rig.expectEqualLedgers()
        #expect(!rig.decisions.contains { $0.kind == .finding(.positionDiffers) })
        let verification = try JournalVerification(of: rig.folder)
        #expect(verification.isVerified, "\(verification.text)")
    }

    private func positions(of rig: SessionRig) -> [String: Quantity] {
        let symbols = rig.settings.trading.symbols
        return rig.driver.withEngine { engine in
            var positions: [String: Quantity] = [:]
            for (index, symbol) in symbols.enumerated() {
                let quantity = engine.portfolio.quantity(of: InstrumentID(index: index))
                if quantity != .zero { positions[symbol] = quantity }
            }
            return positions
        } ?? [:]
    }

    /// A session that has taken over what another program or configuration left is itself recovered by deciding again:
    /// strategies have begun anew there, symbols have other numbers, and its answers are the recorded ones.
    @Test(arguments: ["program", "strategy", "symbols"])
    func aTakeoverIsAnsweredAgain(change: String) throws {
        let rig = try protectedSession(4)
        let stops = protection(of: rig)
        var configuration = SessionRig.protected
        switch change {
        case "strategy":
            configuration = configuration.replacing("equity_pct: 15", with: "equity_pct: 5")
        case "symbols":
            configuration = configuration.replacing(
                "[AAPL, AMZN, MSFT, SPY]", with: "[SPY, MSFT, AMZN]")
        default: break
        }
        let program: UInt64 = change == "program" ? 2 : 1
        try rig.crash(configuration, program: program)
        try rig.pass(.seconds(30))
        #expect(rig.driver.recovery?.contains("the state was rebuilt") == true)
        #expect(Set(protection(of: rig)) == Set(stops))
        try rig.pass(.minutes(12))
        try rig.crash(program: program)
        try rig.pass(.minutes(2))
        #expect(rig.driver.recovery?.contains("were answered as before") == true)
        let isHalted = rig.driver.withEngine { $0.gate.isHalted(for: .changedSetup) }
        #expect(isHalted == true)
    }

    /// A symbol is taken out of the configuration while it is held: its stop stays at the broker, and what it does is
    /// booked.
    @Test(arguments: 1...3)
    func aRemovedSymbolKeepsItsStop(seed: Int) throws {
        let rig = try protectedSession(seed)
        let order = try #require(protection(of: rig).first)
        let instrument = try #require(
            rig.driver.withEngine { $0.orders.request(of: order)?.instrument } ?? nil)
        let symbol = rig.settings.trading.symbols[Int(instrument.index)]
        let remaining = rig.settings.trading.symbols.filter { $0 != symbol }
        try rig.crash(
            SessionRig.protected.replacing(
                "[AAPL, AMZN, MSFT, SPY]", with: "[\(remaining.joined(separator: ", "))]"))
        try rig.pass(.seconds(30))
        #expect(protection(of: rig).contains(order))
        #expect(rig.gateway.received(.cancelOrder).isEmpty)
        #expect(rig.decisions.contains { $0.kind == .orphaned })
        // The broker fills it: the stop is the one that the gateway was sent last in this symbol.
        let fills = rig.driver.fillCount
        try rig.gateway.fault(#"{"do":"fill","orders":"oldest"}"#)
        try rig.pass(.minutes(1))
        #expect(rig.driver.fillCount > fills)
        let held = rig.driver.withEngine { engine in
            let orphan = InstrumentID(index: remaining.count)
            return engine.portfolio.quantity(of: orphan)
        }
        #expect(held == .zero)
        #expect(!rig.decisions.contains { $0.kind == .finding(.positionDiffers) })
    }
}
