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
    func newest(_ kind: ClientMessageKind) -> RequestID? { heard(kind).last?.requestID }
}

/// The elements, notices and gaps that a sequence has given, read in a task of its own.
final class Collected<Element: Sendable>: Sendable {
    private let task: Task<Void, any Error>
    private let state: Held

    private final class Held: Sendable {
        let mutex = Lock<([Element], (any Error)?)>(([], nil))
    }

    init<Sequence: AsyncSequence & Sendable>(_ sequence: Sequence)
    where Sequence.Element == Element {
        let state = Held()
        self.state = state
        task = Task {
            do {
                for try await element in sequence { state.mutex.with { $0.0.append(element) } }
            } catch {
                state.mutex.with { $0.1 = error }
            }
        }
    }

    var all: [Element] { state.mutex.with { $0.0 } }
    var error: (any Error)? { state.mutex.with { $0.1 } }
    func cancel() { task.cancel() }
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

extension Collected {
    /// The data among the signals.
    func data<Datum>() -> [Datum] where Element == Signal<Datum> {
        all.compactMap { if case .data(let datum) = $0 { datum } else { nil } }
    }

    /// The gaps among the signals.
    func gaps<Datum>() -> [Gap] where Element == Signal<Datum> {
        all.compactMap { if case .gap(let gap) = $0 { gap } else { nil } }
    }
}
