import ClientTestSupport
import Primitives
import Synchronization
import TWSProtocol
import Testing

@testable import TWSClient

/// Orders leave once or not at all, and what became of each is told.
@Suite struct ClientOrderTests {
    private func places(_ gateway: ScriptedGateway) -> [APIOrderID] {
        gateway.received(.placeOrder).compactMap {
            if case .placeOrder(let order) = $0 { order.orderId } else { nil }
        }
    }

    /// A thousand drops at random moments, orders going out all the time: at the gateway no number
    /// comes twice, and nothing arrives of which the client says that it never left.
    @Test func noOrderComesTwiceOverAThousandDrops() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.readyClient()
        let reading = Reading(client.orderEvents())
        var generator = SeededGenerator(seed: 9)
        var accepted: Set<APIOrderID> = []
        var refused: Set<APIOrderID> = []
        for round in 0..<1_000 {
            gateway.change {
                $0.latency = .milliseconds(Int64.random(in: 0...30, using: &generator))
            }
            for _ in 0..<Int.random(in: 1...50, using: &generator) {
                let order = try client.orderNumbers(1)
                do {
                    try client.place(.numbered(order))
                    accepted.insert(order)
                } catch {
                    refused.insert(order)
                }
            }
            gateway.clock.advance(by: .milliseconds(Int64.random(in: 0...60, using: &generator)))
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: gateway.send(.code(1100), .code(1102))
            case 1: gateway.send(.code(1100), .code(1101))
            default: gateway.drop()
            }
            gateway.clock.advance(by: .seconds(Int64.random(in: 0...3, using: &generator)))
            if round % 100 == 99 { await gateway.clock.settle(rounds: 5) }
        }
        gateway.clock.advance(by: .minutes(1))
        let unsent = { Set(reading.elements.compactMap(\.unsentOrder)) }
        let arrived = places(gateway)
        #expect(Set(arrived).count == arrived.count)
        #expect(Set(arrived).isSubset(of: accepted))
        #expect(Set(arrived).isDisjoint(with: refused))
        await gateway.clock.settle(rounds: 2_000)
        #expect(Set(arrived).isDisjoint(with: unsent()))
        #expect(!unsent().isEmpty)
        #expect(arrived.count > 1_000)
    }

    /// The gateway goes back by four: the numbers written to the dying connection stay spent.
    @Test func numbersAreNotUsedAgainBehindAReconnect() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.readyClient()
        gateway.stall([.toGateway])
        let lost = try (0..<4).map { _ in
            let order = try client.orderNumbers(1)
            try client.place(.numbered(order))
            return order
        }
        gateway.clock.run()
        gateway.drop()
        gateway.clock.advance(by: .seconds(5))
        #expect(gateway.manner.nextOrderID == 1)
        #expect(client.linkState == .ready)
        let next = try client.orderNumbers(1)
        #expect(lost == [1, 2, 3, 4])
        #expect(next == 5)
        try client.place(.numbered(next))
        gateway.clock.run()
        #expect(places(gateway) == [5])
    }

    @Test func twoThreadsSendWholeMessages() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.readyClient { $0.session.marketDataLines = 20_000 }
        let sending = (0..<4).map { _ in
            Started(on: gateway.clock) {
                for _ in 0..<250 {
                    let order = try client.orderNumbers(1)
                    try client.place(.numbered(order))
                    await Task.yield()
                }
            }
        }
        for task in sending { try await task.value() }
        gateway.clock.advance(by: .seconds(1))
        #expect(gateway.unreadable.isEmpty)
        #expect(gateway.failures.isEmpty)
        #expect(Set(places(gateway)).count == 1_000)
    }

    @Test func nothingIsPlacedWhereTheLinkDoesNotAllowIt() async throws {
        let gateway = ScriptedGateway()
        let client = gateway.client { $0.session.placesOrders = true }
        #expect(throws: ClientError.notSent(.link(.down))) { try client.place(.numbered(1)) }
        gateway.change { $0.dropped = [.positionEnd] }
        try await gateway.finish { try await client.connect() }
        #expect(throws: ClientError.notSent(.link(.sync))) { try client.place(.numbered(1)) }
        let ready = Started(on: gateway.clock) { try await client.ready(limit: .seconds(20)) }
        await gateway.clock.settle()
        gateway.clock.advance(by: .seconds(20))
        #expect(
            try await ready.error() as? ClientError
                == .timedOut(waitingFor: "positions", after: .seconds(20)))
        gateway.send(.positionEnd(PositionEnd()))
        #expect(gateway.received(.placeOrder).isEmpty)
    }

    /// Queued behind the pace when the broker is lost: told by their numbers, and never sent.
    @Test func ordersThatNeverLeaveAreReportedByNumber() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.readyClient()
        let reading = Reading(client.orderEvents())
        gateway.clock.advance(by: .seconds(2))
        for id in 1...40 as ClosedRange<Int32> { try client.place(.numbered(.init(rawValue: id))) }
        gateway.clock.run()
        let left = places(gateway)
        gateway.send(code: 1100)
        try await gateway.clock.run(until: "those unsent") {
            reading.elements.count == 40 - left.count
        }
        #expect(reading.elements.compactMap(\.unsentOrder) == (37...40).map { .init(rawValue: $0) })
        try client.cancel(1)
        gateway.send(code: 1102)
        gateway.clock.advance(by: .seconds(10))
        #expect(places(gateway) == left)
        #expect(gateway.received(.cancelOrder).count == 1)
    }

    @Test func aCancelOfEverythingReportsTheOrdersItTookBack() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.readyClient()
        let reading = Reading(client.orderEvents())
        gateway.clock.advance(by: .seconds(2))
        for id in 1...40 as ClosedRange<Int32> { try client.place(.numbered(.init(rawValue: id))) }
        try client.cancelEverything()
        try await gateway.clock.run(until: "those taken back") { reading.elements.count == 4 }
        #expect(reading.elements.compactMap(\.unsentOrder) == (37...40).map { .init(rawValue: $0) })
        gateway.clock.advance(by: .minutes(1))
        #expect(places(gateway).count == 36)
        #expect(
            gateway.received.last { $0.message.kind != .reqCurrentTime }?.message.kind
                == .reqGlobalCancel)
    }

    @Test func aCancelThatNeverLeftIsReported() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.readyClient()
        let reading = Reading(client.orderEvents())
        gateway.send(code: 1100)
        gateway.clock.run()
        try client.cancel(12)
        gateway.drop()
        try await gateway.clock.run(until: "the word") {
            reading.elements == [.unsent(12, isCancel: true)]
        }
        #expect(throws: ClientError.notSent(.link(.down))) { try client.cancel(12) }
    }

    /// Fill before acknowledgement, twice, and a status behind it: as it came, nothing left out.
    @Test func eventsOfAnOrderAreReportedAsTheyCame() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.readyClient()
        let reading = Reading(client.orderEvents())
        try client.place(.numbered(1))
        let words: [GatewayMessage] = [
            .fill(1, "a.01"), .fill(1, "a.01"), .fill(1, "a.02"), .status(1, .submitted),
            .status(1, .cancelled), .fill(1, "b.01"), .status(1, .filled),
        ]
        gateway.send(words)
        try await gateway.clock.run(until: "the events") { reading.elements.count == words.count }
        #expect(reading.elements == words.compactMap { OrderEvent($0) })
    }

    @Test func followersThatDoNotReadGetAnErrorAndHoldNothingUp() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.readyClient { $0.orderCapacity = 10 }
        let lazy = client.orderEvents()
        let reading = Reading(client.orderEvents())
        for index in 0..<50 {
            gateway.send(.fill(1, "f\(index)"))
            gateway.clock.run()
            try await gateway.clock.run(until: "fill \(index)") {
                reading.elements.count == index + 1
            }
        }
        let late = Reading(lazy)
        try await gateway.clock.run(until: "the end") { late.isOver }
        #expect(late.elements.count == 10)
        #expect(late.error as? ClientError == .overflow(capacity: 10))
    }
}

extension OrderEvent {
    /// The order that never left.
    var unsentOrder: APIOrderID? {
        if case .unsent(let order, isCancel: false) = self { order } else { nil }
    }
}
