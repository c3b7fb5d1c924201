import ConformanceSuite
import ConformanceWire
import GatewaySimulator
import MarketSimulation
import MarketState
import Model
import Primitives
import Simulation
import TWSProtocol
import Testing

/// The conformance cases at the gateway simulator, through its messages.
@Suite struct GatewayConformanceTests {
    /// A night is 250,000 steps of a gateway: those cases are played one way round.
    @Test(arguments: ConformanceCase.all.filter { !$0.isMirrored || !$0.lastsOvernight })
    func holdsThroughMessages(_ one: ConformanceCase) throws {
        let differences = one.play(on: try GatewayUnderTest(one))
        #expect(differences == [])
    }
}

/// A gateway that replays a case's market, and a client, in the words of the cases.
private final class GatewayUnderTest: ConformanceVenue {
    private let rig: GatewayRig
    private let client: ScriptedClient

    private static let contracts = GatewayContractDatabase(
        symbols: ["AAPL"], firstPrices: [:],
        on: ConformanceSchedule.session?.day ?? Day(number: 0))

    init(_ one: ConformanceCase) throws {
        var data = ReplayData()
        try data.add(ticks: one.ticks, of: "AAPL")
        var settings = SimulatedGatewaySettings(start: ConformanceSchedule.start - .seconds(5))
        settings.market = .replay(data)
        settings.rules.limitFill = one.limitFill
        rig = GatewayRig(Gateway(settings: settings, contracts: Self.contracts))
        client = rig.begin(as: 1)
        client.take()
    }

    // MARK: What happens

    func place(_ order: ConformanceOrder, as number: Int, at time: Timestamp) {
        pass(to: time)
        client.send(
            .placeOrder(
                PlaceOrder(APIOrderID(rawValue: Int32(number)), .stock("AAPL"), order.wire)))
        pass(to: rig.now + .milliseconds(500))
    }

    func modify(_ number: Int, to order: ConformanceOrder, at time: Timestamp) {
        place(order, as: number, at: time)
    }

    func cancel(_ number: Int, at time: Timestamp) {
        pass(to: time)
        var request = CancelOrder()
        request.orderId = APIOrderID(rawValue: Int32(number))
        client.send(.cancelOrder(request))
        pass(to: rig.now + .milliseconds(500))
    }

    func trade(_ minute: ConformanceMinute) {
        pass(to: minute.isLast ? minute.end + .seconds(2) : minute.end)
    }

    func pass(to time: Timestamp) {
        guard time > rig.now else { return }
        rig.pass(time - rig.now, step: .hours(1))
    }

    // MARK: What follows

    func takeOutcomes() -> [ConformanceCase.Outcome] {
        client.take().compactMap { message in
            if let code = message.unexpectedCode { Issue.record("\(code)") }
            return message.conformanceOutcome
        }
    }
}
