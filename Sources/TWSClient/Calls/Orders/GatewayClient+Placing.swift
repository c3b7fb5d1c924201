public import TWSProtocol

extension GatewayClient {
    /// What is needed to order an instrument: qualified, with the prices it may have at its exchange.
    ///
    /// Asked once: the contract and its market rule are kept.
    public func tradable(_ contract: Contract) async throws -> TradableContract {
        let qualified = try await qualify(contract)
        guard let details = try await contractDetails(qualified).first else {
            throw ClientError.noContract(contract)
        }
        let increments = try await priceIncrements(of: details, at: qualified.exchange)
        return try TradableContract(qualified, on: PriceLadder(increments))
    }

    /// Sends a new order. What becomes of it is published by `orderEvents`.
    ///
    /// - Returns: its number, which no other order has or gets.
    /// - Throws: `OrderRefusal` for an order that makes no sense, `ClientError` when nothing of it has
    ///   left.
    @discardableResult public func place(
        _ draft: OrderDraft, for ticket: WireOrderTicket, in tradable: TradableContract
    ) throws -> APIOrderID {
        let number = try numbers.block(of: 1)
        try place(try draft.request(number, for: ticket, in: tradable))
        return number
    }

    /// Sends an order's new terms: price, quantity or time in force. Other changes the broker refuses,
    /// and the order stays as it was.
    ///
    /// - Throws: as `place`.
    public func change(
        _ order: APIOrderID, to draft: OrderDraft, for ticket: WireOrderTicket,
        in tradable: TradableContract
    ) throws {
        try place(try draft.request(order, for: ticket, in: tradable))
    }

    /// Sends an entry with its exits. Their numbers are taken together; the gateway works none of them
    /// before the last has arrived.
    ///
    /// - Returns: their numbers: entry, target where there is one, stop.
    /// - Throws: as `place`; those that had left already are cancelled then.
    @discardableResult public func place(
        _ bracket: BracketDraft, for ticket: WireOrderTicket, in tradable: TradableContract
    ) throws -> [APIOrderID] {
        let first = try numbers.block(of: bracket.orderCount)
        guard let block = OrderIDBlock(first: first, count: bracket.orderCount) else {
            throw ClientError.orderNumbers("\(first) begins no block")
        }
        let requests = try bracket.requests(block, for: ticket, in: tradable)
        for (index, request) in requests.enumerated() {
            do {
                try place(request)
            } catch {
                // The gateway keeps them untransmitted: they go with their entry.
                if index > 0 { try cancel(first) }
                throw error
            }
        }
        return requests.map(\.orderId)
    }
}
