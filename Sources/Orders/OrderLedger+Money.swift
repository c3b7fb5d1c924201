package import Model
package import Primitives

/// What halts and cash accounts ask of the ledger.
extension OrderLedger {
    /// Numbers of the entries that may still fill, oldest first.
    package var liveEntries: [OrderID] {
        live.filter { id in request(of: id)?.purpose == .entry }
    }

    /// Numbers of the purchases that may still fill, oldest first.
    package var livePurchases: [OrderID] {
        live.filter { id in request(of: id)?.side == .buy }
    }

    /// An execution of an order of ours.
    package struct OwnExecution: Hashable, Sendable {
        /// The order.
        package let order: OrderID
        /// The execution in its newest version.
        package let execution: Execution
    }

    /// The executions of our orders from a time on of which it is not known what they have cost, by order.
    package func unchargedExecutions(since time: Timestamp) -> [OwnExecution] {
        var found: [OwnExecution] = []
        for index in records.indices where records[index].facts.uncharged > .zero {
            for execution in records[index].facts.unchargedExecutions where execution.time >= time {
                found.append(OwnExecution(order: records[index].ticket.id, execution: execution))
            }
        }
        return found
    }

    /// What the executions of our orders in an instrument have cost, as far as it is known.
    package func charges(in instrument: InstrumentID) -> ExactMoney {
        var sum = ExactMoney.zero
        for index in records.indices
        where records[index].ticket.request.instrument == instrument {
            records[index].facts.forEachExecution { sum += ExactMoney($1) }
        }
        return sum
    }

    /// What orders of ours in an instrument that have ended at a time or later have left unfilled on a side.
    package func unfilled(
        _ side: Side, in instrument: InstrumentID, endedSince time: Timestamp
    ) -> Quantity {
        var sum = Int128(0)
        for index in records.indices {
            let request = records[index].ticket.request
            guard let end = records[index].endedAt, end >= time, request.side == side,
                request.instrument == instrument
            else { continue }
            sum += Int128(max(request.quantity - records[index].facts.filled, .zero).units)
        }
        return Quantity(units: Int64(clamping: sum))
    }

    /// What of an order was executed at costs that are not known yet; nothing if it is not ours.
    package func uncharged(_ id: OrderID) -> Quantity { facts(of: id)?.uncharged ?? .zero }
}
