import ClientTestSupport
import Primitives
import Synchronization
import TWSProtocol

@testable import TWSClient

extension Contract {
    /// A stock with its number.
    static func numbered(_ symbol: String, _ number: Int32) -> Contract {
        var contract = Contract.stock(symbol)
        contract.conId = ContractID(rawValue: number)
        return contract
    }
}

extension ContractData {
    /// What a gateway says of a contract, in answer to `request`.
    static func about(_ contract: Contract, _ request: RequestID) -> ContractData {
        var details = ContractData()
        details.reqId = request
        details.contract = contract
        details.validExchanges = "SMART,NYSE,ISLAND"
        details.marketRuleIds = "26,557,26"
        return details
    }
}

extension ScriptedGateway {
    /// Answers contract details with `contracts`, or 200 for none.
    func serves(_ contracts: Contract...) {
        on(.reqContractDetails) { message in
            guard case .reqContractDetails(let question) = message else { return [] }
            let found = contracts.filter {
                question.contract.symbol == $0.symbol || question.contract.conId == $0.conId
            }
            guard !found.isEmpty else {
                return [.code(200, id: question.reqId.rawValue, "No security definition")]
            }
            var end = ContractDataEnd()
            end.reqId = question.reqId
            return found.map { .contractData(.about($0, question.reqId)) }
                + [.contractDataEnd(end)]
        }
    }

    /// The number of the newest request of a kind.
    func newest(_ kind: ClientMessageKind) -> RequestID? { received(kind).last?.requestID }
}

/// A value behind a lock.
final class Lock<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>
    init(_ value: Value) { mutex = Mutex(value) }
    func with<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { value in
            body(&value)
        }
    }
}
