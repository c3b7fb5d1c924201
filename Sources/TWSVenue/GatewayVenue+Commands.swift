package import Model
package import Primitives
package import TWSProtocol

/// The engine's commands as messages.
extension GatewayVenue {
    /// An order of ours as the broker is to know it.
    package struct BrokerOrder: Sendable {
        /// The names under which it is sent.
        package let key: BrokerOrderKey
        /// The quantity that is sent: that of the order without what others of its group have filled.
        package let quantity: Quantity
        /// The number of the order that it hangs on, if that may still fill.
        package let parent: BrokerOrderID?

        /// An order under its names.
        package init(key: BrokerOrderKey, quantity: Quantity, parent: BrokerOrderID?) {
            self.key = key
            self.quantity = quantity
            self.parent = parent
        }
    }

    /// The message that places an order; `nil` for one that cannot be expressed on the wire.
    ///
    /// - Parameters:
    ///   - transmits: false while orders follow that hang on it.
    ///   - isOpen: whether the market is in regular hours.
    package mutating func place(
        _ ticket: OrderTicket, as order: BrokerOrder, transmits: Bool, isOpen: Bool = true
    ) -> PlaceOrder? {
        guard let message = message(ticket, order, transmits: transmits, isOpen: isOpen),
            let number = order.key.order
        else { return nil }
        var order = AskedOrder(ticket, as: WireTerms(message.order))
        order.isAdaptive = !message.order.algoStrategy.isEmpty
        asked[number] = order
        return message
    }

    /// The message that changes an order; `nil` for one that cannot be expressed on the wire.
    package mutating func modify(
        _ ticket: OrderTicket, as order: BrokerOrder, revision: Int32
    ) -> PlaceOrder? {
        guard let message = message(ticket, order, transmits: true), let number = order.key.order
        else { return nil }
        var known = asked[number] ?? AskedOrder(ticket)
        known.step = .change
        known.change = AskedChange(revision: revision, terms: WireTerms(message.order))
        asked[number] = known
        return message
    }

    /// The message that cancels an order.
    ///
    /// - Parameter isProbe: the answer shows whether the broker has the order.
    package mutating func cancel(
        _ order: OrderTicket, _ key: BrokerOrderKey, isProbe: Bool
    ) -> CancelOrder? {
        guard let number = key.order else { return nil }
        var known = asked[number] ?? AskedOrder(order)
        known.step = .cancel
        if isProbe { known.isProbed = true }
        asked[number] = known
        var message = CancelOrder()
        message.orderId = APIOrderID(rawValue: number.number)
        return message
    }

    /// Takes in that an order's message did not leave; appends what the engine is to learn.
    ///
    /// - Parameter cause: why nothing of it left.
    package mutating func notSent(
        _ order: OrderID, _ key: BrokerOrderKey?, because cause: NotSentCause, at time: Timestamp,
        into events: inout [Event]
    ) {
        let change = key?.order.flatMap { asked[$0]?.change }
        if let number = key?.order {
            if change != nil {
                asked[number]?.change = nil
                asked[number]?.step = .begin
            } else {
                asked[number] = nil
            }
        }
        let fact: OrderFact =
            change.map { .modificationRefused($0.revision) } ?? .notSent(cause)
        events.append(Event(at: time, kind: .order(OrderReport(order: order, fact: fact))))
    }

    /// Takes in that the session has given a message back unsent.
    mutating func takeBack(_ message: Outgoing) {
        guard case .order(let id) = message.subject, let id = Int32(exactly: id) else { return }
        let number = BrokerOrderID(number: id)
        guard let known = asked[number], message.priority != .cancel else { return }
        if let change = known.change {
            asked[number]?.change = nil
            asked[number]?.step = .begin
            report(of: known.order, .modificationRefused(change.revision))
        } else {
            asked[number] = nil
            report(of: known.order, .notSent(.noConnection))
        }
    }

    /// Goes on with an order that an earlier process has placed.
    package mutating func resume(_ ticket: OrderTicket, as order: BrokerOrder) {
        guard let number = order.key.order else { return }
        let terms = message(ticket, order, transmits: true).map { WireTerms($0.order) }
        asked[number] = AskedOrder(ticket, as: terms)
    }

