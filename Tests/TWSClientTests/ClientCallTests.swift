import ClientTestSupport
import Primitives
import Synchronization
import TWSProtocol
import Testing

@testable import TWSClient

/// A question ends with its whole answer or with an error that says why, and never hangs.
@Suite struct ClientCallTests {
    /// A call that the gateway has got and not answered.
    private func asked(
        _ gateway: ScriptedGateway, _ client: GatewayClient
    ) async throws -> (call: Started<Bool>, request: RequestID) {
        let before = gateway.received(.reqHeadTimestamp).count
        let call = Started(on: gateway.clock) { try await client.head("SPY") }
        try await gateway.clock.run(until: "the question") {
            gateway.received(.reqHeadTimestamp).count == before + 1
        }
        let request = try #require(gateway.received(.reqHeadTimestamp).last?.requestID)
        return (call, request)
    }

    @Test func theAnswerEndsTheCallAndNothingIsCancelled() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.reqHeadTimestamp) { [.head($0.requestID ?? 0)] }
        let client = try await gateway.connectedClient()
        #expect(try await gateway.finish { try await client.head("SPY") })
        #expect(gateway.received(.cancelHeadTimestamp).isEmpty)
        #expect(client.telemetry.summary().map(\.question) == ["first day"])
    }

    @Test func callsAtTheSameTimeGetTheirOwnAnswers() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.reqContractDetails) { message in
            guard case .reqContractDetails(let question) = message else { return [] }
            var row = ContractData()
            row.reqId = question.reqId
            row.contract.conId = ContractID(rawValue: Int32(question.contract.symbol) ?? 0)
            return [.contractData(row), .contractEnd(question.reqId)]
        }
        let client = try await gateway.connectedClient()
        let calls = (1...30).map { number in
            Started(on: gateway.clock) { try await client.conIDs("\(number)") }
        }
        try await gateway.clock.run(until: "the calls") {
            gateway.clock.advance(by: .milliseconds(100))
            return calls.allSatisfy(\.isDone)
        }
        for (number, call) in zip(1..., calls) {
            #expect(try await call.value() == [ContractID(rawValue: Int32(number))])
        }
    }

    @Test func aLostAnswerIsAnErrorInTimeAndCancelledAtTheGateway() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let (call, request) = try await asked(gateway, client)
        gateway.clock.advance(by: .milliseconds(9_999))
        await gateway.clock.settle()
        #expect(!call.isDone)
        gateway.clock.advance(by: .milliseconds(1))
        #expect(
            try await call.error() as? ClientError
                == .timedOut(waitingFor: "first day", after: .seconds(10)))
        try await gateway.clock.run(until: "the cancel") {
            gateway.received(.cancelHeadTimestamp).last?.requestID == request
        }
    }

    @Test func aLateAnswerIsCountedAndNobodys() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let (call, request) = try await asked(gateway, client)
        gateway.clock.advance(by: .seconds(10))
        _ = try await call.error()
        #expect(client.telemetry.unclaimedSoFar == 0)
        let (second, next) = try await asked(gateway, client)
        gateway.send(.head(request), .head(request))
        await gateway.clock.settle()
        #expect(!second.isDone)
        #expect(client.telemetry.unclaimedSoFar == 2)
        gateway.send(.head(next))
        #expect(try await second.value())
    }

    @Test func aCancelledTaskCancelsAtTheGateway() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let (call, request) = try await asked(gateway, client)
        call.cancel()
        #expect(try await call.error() is CancellationError)
        try await gateway.clock.run(until: "the cancel") {
            gateway.received(.cancelHeadTimestamp).map(\.requestID) == [request]
        }
        // A request with no cancel of its own is left alone.
        let list = Started(on: gateway.clock) { try await client.conIDs("SPY") }
        try await gateway.clock.run(until: "the question") {
            !gateway.received(.reqContractDetails).isEmpty
        }
        let count = gateway.received.count
        list.cancel()
        #expect(try await list.error() is CancellationError)
        await gateway.clock.settle()
        #expect(gateway.received.count == count)
    }

    @Test func aTaskCancelledBeforeItAsksAsksNothing() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let call = Started(on: gateway.clock) {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.head("SPY")
        }
        #expect(try await call.error() is CancellationError)
        await gateway.clock.settle()
        #expect(gateway.received(.reqHeadTimestamp).isEmpty)
        #expect(gateway.received(.cancelHeadTimestamp).isEmpty)
    }

    @Test func aLostConnectionEndsTheCallAtOnce() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let (call, _) = try await asked(gateway, client)
        gateway.drop("reset by peer")
        #expect(
            try await call.error() as? ClientError
                == .disconnected(.connection("reset by peer")))
        gateway.clock.advance(by: .seconds(5))
        #expect(gateway.received(.cancelHeadTimestamp).isEmpty)
    }

    @Test func aRefusalIsTheGatewaysWords() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let (call, request) = try await asked(gateway, client)
        gateway.send(code: 200, id: request.rawValue, "No security definition")
        guard case .rejected(let notice) = try await call.error() as? ClientError else {
            Issue.record("not refused")
            return
        }
        #expect(notice.code == 200)
        #expect(notice.text == "No security definition")
        #expect(!notice.advice.isEmpty)
        #expect(gateway.received(.cancelHeadTimestamp).isEmpty)
    }

    @Test func aQuestionBeforeTheConnectionWaitsForIt() async throws {
        let gateway = ScriptedGateway { $0.nextOrderIDDelay = .seconds(5) }
        gateway.on(.reqHeadTimestamp) { [.head($0.requestID ?? 0)] }
        let client = gateway.client()
        let call = Started(on: gateway.clock) { try await client.head("SPY") }
        let connect = Started(on: gateway.clock) { try await client.connect() }
        try await gateway.clock.run(until: "the attempt") { gateway.connection == 1 }
        await gateway.clock.settle()
        #expect(gateway.received.isEmpty)
        gateway.clock.advance(by: .seconds(5))
        #expect(try await call.value())
        try await connect.value()
    }

    @Test func aQuestionWithoutAConnectionGivesUp() async throws {
        let gateway = ScriptedGateway()
        let client = gateway.client()
        let call = Started(on: gateway.clock) { try await client.head("SPY", limit: .seconds(3)) }
        try await gateway.clock.run(until: "its timer") { gateway.clock.timerCount == 1 }
        gateway.clock.advance(by: .seconds(3))
        #expect(
            try await call.error() as? ClientError
                == .timedOut(waitingFor: "connection", after: .seconds(3)))
        #expect(gateway.clock.timerCount == 0)
    }

    @Test func closingEndsCallsThatWait() async throws {
        let gateway = ScriptedGateway { $0.dropped = [.positionEnd] }
        let client = try await gateway.connectedClient { $0.session.placesOrders = true }
        // So that the pace of messages does not hold the question.
        gateway.clock.advance(by: .seconds(1))
        let (call, _) = try await asked(gateway, client)
        let ready = Started(on: gateway.clock) { try await client.ready() }
        try await gateway.clock.run(until: "who waits") {
            client.state.withLock { !$0.readyWaiters.isEmpty }
        }
        client.close()
        #expect(try await call.error() as? ClientError == .disconnected(.closedByOwner))
        #expect(try await ready.error() as? ClientError == .closed)
        let late = Started(on: gateway.clock) { try await client.head("SPY") }
        #expect(try await late.error() as? ClientError == .closed)
        #expect(gateway.clock.timerCount == 0)
    }

    /// A call leaves no timer and no listener behind, however it ends.
    @Test func nothingIsLeftBehindByAThousandCalls() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.reqHeadTimestamp) { message in
            let request = message.requestID ?? 0
            return request.rawValue % 3 == 0 ? [.head(request)] : [.code(162, id: request.rawValue)]
        }
        let client = try await gateway.connectedClient()
        let timers = gateway.clock.timerCount
        for _ in 0..<1_000 {
            let call = Started(on: gateway.clock) { try await client.head("SPY") }
            try await gateway.clock.run(until: "the end") {
                if !call.isDone { gateway.clock.advance(by: .milliseconds(50)) }
                return call.isDone
            }
        }
        #expect(client.state.withLock { $0.router.routes.isEmpty })
        #expect(gateway.clock.timerCount <= timers + 1)
    }
}
