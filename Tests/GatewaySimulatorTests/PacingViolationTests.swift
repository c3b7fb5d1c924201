import GatewaySimulator
import Primitives
import TWSProtocol
import Testing

@Suite struct PacingViolationTests {
    private func numbers(_ messages: [GatewayMessage]) -> [RequestID] {
        messages.compactMap {
            guard case .userInfo(let info) = $0 else { return nil }
            return info.reqId
        }
    }

    private func ask(_ client: ScriptedClient, _ count: Int32) {
        for number in 1...count {
            var request = ReqUserInfo()
            request.reqId = RequestID(rawValue: number)
            client.send(.reqUserInfo(request))
        }
    }

    @Test func whatIsBeyondTheLimitWaitsItsTurn() {
        let rig = GatewayRig()
        let client = rig.begin(as: 1)
        client.take()
        ask(client, 120)
        #expect(numbers(client.messages).count == 50)
        rig.pass(.seconds(1))
        #expect(numbers(client.messages).count == 100)
        rig.pass(.seconds(1))
        #expect(numbers(client.messages) == (1...120).map { RequestID(rawValue: $0) })
        #expect(client.codes == [])
    }

    @Test func aClientThatLeavesTakesWhatWaitsAlong() {
        let rig = GatewayRig()
        let hasty = rig.begin(as: 1)
        ask(hasty, 60)
        hasty.leave()
        let other = rig.begin(as: 1)
        other.take()
        rig.pass(.seconds(3))
        #expect(numbers(other.messages) == [])
    }

    @Test func wherePacingViolationsAreRejectedTheThirdWarningEndsTheSession() {
        let rig = GatewayRig { $0.rejectsPacingViolations = true }
        let client = rig.begin(as: 1)
        client.take()
        for _ in 0..<3 {
            ask(client, 110)
            rig.pass(.seconds(2))
        }
        #expect(client.codes.filter { $0 == 100 }.count == 3)
        #expect(client.end == .closed)
    }

    @Test func whereNothingIsPacedAllIsAnsweredAtOnce() {
        let rig = GatewayRig { $0.pacesMessages = false }
        let client = rig.begin(as: 1)
        client.take()
        ask(client, 120)
        #expect(numbers(client.messages).count == 120)
    }

    @Test func oneClientTooManyIsNotServed() {
        let rig = GatewayRig { $0.clientMax = 2 }
        #expect(rig.begin(as: 1).end == .none)
        let second = rig.begin(as: 2)
        #expect(rig.begin(as: 3).end == .closed)
        second.leave()
        #expect(rig.begin(as: 3).end == .none)
    }
}
