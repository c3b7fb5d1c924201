import GatewaySimulator
import Model
import Primitives
import TWSProtocol
import Testing

@Suite struct GatewayContractDatabaseTests {
    /// 2 January 2024, a Tuesday.
    static let day = Day(number: 19_724)
    private let contracts = GatewayContractDatabase(on: day)

    @Test func everyContractIsWhereItsIdStatesAndFoundByNumberAndSymbol() {
        for (index, listed) in contracts.listed.enumerated() {
            #expect(listed.id == InstrumentID(index: index))
            #expect(listed.instrument.id == listed.id)
            #expect(contracts.id(ofConId: listed.contract.conId) == listed.id)
            #expect(contracts.id(ofSymbol: listed.instrument.symbol) == listed.id)
            #expect(contracts.steps(ofRule: listed.marketRule) != nil)
            #expect(listed.prospect.price > .zero && listed.prospect.volatility > 0)
        }
    }

    /// ISO 6166: letters as two digits, every second digit from the right doubled, a multiple of ten.
    @Test func internationalNumbersHaveTheirCheckDigits() {
        let numbers = contracts.listed.map(\.isin).filter { !$0.isEmpty }
        #expect(numbers.count > 100)
        for isin in numbers {
            #expect(isin.utf8.count == 12)
            let digits = isin.compactMap { $0.base36Digit }.flatMap {
                $0 > 9 ? [$0 / 10, $0 % 10] : [$0]
            }
            let sum = digits.reversed().enumerated().reduce(0) { sum, item in
                let value = item.offset % 2 == 1 ? item.element * 2 : item.element
                return sum + value / 10 + value % 10
            }
            #expect(sum % 10 == 0, "\(isin)")
        }
    }

    @Test func aStockIsFoundBySymbolKindCurrencyAndExchange() throws {
        let apple = try contracts.resolve(.stock("AAPL"))
        #expect(apple.contract.conId == 265_598)
        #expect(apple.contract.primaryExchange == "NASDAQ")
        #expect(apple.contract.tradingClass == "NMS")
        #expect(apple.instrument.symbol == "AAPL")
        let direct = try contracts.resolve(
            .stock("AAPL", exchange: "ISLAND", primaryExchange: "ISLAND"))
        #expect(direct.id == apple.id)
    }

    @Test func aNumberDecidesAlone() throws {
        var contract = Contract()
        contract.conId = 756_733
        contract.exchange = "SMART"
        #expect(try contracts.resolve(contract).instrument.symbol == "SPY")
        contract.exchange = "IDEALPRO"
        #expect(throws: ContractRefusal.unknown) { try contracts.resolve(contract) }
    }

    @Test func classSharesHaveABlankOnTheWire() throws {
        #expect(try contracts.resolve(.stock("BRK B")).instrument.symbol == "BRK.B")
        #expect(throws: ContractRefusal.unknown) { try contracts.resolve(.stock("BRK.B")) }
    }

