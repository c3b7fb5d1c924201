public import TWSProtocol

/// What the gateway reports about orders, as it came. None of it is dropped or repeated by the client,
/// and none is an order's state by itself: repetition and any order of arrival are normal.
public enum OrderEvent: Hashable, Sendable {
    /// An order with everything known of it.
    case open(OpenOrder)
    /// Where an order stands.
    case status(OrderStatus)
    /// A fill, or the correction of one: a higher last part of its id replaces the earlier.
    case execution(ExecDetails)
    /// What a fill cost.
    case commission(CommissionAndFeesReport)
    /// An order that has ended.
    case completed(CompletedOrder)
    /// A manual order was given a number.
    case bound(OrderBound)
    /// A word about an order. Never a proof that it is dead.
    case notice(APIOrderID, Notice)
    /// What was asked for an order, or its cancel, was still waiting when the link was lost: nothing of
    /// it has left, and nothing will. Of an order that was to be changed the earlier terms still hold.
    case unsent(APIOrderID, isCancel: Bool)

    /// The event in a message, if it is about orders.
    init?(_ message: GatewayMessage) {
        switch message {
        case .openOrder(let message): self = .open(message)
        case .orderStatus(let message): self = .status(message)
        case .execDetails(let message): self = .execution(message)
        case .commissionAndFeesReport(let message): self = .commission(message)
        case .completedOrder(let message): self = .completed(message)
        case .orderBound(let message): self = .bound(message)
        default: return nil
        }
    }
}
