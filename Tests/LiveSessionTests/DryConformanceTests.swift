import ClientTestSupport
import ConformanceSuite
import ConformanceWire
import Foundation
import GatewaySimulator
import GatewayTestSupport
import MarketSimulation
import MarketState
import Model
import Primitives
import Simulation
import Synchronization
import TWSClient
import TWSProtocol
import TestSupport
import Testing

@testable import Runtime

/// The conformance cases at the broker of mode dry: orders through a session's messages, the market from a gateway that
/// trades nothing.
@Suite struct DryConformanceTests {
    /// A night is 250,000 steps of a gateway: those cases are played one way round.
    @Test(arguments: ConformanceCase.all.filter { !$0.isMirrored || !$0.lastsOvernight })
    func holdsOverTheGatewaysData(_ one: ConformanceCase) throws {
        let venue = try DryVenueUnderTest(one)
        #expect(one.play(on: venue) == [])
        let foreign = venue.gateway.received.filter { !$0.message.asksForData }
        #expect(foreign.isEmpty)
        #expect(!venue.gateway.received(.reqMktData).isEmpty)
    }
}

/// A gateway that shows a case's market, a dry broker before it, and a client.
private final class DryVenueUnderTest: ConformanceVenue {
    let gateway: SimulatedGateway
    private let folder: TemporaryFolder
    private let client: DryClient

    init(_ one: ConformanceCase) throws {
        var data = ReplayData()
        try data.add(ticks: one.ticks, of: "AAPL")
        gateway = SimulatedGateway(at: ConformanceSchedule.start - .seconds(5)) { settings in
            settings.market = .replay(data)
        }
        folder = try TemporaryFolder("dry-\(UUID().uuidString)")
        var rules = SimulatedGatewaySettings(start: ConformanceSchedule.start).rules
        rules.limitFill = one.limitFill
        let broker = try DryBroker(
            DryBroker.Plan(
                symbols: ["AAPL"], account: nil, kind: .margin, capital: Money(cents: 100_000_000),
                rules: rules, path: folder.path + "dry"
            ) { Issue.record("\($0)") })
        client = DryClient(DryConnector(base: gateway, broker: broker))
        gateway.clock.advance(by: .seconds(1))
        gateway.clock.run()
        _ = client.take()
    }

    deinit { folder.remove() }

    private var now: Timestamp { gateway.clock.timeOfDay }

    // MARK: What happens

    func place(_ order: ConformanceOrder, as number: Int, at time: Timestamp) {
        pass(to: time)
        var contract = Contract.stock("AAPL")
        contract.conId = 265_598
        client.send(
            .placeOrder(PlaceOrder(APIOrderID(rawValue: Int32(number)), contract, order.wire)))
        pass(to: now + .milliseconds(500))
    }

    func modify(_ number: Int, to order: ConformanceOrder, at time: Timestamp) {
        place(order, as: number, at: time)
    }

    func cancel(_ number: Int, at time: Timestamp) {
        pass(to: time)
        var request = CancelOrder()
        request.orderId = APIOrderID(rawValue: Int32(number))
        client.send(.cancelOrder(request))
        pass(to: now + .milliseconds(500))
    }

    func trade(_ minute: ConformanceMinute) {
        pass(to: minute.isLast ? minute.end + .seconds(3) : minute.end)
    }

    func pass(to time: Timestamp) {
        while now < time {
            gateway.clock.advance(by: min(Gateway.step, time - now))
            gateway.clock.run()
        }
    }

    // MARK: What follows

    func takeOutcomes() -> [ConformanceCase.Outcome] {
        client.take().compactMap { message in
            if let code = message.unexpectedCode { Issue.record("\(code)") }
            return message.conformanceOutcome
        }
    }
}

/// A client on a session's connector.
private final class DryClient: Sendable {
    private let state = Mutex(State())
    private let loop: any SessionLoop

    private struct State {
        var pipe: (any BytePipe)?
        var codec: TextCodec?
        var reader = FrameReader()
        var messages: [GatewayMessage] = []
    }

    init(_ connector: some PipeConnector) {
        loop = connector.loop
        connector.connect(
            PipeListener(
                opened: { [weak self] pipe in
                    self?.state.withLock { $0.pipe = pipe }
                    pipe.write(ClientHandshake.standard.bytes)
                }, received: { [weak self] in self?.received($0) },
                closed: { Issue.record("the connection has ended: \($0 ?? "")") }))
    }

    func send(_ message: ClientMessage) {
        state.withLock { state in
            var bytes: [UInt8] = []
            do throws(EncodingRefusal) {
                try state.codec?.encode(message, into: &bytes)
            } catch {
                Issue.record("\(error)")
            }
            state.pipe?.write(bytes)
        }
    }

    func take() -> [GatewayMessage] {
        state.withLock { state in
            defer { state.messages.removeAll() }
            return state.messages
        }
    }

    private func received(_ bytes: UnsafeRawBufferPointer) {
        let isNew = state.withLock { state in
            state.reader.append(bytes)
            var isNew = false
            while let payload = try? state.reader.next({ Array($0) }) {
                payload.withUnsafeBufferPointer { payload in
                    if let codec = state.codec {
                        if let message = try? codec.decode(fromGateway: payload).message {
                            state.messages.append(message)
                        }
                    } else if let agreement = try? ClientHandshake.standard.accept(payload) {
                        state.codec = TextCodec(version: agreement.version)
                        isNew = true
                    }
                }
            }
            return isNew
        }
        guard isNew else { return }
        var start = StartApi()
        start.clientId = 1
        send(.startApi(start))
    }
}
