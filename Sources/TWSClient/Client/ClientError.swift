public import Primitives
public import TWSProtocol

/// Why a call did not get its answer.
public enum ClientError: Error, Hashable, Sendable {
    /// The message was not taken for sending.
    case notSent(SendRefusal)
    /// The gateway refused the request.
    case rejected(Notice)
    /// No answer in time. The request was cancelled at the gateway where it has a cancel.
    case timedOut(waitingFor: String, after: Duration)
    /// The connection ended before the answer was complete.
    case disconnected(SessionFault)
    /// The first connection could not be made.
    case notConnected(SessionFault)
    /// No contract matches.
    case noContract(Contract)
    /// More than one contract matches; name one.
    case ambiguousContract(Contract, candidates: [Contract])
    /// The order number to be given next cannot be kept safe on disk.
    case orderNumbers(String)
    /// The question cannot be asked that way.
    case badQuestion(String)
    /// The client was closed.
    case closed
    /// A consumer was so slow that its queue, from which nothing may be dropped, is full.
    case overflow(capacity: Int)
}

extension ClientError: CustomStringConvertible {
    /// What happened and what to do.
    public var description: String {
        switch self {
        case .notSent(let refusal): "not sent: \(refusal)"
        case .rejected(let notice): "the gateway refused: \(notice)"
        case .timedOut(let awaited, let limit): "no \(awaited) within \(limit)"
        case .disconnected(let fault): "the connection ended before the answer: \(fault)"
        case .notConnected(let fault): "not connected: \(fault)"
        case .noContract(let contract): "no contract matches \(contract.summary)"
        case .ambiguousContract(let contract, let candidates):
            "\(contract.summary) fits \(candidates.count) contracts: "
                + candidates.map(\.summary).joined(separator: "; ")
        case .orderNumbers(let words): "order numbers cannot be kept safe: \(words)"
        case .badQuestion(let words): words
        case .closed: "the client is closed"
        case .overflow(let capacity):
            "\(capacity) updates wait unread and none may be dropped: read faster"
        }
    }
}

extension Contract {
    /// The fields that distinguish contracts, for people: `AAPL STK SMART/NASDAQ USD (265598)`.
    public var summary: String {
        let exchanges = primaryExchange.isEmpty ? exchange : "\(exchange)/\(primaryExchange)"
        let parts = [
            symbol.isEmpty ? localSymbol : symbol, secType.word, lastTradeDateOrContractMonth,
            strike.map { $0.description } ?? "", right.word, exchanges, currency,
            conId == 0 ? "" : "(\(conId))",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

/// A word from the gateway about a request, an order or itself, with what it means.
public struct Notice: Hashable, Sendable {
    /// The gateway's code.
    public let code: Int
    /// Its words.
    public let text: String
    /// What an owner can do, in our words; empty where nothing is known.
    public let advice: String
    /// Details of a refused order as JSON; empty in most.
    public let rejectDetails: String

    /// A notice of these parts.
    public init(code: Int, text: String, advice: String, rejectDetails: String = "") {
        self.code = code
        self.text = text
        self.advice = advice
        self.rejectDetails = rejectDetails
    }
}

extension Notice: CustomStringConvertible {
    /// `200 No security definition … (refine the contract)`.
    public var description: String {
        advice.isEmpty ? "\(code) \(text)" : "\(code) \(text) (\(advice))"
    }
}
