import Primitives
import TWSProtocol
import Testing

@testable import GatewaySimulator

@Suite struct PastTicksTests {
    private func ask(
        _ client: ScriptedClient, _ id: RequestID, _ kind: WhatToShow,
        _ change: (inout ReqHistoricalTicks) -> Void
    ) {
        var request = ReqHistoricalTicks()
        request.reqId = id
        request.contract = .stock("AAPL")
        request.numberOfTicks = 100
        request.whatToShow = kind
        change(&request)
        client.send(.reqHistoricalTicks(request))
    }

    @Test func tradesFromAnTimeOnAreTheFirst() throws {
        let client = GatewayRig().dataClient()
        ask(client, 1, .trades) { $0.startDateTime = WireTime(text: "20240304-15:00:00") }
        guard case .historicalTicksLast(let answer)? = client.messages.first else {
            Issue.record("no ticks")
            return
        }
        let start: Int64 = 1_709_564_400
        #expect(answer.done)
        #expect(answer.ticks.count >= 100 && answer.ticks.count < 120)
        #expect(answer.ticks.allSatisfy { $0.time >= start && $0.time < start + 600 })
        #expect(zip(answer.ticks, answer.ticks.dropFirst()).allSatisfy { $0.time <= $1.time })
        #expect(answer.ticks.allSatisfy { !$0.exchange.isEmpty && ($0.size ?? 0) > 0 })
    }

    @Test func quotesUntilAnTimeAreTheLast() throws {
        let client = GatewayRig().dataClient()
        ask(client, 1, .bidAsk) { $0.endDateTime = WireTime(text: "20240304-15:00:00") }
        ask(client, 2, .midpoint) { $0.endDateTime = WireTime(text: "20240304-15:00:00") }
        guard case .historicalTicksBidAsk(let quotes)? = client.messages.first,
            case .historicalTicks(let middles)? = client.messages.last
        else {
            Issue.record("no ticks")
            return
        }
        #expect(quotes.ticks.count >= 100)
        #expect(quotes.ticks.allSatisfy { $0.time < 1_709_564_400 && $0.priceBid < $0.priceAsk })
        #expect((quotes.ticks.last?.time ?? 0) >= 1_709_564_390)
        #expect(!middles.ticks.isEmpty && middles.done)
        #expect(zip(middles.ticks, middles.ticks.dropFirst()).allSatisfy { $0.price != $1.price })
    }

    @Test func requestsThatCannotBeMeantAreRefused() {
        let client = GatewayRig().dataClient()
        ask(client, 1, .trades) { _ in }
        ask(client, 2, .trades) {
            $0.startDateTime = WireTime(text: "20240304-15:00:00")
            $0.numberOfTicks = 1_001
        }
        ask(client, 3, .bid) { $0.startDateTime = WireTime(text: "20240304-15:00:00") }
        ask(client, 4, .trades) { $0.startDateTime = .other("noon") }
        #expect(client.codes == [321, 321, 321, 10_314])
    }
}
