import TWSProtocol
import Testing

/// Every message: written and read back at every version, and no field named twice.
@Suite struct ContractRoundTripTests {
    @Test func requestsSurviveTheWire() throws {
        try expectRoundTrips(of: ReqContractDetails.self, from: .client)
        try expectRoundTrips(of: ReqSecDefOptParams.self, from: .client)
        try expectRoundTrips(of: ReqMatchingSymbols.self, from: .client)
        try expectRoundTrips(of: ReqMarketRule.self, from: .client)
    }

    @Test func answersSurviveTheWire() throws {
        try expectRoundTrips(of: ContractData.self, from: .gateway)
        try expectRoundTrips(of: BondContractData.self, from: .gateway)
        try expectRoundTrips(of: ContractDataEnd.self, from: .gateway)
        try expectRoundTrips(of: SecDefOptParameter.self, from: .gateway)
        try expectRoundTrips(of: SecDefOptParameterEnd.self, from: .gateway)
        try expectRoundTrips(of: SymbolSamples.self, from: .gateway)
        try expectRoundTrips(of: MarketRule.self, from: .gateway)
    }

    @Test func noFieldIsNamedTwice() {
        expectDistinctNames(of: ReqContractDetails.self)
        expectDistinctNames(of: ReqSecDefOptParams.self)
        expectDistinctNames(of: ReqMatchingSymbols.self)
        expectDistinctNames(of: ReqMarketRule.self)
        expectDistinctNames(of: ContractData.self)
        expectDistinctNames(of: BondContractData.self)
        expectDistinctNames(of: ContractDataEnd.self)
        expectDistinctNames(of: SecDefOptParameter.self)
        expectDistinctNames(of: SecDefOptParameterEnd.self)
        expectDistinctNames(of: SymbolSamples.self)
        expectDistinctNames(of: MarketRule.self)
    }
}
