import Primitives
import TWSProtocol

@testable import TWSClient

extension GatewayClient {
    /// The bids of an instrument, as a subscription of the simplest kind.
    func bids(
        _ symbol: String, _ policy: OverflowPolicy = .newestWins(capacity: 1_024)
    ) -> Subscription<Int32> {
        let question = Question(
            "quotes",
            asking: { request in
                var message = ReqMktData()
                message.reqId = request
                message.contract.symbol = symbol
                return .reqMktData(message)
            },
            ending: { request in
                var message = CancelMktData()
                message.reqId = request
                return .cancelMktData(message)
            })
        return subscribe(question, policy) { message in
            if case .tickPrice(let tick) = message { tick.attrMask } else { nil }
        }
    }

    /// The contracts that fit a symbol, as a call of the simplest kind with an end and no cancel.
    func conIDs(_ symbol: String, limit: Duration? = nil) async throws -> [ContractID] {
        let question = Question(
            "contract details",
            asking: { request in
                var message = ReqContractDetails()
                message.reqId = request
                message.contract.symbol = symbol
                return .reqContractDetails(message)
            })
        return try await list(question, limit: limit) { message in
            switch message {
            case .contractData(let data): .row(data.contract.conId)
            case .contractDataEnd: .end
            default: .other
            }
        }
    }

    /// The earliest day of an instrument, as a call of the simplest kind with a cancel.
    func head(_ symbol: String, limit: Duration? = nil) async throws -> Bool {
        let question = Question(
            "first day",
            asking: { request in
                var message = ReqHeadTimestamp()
                message.reqId = request
                message.contract.symbol = symbol
                return .reqHeadTimestamp(message)
            },
            ending: { request in
                var message = CancelHeadTimestamp()
                message.reqId = request
                return .cancelHeadTimestamp(message)
            })
        return try await call(question, into: (), limit: limit) { _, message in
            if case .headTimestamp = message { .done(true) } else { .more }
        }
    }
}

extension GatewayMessage {
    /// A bid with a mark of the test's.
    static func bid(_ request: RequestID, _ mark: Int32 = 0) -> GatewayMessage {
        var message = TickPrice()
        message.reqId = request
        message.attrMask = mark
        return .tickPrice(message)
    }

    static func head(_ request: RequestID) -> GatewayMessage {
        var message = HeadTimestamp()
        message.reqId = request
        return .headTimestamp(message)
    }

    static func contractEnd(_ request: RequestID) -> GatewayMessage {
        var message = ContractDataEnd()
        message.reqId = request
        return .contractDataEnd(message)
    }

    static func status(_ order: APIOrderID, _ word: OrderStatus.Status) -> GatewayMessage {
        var message = OrderStatus()
        message.orderId = order
        message.status = word
        return .orderStatus(message)
    }

    static func fill(_ order: APIOrderID, _ id: String) -> GatewayMessage {
        var message = ExecDetails()
        message.reqId = -1
        message.orderId = order
        message.execId = id
        return .execDetails(message)
    }
}

extension PlaceOrder {
    /// An order for one share, under a number.
    static func numbered(_ id: APIOrderID) -> PlaceOrder {
        var message = PlaceOrder()
        message.orderId = id
        message.contract.symbol = "SPY"
        message.contract.exchange = "SMART"
        return message
    }
}
