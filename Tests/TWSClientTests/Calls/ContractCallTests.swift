import ClientTestSupport
import Primitives
import TWSProtocol
import Testing

@testable import TWSClient

@Suite struct ContractCallTests {
    private let apple = Contract.numbered("AAPL", 265_598)

    @Test func detailsAreAListAndNoneWhereNothingFits() async throws {
        let gateway = ScriptedGateway()
        gateway.serves(apple)
        let client = try await gateway.connectedClient()
        let found = try await gateway.finish { try await client.contractDetails(.stock("AAPL")) }
        #expect(found.map(\.contract.conId) == [265_598])
        let none = try await gateway.finish { try await client.contractDetails(.stock("NONE")) }
        #expect(none.isEmpty)
    }

    /// CON-10: one match is it, none and several are errors, several with their names.
    @Test func qualifyingNeedsExactlyOne() async throws {
        let gateway = ScriptedGateway()
        var abroad = Contract.numbered("IBM", 8_894)
        abroad.primaryExchange = "NYSE"
        gateway.serves(apple, .numbered("IBM", 8_314), abroad)
        let client = try await gateway.connectedClient()
        let one = try await gateway.finish { try await client.qualify(.stock("AAPL")) }
        #expect(one == apple)
        let none = try await Started(on: gateway.clock) {
            try await client.qualify(.stock("NONE"))
        }.error()
        #expect(none as? ClientError == .noContract(.stock("NONE")))
        let several = try await Started(on: gateway.clock) {
            try await client.qualify(.stock("IBM"))
        }.error()
        guard case .ambiguousContract(_, let candidates)? = several as? ClientError else {
            Issue.record("\(several)")
            return
        }
        #expect(candidates.map(\.conId) == [8_314, 8_894])
        #expect("\(several)".contains("8314") && "\(several)".contains("NYSE"))
    }

    @Test func manyAreQualifiedAtOnceAndEachHasItsOwnAnswer() async throws {
        let gateway = ScriptedGateway()
        gateway.serves(apple, .numbered("IBM", 8_314))
        let client = try await gateway.connectedClient()
        let answers = await { () async -> [Result<Contract, any Error>]? in
            try? await gateway.finish {
                await client.qualify(all: [.stock("AAPL"), .stock("NONE"), .stock("IBM")])
            }
        }()
        let numbers = try #require(answers).map { (try? $0.get())?.conId }
        #expect(numbers == [265_598, nil, 8_314])
    }

    @Test func aQuestionAskedByManyIsAskedOnceAndKept() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let calls = (0..<20).map { _ in
            Started(on: gateway.clock) { try await client.qualify(.stock("AAPL")) }
        }
        try await gateway.clock.run(until: "the question arrives") {
            !gateway.received(.reqContractDetails).isEmpty
        }
        await gateway.clock.settle()
        let request = try #require(gateway.newest(.reqContractDetails))
        var end = ContractDataEnd()
        end.reqId = request
        gateway.send(.contractData(.about(apple, request)), .contractDataEnd(end))
        for call in calls { #expect(try await call.value() == apple) }
        _ = try await gateway.finish { try await client.qualify(.stock("AAPL")) }
        #expect(gateway.received(.reqContractDetails).count == 1)
    }

