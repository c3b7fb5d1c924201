import Primitives
import TWSProtocol

/// The gateway's connection to the broker. While it is lost, orders go on working there, but neither does
/// anything leave the gateway nor is anything published.
struct UpstreamLink {
    /// Whether it stands.
    var isUp = true
    /// Modifications that wait for it.
    var modifications: [(order: ManagedOrder, terms: CheckedOrder)] = []
    /// Cancellations that wait for it.
    var cancellations: [ManagedOrder] = []
    /// What the gateway knew of open orders when it was lost.
    var frozen: [Int64: (order: OpenOrder, status: OrderStatus)] = [:]
    /// Orders about which something was not reported.
    private(set) var unreported: [ManagedOrder] = []
    /// Codes that were not reported.
    private(set) var kept: [(order: ManagedOrder, refusal: OrderRejection)] = []

    /// Notes that something about an order is to be reported later.
    mutating func remember(_ order: ManagedOrder) {
        guard !order.isUnreported else { return }
        order.isUnreported = true
        unreported.append(order)
    }

    /// Keeps a code to be reported later.
    mutating func keep(_ order: ManagedOrder, _ refusal: OrderRejection) {
        remember(order)
        kept.append((order, refusal))
    }

    /// Takes the orders that can be reported now, oldest first, with their codes.
    mutating func takeUnreported() -> [(order: ManagedOrder, refusals: [OrderRejection])] {
        let reported = unreported.sorted { $0.number < $1.number }.map { order in
            order.isUnreported = false
            return (order, kept.filter { $0.order === order }.map(\.refusal))
        }
        unreported = []
        kept = []
        return reported
    }
}

/// What goes wrong at the order manager on purpose.
struct OrderManagerFaults {
    /// Whether modifications made while the broker is not reached become second orders.
    var duplicatesModifications = false
    /// Why all orders are refused for their margin, if they are.
    var marginRefusal: String?
    /// Instruments whose shares have to be sought before they are sold short. Looked up only.
    var hardToBorrow: Set<InstrumentID> = []

    /// Whether shares of an instrument have to be sought.
    func isHardToBorrow(_ id: InstrumentID) -> Bool { hardToBorrow.contains(id) }
}
