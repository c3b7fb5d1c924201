import GatewayTestSupport
import Primitives
import Runtime
import TWSClient
import TWSProtocol
import Testing

/// Contracts at a simulated gateway, at every ceiling.
@Suite struct InstrumentTests {
    @Test(arguments: ceilings)
    func contractIsDescribed(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let client = rig.client
        let details = try await rig.gateway.finishInTime {
            try await client.contractDetails(.stock("AAPL"))
        }
        let apple = try #require(details.first)
        #expect(details.count == 1)
        #expect(apple.contract.conId == 265_598)
        #expect(apple.contract.primaryExchange == "NASDAQ")
        #expect(apple.minTick == 0.01)
        #expect(apple.longName == "APPLE INC")
        #expect(apple.timeZoneId == "US/Eastern")
        #expect(apple.liquidHours.contains("20240305:0930-20240305:1600"))
        let increments = try await rig.gateway.finishInTime {
            try await client.priceIncrements(of: apple, at: "SMART")
        }
        #expect(increments.last?.increment == 0.01)
        rig.checkCalm()
    }

    @Test(arguments: ceilings)
    func unknownContractIsNone(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let client = rig.client
        let error = await #expect(throws: ClientError.self) {
            try await rig.gateway.finishInTime { try await client.qualify(.stock("NOSUCHTHING")) }
        }
        guard case .noContract(let asked)? = error else {
            Issue.record("the error is \(String(describing: error))")
            return
        }
        #expect(asked.symbol == "NOSUCHTHING")
        rig.checkCalm(provoked: [200])
    }

    @Test(arguments: ceilings)
    func symbolsRulesAndOptionsAreFound(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let client = rig.client
        let samples = try await rig.gateway.finishInTime {
            try await client.matchingSymbols("AAP")
        }
        #expect(samples.contains { $0.symbol == "AAPL" && $0.conId == 265_598 })
        let rule = try await rig.gateway.finishInTime { try await client.marketRule(26) }
        #expect(rule.priceIncrements.last?.increment == 0.01)
        let apple = try await rig.gateway.finishInTime { try await client.qualify(.stock("AAPL")) }
        let options = try await rig.gateway.finishInTime {
            try await client.optionParameters(apple)
        }
        let smart = try #require(options.first { $0.exchange == "SMART" })
        #expect(smart.underlyingConId == 265_598)
        #expect(smart.multiplier == "100")
        #expect(!smart.expirations.isEmpty && !smart.strikes.isEmpty)
        rig.checkCalm()
    }
}
