import GatewaySimulator
import Primitives
import TWSProtocol
import Testing

@Suite struct ContractAnswersTests {
    private let rig = GatewayRig()

    private func ask(_ message: ClientMessage) -> [GatewayMessage] {
        let client = rig.begin(as: 1)
        client.take()
        client.send(message)
        let answer = client.take()
        client.leave()
        return answer
    }

    private func code(_ messages: [GatewayMessage]) -> Int32? {
        guard case .error(let error)? = messages.first else { return nil }
        return error.errorCode
    }

    @Test func aMarketRuleHasItsSteps() {
        var request = ReqMarketRule()
        request.marketRuleId = 26
        guard case .marketRule(let rule)? = ask(.reqMarketRule(request)).first else {
            Issue.record("no rule")
            return
        }
        #expect(rule.marketRuleId == 26)
        #expect(rule.priceIncrements.map(\.lowEdge) == [0, 1])
        #expect(rule.priceIncrements.map(\.increment) == [0.0001, 0.01])
        request.marketRuleId = 4_711
        #expect(code(ask(.reqMarketRule(request))) == 321)
    }

    @Test func searchesFindSymbolsThenNames() {
        var request = ReqMatchingSymbols()
        request.reqId = 3
        request.pattern = "gold"
        guard case .symbolSamples(let samples)? = ask(.reqMatchingSymbols(request)).first else {
            Issue.record("no samples")
            return
        }
        #expect(samples.reqId == 3)
        #expect(samples.contractDescriptions.map(\.symbol) == ["GS", "GDX", "GLD"])
        request.pattern = "a"
        guard case .symbolSamples(let many)? = ask(.reqMatchingSymbols(request)).first else {
            Issue.record("no samples")
            return
        }
        #expect(many.contractDescriptions.count == 16)
    }

    /// The first is answered at once, each further one a second after the one before.
    @Test func searchesAreAnsweredASecondApart() {
        let client = rig.begin(as: 1)
        client.take()
        for number: Int32 in 1...3 {
            var request = ReqMatchingSymbols()
            request.reqId = RequestID(rawValue: number)
            request.pattern = "IBM"
            client.send(.reqMatchingSymbols(request))
        }
        #expect(client.take().count == 1)
        rig.pass(.milliseconds(750))
        #expect(client.take().isEmpty)
        rig.pass(.milliseconds(250))
        #expect(client.take().count == 1)
        rig.pass(.seconds(5))
        #expect(client.take().count == 1)
    }

    @Test func optionChainsAreReportedByExchange() throws {
        var request = ReqSecDefOptParams()
        request.reqId = 4
        request.underlyingSymbol = "AAPL"
        request.underlyingConId = 265_598
        let messages = ask(.reqSecDefOptParams(request))
        #expect(messages.count == 20)
        guard case .secDefOptParameter(let chain)? = messages.first,
            case .secDefOptParameterEnd(let end)? = messages.last
        else {
            Issue.record("no chain")
            return
        }
        #expect(end.reqId == 4)
        #expect(chain.exchange == "SMART")
        #expect(chain.tradingClass == "AAPL")
        #expect(chain.multiplier == "100")
        #expect(chain.expirations == ["20240315", "20240419", "20240517", "20240621"])
        // 230 and ten steps of 10 both ways.
        #expect(chain.strikes == stride(from: 130, through: 330, by: 10).map { DecimalValue($0) })
        request.underlyingConId = 0
        #expect(code(ask(.reqSecDefOptParams(request))) == 321)
    }

    @Test func theExchangesBehindAQuoteHaveTheirLetters() throws {
        let listed = try rig.gateway.contracts.resolve(.stock("AAPL"))
        var request = ReqSmartComponents()
        request.reqId = 5
        request.bboExchange = rig.gateway.contracts.bboExchange(of: listed)
        guard case .smartComponents(let answer)? = ask(.reqSmartComponents(request)).first else {
            Issue.record("no components")
            return
        }
        #expect(answer.components.contains { $0.exchange == "NASDAQ" && $0.exchangeLetter == "Q" })
        #expect(Set(answer.components.map(\.bitNumber)).count == answer.components.count)
        for component in answer.components {
            #expect(listed.exchanges.contains(component.exchange))
        }
        request.bboExchange = "ffffff"
        #expect(code(ask(.reqSmartComponents(request))) == 321)
    }

    @Test func depthExchangesAreReportedAtOnce() {
        guard case .mktDepthExchanges(let answer)? = ask(.reqMktDepthExchanges(.init())).first
        else {
            Issue.record("no exchanges")
            return
        }
        #expect(
            answer.depthMktDataDescriptions.first?.serviceDataType == "Deep2"
                && answer.depthMktDataDescriptions.first?.exchange == "NASDAQ")
    }

    private var call: Contract {
        var contract = Contract()
        contract.localSymbol = "AAPL  240621C00230000"
        contract.secType = .option
        contract.exchange = "SMART"
        return contract
    }

    @Test func aPriceAndItsVolatilityAreEachOthersAnswer() throws {
        var forward = CalculateOptionPrice()
        forward.reqId = 8
        forward.contract = call
        forward.volatility = 0.25
        forward.underPrice = 230
        guard case .tickOptionComputation(let priced)? = ask(.calculateOptionPrice(forward)).first
        else {
            Issue.record("no computation")
            return
        }
        #expect(priced.reqId == 8)
        #expect(priced.tickType == .customOptionComputation)
        // About 0.4 · volatility · root of the years · price, and half a year's interest on the strike:
        // 0.4 · 0.25 · 0.544 · 230 + 230 · 0.04 · 0.296 / 2 = 13.9.
        let price = try #require(priced.optPrice)
        #expect(price > 13.5 && price < 14.3)
        let delta = try #require(priced.delta)
        #expect(delta > 0.5 && delta < 0.6)

        var backward = CalculateImpliedVolatility()
        backward.reqId = 9
        backward.contract = call
        backward.optionPrice = price
        backward.underPrice = 230
        guard
            case .tickOptionComputation(let implied)? =
                ask(.calculateImpliedVolatility(backward)).first
        else {
            Issue.record("no computation")
            return
        }
        let volatility = Double(try #require(implied.impliedVol))
        #expect(abs(volatility - 0.25) < 1e-9)
    }

    @Test func onlyOptionsAreReckoned() {
        var request = CalculateOptionPrice()
        request.contract = .stock("AAPL")
        #expect(code(ask(.calculateOptionPrice(request))) == 2116)
        var other = CalculateImpliedVolatility()
        other.contract = .stock("AAPL")
        #expect(code(ask(.calculateImpliedVolatility(other))) == 2114)
        request.contract = call
        request.contract.exchange = ""
        #expect(code(ask(.calculateOptionPrice(request))) == 321)
    }

    @Test func anImpossiblePriceGivesNothing() {
        var request = CalculateImpliedVolatility()
        request.contract = call
        request.optionPrice = 500
        request.underPrice = 230
        guard
            case .tickOptionComputation(let answer)? = ask(.calculateImpliedVolatility(request))
                .first
        else {
            Issue.record("no computation")
            return
        }
        #expect(answer.impliedVol == nil)
        #expect(answer.optPrice == nil)
        #expect(answer.undPrice == 230)
    }
}
