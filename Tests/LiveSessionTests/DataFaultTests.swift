import ClientTestSupport
import GatewaySimulator
import GatewayTestSupport
import MarketState
import Model
import Primitives
import TWSClient
import TWSProtocol
import Testing

@testable import Runtime

/// Sessions whose data stay away, come late or are refused.
@Suite struct DataFaultTests {
    /// The bars that strategies were shown, by instrument.
    private func bars(_ rig: SessionRig) -> [InstrumentID: [Bar]] {
        var bars: [InstrumentID: [Bar]] = [:]
        for event in rig.history.batches.flatMap(\.events) {
            switch event.kind {
            case .bar(let bar), .history(let bar): bars[bar.instrument, default: []].append(bar)
            default: break
            }
        }
        return bars
    }

    /// Every minute from `start` on is there once, in order.
    private func expectWholeSeries(_ rig: SessionRig, from start: Timestamp) {
        let bars = bars(rig)
        #expect(bars.count == 4)
        for (instrument, series) in bars {
            let ends = series.map(\.end).filter { $0 > start }
            let count = Int((rig.now - start).nanoseconds / Duration.minutes(1).nanoseconds)
            let expected = (1...count).map { start + .minutes(Int64($0)) }
            #expect(ends == expected, "\(instrument)")
        }
    }

    /// C-04, C-21: a data service goes and comes, bars miss parts; strategies see every bar, made of all that traded.
    @Test(arguments: [
        "farm-blip", "link-lost-data-kept", "link-lost-data-lost", "nightly-restart",
    ])
    func whatIsMissingComesFromHistory(scenario: String) throws {
        let calm = try SessionRig(keepsHistory: true)
        try calm.pass(.minutes(20))
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(12) + .seconds(27))
        try rig.gateway.play(scenario)
        try rig.pass(.minutes(17) + .seconds(40))
        expectWholeSeries(rig, from: SimulatedGateway.tuesday)
        let (known, seen) = (bars(calm), bars(rig))
        for (instrument, series) in known {
            let times = Set(series.map(\.end))
            let same = (seen[instrument] ?? []).filter { times.contains($0.end) }
            #expect(Set(same).symmetricDifference(series).isEmpty, "\(instrument)")
        }
    }

    /// C-23, G11: data that are refused are an alarm, and no entry follows in what has none.
    @Test func whatHasNoDataIsNotEntered() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(12))
        try rig.gateway.fault("{\"do\":\"access\",\"access\":\"competingSession\"}")
        try rig.pass(.minutes(5))
        let began = rig.decisions.filter { $0.kind == .conditionBegan(.dataMissing) }
        #expect(Set(began.map(\.subject.instrument)).count == 4)
        let sent = rig.gateway.received(.placeOrder).count
        try rig.pass(.minutes(10))
        #expect(rig.gateway.received(.placeOrder).count == sent)
        try rig.gateway.fault("{\"do\":\"access\",\"access\":\"live\"}")
        let fills = rig.driver.fillCount
        try rig.pass(until: "further fills") { rig.driver.fillCount > fills }
        #expect(rig.decisions.filter { $0.kind == .conditionEnded(.dataMissing) }.count == 4)
        try rig.expectEqualLedgers()
    }
}