    private mutating func report(of order: OrderID, _ fact: OrderFact) {
        events.append(.order(OrderReport(order: order, fact: fact)))
    }

    private func message(
        _ ticket: OrderTicket, _ brokers: BrokerOrder, transmits: Bool, isOpen: Bool = true
    ) -> PlaceOrder? {
        let request = ticket.request
        guard let contract = contracts.contract(of: request.instrument),
            let number = brokers.key.order, let reference = brokers.key.reference
        else { return nil }
        var order = Order()
        order.action = request.side == .buy ? .buy : .sell
        order.totalQuantity = DecimalValue(brokers.quantity)
        order.setType(request.type)
        order.setTime(request.timeInForce, of: request.type)
        order.account = account
        order.orderRef = reference.description
        order.outsideRth = request.outsideRTH
        order.transmit = transmits
        if let parent = brokers.parent { order.parentId = APIOrderID(rawValue: parent.number) }
        if let group = request.group, !PlantedBug.pairWithoutGroup.isPlanted {
            order.ocaGroup = "mt:\(reference.journal):g\(group.number)"
            order.ocaType = .reduceWithBlock
        }
        if isAdaptive(request, asked[number], isOpen) {
            let algorithm = OrderAlgorithm.adaptive(.normal)
            order.algoStrategy = algorithm.strategy
            order.algoParams = algorithm.parameters
        }
        return PlaceOrder(APIOrderID(rawValue: number.number), contract, order)
    }
}

extension GatewayVenue {
    /// Whether an order is the algorithm's. One that works stays as it was sent: the broker changes no algorithm.
    private func isAdaptive(
        _ request: OrderRequest, _ known: AskedOrder?, _ isOpen: Bool
    ) -> Bool {
        if let isAdaptive = known?.isAdaptive { return isAdaptive }
        return usesAdaptive && isOpen && request.fitsAdaptive
            && !withoutAlgorithm.contains(request.instrument)
    }
}

extension OrderRequest {
    /// Whether the broker's algorithm Adaptive is to work it: an entry at the market, for the day, in regular hours.
    ///
    /// Exits are plain, as they are to be done and not to wait for a better price; so are limits, whose working time is
    /// ours to end, and what belongs to a group or hangs on another order: protection depends on no algorithm.
    fileprivate var fitsAdaptive: Bool {
        purpose == .entry && type == .market && timeInForce == .day && !outsideRTH && group == nil
            && parent == nil
    }
}

extension Order {
    fileprivate mutating func setType(_ type: OrderType) {
        switch type {
        case .market, .marketOnOpen: orderType = .market
        case .limit(let price), .limitOnOpen(let price):
            orderType = .limit
            lmtPrice = DecimalValue(price)
        case .stop(let price):
            orderType = .stop
            auxPrice = DecimalValue(price)
        case .stopLimit(let stop, let limit):
            orderType = .stopLimit
            auxPrice = DecimalValue(stop)
            lmtPrice = DecimalValue(limit)
        case .trailingStop(.amount(let amount)):
            orderType = .trailingStop
            auxPrice = DecimalValue(amount)
        case .trailingStop(.percent(let percent)):
            orderType = .trailingStop
            trailingPercent = DecimalValue(percent)
        case .marketOnClose: orderType = .marketOnClose
        case .limitOnClose(let price):
            orderType = .limitOnClose
            lmtPrice = DecimalValue(price)
        }
    }

    fileprivate mutating func setTime(_ time: TimeInForce, of type: OrderType) {
        switch type {
        case .marketOnOpen, .limitOnOpen:
            tif = .atTheOpening
            return
        case .market, .limit, .stop, .stopLimit, .trailingStop, .marketOnClose, .limitOnClose:
            break
        }
        switch time {
        case .day: tif = .day
        case .goodTillCancelled: tif = .goodTillCancelled
        case .immediateOrCancel: tif = .immediateOrCancel
        case .goodTillDate(let end):
            tif = .goodTillDate
            goodTillDate = WireTime(utc: end)
        }
    }
}
