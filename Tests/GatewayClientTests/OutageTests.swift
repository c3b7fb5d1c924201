import GatewayTestSupport
import ClientTestSupport
import Primitives
import Runtime
import TWSClient
import TWSProtocol
import Testing

/// Links that fail, played by the gateway's own scripts: what the client does by itself until all is well
/// again.
@Suite struct OutageTests {
    /// A rig with quotes and bars that flow.
    private struct Monitor {
        let rig: TradingRig
        let apple: AppleCounter
        let quotes: Reading<Signal<WireQuote>>
        let bars: Reading<Signal<BarUpdate>>

        init(seed: UInt64 = 1) async throws {
            rig = try await TradingRig.open { $0.session.seed = seed }
            apple = try await AppleCounter(rig)
            quotes = Reading(rig.client.quotes(apple.contract))
            bars = Reading(
                rig.client.liveBars(BarQuestion(apple.contract, .fiveSeconds), .seconds(60)))
            let (quotes, bars) = (quotes, bars)
            try await rig.gateway.wait("data") {
                !quotes.data().isEmpty && bars.data().count > 12
            }
        }

        /// The starts of all closed bars, as they came.
        var starts: [Timestamp] {
            bars.data().compactMap { if case .closed(let bar) = $0 { bar.time.order } else { nil } }
        }

        /// Waits until quotes and bars of after this moment have come.
        func waitForData(after time: Timestamp) async throws {
            let quotes = quotes
            let starts = { self.starts }
            try await rig.gateway.wait("data again", limit: .minutes(3)) {
                (starts().last ?? .distantPast) > time
                    && (quotes.data().last?.receivedAt ?? .distantPast) > time
            }
        }

        /// Every bar of five seconds came once, the holes of outages filled.
        func checkBars() {
            let wrong = zip(starts, starts.dropFirst()).filter { $1 - $0 != .seconds(5) }
            #expect(wrong.isEmpty, "\(wrong)")
        }

        var now: Timestamp { rig.gateway.clock.timeOfDay }
    }