    /// A caller that leaves does not take the answer from the others; with the last the question ends.
    @Test func aSharedQuestionOutlivesACancelledCaller() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        let first = Started(on: gateway.clock) { try await client.qualify(.stock("AAPL")) }
        let second = Started(on: gateway.clock) { try await client.qualify(.stock("AAPL")) }
        try await gateway.clock.run(until: "the question arrives") {
            !gateway.received(.reqContractDetails).isEmpty
        }
        await gateway.clock.settle()
        first.cancel()
        #expect(try await first.error() is CancellationError)
        let request = try #require(gateway.newest(.reqContractDetails))
        var end = ContractDataEnd()
        end.reqId = request
        gateway.send(.contractData(.about(apple, request)), .contractDataEnd(end))
        #expect(try await second.value() == apple)
    }

    @Test func whatWasLearnedIsNotAskedAgainUntilItExpires() async throws {
        let gateway = ScriptedGateway()
        gateway.serves(apple)
        let first = try await gateway.connectedClient()
        _ = try await gateway.finish { try await first.qualify(.stock("AAPL")) }
        let text = first.contractDatabase().text
        let second = try await gateway.connectedClient()
        second.learn(try #require(ContractDatabase(text: text)), expiry: .days(7))
        _ = try await gateway.finish { try await second.qualify(.stock("AAPL")) }
        #expect(gateway.received(.reqContractDetails).count == 1)
        let third = try await gateway.connectedClient()
        gateway.clock.setTimeOfDay(ahead: .seconds(1_700_000_000 + 8 * 86_400))
        third.learn(try #require(ContractDatabase(text: text)), expiry: .days(7))
        _ = try await gateway.finish { try await third.qualify(.stock("AAPL")) }
        #expect(gateway.received(.reqContractDetails).count == 2)
    }

    @Test func matchingSymbolsOptionChainsAndExchangesAreLists() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.reqMatchingSymbols) { message in
            var answer = SymbolSamples()
            answer.reqId = message.requestID ?? 0
            var sample = SymbolSample()
            sample.symbol = "AAPL"
            answer.contractDescriptions = [sample]
            return [.symbolSamples(answer)]
        }
        gateway.on(.reqSecDefOptParams) { message in
            var row = SecDefOptParameter()
            row.reqId = message.requestID ?? 0
            row.exchange = "CBOE"
            row.strikes = [100, 102.5]
            var end = SecDefOptParameterEnd()
            end.reqId = row.reqId
            return [.secDefOptParameter(row), .secDefOptParameterEnd(end)]
        }
        gateway.on(.reqSmartComponents) { message in
            var answer = SmartComponents()
            answer.reqId = message.requestID ?? 0
            var part = SmartComponent()
            part.exchange = "NYSE"
            answer.components = [part]
            return [.smartComponents(answer)]
        }
        gateway.on(.reqMktDepthExchanges) { _ in
            var answer = MktDepthExchanges()
            var exchange = DepthExchange()
            exchange.exchange = "ISLAND"
            answer.depthMktDataDescriptions = [exchange]
            return [.mktDepthExchanges(answer)]
        }
        let client = try await gateway.connectedClient()
        let apple = apple
        #expect(
            try await gateway.finish { try await client.matchingSymbols("AA") }.map(\.symbol)
                == ["AAPL"])
        #expect(
            try await gateway.finish { try await client.optionParameters(apple) }.map(\.strikes)
                == [[100, 102.5]])
        #expect(
            try await gateway.finish { try await client.smartComponents("9c0001") }
                .map(\.exchange) == ["NYSE"])
        #expect(
            try await gateway.finish { try await client.depthExchanges() }.map(\.exchange)
                == ["ISLAND"])
        let error = try await Started(on: gateway.clock) {
            try await client.optionParameters(.stock("AAPL"))
        }.error()
        #expect("\(error)".contains("qualify"))
    }

    @Test func marketRulesAreAskedOnceAndGiveThePricesOfAnExchange() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.reqMarketRule) { message in
            guard case .reqMarketRule(let question) = message else { return [] }
            var rule = MarketRule()
            rule.marketRuleId = question.marketRuleId
            var step = PriceIncrement()
            step.increment = question.marketRuleId == 557 ? 0.005 : 0.01
            rule.priceIncrements = [step]
            return [.marketRule(rule)]
        }
        gateway.serves(apple)
        let client = try await gateway.connectedClient()
        let details = ContractData.about(apple, 1)
        for _ in 0..<2 {
            let steps = try await gateway.finish {
                try await client.priceIncrements(of: details, at: "NYSE")
            }
            #expect(steps.map(\.increment) == [0.005])
        }
        #expect(gateway.received(.reqMarketRule).count == 1)
        let tradable = try await gateway.finish { try await client.tradable(.stock("AAPL")) }
        #expect(tradable.contract.conId == 265_598)
        #expect(tradable.ladder.roundedDown(100.009) == 100)
        let error = try await Started(on: gateway.clock) {
            try await client.priceIncrements(of: details, at: "LSE")
        }.error()
        #expect("\(error)".contains("LSE"))
    }
}
