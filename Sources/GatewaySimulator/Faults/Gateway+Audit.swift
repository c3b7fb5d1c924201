package import Model
package import Primitives
import TWSProtocol

/// What an audit looks at while a client trades: how things stand at the broker, beside everything that can get lost.
extension Gateway {
    /// An order at the broker that may fill.
    package struct WorkingOrder: Hashable, Sendable {
        /// The client's own text on it.
        package let reference: String
        /// Which way it goes.
        package let side: Side
        /// What of it may still fill.
        package let remaining: Quantity
        /// The group in which orders take each other's place; empty for none.
        package let group: String
    }

    /// A fill, as it was corrected last.
    package struct BookedFill: Hashable, Sendable {
        /// The number that its client gave the order.
        package let order: Int32
        /// The client's own text on the order.
        package let reference: String
        /// Which way it went.
        package let side: Side
        /// How much; zero once it was taken back.
        package let quantity: Quantity
        /// When.
        package let time: Timestamp
    }

    /// The orders that may fill now, oldest first: those that wait for their parent are left out.
    package var workingOrders: [WorkingOrder] {
        orderManager.live.compactMap { order in
            guard order.stage == .accepted, !order.isWaitingForParent, order.remaining > .zero
            else { return nil }
            return WorkingOrder(
                reference: order.request.order.orderRef, side: order.side,
                remaining: order.remaining, group: order.request.order.ocaGroup)
        }
    }

    /// True while the gateway has lost the broker.
    package var isBrokerLost: Bool { faults.isLinkLost }

    /// How many fills are kept.
    package var fillCount: Int { orderManager.executions.count }

    /// The fills that are kept, oldest first.
    package var fills: [BookedFill] {
        orderManager.executions.map { fill in
            BookedFill(
                order: fill.order.orderID.rawValue,
                reference: fill.order.request.order.orderRef, side: fill.order.side,
                quantity: fill.quantity, time: fill.time)
        }
    }

    /// Subscriptions to bars of five seconds.
    package struct StreamCount: Hashable, Sendable {
        /// All of them.
        package fileprivate(set) var total = 0
        /// Those that were not cut off without a word.
        package fileprivate(set) var live = 0

        /// None.
        package init() {}
    }

    /// How many subscriptions to bars of five seconds there are, by symbol.
    package var barStreams: [String: StreamCount] {
        var counts: [String: StreamCount] = [:]
        for key in data.bars.keys {
            guard let stream = data.bars[key] else { continue }
            let symbol = stream.listed.contract.symbol
            counts[symbol, default: StreamCount()].total += 1
            if !stream.isDead { counts[symbol]?.live += 1 }
        }
        return counts
    }
}