    /// The link's states in order, repetitions left out.
    private func states(_ rig: TradingRig) -> [LinkState] {
        var states: [LinkState] = []
        for event in rig.link.elements {
            if case .link(let state, _) = event, states.last != state { states.append(state) }
        }
        return states
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func dataThatWereKeptAreNotAskedForAgain(seed: UInt64) async throws {
        let monitor = try await Monitor()
        let (rig, client) = (monitor.rig, monitor.rig.client)
        let resting = try monitor.apple.place(
            .buy, 7, .limit(try monitor.apple.bid(percent: 60), for: .goodTillCancelled))
        try await rig.waitToWork(resting)
        let asked = rig.gateway.received(.reqExecutions).count
        try rig.gateway.play("link-lost-data-kept", seed: seed)
        try await rig.gateway.wait("the broker is lost") { client.linkState == .upstreamLost }
        // Nothing may leave.
        #expect(throws: ClientError.notSent(.link(.upstreamLost))) {
            _ = try monitor.apple.place(.buy, 1, .market(for: .day))
        }
        try await rig.gateway.wait("the broker is back", limit: .minutes(2)) {
            client.linkState == .ready
        }
        try await monitor.waitForData(after: monitor.now)
        #expect(rig.gateway.received(.reqMktData).count == 2)  // A snapshot, and the quotes.
        #expect(rig.gateway.received(.placeOrder).count == 1)
        #expect(rig.gateway.connection == 1)
        // Orders and executions are read again all the same.
        #expect(rig.gateway.received(.reqExecutions).count == asked + 1)
        #expect(monitor.quotes.gaps().isEmpty)
        #expect(states(rig).suffix(3) == [.upstreamLost, .sync, .ready])
        #expect(rig.gateway.violations.isEmpty)
        try await rig.cancel(resting)
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func dataThatWereLostAreAskedForOnce(seed: UInt64) async throws {
        let monitor = try await Monitor()
        let (rig, client) = (monitor.rig, monitor.rig.client)
        let asked = rig.gateway.received(.reqExecutions).count
        try rig.gateway.play("link-lost-data-lost", seed: seed)
        try await rig.gateway.wait("the broker is lost") { client.linkState == .upstreamLost }
        try await rig.gateway.wait("the broker is back", limit: .minutes(2)) {
            client.linkState == .ready
        }
        try await monitor.waitForData(after: monitor.now)
        #expect(rig.gateway.received(.reqMktData).count == 3)
        #expect(rig.gateway.received(.reqExecutions).count == asked + 1)
        #expect(rig.gateway.connection == 1)
        #expect(monitor.quotes.gaps() == [.dataLost])
        #expect(monitor.bars.gaps() == [.dataLost])
        monitor.checkBars()
        #expect(rig.gateway.violations.isEmpty)
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func nightlyRestartIsSurvived(seed: UInt64) async throws {
        let monitor = try await Monitor()
        let (rig, client) = (monitor.rig, monitor.rig.client)
        let resting = try monitor.apple.place(
            .buy, 7, .limit(try monitor.apple.bid(percent: 60), for: .goodTillCancelled))
        try await rig.waitToWork(resting)
        let attempts = rig.gateway.attempts.count
        try rig.gateway.play("nightly-restart", seed: seed)
        try await rig.gateway.wait("the connection breaks", limit: .minutes(5)) {
            client.linkState == .down
        }
        try await rig.gateway.wait("the second session is ready", limit: .minutes(10)) {
            rig.gateway.connection >= 2 && client.linkState == .ready
        }
        try await monitor.waitForData(after: monitor.now)
        // At most 5 minutes closed: patient attempts, the last of them the only connection.
        #expect((1...20).contains(rig.gateway.attempts.count - attempts))
        #expect(rig.gateway.connection == 2)
        // Once for the connection, and once more where a farm came back and its data did not yet.
        #expect((1...2).contains(rig.gateway.received(.reqMktData, in: 2).count))
        #expect(monitor.quotes.gaps().filter { $0 == .disconnected }.count == 1)
        monitor.checkBars()
        // The same 1100 again and again is one change of the link.
        let losses = rig.link.elements.filter {
            if case .link(.upstreamLost, _) = $0 { true } else { false }
        }
        #expect(losses.count == 1)
        let open = try await rig.gateway.finishInTime { try await client.openOrders() }
        #expect(open.map(\.order.orderId) == [resting])
        #expect(rig.gateway.received(.placeOrder).count == 1)
        #expect(rig.gateway.violations.isEmpty)
        try await rig.cancel(resting)
    }

    /// The number is in use for a minute: the same one is tried again, at a distance, and no other.
    @Test func reservedClientNumberIsWaitedFor() async throws {
        let monitor = try await Monitor()
        let (rig, client) = (monitor.rig, monitor.rig.client)
        let attempts = rig.gateway.attempts.count
        try rig.gateway.play("client-id-held")
        try await rig.gateway.wait("the number is free again", limit: .minutes(3)) {
            rig.gateway.connection >= 2 && client.linkState == .ready
        }
        let refusals = rig.link.elements.filter {
            if case .disconnected(.clientIDInUse(7), _) = $0 { true } else { false }
        }
        #expect((1...6).contains(refusals.count))
        let times = rig.gateway.attempts.dropFirst(attempts)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(4_800) })
        #expect(rig.gateway.control(#"{"do":"status"}"#).contains(#""client":7,"#))
        try await monitor.waitForData(after: monitor.now)
        monitor.checkBars()
    }

