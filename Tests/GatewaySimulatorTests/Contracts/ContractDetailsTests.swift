import GatewaySimulator
import MarketState
import Primitives
import TWSProtocol
import Testing

@Suite struct ContractDetailsTests {
    private let rig = GatewayRig()

    private func ask(_ contract: Contract, version: Int = 200) -> [GatewayMessage] {
        let client = rig.begin(as: 1, version: version)
        client.take()
        var request = ReqContractDetails()
        request.reqId = 7
        request.contract = contract
        client.send(.reqContractDetails(request))
        defer { client.leave() }
        return client.take()
    }

    private func details(_ messages: [GatewayMessage]) -> [ContractData] {
        messages.compactMap {
            guard case .contractData(let data) = $0 else { return nil }
            return data
        }
    }

    @Test func aStocksDetailsAreThoseOfARealGateway() throws {
        let messages = ask(.stock("AAPL"))
        #expect(messages.count == 2)
        var end = ContractDataEnd()
        end.reqId = 7
        #expect(messages.last == .contractDataEnd(end))
        let data = try #require(details(messages).first)
        #expect(data.reqId == 7)
        #expect(data.contract.conId == 265_598)
        #expect(data.contract.exchange == "SMART")
        #expect(data.contract.primaryExchange == "NASDAQ")
        #expect(data.marketName == "NMS")
        #expect(data.minTick == 0.01)
        #expect(data.longName == "APPLE INC")
        #expect(data.industry == "Technology")
        #expect(data.timeZoneId == "US/Eastern")
        #expect(data.secIdList == [TagValue("ISIN", "US0378331005")])
        #expect(data.stockType == "COMMON")
        #expect(data.minSize == 0.0001)
        #expect(
            data.validExchanges.split(separator: ",").count
                == data.marketRuleIds.split(separator: ",").count)
    }

    /// Tuesday 5 March 2024 and the five days after it.
    @Test func hoursAreThoseOfSixDays() throws {
        let data = try #require(details(ask(.stock("SPY"))).first)
        #expect(
            data.liquidHours
                == "20240305:0930-20240305:1600;20240306:0930-20240306:1600;"
                + "20240307:0930-20240307:1600;20240308:0930-20240308:1600;"
                + "20240309:CLOSED;20240310:CLOSED")
        #expect(data.tradingHours.hasPrefix("20240305:0400-20240305:2000;"))
    }

    /// 3 July 2024 closes at 13:00, 4 July is a holiday.
    @Test func earlyClosesAndHolidaysAreInTheHours() throws {
        let day = try #require(Day(year: 2024, month: 7, day: 3))
        #expect(
            TradingHours.stock.all(from: day, .newYork).hasPrefix(
                "20240703:0400-20240703:1700;20240704:CLOSED;20240705:0400-20240705:2000;"))
        #expect(
            TradingHours.stock.regular(from: day, .newYork).hasPrefix(
                "20240703:0930-20240703:1300;20240704:CLOSED;"))
        #expect(
            TradingHours.future.all(from: day, .newYork).hasPrefix(
                "20240702:1700-20240703:1600;20240704:CLOSED;20240704:1700-20240705:1600;"))
    }

    @Test func aFuturesDetailsNameItsMonthAndTheTimeOfItsEnd() throws {
        var contract = Contract()
        contract.symbol = "CL"
        contract.secType = .future
        contract.exchange = "NYMEX"
        let all = details(ask(contract))
        #expect(all.count == 4)
        // Crude oil for April 2024 ends in March.
        let data = try #require(all.first)
        #expect(data.contract.localSymbol == "CLJ4")
        #expect(data.contract.lastTradeDateOrContractMonth == "20240320")
        #expect(data.contractMonth == "202404")
        #expect(data.realExpirationDate == "20240320")
        #expect(data.lastTradeTime == "08:30:00")
        #expect(data.lastTradeZone == "US/Central")
        #expect(data.underSymbol == "CL")
        #expect(data.contract.multiplier == "1000")
    }

    @Test func anOptionsDetailsNameItsUnderlying() throws {
        var contract = Contract()
        contract.localSymbol = "AAPL  240315P00230000"
        contract.secType = .option
        contract.exchange = "CBOE"
        let data = try #require(details(ask(contract)).first)
        #expect(data.underConId == 265_598)
        #expect(data.underSymbol == "AAPL")
        #expect(data.underSecType == .stock)
        #expect(data.contract.exchange == "CBOE")
        #expect(data.contract.right == .put)
        #expect(data.contract.strike == 230)
        #expect(data.contract.multiplier == "100")
    }

    @Test func withoutAnExchangeAllAreReported() {
        let all = details(ask(.stock("MU", exchange: "")))
        #expect(all.first?.contract.exchange == "SMART")
        #expect(all.count == all.first?.validExchanges.split(separator: ",").count)
        #expect(Set(all.map(\.contract.conId)).count == 1)
    }

    @Test func aNumberAloneGetsOneAnswer() {
        var contract = Contract()
        contract.conId = 756_733
        #expect(details(ask(contract)).map(\.contract.exchange) == ["SMART"])
    }

    @Test func allTwinsAreReported() {
        let all = details(ask(.stock("AAPL", currency: "")))
        #expect(all.map(\.contract.currency) == ["USD", "MXN", "CHF"])
        #expect(all.map(\.timeZoneId) == ["US/Eastern", "America/Mexico_City", "Europe/Zurich"])
    }

    @Test func theFrontFutureStandsForTheChain() {
        var contract = Contract()
        contract.symbol = "ES"
        contract.secType = .continuousFuture
        contract.exchange = "CME"
        let all = details(ask(contract))
        #expect(all.map(\.contract.localSymbol) == ["ESH4"])
        #expect(all.map(\.contract.secType) == [.continuousFuture])
    }

    @Test func nothingFoundIsReported() throws {
        let messages = ask(.stock("ZZZZNONE"))
        guard case .error(let error)? = messages.first else {
            Issue.record("no error")
            return
        }
        #expect(messages.count == 1)
        #expect(error.id == 7)
        #expect(error.errorCode == 200)
        #expect(error.errorString == "No security definition has been found for the request")
    }

    /// Every version has its own fields; each has to read back whole.
    @Test(arguments: [157, 163, 164, 176, 178, 182, 186, 200])
    func everyVersionReadsTheDetailsBack(version: Int) throws {
        var contract = Contract()
        contract.symbol = "SPY"
        contract.secType = .option
        contract.lastTradeDateOrContractMonth = "202403"
        contract.right = .call
        contract.exchange = "SMART"
        let messages = ask(contract, version: version)
        #expect(messages.count == 21 + 1)
        let data = try #require(details(messages).first)
        #expect(data.longName == "SPDR S&P 500 ETF TRUST")
        #expect(data.contract.lastTradeDateOrContractMonth == "20240315")
        #expect(data.realExpirationDate == "20240315")
        #expect(data.mdSizeMultiplier == (version < 164 ? 1 : nil))
        #expect(data.minSize == (version >= 164 ? 1 : nil))
        #expect(data.lastTradeDate == (version >= 182 ? .day(Day(number: 19_797)) : .none))
    }

    @Test func kindsThatAreNotListedFindNothingAndUnknownOnesAreNoKinds() {
        var contract = Contract()
        contract.symbol = "US-T"
        contract.exchange = "SMART"
        for (word, code) in [("BILL", 200), ("BOND", 200), ("FEELINGS", 321)] as [(String, Int32)] {
            contract.secType = SecurityType(word: word)
            guard case .error(let error)? = ask(contract).first else {
                Issue.record("no error for \(word)")
                continue
            }
            #expect(error.errorCode == code)
        }
    }
}
