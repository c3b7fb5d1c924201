import Model
import Primitives
import TWSProtocol

/// What left a session, held to what its journal has.
extension ChaosAudit {
    /// How long a message may be under way in the session: the broker's limit on messages can keep it back.
    private static let underWayMax = Duration.seconds(2)

    /// How long a session may not know that the gateway has lost the broker.
    private static let lossMax = Duration.seconds(20)

    /// Judges orders and cancels by the decisions that are in the journal.
    ///
    /// - Parameter sent: what left, by the time of day.
    mutating func checkAgainstJournal(
        _ sent: [SimulatedGateway.Received], _ history: ChaosHistory
    ) {
        let halts = history.halts
        var numbers: [Int32: OrderID] = [:]
        var rates: [Minute: Int] = [:]
        for message in sent {
            switch message.message {
            case .placeOrder(let order):
                let number = order.orderId.rawValue
                guard let id = OrderReference(parsing: order.order.orderRef)?.order else {
                    continue
                }
                let isNew = numbers.updateValue(id, forKey: number) == nil
                let tickets = (history.tickets[id] ?? []).filter { $0.at <= message.time }
                checkWritten(order, message, id, tickets)
                guard let ticket = tickets.last else { continue }
                let isEntry = ticket.request.purpose == .entry
                checkLink(message, opens: isEntry, history)
                checkBroker(message, id)
                if isNew {
                    if isEntry { checkHalts(halts, id, at: message.time) }
                    count(ticket, id, &rates)
                } else {
                    checkFinished(number, id, decided: ticket.at, history)
                }
            case .cancelOrder(let cancel):
                checkLink(message, opens: false, history)
                let number = cancel.orderId.rawValue
                guard let id = numbers[number],
                    let decided = history.cancels[id]?.last(where: { $0 <= message.time })
                else { continue }
                checkFinished(number, id, decided: decided, history)
            default: break
            }
        }
    }

    /// A strategy's minute of the clock.
    private struct Minute: Hashable {
        let strategy: StrategyID
        let number: Int64
    }

    /// An order is in the journal before it leaves: decided under the same terms, and durable by then.
    private mutating func checkWritten(
        _ order: PlaceOrder, _ message: SimulatedGateway.Received, _ id: OrderID,
        _ tickets: [ChaosHistory.Ticket]
    ) {
        if !tickets.contains(where: { Self.isAsDecided(order.order, $0.request) }) {
            note(
                .written,
                "\(message.time): order \(id.number) has left, and the journal has no such decision before"
            )
        }
        guard let written = orders.written[id], written <= message.marks else {
            return note(
                .written,
                "\(message.time): order \(id.number) has left and was not durable by then")
        }
    }

    /// True if an order is what was decided. In a group it is for what the others have not filled.
    static func isAsDecided(_ order: TWSProtocol.Order, _ request: OrderRequest) -> Bool {
        let action: OrderAction = request.side == .buy ? .buy : .sell
        guard let quantity = order.totalQuantity?.quantity, quantity > .zero,
            quantity == request.quantity || request.isLinked && quantity < request.quantity,
            order.action == action, order.lmtPrice?.price == request.type.limitPrice
        else { return false }
        return request.type.stopPrice.map { $0 == order.auxPrice?.price } ?? true
    }

    /// What may leave follows from the link as the session knew it: what has just happened there it cannot know.
    private mutating func checkLink(
        _ message: SimulatedGateway.Received, opens: Bool, _ history: ChaosHistory
    ) {
        var states = history.states(at: message.time)
        // Cancels that were kept leave by themselves, as soon as the link lets them and before the session looks.
        if case .cancelOrder = message.message { states += history.nextStates(after: message.time) }
        guard !states.contains(where: { opens ? $0 == .ready : $0.letsReduce }) else { return }
        let known = states.first.map(\.name) ?? "not known"
        note(.link, "\(message.time): \(message.message.kind) left, and the link was \(known)")
    }

    /// A session is soon notified that the broker is lost, or finds the line silent.
    private mutating func checkBroker(_ message: SimulatedGateway.Received, _ order: OrderID) {
        let isLost = brokerLosses.contains {
            message.time > $0.lowerBound + Self.lossMax && message.time <= $0.upperBound
        }
        guard isLost else { return }
        note(.link, "\(message.time): order \(order.number) left, and the gateway had no broker")
    }

    private mutating func checkHalts(
        _ halts: [Range<Timestamp>], _ order: OrderID, at time: Timestamp
    ) {
        let isHalted = halts.contains {
            time > $0.lowerBound + Self.underWayMax && time < $0.upperBound
        }
        if isHalted { note(.halts, "\(time): the entry \(order.number) left while halted") }
    }

    /// What was decided about an order when the session knew for some time that it is cancelled. One that was at the
    /// broker nevertheless is live again.
    private mutating func checkFinished(
        _ number: Int32, _ order: OrderID, decided time: Timestamp, _ history: ChaosHistory
    ) {
        guard let end = history.ends[number], time > end + Self.underWayMax,
            !alarms.returned.contains(order)
        else { return }
        note(.finished, "\(time): order \(order.number) was touched, cancelled since \(end)")
    }

    /// Entries stop at the limit; exits and protection count, and go on.
    private mutating func count(
        _ ticket: ChaosHistory.Ticket, _ order: OrderID, _ rates: inout [Minute: Int]
    ) {
        guard let limit = ordersPerMinute else { return }
        let minute = Minute(
            strategy: ticket.request.strategy, number: ticket.at.nanoseconds / 60_000_000_000)
        let count = rates[minute, default: 0]
        rates[minute] = count + 1
        guard count >= limit, ticket.request.purpose == .entry else { return }
        note(.rate, "\(ticket.at): the entry \(order.number) is number \(count + 1) in its minute")
    }
}

extension BrokerLinkState {
    /// True if orders that only reduce a position, and cancels, may leave.
    fileprivate var letsReduce: Bool {
        switch self {
        case .ready, .dataDegraded, .drain: true
        case .down, .handshake, .sync, .upstreamLost, .locked: false
        }
    }
}