    /// Bytes stop while the connection stays open: it is noticed by the silence, nothing more leaves, and
    /// the connection is made anew.
    @Test func halfOpenConnectionIsLeft() async throws {
        let monitor = try await Monitor()
        let (rig, client) = (monitor.rig, monitor.rig.client)
        try rig.gateway.play("half-open")
        let begin = rig.gateway.clock.now
        try await rig.gateway.wait("the silence is suspicious") {
            rig.link.elements.contains(.silence(.stale))
        }
        // 10 seconds of silence, and what was told before the script began.
        #expect(rig.gateway.clock.now - begin <= .seconds(11))
        #expect(throws: ClientError.self) {
            _ = try monitor.apple.place(.buy, 1, .market(for: .day))
        }
        try await rig.gateway.wait("the connection is dropped") { client.linkState == .down }
        #expect(rig.gateway.clock.now - begin <= .seconds(46))
        #expect(rig.link.elements.contains(.silence(.alarm)))
        // The gateway keeps the old connection, and with it the number, until it is reset.
        try await rig.gateway.wait("the session is ready", limit: .minutes(5)) {
            client.linkState == .ready
        }
        try await monitor.waitForData(after: monitor.now)
        #expect(rig.gateway.received(.placeOrder).isEmpty)
        monitor.checkBars()
        #expect(rig.gateway.violations.isEmpty)
    }

    /// Four orders are lost in the socket and the gateway comes back with an older number: theirs are
    /// spent, none is sent again, and none is known.
    @Test func rolledBackNumbersAreNotUsedAgain() async throws {
        let rig = try await TradingRig.open()
        let apple = try await AppleCounter(rig)
        let client = rig.client
        try rig.gateway.play("id-rollback")
        let lost = try (0..<4).map { index in
            try apple.place(.buy, 1, .market(for: .day), "lost-\(index)")
        }
        #expect(lost == [1, 2, 3, 4])
        try await rig.gateway.wait("the gateway is back", limit: .minutes(5)) {
            rig.gateway.connection >= 2 && client.linkState == .ready
        }
        #expect(client.nextOrderID == 1)
        let open = try await rig.gateway.finishInTime { try await client.openOrders(.all) }
        let completed = try await rig.gateway.finishInTime { try await client.completedOrders() }
        let fills = try await rig.gateway.finishInTime("fills") { try await client.fills() }
        #expect(open.isEmpty && completed.isEmpty && fills.isEmpty)
        let next = try apple.place(.buy, 1, .market(for: .day), "next")
        #expect(next == 5)
        try await rig.wait(for: next, .filled)
        let sent = rig.gateway.received(.placeOrder).compactMap { message -> APIOrderID? in
            if case .placeOrder(let order) = message { order.orderId } else { nil }
        }
        #expect(sent == [1, 2, 3, 4, 5])
    }

    @Test func farmThatBlinksLeavesNoHole() async throws {
        let monitor = try await Monitor()
        let (rig, client) = (monitor.rig, monitor.rig.client)
        try rig.gateway.play("farm-blip")
        try await rig.gateway.wait("data are degraded") { client.linkState == .dataDegraded }
        try await rig.gateway.wait("the farm is back") { client.linkState == .ready }
        await rig.gateway.pass(.seconds(60))
        try await monitor.waitForData(after: monitor.now)
        monitor.checkBars()
        #expect(!monitor.bars.gaps().isEmpty)
        #expect(monitor.bars.error == nil && monitor.quotes.error == nil)
        #expect(rig.gateway.connection == 1)
        #expect(rig.gateway.violations.isEmpty)
    }

    /// The history service loses its connection for a moment: what was asked is asked again.
    @Test func historyIsAskedForAgainWhenItsServiceIsBack() async throws {
        let rig = try await TradingRig.open()
        let client = rig.client
        try rig.gateway.fault(
            #"{"do":"refuse","kinds":["reqHistoricalData"],"code":162,"times":2,"text":"Historical Market Data Service error message:HMDS server disconnect occurred.  Attempting reconnection"}"#
        )
        let begin = rig.gateway.clock.now
        let bars = try await rig.gateway.finishInTime("bars") {
            try await client.recentBars(BarQuestion(.stock("AAPL"), .oneMinute), .days(1))
        }
        #expect(bars.count >= 30)
        #expect(rig.gateway.received(.reqHistoricalData).count == 3)
        // One second, then two.
        #expect(rig.gateway.clock.now - begin >= .seconds(3))
        #expect(rig.gateway.violations.isEmpty)
    }
}
