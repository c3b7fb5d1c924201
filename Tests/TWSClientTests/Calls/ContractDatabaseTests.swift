import Primitives
import TWSProtocol
import Testing

@testable import TWSClient

/// CON-10: contract numbers kept on disk.
@Suite struct ContractDatabaseTests {
    private func option() -> Contract {
        var contract = Contract()
        contract.symbol = "SPY"
        contract.secType = .option
        contract.lastTradeDateOrContractMonth = "20251219"
        contract.strike = 455.5
        contract.right = .put
        contract.exchange = "SMART"
        contract.currency = "USD"
        contract.multiplier = "100"
        return contract
    }

    @Test func theTextFormGivesTheSameDatabase() throws {
        var found = option()
        found.conId = 653_123_987
        found.localSymbol = "SPY   251219P00455500"
        var apple = Contract.stock("AAPL")
        apple.conId = 265_598
        let at = Timestamp(seconds: 1_700_000_000)
        let database = ContractDatabase(entries: [
            (option(), QualifiedContract(found, at: at)),
            (.stock("AAPL"), QualifiedContract(apple, at: at)),
        ])
        let read = try #require(ContractDatabase(text: database.text))
        #expect(read.entries.map(\.asked) == [option(), .stock("AAPL")])
        #expect(read.entries.map(\.found) == database.entries.map(\.found))
    }

    @Test func textOfAnotherFormIsRefusedAndBadLinesAreLeftOut() throws {
        #expect(ContractDatabase(text: "") == nil)
        #expect(ContractDatabase(text: "contracts\n") == nil)
        let text = "martlet-contracts 1\nnonsense\n1\t2\n"
        #expect(try #require(ContractDatabase(text: text)).entries.isEmpty)
    }

    @Test func anyCutOfTheTextIsReadWithoutATrap() {
        var apple = Contract.stock("AAPL")
        apple.conId = 265_598
        let database = ContractDatabase(entries: [
            (.stock("AAPL"), QualifiedContract(apple, at: Timestamp(seconds: 1_700_000_000)))
        ])
        for length in 0..<database.text.count {
            let read = ContractDatabase(text: String(database.text.prefix(length)))
            #expect((read?.entries.count ?? 0) <= 1)
        }
    }
}
