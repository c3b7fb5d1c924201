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

/// A session that trades with stops at the broker, while the gateway plays a script of faults.
struct FaultScript {
    let rig: SessionRig
    /// When the script began.
    let begun: Timestamp
    /// How many batches there were then.
    let batch: Int
    /// How many decisions there were then.
    private let decisionCount: Int

    /// Lets a session trade, and plays a script.
    ///
    /// - Parameters:
    ///   - trading: how long it trades before.
    ///   - lasting: how long the script is given.
    init(
        _ name: String, _ configuration: String = SessionRig.guarded, seed: UInt64 = 1,
        behind trading: Duration = .minutes(12), lasting: Duration
    ) throws {
        rig = try SessionRig(configuration, seed: seed, keepsHistory: true)
        rig.audit = ProtectionAudit()
        try rig.pass(trading)
        begun = rig.now
        batch = rig.history.batches.count
        decisionCount = rig.decisions.count
        try rig.gateway.play(name, seed: seed)
        try rig.pass(lasting)
    }

    /// The decisions since the script began.
    var decisions: ArraySlice<Decision> { rig.decisions[decisionCount...] }

    /// The alarms since then.
    var alarms: [Decision] { decisions.filter { $0.kind.severity >= .warning } }

    /// What holds for every script: all is known, nothing was lost, doubled or left without protection, and the session
    /// trades on.
    func expectNothingLost(tradesOn: Bool = true) throws {
        try rig.expectAllIsKnown()
        #expect(rig.audit?.findings == [])
        guard tradesOn else { return }
        let fills = rig.driver.fillCount
        try rig.pass(until: "further fills", limit: .hours(1)) { rig.driver.fillCount > fills }
        try rig.expectEqualLedgers()
    }

    /// Every minute since the session began was shown to strategies, in order and once.
    func expectWholeSeries() {
        for index in rig.symbols.indices {
            let ends = rig.shownEnds(of: index).filter { $0 > SimulatedGateway.tuesday }
            let last = ends.last ?? SimulatedGateway.tuesday
            let count = (last - SimulatedGateway.tuesday).seconds / 60
            #expect(ends == (0..<count).map { SimulatedGateway.tuesday + .minutes($0 + 1) })
            #expect(rig.now - last < .minutes(2), "\(rig.symbols[index])")
        }
    }
}

extension SessionRig {
    /// The ends of the bars that strategies were shown of an instrument, those of the past among them.
    func shownEnds(of index: Int) -> [Timestamp] {
        events.compactMap { event in
            switch event.kind {
            case .bar(let bar), .history(let bar):
                bar.instrument == InstrumentID(index: index) ? bar.end : nil
            default: nil
            }
        }
    }

    /// The text of an alarm, as the user gets it.
    func text(of decision: Decision) -> String {
        SessionAlarm(decision, symbols: symbols)?.text ?? ""
    }
}
