import Synchronization
public import TWSProtocol

extension GatewayClient {
    /// What the gateway reports about orders from now on. Nothing is dropped: a reader so slow that
    /// `ClientSettings.orderCapacity` updates wait gets an error instead.
    public func orderEvents() -> EventSequence<OrderEvent> {
        let mailbox = Mailbox<OrderEvent>(.neverDrops(capacity: settings.orderCapacity))
        state.withLock { state in
            if state.isClosed { mailbox.finish() } else { state.orderFeeds.append(mailbox) }
        }
        return EventSequence(mailbox: mailbox) { [weak self] in
            self?.state.withLock { $0.orderFeeds.removeAll { $0 === mailbox } }
        }
    }

    /// Publishes to everybody who follows orders.
    func publish(_ event: OrderEvent) {
        for feed in state.withLock({ $0.orderFeeds }) { feed.put(event) }
    }

    /// The first of `count` order numbers in a row, used from this moment on: for brackets, whose parts
    /// name each other.
    ///
    /// - Throws: `ClientError.orderNumbers`.
    public func orderNumbers(_ count: Int) throws -> APIOrderID { try numbers.block(of: count) }

    /// Sends an order under its number; the same number again changes the order.
    ///
    /// What becomes of it is published by `orderEvents`; until then its fate is unknown, whatever happens to
    /// the connection. It is never sent twice.
    ///
    /// - Parameter onlyReduces: it can only reduce a position, and may also leave while data are degraded
    ///   or a restart is near.
    /// - Throws: `ClientError.notSent`: nothing of it has left.
    public func place(_ order: PlaceOrder, onlyReduces: Bool = false) throws {
        do throws(SendRefusal) {
            try session.place(order, onlyReduces: onlyReduces)
        } catch {
            throw ClientError.notSent(error)
        }
    }

    /// Asks to cancel an order. It may still be filled until its status shows otherwise.
    ///
    /// While the gateway has lost the broker or is being read, the cancel is kept and leaves as soon as
    /// it can; if the connection ends before, `OrderEvent.unsent` reports it.
    ///
    /// - Throws: `ClientError.notSent`, also while there is no connection.
    public func cancel(_ order: APIOrderID) throws {
        var message = CancelOrder()
        message.orderId = order
        do throws(SendRefusal) {
            try session.send(.cancelOrder(message))
        } catch {
            throw ClientError.notSent(error)
        }
    }

    /// Asks to cancel every order of the account, those placed by hand and by other programs included.
    ///
    /// - Throws: `ClientError.notSent`.
    public func cancelEverything() throws {
        do throws(SendRefusal) {
            try session.send(.reqGlobalCancel(ReqGlobalCancel()))
        } catch {
            throw ClientError.notSent(error)
        }
    }
}
