import Model
import Primitives
import TWSClient
import TWSProtocol
import TWSVenue

/// Finds the contract of every configured symbol: each must be one that the gateway knows, and only one.
struct ContractQualification: Sendable {
    /// A symbol's contract and the steps in which its prices move.
    struct Qualified: Sendable {
        let symbol: String
        let contract: Contract
        let tickSize: TickSize
    }

    /// Why a symbol cannot be traded.
    struct Problem: Sendable {
        let symbol: String
        let words: String
    }

    private let symbols: [String]
    private let currency: String
    /// The index of the symbol that each request asks for.
    private var requests: [RequestID: Int] = [:]
    private var found: [[ContractData]]
    private var refusals: [String?]
    private var isAnswered: [Bool]

    init(_ symbols: [String], currency: String = "USD") {
        self.symbols = symbols
        self.currency = currency
        found = Array(repeating: [], count: symbols.count)
        refusals = Array(repeating: nil, count: symbols.count)
        isAnswered = Array(repeating: false, count: symbols.count)
    }

    /// The symbols whose answers have not come.
    var missing: [String] { symbols.indices.filter { !isAnswered[$0] }.map { symbols[$0] } }

    /// The questions of a new connection: what was answered is not asked again.
    mutating func questions() -> [ClientMessage] {
        requests.removeAll()
        return symbols.indices.filter { !isAnswered[$0] }.map { index in
            found[index].removeAll()
            var message = ReqContractDetails()
            message.reqId = RequestID(rawValue: GatewayVenue.firstQualifyingRequest + Int32(index))
            // The gateway writes a class of shares behind a blank: BRK B.
            let name = String(symbols[index].map { $0 == "." ? " " : $0 })
            message.contract = .stock(name, currency: currency)
            requests[message.reqId] = index
            return .reqContractDetails(message)
        }
    }

    /// Takes in an event of the session.
    ///
    /// - Returns: the request that is over with it.
    mutating func take(_ event: SessionEvent) -> RequestID? {
        guard case .message(let message, _) = event else { return nil }
        switch message {
        case .contractData(let data):
            if let index = requests[data.reqId] { found[index].append(data) }
            return nil
        case .contractDataEnd(let end):
            guard let index = requests.removeValue(forKey: end.reqId) else { return nil }
            isAnswered[index] = true
            return end.reqId
        case .error(let error):
            guard let id = error.id,
                let index = requests.removeValue(forKey: RequestID(rawValue: id))
            else { return nil }
            isAnswered[index] = true
            refusals[index] = "\(error.errorString) (\(error.errorCode))"
            return RequestID(rawValue: id)
        default: return nil
        }
    }

    /// The contracts by symbol, and what is wrong with the others.
    var outcome: (qualified: [Qualified], problems: [Problem]) {
        var qualified: [Qualified] = []
        var problems: [Problem] = []
        for (index, symbol) in symbols.enumerated() {
            let fitting = found[index].filter { $0.contract.currency == currency }
            if fitting.count == 1 {
                qualified.append(Qualified(symbol, fitting[0]))
            } else if fitting.count > 1 {
                let candidates = fitting.map {
                    "\($0.contract.localSymbol) at \($0.contract.primaryExchange) "
                        + "(\($0.contract.conId))"
                }
                problems.append(
                    Problem(
                        symbol: symbol,
                        words: "\(fitting.count) contracts fit: "
                            + candidates.joined(separator: ", ")))
            } else {
                let words = refusals[index] ?? "the gateway knows no such stock in \(currency)"
                problems.append(Problem(symbol: symbol, words: words))
            }
        }
        return (qualified, problems)
    }
}

extension ContractQualification.Qualified {
    fileprivate init(_ symbol: String, _ data: ContractData) {
        self.symbol = symbol
        var contract = data.contract
        contract.exchange = "SMART"
        self.contract = contract
        let step = data.minTick?.roundedPrice ?? Price(cents: 1)
        tickSize = step <= Price(cents: 1) || step <= .zero ? .usShares : .fixed(step)
    }
}
