import ClientTestSupport
import Primitives
import Synchronization
import TWSProtocol
import Testing

@testable import TWSClient

/// Subscriptions are what somebody wants, not what one connection knows.
@Suite struct ClientSubscriptionTests {
    private func gaps(_ reading: Reading<Signal<Int32>>) -> [Gap] {
        reading.elements.compactMap { if case .gap(let gap) = $0 { gap } else { nil } }
    }

    private func marks(_ reading: Reading<Signal<Int32>>) -> [Int32] {
        reading.elements.compactMap { if case .data(let mark) = $0 { mark } else { nil } }
    }

    /// Five instruments and a thousand drops, at the begin of a connection, in the middle and
    /// later.
    @Test func everySubscriptionIsLiveOnceBehindEachOfAThousandDrops() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let symbols = ["A", "B", "C", "D", "E"]
        let subscriptions = symbols.map { client.bids($0) }
        gateway.clock.run()
        var generator = SeededGenerator(seed: 1)
        for round in 0..<1_000 {
            if Bool.random(using: &generator) { gateway.change { $0.latency = .milliseconds(20) } }
            gateway.drop(Bool.random(using: &generator) ? "reset" : nil)
            let short = Int64.random(in: 0...1_100, using: &generator)
            gateway.clock.advance(by: .milliseconds(short))
            if Bool.random(using: &generator) { gateway.drop() }
            gateway.change { $0.latency = .zero }
            gateway.clock.advance(by: .seconds(40))
            let connection = gateway.connection
            let asked = gateway.received(.reqMktData, in: connection)
            #expect(asked.count == 5, "round \(round)")
            #expect(Set(gateway.live) == Set(asked.compactMap(\.requestID)), "round \(round)")
            #expect(gateway.live.count == 5, "round \(round)")
        }
        // Every request had a number of its own.
        let all = gateway.received(.reqMktData).compactMap(\.requestID)
        #expect(Set(all).count == all.count)
        _ = subscriptions.count
        client.close()
    }

    @Test func whatIsSubscribedBeforeTheConnectionIsMadeWithIt() async throws {
        let gateway = ScriptedGateway()
        let client = gateway.client()
        let reading = Reading(client.bids("SPY"))
        gateway.clock.run()
        #expect(gateway.live.isEmpty)
        try await gateway.finish { try await client.connect() }
        #expect(gateway.live.count == 1)
        gateway.send(.bid(gateway.live[0], 5))
        try await gateway.clock.run(until: "a bid") { reading.elements == [.data(5)] }
    }

    /// One loss is one gap, however long the gateway stays away.
    @Test func dataGoOnBehindOneGapForEachLoss() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let reading = Reading(client.bids("SPY"))
        gateway.clock.run()
        gateway.send(.bid(gateway.live[0], 1))
        try await gateway.clock.run(until: "a bid") { reading.elements == [.data(1)] }
        let first = gateway.live[0]
        gateway.change { $0.welcome = .refuses }
        gateway.drop("reset")
        gateway.clock.advance(by: .minutes(10))
        gateway.change { $0.welcome = .accepts }
        gateway.clock.advance(by: .seconds(30))
        // What still comes under the old number is nobody's.
        gateway.send(.bid(first, 9), .bid(gateway.live[0], 2))
        try await gateway.clock.run(until: "a bid") { reading.elements.count == 3 }
        #expect(reading.elements == [.data(1), .gap(.disconnected), .data(2)])
        #expect(gateway.live.count == 1)
        #expect(client.telemetry.unclaimedSoFar == 1)
    }

    @Test func dataLostMakesEverythingAnewAndDataKeptNothing() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let readings = ["A", "B"].map { Reading(client.bids($0)) }
        gateway.clock.run()
        let before = gateway.live
        gateway.send(.code(1100), .code(1102))
        gateway.clock.run()
        #expect(gateway.received(.reqMktData).count == 2)
        #expect(gateway.live == before)
        gateway.send(code: 1100)
        gateway.forgetSubscriptions()
        gateway.send(.code(1101), .code(1101))
        gateway.clock.run()
        #expect(gateway.live.count == 2)
        #expect(Set(gateway.live).isDisjoint(with: before))
        try await gateway.clock.run(until: "the gaps") {
            readings.allSatisfy { gaps($0) == [.dataLost] }
        }
    }

    /// A farm that was away for three seconds: who stays silent is made anew, who has data is left.
    @Test func aFarmsBlipRemakesWhatStaysSilent() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let lively = Reading(client.bids("A"))
        let silent = Reading(client.bids("B"))
        gateway.clock.run()
        let (a, b) = (gateway.live[0], gateway.live[1])
        gateway.send(.bid(a, 1), .bid(b, 1))
        gateway.send(code: 2103, "Market data farm connection is broken:usfarm")
        gateway.clock.advance(by: .seconds(3))
        gateway.send(code: 2104, "Market data farm connection is OK:usfarm")
        gateway.clock.advance(by: .seconds(4))
        gateway.send(.bid(a, 2))
        gateway.clock.advance(by: .seconds(6))
        #expect(gateway.live.count == 2)
        #expect(gateway.live[0] == a)
        #expect(gateway.live[1] != b)
        let kinds = gateway.received.suffix(2).map(\.message.kind)
        #expect(kinds == [.cancelMktData, .reqMktData])
        gateway.send(.bid(gateway.live[1], 3))
        try await gateway.clock.run(until: "data") {
            silent.elements == [.data(1), .gap(.farm("usfarm")), .data(3)]
        }
        #expect(lively.elements == [.data(1), .data(2)])
    }

    /// Farms that flap for ten minutes: subscriptions stay one each.
    @Test func aFlappingFarmLeavesOneOfEach() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let subscriptions = ["A", "B"].map { client.bids($0) }
        for _ in 0..<200 {
            gateway.send(code: 2103, "is broken:usfarm")
            gateway.clock.advance(by: .seconds(1))
            gateway.send(code: 2104, "is OK:usfarm")
            gateway.clock.advance(by: .seconds(2))
        }
        gateway.clock.advance(by: .seconds(10))
        #expect(gateway.live.count == 2)
        #expect(gateway.connection == 1)
        _ = subscriptions.count
    }

    @Test(arguments: [10182, 10198, 10225, 316, 420] as [Int32])
    func whatTheGatewayTerminatedIsCancelledThenMadeAnew(code: Int32) async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let reading = Reading(client.bids("SPY"))
        gateway.clock.run()
        let old = gateway.live[0]
        gateway.send(code: code, id: old.rawValue)
        gateway.clock.run()
        #expect(gateway.received.map(\.message.kind) == [.reqMktData, .cancelMktData, .reqMktData])
        #expect(gateway.received[1].message.requestID == old)
        #expect(gateway.live.count == 1)
        #expect(gateway.live[0] != old)
        try await gateway.clock.run(until: "the gap") {
            gaps(reading).count == 1 && !reading.isOver
        }
    }

    /// Ended at once each time: it rests longer and longer, until data come.
    @Test func endingsWithoutDataAreMadeAnewEverMoreSlowly() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.reqMktData) { message in
            [.code(10225, id: message.requestID?.rawValue ?? 0)]
        }
        let client = try await gateway.connectedClient()
        let subscription = client.bids("SPY")
        gateway.clock.advance(by: .minutes(5))
        let times = gateway.received.filter { $0.message.kind == .reqMktData }.map(\.time)
        let waits = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(
            waits.prefix(7) == [
                .zero, .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16),
                .seconds(30),
            ])
        #expect(times.count <= 18)
        gateway.on(.reqMktData) { [.bid($0.requestID ?? 0, 1)] }
        gateway.clock.advance(by: .seconds(30))
        gateway.forgetScript(for: .reqMktData)
        let count = gateway.received(.reqMktData).count
        gateway.send(code: 10225, id: gateway.live[0].rawValue)
        gateway.clock.run()
        #expect(gateway.received(.reqMktData).count == count + 1)
        subscription.cancel()
    }

    @Test func aRefusalEndsTheSubscriptionForGood() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let reading = Reading(client.bids("NONE"))
        gateway.clock.run()
        gateway.send(code: 200, id: gateway.live[0].rawValue, "No security definition")
        try await gateway.clock.run(until: "the end") { reading.isOver }
        guard case .rejected(let notice) = reading.error as? ClientError else {
            Issue.record("ended with \(String(describing: reading.error))")
            return
        }
        #expect(notice.code == 200)
        #expect(notice.text == "No security definition")
        gateway.drop()
        gateway.clock.advance(by: .seconds(5))
        #expect(gateway.received(.reqMktData, in: 2).isEmpty)
    }

    @Test(arguments: ["cancel", "task", "release"])
    func whoStopsReadingEndsItAtTheGateway(way: String) async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        var subscription: Subscription<Int32>? = client.bids("SPY")
        var reading: Reading<Signal<Int32>>?
        gateway.clock.run()
        #expect(gateway.live.count == 1)
        switch way {
        case "cancel": subscription?.cancel()
        case "task":
            if let subscription { reading = Reading(subscription) }
            subscription = nil
            await gateway.clock.settle(rounds: 20)
            reading?.cancel()
        default: subscription = nil
        }
        try await gateway.clock.run(until: "the cancel") { gateway.live.isEmpty }
        #expect(gateway.received(.cancelMktData).count == 1)
        gateway.drop()
        gateway.clock.advance(by: .seconds(5))
        #expect(gateway.live.isEmpty)
        _ = reading?.isOver
        _ = subscription
    }

    /// What never left needs no cancel.
    @Test func whatHasNotLeftIsTakenBack() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient { $0.session.marketDataLines = 100 }
        let subscriptions = (0..<60).map { client.bids("S\($0)") }
        subscriptions[59].cancel()
        gateway.clock.advance(by: .seconds(10))
        #expect(gateway.received(.reqMktData).count == 59)
        #expect(gateway.received(.cancelMktData).isEmpty)
        // Their end would be a cancel.
        withExtendedLifetime(subscriptions) {}
    }

    /// A full limit is told at once, and the subscription is over.
    @Test func aFullLimitIsAnError() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient { $0.session.marketDataLines = 10 }
        let kept = (0..<10).map { client.bids("S\($0)") }
        let reading = Reading(client.bids("S10"))
        try await gateway.clock.run(until: "the error") { reading.isOver }
        #expect(
            reading.error as? ClientError
                == .notSent(.pacing(.full(.marketDataLines, allowed: 10))))
        _ = kept.count
    }

    /// Of a slow reader's 5,000 bids the newest 16 are kept, behind one word of what is missing.
    @Test func aSlowReaderGetsTheNewestBehindAGap() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let subscription = client.bids("SPY", .newestWins(capacity: 16))
        gateway.clock.run()
        for mark in 1...5_000 as ClosedRange<Int32> { gateway.send(.bid(gateway.live[0], mark)) }
        gateway.clock.run()
        let reading = Reading(subscription)
        try await gateway.clock.run(until: "17 signals") { reading.elements.count == 17 }
        #expect(reading.elements.first == .gap(.overrun(4_984)))
        #expect(marks(reading) == Array(4_985...5_000))
        gateway.send(.bid(gateway.live[0], 5_001))
        try await gateway.clock.run(until: "one more") { reading.elements.count == 18 }
        #expect(reading.elements.last == .data(5_001))
    }

    @Test func aReaderThatMustMissNothingGetsAnErrorInstead() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let subscription = client.bids("SPY", .neverDrops(capacity: 16))
        gateway.clock.run()
        for mark in 1...17 as ClosedRange<Int32> { gateway.send(.bid(gateway.live[0], mark)) }
        gateway.clock.run()
        let reading = Reading(subscription)
        try await gateway.clock.run(until: "the end") { reading.isOver }
        #expect(marks(reading) == Array(1...16))
        #expect(reading.error as? ClientError == .overflow(capacity: 16))
        // Nobody reads it any more, so the gateway is told.
        try await gateway.clock.run(until: "the cancel") { gateway.live.isEmpty }
    }

    @Test func closingEndsEverySubscription() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let reading = Reading(client.bids("SPY"))
        gateway.clock.run()
        client.close()
        try await gateway.clock.run(until: "the end") { reading.isOver }
        #expect(reading.error as? ClientError == .closed)
        #expect(!gateway.isConnected)
        let late = Reading(client.bids("SPY"))
        try await gateway.clock.run(until: "the end") { late.isOver }
        #expect(late.error as? ClientError == .closed)
    }

    /// Tasks that subscribe and stop while the connection comes and goes leave nothing behind.
    @Test func subscribingWhileTheConnectionComesAndGoesLeavesOneOfEach() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        for round in 0..<50 {
            let tasks = (0..<4).map { index in
                Started(on: gateway.clock) {
                    let kept = client.bids("K\(index)")
                    for _ in 0..<3 {
                        client.bids("T\(index)").cancel()
                        await Task.yield()
                    }
                    return kept
                }
            }
            for _ in 0..<5 {
                gateway.drop()
                gateway.clock.advance(by: .milliseconds(400))
                await Task.yield()
            }
            gateway.clock.advance(by: .seconds(40))
            var kept: [Subscription<Int32>] = []
            for task in tasks { kept.append(try await task.value()) }
            gateway.clock.advance(by: .seconds(5))
            #expect(gateway.live.count == 4, "round \(round)")
            for subscription in kept { subscription.cancel() }
            gateway.clock.advance(by: .seconds(5))
            #expect(gateway.live.isEmpty, "round \(round)")
        }
    }
}
