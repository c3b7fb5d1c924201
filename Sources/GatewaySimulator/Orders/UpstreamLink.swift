import Primitives
import TWSProtocol

/// The gateway's connection to the broker. While it is lost, orders go on working there, but neither does
/// anything leave the gateway nor is anything told.
struct UpstreamLink {
    /// Whether it stands.
    var isUp = true
    /// Modifications that wait for it.
    var modifications: [(order: DeskOrder, terms: CheckedOrder)] = []
    /// Cancellations that wait for it.
    var cancellations: [DeskOrder] = []
    /// What the gateway knew of open orders when it was lost.
    var frozen: [Int64: (order: OpenOrder, status: OrderStatus)] = [:]
    /// Orders of which something was not told.
    private(set) var untold: [DeskOrder] = []
    /// Codes that were not told.
    private(set) var kept: [(order: DeskOrder, refusal: DeskRefusal)] = []

    /// Notes that something of an order is to be told later.
    mutating func remember(_ order: DeskOrder) {
        guard !order.isUntold else { return }
        order.isUntold = true
        untold.append(order)
    }

    /// Keeps a code to be told later.
    mutating func keep(_ order: DeskOrder, _ refusal: DeskRefusal) {
        remember(order)
        kept.append((order, refusal))
    }

    /// Takes the orders that can be told of now, oldest first, with their codes.
    mutating func takeUntold() -> [(order: DeskOrder, refusals: [DeskRefusal])] {
        let told = untold.sorted { $0.number < $1.number }.map { order in
            order.isUntold = false
            return (order, kept.filter { $0.order === order }.map(\.refusal))
        }
        untold = []
        kept = []
        return told
    }
}

/// What goes wrong at the desk on purpose.
struct DeskFaults {
    /// Whether modifications made while the broker is not reached become second orders.
    var duplicatesModifications = false
    /// Why all orders are refused for their margin, if they are.
    var marginRefusal: String?
    /// Instruments whose shares have to be sought before they are sold short. Looked up only.
    var hardToBorrow: Set<InstrumentID> = []

    /// Whether shares of an instrument have to be sought.
    func isHardToBorrow(_ id: InstrumentID) -> Bool { hardToBorrow.contains(id) }
}