    @Test func aSymbolWithATwinAbroadNeedsItsCurrency() {
        let query = Contract.stock("IBM", currency: "")
        #expect(contracts.matches(query).map(\.contract.currency) == ["USD", "MXN", "CHF"])
        #expect(
            throws: ContractRefusal(
                code: 200, text: "The contract description specified for IBM is ambiguous.")
        ) { try contracts.resolve(query) }
    }

    @Test func whatIsMissingIsNamedBeforeAnythingIsLookedFor() {
        var contract = Contract()
        contract.symbol = "ES"
        contract.exchange = "CME"
        #expect(throws: ContractRefusal.invalid("Please enter a valid security type")) {
            try contracts.resolve(contract)
        }
        contract.secType = .future
        #expect(throws: ContractRefusal.invalid("Please enter a local symbol or an expiry")) {
            try contracts.resolve(contract)
        }
        let nowhere = Contract.stock("AAPL", exchange: "")
        #expect(throws: ContractRefusal.invalid("Please enter exchange")) {
            try contracts.resolve(nowhere)
        }
        #expect(throws: ContractRefusal.missingOrderExchange) {
            try contracts.resolve(nowhere, for: .order)
        }
    }

    /// The third Fridays of 2024: 15 March, 21 June, 20 September, 20 December; of 2023: 15 December.
    @Test func indexFuturesExpireOnThirdFridays() throws {
        var contract = Contract()
        contract.symbol = "ES"
        contract.secType = .future
        contract.exchange = "CME"
        contract.lastTradeDateOrContractMonth = "202403"
        let march = try contracts.resolve(contract)
        #expect(march.contract.lastTradeDateOrContractMonth == "20240315")
        #expect(march.contract.localSymbol == "ESH4")
        #expect(march.instrument.multiplier == 50)
        contract.lastTradeDateOrContractMonth = ""
        #expect(
            contracts.matches(contract).map(\.contract.lastTradeDateOrContractMonth)
                == ["20240315", "20240621", "20240920", "20241220"])
        #expect(
            contracts.matches(contract, includeExpired: true).first?.contract.localSymbol == "ESZ3")
        contract.secType = .continuousFuture
        #expect(contracts.matches(contract).map(\.contract.localSymbol) == ["ESH4"])
    }

    /// Crude oil for February 2024 ended on 22 January: the 25th of January is a Thursday, and the third
    /// session before it a Monday.
    @Test func crudeOilExpiresBeforeItsMonth() {
        var contract = Contract()
        contract.localSymbol = "CLG4"
        contract.secType = .future
        #expect(
            contracts.matches(contract).first?.contract.lastTradeDateOrContractMonth == "20240122")
    }

    @Test func whatHasExpiredIsNotFoundWithoutAsking() {
        var later = contracts
        later.today = Day(number: 19_724 + 74)  // 16 March
        var contract = Contract()
        contract.symbol = "ES"
        contract.secType = .future
        #expect(later.matches(contract).map(\.contract.localSymbol) == ["ESM4", "ESU4", "ESZ4"])
    }

    @Test func optionsHaveTheSymbolsOfTheirClearingHouse() throws {
        var contract = Contract()
        contract.symbol = "AAPL"
        contract.secType = .option
        contract.exchange = "SMART"
        contract.currency = "USD"
        contract.lastTradeDateOrContractMonth = "20240119"
        contract.strike = 230
        #expect(
            throws: ContractRefusal(
                code: 200,
                text: "The contract description specified for AAPL is ambiguous;"
                    + " you must specify the multiplier or trading class.")
        ) { try contracts.resolve(contract) }
        contract.right = .call
        let call = try contracts.resolve(contract)
        #expect(call.contract.localSymbol == "AAPL  240119C00230000")
        #expect(call.underlying == contracts.id(ofSymbol: "AAPL"))
        #expect(call.instrument.multiplier == 100)
        #expect(call.expiry == Day(number: 19_741))
    }

    @Test func strikesLieAroundTheFirstRecordedPrice() {
        let recorded = GatewayContractDatabase(
            firstPrices: ["SPY": Price(cents: 271_30)], on: Self.day)
        let strikes = recorded.listed.filter {
            $0.contract.symbol == "SPY" && $0.contract.secType == .option
                && $0.contract.right == .put
                && $0.contract.lastTradeDateOrContractMonth == "20240119"
        }.compactMap { $0.contract.strike?.price }
        // 4 % of 271.30 is 10.85: the next step is 25, the nearest strike 275.
        #expect(strikes.first == Price(cents: 25_00))
        #expect(strikes.last == Price(cents: 525_00))
        #expect(strikes.count == 21)
    }

    @Test func unlistedSymbolsOfDataBecomeStocks() throws {
        let contracts = GatewayContractDatabase(
            symbols: ["ZYX", "AAPL", "ABC.A", "ZYX"], on: Self.day)
        #expect(try contracts.resolve(.stock("ZYX")).contract.primaryExchange == "NYSE")
        #expect(try contracts.resolve(.stock("ABC A")).instrument.symbol == "ABC.A")
        #expect(contracts.listed.count == self.contracts.listed.count + 2)
    }

    @Test func numbersStayTheSameFromDayToDay() {
        let later = GatewayContractDatabase(symbols: ["ZYX"], on: Self.day.advanced(by: 40))
        for listed in contracts.listed {
            guard let id = later.id(ofSymbol: listed.instrument.symbol) else { continue }
            #expect(later[id].contract.conId == listed.contract.conId)
        }
    }

    @Test func pricesAreOnTheStepThatHoldsAtThem() throws {
        let apple = try contracts.resolve(.stock("AAPL")).id
        #expect(contracts.isOnTick(Price(cents: 1_01), of: apple))
        #expect(!contracts.isOnTick(Price(units: 100_500_000), of: apple))
        #expect(contracts.isOnTick(Price(units: 50_010_000), of: apple))
        #expect(!contracts.isOnTick(Price(units: 50_005_000), of: apple))
    }

    @Test(arguments: [("ISIN", "US0378331005"), ("CUSIP", "037833100")])
    func numbersOfOtherSystemsFind(kind: String, number: String) {
        var query = Contract()
        query.currency = "USD"
        let found = contracts.matches(query, secIdType: kind, secId: number)
        #expect(found.map(\.contract.symbol) == ["AAPL"])
        #expect(contracts.matches(query, secIdType: "SEDOL", secId: number).isEmpty)
    }
}

extension Character {
    /// 0 to 35 for a digit or capital letter.
    fileprivate var base36Digit: Int? {
        guard let ascii = asciiValue else { return nil }
        switch ascii {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return Int(ascii - UInt8(ascii: "0"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): return Int(ascii - UInt8(ascii: "A")) + 10
        default: return nil
        }
    }
}
